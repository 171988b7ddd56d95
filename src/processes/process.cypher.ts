import { z } from 'zod';
import { ownerIdsOf } from '../catalog/access.ts';
import { jsonText } from '../catalog/stored.ts';
import type { JsonObject } from '../common/json.ts';
import { newestFirst, type Page, type PageArgs } from '../common/page.ts';
import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { ReadTx, Row, WriteTx } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import type { Viewer } from '../users/viewer.ts';
import type { ProcessTarget, ToolTarget } from './definition.ts';
import { type Process, ProcessDefinition, type ProcessStep } from './process.ts';

// Steps and their targets are edges (S4-PROC-07); the definition is put together from them wherever it is read.
const PROCESS = /* cypher */ `
  n {.*, ownerId: o.id, steps: COLLECT {
    MATCH (n)-[has:HAS_STEP]->(s:ProcessStep)
    OPTIONAL MATCH (s)-[:CALLS_TOOL]->(t:Tool)
    OPTIONAL MATCH (s)-[:CALLS_PROCESS]->(q:Process)
    RETURN s {.*, toolId: t.id, processId: q.id, dependsOn: COLLECT {
      MATCH (s)-[after:DEPENDS_ON]->(earlier:ProcessStep) RETURN earlier.id ORDER BY after.order
    }} ORDER BY has.order
  }}
`;

const FIND_PROCESSES = /* cypher */ `
  // findProcesses
  MATCH (n:Process)-[:OWNED_BY]->(o:User)
  WHERE n.id IN $ids AND (o.id IN $ownerIds OR n.shared)
  RETURN ${PROCESS} AS process
`;

/** Batched for the request loader; what is missing or not visible is left out. */
export async function findProcesses(
  tx: ReadTx,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Process[]> {
  const rows = await tx.run(FIND_PROCESSES, { ids, ownerIds: ownerIdsOf(viewer) });
  return rows.map((row) => toProcess(row['process'] as Row));
}

const PROCESSES = listing({
  name: 'listProcesses',
  match: /* cypher */ `
    CALL () {
      MATCH (u:User)<-[:OWNED_BY]-(n:Process) WHERE u.id IN $ownerIds RETURN n
      UNION
      MATCH (n:Process {shared: true}) WHERE $includeShared RETURN n
    }
    MATCH (n)-[:OWNED_BY]->(o:User)
    WHERE ($toolId IS NULL OR EXISTS { MATCH (n)-[:HAS_STEP]->(:ProcessStep)-[:CALLS_TOOL]->(:Tool {id: $toolId}) })
      AND ($query IS NULL OR toLower(n.name) CONTAINS toLower($query)
        OR toLower(coalesce(n.description, '')) CONTAINS toLower($query))
  `,
  order: newestFirst('n'),
  item: PROCESS,
});

export interface ProcessFilter extends PageArgs {
  /** Absent: true. */
  readonly includeShared?: boolean | null | undefined;
  /** Found in name or description, without regard to case. */
  readonly query?: string | null | undefined;
  /** Only those that call this Tool. */
  readonly toolId?: string | null | undefined;
}

/** The viewer's Processes and those shared with them, newest first. */
export function listProcesses(
  tx: ReadTx,
  viewer: Viewer,
  filter: ProcessFilter,
): Promise<Page<Process>> {
  const params = {
    ownerIds: ownerIdsOf(viewer),
    includeShared: filter.includeShared ?? true,
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
});

function toProcess(row: Row): Process {
  const { id, ownerId, version, enabled, shared, createdAt, updatedAt, steps, ...rest } = row;
  const definition = ProcessDefinition.parse({
    ...rest,
    steps: z
      .array(StoredStep)
      .parse(steps)
      .map(({ toolId, processId, ...step }) => ({
        ...step,
        calls: processId === null ? { toolId: toolId ?? '' } : { processId },
      })),
  });
  return {
    ...definition,
    id: String(id),
    ownerId: String(ownerId),
    version: Number(version),
    enabled: enabled === true,
    shared: shared === true,
    createdAt: String(createdAt),
    updatedAt: String(updatedAt),
  };
}

const FIND_TARGETS = /* cypher */ `
  // findStepTargets
  OPTIONAL MATCH (t:Tool)-[:OWNED_BY]->(to:User)
  WHERE t.id IN $toolIds AND (to.id IN $ownerIds OR t.shared)
  WITH collect(t {.id, .name, .shared, .mutating, .inputSchema, .operation, ownerId: to.id}) AS tools
  OPTIONAL MATCH (p:Process)-[:OWNED_BY]->(po:User)
  WHERE p.id IN $processIds AND (po.id IN $ownerIds OR p.shared)
  RETURN tools, collect(p {.id, .name, .shared, .initialContext, ownerId: po.id}) AS processes
`;

const FoundTool = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  shared: z.boolean(),
  mutating: z.boolean(),
  inputSchema: jsonText,
  operation: jsonText,
});
const FoundProcess = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  shared: z.boolean(),
  initialContext: z.array(z.string()),
});

