import type { NumberedEntry } from './entry.ts';

/** An entry as the event transport carries it. One that is too large comes as its number alone. */
export type Carried = NumberedEntry | { readonly seq: number };

/**
 * Carries new entries between the processes of an installation, faster than polling Neo4j. It gives
 * no guarantee: an entry that is lost or out of order is read from Neo4j by its number. All methods
 * but `verify` and `close` return at once and never throw.
 */
export interface EventTransport {
  /** Sends entries numbered here to the other processes, in the order of their numbers. */
  send(entries: readonly NumberedEntry[]): void;
  /** Wakes the process that relays, after a commit has written entries. */
  wake(): void;
  /** @returns a function that stops listening */
  listen(listener: TransportListener): () => void;
  /** Whether the transport works now. While it does, polling Neo4j is only a fallback. */
  readonly isUp: boolean;
  /** @throws when the transport does not answer */
  verify(): Promise<void>;
  close(): Promise<void>;
}

export interface TransportListener {
  onEntries(entries: readonly Carried[]): void;
  onWake(): void;
}

export function isWhole(carried: Carried): carried is NumberedEntry {
  return 'id' in carried;
}
