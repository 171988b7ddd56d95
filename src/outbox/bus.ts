import type { NumberedEntry } from './entry.ts';

/**
 * Which entries a subscriber gets: all given conditions must hold. At least one id or `kinds` is
 * required. History is indexed by `rootRunId` and `conversationId`, so a filter with a cursor needs
 * one of them.
 */
export interface EntryFilter {
  readonly rootRunId?: string;
  /** The run itself, without its sub-runs. */
  readonly runId?: string;
  /** The run and all runs below it. */
  readonly underRunId?: string;
  readonly conversationId?: string;
  /** History has no index for it: a cursor may only be a bounded number of entries back. */
  readonly ownerId?: string;
  readonly kinds?: readonly string[];
}

/**
 * Delivers numbered entries to the live readers of this process (`openBus`). The relay publishes
 * every entry in order: those it numbered, those of the event transport, and those read from Neo4j.
 * A subscription resumes by number, so cursors are valid in every process.
 */
export interface Bus {
  /** Delivers entries in the order of their numbers. Entries published before are skipped. */
  publish(entries: readonly NumberedEntry[]): void;
  /**
   * Matching entries with a number above `afterSeq`: first from Neo4j, then live, each once and
   * without a gap. With null: live entries only. Ends when the reader stops or `signal` aborts.
   * @throws SlowReader when the reader's buffer overflows
   */
  subscribe(
    filter: EntryFilter,
    afterSeq: number | null,
    signal?: AbortSignal,
  ): AsyncIterable<NumberedEntry>;
  /** The number of current readers. While there is one, the relay polls more often. */
  readonly readers: number;
  /** Ends all subscriptions. */
  close(): void;
}

/** A reader was too slow and was disconnected. It may subscribe again after its last cursor. */
export class SlowReader extends Error {
  override readonly name = 'SlowReader';
  /** Number of the last entry that the reader got; null when it got none. */
  readonly lastSeq: number | null;
  constructor(lastSeq: number | null) {
    super('This reader fell too far behind. Subscribe again after the last cursor received.');
    this.lastSeq = lastSeq;
  }
}

export function matches(filter: EntryFilter, entry: NumberedEntry): boolean {
  return (
    (filter.rootRunId === undefined || filter.rootRunId === entry.rootRunId) &&
    (filter.runId === undefined || filter.runId === entry.runId) &&
    (filter.underRunId === undefined || entry.runPath.includes(filter.underRunId)) &&
    (filter.conversationId === undefined || filter.conversationId === entry.conversationId) &&
    (filter.ownerId === undefined || filter.ownerId === entry.ownerId) &&
    (filter.kinds === undefined || filter.kinds.includes(entry.kind))
  );
}
