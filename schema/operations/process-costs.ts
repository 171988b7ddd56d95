import { Refusal, refuse } from '../../src/common/refusal.ts';
import { listProcessCosts } from '../../src/metrics/process-cost.cypher.ts';
import {
  checkProcessCosts,
  PROCESS_COSTS_DEFAULT,
  PROCESS_COSTS_MAX,
  type ProcessCost as ProcessCostModel,
} from '../../src/metrics/process-cost.ts';
import { SERIES_VALUES_MAX, windowOf } from '../../src/metrics/series.ts';
import { builder } from '../builder.ts';
import { includeSystemArg } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { argFields, outputFields } from '../fields.ts';
import { ITS_PROCESS } from '../processes/processes.ts';

const ProcessCost = builder.objectRef<ProcessCostModel>('ProcessCost').implement({
  description:
    'Cost of the ended runs of one Process. It includes their sub-runs, which count for the ' +
    'Process that they run too; so costs of several Processes must not be added.',
  fields: outputFields({
    ...ITS_PROCESS,
    runs: ['Int', 'Number of ended runs, also of those that other Processes started.'],
    failedRuns: ['Int', 'Number of runs that failed or timed out.'],
    tokens: ['Float', 'Number of tokens of language models, in and out.'],
    costUsd: ['Float?', 'Cost in US dollars; null if no Tool has a price.'],
  }),
});

builder.queryField('processCosts', (t) =>
  t.field({
    type: [ProcessCost],
    description:
      'The Processes whose runs cost most in a time range: of your own runs, for admins of ' +
      'all. The most expensive first, then by tokens. Up to date within a second.',
    complexity: 20,
    args: {
      ...argFields(t, {
        from: [
          'DateTime',
          'Start of the time range, inclusive, by minutes. Default: 24 hours before `to`. At ' +
            'most 92 days.',
        ],
        to: ['DateTime', 'End of the time range, exclusive. Default: now.'],
        first: [
          'Int',
          `Number of Processes. Default ${PROCESS_COSTS_DEFAULT}, at most ${PROCESS_COSTS_MAX}.`,
        ],
      }),
      includeSystem: includeSystemArg(t),
    },
    resolve: async (_root, { first: asked, includeSystem, ...args }, context) => {
      const first = asked ?? PROCESS_COSTS_DEFAULT;
      const window = { ...windowOf(args, context.clock.nowMs()), first };
      refuse(checkProcessCosts(window));
      const costs = await context.graph.read((tx) =>
        listProcessCosts(tx, viewerOf(context), {
          ...window,
          includeSystem: includeSystem === true,
        }),
      );
      if (costs !== null) return costs;
      const message =
        `There are more than ${SERIES_VALUES_MAX} values in this time; ` + 'ask for less of it.';
      throw Refusal.of('TOO_LARGE', ['from'], message);
    },
  }),
);
