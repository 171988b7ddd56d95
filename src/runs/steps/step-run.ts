import type { Backoff } from '../../common/backoff.ts';
import { blobUri } from '../../common/blob-uri.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import { READ_ONLY_ATTEMPTS_DEFAULT } from '../../common/limits.ts';
import type { RunError, RunErrorCode, Usage } from '../../common/tool-fault.ts';
import type { ProcessStep } from '../../processes/process.ts';
import { filesSession, type RunHead } from '../run/run.ts';
import { pageIn } from './page.ts';

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

/**
 * One execution of a step, or of one item of its forEach. `pending` with `attempt` above 0 waits
 * for the next attempt.
 */
export interface StepRun {
  readonly runId: string;
  readonly stepId: string;
  readonly index: number | null;
  readonly status: StepStatus;
  readonly attempt: number;
  /**
   * null where they are over 256 KiB (then the blob `inputsBlob` holds them), or where the step was
   * never claimed.
   */
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
  /** The reason of a skip, as text for a person. */
  readonly note: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

/**
 * Unique key of a StepRun, and the idempotency key that its Tool gets. The same in every attempt.
 */
export function stepKey(runId: string, stepId: string, index: number | null): string {
  return index === null ? `${runId}/${stepId}` : `${runId}/${stepId}/${index}`;
}

/**
 * Id of one attempt, used by its ToolCall event and its call in the call graph.
 * @param key of the StepRun
 */
export function attemptId(key: string, attempt: number): string {
  return `${key}/${attempt}`;
}

/** The fields of a StepRun that determine the value of its step's variable. */
export interface StepRecord {
  readonly stepId: string;
  readonly index: number | null;
  readonly status: StepStatus;
  readonly output: Json;
}

/**
 * The value of a step's variable: its recorded output, the list of its items' values under forEach
 * (or the file with that list), or the items of all its pages. `fallback` or null where the step
 * failed and the run went on; null where it was skipped.
 */
export function variableOf(
  step: ProcessStep,
  records: readonly StepRecord[],
  run: FileOwner,
): Json {
  const stepRecords = records.filter(({ stepId }) => stepId === step.id);
  const whole = stepRecords.find(({ index }) => index === null);
  // A forEach over an empty list has a record of the step itself.
  const isFile = step.output.asFile === true && (whole?.status ?? 'completed') === 'completed';
  if (isFile) return resultsFile(run, step, whole === undefined ? stepRecords.length : 0);
  return whole === undefined ? listOf(step, stepRecords) : recordedValue(step, whole);
}

/** The values of the items of a forEach, or of the pages of a step, in order. */
export function listOf(step: ProcessStep, records: readonly StepRecord[]): Json {
  const { forEach, pages } = step.execution;
  const inOrder = [...records].sort((left, right) => (left.index ?? 0) - (right.index ?? 0));
  if (forEach != null) return inOrder.map((record) => recordedValue(step, record));
  if (pages == null || inOrder.length === 0) return null;
  const broken = inOrder.find(({ status }) => status !== 'completed');
  if (broken !== undefined) return recordedValue(step, broken);
  return inOrder.flatMap(({ output }) => {
    const page = pageIn(pages, output);
    return typeof page === 'string' ? [] : page.items;
  });
}

/** The run whose files a step's are. */
export type FileOwner = Pick<RunHead, 'rootRunId' | 'runId'>;

/** Name of the file with the results of a forEach, within its run. */
export function resultsName({ id }: Pick<ProcessStep, 'id'>): string {
  return `${id}.results.json`;
}

/** Ids of the steps whose list becomes a file. */
export function filedSteps(steps: readonly ProcessStep[]): ReadonlySet<string> {
  return new Set(steps.filter(({ output }) => output.asFile === true).map(({ id }) => id));
}

/** What the variable of a step with `asFile` holds. */
export function resultsFile(run: FileOwner, step: Pick<ProcessStep, 'id'>, items: number): Json {
  const key = `${run.runId}.${resultsName(step)}`;
  return { file: blobUri(filesSession(run.rootRunId), key), items };
}

function recordedValue(step: ProcessStep, record: StepRecord): Json {
  if (record.status === 'completed') return record.output;
  if (record.status === 'failed' || record.status === 'timed_out') return failedValue(step);
  return null;
}

export function failedValue(step: ProcessStep): Json {
  return step.execution.onFailure === 'fallback' ? (step.execution.fallback ?? null) : null;
}

/** Default: `fail` where the output is required, else `continue`. */
export function failurePolicy(step: ProcessStep): 'fail' | 'continue' | 'fallback' {
  return step.execution.onFailure ?? (step.output.required ? 'fail' : 'continue');
}

export interface StepRetry {
  readonly maximumAttempts: number;
  readonly backoff: Backoff;
  readonly nonRetryable: readonly string[];
}

/**
 * The step's own retry policy. Default attempts: 3 for a read-only target, 1 for a mutating one.
 */
export function retryOf(step: ProcessStep, repeatable: 'read-only' | 'mutating'): StepRetry {
  const { retry } = step.execution;
  const attempts = repeatable === 'read-only' ? READ_ONLY_ATTEMPTS_DEFAULT : 1;
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
  'INTERNAL',
]);

/** Whether another attempt of a failed sub-process may succeed. */
export function isWorthRetrying(code: RunErrorCode, retry: StepRetry): boolean {
  return !FINAL_CODES.has(code) && !retry.nonRetryable.includes(code);
}

/** `s2` stands before `s10`. */
const BY_NUMBERS = new Intl.Collator('en', { numeric: true });

/** Steps that never started come last, by their ids as people count; the others stay in place. */
export function inOrder<Step extends Pick<StepRun, 'stepId' | 'startedAt'>>(
  steps: readonly Step[],
): Step[] {
  const started = steps.filter(({ startedAt }) => startedAt !== null);
  const others = steps.filter(({ startedAt }) => startedAt === null);
  return [...started, ...others.toSorted((a, b) => BY_NUMBERS.compare(a.stepId, b.stepId))];
}
