import { instant } from '../common/clock.ts';
import type { JsonObject } from '../common/json.ts';
import type { Maybe } from '../common/maybe.ts';
import {
  found,
  notFound,
  type Problem,
  problem,
  Refusal,
  refuse,
  refuseState,
} from '../common/refusal.ts';
import { once } from '../idempotency/idempotency.mutations.ts';
import { checkIdempotencyKey } from '../idempotency/idempotency-key.ts';
import type { Graph, WriteTx } from '../platform/neo4j/graph.ts';
import type { RunDeps } from '../runs/run/ports.ts';
import { checkContextSize } from '../runs/start/run-checks.ts';
import { startRunIn } from '../runs/start/start.mutations.ts';
import { findLlmToolId } from '../settings/memory-settings.cypher.ts';
import type { BaseDeps, Viewer } from '../users/user.ts';
import { listAlternatives } from './alternative.cypher.ts';
import { activateIn, addVersion, getAlternative } from './alternative.mutations.ts';
import type { Alternative } from './alternative.ts';
import { type ContentPart, type GivenContent, readContent } from './content-part.ts';
import { setDefaultProcess } from './conversation.cypher.ts';
import { type ConversationDeps, lockOpenConversation } from './conversation.mutations.ts';
import type { Conversation } from './conversation.ts';
import { conversationEntry } from './conversation-entry.ts';
import {
  findPlace,
  findTurns,
  insertTurn,
  type NewAlternative,
  type Place,
} from './turn.cypher.ts';
import { checkSaidAt, type Speaker, saidAtOf, type Turn, type TurnType } from './turn.ts';

/** The parent of a new turn. Default: the end of the valid path; none for a first turn. */
export interface ParentChoice {
  readonly conversationId: string;
  readonly parentAlternativeId?: Maybe<string>;
  /**
   * True activates the parent with all that it answers. Otherwise a parent that is not on the valid
   * path is refused with STATE: the turn would be stale at once.
   */
  readonly activateParent?: Maybe<boolean>;
}
export interface AppendTurn extends ParentChoice, GivenContent {
  /** Default `user`. */
  readonly speaker?: Maybe<Speaker>;
  /** Default `message`. */
  readonly turnType?: Maybe<TurnType>;
  /** Time at which an imported turn was said, RFC 3339. Default: now. */
  readonly saidAt?: Maybe<string>;
  readonly idempotencyKey?: Maybe<string>;
}

/**
 * Appends a turn to a conversation without starting a run (S4-TURN-05).
 * @throws Refusal REQUIRED, INVALID at `content`; INVALID at `saidAt`; NOT_FOUND, STATE at
 * `conversationId` and `parentAlternativeId`; CONFLICT, INVALID at `idempotencyKey`
 */
export async function appendTurn(
  deps: ConversationDeps,
  viewer: Viewer,
  input: AppendTurn,
): Promise<Turn> {
  const { saidAt = null } = input;
  const nowMs = deps.clock.nowMs();
  const { stored, problems } = readContent(input);
  refuse([
    ...problems,
    ...checkSaidAt(saidAt, nowMs),
    ...checkIdempotencyKey(input.idempotencyKey),
  ]);
  const newTurnId = deps.newId();
  const request = { operation: 'appendTurn', input, resultId: newTurnId };
  const turnId = await once(deps, viewer, request, async (tx) => {
    const { conversation, parent } = await openParent(deps, tx, viewer, input);
    await addTurn(deps, tx, viewer, {
      conversation,
      parent,
      turn: {
        id: newTurnId,
        speaker: input.speaker ?? 'user',
        turnType: input.turnType ?? 'message',
      },
      alternative: {
        id: deps.newId(),
        ...stored,
        outcome: 'completed',
        runId: null,
        saidAt: saidAtOf(saidAt, nowMs),
      },
      processId: null,
    });
    return null;
  });
  return getTurn(deps, viewer, turnId);
}

export interface SendMessage extends ParentChoice, GivenContent {
  /** Absent: the default Process of the conversation. */
  readonly processId?: Maybe<string>;
  /** Default `{}`. */
  readonly context?: Maybe<JsonObject>;
  readonly idempotencyKey?: Maybe<string>;
}

/** Ids of the two turns and the run that a message creates. */
export interface SentMessage {
  readonly userTurn: string;
  readonly agentTurn: string;
  readonly run: string;
}

/**
 * Appends the user's turn and the agent's turn below it, and starts the run that writes the agent's
 * turn. The turns, the choice of the Process and the run are one transaction (S4-CONV-07).
 * @throws Refusal as appendTurn and startProcessRun; REQUIRED at `processId`
 */
