import { isAdmin } from '../../src/users/user.ts';
import { findWorkers, listWorkers } from '../../src/workers/worker.cypher.ts';
import type { Worker as WorkerModel } from '../../src/workers/worker.ts';
import { watchWorkers } from '../../src/workers/worker-stream.service.ts';
import { builder, enumOf } from '../builder.ts';
import { OperationType } from '../catalog/operations.ts';
import { viewerOf } from '../context.ts';
import { live } from '../live.ts';
import { Node, nodeType } from '../nodes.ts';

const WORKERS_MAX = 1_000;

const WorkerStatus = enumOf('WorkerStatus', 'Status of a Worker.', {
  idle: 'It waits for a step.',
  busy: 'It executes a step.',
  offline: 'It sent no heartbeat for 20 seconds, or announced its end.',
});

export const Worker = nodeType<WorkerModel>('Worker', {
  label: 'Worker',
  load: (context, ids) => context.graph.read((tx) => findWorkers(tx, ids)),
});
Worker.implement({
  description: 'A member of the pool that executes the steps of one operation type.',
  interfaces: [Node],
  fields: (t) => ({
    type: t.expose('type', { type: OperationType, description: 'Type of the steps it executes.' }),
    status: t.expose('status', { type: WorkerStatus, description: 'Status of the Worker.' }),
    currentJobId: t.id({
      nullable: true,
      description:
        'The step in progress, as `runId/stepId[/index]`; null if idle or offline, and for users who are not admins.',
      // Only admins may see the steps of other users.
      resolve: ({ currentJobId }, _args, context) =>
        isAdmin(viewerOf(context)) ? currentJobId : null,
    }),
    lastHeartbeatAt: t.expose('lastHeartbeat', {
      type: 'DateTime',
      description: 'Time of the last heartbeat.',
    }),
    processedCount: t.exposeInt('processedCount', {
      description: 'Number of step attempts that it ended, successful or not.',
    }),
    errorCount: t.exposeInt('errorCount', { description: 'Number of those attempts that failed.' }),
    taskQueue: t.exposeString('taskQueue', { description: 'Task queue that it takes steps from.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time of the first heartbeat.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time of the last change of status.',
    }),
  }),
});

builder.queryField('workers', (t) =>
  t.field({
    type: [Worker],
    description: `The current Workers of all pools, at most ${WORKERS_MAX}.`,
    args: {
      type: t.arg({ type: OperationType, description: 'Only Workers of this operation type.' }),
      status: t.arg({ type: WorkerStatus, description: 'Only Workers with this status.' }),
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
    description: 'Sends a Worker at each change, from now on. Changes within 250 ms are sent once.',
    subscribe: (_root, _args, context) => live(context, (signal) => watchWorkers(context, signal)),
    resolve: (worker) => worker,
  }),
);
