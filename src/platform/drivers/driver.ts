import type { AgentCall, ModelToolCall } from '../../common/agent-call.ts';
import type { HealthStatus } from '../../common/health.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import type { Usage } from '../../common/tool-fault.ts';
import type { Operation, OperationType, ServiceType } from '../../operations/operation.ts';
import type { HealthTells, Protocol } from '../../operations/operation-type.ts';
import type { RestProbe } from '../../operations/rest-call.ts';

/**
 * The target of a Tool's call: the Service's type and protocol, and the Tool's connectionParams
 * with defaults.
 */
export interface DriverTarget {
  readonly serviceType: ServiceType;
  readonly protocol: Protocol;
  readonly connectionParams: JsonObject;
  /**
   * Decrypted for this call only. `scope` selects its place (`bearer`, `header:<name>`, ...;
   * docs/decisions/0018).
   */
  readonly secret: { readonly value: string; readonly scope: string | null } | null;
  /**
   * Whether `system` owns the Tool. Only such Tools may reach the platform's database and
   * local-llm.
   */
  readonly system: boolean;
  /** How a rest_call says that its health is checked; for probes only. */
  readonly probe?: RestProbe | null | undefined;
}

export interface DriverCall<O extends Operation = Operation> {
  readonly target: DriverTarget;
  readonly operation: O;
  /** The schema that the inputs fit; absent where any do. */
  readonly inputSchema?: JsonObject;
  /** The schema that the output has to fit; absent where any value does. */
  readonly outputSchema?: JsonObject;
  /** Validated against the Tool's inputSchema and coerced, with defaults applied. */
  readonly inputs: JsonObject;
  /**
   * The user on whose behalf the Tool runs. System statements get it as `$ownerId` and
   * `$workspace`.
   */
  readonly ownerId: string;
  readonly workspace: string;
  /** The root run that calls; absent where no run does. Operations of the platform read it. */
  readonly rootRunId?: string;
  /** The conversation of that run; null and absent: none. */
  readonly conversationId?: string | null;
  /** `{runId}/{stepId}[/{index}]`: the same for all attempts. REST sends it as Idempotency-Key. */
  readonly idempotencyKey: string;
  readonly maxOutputTokens: number | null;
  /**
   * The step's timeout in ms, for targets that enforce it themselves (Neo4j). For others the signal
   * does.
   */
  readonly timeoutMs?: number;
  /**
   * Aborted on cancel, on timeout and at shutdown of the worker. The driver must then close its
   * sockets.
   */
  readonly signal: AbortSignal;
  /** Receives the model's text in order. `onReset` precedes the text of a repair round. */
  readonly onText?: (delta: string) => void;
  readonly onReasoning?: (delta: string) => void;
  /** Discards the text so far: a repair round starts. */
  readonly onReset?: () => void;
  readonly onProgress?: (content: Json) => void;
  /**
   * Stores a file of the output, such as an image, for the owner. Absent: the call is not recorded,
   * so nothing is stored.
   * @param name unique within the call
   * @returns its URI
   */
  readonly storeFile?: (name: string, bytes: Uint8Array) => Promise<string>;
  /** Tools that a model may request, and the rounds before this one. Only for llm_call. */
  readonly agent?: AgentCall;
}

export interface DriverResult {
  readonly output: Json;
  readonly usage: Usage;
  /** The model was stopped before the end of its answer, such as at its limit of tokens. */
  readonly isCut?: boolean;
  /** Calls that the model requests; then `output` is the text before them. */
  readonly toolCalls?: readonly ModelToolCall[];
  /** The thought before the calls, where the model's server wants it back with them. */
  readonly thought?: string;
}

export interface Probe {
  readonly status: HealthStatus;
  readonly errorMessage: string | null;
  /** How far it knows whether a call would work. Absent: as its type of operation does. */
  readonly tells?: HealthTells;
  /** Names of all tools that an MCP server lists; absent where that is not known. */
  readonly tools?: readonly string[];
}

/**
 * Performs one operation type. Throws only ToolFaults, never with a secret in them. After an abort
 * it throws CANCELLED with the usage so far; the caller knows whether it was a cancel or a timeout.
 */
export interface ToolDriver<T extends OperationType = OperationType> {
  readonly type: T;
  invoke(call: DriverCall<Extract<Operation, { type: T }>>): Promise<DriverResult>;
  /**
   * Checks that the target answers, within PROBE_MS_MAX and without side effects. Never runs a
   * completion or the Tool's own call.
   */
  probe(target: DriverTarget, signal: AbortSignal): Promise<Probe>;
  close(): Promise<void>;
}

export type ToolDrivers = { readonly [T in OperationType]: ToolDriver<T> };
