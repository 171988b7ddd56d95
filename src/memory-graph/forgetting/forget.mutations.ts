import { instant } from '../../common/clock.ts';
import { notFound, Refusal } from '../../common/refusal.ts';
import type { ConversationDeps } from '../../conversations/conversation.mutations.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import { tellSummaries } from '../entities/told-summary.cypher.ts';
import { memoryGraphEntry } from '../memory-graph-entry.ts';
import {
  deleteStatements,
  findStatements,
  findStatementsOn,
  listFactsOfStatement,
} from '../statements/statement.cypher.ts';
import {
  findForgotten,
  findToForget,
  forget,
  markForgottenStatement,
  type ToForget,
} from './forget.cypher.ts';
import type { Forgettable, Forgotten } from './forgotten.ts';
import { forgottenKey } from './forgotten-key.service.ts';

export interface ForgetEntity {
  readonly uuid: string;
  /** Number of facts that the user saw; absent: not checked. */
  readonly confirmFacts?: number | null | undefined;
}

/**
 * Forgets a fact with the texts that rest on it (docs/decisions/0076). A repeated call answers the
 * same. @throws Refusal NOT_FOUND at `uuid`
 */
export function forgetFact(
  deps: ConversationDeps,
  viewer: Viewer,
  { uuid }: { readonly uuid: string },
): Promise<Forgotten> {
  return forgetOne(deps, viewer, 'fact', { uuid });
}

/**
 * Forgets an entity with its facts, mentions and summaries. A repeated call answers the same.
 * @throws Refusal NOT_FOUND at `uuid`; CONFLICT at `confirmFacts` where it has another number of
 * facts
 */
export function forgetEntity(
  deps: ConversationDeps,
  viewer: Viewer,
  input: ForgetEntity,
): Promise<Forgotten> {
  return forgetOne(deps, viewer, 'entity', input);
}

/**
 * Forgets a statement with the facts that it states. A repeated call answers the same.
 * @throws Refusal NOT_FOUND at `uuid`
 */
export async function forgetStatement(
  deps: ConversationDeps,
  viewer: Viewer,
  { uuid }: { readonly uuid: string },
): Promise<Forgotten> {
  const { userId } = viewer;
  const factUuids = await deps.graph.read((tx) => listFactsOfStatement(tx, userId, uuid));
  const forgotten = await deps.graph.write(async (tx) => {
    await lockResources(tx, [userId]);
    const [found] = await findStatements(tx, userId, [uuid]);
    if (found === undefined) {
      const earlier = await findForgotten(tx, userId, 'statement', uuid);
      if (earlier === null) throw new Refusal([notFound('statement', ['uuid'])]);
      return earlier;
    }
    const now = instant(deps.clock);
    const keys = [forgottenKey(userId, 'statement', found.text)];
    await deleteStatements(tx, userId, [uuid]);
    await markForgottenStatement(tx, userId, { uuid, keys, episodes: found.episodes, now });
    const gone = { uuid, factUuids: [], conversationIds: [] };
    await appendEntries(tx, entriesOf(deps, viewer, 'statement', gone));
    const none = { facts: 0, mentions: 0, summaries: 0, vectors: 0, conversations: 0 };
    return { uuid, kind: 'statement' as const, ...none, statements: 1, forgottenAt: now };
  });
  for (const fact of factUuids) await forgetFact(deps, viewer, { uuid: fact });
  deps.wake();
  return forgotten;
}

/**
 * Forgets the fact, statement or entity that has this uuid. A repeated call answers the same.
 * @throws Refusal NOT_FOUND at `uuid`
 */
export async function forgetMemory(
  deps: ConversationDeps,
  viewer: Viewer,
  input: ForgetEntity,
): Promise<Forgotten> {
  for (const forgetKind of [forgetFact, forgetStatement, forgetEntity]) {
    try {
      return await forgetKind(deps, viewer, input);
    } catch (error) {
      const isOther =
        error instanceof Refusal && error.problems.every(({ code }) => code === 'NOT_FOUND');
      if (!isOther) throw error;
    }
  }
  throw new Refusal([notFound('memory', ['uuid'])]);
}

async function forgetOne(
  deps: ConversationDeps,
  viewer: Viewer,
  kind: 'fact' | 'entity',
  { uuid, confirmFacts }: ForgetEntity,
): Promise<Forgotten> {
  const { userId } = viewer;
  const before = await deps.graph.read((tx) => findToForget(tx, userId, kind, uuid));
  return writeAndWake(deps, async (tx) => {
    // Extraction, enrichment and merges hold the user's lock; changes of active entities that of
    // the conversation.
    await lockResources(tx, [userId, ...(before?.conversationIds ?? [])]);
    const found = await findToForget(tx, userId, kind, uuid);
    if (found === null) {
      const earlier = await findForgotten(tx, userId, kind, uuid);
      if (earlier === null) throw new Refusal([notFound(kind, ['uuid'])]);
      return earlier;
    }
    if (confirmFacts != null && confirmFacts !== found.facts) {
      const message = `It has ${found.facts} facts now, not ${confirmFacts}.`;
      throw Refusal.of('CONFLICT', ['confirmFacts'], message);
    }
    const now = instant(deps.clock);
    const resting = await findStatementsOn(tx, userId, {
      [kind === 'fact' ? 'factUuids' : 'entityUuids']: [found.uuid],
    });
    const told = resting.get(found.uuid) ?? [];
    const keys = [
      ...found.texts.map((text) => forgottenKey(userId, kind, text)),
      ...told.map(({ text }) => forgottenKey(userId, 'statement', text)),
    ];
    await deleteStatements(
      tx,
      userId,
      told.map((one) => one.uuid),
    );
    const statements = told.length;
    await forget(tx, userId, kind, { found, keys: [...new Set(keys)], statements, now });
    await tellSummaries(tx, found.restUuids, now);
    await appendEntries(tx, entriesOf(deps, viewer, kind, found));
    const { facts, mentions, summaries, vectors, conversations } = found;
    const counts = { facts, statements, mentions, summaries, vectors, conversations };
    return { uuid: found.uuid, kind, ...counts, forgottenAt: now };
  });
}

/** One entry per conversation that shows it; one without a conversation where none does. */
function entriesOf(
  deps: ConversationDeps,
  { userId: ownerId, workspace }: Viewer,
  kind: Forgettable,
  { uuid, factUuids, conversationIds }: Pick<ToForget, 'uuid' | 'factUuids' | 'conversationIds'>,
) {
  const places = conversationIds.length === 0 ? [null] : conversationIds;
  return places.map((conversationId) =>
    memoryGraphEntry(deps, { ownerId, workspace, conversationId }, 'memory.forgotten', {
      memory: kind,
      uuid,
      factUuids: [...factUuids],
    }),
  );
}
