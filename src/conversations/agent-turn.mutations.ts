import { instant } from '../common/clock.ts';
import type { JsonObject } from '../common/json.ts';
import type { Maybe } from '../common/maybe.ts';
import { notFound, type Problem, problem, Refusal, refuse } from '../common/refusal.ts';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import { knownResult, type RunDeps, startRunIn } from '../runs/run/run.mutations.ts';
import { checkContextSize, checkIdempotencyKey } from '../runs/start/run-checks.ts';
import type { Viewer } from '../users/user.ts';
import { listAlternatives } from './alternative.cypher.ts';
import type { Alternative } from './alternative.ts';
import { setDefaultProcess } from './conversation.cypher.ts';
import type { Conversation } from './conversation.ts';
import type { Place } from './turn.cypher.ts';
import {
  addTurn,
  addVersion,
  getAlternative,
  getTurn,
  openAt,
  openConversation,
  type ParentChoice,
} from './turn.mutations.ts';
import { checkContent, type Turn } from './turn.ts';

export interface SendMessage extends ParentChoice {
  readonly conversationId: string;
  readonly content: string;
  /** Absent: the default Process of the conversation. */
  readonly processId?: Maybe<string>;
  readonly context?: Maybe<JsonObject>;
  readonly idempotencyKey?: Maybe<string>;
}

/** What a message led to, by ids. */
export interface Sent {
  readonly userTurn: string;
  readonly agentTurn: string;
  readonly run: string;
}

/**
 * A user's turn and the agent's answer to it, which a run of the Process writes: both turns, the choice of the Process and
 * the run are one transaction (S4-CONV-07). @throws Refusal what appendTurn and startProcessRun refuse, REQUIRED at `processId`
 */
export async function sendMessage(
  deps: RunDeps,
  viewer: Viewer,
  input: SendMessage,
): Promise<Sent> {
  const { conversationId, content, idempotencyKey: key, ...rest } = input;
  const context = input.context ?? {};
  refuse([...checkContent(content), ...checkIdempotencyKey(key), ...checkContextSize(context)]);
  const newTurnId = deps.newId();
  const userTurnId = deps.newId();
  const runId = deps.newId();
  const agentTurnId = await deps.graph.write(async (tx) => {
    const asked = { ...rest, conversationId, content };
    const claim = { operation: 'sendMessage', key, input: asked, resultId: newTurnId };
    const known = await knownResult(deps, tx, viewer, claim);
    if (known !== null) return known;
    const named = input.processId ?? null;
    const { conversation, parent } = await openAt(deps, tx, viewer, conversationId, input);
    const processId = named ?? conversation.defaultProcessId;
    if (processId === null) throw new Refusal([noProcess()]);
    const said = { id: deps.newId(), content, outcome: 'completed', runId: null } as const;
    const turn = { id: userTurnId, speaker: 'user', turnType: 'message' } as const;
    const sequence = (parent?.sequence ?? 0) + 1;
    const above = { alternativeId: said.id, sequence };
    const answer = { turnId: newTurnId, runId, conversation, parent: above, processId, context };
    const message = { conversation, parent, turn, alternative: said, processId: null };
    await addTurn(deps, tx, viewer, message);
    await answerWith(deps, tx, viewer, answer);
    return newTurnId;
  });
  deps.wake();
  if (agentTurnId !== newTurnId) return sentAs(deps, viewer, agentTurnId);
  deps.startSoon?.(runId);
  return { userTurn: userTurnId, agentTurn: newTurnId, run: runId };
}

function noProcess(): Problem {
  const message = 'Name a Process: this conversation has none that was used before.';
  return problem('REQUIRED', ['processId'], message);
}

