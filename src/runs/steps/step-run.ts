import type { Backoff } from '../../common/backoff.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import type { RunError, RunErrorCode, Usage } from '../../common/tool-fault.ts';
import type { ProcessStep } from '../../processes/process.ts';

export const STEP_STATUSES = [
  'pending',
  'running',
  'waiting',
  'completed',
  'failed',
  'skipped',
  'cancelled',
  'timed_out',
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** One execution of a step, or of one forEach item of it. `pending` with an attempt behind it waits for the next one. */
export interface StepRun {
  readonly runId: string;
  readonly stepId: string;
  readonly index: number | null;
  readonly status: StepStatus;
  readonly attempt: number;
  /** null where they are over 256 KiB and lie at `inputsBlob`, or the step never got that far. */
  readonly inputs: JsonObject | null;
  readonly inputsBlob: string | null;
  readonly output: Json;
  readonly outputBlob: string | null;
  readonly outputBytes: number;
  readonly outputTruncated: boolean;
  readonly error: RunError | null;
  readonly workerId: string | null;
  readonly childRunId: string | null;
  readonly usage: Usage;
  readonly cached: boolean;
  /** Why a step was skipped, for a person. */
  readonly note: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

/** What a StepRun is unique by, and what a Tool gets as its idempotency key: stable over attempts. */
export function stepKey(runId: string, stepId: string, index: number | null): string {
  return index === null ? `${runId}/${stepId}` : `${runId}/${stepId}/${index}`;
}

/** The id of one attempt: of its ToolCall event, of its call in the call graph. */
export function attemptId(key: string, attempt: number): string {
  return `${key}/${attempt}`;
}

/** What the value of a step's variable is made of. */
export interface StepRecord {
  readonly stepId: string;
  readonly index: number | null;
  readonly status: StepStatus;
  readonly output: Json;
}

/**
 * The value of a step's variable, from what is recorded: the output; the list of its items' values under forEach;
 * `fallback` or null where it failed and the run went on; null where it was skipped.
 */
export function variableOf(step: ProcessStep, records: readonly StepRecord[]): Json {
  const own = records.filter(({ stepId }) => stepId === step.id);
  const whole = own.find(({ index }) => index === null);
  if (whole !== undefined) return recordedValue(step, whole);
  if (step.execution.forEach === null || step.execution.forEach === undefined) return null;
  return own
    .sort((left, right) => (left.index ?? 0) - (right.index ?? 0))
    .map((record) => recordedValue(step, record));
}

function recordedValue(step: ProcessStep, record: StepRecord): Json {
  if (record.status === 'completed') return record.output;
  if (record.status === 'failed' || record.status === 'timed_out') return failedValue(step);
  return null;
}

export function failedValue(step: ProcessStep): Json {
  return step.execution.onFailure === 'fallback' ? (step.execution.fallback ?? null) : null;
}

/** Unset = FAIL if the output is required, else CONTINUE. */
export function failurePolicy(step: ProcessStep): 'fail' | 'continue' | 'fallback' {
  return step.execution.onFailure ?? (step.output.required ? 'fail' : 'continue');
}

export interface StepRetry {
  readonly maximumAttempts: number;
  readonly backoff: Backoff;
  readonly nonRetryable: readonly string[];
}

/** The step's own policy, else 3 attempts for what only reads and 1 for what may change the world. */
export function retryOf(step: ProcessStep, repeatable: 'read-only' | 'mutating'): StepRetry {
  const { retry } = step.execution;
  const attempts = repeatable === 'read-only' ? 3 : 1;
  const initialMs = (retry?.initialInterval ?? 1) * 1_000;
  return {
    maximumAttempts: retry?.maximumAttempts ?? attempts,
    backoff: {
      firstMs: initialMs,
      maxMs: (retry?.maximumInterval ?? Math.max(100, initialMs / 1_000)) * 1_000,
      factor: retry?.backoffCoefficient ?? 2,
    },
    nonRetryable: retry?.nonRetryableErrors ?? [],
  };
}

const FINAL_CODES: ReadonlySet<RunErrorCode> = new Set([
  'INPUT_INVALID',
  'OUTPUT_INVALID',
  'RECURSION_LIMIT',
  'REJECTED',
  'CANCELLED',
  'BUDGET_EXCEEDED',
  'PAYLOAD_TOO_LARGE',
  'TARGET_DISABLED',
  'CONDITION_FAILED',
  'TEMPLATE_FAILED',
  'EGRESS_DENIED',
  'SECRET_UNAVAILABLE',
]);

/** Whether running a failed sub-process once more could end better. */
export function isWorthRetrying(code: RunErrorCode, retry: StepRetry): boolean {
  return !FINAL_CODES.has(code) && !retry.nonRetryable.includes(code);
}
