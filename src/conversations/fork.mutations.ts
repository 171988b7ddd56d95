import { instant } from '../common/clock.ts';
import { notFound, Refusal, refuse, refuseState } from '../common/refusal.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import type { Viewer } from '../users/user.ts';
import { listAlternatives } from './alternative.cypher.ts';
import { findConversations, insertConversation } from './conversation.cypher.ts';
import type { ConversationDeps } from './conversation.mutations.ts';
import { lockConversation } from './conversation.mutations.ts';
import { type Conversation, checkTitle } from './conversation.ts';
import { conversationEntry } from './conversation-entry.ts';
import { insertCopies, listPathTo } from './fork.cypher.ts';
import { copiedAlternatives } from './fork.ts';

export interface ForkConversation {
  readonly conversationId: string;
  readonly turnId: string;
  readonly alternativeId: string;
  readonly title?: string | null | undefined;
}

/**
 * Creates a conversation with a copy of the path from the root to an alternative. It copies the
 * active alternative of each turn, the named one of the last turn, and the alternatives they
 * answer. Archived conversations can be forked.
 * @throws Refusal NOT_FOUND; STATE at `alternativeId` while an alternative on the path is generated
 */
export async function forkConversation(
  deps: ConversationDeps,
  viewer: Viewer,
  input: ForkConversation,
): Promise<Conversation> {
  refuse(checkTitle(input.title));
  const id = deps.newId();
  const fork = await writeAndWake(deps, async (tx) => {
    const origin = await lockConversation(tx, viewer, input.conversationId, ['conversationId']);
    const path = await listPathTo(tx, { conversationId: origin.id, turnId: input.turnId });
    if (path.length === 0) throw new Refusal([notFound('turn in this conversation', ['turnId'])]);
    const all = await listAlternatives(tx, viewer.userId, path);
    const copied = copiedAlternatives(path, all, input.alternativeId);
    const alternativePath = ['alternativeId'];
    if (copied === null) throw new Refusal([notFound('alternative of this turn', alternativePath)]);
    if (copied.some(({ outcome }) => outcome === null))
      refuseState(alternativePath, 'This path is still being generated.');

    const now = instant(deps.clock);
    const conversation: Conversation = {
      id,
      ownerId: viewer.userId,
      title: input.title ?? origin.title,
      status: 'active',
      defaultProcessId: origin.defaultProcessId,
      recall: origin.recall,
      forkedFrom: {
        conversationId: origin.id,
        originTurnId: input.turnId,
        originAlternativeId: input.alternativeId,
      },
      createdAt: now,
      updatedAt: now,
    };
    const place = { ...conversation, workspace: viewer.workspace };
    const created = { title: conversation.title, forkedFromId: origin.id };
    const entry = conversationEntry(deps, place, 'conversation.created', created);
    await insertConversation(tx, conversation, entry);

    const turns = path.map((from) => ({ from, to: deps.newId() }));
    const turnIds = new Map(turns.map((turn) => [turn.from, turn.to]));
    const alternatives = copied.map(({ id: from, turnId, isShown }) => ({
      from,
      to: deps.newId(),
      turnId: turnIds.get(turnId) ?? '',
      isActive: isShown,
    }));
    const entries = turns.map((turn) => {
      const shown = alternatives.find(({ turnId, isActive }) => isActive && turnId === turn.to);
      const payload = {
        turnId: turn.to,
        alternativeId: shown?.to ?? '',
        copiedFromId: turn.from,
      };
      return conversationEntry(deps, place, 'turn.added', payload);
    });
    await insertCopies(tx, { conversationId: id, turns, alternatives, entries });
    return conversation;
  });
  // Read again: the default Process may have been deleted meanwhile.
  const [stored] = await deps.graph.read((tx) => findConversations(tx, viewer.userId, [fork.id]));
  return stored ?? fork;
}
