import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import { recordMutations } from './record-mutations.ts';
import './approvals.ts';
import './blobs.ts';
import './bundles.ts';
import './calls.ts';
import './conversation-events.ts';
import './conversation-mutations.ts';
import './conversations.ts';
import './episodes.ts';
import './health.ts';
import './jobs.ts';
import './knowledge.ts';
import './knowledge-mutations.ts';
import './memory.ts';
import './memory-introspections.ts';
import './memory-summaries.ts';
import './memory-settings.ts';
import './metric-mutations.ts';
import './metrics.ts';
import './nodes.ts';
import './process-mutations.ts';
import './processes.ts';
import './recall.ts';
import './run-events.ts';
import './run-graph.ts';
import './run-mutations.ts';
import './runs.ts';
import './schedules.ts';
import './search.ts';
import './secrets.ts';
import './services.ts';
import './session-events.ts';
import './settings.ts';
import './streams.ts';
import './templates.ts';
import './toc.ts';
import './tool-mutations.ts';
import './tools.ts';
import './users.ts';
import './workers.ts';

let schema: GraphQLSchema | undefined;

/** The whole schema; each file imported above has put its types on the builder. Built once. */
export function buildSchema(): GraphQLSchema {
  if (schema === undefined) {
    schema = builder.toSchema({ sortSchema: true });
    recordMutations(schema);
  }
  return schema;
}
