import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { Json } from '../../src/common/json.ts';
import { STEP_TIMEOUT_SECONDS_DEFAULT } from '../../src/common/limits.ts';
import { fitToBudget } from '../../src/common/token-budget.ts';
import { ToolFault, type Usage } from '../../src/common/tool-fault.ts';
import { validateJson } from '../../src/json-schema/json-schema.ts';
import { namesType } from '../../src/json-schema/schema-fit.ts';
import type { Operation, OperationType } from '../../src/operations/operation.ts';
import type { DriverTarget, ToolDrivers } from '../../src/platform/drivers/driver.ts';
import type { Payloads } from '../../src/runs/run/payloads.service.ts';
import type { WorkerSlot, WorkerSlots } from '../../src/workers/slots.ts';
import { answerOutput, roundOutput } from './round-job.ts';
import { problemDetails, problemText, type StepJob } from './step-job.ts';
import type { StepStream } from './step-stream.ts';

/** The output of a successful call, within the step's token budget. */
export interface ToolResult {
  readonly output: Json;
  readonly usage: Usage;
  /** The output was cut to the token budget, or is a text that the model could not end. */
  readonly truncated: boolean;
}

/** One attempt as Temporal sees it. */
export interface Attempt {
  /**
   * Occupies a Worker of this type until the attempt is closed.
   * @returns its id; null where this process has none
   */
  takeSlot(type: OperationType): string | null;
  /**
   * Runs `work`, which has to end when `signal` aborts.
   * @throws ToolFault STEP_TIMEOUT after `timeoutMs`, CANCELLED on cancel.
   */
  within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Whether the attempt was cancelled because its worker shuts down. */
  wasShutDown(): boolean;
  close(): void;
}

// A driver that ignores its abort signal is left behind after this time, so that the step ends.
const ABORT_GRACE_MS = 1_500;

/** @param slots absent: this process has no registered Workers */
export function openAttempt(slots: WorkerSlots | undefined): Attempt {
  const { cancellationSignal } = Context.current();
  let slot: WorkerSlot | null = null;
  return {
    takeSlot(type) {
      slot = slots?.acquire(type) ?? null;
      return slot?.workerId ?? null;
    },
    within: (timeoutMs, work) => runWithin(cancellationSignal, timeoutMs, work),
    wasShutDown: () =>
      cancellationSignal.reason instanceof CancelledFailure &&
      cancellationSignal.reason.message === 'WORKER_SHUTDOWN',
    close() {
      slot?.release();
    },
  };
}

async function runWithin<T>(
  cancellation: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let stopReason: 'timeout' | 'cancel' | null = null;
  let graceTimer: NodeJS.Timeout | undefined;
  const abandoned = Promise.withResolvers<never>();
  abandoned.promise.catch(() => {});

  const stoppedFault = (usage: Usage | null) =>
    stopReason === 'timeout'
      ? new ToolFault(
          'STEP_TIMEOUT',
          `The step took longer than its timeout of ${timeoutMs / 1_000} s and was stopped.`,
          { retryable: true, usage },
        )
      : new ToolFault('CANCELLED', 'The run was cancelled.', { usage });
  const stop = (reason: 'timeout' | 'cancel') => {
    if (stopReason !== null) return;
    stopReason = reason;
    abort.abort();
    graceTimer = setTimeout(() => abandoned.reject(stoppedFault(null)), ABORT_GRACE_MS);
  };

  const timeoutTimer = setTimeout(() => stop('timeout'), timeoutMs);
  const onCancel = () => stop('cancel');
  if (cancellation.aborted) onCancel();
  else cancellation.addEventListener('abort', onCancel, { once: true });
  try {
    return await Promise.race([work(abort.signal), abandoned.promise]);
  } catch (error) {
    if (stopReason !== null) throw stoppedFault(error instanceof ToolFault ? error.usage : null);
    throw error;
  } finally {
    clearTimeout(timeoutTimer);
    clearTimeout(graceTimer);
    cancellation.removeEventListener('abort', onCancel);
  }
}

