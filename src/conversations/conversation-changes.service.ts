import type { Bus } from '../outbox/bus.ts';
import { type ChangesStart, watchChanges } from '../outbox/changes.service.ts';
import type { NumberedEntry } from '../outbox/entry.ts';
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
 * The owner's conversations, each at the changes of itself, its turns and its path on screen
 * (docs/decisions/0077).
 */
export async function* watchConversationChanges(
  { graph, bus }: { readonly graph: Graph; readonly bus: Bus },
  { ownerId, start }: { readonly ownerId: string; readonly start: ChangesStart },
  signal: AbortSignal,
): AsyncGenerator<ConversationChange, void, void> {
  const watch = {
    filter: { ownerId, kinds: KINDS },
    start,
    idOf: ({ conversationId }: NumberedEntry) => conversationId,
    find: (ids: readonly string[]) => graph.read((tx) => findConversations(tx, ownerId, ids)),
  };
  for await (const { cursor, value } of watchChanges({ bus }, watch, signal))
    yield { cursor, conversation: value };
}
