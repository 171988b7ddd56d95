import { backgroundWarnings } from '../../src/background/background.mutations.ts';
import type { HealthWarning as WarningModel } from '../../src/background/background.ts';
import { instantOf } from '../../src/common/clock.ts';
import type { EndedWorker, HealthReport } from '../../src/platform/telemetry/health.ts';
import { isAdmin } from '../../src/users/user.ts';
import { listEndedWorkers } from '../../src/workers/worker.cypher.ts';
import { builder } from '../builder.ts';
import { HealthStatus } from '../catalog/catalog.ts';
import { viewerOf } from '../context.ts';
import { outputFields } from '../fields.ts';

const HealthWarning = builder.objectRef<WarningModel>('HealthWarning').implement({
  description: 'Background work that fails or waits, or a Temporal worker that ended by itself.',
  fields: outputFields({
    subject: [
      'String',
      'Name of the Process that fails, `budget`, or `worker` and its task queue.',
    ],
    message: ['String', 'Its last error, or the work that waits.'],
    startedAt: ['DateTime', 'Time of the first error or wait.', 'since'],
    waiting: ['Int', 'Number of pieces of work that wait.'],
    advice: ['String', 'How to mend it.'],
  }),
});

/** The worker of this process, as its heartbeat told of it some seconds ago. */
function isSame(told: EndedWorker): (own: EndedWorker) => boolean {
  return ({ taskQueue, sinceMs }) => taskQueue === told.taskQueue && sinceMs === told.sinceMs;
}

/** The error stays in the log: it may contain data of a user. */
function endedWarning({ taskQueue, ends, sinceMs, isRunning }: EndedWorker): WarningModel {
  const times = ends === 1 ? 'once' : `${ends} times`;
  const then = isRunning ? 'It was started again.' : 'It is being started again.';
  return {
    subject: `worker ${taskQueue}`,
    message: `The Temporal worker of ${taskQueue} ended by itself ${times}. ${then}`,
    since: instantOf(sinceMs),
    waiting: 0,
    advice: 'The log of the Workers has the cause.',
  };
}

const Health = builder.objectRef<HealthReport>('Health').implement({
  description: 'Health of the platform.',
  fields: outputFields({
    status: [HealthStatus, 'Overall status.'],
    neo4j: [HealthStatus, 'Status of the database.'],
    temporal: [HealthStatus, 'Status of the workflow engine.'],
    eventBus: [HealthStatus, 'Status of the event transport for live updates.'],
    version: ['String', 'Version of the Aiden process that answers.'],
    warnings: [
      [HealthWarning],
      'Background work that fails or waits: your own, for admins that of all users. A ' +
        'warning ends when the work succeeds. Also the Temporal workers, of this process and ' +
        'of processes with Workers, that ended by themselves in the last 10 minutes.',
      async ({ endedWorkers = [] }, _args, context) => {
        const viewer = viewerOf(context);
        const userId = isAdmin(viewer) ? null : viewer.userId;
        const told = await context.graph.read(listEndedWorkers);
        const ended = [...endedWorkers, ...told.filter((one) => !endedWorkers.some(isSame(one)))];
        return [...ended.map(endedWarning), ...(await backgroundWarnings(context, userId))];
      },
    ],
  }),
});

builder.queryField('health', (t) =>
  t.field({
    type: Health,
    description: 'Health of the platform.',
    resolve: (_root, _args, context) => context.health(),
  }),
);
