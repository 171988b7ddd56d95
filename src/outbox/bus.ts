import type { NumberedEntry } from './entry.ts';

/**
 * What a subscriber wants; everything given has to hold. At least one of the ids, or `kinds`, has to be given.
 * History is looked up by `rootRunId` or `conversationId`, so a filter with a cursor names one of them.
 */
export interface EntryFilter {
  readonly rootRunId?: string;
  /** Of this run itself. */
  readonly runId?: string;
  /** Of this run and of all runs below it. */
  readonly underRunId?: string;
  readonly conversationId?: string;
  readonly kinds?: readonly string[];
}

/**
 * Where numbered entries meet the live readers of this process (`openBus`). The relay tells it of every entry in order, be it
 * one that was numbered here, one that the line from another process brought (line.ts), or one found in Neo4j; `subscribe`
 * resumes by number, so the cursors are the same everywhere.
 */
export interface Bus {
  /** Hands on entries in the order of their numbers; those already handed on are passed over. */
  publish(entries: readonly NumberedEntry[]): void;
  /**
   * Entries that match, with a number above `afterSeq`: first those of Neo4j, then live ones, each once and without a gap.
   * Null: live only, from now. Ends when the reader stops or `signal` aborts.
   * @throws SlowReader when more than the buffer waits for the reader.
   */
  subscribe(
    filter: EntryFilter,
    afterSeq: number | null,
    signal?: AbortSignal,
  ): AsyncIterable<NumberedEntry>;
  /** How many read at this moment; the relay looks more often while somebody does. */
  readonly readers: number;
  /** Ends all subscriptions. */
  close(): void;
}

/** A reader that could not keep up was let go; it may come back with its last cursor. */
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
    (filter.kinds === undefined || filter.kinds.includes(entry.kind))
  );
}
