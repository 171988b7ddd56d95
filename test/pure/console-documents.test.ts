import { fileURLToPath } from 'node:url';
import { type DocumentNode, print } from 'graphql';
import { expect, it } from 'vitest';
import * as generated from '../../console/src/generated/documents.ts';
import { readTrustedDocuments } from '../../src/main/config/trusted-documents.ts';
import { openTrustedDocuments } from '../../src/platform/http/trusted-documents.ts';

// docs/api.md, Documents
const FOLDER = fileURLToPath(new URL('../../console/src/documents', import.meta.url));

it('lets the console run each of its documents where only trusted ones may run', () => {
  const documents = openTrustedDocuments(readTrustedDocuments([FOLDER]), { tokensMax: 8_000 });
  const sent = Object.entries(generated).filter(([name]) => name.endsWith('Document'));
  expect(sent.length).toBeGreaterThan(30);
  for (const [name, document] of sent) {
    const query = print(document as DocumentNode);
    expect(documents.resolve({ query }).query, name).toBe(query);
  }
  expect(() => documents.resolve({ query: '{ viewer { name } }' })).toThrow();
});
