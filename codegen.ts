import type { CodegenConfig } from '@graphql-codegen/cli';

// `npm run codegen`: the printed schema and the documents of clients become typed documents.
// Generated files are committed, so that the diff of a change of the API shows its callers too.
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  // A client's folder without documents yet is no fault.
  ignoreNoDocuments: true,
  config: {
    enumsAsTypes: true,
    useTypeImports: true,
    immutableTypes: true,
    strictScalars: true,
    dedupeFragments: true,
    scalars: {
      ID: 'string',
      DateTime: 'string',
      Cursor: 'string',
      JSON: 'unknown',
      JSONObject: 'Record<string, unknown>',
      JSONSchema: 'Record<string, unknown>',
    },
  },
  generates: {
    'packages/client/src/generated/documents.ts': {
      documents: ['packages/client/src/documents/*.graphql'],
      plugins: ['typescript-operations', 'typed-document-node'],
    },
    'cli/generated/documents.ts': {
      documents: ['cli/documents/*.graphql'],
      plugins: ['typescript-operations', 'typed-document-node'],
    },
    'console/src/generated/documents.ts': {
      documents: ['console/src/documents/*.graphql'],
      plugins: ['typescript-operations', 'typed-document-node'],
    },
  },
};

export default config;
