import { condition, workflowInfo } from '@temporalio/workflow';
import type { Decision } from './contract.ts';
import { ContinueAsNewRequested } from './failures.ts';

/** A step that waits for a person. */
export interface Wait {
  readonly approvalId: string;
  /** In the inbox: may be decided now. */
  asked: boolean;
  /** A decision is being recorded; a second one is refused. */
  taken: boolean;
  decision: Decision | null;
}

export interface CarriedControl {
  readonly paused: boolean;
  readonly waits: Readonly<Record<string, Wait>>;
}

/** What messages from outside change, and when a run may start something new. One per workflow: no state of a module. */
export interface Control {
  /** Null where something may be started now, else a promise of that. @throws Drained */
  gate(): Promise<void> | null;
  /** Waits for something outside; what comes first, it or the end of this generation. @throws Drained */
  until(isThere: () => boolean): Promise<void>;
  /** A step or an item has ended: the next generation will not do it again. */
  progressed(): void;
  pause(): void;
  resume(): void;
  budgetWasRaised(): void;
  /** Rises with each raise, so that one that came while recording is not missed. */
  readonly raises: number;
  waitOf(key: string, newApprovalId: () => string): Wait;
  findWait(key: string): Wait | null;
  closeWait(key: string): void;
  readonly continueAsNewRequested: boolean;
  carry(): CarriedControl;
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

  // Each generation ends something first that the next need not do again, or a small limit would turn it round for ever.
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
    closeWait: (key) => void waits.delete(key),
    get continueAsNewRequested() {
      return draining;
    },
    carry: () => ({ paused, waits: Object.fromEntries(waits) }),
  };
}
