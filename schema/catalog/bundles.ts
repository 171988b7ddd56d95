import type { Problem } from '../../src/common/refusal.ts';
import { importBundle } from '../../src/processes/bundle/bundle.mutations.ts';
import { exportBundle } from '../../src/processes/bundle/bundle-export.service.ts';
import type { ImportedBundle } from '../../src/processes/bundle/bundle-import.service.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { payloadOf, userErrorsField } from '../payload.ts';

interface ImportPayload extends ImportedBundle {
  readonly userErrors: readonly Problem[];
}

const ImportBundlePayload = builder.objectRef<ImportPayload>('ImportBundlePayload').implement({
  description: 'What an import did, or would do: ids of services, tools and processes.',
  fields: (t) => ({
    created: t.exposeIDList('created', { description: 'What was not there before.' }),
    updated: t.exposeIDList('updated', { description: 'What was there and differed.' }),
    unchanged: t.exposeIDList('unchanged', { description: 'What was there as the bundle has it.' }),
    userErrors: userErrorsField(t as never),
  }),
});

const NOTHING: ImportedBundle = { created: [], updated: [], unchanged: [] };

builder.mutationField('importBundle', (t) =>
  t.field({
    type: ImportBundlePayload,
    description:
      'Writes a bundle (YAML) of Services, Tools and Processes as your own, all or nothing. The same bundle again changes nothing.',
    args: {
      document: t.arg.string({ required: true, description: 'The bundle as YAML.' }),
      dryRun: t.arg.boolean({
        defaultValue: false,
        description: 'Say what would happen, and write nothing.',
      }),
    },
    resolve: (_root, { document, dryRun }, context) =>
      payloadOf(
        NOTHING,
        () =>
          importBundle(context, viewerOf(context), {
            document,
            mode: dryRun === true ? 'check' : 'write',
          }),
        'arguments',
      ),
  }),
);

builder.queryField('exportBundle', (t) =>
  t.string({
    description: "Processes with everything they use as a bundle (YAML), without Secrets' values.",
    args: { processIds: t.arg.idList({ description: 'Which; left out: all of yours.' }) },
    resolve: (_root, { processIds }, context) =>
      exportBundle(context, viewerOf(context), { processIds: processIds ?? null }),
  }),
);
