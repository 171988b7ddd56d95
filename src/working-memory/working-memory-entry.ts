import { type OutboxEntry, ownerEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/user.ts';
import type { MemoryEntryKind, MemoryEntryPayloads } from './working-memory-payloads.ts';

export type { MemoryEntryKind, MemoryEntryPayloads };

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
