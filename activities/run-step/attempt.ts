import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { ToolFault, type Usage } from '../../src/common/tool-fault.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';
import type { WorkerSlot, WorkerSlots } from '../../src/workers/slots.ts';
import type { QuickTools } from './quick-tools.ts';
import { runWithin } from './time-limit.ts';

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
        ? runWithin(cancellationSignal, { ms: callMs, fault: () => new Elsewhere() }, work)
        : runWithin(cancellationSignal, { ms: timeoutMs, fault: timeoutOf(timeoutMs) }, work),
    wasShutDown: () =>
      cancellationSignal.reason instanceof CancelledFailure &&
      cancellationSignal.reason.message === 'WORKER_SHUTDOWN',
    close() {
      isClosed = true;
      slot?.release();
    },
  };
}

const timeoutOf = (ms: number) => (usage: Usage | null) =>
  new ToolFault(
    'STEP_TIMEOUT',
    `The step took longer than its timeout of ${ms / 1_000} s and was stopped.`,
    { retryable: true, usage },
  );
