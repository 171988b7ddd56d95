import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import { recordMutations } from './record/record-mutations.ts';
import './runs/approvals.ts';
import './record/blobs.ts';
import './catalog/bundles.ts';
import './record/calls.ts';
import './conversations/conversation-events.ts';
import './conversations/conversation-mutations.ts';
import './conversations/conversations.ts';
import './memory/episodes.ts';
import './operations/health.ts';
import './operations/jobs.ts';
import './memory/entities.ts';
import './memory/entity-mutations.ts';
import './memory/working-memory.ts';
import './memory/introspections.ts';
import './memory/summaries.ts';
import './memory/memory-settings.ts';
import './operations/metric-mutations.ts';
import './operations/metrics.ts';
import './nodes.ts';
import './processes/process-mutations.ts';
import './processes/processes.ts';
import './memory/memory-events.ts';
import './runs/run-events.ts';
import './runs/run-graph.ts';
import './runs/run-mutations.ts';
import './runs/runs.ts';
import './processes/schedules.ts';
import './memory/search.ts';
import './catalog/secrets.ts';
import './catalog/services.ts';
import './record/session-events.ts';
import './operations/settings.ts';
import './record/sessions.ts';
import './catalog/templates.ts';
import './memory/toc.ts';
import './catalog/tool-mutations.ts';
import './catalog/tools.ts';
import './operations/users.ts';
import './operations/workers.ts';

let schema: GraphQLSchema | undefined;

/** The whole schema; each file imported above has put its types on the builder. Built once. */
export function buildSchema(): GraphQLSchema {
  if (schema === undefined) {
    schema = builder.toSchema({ sortSchema: true });
    recordMutations(schema);
  }
  return schema;
}