export async function sendMessage(
  deps: RunDeps,
  viewer: Viewer,
  input: SendMessage,
): Promise<SentMessage> {
  const context = input.context ?? {};
  const { stored, problems } = readContent(input);
  refuse([...problems, ...checkIdempotencyKey(input.idempotencyKey), ...checkContextSize(context)]);
  const newTurnId = deps.newId();
  const userTurnId = deps.newId();
  const runId = deps.newId();
  const request = { operation: 'sendMessage', input, resultId: newTurnId };
  const agentTurnId = await once(deps, viewer, request, async (tx) => {
    const { conversation, parent } = await openParent(deps, tx, viewer, input);
    const processId = input.processId ?? conversation.defaultProcessId;
    if (processId === null) throw new Refusal([noProcess()]);
    const said = { id: deps.newId(), outcome: 'completed', runId: null } as const;
    const alternative = { ...said, ...stored };
    const turn = { id: userTurnId, speaker: 'user', turnType: 'message' } as const;
    await addTurn(deps, tx, viewer, { conversation, parent, turn, alternative, processId: null });
    const userTurn = { alternativeId: alternative.id, sequence: (parent?.sequence ?? 0) + 1 };
    const agentTurn = { turnId: newTurnId, runId, conversation, parent: userTurn };
    await addAgentTurn(deps, tx, viewer, { ...agentTurn, processId, context });
    return runId;
  });
  if (agentTurnId !== newTurnId) return getSentMessage(deps, viewer, agentTurnId);
  return { userTurn: userTurnId, agentTurn: newTurnId, run: runId };
}

function noProcess(): Problem {
  const message = 'Name a Process: this conversation has none that was used before.';
  return problem('REQUIRED', ['processId'], message);
}

/** The answer to a sendMessage that is repeated under its idempotency key. */
async function getSentMessage(
  deps: RunDeps,
  viewer: Viewer,
  agentTurnId: string,
): Promise<SentMessage> {
  const turn = await getTurn(deps, viewer, agentTurnId);
  const [first] = await deps.graph.read((tx) => listAlternatives(tx, viewer.userId, [turn.id]));
  const { parentId } = turn;
  if (parentId === null || first === undefined || first.runId === null)
    throw new Error('An answer has no question, or no run.');
  return { userTurn: parentId, agentTurn: turn.id, run: first.runId };
}

export interface GenerateTurn extends ParentChoice {
  readonly parentAlternativeId: string;
  readonly processId: string;
  /** Default `{}`. */
  readonly context?: Maybe<JsonObject>;
  readonly idempotencyKey?: Maybe<string>;
}

/**
 * Appends an agent's turn below any alternative, without a user's turn, and starts its run.
 * @throws Refusal as sendMessage
 */
export async function generateTurn(
  deps: RunDeps,
  viewer: Viewer,
  input: GenerateTurn,
): Promise<Turn> {
  const { processId } = input;
  const context = input.context ?? {};
  refuse([...checkIdempotencyKey(input.idempotencyKey), ...checkContextSize(context)]);
  const newTurnId = deps.newId();
  const runId = deps.newId();
  const request = { operation: 'generateTurn', input, resultId: newTurnId };
  const turnId = await once(deps, viewer, request, async (tx) => {
    const { conversation, parent } = await openParent(deps, tx, viewer, input);
    if (parent === null) throw new Error('A named parent was resolved to none.');
    const agentTurn = { turnId: newTurnId, runId, conversation, parent, processId, context };
    await addAgentTurn(deps, tx, viewer, agentTurn);
    return runId;
  });
  return getTurn(deps, viewer, turnId);
}

export interface AddAlternative {
  readonly turnId: string;
  /** The new text, for turns of users and the system only. */
  readonly content?: Maybe<string>;
  /** Images and files that follow the text, for turns of users and the system only. */
  readonly parts?: Maybe<readonly ContentPart[]>;
  /**
   * In place of `content` and `parts`: an alternative of the turn that says the same. So a message
   * is said again after another version of the turn above it.
   */
  readonly sameAsId?: Maybe<string>;
  /**
   * For turns of agents only. Absent: the Process that wrote the active alternative, else the
   * default Process of the conversation.
   */
  readonly processId?: Maybe<string>;
  /** An alternative of the parent turn. Absent: its active one. */
  readonly respondsToId?: Maybe<string>;
  /** For turns of agents only. Default `{}`. */
  readonly context?: Maybe<JsonObject>;
  readonly idempotencyKey?: Maybe<string>;
}

/**
 * Adds an alternative to a turn and activates it (S4-ALT-03). It is an edit of a user's or system
 * turn, or another run of an agent's turn.
 * @throws Refusal NOT_FOUND, STATE at `turnId`; REQUIRED, INVALID at `content`, `processId`;
 * NOT_FOUND, INVALID at `sameAsId`; NOT_FOUND, STATE at `respondsToId`; and as startProcessRun
 */
