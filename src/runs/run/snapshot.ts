import type {
  Operation,
  OperationType,
  Protocol,
  ServiceType,
} from '../../catalog/tools/operation.ts';
import type { JsonObject } from '../../common/json.ts';
import type { ProcessDefinition } from '../../processes/process.ts';

/** A Tool as it was when the run started. Health, enabled, shared and the Secret's value are read live instead. */
export interface ToolSnapshot {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly serviceId: string;
  readonly serviceType: ServiceType;
  readonly protocol: Protocol;
  readonly connectionParams: JsonObject;
  readonly operation: Operation;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly mutating: boolean;
  readonly secretId: string | null;
  readonly secretScope: string | null;
}

export interface ProcessSnapshot extends ProcessDefinition {
  readonly id: string;
  readonly ownerId: string;
  readonly version: number;
}

/**
 * Everything a root run can reach, as it was at the start: stored once per content (`:RunSnapshot {hash}`), shared by
 * all runs of the tree, cached in workers by hash.
 */
export interface RunSnapshot {
  readonly rootProcessId: string;
  readonly processes: Readonly<Record<string, ProcessSnapshot>>;
  readonly tools: Readonly<Record<string, ToolSnapshot>>;
}

/**
 * The snapshot with the system's own questions to a model put to another one: operation and schemas stay, connection,
 * Secret and health are the given Tool's. It stands in the place of each, so nothing else of the Process changes.
 */
export function speakThrough(
  snapshot: RunSnapshot,
  tool: ToolSnapshot,
  systemId: string,
): RunSnapshot {
  const tools = Object.entries(snapshot.tools).map(([id, own]): [string, ToolSnapshot] => {
    if (own.ownerId !== systemId || own.operation.type !== 'llm_call') return [id, own];
    const { name, operation, inputSchema, outputSchema, mutating } = own;
    return [id, { ...tool, name, operation, inputSchema, outputSchema, mutating }];
  });
  return { ...snapshot, tools: Object.fromEntries(tools) };
}

/** The operation types of the Tools that one Process of the snapshot calls itself, by Tool id. */
export function toolTypesOf(
  snapshot: RunSnapshot,
  processId: string,
): Record<string, OperationType> {
  const types: Record<string, OperationType> = {};
  for (const { calls } of snapshot.processes[processId]?.steps ?? []) {
    if (!('toolId' in calls)) continue;
    const tool = snapshot.tools[calls.toolId];
    if (tool !== undefined) types[calls.toolId] = tool.operation.type;
  }
  return types;
}
