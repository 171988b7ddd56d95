import { CHANGES_BEHIND_MAX } from '../../src/common/limits.ts';
import { startOfChanges } from '../../src/outbox/changes.service.ts';
import {
  type RunChange as RunChangeModel,
  watchRunChanges,
} from '../../src/runs/events/run-changes.service.ts';
import { builder } from '../builder.ts';
import { includeSystemArg } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { argFields, nullable, outputFields } from '../fields.ts';
import { live } from '../live.ts';
import { ProcessRun } from './runs.ts';

const RunChange = builder.objectRef<RunChangeModel>('RunChange').implement({
  description: 'A change of a run, for lists of runs.',
  fields: outputFields({
    cursor: [
      'Cursor',
      'Cursor of this change. Subscribe with it as `after` to continue without a gap.',
    ],
    run: [
      nullable(ProcessRun),
      'The run with its current data; null on the first event of a subscription without `after`.',
    ],
  }),
});

builder.subscriptionField('runChanges', (t) =>
  t.field({
    type: RunChange,
    description:
      'Sends your runs, each at the changes of its status and of its steps: those after the ' +
      'cursor, then live. Without a cursor, the first event has no run; a list that is read ' +
      'after it misses no change. Changes of a run within 250 ms are sent once. It does not ' +
      'end by itself.',
    args: {
      ...argFields(t, {
        after: [
          'Cursor',
          `Only changes after this cursor, at most ${CHANGES_BEHIND_MAX} entries of the log ` +
            'back. Default: from now on.',
        ],
        rootsOnly: ['Boolean', 'Whether to leave out sub-runs.', false],
      }),
      includeSystem: includeSystemArg(t),
    },
    subscribe: async (_root, { after, rootsOnly, includeSystem }, context) => {
      const watch = {
        ownerId: viewerOf(context).userId,
        start: await startOfChanges(context, after),
        depth: rootsOnly === true ? ('roots' as const) : ('all' as const),
        includeSystem: includeSystem === true,
      };
      return live(context, (signal) => watchRunChanges(context, watch, signal));
    },
    resolve: (change) => change,
  }),
);
