import type {
  HealthStatus,
  Operation,
  OperationType,
  Protocol,
  ServiceType,
} from '../../catalog/tools/operation.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import type { Usage } from '../../common/tool-fault.ts';

/** Where a Tool's call goes: the Service's type and protocol with the Tool's own connectionParams, defaults applied. */
export interface DriverTarget {
  readonly serviceType: ServiceType;
  readonly protocol: Protocol;
  readonly connectionParams: JsonObject;
  /** Decrypted; lives only for this call. `scope` says where the value goes (`bearer`, `header:<name>`, ...; docs/decisions/0018). */
  readonly secret: { readonly value: string; readonly scope: string | null } | null;
  /** Owned by `system`: may reach the platform's own database and local-llm, and nothing else may. */
  readonly system: boolean;
}

export interface DriverCall<O extends Operation = Operation> {
  readonly target: DriverTarget;
  readonly operation: O;
  /** Already validated against the Tool's inputSchema, coerced, defaults applied. */
  readonly inputs: JsonObject;
  /** On whose behalf; given to system statements as `$ownerId` and `$workspace`. */
  readonly ownerId: string;
  readonly workspace: string;
  /** `{runId}/{stepId}[/{index}]`: stable over attempts; REST sends it as Idempotency-Key. */
  readonly idempotencyKey: string;
  readonly maxOutputTokens: number | null;
  /** The step's own limit in milliseconds, told to targets that can enforce it themselves (Neo4j); the signal ends the rest. */
  readonly timeoutMs?: number;
  /** Aborted on cancel, on timeout and when the worker shuts down; the driver has to close its sockets then. */
  readonly signal: AbortSignal;
  /** Text as the model speaks, in order. A repair round or another attempt is announced by `onReset`. */
  readonly onText?: (delta: string) => void;
  readonly onReasoning?: (delta: string) => void;
  /** What was spoken so far is void: a repair round starts over. */
  readonly onReset?: () => void;
  readonly onProgress?: (content: Json) => void;
}

export interface DriverResult {
  readonly output: Json;
  readonly usage: Usage;
}

export interface Probe {
  readonly status: HealthStatus;
  readonly errorMessage: string | null;
}

/**
 * Performs one kind of operation against one kind of Service. Throws ToolFault, never anything with a secret in it.
 * After an abort of the signal: ToolFault CANCELLED with the usage so far; whether that is a cancel or a timeout the
 * caller knows, who aborted.
 */
export interface ToolDriver<T extends OperationType = OperationType> {
  readonly type: T;
  invoke(call: DriverCall<Extract<Operation, { type: T }>>): Promise<DriverResult>;
  /** Cheap, free of side effects, at most PROBE_MS_MAX: is somebody there? Never a completion, never a Tool's own call. */
  probe(target: DriverTarget, signal: AbortSignal): Promise<Probe>;
  close(): Promise<void>;
}

export type ToolDrivers = { readonly [T in OperationType]: ToolDriver<T> };
