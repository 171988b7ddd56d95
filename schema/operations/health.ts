import type { HealthReport } from '../../src/platform/telemetry/health.ts';
import { builder, enumOf } from '../builder.ts';

export const HealthStatus = enumOf('HealthStatus', 'Health of a component.', {
  healthy: 'It works.',
  degraded: 'It works in part, or has not been probed yet.',
  down: 'It does not answer, or is disabled.',
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
