import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import { readIds } from './read-ids.ts';
import { recordMutations } from './record/record-mutations.ts';
import { refuseByUserErrors } from './refusals.ts';
import './catalog/bundles.ts';
import './catalog/secrets.ts';
import './catalog/services.ts';
import './catalog/templates.ts';
import './catalog/tools.ts';
import './conversations/conversation-changes.ts';
import './memory/conversation-events.ts';
import './conversations/conversations.ts';
import './memory/entities.ts';
import './memory/episodes.ts';
import './memory/forgetting.ts';
import './memory/introspections.ts';
import './memory/memory-events.ts';
import './memory/memory-settings.ts';
import './memory/remember.ts';
import './memory/search.ts';
import './memory/statements.ts';
import './memory/summaries.ts';
import './memory/toc.ts';
import './memory/working-memory.ts';
import './nodes.ts';
import './operations/health.ts';
import './operations/jobs.ts';
import './operations/metrics.ts';
import './users/personal-data.ts';
import './operations/process-costs.ts';
import './operations/retention.ts';
import './operations/settings.ts';
import './operations/stored-check.ts';
import './users/users.ts';
import './operations/workers.ts';
import './processes/adoptions.ts';
import './processes/process-memory.ts';
import './processes/processes.ts';
import './processes/tool-update-preview.ts';
import './runs/drafts.ts';
import './runs/schedules.ts';
import './record/blobs.ts';
import './record/calls.ts';
import './record/session-events.ts';
import './record/sessions.ts';
import './runs/approvals.ts';
import './runs/run-changes.ts';
import './runs/run-events.ts';
import './runs/run-graph.ts';
import './runs/run-times.ts';
import './runs/runs.ts';

let schema: GraphQLSchema | undefined;

/** The whole schema, built once. Each file imported above adds its types to the builder. */
export function buildSchema(): GraphQLSchema {
  if (schema === undefined) {
    schema = builder.toSchema({ sortSchema: true });
    readIds(schema);
    refuseByUserErrors(schema);
    recordMutations(schema);
  }
  return schema;
}
