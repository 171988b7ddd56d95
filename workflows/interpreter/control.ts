import { condition, workflowInfo } from '@temporalio/workflow';
import type { MemoryDemand } from '../../src/runs/memory/memory-question.ts';
import type { ConcurrencyChange, StepResolution } from '../../src/runs/run/run.ts';
import { ContinueAsNewRequested } from './failures.ts';

/** A step that waits for a person. */
export interface Wait {
  readonly approvalId: string;
  /** In the inbox: may be decided now. */
  asked: boolean;
  /** A decision is being recorded; a second one is refused. */
  taken: boolean;
  decision: StepResolution | null;
  /** Time at which the wait counts as rejected; absent or null: never. */
  deadlineMs?: number | null;
  /** Set where the step asks for the runner's memory. */
  memory?: MemoryDemand;
}

export interface CarriedControl {
  readonly paused: boolean;
  readonly waits: Readonly<Record<string, Wait>>;
  /** Items at once by the id of their step, where a person changed it. */
  readonly concurrency?: Readonly<Record<string, number>>;
  /** Number of these changes so far. Absent in histories of older versions. */
  readonly concurrencyChanges?: number;
}

/**
 * State that signals and updates change, and the gate for new work. One per workflow; a
 * module-level one would be shared.
 */
export interface Control {
  /**
   * Null where new work may start now, else a promise of that moment.
   * @throws ContinueAsNewRequested
   */
  gate(): Promise<void> | null;
  /** Waits until `isThere` is true. @throws ContinueAsNewRequested where that comes first */
  until(isThere: () => boolean): Promise<void>;
  /**
   * Waits until `isThere` is true or the time has come.
   * @returns whether `isThere` is true
   * @throws ContinueAsNewRequested where that comes first
   */
  untilTime(isThere: () => boolean, deadlineMs: number): Promise<boolean>;
  /** To be called when a step or item has ended: the next workflow execution does not repeat it. */
  progressed(): void;
  pause(): void;
  resume(): void;
  budgetWasRaised(): void;
  /** @returns the number of this change, from 1: changes are in force in this order */
  setConcurrency(change: ConcurrencyChange): number;
  /** Items of a step at once, where a person changed it; null: as its definition says. */
  concurrencyOf(stepId: string): number | null;
  /** Calls `listener` after each change, until the returned function is called. */
  onConcurrency(listener: () => void): () => void;
  /** Number of budget raises, so that a raise during the recording of the wait is not missed. */
  readonly raises: number;
  waitOf(key: string, newApprovalId: () => string): Wait;
  findWait(key: string): Wait | null;
  /** The wait that a decision on a step is for: the one for the memory comes after the other. */
  findAsked(key: string): Wait | null;
  /** An undecided wait of another step for the same use of the memory. */
  findSameAsk(key: string, memory: MemoryDemand): Wait | null;
  closeWait(key: string): void;
  readonly continueAsNewRequested: boolean;
  carry(): CarriedControl;
}

/** Key of the wait of a step for the runner's memory. No step has this key. */
export function memoryWaitKey(key: string): string {
  return `${key}~memory`;
}

export function createControl(
  carried: CarriedControl | null,
  continueAfterEvents: number | null,
): Control {
  let paused = carried?.paused ?? false;
  let raises = 0;
  let draining = false;
  let hasProgressed = false;
  const waits = new Map<string, Wait>(
    Object.entries(carried?.waits ?? {}).map(([key, wait]) => [key, { ...wait }]),
  );

  const concurrency = new Map(Object.entries(carried?.concurrency ?? {}));
  let concurrencyChanges = carried?.concurrencyChanges ?? concurrency.size;
  const concurrencyListeners = new Set<() => void>();

  // Each execution has to end a step or item before it continues as new, or a small limit would
  // loop for ever.
  const isFull = () => {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return (
      hasProgressed &&
      (continueAsNewSuggested ||
        (continueAfterEvents !== null && historyLength > continueAfterEvents))
    );
  };
  const drain = () => {
    draining ||= isFull();
    if (draining) throw new ContinueAsNewRequested();
  };

  async function afterPause(): Promise<void> {
    await condition(() => !paused || draining);
    drain();
  }

  return {
    gate() {
      drain();
      return paused ? afterPause() : null;
    },
    async until(isThere) {
      if (isThere()) return;
      await condition(() => isThere() || draining);
      if (!isThere()) throw new ContinueAsNewRequested();
    },
    async untilTime(isThere, deadlineMs) {
      if (isThere()) return true;
      const leftMs = deadlineMs - Date.now();
      if (leftMs <= 0) return false;
      const inTime = await condition(() => isThere() || draining, leftMs);
      if (isThere()) return true;
      if (inTime) throw new ContinueAsNewRequested();
      return false;
    },
    progressed() {
      hasProgressed = true;
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
    },
    budgetWasRaised: () => void raises++,
    setConcurrency({ stepId, maxConcurrency }) {
      concurrency.set(stepId, maxConcurrency);
      for (const listener of concurrencyListeners) listener();
      return ++concurrencyChanges;
    },
    concurrencyOf: (stepId) => concurrency.get(stepId) ?? null,
    onConcurrency(listener) {
      concurrencyListeners.add(listener);
      return () => void concurrencyListeners.delete(listener);
    },
    get raises() {
      return raises;
    },
    waitOf(key, newApprovalId) {
      let wait = waits.get(key);
      if (wait === undefined) {
        wait = { approvalId: newApprovalId(), asked: false, taken: false, decision: null };
        waits.set(key, wait);
      }
      return wait;
    },
    findWait: (key) => waits.get(key) ?? null,
    findAsked(key) {
      const forMemory = waits.get(memoryWaitKey(key));
      return forMemory?.asked === true && !forMemory.taken ? forMemory : (waits.get(key) ?? null);
    },
    findSameAsk(key, { processId, digest }) {
      for (const [other, wait] of waits) {
        if (other === key || wait.decision !== null) continue;
        if (wait.memory?.processId === processId && wait.memory.digest === digest) return wait;
      }
      return null;
    },
    closeWait: (key) => void waits.delete(key),
    get continueAsNewRequested() {
      return draining;
    },
    carry: () => ({
      paused,
      waits: Object.fromEntries(waits),
      ...(concurrency.size === 0
        ? {}
        : { concurrency: Object.fromEntries(concurrency), concurrencyChanges }),
    }),
  };
}
