import { z } from 'zod';
import { ownerIdsOf } from '../catalog/access.ts';
import { jsonText } from '../catalog/stored.ts';
import { visibleByEdge } from '../catalog/visible.cypher.ts';
import { newestFirst, type Page, type PageArgs } from '../common/page.ts';
import { isTrue, JsonMap, jsonText as textOfJson } from '../common/stored.ts';
import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { ReadTx, Row, WriteTx } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import { isRow, parseRow } from '../platform/neo4j/row.ts';
import { readAll, readMap, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import type { Viewer } from '../users/user.ts';
import { type Process, ProcessDefinition } from './process.ts';

// Steps and their targets are edges (S4-PROC-07). Each read assembles the definition from them.
const PROCESS = /* cypher */ `
  n {.*, ownerId: o.id, steps: COLLECT {
    MATCH (n)-[has:DEFINES_STEP]->(s:ProcessStep)
    OPTIONAL MATCH (s)-[:CALLS_TOOL]->(t:Tool)
    OPTIONAL MATCH (s)-[:CALLS_PROCESS]->(q:Process)
    RETURN s {.*, toolId: t.id, processId: q.id, dependsOn: COLLECT {
      MATCH (s)-[after:DEPENDS_ON]->(earlier:ProcessStep) RETURN earlier.id ORDER BY after.order
    }} ORDER BY has.order
  }}
`;

const FIND_PROCESSES = cypher`
  // findProcesses
  MATCH (n:Process)-[:OWNED_BY]->(o:User)
  WHERE n.id IN $ids AND (o.id IN $ownerIds OR n.shared)
  RETURN ${PROCESS} AS process
`;

const AnyMap = z.custom<Row>(isRow);

/** Processes by id, for the request loader. Omits Processes that are absent or not visible. */
export const findProcesses = (tx: ReadTx, viewer: Viewer, ids: readonly string[]) =>
  readAll(tx, FIND_PROCESSES, { ids, ownerIds: ownerIdsOf(viewer) }, ({ process }) =>
    toProcess(parseRow(AnyMap, process, 'Process')),
  );

const FIND_FOR_CHECK = cypher`
  // findProcessesForCheck
  MATCH (n:Process)-[:OWNED_BY]->(o:User) WHERE n.id IN $ids
  RETURN n.id AS id, ${PROCESS} AS process
`;

/**
 * Processes of any owners, by id. Each is a function, which throws for a Process that this version
 * can't read. Not scoped by a viewer: for the operator and admins.
 */
export const findProcessesForCheck = (tx: ReadTx, ids: readonly string[]) =>
  readMap(tx, FIND_FOR_CHECK, { ids }, ({ id, process }) => [
    String(id),
    () => toProcess(parseRow(AnyMap, process, 'Process')),
  ]);

const PROCESSES = listing({
  name: 'listProcesses',
  match: /* cypher */ `
    ${visibleByEdge('Process')}
    WHERE ($toolId IS NULL OR EXISTS {
      MATCH (n)-[:DEFINES_STEP]->(:ProcessStep)-[:CALLS_TOOL|OFFERS_TOOL]->(:Tool {id: $toolId})
    })
      AND ($name IS NULL OR n.name = $name)
      AND ($query IS NULL OR toLower(n.name) CONTAINS toLower($query)
        OR toLower(coalesce(n.description, '')) CONTAINS toLower($query))
  `,
  order: newestFirst('n'),
  item: PROCESS,
});

/** Filters of a list of Processes. An absent or null filter matches all. */
export interface ProcessFilter extends PageArgs {
  /** Absent: true. */
  readonly includeShared?: boolean | null | undefined;
  /** The whole name, in its case. Several users may have a Process of one name. */
  readonly name?: string | null | undefined;
  /** Text in name or description, case-insensitive. */
  readonly query?: string | null | undefined;
  /** Id of a Tool that the Process calls. */
  readonly toolId?: string | null | undefined;
}

/** The viewer's Processes and the shared ones, newest first. */
export function listProcesses(
  tx: ReadTx,
  viewer: Viewer,
  filter: ProcessFilter,
): Promise<Page<Process>> {
  const params = {
    ownerIds: ownerIdsOf(viewer),
    includeShared: filter.includeShared ?? true,
    name: filter.name,
    query: filter.query,
    toolId: filter.toolId,
  };
  return listPage(tx, PROCESSES, filter, params, toProcess);
}

const StoredStep = z.object({
  id: z.string(),
  description: z.string().nullish(),
  inputs: jsonText,
  output: jsonText,
  execution: jsonText,
  toolId: z.string().nullable(),
  processId: z.string().nullable(),
  dependsOn: z.array(z.string()),
  tools: textOfJson(z.array(JsonMap)).nullish(),
  agent: jsonText.nullish(),
});

const Properties = z.object({
  id: z.string(),
  ownerId: z.string(),
  version: z.int(),
  enabled: z.boolean(),
  shared: z.boolean(),
  /** Absent in Processes of older versions. */
  exposeAsTool: isTrue,
  createdAt: z.string(),
  updatedAt: z.string(),
  contextSchema: jsonText.nullable().default(null),
});

function toProcess(row: Row): Process {
  const { contextSchema, ...properties } = parseRow(Properties, row, 'Process');
  const steps = parseRow(StoredSteps, row['steps'], `ProcessSteps of ${properties.id}`).map(
    ({ toolId, processId, ...step }) => ({
      ...step,
      // A step without a target has a null toolId here, which ProcessDefinition refuses.
      calls: processId === null ? { toolId } : { processId },
    }),
  );
  const definition = parseRow(ProcessDefinition, { ...row, steps, contextSchema }, 'Process');
  return { ...definition, ...properties };
}
const StoredSteps = z.array(StoredStep);

const INSERT_PROCESS = cypher`
  // insertProcess
  MATCH (o:User {id: $ownerId})
  CREATE (n:Process:Resource)-[:OWNED_BY {createdAt: datetime($now)}]->(o)
  SET n = $properties, n.createdAt = datetime($now), n.updatedAt = datetime($now)
  CREATE (n)-[:HAS_VERSION]->(v:ProcessVersion)
  SET v = $version, v.createdAt = datetime($now)
  WITH n
  ${CREATE_ENTRIES}
`;

/** Writes the Process and its first version. insertSteps writes its steps. */
export const insertProcess = (tx: WriteTx, process: Process, by: string, entry: OutboxEntry) =>
  runWrite(tx, INSERT_PROCESS, {
    ownerId: process.ownerId,
    now: process.createdAt,
    properties: { id: process.id, ...changeable(process) },
    version: versionOf(process, by),
    entries: entryParams([entry]),
  });

const UPDATE_PROCESS = cypher`
  // updateProcess
  MATCH (n:Process {id: $id})
  SET n += $properties, n.updatedAt = datetime($now)
  WITH n
  CALL (n) {
    UNWIND $versions AS version
    CREATE (n)-[:HAS_VERSION]->(v:ProcessVersion)
    SET v = version, v.createdAt = datetime($now)
  }
  ${CREATE_ENTRIES}
`;

/**
 * Writes all properties of a Process, but not its steps. Writes a version if the definition
 * changed.
 */
export async function updateProcessNode(
  tx: WriteTx,
  process: Process,
  by: string,
  { entry, version }: { readonly entry: OutboxEntry; readonly version: 'new' | 'same' },
): Promise<void> {
  await tx.run(UPDATE_PROCESS, {
    id: process.id,
    now: process.updatedAt,
    properties: changeable(process),
    versions: version === 'new' ? [versionOf(process, by)] : [],
    entries: entryParams([entry]),
  });
}

function changeable(process: Process) {
  const {
    name,
    description,
    version,
    enabled,
    shared,
    exposeAsTool,
    initialContext,
    contextSchema,
    outputTemplate,
    tokenBudget,
    maxRecursionDepth,
  } = process;
  return {
    name,
    description: description ?? null,
    version,
    enabled,
    shared,
    exposeAsTool,
    // For the list of /mcp.
    exposedBy: exposeAsTool ? process.ownerId : null,
    initialContext,
    contextSchema: contextSchema == null ? null : JSON.stringify(contextSchema),
    outputTemplate,
    tokenBudget: tokenBudget ?? null,
    maxRecursionDepth,
  };
}

const versionOf = (process: Process, by: string) => ({
  processId: process.id,
  version: process.version,
  createdBy: by,
  definition: JSON.stringify(ProcessDefinition.parse(process)),
});

const DELETE_PROCESS = cypher`
  // deleteProcess
  MATCH (n:Process {id: $id})
  OPTIONAL MATCH (n)-[:DEFINES_STEP|HAS_VERSION]->(part)
  OPTIONAL MATCH (n)<-[:AGREES_TO|ADOPTS]-(word)
  DETACH DELETE part, word, n
  WITH count(*) AS deleted
  ${CREATE_ENTRIES}
`;

/**
 * Deletes a Process with its steps and versions, and with the agreements and adoptions of other
 * users. The caller must check its uses first (countProcessUses).
 */
export const deleteProcessNode = (tx: WriteTx, id: string, entry: OutboxEntry) =>
  runWrite(tx, DELETE_PROCESS, { id, entries: entryParams([entry]) });
