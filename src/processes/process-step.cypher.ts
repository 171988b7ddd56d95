import { z } from 'zod';
import { ownerIdsOf } from '../catalog/access.ts';
import { completeConnection } from '../catalog/services/connection.ts';
import { jsonText } from '../catalog/stored.ts';
import { settleMayChange } from '../catalog/tools/may-change.cypher.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../platform/neo4j/row.ts';
import { readAll, readMap } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import type { Viewer } from '../users/user.ts';
import type { ProcessTarget, ToolTarget } from './definition/definition.ts';
import type { BoundedTool } from './definition/worst-case.ts';
import type { ProcessStep } from './process.ts';

const FIND_TARGETS = cypher`
  // findStepTargets
  UNWIND range(0, size($authors) - 1) AS at
  WITH at, $authors[at] AS author
  OPTIONAL MATCH (t:Tool)-[:OWNED_BY]->(to:User)
  WHERE t.id IN author.toolIds AND (to.id IN author.ownerIds OR t.shared)
  WITH at, author, collect(t {
    .id, .name, .shared, .mutating, .inputSchema, .outputSchema, .operation, ownerId: to.id
  }) AS tools
  OPTIONAL MATCH (p:Process)-[:OWNED_BY]->(po:User)
  WHERE p.id IN author.processIds AND (po.id IN author.ownerIds OR p.shared)
  WITH at, tools, collect(p {
    .id, .name, .shared, .initialContext, .contextSchema, ownerId: po.id
  }) AS processes
  RETURN tools, processes ORDER BY at
`;

const FoundTool = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  shared: z.boolean(),
  mutating: z.boolean(),
  inputSchema: jsonText,
  outputSchema: jsonText,
  operation: jsonText,
});
const FoundProcess = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  shared: z.boolean(),
  initialContext: z.array(z.string()),
  contextSchema: jsonText.nullable(),
});

const WithId = z.looseObject({ id: z.string() });
const TargetRows = z.object({ tools: z.array(WithId), processes: z.array(WithId) });
const Targets = z.object({ tools: z.array(FoundTool), processes: z.array(FoundProcess) });

/** The targets of steps, by id. */
export interface StepTargets {
  readonly tools: ReadonlyMap<string, ToolTarget>;
  readonly processes: ReadonlyMap<string, ProcessTarget>;
}

export interface TargetIds {
  readonly toolIds: readonly string[];
  readonly processIds: readonly string[];
}

/** The targets of steps that the viewer may use. */
export async function findStepTargets(
  tx: ReadTx,
  viewer: Viewer,
  ids: TargetIds,
): Promise<StepTargets> {
  const [read] = await findTargetsOf(tx, [{ ...ids, ownerIds: ownerIdsOf(viewer) }]);
  return read?.(ids) ?? { tools: new Map(), processes: new Map() };
}

/**
 * The targets that each author may use: what the `ownerIds` own, and what is shared. One statement
 * for all authors. Each is a function from ids to these targets, which throws where this version
 * can't read one of them.
 */
export function findTargetsOf(
  tx: ReadTx,
  authors: readonly (TargetIds & { readonly ownerIds: readonly string[] })[],
): Promise<((ids: TargetIds) => StepTargets)[]> {
  return readAll(tx, FIND_TARGETS, { authors }, (row) => {
    const found = parseRow(TargetRows, row, 'Targets of steps');
    return ({ toolIds, processIds }) => {
      const { tools, processes } = parseRow(
        Targets,
        {
          tools: found.tools.filter(({ id }) => toolIds.includes(id)),
          processes: found.processes.filter(({ id }) => processIds.includes(id)),
        },
        'Targets of steps',
      );
      return {
        tools: new Map(
          tools.map(({ operation, ...tool }) => [
            tool.id,
            { ...tool, operationType: String(operation['type']) },
          ]),
        ),
        processes: new Map(processes.map((process) => [process.id, process])),
      };
    };
  });
}

const FIND_TOOL_BOUNDS = cypher`
  // findToolBounds
  MATCH (t:Tool)-[:OWNED_BY]->(o:User)
  WHERE t.id IN $toolIds AND (o.id IN $ownerIds OR t.shared)
  MATCH (t)-[uses:USES_SERVICE]->(s:Service)
  RETURN t {
    .id, .mutating, .operation,
    connectionSchema: coalesce(uses.connectionSchema, s.connectionSchema),
    connectionParams: uses.connectionParams
  } AS tool
`;

const FoundBounds = z.object({
  id: z.string(),
  mutating: z.boolean(),
  operation: jsonText,
  connectionSchema: jsonText,
  connectionParams: jsonText,
});

