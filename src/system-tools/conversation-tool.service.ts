import { z } from 'zod';
import type { JsonObject } from '../common/json.ts';
import { notFound, Refusal } from '../common/refusal.ts';
import { findSaid } from '../conversations/said.cypher.ts';
import { nameForModel } from '../conversations/turn.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Viewer } from '../users/user.ts';

const Read = z.object({
  conversationId: z.string().nullish(),
  before: z.int().min(1).nullish(),
  limit: z.int().min(1).max(50).default(20),
});
const MESSAGE_CHARS_MAX = 4_000;

/**
 * Messages of a conversation as they stand on screen, oldest first: the newest ones before the turn
 * `before`. Without an id those of the run's own conversation.
 * @throws Refusal REQUIRED outside a conversation, NOT_FOUND
 */
export async function conversationTool(
  { graph }: { readonly graph: Graph },
  viewer: Viewer,
  { inputs, current }: { readonly inputs: JsonObject; readonly current: string | null },
) {
  const { conversationId: given, before = null, limit } = Read.parse(inputs);
  const conversationId = given ?? current;
  if (conversationId === null)
    throw Refusal.of('REQUIRED', ['conversationId'], 'This run has no conversation; name one.');
  const wanted = { conversationId, before, limit, chars: MESSAGE_CHARS_MAX };
  const found = await graph.read((tx) => findSaid(tx, viewer.userId, wanted));
  if (found === null) throw new Refusal([notFound('conversation', ['conversationId'])]);
  const messages = found.said.map(({ sequence, speaker, content, saidAt }) => ({
    turn: sequence,
    speaker: nameForModel(speaker, viewer.name),
    saidAt,
    text: content,
  }));
  const first = messages[0]?.turn ?? 1;
  return { conversationId, title: found.title, messages, earlier: first > 1 ? first : null };
}
