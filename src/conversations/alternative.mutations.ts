import { instant } from '../common/clock.ts';
import type { Maybe } from '../common/maybe.ts';
import { found } from '../common/refusal.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import type { Graph, WriteTx } from '../platform/neo4j/graph.ts';
import type { BaseDeps, Viewer } from '../users/user.ts';
import { activate, findAlternatives, insertAlternative } from './alternative.cypher.ts';
import type { Alternative } from './alternative.ts';
import { type ConversationDeps, lockConversation } from './conversation.mutations.ts';
import type { Conversation } from './conversation.ts';
import { conversationEntry } from './conversation-entry.ts';
import type { NewAlternative } from './turn.cypher.ts';

/**
 * Writes another alternative of a turn with its entries, and activates it (S4-ALT-03). The caller
 * holds the conversation's lock.
 */
export async function addVersion(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  version: {
    readonly conversation: Conversation;
    readonly turnId: string;
    readonly alternative: NewAlternative;
    readonly respondsToId: string | null;
    readonly processId: string | null;
  },
): Promise<void> {
  const { conversation, turnId, respondsToId, processId } = version;
  const { id: conversationId, ownerId } = conversation;
  const alternative = { ...version.alternative, turnId, conversationId, ownerId };
  const now = instant(deps.clock);
  await insertAlternative(tx, { alternative, respondsToId, processId, now });
  const place = { ...conversation, workspace: viewer.workspace };
  const payload = { turnId, alternativeId: alternative.id };
  await appendEntries(tx, [conversationEntry(deps, place, 'alternative.added', payload)]);
  const activation = { alternativeId: alternative.id, path: 'below' } as const;
  await activateIn(deps, tx, viewer, conversation, activation);
}

/**
 * Activates an alternative and writes an entry `alternative.activated` for each that comes on
 * screen by it. Does nothing if all are there already. The caller holds the conversation's lock.
 */
export async function activateIn(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  conversation: Conversation,
  activation: { readonly alternativeId: string; readonly path: 'below' | 'whole' },
): Promise<void> {
  const activated = await activate(tx, { ...activation, now: instant(deps.clock) });
  const place = { ...conversation, workspace: viewer.workspace };
  const entries = activated.map(({ turnId, alternativeId, staleIds: staleAlternativeIds }) =>
    conversationEntry(deps, place, 'alternative.activated', {
      ...{ turnId, alternativeId, staleAlternativeIds },
    }),
  );
  if (entries.length > 0) await appendEntries(tx, entries);
}

export interface ActivateAlternative {
  readonly id: string;
  /** True also activates all that it answers, up to the root. */
  readonly wholePath?: Maybe<boolean>;
}

/**
 * Makes an alternative the active one of its turn, and shows the continuation that it had
 * (S4-ALT-04). Older turns stay as they are, unless `wholePath` asks for them (S4-ALT-10). Only the
 * path on screen changes, so archived conversations allow it too.
 * @throws Refusal NOT_FOUND
 */
export async function activateAlternative(
  deps: ConversationDeps,
  viewer: Viewer,
  { id, wholePath }: ActivateAlternative,
): Promise<Alternative> {
  const { conversationId } = await getAlternative(deps, viewer, id);
  await writeAndWake(deps, async (tx) => {
    const conversation = await lockConversation(tx, viewer, conversationId, ['id']);
    const path = wholePath === true ? 'whole' : 'below';
    await activateIn(deps, tx, viewer, conversation, { alternativeId: id, path });
  });
  return getAlternative(deps, viewer, id);
}

/** The viewer's own alternative. @throws Refusal NOT_FOUND */
export async function getAlternative(
  deps: { readonly graph: Graph },
  viewer: Viewer,
  id: string,
): Promise<Alternative> {
  return found(
    await deps.graph.read((tx) => findAlternatives(tx, viewer.userId, [id])),
    'alternative',
  );
}
