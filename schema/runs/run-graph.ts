import {
  createGraph,
  type GraphListing,
  listGraph,
  reduceEvent,
} from '../../packages/client/src/conversation-graph/index.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { loadRunHistories } from '../../src/runs/events/run-history.service.ts';
import type { ProcessRun as RunModel } from '../../src/runs/run/run.ts';
import { builder } from '../builder.ts';
import { outputFields } from '../fields.ts';
import { loader } from '../loader.ts';
import { ProcessRun } from './runs.ts';

const GraphEdge = builder
  .objectRef<{ readonly from: string; readonly to: string }>('GraphEdge')
  .implement({
    description: 'An edge from a node to a later node that follows it or was started by it.',
    fields: outputFields({
      from: ['ID', 'Id of the earlier node.'],
      to: ['ID', 'Id of the later node.'],
    }),
  });

const ConversationGraph = builder.objectRef<GraphListing>('ConversationGraph').implement({
  description:
    'Graph of a run and the runs below it. Clients build the same graph from runEvents with ' +
    '@aiden/client.',
  fields: (t) => ({
    nodes: t.field({
      type: ['JSONObject'],
      description:
        'Nodes in order of arrival: `id`, `runId`, `kind`, and the fields of the kind ' +
        '(content, name, input, output, …).',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ nodes }) => nodes as never,
    }),
    edges: t.field({
      type: [GraphEdge],
      description: 'Edges from parent to child. The graph has no cycles.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ edges }) => edges,
    }),
  }),
});

const loadGraph = loader<RunModel, GraphListing>(async (context, runs) => {
  const histories = await loadRunHistories(context, runs);
  // A run that is too large fails alone; the graphs of the other runs are returned.
  return histories.map((events) =>
    events instanceof Refusal ? events : listGraph(events.reduce(reduceEvent, createGraph())),
  );
});

builder.objectField(ProcessRun, 'graph', (t) =>
  t.field({
    type: ConversationGraph,
    description:
      "Graph of the run's events so far, sub-runs included. Gives TOO_LARGE beyond 20,000 " +
      'events or 16 MiB; then use runEvents.',
    complexity: { field: 50, multiplier: 1 },
    resolve: (run, _args, context) => loadGraph(context, run),
  }),
);
