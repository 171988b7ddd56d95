import { instant } from '../common/clock.ts';
import type { Maybe } from '../common/maybe.ts';
import { notFound, type Problem, problem, Refusal, refuse } from '../common/refusal.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import { knownResult } from '../runs/run/run.mutations.ts';
import { checkIdempotencyKey } from '../runs/start/run-checks.ts';
import type { BaseDeps, Viewer } from '../users/user.ts';
import { activate, findAlternatives, insertAlternative } from './alternative.cypher.ts';
import type { Alternative } from './alternative.ts';
import { type ConversationDeps, lockConversation } from './conversation.mutations.ts';
import { type Conversation, checkTakesTurns } from './conversation.ts';
import { conversationEntry } from './conversation-entry.ts';
import {
  findPlace,
  findTurns,
  insertTurn,
  type NewAlternative,
  type Place,
} from './turn.cypher.ts';
import { checkContent, type Speaker, type Turn, type TurnType } from './turn.ts';

/** Where a new turn goes; absent: below what is on screen, or the root where there is no turn yet. */
export interface ParentChoice {
  readonly parentAlternativeId?: Maybe<string>;
  /** Whether a parent that is not active becomes so; without it that is STATE. */
  readonly activateParent?: Maybe<boolean>;
}
export interface AppendTurn extends ParentChoice {
  readonly conversationId: string;
  readonly speaker?: Maybe<Speaker>;
  readonly turnType?: Maybe<TurnType>;
  readonly content: string;
  readonly idempotencyKey?: Maybe<string>;
}

/**
 * Says something in a conversation; nobody answers (S4-TURN-05). @throws Refusal REQUIRED, INVALID at `content`; NOT_FOUND,
 * STATE at `conversationId` and `parentAlternativeId`; CONFLICT, INVALID at `idempotencyKey`
 */
export async function appendTurn(
  deps: ConversationDeps,
  viewer: Viewer,
  input: AppendTurn,
): Promise<Turn> {
  const { conversationId, content, idempotencyKey: key, ...rest } = input;
  refuse([...checkContent(content), ...checkIdempotencyKey(key)]);
  const newTurnId = deps.newId();
  const turnId = await deps.graph.write(async (tx) => {
    const claim = { operation: 'appendTurn', key, resultId: newTurnId };
    const asked = { ...rest, conversationId, content };
    const known = await knownResult(deps, tx, viewer, { ...claim, input: asked });
    if (known !== null) return known;
    const { conversation, parent } = await openAt(deps, tx, viewer, conversationId, input);
    await addTurn(deps, tx, viewer, {
      conversation,
      parent,
      turn: {
        id: newTurnId,
        speaker: input.speaker ?? 'user',
        turnType: input.turnType ?? 'message',
      },
      alternative: { id: deps.newId(), content, outcome: 'completed', runId: null },
      processId: null,
    });
    return newTurnId;
  });
  deps.wake();
  return getTurn(deps, viewer, turnId);
}

/** A conversation that takes turns, locked. @throws Refusal NOT_FOUND, STATE */
export async function openConversation(
  tx: WriteTx,
  viewer: Viewer,
  id: string,
  path: readonly string[] = ['conversationId'],
): Promise<Conversation> {
  const conversation = await lockConversation(tx, viewer, id, path);
  refuse(checkTakesTurns(conversation, path));
  return conversation;
}

/**
 * A conversation that takes turns, locked, and in it the alternative a new turn answers, active by now; null for the root.
 * @throws Refusal NOT_FOUND, STATE
 */
export async function openAt(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  conversationId: string,
  choice: ParentChoice,
): Promise<{ readonly conversation: Conversation; readonly parent: Place | null }> {
  const alternativeId = choice.parentAlternativeId ?? null;
  const conversation = await openConversation(tx, viewer, conversationId);
  const parent = await findPlace(tx, { conversationId, alternativeId });
  if (parent === null && alternativeId === null) return { conversation, parent };
  refuse(checkParent(parent, choice.activateParent === true ? 'activate' : 'as it is'));
  if (parent !== null && !parent.isActive)
    await switchTo(deps, tx, viewer, conversation, parent.alternativeId);
  return { conversation, parent };
}

