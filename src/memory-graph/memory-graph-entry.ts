import { type OutboxEntry, ownerEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/user.ts';
import type { MemoryGraphEntryKind, MemoryGraphEntryPayloads } from './memory-graph-payloads.ts';

export function memoryGraphEntry<K extends MemoryGraphEntryKind>(
  deps: BaseDeps,
  at: {
    readonly ownerId: string;
    readonly workspace: string;
    readonly conversationId: string | null;
  },
  kind: K,
  payload: MemoryGraphEntryPayloads[K],
): OutboxEntry {
  return ownerEntry(deps, at, kind, payload);
}