export async function addAlternative(
  deps: RunDeps,
  viewer: Viewer,
  input: AddAlternative,
): Promise<Alternative> {
  const turn = await getTurn(deps, viewer, input.turnId, ['turnId']);
  const { stored, problems } = await readVersion(deps, viewer, input);
  refuse([...checkVersion(turn, input, problems), ...checkIdempotencyKey(input.idempotencyKey)]);
  const newId = deps.newId();
  const runId = deps.newId();
  const request = { operation: 'addAlternative', input, resultId: newId };
  const id = await once(deps, viewer, request, async (tx) => {
    const conversation = await lockOpenConversation(tx, viewer, turn.conversationId, ['turnId']);
    const respondsToId = await resolveRespondsTo(tx, viewer, turn, input);
    const isAgent = turn.speaker === 'agent';
    const processId = isAgent ? await resolveProcess(tx, viewer, conversation, input) : null;
    const alternative =
      processId === null
        ? { id: newId, ...stored, outcome: 'completed' as const, runId: null }
        : { ...AWAITED, id: newId, runId };
    if (processId !== null) {
      const context = input.context ?? {};
      const start = { conversation, runId, answersId: respondsToId, processId, context };
      await startAnswer(deps, tx, viewer, start);
    }
    const version = { conversation, turnId: turn.id, alternative, respondsToId, processId };
    await addVersion(deps, tx, viewer, version);
    return isAgent ? runId : null;
  });
  return getAlternative(deps, viewer, id);
}

/** The content of a new version: the given one, or that of `sameAsId`. */
async function readVersion(
  deps: RunDeps,
  viewer: Viewer,
  { turnId, content, parts, sameAsId }: AddAlternative,
): Promise<ReturnType<typeof readContent>> {
  if (sameAsId == null) return readContent({ content: content ?? '', parts });
  const known = await deps.graph.read((tx) => listAlternatives(tx, viewer.userId, [turnId]));
  const same = known.find(({ id }) => id === sameAsId);
  const path = ['sameAsId'];
  const problems =
    same === undefined
      ? [notFound('alternative of this turn', path)]
      : content != null || parts != null
        ? [problem('INVALID', path, 'Give a content, or name the alternative that has it.')]
        : [];
  const stored = {
    content: same?.content ?? '',
    parts: same?.parts == null ? null : JSON.stringify(same.parts),
  };
  return { stored, problems };
}

/** @param ofContent problems of the content; an agent's turn is given none */
function checkVersion(
  { speaker }: Turn,
  input: AddAlternative,
  ofContent: readonly Problem[],
): Problem[] {
  const { content, parts, sameAsId, processId, context } = input;
  if (speaker === 'agent') {
    const isGiven = content != null || (parts ?? []).length > 0;
    if (!isGiven && sameAsId == null) return checkContextSize(context ?? {});
    const message = 'The text of an agent is written by its Process; name a Process instead.';
    return [problem('INVALID', [isGiven ? 'content' : 'sameAsId'], message)];
  }
  const agentFields = { processId, context };
  const misplaced = Object.entries(agentFields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name]) => problem('INVALID', [name], `Only an agent's turn takes a ${name}.`));
  return [...ofContent, ...misplaced];
}

/** The parent's alternative that the new one answers; null for the root. @throws Refusal */
async function resolveRespondsTo(
  tx: WriteTx,
  viewer: Viewer,
  turn: Turn,
  input: AddAlternative,
): Promise<string | null> {
  const respondsToId = input.respondsToId ?? null;
  const path = ['respondsToId'];
  const alternatives =
    turn.parentId === null ? [] : await listAlternatives(tx, viewer.userId, [turn.parentId]);
  const parent = alternatives.find(({ id, isActive }) =>
    respondsToId === null ? isActive : id === respondsToId,
  );
  if (parent === undefined) {
    if (respondsToId === null) return null;
    throw new Refusal([notFound('alternative of the parent turn', path)]);
  }
  if (parent.outcome === null) {
    const message = 'The alternative it would answer is still being generated.';
    refuseState(path, message);
  }
  return parent.id;
}

/** S4-CONV-06: a turn is generated again by the Process that wrote it, not by the default one. */
async function resolveProcess(
  tx: WriteTx,
  viewer: Viewer,
  conversation: Conversation,
  { turnId, processId }: AddAlternative,
): Promise<string> {
  if (processId !== null && processId !== undefined) return processId;
  const alternatives = await listAlternatives(tx, viewer.userId, [turnId]);
  const active = alternatives.find(({ isActive }) => isActive);
  const resolved = active?.executedById ?? conversation.defaultProcessId;
  if (resolved === null) throw new Refusal([noProcess()]);
  return resolved;
}

