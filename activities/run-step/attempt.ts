import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { ToolFault, type Usage } from '../../src/common/tool-fault.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';
import type { WorkerSlot, WorkerSlots } from '../../src/workers/slots.ts';
import type { QuickTools } from './quick-tools.ts';

/**
 * The workflow can't make this call itself: the step goes to the queue of its type. Nothing of it
 * is recorded (docs/decisions/0123).
 */
export class Elsewhere extends Error {
  override readonly name = 'Elsewhere';
}

/** One attempt as Temporal sees it. */
export interface Attempt {
  /** Whether the workflow makes it itself, in a local activity. */
  readonly isLocal: boolean;
  /**
   * Occupies a Worker of the Tool's type until the attempt is closed.
   * @returns its id; null where this process has none
   * @throws Elsewhere where the attempt is local and the Tool is not quick, or few Workers are free
   */
  takeSlot(tool: Pick<ToolSnapshot, 'id' | 'operation'>): Promise<string | null>;
  /**
   * Runs `work`, which has to end when `signal` aborts.
   * @throws ToolFault STEP_TIMEOUT after `timeoutMs`, CANCELLED on cancel; Elsewhere where a local
   * attempt takes too long
   */
  within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Whether the attempt was cancelled because its worker shuts down. */
  wasShutDown(): boolean;
  close(): void;
}

// A driver that ignores its abort signal is left behind after this time, so that the step ends.
const ABORT_GRACE_MS = 1_500;

/** @param slots absent: this process has no registered Workers */
export function openAttempt(slots: WorkerSlots | undefined, quickTools: QuickTools): Attempt {
  const { cancellationSignal, info } = Context.current();
  const { isLocal } = info;
  const { callMs } = quickTools.limits;
  let slot: WorkerSlot | null = null;
  let isClosed = false;
  return {
    isLocal,
    async takeSlot({ id, operation }) {
      if (isLocal && !quickTools.has(id)) throw new Elsewhere();
      if (slots === undefined) return null;
      slot = isLocal ? slots.spare(operation.type) : await slots.acquire(operation.type);
      if (slot === null) throw new Elsewhere();
      if (isClosed) slot.release();
      return slot.workerId;
    },
    within: (timeoutMs, work) =>
      isLocal && timeoutMs > callMs
        ? runWithin(cancellationSignal, { ms: callMs, beyond: 'elsewhere' }, work)
        : runWithin(cancellationSignal, { ms: timeoutMs, beyond: 'timeout' }, work),
    wasShutDown: () =>
      cancellationSignal.reason instanceof CancelledFailure &&
      cancellationSignal.reason.message === 'WORKER_SHUTDOWN',
    close() {
      isClosed = true;
      slot?.release();
    },
  };
}

async function runWithin<T>(
  cancellation: AbortSignal,
  limit: { readonly ms: number; readonly beyond: 'timeout' | 'elsewhere' },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let stopReason: 'timeout' | 'elsewhere' | 'cancel' | null = null;
  let graceTimer: NodeJS.Timeout | undefined;
  const abandoned = Promise.withResolvers<never>();
  abandoned.promise.catch(() => {});

  const stoppedFault = (usage: Usage | null) => {
    if (stopReason === 'elsewhere') return new Elsewhere();
    if (stopReason === 'cancel')
      return new ToolFault('CANCELLED', 'The run was cancelled.', { usage });
    return new ToolFault(
      'STEP_TIMEOUT',
      `The step took longer than its timeout of ${limit.ms / 1_000} s and was stopped.`,
      { retryable: true, usage },
    );
  };
  const stop = (reason: 'timeout' | 'elsewhere' | 'cancel') => {
    if (stopReason !== null) return;
    stopReason = reason;
    abort.abort();
    graceTimer = setTimeout(() => abandoned.reject(stoppedFault(null)), ABORT_GRACE_MS);
  };

  const timeoutTimer = setTimeout(() => stop(limit.beyond), limit.ms);
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
