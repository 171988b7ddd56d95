import { z } from 'zod';
import type { JsonObject } from '../../common/json.ts';
import { newestFirst, type Page, type PageArgs } from '../../common/page.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { listing, listPageWith } from '../../platform/neo4j/list-page.ts';
import { parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { readAll, readMap, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { Viewer } from '../../users/user.ts';
import { User } from '../../users/user.ts';
import { ownerIdsOf } from '../access.ts';
import { SECRET } from '../secrets/secret.cypher.ts';
import { Secret } from '../secrets/secret.ts';
import { StoredService } from '../services/service.ts';
import { instantsOf, jsonText } from '../stored.ts';
import { visibleByEdge } from '../visible.cypher.ts';
import { mayChange } from './may-change.ts';
import { Tool } from './tool.ts';

/** Binds the edges that a Tool's fields are read from. `n` and its owner `o` must be bound. */
const EDGES = /* cypher */ `
  MATCH (n)-[uses:USES_SERVICE]->(s:Service)
  OPTIONAL MATCH (n)-[authorised:USES_SECRET]->(x:Secret)
`;
const TOOL = /* cypher */ `n {
  .*, ownerId: o.id, serviceId: s.id, connectionParams: uses.connectionParams,
  secretId: x.id, secretScope: authorised.scope,
  ${instantsOf('n', 'lastHealthCheck', 'createdAt', 'updatedAt')}}`;

const FIND_TOOLS = cypher`
  // findTools
  MATCH (n:Tool)-[:OWNED_BY]->(o:User)
  WHERE n.id IN $ids AND (o.id IN $ownerIds OR n.shared)
  ${EDGES}
  RETURN ${TOOL} AS tool
`;

/** Tools by id, for the request loader. Omits Tools that are absent or not visible. */
export function findTools(tx: ReadTx, viewer: Viewer, ids: readonly string[]): Promise<Tool[]> {
  return readAll(tx, FIND_TOOLS, { ids, ownerIds: ownerIdsOf(viewer) }, (row) =>
    parseRow(Tool, row['tool'], 'Tool'),
  );
}

const FIND_OWN_TOOLS = cypher`
  // findOwnToolsOfService
  MATCH (o:User {id: $viewerId})<-[:OWNED_BY]-(n:Tool)-[:USES_SERVICE]->(:Service {id: $serviceId})
  RETURN n.id AS id ORDER BY n.createdAt DESC, n.id DESC LIMIT $limit
`;
/** More Tools of one Service are not compared with its server. */
const OWN_TOOLS_MAX = 2_000;

/** The viewer's own Tools of a Service, newest first. */
export async function findOwnToolsOf(
  tx: ReadTx,
  viewer: Viewer,
  serviceId: string,
): Promise<Tool[]> {
  const params = { viewerId: viewer.userId, serviceId, limit: OWN_TOOLS_MAX };
  const ids = textsOf(await tx.run(FIND_OWN_TOOLS, params), 'id', 'Tool');
  const found = new Map((await findTools(tx, viewer, ids)).map((tool) => [tool.id, tool]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

const TOOLS = listing({
  name: 'listTools',
  match: /* cypher */ `
    ${visibleByEdge('Tool')}
    WHERE ($serviceId IS NULL OR EXISTS { (n)-[:USES_SERVICE]->(:Service {id: $serviceId}) })
      AND ($secretId IS NULL OR EXISTS { (n)-[:USES_SECRET]->(:Secret {id: $secretId}) })
      AND ($query IS NULL OR toLower(n.name) CONTAINS toLower($query)
        OR toLower(coalesce(n.description, '')) CONTAINS toLower($query))
  `,
  order: newestFirst('n'),
  detail: EDGES,
  item: TOOL,
  related: /* cypher */ `
    CALL (rows) {
      UNWIND rows AS row
      WITH DISTINCT row.item.serviceId AS id
      MATCH (s:Service {id: id})-[:OWNED_BY]->(o:User)
      RETURN collect(s {
        .*, ownerId: o.id, ${instantsOf('s', 'createdAt', 'updatedAt')}
      }) AS services
    }
    CALL (rows) {
      UNWIND rows AS row
      WITH DISTINCT row.item.ownerId AS id
      MATCH (o:User {id: id})
      RETURN collect(o {.id, .name, .roles, .workspace, .createdAt}) AS owners
    }
    CALL (rows) {
      UNWIND rows AS row
      WITH DISTINCT row.item.secretId AS id, row.item.ownerId AS ownerId WHERE ownerId = $viewerId
      MATCH (n:Secret {id: id})-[:OWNED_BY]->(o:User {id: $viewerId})
      RETURN collect(${SECRET}) AS secrets
    }
    WITH totalCount, rows, {services: services, owners: owners, secrets: secrets} AS related
  `,
});

export interface ToolFilter extends PageArgs {
  readonly serviceId?: string | null | undefined;
  readonly secretId?: string | null | undefined;
  /** Absent: true. */
  readonly includeShared?: boolean | null | undefined;
  /** Text in name or description, case-insensitive. */
  readonly query?: string | null | undefined;
}

/**
 * The nodes that the Tools of a page refer to, each once. They come with the page in one statement,
 * whichever fields the query selects.
 */
export const ToolRelations = z.object({
  services: z.array(StoredService),
  owners: z.array(User),
  /** The viewer's own Secrets only. */
  secrets: z.array(Secret),
});
export type ToolRelations = z.infer<typeof ToolRelations>;

/** The viewer's Tools and the shared ones, newest first, with the nodes they refer to. */
export async function listToolsWith(
  tx: ReadTx,
  viewer: Viewer,
  filter: ToolFilter,
): Promise<{ readonly page: Page<Tool>; readonly related: ToolRelations }> {
  const params = {
    viewerId: viewer.userId,
    ownerIds: ownerIdsOf(viewer),
    includeShared: filter.includeShared ?? true,
    serviceId: filter.serviceId,
    secretId: filter.secretId,
    query: filter.query,
  };
  const { page, related } = await listPageWith(tx, TOOLS, filter, params, (row) =>
    parseRow(Tool, row, 'Tool'),
  );
  return { page, related: parseRow(ToolRelations, related, 'What the Tools of a page refer to:') };
}

const INSERT_TOOLS = cypher`
  // insertTools
  CALL () {
    UNWIND $tools AS tool
    MATCH (o:User {id: tool.ownerId}), (s:Service {id: tool.serviceId})
    CREATE (n:Tool:Resource)-[:OWNED_BY {createdAt: datetime(tool.now)}]->(o)
    CREATE (n)-[:USES_SERVICE {
      connectionParams: tool.connectionParams, connectionSchema: s.connectionSchema,
      createdAt: datetime(tool.now)
    }]->(s)
    SET n = tool.properties, n.createdAt = datetime(tool.now), n.updatedAt = datetime(tool.now)
    WITH n, tool
    MATCH (x:Secret {id: tool.secretId})
    CREATE (n)-[:USES_SECRET {scope: tool.secretScope, createdAt: datetime(tool.now)}]->(x)
    RETURN count(*) AS bound
  }
  ${CREATE_ENTRIES}
`;

export async function insertTools(
  tx: WriteTx,
  tools: readonly Tool[],
  entries: readonly OutboxEntry[],
): Promise<void> {
  const rows = tools.map((tool) => ({
    ownerId: tool.ownerId,
    serviceId: tool.serviceId,
    secretId: tool.secretId,
    secretScope: tool.secretScope,
    connectionParams: JSON.stringify(tool.connectionParams),
    now: tool.createdAt,
    properties: {
      ...changeable(tool),
      id: tool.id,
      status: tool.status,
      errorMessage: tool.errorMessage,
      toolTemplateId: tool.toolTemplateId,
    },
  }));
  await tx.run(INSERT_TOOLS, { tools: rows, entries: entryParams(entries) });
}

const changeable = ({
  ownerId,
  name,
  description,
  operation,
  inputSchema,
  outputSchema,
  enabled,
  shared,
  mutating,
}: Tool) => ({
  name,
  description,
  operation: JSON.stringify(operation),
  inputSchema: JSON.stringify(inputSchema),
  outputSchema: JSON.stringify(outputSchema),
  enabled,
  shared,
  mutating,
  mayChange: mayChange({ ownerId, mutating, operation }),
});

const UPDATE_TOOL = cypher`
  // updateTool
  MATCH (n:Tool {id: $id})-[uses:USES_SERVICE]->(s:Service)
  SET n += $properties, n.updatedAt = datetime($now),
    n.status = $status, n.errorMessage = $errorMessage, n.probeTells = $probeTells,
    n.lastHealthCheck =
      CASE WHEN $lastHealthCheck IS NULL THEN null ELSE datetime($lastHealthCheck) END,
    uses.connectionParams = $connectionParams,
    uses.connectionSchema = CASE WHEN $reconnects THEN s.connectionSchema
      ELSE coalesce(uses.connectionSchema, s.connectionSchema) END
  WITH n
  CALL (n) {
    MATCH (n)-[old:USES_SECRET]->(bound:Secret) WHERE $secretId IS NULL OR bound.id <> $secretId
    DELETE old
  }
  CALL (n) {
    MATCH (x:Secret {id: $secretId})
    MERGE (n)-[bound:USES_SECRET]->(x)
    ON CREATE SET bound.createdAt = datetime($now)
    SET bound.scope = $secretScope
  }
  ${CREATE_ENTRIES}
`;

/**
 * Writes the changeable properties of a Tool, its connection and its Secret. The Service can't
 * change (S4-TOOL-09, S4-TOOL-10).
 * @param reconnects whether the Service's present connectionSchema completes the Tool from now on
 */
export const updateToolNode = (tx: WriteTx, tool: Tool, reconnects: boolean, entry: OutboxEntry) =>
  runWrite(tx, UPDATE_TOOL, {
    id: tool.id,
    properties: changeable(tool),
    status: tool.status,
    errorMessage: tool.errorMessage,
    probeTells: tool.probeTells,
    lastHealthCheck: tool.lastHealthCheck,
    connectionParams: JSON.stringify(tool.connectionParams),
    reconnects,
    secretId: tool.secretId,
    secretScope: tool.secretScope,
    now: tool.updatedAt,
    entries: entryParams([entry]),
  });

const FIND_FOR_CHECK = cypher`
  // findToolsForCheck
  MATCH (n:Tool)-[:OWNED_BY]->(o:User) WHERE n.id IN $ids
  ${EDGES}
  MATCH (s)-[:OWNED_BY]->(u:User)
  RETURN n.id AS id, ${TOOL} AS tool,
    s {.*, ownerId: u.id, ${instantsOf('s', 'createdAt', 'updatedAt')}} AS service,
    coalesce(uses.connectionSchema, s.connectionSchema) AS connectionSchema
`;
const CheckedTool = z
  .object({ tool: Tool, service: StoredService, connectionSchema: jsonText })
  .transform(({ connectionSchema, ...rest }) => ({ ...rest, connectedBy: connectionSchema }));

/**
 * Tools of any owners with what `checkStoredTool` needs, by id. Each is a function, which throws
 * for a Tool that this version can't read. Not scoped by a viewer: for the operator and admins.
 */
export const findToolsForCheck = (tx: ReadTx, ids: readonly string[]) =>
  readMap(tx, FIND_FOR_CHECK, { ids }, (row) => [
    String(row['id']),
    () => parseRow(CheckedTool, row, 'Tool'),
  ]);

const FIND_CONNECTED_BY = cypher`
  // findConnectedBy
  MATCH (:Tool {id: $id})-[uses:USES_SERVICE]->(s:Service)
  RETURN coalesce(uses.connectionSchema, s.connectionSchema) AS connectionSchema
`;

/** The connectionSchema that completes the connectionParams of a Tool (docs/decisions/0035). */
export async function findConnectedBy(tx: ReadTx, id: string): Promise<JsonObject> {
  const [row] = await tx.run(FIND_CONNECTED_BY, { id });
  return parseRow(ConnectedBy, row, `Tool ${id}`).connectionSchema;
}
const ConnectedBy = z.object({ connectionSchema: jsonText });

const COUNT_TOOL_USES = cypher`
  // countToolUses
  MATCH (n:Tool {id: $id})-[:OWNED_BY]->(o:User)
  OPTIONAL MATCH (n)<-[:CALLS_TOOL|OFFERS_TOOL]-(step:ProcessStep)
  OPTIONAL MATCH (step)<-[:DEFINES_STEP]-(p:Process)-[:OWNED_BY]->(u:User)
  RETURN count(DISTINCT step) AS steps,
    count(DISTINCT CASE WHEN u.id <> o.id OR p.shared THEN p END) AS needShared
`;

export const ToolUses = z.object({
  /** Number of steps that call the Tool, or offer it to a model. */
  steps: z.int(),
  /**
   * Number of Processes that may call the Tool only while it is shared: Processes of other owners,
   * and shared ones.
   */
  needShared: z.int(),
});
export type ToolUses = z.infer<typeof ToolUses>;

export async function countToolUses(tx: ReadTx, id: string): Promise<ToolUses> {
  const [row] = await tx.run(COUNT_TOOL_USES, { id });
  return row === undefined ? { steps: 0, needShared: 0 } : parseRow(ToolUses, row, `Tool ${id}`);
}

// The call graph is a projection and lags behind, so a call counts only while its StepRun is
// active.
const COUNT_RUNNING_STEPS = cypher`
  // countRunningCalls
  MATCH (n:CallGraphNode {operationId: $operationId}) WHERE n.status IN $active
  MATCH (s:StepRun {
    key: left(n.requestId, size(n.requestId) - size(last(split(n.requestId, '/'))) - 1)
  })
  WHERE s.status IN ['pending', 'running']
  RETURN count(DISTINCT s) AS running
`;

/** Number of steps that call a Tool now, in runs of all users. */
export async function countRunningCalls(tx: ReadTx, toolId: string): Promise<number> {
  const params = { operationId: toolId, active: ['pending', 'running'] };
  const [row] = await tx.run(COUNT_RUNNING_STEPS, params);
  return Number(row?.['running'] ?? 0);
}

const DELETE_TOOL = cypher`
  // deleteTool
  MATCH (n:Tool {id: $id})
  DETACH DELETE n
  WITH count(*) AS deleted
  ${CREATE_ENTRIES}
`;

export async function deleteToolNode(tx: WriteTx, id: string, entry: OutboxEntry): Promise<void> {
  await tx.run(DELETE_TOOL, { id, entries: entryParams([entry]) });
}
