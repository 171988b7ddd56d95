import { isAdmin } from '../../src/users/user.ts';
import { findWorkers, listWorkers } from '../../src/workers/worker.cypher.ts';
import type { Worker as WorkerModel } from '../../src/workers/worker.ts';
import { watchWorkers } from '../../src/workers/worker-stream.service.ts';
import { builder, enumOf } from '../builder.ts';
import { OperationType } from '../catalog/operations.ts';
import { viewerOf } from '../context.ts';
import { argFields, exposed } from '../fields.ts';
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
    ...exposed(t, {
      type: [OperationType, 'Type of the steps it executes.'],
      status: [WorkerStatus, 'Status of the Worker.'],
      lastHeartbeatAt: ['DateTime', 'Time of the last heartbeat.', 'lastHeartbeat'],
      processedCount: ['Int', 'Number of step attempts that it ended, successful or not.'],
      errorCount: ['Int', 'Number of those attempts that failed.'],
      build: ['String?', 'Build of its process (AIDEN_WORKER_BUILD). Null: none is named.'],
      taskQueue: ['String', 'Task queue that it takes steps from.'],
      createdAt: ['DateTime', 'Time of the first heartbeat.'],
      updatedAt: ['DateTime', 'Time of the last change of status.'],
    }),
    currentJobId: t.id({
      nullable: true,
      description:
        'The step in progress, as `runId/stepId[/index]`; null if idle or offline, and for ' +
        'users who are not admins.',
      // Only admins may see the steps of other users.
      resolve: ({ currentJobId }, _args, context) =>
        isAdmin(viewerOf(context)) ? currentJobId : null,
    }),
  }),
});

builder.queryField('workers', (t) =>
  t.field({
    type: [Worker],
    description: `The current Workers of all pools, at most ${WORKERS_MAX}.`,
    args: argFields(t, {
      type: [OperationType, 'Only Workers of this operation type.'],
      status: [WorkerStatus, 'Only Workers with this status.'],
    }),
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