export interface StepTargets {
  readonly tools: ReadonlyMap<string, ToolTarget>;
  readonly processes: ReadonlyMap<string, ProcessTarget>;
}

/** What the steps call, as far as the viewer may use it: in one statement. */
export async function findStepTargets(
  tx: ReadTx,
  viewer: Viewer,
  {
    toolIds,
    processIds,
  }: { readonly toolIds: readonly string[]; readonly processIds: readonly string[] },
): Promise<StepTargets> {
  const [row] = await tx.run(FIND_TARGETS, { toolIds, processIds, ownerIds: ownerIdsOf(viewer) });
  const tools = z.array(FoundTool).parse(row?.['tools'] ?? []);
  const processes = z.array(FoundProcess).parse(row?.['processes'] ?? []);
  return {
    tools: new Map(
      tools.map(({ operation, ...tool }) => [
        tool.id,
        { ...tool, operationType: String(operation['type']) },
      ]),
    ),
    processes: new Map(processes.map((process) => [process.id, process])),
  };
}

const INSERT_PROCESS = /* cypher */ `
  // insertProcess
  MATCH (o:User {id: $ownerId})
  CREATE (n:Process:Resource)-[:OWNED_BY {createdAt: datetime($now)}]->(o)
  SET n = $properties, n.createdAt = datetime($now), n.updatedAt = datetime($now)
  CREATE (n)-[:HAS_VERSION]->(v:ProcessVersion)
  SET v = $version, v.createdAt = datetime($now)
  WITH n
  ${CREATE_ENTRIES}
`;

/** The Process and its first version, without steps yet. */
export async function insertProcess(
  tx: WriteTx,
  process: Process,
  by: string,
  entry: OutboxEntry,
): Promise<void> {
  await tx.run(INSERT_PROCESS, {
    ownerId: process.ownerId,
    now: process.createdAt,
    properties: { id: process.id, ...changeable(process) },
    version: versionOf(process, by),
    entries: entryParams([entry]),
  });
}

const UPDATE_PROCESS = /* cypher */ `
  // updateProcess
  MATCH (n:Process {id: $id})
  SET n += $properties, n.updatedAt = datetime($now)
  FOREACH (version IN $versions |
    CREATE (n)-[:HAS_VERSION]->(v:ProcessVersion)
    SET v = version, v.createdAt = datetime($now)
  )
  WITH n
  ${CREATE_ENTRIES}
`;

/** Writes everything but the steps; a new version only where the definition changed. */
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
    initialContext,
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
    initialContext,
    outputTemplate,
    tokenBudget: tokenBudget ?? null,
    maxRecursionDepth,
  };
}

function versionOf(process: Process, by: string) {
  return {
    processId: process.id,
    version: process.version,
    createdBy: by,
    definition: JSON.stringify(ProcessDefinition.parse(process)),
  };
}

