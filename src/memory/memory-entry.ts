import { type OutboxEntry, ownerEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/viewer.ts';

/** The facts of working memory in the event log. */
export interface MemoryEntryPayloads {
  'summary.added': { summaryId: string };
  /** Bound to another Episode by an admin. */
  'summary.rebound': { summaryId: string; by: string };
  'summary.deleted': { summaryId: string; by: string };
  'introspection.added': { introspectionId: string };
  'introspection.rebound': { introspectionId: string };
  'introspection.archived': { introspectionId: string };
}
export type MemoryEntryKind = keyof MemoryEntryPayloads;

export function memoryEntry<K extends MemoryEntryKind>(
  deps: BaseDeps,
  at: {
    readonly ownerId: string;
    readonly workspace: string;
    readonly conversationId: string | null;
  },
  kind: K,
  payload: MemoryEntryPayloads[K],
): OutboxEntry {
  return ownerEntry(deps, at, kind, payload);
}
