import { Neo4jError } from 'neo4j-driver';

/** Whether Neo4j was away or overwhelmed, so that the same work may well succeed later. */
export function isOutage(error: unknown): boolean {
  return error instanceof Neo4jError && (error.retryable || error.code === 'N/A');
}
