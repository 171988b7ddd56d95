import { instant } from '../../common/clock.ts';
import type { JsonObject } from '../../common/json.ts';
import { refuse } from '../../common/refusal.ts';
import {
  type ConversationDeps,
  lockConversation,
} from '../../conversations/conversation.mutations.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import type { Viewer } from '../../users/user.ts';
import type { Embeddings } from '../embeddings/embeddings.service.ts';
import { makeActive } from '../entities/active-entity.mutations.ts';
import { findEntities, insertEntities } from '../entities/entity.cypher.ts';
import { checkEntity, type Entity, type Facets, isCategory } from '../entities/entity.ts';
import { nameKey } from '../entities/name-match.ts';
import { userGroupOf } from '../group.ts';
import { memoryGraphEntry } from '../memory-graph-entry.ts';
import { findTwins } from './merge.cypher.ts';
import { makeOne } from './merge.mutations.ts';
import { findCandidates } from './resolution.cypher.ts';
import { isAlike } from './resolution.ts';

export interface EntityDeps extends ConversationDeps {
  readonly settings: SettingsSource;
  readonly embeddings: Embeddings;
}

export interface CreateEntity {
  /** Absent: the entity belongs to the user, outside any conversation. */
  readonly conversationId?: string | null | undefined;
  readonly name: string;
  readonly summary: string;
  readonly category?: string | null | undefined;
  readonly facets?: JsonObject | null | undefined;
}

/**
 * Creates an entity by hand, visible on every branch (S4-ENT-05). With a conversation, it is active
 * there at once. Extracted entities of the user are merged into it where they have the same name
 * and kind, or similar content from Settings.dedupSimilarityThreshold on (S4-ENT-07).
 * @throws Refusal REQUIRED, INVALID at a wrong field; NOT_FOUND, TOO_LARGE at `conversationId`
 */
export async function createEntity(
  deps: EntityDeps,
  viewer: Viewer,
  input: CreateEntity,
): Promise<Entity> {
  refuse(checkEntity(input));
  const conversationId = input.conversationId ?? null;
  const { userId, workspace } = viewer;
  const now = instant(deps.clock);
  const category = input.category != null && isCategory(input.category) ? input.category : null;
  const facets = (input.facets ?? null) as Facets | null;
  const entity: Entity = {
    uuid: deps.newId(),
    name: input.name.trim(),
    entityType: category,
    summary: input.summary.trim(),
    written: input.summary.trim(),
    groupId: conversationId ?? userGroupOf(userId),
    createdAt: now,
    validAt: now,
    sources: [
      {
        type: 'user',
        createdAt: now,
        createdBy: userId,
        episodeId: null,
        originalName: input.name.trim(),
        confidence: null,
      },
    ],
    facets,
    typing:
      category === null
        ? null
        : {
            category,
            confidence: {
              category: 1,
              facets: Object.fromEntries(Object.keys(facets ?? {}).map((name) => [name, 1])),
            },
            inferredBy: 'user',
          },
    enrichment: null,
    enrichedAt: null,
    enrichedById: null,
    edgeCount: 0,
    mergedFrom: [],
  };
  // The embedding model is called before the transaction, so no lock waits for it.
  const embedded = await deps.embeddings.embed([`${entity.name}: ${entity.summary}`]);
  const { dedupSimilarityThreshold: threshold } = await deps.settings.current();
  return writeAndWake(deps, async (tx) => {
    // The same order of locks as in `applyExtraction`, which prevents deadlocks.
    await lockResources(tx, [userId, conversationId]);
    const at = { ownerId: userId, workspace, conversationId };
    if (conversationId !== null)
      await lockConversation(tx, viewer, conversationId, ['conversationId']);
    await insertEntities(tx, userId, [entity]);
    await appendEntries(tx, [
      memoryGraphEntry(deps, at, 'entity.created', { entityUuid: entity.uuid }),
    ]);
    if (conversationId !== null)
      await makeActive(deps, tx, viewer, { conversationId, entityUuid: entity.uuid, choice: {} });
    return withTwins(deps, tx, viewer, entity, { embedded, threshold });
  });
}

interface Likeness {
  readonly embedded: Awaited<ReturnType<Embeddings['embed']>>;
  /** Entities with at least this cosine are one. */
  readonly threshold: number;
}

/** Merges extracted entities with the same name or similar content into the entity. */
async function withTwins(
  deps: ConversationDeps,
  tx: WriteTx,
  viewer: Viewer,
  entity: Entity,
  likeness: Likeness,
): Promise<Entity> {
  const { userId } = viewer;
  const named = await findTwins(tx, userId, entity);
  const alike = await findAlike(tx, userId, entity, likeness);
  const twins = [...new Set([...named, ...alike])];
  let kept = entity;
  for (const uuid of twins) {
    const found = await findEntities(tx, userId, [uuid, entity.uuid]);
    const lost = found.get(uuid);
    kept = found.get(entity.uuid) ?? kept;
    if (lost !== undefined) await makeOne(deps, tx, viewer, kept, lost);
  }
  if (twins.length === 0) return entity;
  return (await findEntities(tx, userId, [entity.uuid])).get(entity.uuid) ?? kept;
}

/** Uuids of extracted entities with similar content; none where there are no vectors. */
async function findAlike(
  tx: WriteTx,
  ownerId: string,
  entity: Entity,
  { embedded, threshold }: Likeness,
): Promise<string[]> {
  if (embedded === null) return [];
  const { uuid, name, entityType: category } = entity;
  const key = nameKey(name);
  const wanted = [{ key, name, same: null, vector: embedded.vectors[0] ?? null }];
  const scope = { ownerId, conversationId: null };
  const found = await findCandidates(tx, scope, wanted, embedded.slot);
  return (found.get(key) ?? [])
    .filter((one) => one.uuid !== uuid && !one.isUsers)
    .filter((one) => isAlike({ name, category }, one, threshold))
    .map((one) => one.uuid);
}
