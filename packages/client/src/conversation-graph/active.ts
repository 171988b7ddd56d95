import type { Conversation } from './conversation.ts';

/**
 * The selected reply to each message; null is the start. Without a selection the newest reply is
 * shown.
 */
export interface Active {
  readonly replyTo: ReadonlyMap<string | null, string>;
  /** Messages that are shown without a reply, though they have some; null is the start. */
  readonly ends?: ReadonlySet<string | null>;
}

/** Selects the newest reply everywhere (S1-PROJ-04). */
export function defaultActive(conversation: Conversation): Active {
  const replyTo = new Map<string | null, string>();
  for (const [parent, replies] of conversation.replies) {
    const newest = replies.at(-1);
    if (newest !== undefined) replyTo.set(parent, newest);
  }
  return { replyTo };
}

/** Selects this message and all its ancestors. An unknown id changes nothing. */
export function activate(conversation: Conversation, active: Active, messageId: string): Active {
  const replyTo = new Map(active.replyTo);
  const ends = new Set(active.ends);
  let message = conversation.messages.get(messageId);
  while (message !== undefined) {
    replyTo.set(message.parentId, message.id);
    ends.delete(message.parentId);
    message = message.parentId === null ? undefined : conversation.messages.get(message.parentId);
  }
  return { replyTo, ends };
}

/** Ids of the messages on the active path, in order. */
export function activePath(conversation: Conversation, active: Active): string[] {
  const path: string[] = [];
  const seen = new Set<string>();
  let parent: string | null = null;
  for (;;) {
    const replies: readonly string[] = conversation.replies.get(parent) ?? [];
    const chosen = active.replyTo.get(parent);
    // An earlier selection may name a message that this graph does not have (yet).
    const next = chosen !== undefined && replies.includes(chosen) ? chosen : replies.at(-1);
    if (next === undefined || seen.has(next) || active.ends?.has(parent)) return path;
    path.push(next);
    seen.add(next);
    parent = next;
  }
}
