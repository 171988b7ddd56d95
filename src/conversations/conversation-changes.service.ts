import type { Bus } from '../outbox/bus.ts';
import { type ChangesStart, cursorOfStart, watchChanged } from '../outbox/changes.service.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { findConversations } from './conversation.cypher.ts';
import type { Conversation } from './conversation.ts';
import { ConversationPayloads } from './conversation-entry.ts';

/** A conversation that changed; null at the beginning, which gives only the position in the log. */
export interface ConversationChange {
  readonly cursor: string;
  readonly conversation: Conversation | null;
}

const KINDS = Object.keys(ConversationPayloads);

/**
 * The owner's conversations, each at the changes of itself, its turns and its path on screen: those
 * after the start, then live. The first value of a subscription that is not resumed has no
 * conversation; a list that is read after it misses no change (docs/decisions/0077).
 */
export async function* watchConversationChanges(
  { graph, bus }: { readonly graph: Graph; readonly bus: Bus },
  { ownerId, start }: { readonly ownerId: string; readonly start: ChangesStart },
  signal: AbortSignal,
): AsyncGenerator<ConversationChange, void, void> {
  if (!start.isResumed) yield { cursor: cursorOfStart(start), conversation: null };
  const watch = {
    filter: { ownerId, kinds: KINDS },
    start,
    idOf: ({ conversationId }: { readonly conversationId: string | null }) => conversationId,
  };
  for await (const batch of watchChanged({ bus }, watch, signal)) {
    const ids = batch.map(({ id }) => id);
    const found = await graph.read((tx) => findConversations(tx, ownerId, ids));
    const byId = new Map(found.map((conversation) => [conversation.id, conversation]));
    for (const { id, cursor } of batch) {
      const conversation = byId.get(id);
      if (conversation !== undefined) yield { cursor, conversation };
    }
  }
}
