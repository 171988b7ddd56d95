import { z } from 'zod';
import { ownerIdsOf } from '../catalog/access.ts';
import { JsonMap, jsonText, textOrNull } from '../common/stored.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import type { Viewer } from '../users/user.ts';

const LIST = /* cypher */ `
  // listExposedProcesses
  CALL () {
    MATCH (u:User)<-[:OWNED_BY]-(n:Process {exposeAsTool: true}) WHERE u.id IN $ownerIds RETURN n
    UNION
    MATCH (n:Process {shared: true}) WHERE n.exposeAsTool RETURN n
  }
  WITH n WHERE n.enabled
  WITH n ORDER BY n.id LIMIT $limit
  RETURN n {.id, .name, .description, .initialContext, .contextSchema, mayChange: EXISTS {
    MATCH (n)-[:DEFINES_STEP|CALLS_PROCESS|CALLS_TOOL|OFFERS_PROCESS|OFFERS_TOOL*2..6]->(t:Tool)
    WHERE t.mutating
  }} AS process
`;

/** A Process that MCP clients may call as a tool. */
const ExposedProcess = z.object({
  id: z.string(),
  name: z.string(),
  description: textOrNull,
  initialContext: z.array(z.string()),
  /** JSON Schema of the initial context; null: any values. */
  contextSchema: jsonText(JsonMap).nullable().default(null),
  /** Whether it calls or offers a mutating Tool, down to the second sub-process. */
  mayChange: z.boolean(),
});
export type ExposedProcess = z.infer<typeof ExposedProcess>;

/** The enabled Processes with `exposeAsTool` that the viewer may run, oldest first. */
export async function listExposedProcesses(
  tx: ReadTx,
  viewer: Viewer,
  limit: number,
): Promise<ExposedProcess[]> {
  const rows = await tx.run(LIST, { ownerIds: ownerIdsOf(viewer), limit });
  return rows.map((row) => parseRow(ExposedProcess, row['process'], 'Process'));
}
