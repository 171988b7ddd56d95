import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { ToolFault, type Usage } from '../../src/common/tool-fault.ts';
import type { OperationType } from '../../src/operations/operation.ts';
import type { WorkerSlot, WorkerSlots } from '../../src/workers/slots.ts';

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