/**
 * Calls the Tool once, within the step's timeout, and checks the output.
 * @throws ToolFault of the driver; STEP_TIMEOUT, CANCELLED, OUTPUT_INVALID
 */
export async function callTool(
  { drivers, payloads }: { readonly drivers: ToolDrivers; readonly payloads: Payloads },
  job: StepJob,
  target: DriverTarget,
  stream: StepStream,
  attempt: Attempt,
): Promise<ToolResult> {
  const { call, tool, step, inputs, key } = job;
  const seconds = call.timeoutSeconds ?? step.execution.timeout ?? STEP_TIMEOUT_SECONDS_DEFAULT;
  const timeoutMs = Math.ceil(seconds * 1_000);
  const driver = drivers[tool.operation.type];
  const invoke = driver.invoke as (
    call: Parameters<typeof driver.invoke>[0] & { operation: Operation },
  ) => ReturnType<typeof driver.invoke>;
  const { round } = job;
  const mayRequest = round !== null && round.call.last === null;
  const { output, usage, isCut, toolCalls } = await attempt.within(timeoutMs, (signal) =>
    invoke.call(driver, {
      target,
      operation: tool.operation as never,
      inputSchema: tool.inputSchema,
      outputSchema: tool.outputSchema,
      inputs,
      ownerId: call.run.ownerId,
      workspace: call.run.workspace,
      rootRunId: call.run.rootRunId,
      conversationId: call.run.conversationId,
      idempotencyKey: key,
      // The budget is that of the answer. Requested calls must not be cut off by it.
      maxOutputTokens: mayRequest ? null : (step.output.tokenBudget ?? null),
      ...(round === null ? {} : { agent: round.call }),
      timeoutMs,
      signal,
      onProgress: stream.progress,
      storeFile: (name, bytes) => payloads.storeFile(call.run, fileName(call, name), bytes),
      ...(job.speaks
        ? { onText: stream.text, onReasoning: stream.reasoning, onReset: stream.reset }
        : {}),
    }),
  );
  const checked = (): ToolResult => {
    const result = checkOutput(job, output, usage);
    return { ...result, truncated: result.truncated || isCut === true };
  };
  if (round === null) return checked();
  if (toolCalls !== undefined) {
    const text = String(output);
    // The text before a call is no part of the answer, so the run's stream voids it.
    if (job.speaks && text !== '') stream.reset();
    return { output: roundOutput(round, text, toolCalls), usage, truncated: false };
  }
  const answer = checked();
  return { ...answer, output: answerOutput(answer.output) };
}

/** Each attempt replaces the files of the former one. */
function fileName({ stepId, index }: StepJob['call'], name: string): string {
  return [stepId, ...(index === null ? [] : [index]), name].join('.');
}

function checkOutput(job: StepJob, output: Json, usage: Usage): ToolResult {
  const { tool, step, call } = job;
  if (output === null && step.output.required && !mayBeNull(job)) {
    throw new ToolFault(
      'OUTPUT_INVALID',
      `${tool.name} gave no output, but step ${call.stepId} requires one.`,
      { usage },
    );
  }
  const { value, problems } =
    output === null
      ? { value: null, problems: [] }
      : validateJson(tool.outputSchema, output, ['output']);
  if (problems.length > 0) {
    throw new ToolFault(
      'OUTPUT_INVALID',
      `The output of ${tool.name} breaks its outputSchema: ${problemText(problems)}`,
      { usage, details: problemDetails(problems) },
    );
  }
  const fitted = fitToBudget(value, step.output.tokenBudget);
  return { output: fitted.output, usage, truncated: fitted.truncated };
}

/** Whether null is an output of the Tool, as its schemas say. Else it is the lack of one. */
function mayBeNull({ tool: { operation, outputSchema } }: StepJob): boolean {
  // The driver has checked the answer of a model against its responseSchema.
  const isAnswer = operation.type === 'llm_call' && operation.responseSchema != null;
  if (!isAnswer && !namesType(outputSchema, 'null')) return false;
  return validateJson(outputSchema, null, []).problems.length === 0;
}
