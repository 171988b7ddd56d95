import { type OutboxEntry, ownerEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/user.ts';
import type { KnowledgeEntryKind, KnowledgeEntryPayloads } from './memory-graph-payloads.ts';

export type { KnowledgeEntryKind, KnowledgeEntryPayloads };

export function knowledgeEntry<K extends KnowledgeEntryKind>(
  deps: BaseDeps,
  at: {
    readonly ownerId: string;
    readonly workspace: string;
    readonly conversationId: string | null;
  },
  kind: K,
  payload: KnowledgeEntryPayloads[K],
): OutboxEntry {
  return ownerEntry(deps, at, kind, payload);
}
