import type { Problem } from '../../src/common/refusal.ts';
import { importBundle } from '../../src/processes/bundle/bundle.mutations.ts';
import { exportBundle } from '../../src/processes/bundle/bundle-export.service.ts';
import type { ImportedBundle } from '../../src/processes/bundle/bundle-import.service.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { argFields, outputFields } from '../fields.ts';
import { inputOf, payloadOf, USER_ERRORS } from '../payload.ts';

interface ImportPayload extends ImportedBundle {
  readonly userErrors: readonly Problem[];
}

const ImportBundlePayload = builder.objectRef<ImportPayload>('ImportBundlePayload').implement({
  description: 'Result of an import or of its dry run: ids of Services, Tools and Processes.',
  fields: outputFields({
    created: [['ID'], 'Ids of the objects that did not exist before.'],
    updated: [['ID'], 'Ids of the objects that existed and differed from the bundle.'],
    unchanged: [['ID'], 'Ids of the objects that already equal the bundle.'],
    userErrors: USER_ERRORS,
  }),
});

const NOTHING: ImportedBundle = { created: [], updated: [], unchanged: [], kept: [] };

const ImportBundleInput = inputOf('ImportBundleInput', 'Input of importBundle.', {
  document: ['String!', 'The bundle as YAML.'],
  dryRun: ['Boolean', 'Report the changes without writing them. Default false.', false],
});

builder.mutationField('importBundle', (t) =>
  t.field({
    type: ImportBundlePayload,
    description:
      'Imports a bundle (YAML) of Services, Tools and Processes as your own, all or nothing. ' +
      'Importing the same bundle again changes nothing.',
    args: {
      input: t.arg({ type: ImportBundleInput, required: true, description: 'The bundle.' }),
    },
    resolve: (_root, { input: { document, dryRun } }, context) =>
      payloadOf(NOTHING, () =>
        importBundle(context, viewerOf(context), {
          document,
          mode: dryRun === true ? 'check' : 'write',
        }),
      ),
  }),
);

builder.queryField('exportBundle', (t) =>
  t.string({
    description:
      'Exports Processes with everything they use as a bundle (YAML), without the values of ' +
      'Secrets.',
    args: argFields(t, {
      processIds: [['ID'], 'Ids of the Processes to export. Default: all of yours.'],
    }),
    resolve: (_root, { processIds }, context) =>
      exportBundle(context, viewerOf(context), { processIds: processIds ?? null }),
  }),
);
