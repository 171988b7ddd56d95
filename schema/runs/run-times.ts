import { refuse } from '../../src/common/refusal.ts';
import { windowOf } from '../../src/metrics/series.ts';
import { readRunTimes } from '../../src/runs/run/run-times.cypher.ts';
import {
  type RunTimesBucket as BucketModel,
  checkRunTimes,
  RUN_TIMES_BUCKETS_MAX,
  RUN_TIMES_MAX,
  type RunTimes as RunTimesModel,
} from '../../src/runs/run/run-times.ts';
import { builder } from '../builder.ts';
import { includeSystemArg } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { argFields, outputFields } from '../fields.ts';

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
    'Durations and cost of ended runs of one Process. A percentile is the duration of a run, by ' +
    'nearest rank. The usage of a run includes its sub-runs.',
  fields: outputFields({
    ...SUM,
    isWhole: [
      'Boolean',
      'Whether all runs of the time range are counted. If false, the Process has more than ' +
        `${RUN_TIMES_MAX} runs in it, and only the newest are read.`,
    ],
    buckets: [[RunTimesBucket], 'Buckets with at least one run, oldest first.'],
  }),
});

builder.queryField('processRunTimes', (t) =>
  t.field({
    type: RunTimes,
    description:
      'How long your runs of a Process took and what they cost, by the time of their creation, ' +
      'sub-runs included.',
    complexity: 20,
    args: {
      ...argFields(t, {
        processId: ['ID!', 'Id of the Process; it may be deleted.'],
        from: ['DateTime', 'Start of the time range, inclusive. Default: 24 hours before `to`.'],
        to: ['DateTime', 'End of the time range, exclusive. Default: now.'],
        bucketSeconds: [
          'Float',
          `Length of a bucket in seconds, at least 60; at most ${RUN_TIMES_BUCKETS_MAX} buckets. ` +
            'Default: no buckets.',
        ],
      }),
      includeSystem: includeSystemArg(t),
    },
    resolve: (_root, { processId, includeSystem, bucketSeconds, ...args }, context) => {
      const window = {
        ...windowOf(args, context.clock.nowMs()),
        bucketSeconds: bucketSeconds ?? null,
      };
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
