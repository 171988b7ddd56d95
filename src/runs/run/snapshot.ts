import { z } from 'zod';
import { entryOf } from '../../common/entry-of.ts';
import { JsonMap, textOrNull } from '../../common/stored.ts';
import { Operation, type OperationType, SERVICE_TYPES } from '../../operations/operation.ts';
import { PROTOCOLS } from '../../operations/operation-type.ts';
import { ProcessDefinition } from '../../processes/process.ts';

/**
 * A Tool as it was when the run was requested. Health, `enabled`, `shared` and the Secret's value
 * are read at each call.
 */
export const ToolSnapshot = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  /** Read by models that the Tool is offered to. Absent in snapshots of older versions. */
  description: z.string().nullish(),
  serviceId: z.string(),
  serviceType: z.enum(SERVICE_TYPES),
  protocol: z.enum(PROTOCOLS),
  connectionParams: JsonMap,
  operation: Operation,
  inputSchema: JsonMap,
  outputSchema: JsonMap,
  mutating: z.boolean(),
  secretId: textOrNull,
  secretScope: textOrNull,
});
export type ToolSnapshot = z.infer<typeof ToolSnapshot>;

export const ProcessSnapshot = ProcessDefinition.extend({
  id: z.string(),
  ownerId: z.string(),
  version: z.int(),
});
export type ProcessSnapshot = z.infer<typeof ProcessSnapshot>;

/**
 * The process closure of a root run with its Tools, as it was when the run was requested. Stored
 * once per content (`:RunSnapshot {hash}`), shared by all runs of the tree and cached by hash in
 * workers.
 */
export const RunSnapshot = z.object({
  rootProcessId: z.string(),
  processes: z.record(z.string(), ProcessSnapshot),
  tools: z.record(z.string(), ToolSnapshot),
});
export type RunSnapshot = z.infer<typeof RunSnapshot>;

/**
 * Replaces the system's LLM Tools in a snapshot by another Tool. Each keeps its id, name, operation
 * and schemas; connection, Secret and health are those of the given Tool.
 */
export function replaceLlmTools(
  snapshot: RunSnapshot,
  tool: ToolSnapshot,
  systemId: string,
): RunSnapshot {
  const tools = Object.entries(snapshot.tools).map(([id, before]): [string, ToolSnapshot] => {
    if (before.ownerId !== systemId || before.operation.type !== 'llm_call') return [id, before];
    const { name, operation, inputSchema, outputSchema, mutating } = before;
    return [id, { ...tool, name, operation, inputSchema, outputSchema, mutating }];
  });
  return { ...snapshot, tools: Object.fromEntries(tools) };
}

/** The operation type of each Tool a Process calls itself: the queue its steps go to. */
export type ToolTypes = Readonly<Record<string, OperationType>>;

/** Types of Tools whose calls a workflow may make itself, where they change nothing. */
const LOCAL_TYPES: readonly OperationType[] = ['rest_call', 'graph_query'];

/** Ids of the Tools of a Process whose calls its workflow may make itself (docs/decisions/0123). */
export function localToolsOf(snapshot: RunSnapshot, processId: string): readonly string[] {
  const calls = entryOf(snapshot.processes, processId)?.steps.map((step) => step.calls) ?? [];
  const ids = calls.flatMap((target) => ('toolId' in target ? [target.toolId] : []));
  return [...new Set(ids)].filter((id) => {
    const tool = entryOf(snapshot.tools, id);
    return tool !== undefined && !tool.mutating && LOCAL_TYPES.includes(tool.operation.type);
  });
}

/** The types of the Tools that this Process calls or offers itself. */
export function toolTypesOf(snapshot: RunSnapshot, processId: string): ToolTypes {
  const types: Record<string, OperationType> = {};
  for (const { calls, tools } of entryOf(snapshot.processes, processId)?.steps ?? []) {
    for (const target of [calls, ...(tools ?? [])]) {
      if (!('toolId' in target)) continue;
      const tool = entryOf(snapshot.tools, target.toolId);
      if (tool !== undefined) types[target.toolId] = tool.operation.type;
    }
  }
  return types;
}
