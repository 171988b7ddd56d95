import { instant } from '../common/clock.ts';
import type { Maybe } from '../common/maybe.ts';
import { found, notFound, type Problem, problem, refuse } from '../common/refusal.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import type { Graph, ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import type { BaseDeps, Viewer } from '../users/user.ts';
import {
  findConversations,
  findProcessChoice,
  insertConversation,
  setDefaultProcess,
  updateConversationNode,
} from './conversation.cypher.ts';
import {
  type Conversation,
  type ConversationStatus,
  checkRecall,
  checkTakesTurns,
  checkTitle,
  RECALL_DEFAULT,
  type RecallInput,
  recallAfter,
} from './conversation.ts';
import { conversationEntry } from './conversation-entry.ts';

export interface ConversationDeps extends BaseDeps {
  readonly graph: Graph;
  /** Wakes the relay after a commit that wrote entries. Does not wait for it. */
  wake(): void;
}

/**
 * Creates an empty conversation of the viewer (S4-CONV-02).
 * @throws Refusal INVALID at `title`, `recall.tokens`; NOT_FOUND, DISABLED at `defaultProcessId`
 * (S4-CONV-05)
 */
export async function createConversation(
  deps: ConversationDeps,
  viewer: Viewer,
  input: {
    readonly title?: Maybe<string>;
    readonly defaultProcessId?: Maybe<string>;
    readonly recall?: Maybe<RecallInput>;
  },
): Promise<Conversation> {
  const conversation = newConversation(deps, viewer, {
    id: deps.newId(),
    title: input.title ?? null,
    defaultProcessId: input.defaultProcessId ?? null,
    recall: recallAfter(RECALL_DEFAULT, input.recall),
  });
  await writeAndWake(deps, async (tx) => {
    refuse([
      ...checkTitle(input.title),
      ...checkRecall(input.recall),
      ...(await checkDefaultProcess(tx, viewer, conversation.defaultProcessId)),
    ]);
    await insertNew(deps, tx, viewer, conversation);
  });
  return conversation;
}

/** Creates the viewer's conversation with this id where it is not there yet. */
export async function openConversation(
  deps: ConversationDeps,
  viewer: Viewer,
  { id, title }: { readonly id: string; readonly title: string },
): Promise<void> {
  await writeAndWake(deps, async (tx) => {
    // Of two requests at once, the second one finds it.
    await lockResources(tx, [viewer.userId]);
    const [known] = await findConversations(tx, viewer.userId, [id]);
    if (known !== undefined) return;
    const fields = { id, title, defaultProcessId: null, recall: RECALL_DEFAULT };
    await insertNew(deps, tx, viewer, newConversation(deps, viewer, fields));
  });
}

function newConversation(
  deps: ConversationDeps,
  viewer: Viewer,
  fields: Pick<Conversation, 'id' | 'title' | 'defaultProcessId' | 'recall'>,
): Conversation {
  const now = instant(deps.clock);
  return {
    ...fields,
    ownerId: viewer.userId,
    status: 'active',
    forkedFrom: null,
    createdAt: now,
    updatedAt: now,
  };
}

async function insertNew(
  deps: ConversationDeps,
  tx: WriteTx,
  viewer: Viewer,
  conversation: Conversation,
): Promise<void> {
  const { title } = conversation;
  const place = { ...conversation, workspace: viewer.workspace };
  const entry = conversationEntry(deps, place, 'conversation.created', {
    title,
    forkedFromId: null,
  });
  await insertConversation(tx, conversation, entry);
}

async function checkDefaultProcess(
  tx: ReadTx,
  viewer: Viewer,
  processId: string | null,
): Promise<Problem[]> {
  if (processId === null) return [];
  const path = ['defaultProcessId'];
  const choice = await findProcessChoice(tx, viewer, processId);
  if (choice === null) return [notFound('Process', path)];
  if (choice.enabled) return [];
  return [problem('DISABLED', path, `The Process ${choice.name} is disabled.`)];
}

export interface UpdateConversation {
  readonly id: string;
  /** Null removes it. */
  readonly title?: Maybe<string>;
  /** Null removes it. */
  readonly defaultProcessId?: Maybe<string>;
  readonly status?: Maybe<ConversationStatus>;
  /** Null restores the defaults. */
  readonly recall?: Maybe<RecallInput>;
}

/**
 * Changes the title, the default Process, the recall or the status of a conversation (S4-CONV-03).
 * Absent fields stay as they are.
 * @throws Refusal NOT_FOUND; and as createConversation
 */
export async function updateConversation(
  deps: ConversationDeps,
  viewer: Viewer,
  input: UpdateConversation,
): Promise<Conversation> {
  return writeAndWake(deps, async (tx) => {
    const current = await lockConversation(tx, viewer, input.id, ['id']);
    const { title, defaultProcessId } = input;
    const next: Conversation = {
      ...current,
      title: title === undefined ? current.title : title,
      status: input.status ?? current.status,
      recall: recallAfter(current.recall, input.recall),
      defaultProcessId:
        defaultProcessId === undefined ? current.defaultProcessId : defaultProcessId,
      updatedAt: instant(deps.clock),
    };
    const isOtherProcess = next.defaultProcessId !== current.defaultProcessId;
    refuse([
      ...checkTitle(title),
      ...checkRecall(input.recall),
      ...(isOtherProcess ? await checkDefaultProcess(tx, viewer, next.defaultProcessId) : []),
    ]);
    const place = { ...next, workspace: viewer.workspace };
    const { status } = next;
    const entry = conversationEntry(deps, place, 'conversation.updated', {
      title: next.title,
      status,
      wasStatus: current.status,
      defaultProcessId: next.defaultProcessId,
      recall: next.recall,
    });
    await updateConversationNode(tx, next, entry);
    if (isOtherProcess) {
      const { id, defaultProcessId: processId, updatedAt: now } = next;
      await setDefaultProcess(tx, { id, processId, now });
    }
    return next;
  });
}

/**
 * Reads the viewer's own conversation under its lock, which is held until the transaction ends.
 * Every change of the conversation's tree takes this lock first, so that no two changes start from
 * the same state. @throws Refusal NOT_FOUND
 */
export async function lockConversation(
  tx: WriteTx,
  viewer: Viewer,
  id: string,
  path: readonly string[],
): Promise<Conversation> {
  await lockResources(tx, [id]);
  return found(await findConversations(tx, viewer.userId, [id]), 'conversation', path);
}

/** As lockConversation. @throws Refusal NOT_FOUND; STATE if the conversation is archived */
export async function lockOpenConversation(
  tx: WriteTx,
  viewer: Viewer,
  id: string,
  path: readonly string[],
): Promise<Conversation> {
  const conversation = await lockConversation(tx, viewer, id, path);
  refuse(checkTakesTurns(conversation, path));
  return conversation;
}
