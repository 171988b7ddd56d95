import { type OutboxEntry, ownerEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/user.ts';
import type {
  WorkingMemoryEntryKind,
  WorkingMemoryEntryPayloads,
} from './working-memory-payloads.ts';

export type {
  WorkingMemoryEntryKind as MemoryEntryKind,
  WorkingMemoryEntryPayloads as MemoryEntryPayloads,
};

export function workingMemoryEntry<K extends WorkingMemoryEntryKind>(
  deps: BaseDeps,
  at: {
    readonly ownerId: string;
    readonly workspace: string;
    readonly conversationId: string | null;
  },
  kind: K,
  payload: WorkingMemoryEntryPayloads[K],
): OutboxEntry {
  return ownerEntry(deps, at, kind, payload);
}
