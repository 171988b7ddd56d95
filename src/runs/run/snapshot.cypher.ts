import { ownerIdsOf } from '../../catalog/access.ts';
import { completeConnection } from '../../catalog/services/connection.ts';
import { jsonText } from '../../catalog/stored.ts';
import { jsonText as textOfJson } from '../../common/stored.ts';
import { Operation } from '../../operations/operation.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { targetIds } from '../../processes/definition/target-checks.ts';
import { findProcesses } from '../../processes/process.cypher.ts';
import type { Process } from '../../processes/process.ts';
import type { Viewer } from '../../users/user.ts';
import { type ProcessSnapshot, type RunSnapshot, ToolSnapshot } from './snapshot.ts';

// The limits of a run tree are lower, so a larger closure could not run to its end anyway.
const LEVELS_MAX = 51;
const PROCESSES_MAX = 1_000;

const FIND_TOOL_SNAPSHOTS = cypher`
  // findToolSnapshots
  MATCH (n:Tool)-[:OWNED_BY]->(o:User)
  WHERE n.id IN $ids AND (o.id IN $ownerIds OR n.shared)
  MATCH (n)-[uses:USES_SERVICE]->(s:Service)
  OPTIONAL MATCH (n)-[authorised:USES_SECRET]->(x:Secret)
  RETURN n {.id, .name, .description, .operation, .inputSchema, .outputSchema, .mutating,
    ownerId: o.id,
    serviceId: s.id, serviceType: s.type, protocol: s.protocol,
    connectionSchema: coalesce(uses.connectionSchema, s.connectionSchema),
    connectionParams: uses.connectionParams, secretId: x.id, secretScope: authorised.scope} AS tool
`;

/** A Tool with its JSON texts, and the schema that completes its connection. */
const FoundTool = ToolSnapshot.extend({
  connectionSchema: jsonText,
  connectionParams: jsonText,
  operation: textOfJson(Operation),
  inputSchema: jsonText,
  outputSchema: jsonText,
});

/**
 * A Process and all Processes that it calls directly or indirectly, with the ids of their Tools.
 */
export interface ProcessClosure {
  readonly rootProcessId: string;
  readonly processes: Readonly<Record<string, ProcessSnapshot>>;
  readonly toolIds: readonly string[];
  /** Whether the root Process is enabled, so that runs may be requested. */
  readonly isEnabled: boolean;
}

/**
 * The closure of a Process as it is now, read with one statement per level of calls. Processes that
 * the viewer may not use are left out.
 * @returns null where the root is not visible
 */
export async function findProcessClosure(
  tx: ReadTx,
  viewer: Viewer,
  processId: string,
): Promise<ProcessClosure | null> {
  const { processes, toolIds, enabled } = await findClosures(tx, viewer, [processId]);
  if (!Object.hasOwn(processes, processId)) return null;
  return { rootProcessId: processId, processes, toolIds, isEnabled: enabled.has(processId) };
}

/** The closures of several Processes together, as findProcessClosure reads one. */
export async function findClosures(
  tx: ReadTx,
  viewer: Viewer,
  rootIds: readonly string[],
): Promise<Pick<ProcessClosure, 'processes' | 'toolIds'> & { readonly enabled: Set<string> }> {
  const processes: Record<string, ProcessSnapshot> = {};
  const toolIds = new Set<string>();
  const enabled = new Set<string>();
  let wanted = [...new Set(rootIds)];
  for (let level = 0; level < LEVELS_MAX && wanted.length > 0; level++) {
    const found = await findProcesses(tx, viewer, wanted);
    const next = new Set<string>();
    for (const process of found) {
      if (level === 0 && process.enabled) enabled.add(process.id);
      processes[process.id] = toSnapshot(process);
      const targets = targetIds(process.steps);
      for (const id of targets.toolIds) toolIds.add(id);
      for (const id of targets.processIds) next.add(id);
    }
    wanted = [...next].filter((id) => !Object.hasOwn(processes, id)).slice(0, PROCESSES_MAX);
  }
  return { processes, toolIds: [...toolIds], enabled };
}

/**
 * The closure with its Tools, in one statement. A Tool that the viewer may not use is left out; its
 * steps fail later.
 */
export async function takeSnapshot(
  tx: ReadTx,
  viewer: Viewer,
  {
    rootProcessId,
    processes,
    toolIds,
  }: Pick<ProcessClosure, 'rootProcessId' | 'processes' | 'toolIds'>,
): Promise<RunSnapshot> {
  const tools = await findToolSnapshots(tx, viewer, toolIds);
  return {
    rootProcessId,
    processes,
    tools: Object.fromEntries(tools.map((tool) => [tool.id, tool])),
  };
}

const toSnapshot = ({
  id,
  ownerId,
  version,
  name,
  description,
  initialContext,
  contextSchema,
  steps,
  outputTemplate,
  tokenBudget,
  maxRecursionDepth,
}: Process): ProcessSnapshot => ({
  id,
  ownerId,
  version,
  name,
  description: description ?? null,
  initialContext,
  contextSchema: contextSchema ?? null,
  steps,
  outputTemplate,
  tokenBudget: tokenBudget ?? null,
  maxRecursionDepth,
});

/** The Tools among `ids` that the viewer may use, as they are now. */
export async function findToolSnapshots(
  tx: ReadTx,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ToolSnapshot[]> {
  if (ids.length === 0) return [];
  return readAll(tx, FIND_TOOL_SNAPSHOTS, { ids, ownerIds: ownerIdsOf(viewer) }, (row) => {
    const { connectionSchema, connectionParams, description, ...tool } = parseRow(
      FoundTool,
      row['tool'],
      'Tool',
    );
    const given = completeConnection(connectionSchema, connectionParams);
    const described = description == null ? {} : { description };
    return { ...tool, ...described, connectionParams: given };
  });
}
