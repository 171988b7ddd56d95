import { DAYS_OF, type RetentionKind } from '../../src/retention/retention.ts';
import {
  countDue,
  DUE_MAX,
  type RetentionState,
  showRetention,
} from '../../src/retention/retention-report.service.ts';
import { builder, enumOf } from '../builder.ts';
import { outputFields } from '../fields.ts';

const MEANINGS = {
  runs: "Users' runs with steps, events and sub-runs. Runs that answer a turn are kept.",
  systemRuns: "The product's own runs with steps, events and calls.",
  runInputs: 'Contexts and inputs of runs that are kept, and their events.',
  entries: 'Entries of the event log outside of runs.',
  sessions: "Users' sessions of the session graph with events, tool calls and layers.",
  systemSessions: "Sessions of the product's own runs.",
  idempotencyRecords: 'Results of idempotency keys.',
} as const satisfies Record<RetentionKind, string>;

const Kind = enumOf('RetentionKind', 'A kind of record that is deleted after a time.', MEANINGS);

const Retention = builder.objectRef<RetentionState>('Retention').implement({
  description:
    'Retention of one kind of record. Conversations, memories and agent memory are kept for ' +
    'ever, unless `memoryRetentionDays` is set.',
  fields: outputFields({
    kind: [Kind, 'Kind of record.'],
    setting: [
      'String',
      `Name of the setting with the days: ${[...new Set(Object.values(DAYS_OF))].join(', ')}.`,
    ],
    days: ['Int', 'Days that a record is kept; 0: for ever.'],
    due: [
      'Int',
      `Number of records that the job \`forgetting\` would delete now, at most ${DUE_MAX}. ` +
        'Counting deletes nothing; it takes up to seconds, so ask for it only when needed.',
      ({ kind }, _args, context) => countDue(context, context.logReaders, kind),
    ],
    lastDeleted: [
      'Int?',
      'Number of records that the last job run with any deleted; null: none yet.',
      ({ last }) => last?.deleted ?? null,
    ],
    lastDeletedAt: ['DateTime?', 'Time of that deletion.', ({ last }) => last?.at ?? null],
  }),
});

builder.queryField('retention', (t) =>
  t.field({
    type: [Retention],
    description:
      'How long each kind of record is kept, what was deleted last, and what is due. ' +
      '`updateSettings` changes the days. Only for admins.',
    nullable: true,
    authScopes: { admin: true },
    resolve: (_root, _args, context) => showRetention(context),
  }),
);
