import { z } from 'zod';
import { textOrNull } from '../common/stored.ts';
import { type OutboxEntry, ownerEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/user.ts';

const PLACE = { turnId: z.string(), alternativeId: z.string() };

/** Payloads of the entries of conversations in the event log. */
export const ConversationPayloads = {
  'conversation.created': z.object({ title: textOrNull, forkedFromId: textOrNull }),
  /** `wasStatus`: the status before the update. It and `recall` are absent in older entries. */
  'conversation.updated': z.object({
    title: textOrNull,
    status: z.string(),
    wasStatus: z.string().optional(),
    defaultProcessId: textOrNull,
    recall: z.object({ tokens: z.number(), otherConversations: z.boolean() }).readonly().optional(),
  }),
  'turn.added': z.object({ ...PLACE, copiedFromId: textOrNull }),
  'alternative.added': z.object(PLACE),
  /** `staleAlternativeIds`: all below the alternative that was active before. */
  'alternative.activated': z.object({
    ...PLACE,
    staleAlternativeIds: z.array(z.string()).readonly(),
  }),
  /** The content is written; `status` is the final status of its run. */
  'alternative.completed': z.object({ ...PLACE, status: z.string() }),
} as const;
export type ConversationEntryKind = keyof typeof ConversationPayloads;
export type ConversationEntryPayloads = {
  [K in ConversationEntryKind]: z.infer<(typeof ConversationPayloads)[K]>;
};

/** Whether an update archived a conversation, made it active again, or did neither. */
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

/** Builds the entry `alternative.completed` of a run once the alternative it writes is known. */
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
