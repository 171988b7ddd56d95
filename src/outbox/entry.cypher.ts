import type { WriteTx } from '../platform/neo4j/graph.ts';
import type { OutboxEntry } from './entry.ts';

/**
 * To be put at the end of a statement that has `$entries` (from `entryParams`): stores the entries in the same
 * commit without a round trip of their own.
 */
export const CREATE_ENTRIES = /* cypher */ `
  UNWIND $entries AS entry
  CREATE (o:OutboxEntry:PendingEntry)
  SET o = entry, o.at = datetime(entry.at)
`;

const APPEND_ENTRIES = /* cypher */ `
  // appendEntries
  ${CREATE_ENTRIES}
`;

export function entryParams(entries: readonly OutboxEntry[]): Record<string, unknown>[] {
  return entries.map(({ payload, runPath, ...entry }) => ({
    ...entry,
    runPath: [...runPath],
    payload: JSON.stringify(payload),
  }));
}

/** Records what the surrounding transaction makes true. The caller wakes the relay after its commit. */
export async function appendEntries(tx: WriteTx, entries: readonly OutboxEntry[]): Promise<void> {
  if (entries.length > 0) await tx.run(APPEND_ENTRIES, { entries: entryParams(entries) });
}