/**
 * Locks a conversation that takes turns and resolves the parent of a new turn; null for the root.
 * Activates the parent if `activateParent` asks for it. @throws Refusal NOT_FOUND, STATE
 */
async function openParent(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  input: ParentChoice,
): Promise<{ readonly conversation: Conversation; readonly parent: Place | null }> {
  const { conversationId } = input;
  const alternativeId = input.parentAlternativeId ?? null;
  const conversation = await lockOpenConversation(tx, viewer, conversationId, ['conversationId']);
  const parent = await findPlace(tx, { conversationId, alternativeId });
  if (parent === null && alternativeId === null) return { conversation, parent };
  refuse(checkParent(parent, input.activateParent === true ? 'activate' : 'refuse'));
  if (parent !== null && !(parent.isWhole && parent.isShown)) {
    const activation = { alternativeId: parent.alternativeId, path: 'whole' } as const;
    await activateIn(deps, tx, viewer, conversation, activation);
  }
  return { conversation, parent };
}

function checkParent(parent: Place | null, ifInactive: 'activate' | 'refuse'): Problem[] {
  const path = ['parentAlternativeId'];
  if (parent === null) return [notFound('alternative in this conversation', path)];
  if (parent.outcome === null)
    return [problem('STATE', path, 'This alternative is being generated; wait for its end.')];
  if (parent.isWhole || ifInactive === 'activate') return [];
  const message =
    'This alternative, or one that it answers, is not the active one of its turn; say ' +
    'activateParent: true.';
  return [problem('STATE', path, message)];
}

/** Writes an agent's turn below `parent` and starts the run that writes its content. */
async function addAgentTurn(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  agentTurn: {
    readonly turnId: string;
    readonly runId: string;
    readonly conversation: Conversation;
    readonly parent: Pick<Place, 'alternativeId' | 'sequence'>;
    readonly processId: string;
    readonly context: JsonObject;
  },
): Promise<void> {
  const { turnId, runId, conversation, parent, processId, context } = agentTurn;
  const alternative = { ...AWAITED, id: deps.newId(), runId };
  const turn = { id: turnId, speaker: 'agent', turnType: 'message' } as const;
  const start = { conversation, runId, answersId: parent.alternativeId, processId, context };
  await startAnswer(deps, tx, viewer, start);
  await addTurn(deps, tx, viewer, { conversation, parent, turn, alternative, processId });
}

/** An alternative whose run has not ended. */
const AWAITED = { content: null, outcome: null } as const;

/**
 * S4-CONV-07: starts the run that writes an alternative, and makes its Process the default one. The
 * LLM Tool of the viewer's memory settings replaces the system's LLM Tools in the run.
 */
async function startAnswer(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  start: {
    readonly conversation: Conversation;
    readonly runId: string;
    readonly answersId: string | null;
    readonly processId: string;
    readonly context: JsonObject;
  },
): Promise<void> {
  const { conversation, runId, answersId, processId, context } = start;
  const { id, defaultProcessId } = conversation;
  const input = { processId, context, conversationId: id };
  const llmToolId = await findLlmToolId(tx, viewer.userId);
  await startRunIn(deps, tx, viewer, { runId, input, answersId, llmToolId });
  // `conversation` was read under its lock, so its default Process is current.
  if (defaultProcessId !== processId)
    await setDefaultProcess(tx, { id, processId, now: instant(deps.clock) });
}

/** Writes a turn with its first alternative below its parent, and the entry `turn.added`. */
async function addTurn(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  added: {
    readonly conversation: Conversation;
    readonly parent: Pick<Place, 'alternativeId' | 'sequence'> | null;
    readonly turn: Pick<Turn, 'id' | 'speaker' | 'turnType'>;
    readonly alternative: NewAlternative;
    readonly processId: string | null;
  },
): Promise<void> {
  const { conversation, parent, turn, alternative, processId } = added;
  const { id: conversationId, ownerId } = conversation;
  const place = { ...conversation, workspace: viewer.workspace };
  await insertTurn(tx, {
    turn: { ...turn, conversationId, ownerId },
    sequence: (parent?.sequence ?? 0) + 1,
    alternative,
    parentAlternativeId: parent?.alternativeId ?? null,
    processId,
    now: instant(deps.clock),
    entries: [
      conversationEntry(deps, place, 'turn.added', {
        turnId: turn.id,
        alternativeId: alternative.id,
        copiedFromId: null,
      }),
    ],
  });
}

/** The viewer's own turn. @throws Refusal NOT_FOUND */
export async function getTurn(
  deps: { readonly graph: Graph },
  viewer: Viewer,
  id: string,
  path: readonly string[] = ['id'],
): Promise<Turn> {
  return found(await deps.graph.read((tx) => findTurns(tx, viewer.userId, [id])), 'turn', path);
}