/** What the same message led to before. */
async function sentAs(deps: RunDeps, viewer: Viewer, agentTurnId: string): Promise<Sent> {
  const turn = await getTurn(deps, viewer, agentTurnId);
  const [first] = await deps.graph.read((tx) => listAlternatives(tx, viewer.userId, [turn.id]));
  const { parentId } = turn;
  if (parentId === null || first === undefined || first.runId === null)
    throw new Error('An answer has no question, or no run.');
  return { userTurn: parentId, agentTurn: turn.id, run: first.runId };
}

export interface GenerateTurn extends ParentChoice {
  readonly conversationId: string;
  readonly parentAlternativeId: string;
  readonly processId: string;
  readonly context?: Maybe<JsonObject>;
  readonly idempotencyKey?: Maybe<string>;
}

/** An agent's turn below any alternative, without a message of its own. @throws Refusal as sendMessage */
export async function generateTurn(
  deps: RunDeps,
  viewer: Viewer,
  input: GenerateTurn,
): Promise<Turn> {
  const { idempotencyKey: key, ...asked } = input;
  const { conversationId, processId } = input;
  const context = input.context ?? {};
  refuse([...checkIdempotencyKey(key), ...checkContextSize(context)]);
  const newTurnId = deps.newId();
  const runId = deps.newId();
  const turnId = await deps.graph.write(async (tx) => {
    const claim = { operation: 'generateTurn', key, input: asked, resultId: newTurnId };
    const known = await knownResult(deps, tx, viewer, claim);
    if (known !== null) return known;
    const { conversation, parent } = await openAt(deps, tx, viewer, conversationId, input);
    if (parent === null) throw new Error('A named parent was settled as none.');
    const answer = { turnId: newTurnId, runId, conversation, parent, processId, context };
    await answerWith(deps, tx, viewer, answer);
    return newTurnId;
  });
  deps.wake();
  if (turnId === newTurnId) deps.startSoon?.(runId);
  return getTurn(deps, viewer, turnId);
}

/** The agent's turn below `parent`, and the run that writes it. */
async function answerWith(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  answer: {
    readonly turnId: string;
    readonly runId: string;
    readonly conversation: Conversation;
    readonly parent: Pick<Place, 'alternativeId' | 'sequence'>;
    readonly processId: string;
    readonly context: JsonObject;
  },
): Promise<void> {
  const { conversation, parent, processId, context } = answer;
  const alternative = { ...AWAITED, id: deps.newId(), runId: answer.runId };
  const answersId = parent.alternativeId;
  const turn = { id: answer.turnId, speaker: 'agent', turnType: 'message' } as const;
  const start = { conversation, alternative, answersId, processId, context };
  await startAnswer(deps, tx, viewer, start);
  await addTurn(deps, tx, viewer, { conversation, parent, turn, alternative, processId });
}

/** An answer that is still to be written. */
const AWAITED = { content: null, outcome: null } as const;

/** S4-CONV-07: the choice is remembered, then the Process is run for this alternative. */
async function startAnswer(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  start: {
    readonly conversation: Conversation;
    readonly alternative: { readonly runId: string };
    readonly answersId: string | null;
    readonly processId: string;
    readonly context: JsonObject;
  },
): Promise<void> {
  const { conversation, alternative, answersId, processId, context } = start;
  const { id, defaultProcessId } = conversation;
  const input = { processId, context, conversationId: id };
  await startRunIn(deps, tx, viewer, { runId: alternative.runId, input, answersId });
  // `conversation` was read under its lock, so the default Process is still the one compared here.
  if (defaultProcessId !== processId)
    await setDefaultProcess(tx, { id, processId, now: instant(deps.clock) });
}

export interface AddAlternative {
  readonly turnId: string;
  /** For turns of users and the system: another version of what was said. */
  readonly content?: Maybe<string>;
  /** For turns of agents; absent: what the active alternative was executed by, else the default Process. */
  readonly processId?: Maybe<string>;
  /** An alternative of the parent turn; absent: its active one. */
  readonly respondsToId?: Maybe<string>;
  readonly context?: Maybe<JsonObject>;
  readonly idempotencyKey?: Maybe<string>;
}

