import { isAdmin } from '../../src/users/user.ts';
import { findWorkers, listWorkers } from '../../src/workers/worker.cypher.ts';
import type { Worker as WorkerModel } from '../../src/workers/worker.ts';
import { watchWorkers } from '../../src/workers/worker-stream.service.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { live } from '../live.ts';
import { Node, nodeType } from '../nodes.ts';

const WORKERS_MAX = 1_000;

const WorkerStatus = enumOf('WorkerStatus', 'What a Worker is doing.', {
  idle: 'It waits for a step.',
  busy: 'It executes a step.',
  offline: 'It has been silent for 20 seconds, or has said that it ends.',
});

export const Worker = nodeType<WorkerModel>('Worker', {
  label: 'Worker',
  load: (context, ids) => context.graph.read((tx) => findWorkers(tx, ids)),
});
Worker.implement({
  description: 'One place of a pool that executes the steps of one type of Tool.',
  interfaces: [Node],
  fields: (t) => ({
    type: t.exposeString('type', {
      description: 'What it executes: graph_query, rest_call, llm_call or mcp_call.',
    }),
    status: t.expose('status', { type: WorkerStatus, description: 'What it is doing.' }),
    currentJobId: t.id({
      nullable: true,
      description:
        'The step it executes, as `runId/stepId[/index]`; null when idle or offline, and for who is no admin.',
      // Whose step it is, is nobody else's business.
      resolve: ({ currentJobId }, _args, context) =>
        isAdmin(viewerOf(context)) ? currentJobId : null,
    }),
    lastHeartbeat: t.expose('lastHeartbeat', {
      type: 'DateTime',
      description: 'When it was last heard of.',
    }),
    processedCount: t.exposeInt('processedCount', {
      description: 'Attempts of steps that it has ended, well or not.',
    }),
    errorCount: t.exposeInt('errorCount', { description: 'Those of them that failed.' }),
    taskQueue: t.exposeString('taskQueue', { description: 'Where it takes steps from.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it first came.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When its status last changed.',
    }),
  }),
});

builder.queryField('workers', (t) =>
  t.field({
    type: [Worker],
    description: `The pools, as they are now; at most ${WORKERS_MAX} Workers.`,
    args: {
      type: t.arg.string({ description: 'Only of this type, such as llm_call.' }),
      status: t.arg({ type: WorkerStatus, description: 'Only these.' }),
    },
    resolve: (_root, { type, status }, { graph }) =>
      graph.read((tx) =>
        listWorkers(tx, { type: type ?? null, status: status ?? null, limit: WORKERS_MAX }),
      ),
  }),
);

builder.subscriptionField('workerEvents', (t) =>
  t.field({
    type: Worker,
    description:
      'A Worker whenever it changes, from now on; several changes within 250 ms are one.',
    subscribe: (_root, _args, context) => live(context, (signal) => watchWorkers(context, signal)),
    resolve: (worker) => worker,
  }),
);
