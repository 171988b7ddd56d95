import type { Maybe } from '../../src/common/maybe.ts';
import { Refusal, refuse } from '../../src/common/refusal.ts';
import { windowOf } from '../../src/metrics/series.ts';
import { readRunTimes, readRunTimesOfAll } from '../../src/runs/run/run-times.cypher.ts';
import {
  type RunTimesBucket as BucketModel,
  checkRunTimes,
  checkRunTimesOfAll,
  type RunTimesOfAll as OfAllModel,
  type ProcessRunTimes as OfProcessModel,
  RUN_TIMES_BUCKETS_MAX,
  RUN_TIMES_MAX,
  RUN_TIMES_PROCESSES_DEFAULT,
  RUN_TIMES_PROCESSES_MAX,
  type RunTimes as RunTimesModel,
} from '../../src/runs/run/run-times.ts';
import { isAdmin } from '../../src/users/user.ts';
import { builder } from '../builder.ts';
import { includeSystemArg } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { argFields, outputFields } from '../fields.ts';
import { ITS_PROCESS } from '../processes/processes.ts';

const SUM = {
  runs: ['Int', 'Number of ended runs.'],
  failedRuns: ['Int', 'Number of runs that failed or timed out.'],
  p50Seconds: ['Float?', 'Median duration of the runs in seconds; null if none started.'],
  p90Seconds: ['Float?', 'Duration in seconds that 90 % of the runs do not exceed.'],
  p99Seconds: ['Float?', 'Duration in seconds that 99 % of the runs do not exceed.'],
  tokens: ['Float', 'Number of tokens of language models, in and out.'],
  costUsd: ['Float?', 'Cost in US dollars; null if no Tool has a price.'],
} as const;

const RunTimesBucket = builder.objectRef<BucketModel>('RunTimesBucket').implement({
  description: 'Durations and cost of the runs that were created in one bucket of time.',
  fields: outputFields({ startedAt: ['DateTime', 'Start of the bucket.'], ...SUM }),
});

const RunTimes = builder.objectRef<RunTimesModel>('RunTimes').implement({
  description:
    'Durations and cost of ended runs. A percentile is the duration of a run, by nearest rank. ' +
    'The usage of a run includes its sub-runs.',
  fields: outputFields({
    ...SUM,
    isWhole: [
      'Boolean',
      `Whether all runs of the time range are counted. If false, there are more than ` +
        `${RUN_TIMES_MAX} runs in it, and only the newest are read.`,
    ],
    buckets: [[RunTimesBucket], 'Buckets with at least one run, oldest first.'],
  }),
});

const WINDOW = {
  from: ['DateTime', 'Start of the time range, inclusive. Default: 24 hours before `to`.'],
  to: ['DateTime', 'End of the time range, exclusive. Default: now.'],
  bucketSeconds: [
    'Float',
    `Length of a bucket in seconds, at least 60; at most ${RUN_TIMES_BUCKETS_MAX} buckets. ` +
      'Default: no buckets.',
  ],
} as const;

const timesWindow = (
  {
    bucketSeconds,
    ...args
  }: Parameters<typeof windowOf>[0] & { readonly bucketSeconds?: Maybe<number> },
  { clock }: RequestContext,
) => ({ ...windowOf(args, clock.nowMs()), bucketSeconds: bucketSeconds ?? null });

builder.queryField('processRunTimes', (t) =>
  t.field({
    type: RunTimes,
    description:
      'How long your runs of a Process took and what they cost, by the time of their creation, ' +
      'sub-runs included.',
    complexity: 20,
    args: {
      ...argFields(t, { processId: ['ID!', 'Id of the Process; it may be deleted.'], ...WINDOW }),
      includeSystem: includeSystemArg(t),
    },
    resolve: (_root, { processId, includeSystem, bucketSeconds, ...args }, context) => {
      const window = timesWindow({ ...args, bucketSeconds }, context);
      refuse(checkRunTimes(window));
      return context.graph.read((tx) =>
        readRunTimes(tx, viewerOf(context).userId, {
          ...window,
          processId,
          includeSystem: includeSystem === true,
        }),
      );
    },
  }),
);

const ProcessRunTimes = builder.objectRef<OfProcessModel>('ProcessRunTimes').implement({
  description: 'Durations and cost of the ended runs of one Process, sub-runs included.',
  fields: outputFields({
    ...ITS_PROCESS,
    times: [RunTimes, 'Its figures. A run that another run started counts for its own Process.'],
  }),
});

const RunTimesOfAll = builder.objectRef<OfAllModel>('RunTimesOfAll').implement({
  description: 'Durations and cost of ended runs, by Process and in all.',
  fields: outputFields({
    total: [
      RunTimes,
      'Figures of the runs that no other run started. The Processes may add up to more: a ' +
        'sub-run counts for its own Process and within the run that started it.',
    ],
    processes: [[ProcessRunTimes], 'The Processes, the most expensive first, then by tokens.'],
    processCount: ['Int', 'Number of Processes with a run in the time range.'],
  }),
});

builder.queryField('runTimes', (t) =>
  t.field({
    type: RunTimesOfAll,
    description:
      'How long your runs took and what they cost, by Process and in all, by the time of their ' +
      'creation.',
    complexity: 20,
    args: {
      ...argFields(t, {
        ...WINDOW,
        first: [
          'Int',
          `Number of Processes. Default ${RUN_TIMES_PROCESSES_DEFAULT}, at most ` +
            `${RUN_TIMES_PROCESSES_MAX}.`,
        ],
        ofEveryone: [
          'Boolean',
          'Whether the runs of all users count; for admins only. Default false.',
        ],
      }),
      includeSystem: includeSystemArg(t),
    },
    resolve: (_root, { first, bucketSeconds, ofEveryone, includeSystem, ...args }, context) => {
      const viewer = viewerOf(context);
      const asked = {
        ...timesWindow({ ...args, bucketSeconds }, context),
        first: first ?? RUN_TIMES_PROCESSES_DEFAULT,
      };
      refuse(checkRunTimesOfAll(asked));
      if (ofEveryone === true && !isAdmin(viewer)) {
        const message = 'Only an admin may ask for the runs of all users.';
        throw Refusal.of('FORBIDDEN', ['ofEveryone'], message);
      }
      return context.graph.read((tx) =>
        readRunTimesOfAll(tx, viewer.userId, {
          ...asked,
          includeSystem: includeSystem === true,
          ofEveryone: ofEveryone === true,
        }),
      );
    },
  }),
);