const INSERT_STEPS = /* cypher */ `
  // insertSteps
  MATCH (n:Process {id: $processId})
  UNWIND $steps AS step
  CREATE (n)-[:HAS_STEP {order: step.order}]->(s:ProcessStep)
  SET s = step.properties
  WITH s, step
  CALL (s, step) {
    MATCH (t:Tool {id: step.toolId})
    CREATE (s)-[:CALLS_TOOL {timeout: step.timeout, interactionMode: step.interactionMode}]->(t)
    RETURN 1 AS bound
    UNION ALL
    MATCH (q:Process {id: step.processId})
    CREATE (s)-[:CALLS_PROCESS {timeout: step.timeout}]->(q)
    RETURN 1 AS bound
  }
  RETURN count(bound) AS bound
`;

const INSERT_DEPENDENCIES = /* cypher */ `
  // insertStepDependencies
  UNWIND $edges AS edge
  MATCH (s:ProcessStep {key: edge.from}), (earlier:ProcessStep {key: edge.to})
  CREATE (s)-[:DEPENDS_ON {order: edge.order}]->(earlier)
`;

const DELETE_STEPS = /* cypher */ `
  // deleteSteps
  MATCH (:Process {id: $processId})-[:HAS_STEP]->(s:ProcessStep)
  DETACH DELETE s
`;

const keyOf = (processId: string, stepId: string) => `${processId}/${stepId}`;

/** All steps of a Process with the edges to what they call and what they wait for (S4-STEP-04, S4-STEP-06). */
export async function insertSteps(
  tx: WriteTx,
  processId: string,
  steps: readonly ProcessStep[],
): Promise<void> {
  const [row] = await tx.run(INSERT_STEPS, {
    processId,
    steps: steps.map((step, order) => ({
      order,
      toolId: 'toolId' in step.calls ? step.calls.toolId : null,
      processId: 'processId' in step.calls ? step.calls.processId : null,
      timeout: step.execution.timeout ?? null,
      interactionMode: step.execution.interactionMode,
      properties: {
        key: keyOf(processId, step.id),
        id: step.id,
        description: step.description ?? null,
        inputs: JSON.stringify(step.inputs),
        output: JSON.stringify(step.output),
        execution: JSON.stringify(step.execution),
      },
    })),
  });
  // A target that went between check and write would leave a step that calls nothing (S4-STEP-03).
  if (Number(row?.['bound'] ?? 0) !== steps.length)
    throw new Error('A step lost its target while it was written.');
  const edges = steps.flatMap((step) =>
    step.dependsOn.map((earlier, order) => ({
      from: keyOf(processId, step.id),
      to: keyOf(processId, earlier),
      order,
    })),
  );
  if (edges.length > 0) await tx.run(INSERT_DEPENDENCIES, { edges });
}

export async function deleteSteps(tx: WriteTx, processId: string): Promise<void> {
  await tx.run(DELETE_STEPS, { processId });
}

const FIND_CALLERS = /* cypher */ `
  // findCallers
  MATCH (n:Process {id: $id})-[:OWNED_BY]->(o:User)
  MATCH (n)<-[:CALLS_PROCESS]-(s:ProcessStep)<-[:HAS_STEP]-(p:Process)-[:OWNED_BY]->(u:User)
  WHERE p.id <> $id
  RETURN p.id AS processId, s.inputs AS inputs, (u.id <> o.id OR p.shared) AS needsShared
`;

export interface Caller {
  readonly processId: string;
  /** The names it gives values for. */
  readonly inputs: readonly string[];
  /** Whether it may call only because the Process is shared. */
  readonly needsShared: boolean;
}

/** The steps of other Processes that call this one. */
export async function findCallers(tx: ReadTx, id: string): Promise<Caller[]> {
  const rows = await tx.run(FIND_CALLERS, { id });
  return rows.map((row) => ({
    processId: String(row['processId']),
    inputs: Object.keys(JSON.parse(String(row['inputs'])) as JsonObject),
    needsShared: row['needsShared'] === true,
  }));
}