/** The bounds of Tools that the viewer may use, by id. */
export function findToolBounds(
  tx: ReadTx,
  viewer: Viewer,
  toolIds: readonly string[],
): Promise<ReadonlyMap<string, BoundedTool>> {
  return readMap(tx, FIND_TOOL_BOUNDS, { toolIds, ownerIds: ownerIdsOf(viewer) }, (row) => {
    const { tool } = parseRow(z.object({ tool: FoundBounds }), row, 'Bounds of a Tool');
    const params = completeConnection(tool.connectionSchema, tool.connectionParams);
    const maxTokens = params['maxTokens'];
    const bounds: BoundedTool = {
      mutating: tool.mutating,
      asksModel: tool.operation['type'] === 'llm_call',
      isRepaired: tool.operation['responseSchema'] != null,
      maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
    };
    return [tool.id, bounds];
  });
}

const INSERT_STEPS = cypher`
  // insertSteps
  MATCH (n:Process {id: $processId})
  UNWIND $steps AS step
  CREATE (n)-[:DEFINES_STEP {order: step.order}]->(s:ProcessStep)
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
    UNION ALL
    UNWIND step.offeredTools AS id
    MATCH (t:Tool {id: id})
    MERGE (s)-[:OFFERS_TOOL]->(t)
    RETURN 1 AS bound
    UNION ALL
    UNWIND step.offeredProcesses AS id
    MATCH (q:Process {id: id})
    MERGE (s)-[:OFFERS_PROCESS]->(q)
    RETURN 1 AS bound
  }
  RETURN count(bound) AS bound
`;

const INSERT_DEPENDENCIES = cypher`
  // insertStepDependencies
  UNWIND $edges AS edge
  MATCH (s:ProcessStep {key: edge.from}), (earlier:ProcessStep {key: edge.to})
  CREATE (s)-[:DEPENDS_ON {order: edge.order}]->(earlier)
`;

const DELETE_STEPS = cypher`
  // deleteSteps
  MATCH (:Process {id: $processId})-[:DEFINES_STEP]->(s:ProcessStep)
  DETACH DELETE s
`;

const keyOf = (processId: string, stepId: string) => `${processId}/${stepId}`;

/**
 * Writes all steps of a Process, with edges to their targets and dependencies (S4-STEP-04,
 * S4-STEP-06), and decides anew whether it may change data.
 */
export async function insertSteps(
  tx: WriteTx,
  processId: string,
  steps: readonly ProcessStep[],
): Promise<void> {
  const offeredBy = steps.map(({ tools }) => {
    const { toolIds, processIds } = offeredIds(tools);
    return { offeredTools: toolIds, offeredProcesses: processIds };
  });
  const offered = offeredBy.flatMap(({ offeredTools, offeredProcesses }) => [
    ...offeredTools,
    ...offeredProcesses,
  ]);
  const rows = await tx.run(INSERT_STEPS, {
    processId,
    steps: steps.map((step, order) => ({
      order,
      offeredTools: offeredBy[order]?.offeredTools ?? [],
      offeredProcesses: offeredBy[order]?.offeredProcesses ?? [],
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
        tools: step.tools == null ? null : JSON.stringify(step.tools),
        agent: step.agent == null ? null : JSON.stringify(step.agent),
      },
    })),
  });
  // A target deleted between check and write would leave a step without it (S4-STEP-03).
  if (countOf(rows, 'bound') !== steps.length + offered.length)
    throw new Error('A step lost its target while it was written.');
  const edges = steps.flatMap((step) =>
    step.dependsOn.map((earlier, order) => ({
      from: keyOf(processId, step.id),
      to: keyOf(processId, earlier),
      order,
    })),
  );
  if (edges.length > 0) await tx.run(INSERT_DEPENDENCIES, { edges });
  await settleMayChange(tx, [processId]);
}

/** Ids of the targets that a step offers, each once. */
function offeredIds(tools: ProcessStep['tools']): { toolIds: string[]; processIds: string[] } {
  const toolIds = new Set<string>();
  const processIds = new Set<string>();
  for (const tool of tools ?? []) {
    if ('toolId' in tool) toolIds.add(tool.toolId);
    else processIds.add(tool.processId);
  }
  return { toolIds: [...toolIds], processIds: [...processIds] };
}

/** Deletes all steps of a Process, with their edges. */
export async function deleteSteps(tx: WriteTx, processId: string): Promise<void> {
  await tx.run(DELETE_STEPS, { processId });
}
