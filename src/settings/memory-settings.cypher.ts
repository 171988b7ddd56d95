import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { textOf } from '../platform/neo4j/row.ts';
import { readOne, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';

const FIND = cypher`
  // findLlmTool
  MATCH (u:User {id: $viewerId})-[:REMEMBERS_WITH]->(tool:Tool)
  RETURN tool.id AS id
`;

/** Id of the LLM Tool in a user's memory settings; null means the system's own LLM. */
export function findLlmToolId(tx: ReadTx, viewerId: string): Promise<string | null> {
  return readOne(tx, FIND, { viewerId }, (row) => textOf(row, 'id', 'Tool'));
}

const SET = cypher`
  // setLlmTool
  MATCH (u:User {id: $viewerId})
  OPTIONAL MATCH (u)-[old:REMEMBERS_WITH]->()
  DELETE old
  WITH DISTINCT u
  MATCH (tool:Tool {id: $toolId})
  CREATE (u)-[:REMEMBERS_WITH {since: datetime($now)}]->(tool)
`;

/** Replaces the chosen Tool; a null `toolId` removes it. The caller must hold the user's lock. */
export const setLlmTool = (
  tx: WriteTx,
  set: { readonly viewerId: string; readonly toolId: string | null; readonly now: string },
) => runWrite(tx, SET, set);
