import { z } from 'zod';
import { JsonMap, jsonText } from '../common/stored.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { readAll } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';

const FIND_CALLERS = cypher`
  // findCallers
  MATCH (n:Process {id: $id})-[:OWNED_BY]->(o:User)
  MATCH (n)<-[use:CALLS_PROCESS|OFFERS_PROCESS]-(s:ProcessStep)
    <-[:DEFINES_STEP]-(p:Process)-[:OWNED_BY]->(u:User)
  WHERE p.id <> $id
  RETURN p.id AS processId, (u.id <> o.id OR p.shared) AS needsShared,
    CASE type(use) WHEN 'CALLS_PROCESS' THEN s.inputs ELSE null END AS inputs
`;

/** A step of another Process that calls this one, or offers it to a model. */
export const Caller = z.object({
  processId: z.string(),
  /** The inputs that the step gives; null where it offers the Process to a model. */
  inputs: jsonText(JsonMap).nullable(),
  /** Whether the step may call the Process only while it is shared. */
  needsShared: z.boolean(),
});
export type Caller = z.infer<typeof Caller>;

/** The steps of other Processes that call or offer this one. */
export const findCallers = (tx: ReadTx, id: string) =>
  readAll(tx, FIND_CALLERS, { id }, (row) => parseRow(Caller, row, `ProcessStep that calls ${id}`));

const FIND_TOOL_CALLERS = cypher`
  // findToolCallers
  MATCH (:Tool {id: $id})<-[:CALLS_TOOL]-(:ProcessStep)<-[:DEFINES_STEP]-(p:Process)
  RETURN DISTINCT p.id AS processId LIMIT toInteger($max)
`;

/** Ids of the Processes of any owner with steps that call this Tool, at most `max`. */
export async function findToolCallers(tx: ReadTx, id: string, max: number): Promise<string[]> {
  const rows = await tx.run(FIND_TOOL_CALLERS, { id, max });
  return rows.map((row) => parseRow(ToolCaller, row, `Process that calls ${id}`).processId);
}
const ToolCaller = z.object({ processId: z.string() });

const COUNT_USES = cypher`
  // countProcessUses
  MATCH (n:Process {id: $id})
  RETURN
    COUNT { (n)<-[:CALLS_PROCESS|OFFERS_PROCESS]-(:ProcessStep)<-[:DEFINES_STEP]-(p:Process)
      WHERE p <> n }
      AS \`calling step\`,
    COUNT { (n)<-[:DEFAULT_PROCESS]-() } AS conversation,
    COUNT { (n)<-[:EXECUTED_BY]-() } AS alternative,
    COUNT { (n)<-[:CREATED_BY_PROCESS]-() } AS summary,
    COUNT { (n)<-[:SCHEDULES]-() } AS schedule,
    COUNT { (r:ProcessRun {processId: $id}) WHERE r.status IN $openStatuses } AS \`open run\`
`;

const UsesRow = z.record(z.string(), z.int());

/**
 * Counts of all uses that prevent a Process from being deleted, by kind. Omits kinds without a use.
 */
export async function countProcessUses(
  tx: ReadTx,
  id: string,
  openStatuses: readonly string[],
): Promise<Record<string, number>> {
  const [row] = await tx.run(COUNT_USES, { id, openStatuses });
  return Object.fromEntries(
    Object.entries(row === undefined ? {} : parseRow(UsesRow, row, `Process ${id}`)).filter(
      ([, count]) => count > 0,
    ),
  );
}
