import type { HealthReport } from '../../src/platform/telemetry/health.ts';
import { backgroundWarnings } from '../../src/runs/background/background.mutations.ts';
import type { HealthWarning as WarningModel } from '../../src/runs/background/background.ts';
import { isAdmin } from '../../src/users/user.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';

export const HealthStatus = enumOf('HealthStatus', 'Health of a component.', {
  healthy: 'It works.',
  degraded: 'It works in part, or has not been probed yet.',
  down: 'It does not answer, or is disabled.',
});

const HealthWarning = builder.objectRef<WarningModel>('HealthWarning').implement({
  description: 'Background work that fails or waits.',
  fields: (t) => ({
    subject: t.exposeString('subject', {
      description: 'Name of the Process that fails, or `budget`.',
    }),
    message: t.exposeString('message', { description: 'Its last error, or the work that waits.' }),
    startedAt: t.expose('since', {
      type: 'DateTime',
      description: 'Time of the first error or wait.',
    }),
    waiting: t.exposeInt('waiting', { description: 'Number of pieces of work that wait.' }),
    advice: t.exposeString('advice', { description: 'How to mend it.' }),
  }),
});

const Health = builder.objectRef<HealthReport>('Health').implement({
  description: 'Health of the platform.',
  fields: (t) => ({
    status: t.expose('status', { type: HealthStatus, description: 'Overall status.' }),
    neo4j: t.expose('neo4j', { type: HealthStatus, description: 'Status of the database.' }),
    temporal: t.expose('temporal', {
      type: HealthStatus,
      description: 'Status of the workflow engine.',
    }),
    eventBus: t.expose('eventBus', {
      type: HealthStatus,
      description: 'Status of the event transport for live updates.',
    }),
    warnings: t.field({
      type: [HealthWarning],
      description:
        'Background work that fails or waits: your own, for admins that of all users. A warning ends when the work succeeds.',
      resolve: (_health, _args, context) => {
        const viewer = viewerOf(context);
        return backgroundWarnings(context, isAdmin(viewer) ? null : viewer.userId);
      },
    }),
    version: t.exposeString('version', {
      description: 'Version of the Aiden process that answers.',
    }),
  }),
});

builder.queryField('health', (t) =>
  t.field({
    type: Health,
    description: 'Health of the platform.',
    resolve: (_root, _args, context) => context.health(),
  }),
);
