import { instant } from '../common/clock.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/viewer.ts';
import type { KnowledgeEntryKind, KnowledgeEntryPayloads } from './knowledge-payloads.ts';

export type { KnowledgeEntryKind, KnowledgeEntryPayloads };

export function knowledgeEntry<K extends KnowledgeEntryKind>(
  { clock, newId }: BaseDeps,
  at: {
    readonly ownerId: string;
    readonly workspace: string;
    readonly conversationId: string | null;
  },
  kind: K,
  payload: KnowledgeEntryPayloads[K],
): OutboxEntry {
  return {
    id: newId(),
    kind,
    at: instant(clock),
    ownerId: at.ownerId,
    workspace: at.workspace,
    rootRunId: null,
    runId: null,
    runPath: [],
    conversationId: at.conversationId,
    payload,
  };
}
