import type { HealthReport } from '../../src/platform/telemetry/health.ts';
import { builder, enumOf } from '../builder.ts';

export const HealthStatus = enumOf('HealthStatus', 'How something is.', {
  healthy: 'It answers.',
  degraded: 'It answers in part, or has not been asked yet.',
  down: 'It does not answer, or is switched off.',
});

const Health = builder.objectRef<HealthReport>('Health').implement({
  description: 'How the platform itself is.',
  fields: (t) => ({
    status: t.expose('status', { type: HealthStatus, description: 'All of it, summed up.' }),
    neo4j: t.expose('neo4j', { type: HealthStatus, description: 'The database.' }),
    temporal: t.expose('temporal', { type: HealthStatus, description: 'The workflow engine.' }),
    eventBus: t.expose('eventBus', {
      type: HealthStatus,
      description: 'What carries live updates.',
    }),
    version: t.exposeString('version', { description: 'The version of Aiden that answers.' }),
  }),
});

builder.queryField('health', (t) =>
  t.field({
    type: Health,
    description: 'How the platform itself is.',
    resolve: (_root, _args, context) => context.health(),
  }),
);