/**
 * Another version of a turn, active at once: an edit, or an agent's answer generated again (S4-ALT-03). @throws Refusal
 * NOT_FOUND, STATE at `turnId`; REQUIRED, INVALID at `content`, `processId`; NOT_FOUND, STATE at `respondsToId`; and what
 * startProcessRun refuses
 */
export async function addAlternative(
  deps: RunDeps,
  viewer: Viewer,
  input: AddAlternative,
): Promise<Alternative> {
  const { idempotencyKey: key, ...asked } = input;
  const turn = await getTurn(deps, viewer, input.turnId, ['turnId']);
  refuse([...checkVersion(turn, input), ...checkIdempotencyKey(key)]);
  const newId = deps.newId();
  const runId = deps.newId();
  const id = await deps.graph.write(async (tx) => {
    const claim = { operation: 'addAlternative', key, input: asked, resultId: newId };
    const known = await knownResult(deps, tx, viewer, claim);
    if (known !== null) return known;
    const conversation = await openConversation(tx, viewer, turn.conversationId, ['turnId']);
    const respondsToId = await answered(tx, viewer, turn, input.respondsToId ?? null);
    const isAgent = turn.speaker === 'agent';
    const processId = isAgent ? await processFor(tx, viewer, conversation, input) : null;
    const content = input.content ?? '';
    const alternative =
      processId === null
        ? { id: newId, content, outcome: 'completed' as const, runId: null }
        : { ...AWAITED, id: newId, runId };
    if (processId !== null) {
      const context = input.context ?? {};
      const start = { conversation, alternative: { runId }, answersId: respondsToId };
      await startAnswer(deps, tx, viewer, { ...start, processId, context });
    }
    const version = { conversation, turnId: turn.id, alternative, respondsToId, processId };
    await addVersion(deps, tx, viewer, version);
    return newId;
  });
  deps.wake();
  if (id === newId && turn.speaker === 'agent') deps.startSoon?.(runId);
  return getAlternative(deps, viewer, id);
}

function checkVersion({ speaker }: Turn, input: AddAlternative): Problem[] {
  const { content, processId, context } = input;
  if (speaker === 'agent') {
    if (content === null || content === undefined) return checkContextSize(context ?? {});
    const message = 'What an agent says is written by its Process; name that one instead.';
    return [problem('INVALID', ['content'], message)];
  }
  const given = { processId, context };
  const misplaced = Object.entries(given)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name]) => problem('INVALID', [name], `Only an agent's turn takes a ${name}.`));
  return [...checkContent(content ?? ''), ...misplaced];
}

/** The alternative of the parent turn that the new one answers; null for the root. @throws Refusal */
async function answered(
  tx: WriteTx,
  viewer: Viewer,
  turn: Turn,
  respondsToId: string | null,
): Promise<string | null> {
  const path = ['respondsToId'];
  const parents =
    turn.parentId === null ? [] : await listAlternatives(tx, viewer.userId, [turn.parentId]);
  const target = parents.find(({ id, isActive }) =>
    respondsToId === null ? isActive : id === respondsToId,
  );
  if (target === undefined) {
    if (respondsToId === null) return null;
    throw new Refusal([notFound('alternative of the parent turn', path)]);
  }
  if (target.outcome === null)
    throw new Refusal([problem('STATE', path, 'What it would answer is still being generated.')]);
  return target.id;
}

/** S4-CONV-06: what is run again is what ran, not what a UI offers. */
async function processFor(
  tx: WriteTx,
  viewer: Viewer,
  conversation: Conversation,
  { turnId, processId }: AddAlternative,
): Promise<string> {
  if (processId !== null && processId !== undefined) return processId;
  const versions = await listAlternatives(tx, viewer.userId, [turnId]);
  const shown = versions.find(({ isActive }) => isActive);
  const chosen = shown?.executedById ?? conversation.defaultProcessId;
  if (chosen === null) throw new Refusal([noProcess()]);
  return chosen;
}
