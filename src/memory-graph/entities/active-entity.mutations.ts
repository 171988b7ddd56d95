import { instant } from '../../common/clock.ts';
import type { Maybe } from '../../common/maybe.ts';
import { found, notFound, Refusal, refuse } from '../../common/refusal.ts';
import { findConversations } from '../../conversations/conversation.cypher.ts';
import {
  type ConversationDeps,
  lockConversation,
} from '../../conversations/conversation.mutations.ts';
import type { Conversation } from '../../conversations/conversation.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import type { BaseDeps, Viewer } from '../../users/user.ts';
import { memoryGraphEntry } from '../memory-graph-entry.ts';
import {
  type ActiveChoice,
  countActiveEntities,
  findActiveState,
  setActive,
  unsetActive,
  changeActive as writeActive,
} from './active-entity.cypher.ts';
import { ACTIVE_ENTITIES_MAX, checkRelevance } from './active-entity.ts';
import { planActive } from './active-relevance.ts';
import { findEntities } from './entity.cypher.ts';

export interface SetActiveEntity {
  readonly conversationId: string;
  readonly entityUuid: string;
  readonly relevanceScore?: Maybe<number>;
  readonly includeSummary?: Maybe<boolean>;
  readonly includeFacets?: Maybe<boolean>;
  readonly includeRelationships?: Maybe<boolean>;
}

/**
 * Makes an entity active in a conversation, or changes its flags (S4-CONV-08). Absent fields stay.
 * The entity is pinned: it stays active until it is removed.
 * @throws Refusal INVALID at `relevanceScore`; NOT_FOUND at `conversationId`, `entityUuid`;
 * TOO_LARGE at `conversationId`
 */
export async function setActiveEntity(
  deps: ConversationDeps,
  viewer: Viewer,
  { conversationId, entityUuid, ...given }: SetActiveEntity,
): Promise<Conversation> {
  refuse(checkRelevance(given.relevanceScore));
  const choice = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value != null),
  ) as ActiveChoice;
  await changeActive(deps, viewer, { conversationId, entityUuid }, (tx, uuid) =>
    makeActive(deps, tx, viewer, { conversationId, entityUuid: uuid, choice }),
  );
  return stored(deps, viewer, conversationId);
}

/**
 * Makes an entity inactive (S4-CONV-08); mentions do not bring it back. Does nothing where it is
 * not active. @throws Refusal NOT_FOUND
 */
export async function removeActiveEntity(
  deps: ConversationDeps,
  viewer: Viewer,
  input: { readonly conversationId: string; readonly entityUuid: string },
): Promise<Conversation> {
  await changeActive(deps, viewer, input, (tx, entityUuid) => {
    const { conversationId } = input;
    const entry = memoryGraphEntry(deps, entryAt(viewer, conversationId), 'entity.deactivated', {
      entityUuid,
    });
    return unsetActive(tx, { conversationId, entityUuid, now: instant(deps.clock), entry });
  });
  return stored(deps, viewer, input.conversationId);
}

/** Checks both ids, locks the conversation and calls `change` with the uuid after merges. */
async function changeActive(
  deps: ConversationDeps,
  viewer: Viewer,
  { conversationId, entityUuid }: { readonly conversationId: string; readonly entityUuid: string },
  change: (tx: WriteTx, entityUuid: string) => Promise<void>,
): Promise<void> {
  await writeAndWake(deps, async (tx) => {
    await lockConversation(tx, viewer, conversationId, ['conversationId']);
    const entity = (await findEntities(tx, viewer.userId, [entityUuid])).get(entityUuid);
    if (entity === undefined) throw new Refusal([notFound('entity', ['entityUuid'])]);
    await change(tx, entity.uuid);
  });
}

/**
 * The caller has checked both ids and holds the conversation's lock.
 * @throws Refusal TOO_LARGE at `conversationId`
 */
export async function makeActive(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  set: {
    readonly conversationId: string;
    readonly entityUuid: string;
    readonly choice: ActiveChoice;
  },
): Promise<void> {
  const { count, isActive } = await countActiveEntities(tx, set);
  if (!isActive && count >= ACTIVE_ENTITIES_MAX) {
    const message =
      `A conversation has at most ${ACTIVE_ENTITIES_MAX} entities that its user made active; ` +
      'remove one first.';
    throw Refusal.of('TOO_LARGE', ['conversationId'], message);
  }
  const { entityUuid } = set;
  const at = entryAt(viewer, set.conversationId);
  const entry = memoryGraphEntry(deps, at, 'entity.activated', { entityUuid });
  await setActive(tx, { ...set, now: instant(deps.clock), entry });
}

/**
 * Makes the entities that the conversation mentioned lately active, up to `max`, and the least
 * relevant inactive. The caller holds the conversation's lock, so it never meets a user's choice
 * half-made.
 */
export async function updateActiveEntities(
  deps: BaseDeps,
  tx: WriteTx,
  at: { readonly ownerId: string; readonly workspace: string; readonly conversationId: string },
  max: number,
): Promise<void> {
  const { conversationId } = at;
  const state = await findActiveState(tx, conversationId);
  if (state === null) return;
  const changes = planActive({ ...state, max });
  const { activate, refresh, deactivate } = changes;
  if (activate.length + refresh.length + deactivate.length === 0) return;
  const entries = [
    ...activate.map(({ entityUuid }) =>
      memoryGraphEntry(deps, at, 'entity.activated', { entityUuid }),
    ),
    ...deactivate.map((entityUuid) =>
      memoryGraphEntry(deps, at, 'entity.deactivated', { entityUuid }),
    ),
  ];
  await writeActive(tx, { conversationId, now: instant(deps.clock), changes, entries });
}

function entryAt({ userId: ownerId, workspace }: Viewer, conversationId: string) {
  return { ownerId, workspace, conversationId };
}

async function stored(
  deps: ConversationDeps,
  { userId }: Viewer,
  id: string,
): Promise<Conversation> {
  return found(await deps.graph.read((tx) => findConversations(tx, userId, [id])), 'conversation', [
    'conversationId',
  ]);
}
