import { type OutboxEntry, ownerEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/user.ts';
import type { ConversationEntryKind, ConversationEntryPayloads } from './conversation-payloads.ts';

export type { ConversationEntryKind, ConversationEntryPayloads };

/** What became of a conversation when it was updated: its end is told once, however often an archived one is changed. */
export function turnOfStatus({
  status,
  wasStatus,
}: {
  readonly status?: unknown;
  readonly wasStatus?: unknown;
}): 'archived' | 'taken up again' | 'as it was' {
  if ((status === 'archived') === (wasStatus === 'archived')) return 'as it was';
  return status === 'archived' ? 'archived' : 'taken up again';
}

export interface EntryConversation {
  readonly id: string;
  readonly ownerId: string;
  readonly workspace: string;
}

export function conversationEntry<K extends ConversationEntryKind>(
  deps: BaseDeps,
  { id, ownerId, workspace }: EntryConversation,
  kind: K,
  payload: ConversationEntryPayloads[K],
): OutboxEntry {
  return ownerEntry(deps, { ownerId, workspace, conversationId: id }, kind, payload);
}

/** What tells of the end of a run that answers an alternative, once that is known. */
export function answerEntry(
  deps: BaseDeps,
  run: { readonly ownerId: string; readonly workspace: string },
  conversationId: string,
  status: string,
): (alternative: { readonly turnId: string; readonly alternativeId: string }) => OutboxEntry {
  const { ownerId, workspace } = run;
  return (alternative) =>
    conversationEntry(deps, { id: conversationId, ownerId, workspace }, 'alternative.completed', {
      ...alternative,
      status,
    });
}
