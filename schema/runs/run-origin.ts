import type { RunWork as RunWorkModel } from '../../src/runs/run/run-origin.ts';
import { builder, enumOf } from '../builder.ts';
import { outputFields } from '../fields.ts';

export const RunOrigin = enumOf('RunOrigin', 'Who asked for a run.', {
  user: 'A user: by a start, a message, a schedule or a retry of such a run.',
  system: 'The product, for its own background work, such as extraction or a summary.',
});

const RunWorkKind = enumOf('RunWorkKind', 'Kind of thing that a background run works for.', {
  episode: 'An Episode, from which entities and facts are extracted.',
  entity: 'An entity that is enriched.',
  conversation: 'A conversation that is compressed or introspected.',
  toc_node: 'A node of the table of contents that is summarised.',
});

export const RunWork = builder.objectRef<RunWorkModel>('RunWork').implement({
  description: 'The thing that a background run of the product works for.',
  fields: outputFields({
    kind: [RunWorkKind, 'Its kind.'],
    targetId: [
      'ID',
      'Its domain id: uuid of the Episode or entity, id of the conversation or TOC node.',
      'id',
    ],
    name: [
      'String?',
      'Its name or title when the run was requested, at most 200 characters; of an Episode ' +
        'the start of its text. Null: it had none.',
    ],
  }),
});