const COUNT_USES = /* cypher */ `
  // countProcessUses
  MATCH (n:Process {id: $id})
  RETURN
    COUNT { (n)<-[:CALLS_PROCESS]-(:ProcessStep)<-[:HAS_STEP]-(p:Process) WHERE p <> n } AS \`calling step\`,
    COUNT { (n)<-[:DEFAULT_PROCESS]-() } AS conversation,
    COUNT { (n)<-[:EXECUTED_BY]-() } AS alternative,
    COUNT { (n)<-[:CREATED_BY_PROCESS]-() } AS summary,
    COUNT { (n)<-[:SCHEDULES]-() } AS schedule,
    COUNT { (r:ProcessRun {processId: $id}) WHERE r.status IN $openStatuses } AS \`open run\`
`;

/** Everything that keeps a Process from being deleted, counted by kind; kinds without any are left out. */
export async function countProcessUses(
  tx: ReadTx,
  id: string,
  openStatuses: readonly string[],
): Promise<Record<string, number>> {
  const [row] = await tx.run(COUNT_USES, { id, openStatuses });
  return Object.fromEntries(
    Object.entries(row ?? {})
      .map(([kind, count]) => [kind, Number(count)] as const)
      .filter(([, count]) => count > 0),
  );
}

const DELETE_PROCESS = /* cypher */ `
  // deleteProcess
  MATCH (n:Process {id: $id})
  OPTIONAL MATCH (n)-[:HAS_STEP|HAS_VERSION]->(part)
  DETACH DELETE part, n
  WITH count(*) AS deleted
  ${CREATE_ENTRIES}
`;

export async function deleteProcessNode(
  tx: WriteTx,
  id: string,
  entry: OutboxEntry,
): Promise<void> {
  await tx.run(DELETE_PROCESS, { id, entries: entryParams([entry]) });
}

/** A Process as it once was. */
export interface ProcessVersion {
  readonly processId: string;
  readonly version: number;
  readonly definition: ProcessDefinition;
  readonly createdAt: string;
  readonly createdBy: string | null;
}

const StoredVersion = z.object({
  processId: z.string(),
  version: z.int(),
  definition: jsonText.pipe(ProcessDefinition),
  createdAt: z.string(),
  createdBy: z.string().nullable().default(null),
});

const VERSIONS = listing({
  name: 'listProcessVersions',
  match: /* cypher */ `
    MATCH (p:Process {id: $processId})-[:OWNED_BY]->(o:User), (p)-[:HAS_VERSION]->(n:ProcessVersion)
    WHERE (o.id IN $ownerIds OR p.shared)
  `,
  order: [{ cypher: 'n.version', type: 'number', order: 'descending' }],
  item: 'n {.*}',
});

/** Newest first. */
export function listProcessVersions(
  tx: ReadTx,
  viewer: Viewer,
  filter: PageArgs & { readonly processId: string },
): Promise<Page<ProcessVersion>> {
  const { processId, ...page } = filter;
  return listPage(tx, VERSIONS, page, { processId, ownerIds: ownerIdsOf(viewer) }, (row) =>
    StoredVersion.parse(row),
  );
}

const FIND_VERSION = /* cypher */ `
  // findProcessVersion
  MATCH (p:Process {id: $processId})-[:OWNED_BY]->(o:User), (p)-[:HAS_VERSION]->(n:ProcessVersion {version: $version})
  WHERE o.id IN $ownerIds OR p.shared
  RETURN n {.*} AS version
`;

export async function findProcessVersion(
  tx: ReadTx,
  viewer: Viewer,
  { processId, version }: { readonly processId: string; readonly version: number },
): Promise<ProcessVersion | null> {
  const [row] = await tx.run(FIND_VERSION, { processId, version, ownerIds: ownerIdsOf(viewer) });
  return row === undefined ? null : StoredVersion.parse(row['version']);
}
