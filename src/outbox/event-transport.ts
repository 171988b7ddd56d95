import type { NumberedEntry } from './entry.ts';

/** An entry as the line brings it; one too large to be carried comes as its number alone. */
export type Carried = NumberedEntry | { readonly seq: number };

/**
 * What carries live news between the processes of an installation, faster than looking into Neo4j. It promises nothing: what
 * does not arrive, or arrives out of turn, is found there by its number. All of it returns at once and never throws.
 */
export interface EventTransport {
  /** Tells every other process of entries that were numbered here, in the order of their numbers. */
  send(entries: readonly NumberedEntry[]): void;
  /** Tells the process that relays that a commit has left entries. */
  wake(): void;
  /** Gives back how to stop. */
  listen(listener: TransportListener): () => void;
  /** Whether it works at this moment; while it does, looking into Neo4j is only the net. */
  readonly isUp: boolean;
  /** @throws when it does not answer */
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
