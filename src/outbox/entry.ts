import type { Instant } from '../common/clock.ts';

/**
 * One fact of the event log. Written by the transaction that makes it true, numbered by the relay afterwards
 * (decisions.md, One spine); everything live, recorded or projected starts from here.
 */
export interface OutboxEntry {
  readonly id: string;
  /** `<noun>.<what happened>`: run.requested, step.ended, tool.updated, ... */
  readonly kind: string;
  readonly at: Instant;
  readonly ownerId: string;
  readonly workspace: string;
  /** Ids the entry is looked up by; absent = null. `runPath` is root first, the run itself last. */
  readonly rootRunId: string | null;
  readonly runId: string | null;
  readonly runPath: readonly string[];
  readonly conversationId: string | null;
  /**
   * The facts of this kind; its schema stands where the kind is defined. Parse it with `parsePayload` before you read it.
   * At most 256 KiB as JSON.
   */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An entry once the relay has numbered it. `seq` rises over the whole installation and is what cursors hold. */
export interface NumberedEntry extends OutboxEntry {
  readonly seq: number;
}
