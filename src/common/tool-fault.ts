import type { Json } from './json.ts';
import { wellFormedJson } from './well-formed.ts';

/**
 * Why a run or a step failed (docs/decisions/0019). Also the `type` of Temporal's
 * ApplicationFailure.
 */
export const RUN_ERROR_CODES = [
  'INPUT_INVALID',
  'OUTPUT_INVALID',
  'STEP_TIMEOUT',
  'RUN_TIMEOUT',
  'RECURSION_LIMIT',
  'TARGET_DISABLED',
  'TARGET_UNHEALTHY',
  'TOOL_FAILED',
  'SECRET_UNAVAILABLE',
  'CONDITION_FAILED',
  'TEMPLATE_FAILED',
  'REJECTED',
  'CANCELLED',
  'EGRESS_DENIED',
  'BUDGET_EXCEEDED',
  'PAYLOAD_TOO_LARGE',
  'AGENT_STOPPED',
  'INTERNAL',
] as const;
export type RunErrorCode = (typeof RUN_ERROR_CODES)[number];

/**
 * Type of the failure of an activity that met a fault of this program. Its step or run ends as
 * failed with INTERNAL.
 */
export const DEFECT = 'DEFECT';

export interface RunError {
  readonly code: RunErrorCode;
  /** For people: the failure and its remedy. Never contains a secret. */
  readonly message: string;
  readonly stepId: string | null;
  readonly details: Json;
}

/** Tokens and cost of one call, step or run. `costUsd` is null when a Tool has no pricing. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
  readonly llmCalls: number;
  readonly toolCalls: number;
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  costUsd: null,
  llmCalls: 0,
  toolCalls: 0,
};

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    costUsd:
      left.costUsd === null && right.costUsd === null
        ? null
        : (left.costUsd ?? 0) + (right.costUsd ?? 0),
    llmCalls: left.llmCalls + right.llmCalls,
    toolCalls: left.toolCalls + right.toolCalls,
  };
}

/**
 * A failed Tool call, thrown by drivers and the step activity. `retryable`: whether another attempt
 * could succeed. `usage` is kept because a failed call may be billed. Message and details quote
 * texts of others, so they are made well formed here.
 */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
  readonly code: RunErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly details: Json;
  readonly usage: Usage | null;

  constructor(
    code: RunErrorCode,
    message: string,
    options: {
      retryable?: boolean;
      retryAfterMs?: number | null;
      details?: Json;
      usage?: Usage | null;
    } = {},
  ) {
    super(message.toWellFormed());
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.details = wellFormedJson(options.details ?? null);
    this.usage = options.usage ?? null;
  }
}
