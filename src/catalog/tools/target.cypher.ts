import { z } from 'zod';
import { aheadOf, instantOf } from '../../common/clock.ts';
import { HEALTH_STATUSES } from '../../common/health.ts';
import { jsonText as textOfJson } from '../../common/stored.ts';
import { Operation, SERVICE_TYPES } from '../../operations/operation.ts';
import { PROTOCOLS } from '../../operations/operation-type.ts';
import type { Probe } from '../../platform/drivers/driver.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { jsonText, textOrNull } from '../stored.ts';

/**
 * The current state that a call of a Tool depends on, its Secret still encrypted. Internal: never
 * part of an answer.
 */
export const CallTarget = z.object({
  id: z.string(),
  name: z.string(),
  ownerId: z.string(),
  enabled: z.boolean(),
  shared: z.boolean(),
  mutating: z.boolean(),
  status: z.enum(HEALTH_STATUSES),
  errorMessage: textOrNull,
  operation: textOfJson(Operation),
  inputSchema: jsonText,
  outputSchema: jsonText,
  updatedAt: z.string(),
  /** As the author wrote them; the connectionSchema below completes them. */
  connectionParams: jsonText,
  secretScope: z.string().nullable(),
  service: z.object({
    id: z.string(),
    name: z.string(),
    ownerId: z.string(),
    type: z.enum(SERVICE_TYPES),
    protocol: z.enum(PROTOCOLS),
    /** The one that the Tool was connected by (docs/decisions/0035). */
    connectionSchema: jsonText,
    requiresSecret: z.boolean(),
    enabled: z.boolean(),
    shared: z.boolean(),
  }),
  secret: z
    .object({
      id: z.string(),
      ownerId: z.string(),
      encryptedValue: z.string(),
      allowedOrigins: z.array(z.string()),
    })
    .nullable(),
});
export type CallTarget = z.infer<typeof CallTarget>;

const FIND_CALL_TARGETS = cypher`
  // findCallTargets
  MATCH (n:Tool)-[:OWNED_BY]->(o:User) WHERE n.id IN $ids
  MATCH (n)-[uses:USES_SERVICE]->(s:Service)-[:OWNED_BY]->(so:User)
  OPTIONAL MATCH (n)-[authorised:USES_SECRET]->(x:Secret)-[:OWNED_BY]->(xo:User)
  RETURN n {.*, ownerId: o.id,
    connectionParams: uses.connectionParams, secretScope: authorised.scope,
    service: s {.*, ownerId: so.id,
      connectionSchema: coalesce(uses.connectionSchema, s.connectionSchema)},
    secret: CASE WHEN x IS NULL THEN null
      ELSE x {.id, .encryptedValue, .allowedOrigins, ownerId: xo.id} END
  } AS target
`;

/**
 * CallTargets by id. Not scoped by a viewer: the caller has checked access, or acts for the system.
 */
export const findCallTargets = (tx: ReadTx, ids: readonly string[]) =>
  readAll(tx, FIND_CALL_TARGETS, { ids }, (row) => parseRow(CallTarget, row['target'], 'Tool'));

// Tools that share Service, connection and Secret share their probe, so one that is due takes the
// others along; else each would be due at a time of its own.
const FIND_DUE_TOOLS = cypher`
  // findDueTools
  MATCH (n:Tool {enabled: true})-[uses:USES_SERVICE]->(s:Service {enabled: true})
  WHERE n.lastHealthCheck IS NULL
     OR n.lastHealthCheck
        <= datetime($now) - duration({seconds: coalesce(n.probeAfterSeconds, $firstSeconds)})
     OR n.lastHealthCheck > datetime($ahead)
  WITH n, uses, s ORDER BY n.lastHealthCheck IS NOT NULL, n.lastHealthCheck, n.id LIMIT $limit
  OPTIONAL MATCH (n)-[:USES_SECRET]->(x:Secret)
  WITH DISTINCT s, uses.connectionParams AS connection, x
  MATCH (one:Tool {enabled: true})-[same:USES_SERVICE]->(s)
  WHERE same.connectionParams = connection
  OPTIONAL MATCH (one)-[:USES_SECRET]->(own:Secret)
  WITH one, x, own WHERE x = own OR (x IS NULL AND own IS NULL)
  RETURN DISTINCT one.id AS id
`;

/**
 * Up to `limit` Tools that are due for a probe, never probed ones first, then by age of the last
 * probe; and the Tools of the same connections.
 * @param params `firstSeconds`: how old a probe may be where none has set `probeAfterSeconds`
 */
export async function findDueTools(
  tx: ReadTx,
  params: { readonly nowMs: number; readonly firstSeconds: number; readonly limit: number },
): Promise<string[]> {
  const { nowMs, ...rest } = params;
  const rows = await tx.run(FIND_DUE_TOOLS, {
    ...rest,
    now: instantOf(nowMs),
    ahead: aheadOf(nowMs),
  });
  return textsOf(rows, 'id', 'Tool');
}

const FIND_TOOLS_TO_CHECK = cypher`
  // findToolsToCheck
  MATCH (s:Service {id: $serviceId})<-[:USES_SERVICE]-(n:Tool {enabled: true})-[:OWNED_BY]->(o:User)
  WHERE o.id IN $ownerIds
  RETURN n.id AS id ORDER BY n.id
`;

export const findToolsToCheck = async (
  tx: ReadTx,
  params: { readonly serviceId: string; readonly ownerIds: readonly string[] },
) => textsOf(await tx.run(FIND_TOOLS_TO_CHECK, params), 'id', 'Tool');

// A probe of a connection that changed in the meantime describes another destination, so it is
// dropped.
const RECORD_PROBE = cypher`
  // recordProbe
  UNWIND $tools AS tool
  MATCH (n:Tool {id: tool.id}) WHERE n.updatedAt = datetime(tool.updatedAt)
  WITH n, tool, 2 * coalesce(n.probeAfterSeconds, $firstSeconds) AS nextSeconds
  SET n.status = tool.status, n.errorMessage = tool.errorMessage, n.probeTells = tool.tells,
    n.lastHealthCheck = datetime($now),
    n.probeAfterSeconds = CASE WHEN nextSeconds < $maxSeconds THEN nextSeconds ELSE $maxSeconds END
  RETURN n.id AS id
`;

/** What a probe says of one Tool. */
export interface ProbedTool {
  readonly target: CallTarget;
  readonly probe: Probe;
}

/**
 * Records what a probe says of Tools.
 * @param record `isBackground`: no one asked for the probe, so the next one may be later, up to
 * `maxSeconds`
 * @returns ids of the Tools that have not changed since they were read
 */
export async function recordProbe(
  tx: WriteTx,
  probed: readonly ProbedTool[],
  record: {
    readonly now: string;
    readonly isBackground: boolean;
    readonly firstSeconds: number;
    readonly maxSeconds: number;
  },
): Promise<string[]> {
  const tools = probed.map(({ target: { id, updatedAt }, probe }) => {
    const { status, errorMessage, tells = null } = probe;
    return { id, updatedAt, status, errorMessage, tells };
  });
  const { now, isBackground, firstSeconds } = record;
  const maxSeconds = isBackground ? record.maxSeconds : firstSeconds;
  const params = { tools, now, firstSeconds, maxSeconds };
  return textsOf(await tx.run(RECORD_PROBE, params), 'id', 'Tool');
}