function checkParent(place: Place | null, ifInactive: 'activate' | 'as it is'): Problem[] {
  const path = ['parentAlternativeId'];
  if (place === null) return [notFound('alternative in this conversation', path)];
  if (place.outcome === null)
    return [problem('STATE', path, 'This alternative is being generated; wait for its end.')];
  if (place.isActive || ifInactive === 'activate') return [];
  const message = 'This alternative is not the active one of its turn; say activateParent: true.';
  return [problem('STATE', path, message)];
}

/** Writes a turn below its parent, with its entry. */
export async function addTurn(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  add: {
    readonly conversation: Conversation;
    readonly parent: Pick<Place, 'alternativeId' | 'sequence'> | null;
    readonly turn: Pick<Turn, 'id' | 'speaker' | 'turnType'>;
    readonly alternative: NewAlternative;
    readonly processId: string | null;
  },
): Promise<void> {
  const { conversation, parent, turn, alternative, processId } = add;
  const { id: conversationId, ownerId } = conversation;
  const at = { ...conversation, workspace: viewer.workspace };
  await insertTurn(tx, {
    turn: { ...turn, conversationId, ownerId },
    sequence: (parent?.sequence ?? 0) + 1,
    alternative,
    parentAlternativeId: parent?.alternativeId ?? null,
    processId,
    now: instant(deps.clock),
    entries: [
      conversationEntry(deps, at, 'turn.added', {
        turnId: turn.id,
        alternativeId: alternative.id,
        copiedFromId: null,
      }),
    ],
  });
}

/** Writes another version of a turn, active at once, with its entries; under the conversation's lock (S4-ALT-03). */
export async function addVersion(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  add: {
    readonly conversation: Conversation;
    readonly turnId: string;
    readonly alternative: NewAlternative;
    readonly respondsToId: string | null;
    readonly processId: string | null;
  },
): Promise<void> {
  const { conversation, turnId, respondsToId, processId } = add;
  const { id: conversationId, ownerId } = conversation;
  const alternative = { ...add.alternative, turnId, conversationId, ownerId };
  const now = instant(deps.clock);
  await insertAlternative(tx, { alternative, respondsToId, processId, now });
  const at = { ...conversation, workspace: viewer.workspace };
  const added = { turnId, alternativeId: alternative.id };
  await appendEntries(tx, [conversationEntry(deps, at, 'alternative.added', added)]);
  await switchTo(deps, tx, viewer, conversation, alternative.id);
}

/** Makes an alternative the active one and tells of it; nothing where it is already. */
export async function switchTo(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  conversation: Conversation,
  alternativeId: string,
): Promise<void> {
  const changed = await activate(tx, { alternativeId, now: instant(deps.clock) });
  if (changed === null) return;
  const { turnId, staleIds: staleAlternativeIds } = changed;
  const at = { ...conversation, workspace: viewer.workspace };
  const payload = { turnId, alternativeId, staleAlternativeIds };
  await appendEntries(tx, [conversationEntry(deps, at, 'alternative.activated', payload)]);
}

/**
 * Shows this alternative of its turn (S4-ALT-04); older turns stay as they are (S4-ALT-10). It changes what is on screen
 * and nothing else, so an archived conversation allows it too. @throws Refusal NOT_FOUND
 */
export async function activateAlternative(
  deps: ConversationDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<Alternative> {
  const { conversationId } = await getAlternative(deps, viewer, id);
  await deps.graph.write(async (tx) => {
    const conversation = await lockConversation(tx, viewer, conversationId, ['id']);
    await switchTo(deps, tx, viewer, conversation, id);
  });
  deps.wake();
  return getAlternative(deps, viewer, id);
}

/** The viewer's own turn. @throws Refusal NOT_FOUND */
export async function getTurn(
  deps: Pick<ConversationDeps, 'graph'>,
  viewer: Viewer,
  id: string,
  path: readonly string[] = ['id'],
): Promise<Turn> {
  const [turn] = await deps.graph.read((tx) => findTurns(tx, viewer.userId, [id]));
  if (turn === undefined) throw new Refusal([notFound('turn', path)]);
  return turn;
}

/** The viewer's own alternative. @throws Refusal NOT_FOUND */
export async function getAlternative(
  deps: Pick<ConversationDeps, 'graph'>,
  viewer: Viewer,
  id: string,
  path: readonly string[] = ['id'],
): Promise<Alternative> {
  const [found] = await deps.graph.read((tx) => findAlternatives(tx, viewer.userId, [id]));
  if (found === undefined) throw new Refusal([notFound('alternative', path)]);
  return found;
}
