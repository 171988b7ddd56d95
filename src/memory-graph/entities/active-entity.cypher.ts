import { z } from 'zod';
import { isTrue, JsonMap, numberOrNull, textOrNull } from '../../common/stored.ts';
import { VALID_PATH } from '../../conversations/path.cypher.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { Float, type ReadTx, type WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, isRow, parseRow, textOf } from '../../platform/neo4j/row.ts';
import { readOne, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import {
  ACTIVE_DEFAULTS,
  ACTIVE_FACTS_MAX,
  type ActiveEntity,
  type EntityReference,
  type Inclusion,
  MENTIONS_READ,
} from './active-entity.ts';
import { type ActiveChanges, RECENT_TURNS } from './active-relevance.ts';
import { ENTITY_ORIGINS, type EntityOrigin, entityTypeOf, FacetsText } from './entity.ts';

/** Binds `active`: the active entities of `c`, most relevant first, with the included content. */
export const ACTIVE_ENTITIES = /* cypher */ `
  CALL (c) {
    OPTIONAL MATCH (c)-[h:HAS_ACTIVE_ENTITY]->(e:Entity)
    WHERE NOT EXISTS { (e)-[:HAS_PROFILE]->(p:EntityProfile) WHERE p.withdrawnAt IS NOT NULL }
    WITH h, e ORDER BY h.relevance DESC, h.addedAt, e.uuid
    RETURN collect(CASE WHEN e IS NULL THEN null ELSE {entityUuid: e.uuid, name: e.name,
      labels: labels(e), relevance: h.relevance, addedAt: h.addedAt, pinned: h.pinned,
      includeSummary: h.includeSummary, includeFacets: h.includeFacets,
      includeRelationships: h.includeRelationships, summary: e.summary,
      facets: head([(e)-[:HAS_PROFILE]->(p:EntityProfile) | p.facets]),
      origins: [(e)-[:HAS_PROFILE]->(:EntityProfile)-[:HAS_SOURCE]->(s:EntitySource) | s.type],
      mentionedIn: [(e)<-[:MENTIONS]-(:Episodic {group_id: c.id})<-[:HAS_CONTENT]-(a:Alternative) |
        a.id][..${MENTIONS_READ}],
      facts: CASE WHEN coalesce(h.includeRelationships, false) THEN COLLECT {
          MATCH (e)-[r:RELATES_TO]-(:Entity)
          WHERE r.invalid_at > datetime() OR (r.invalid_at IS NULL AND r.expired_at IS NULL)
          WITH DISTINCT r ORDER BY r.created_at DESC, r.uuid LIMIT ${ACTIVE_FACTS_MAX}
          RETURN r.fact
        } ELSE [] END} END) AS active
  }
`;

/** Edges that other tools wrote may lack the properties that we always write. */
const ActiveEntityRow = z.object({
  entityUuid: z.string(),
  name: z.string(),
  labels: z.array(z.string()),
  relevance: numberOrNull,
  addedAt: z.string(),
  /** Absent in edges of older versions, which only users made. */
  pinned: z.boolean().nullable().default(true),
  includeSummary: z.boolean().nullable(),
  includeFacets: isTrue,
  includeRelationships: isTrue,
  summary: textOrNull,
  facets: FacetsText.nullable(),
  origins: z.array(z.enum(ENTITY_ORIGINS)),
  mentionedIn: z.array(z.string()).default([]),
  facts: z.array(z.string()),
});

export function toActiveEntity(row: unknown): ActiveEntity {
  const { labels, relevance, origins, pinned, includeSummary, summary, ...entity } = parseRow(
    ActiveEntityRow,
    row,
    `Entity ${isRow(row) ? row['entityUuid'] : ''}, active in a conversation,`,
  );
  return {
    ...entity,
    category: entityTypeOf(labels),
    relevanceScore: relevance ?? ACTIVE_DEFAULTS.relevanceScore,
    source: originOf(origins),
    pinned: pinned ?? true,
    includeSummary: includeSummary ?? ACTIVE_DEFAULTS.includeSummary,
    summary: summary ?? '',
  };
}

/** The list `active` of a row. @throws DamagedRow */
export function toActiveEntities(active: unknown): ActiveEntity[] {
  return parseRow(Maps, active, 'Active entities').map(toActiveEntity);
}
const Maps = z.array(JsonMap);

function originOf(origins: readonly EntityOrigin[]): EntityOrigin {
  if (origins.includes('user')) return 'user';
  return origins.length > 0 && origins.every((origin) => origin === 'enrichment')
    ? 'enrichment'
    : 'graphiti';
}

const LIST = cypher`
  // listActiveEntities
  MATCH (c:Conversation) WHERE c.id IN $ids AND c.ownerId = $viewerId
  ${ACTIVE_ENTITIES}
  RETURN c.id AS id, active
`;

/** The active entities of each conversation, most relevant first. */
export async function listActiveEntities(
  tx: ReadTx,
  viewerId: string,
  conversationIds: readonly string[],
): Promise<Map<string, EntityReference[]>> {
  const rows = await tx.run(LIST, { ids: conversationIds, viewerId });
  return new Map(
    rows.map((row) => [textOf(row, 'id', 'Conversation'), toActiveEntities(row['active'])]),
  );
}

const COUNT = cypher`
  // countActiveEntities
  MATCH (c:Conversation {id: $conversationId})
  RETURN COUNT { (c)-[h:HAS_ACTIVE_ENTITY]->() WHERE coalesce(h.pinned, true) } AS count,
    EXISTS { (c)-[:HAS_ACTIVE_ENTITY]->(:Entity {uuid: $entityUuid}) } AS isActive
`;

/** The number of pinned entities, and whether this one is active; under the conversation's lock. */
export async function countActiveEntities(
  tx: ReadTx,
  at: { readonly conversationId: string; readonly entityUuid: string },
): Promise<{ readonly count: number; readonly isActive: boolean }> {
  const [row] = await tx.run(COUNT, at);
  if (row === undefined) return { count: 0, isActive: false };
  return { count: countOf([row], 'count'), isActive: row['isActive'] === true };
}

const SET = cypher`
  // setActiveEntity
  MATCH (c:Conversation {id: $conversationId}), (e:Entity {uuid: $entityUuid})
  MERGE (c)-[h:HAS_ACTIVE_ENTITY]->(e)
  ON CREATE SET h = $defaults, h.addedAt = datetime($now)
  SET h += $given, h.pinned = true, c.updatedAt = datetime($now)
  WITH c, e
  OPTIONAL MATCH (c)-[refused:HAS_DISMISSED_ENTITY]->(e)
  DELETE refused
  WITH DISTINCT c
  ${CREATE_ENTRIES}
`;

export type ActiveChoice = Partial<Inclusion> & { readonly relevanceScore?: number };

/**
 * Makes an entity active and pins it (S4-CONV-08). Absent fields stay; on a new edge they get the
 * defaults.
 */
export async function setActive(
  tx: WriteTx,
  set: {
    readonly conversationId: string;
    readonly entityUuid: string;
    readonly choice: ActiveChoice;
    readonly now: string;
    readonly entry: OutboxEntry;
  },
): Promise<void> {
  const { choice, entry, ...params } = set;
  await tx.run(SET, {
    ...params,
    defaults: edgeOf(ACTIVE_DEFAULTS),
    given: edgeOf(choice),
    entries: entryParams([entry]),
  });
}

const edgeOf = ({ relevanceScore, ...flags }: ActiveChoice) => ({
  ...flags,
  ...(relevanceScore === undefined ? {} : { relevance: new Float(relevanceScore) }),
});

const UNSET = cypher`
  // removeActiveEntity
  MATCH (c:Conversation {id: $conversationId})-[h:HAS_ACTIVE_ENTITY]->(e:Entity {uuid: $entityUuid})
  DELETE h
  MERGE (c)-[refused:HAS_DISMISSED_ENTITY]->(e)
  ON CREATE SET refused.at = datetime($now)
  SET c.updatedAt = datetime($now)
  WITH c
  ${CREATE_ENTRIES}
`;

/**
 * Makes an entity inactive for good: mentions do not make it active again. Does nothing, and writes
 * no outbox entry, where the entity is not active.
 */
export const unsetActive = (
  tx: WriteTx,
  {
    entry,
    ...unset
  }: {
    readonly conversationId: string;
    readonly entityUuid: string;
    readonly now: string;
    readonly entry: OutboxEntry;
  },
) => runWrite(tx, UNSET, { ...unset, entries: entryParams([entry]) });

const FIND_STATE = cypher`
  // findActiveState
  MATCH (c:Conversation {id: $conversationId})
  ${VALID_PATH}
  WITH c, reverse(valid)[0..$turns] AS recent
  RETURN
    COLLECT { MATCH (c)-[h:HAS_ACTIVE_ENTITY]->(e:Entity)
      RETURN {entityUuid: e.uuid, relevance: coalesce(h.relevance, 1.0),
        pinned: coalesce(h.pinned, true)} } AS active,
    COLLECT { MATCH (c)-[:HAS_DISMISSED_ENTITY]->(e:Entity) RETURN e.uuid } AS dismissed,
    COLLECT {
      UNWIND range(0, size(recent) - 1) AS age
      WITH age, recent[age] AS a
      MATCH (a)-[:HAS_CONTENT]->(:Episodic)-[:MENTIONS]->(e:Entity)
      RETURN DISTINCT {entityUuid: e.uuid, age: age} } AS mentions
`;

const ActiveStateRow = z.object({
  active: z.array(z.object({ entityUuid: z.string(), relevance: z.number(), pinned: z.boolean() })),
  dismissed: z.array(z.string()),
  mentions: z.array(z.object({ entityUuid: z.string(), age: z.int() })),
});

/** The active entities and the recent mentions of a path; under the conversation's lock. */
export const findActiveState = (tx: ReadTx, conversationId: string) =>
  readOne(tx, FIND_STATE, { conversationId, turns: RECENT_TURNS }, (row) =>
    parseRow(ActiveStateRow, row, `Conversation ${conversationId}`),
  );

const CHANGE = cypher`
  // changeActiveEntities
  MATCH (c:Conversation {id: $conversationId})
  CALL (c) {
    UNWIND $activate AS given
    MATCH (e:Entity {uuid: given.entityUuid})
    MERGE (c)-[h:HAS_ACTIVE_ENTITY]->(e)
    ON CREATE SET h = $defaults, h.addedAt = datetime($now), h.pinned = false,
      h.relevance = given.relevance
  }
  CALL (c) {
    UNWIND $refresh AS given
    MATCH (c)-[h:HAS_ACTIVE_ENTITY {pinned: false}]->(:Entity {uuid: given.entityUuid})
    SET h.relevance = given.relevance
  }
  CALL (c) {
    UNWIND $deactivate AS uuid
    MATCH (c)-[h:HAS_ACTIVE_ENTITY {pinned: false}]->(:Entity {uuid: uuid})
    DELETE h
  }
  WITH c
  ${CREATE_ENTRIES}
`;

/**
 * Makes entities active and inactive by relevance. Never changes a pinned one. The conversation's
 * `updatedAt` stays, because this is background work.
 */
export async function changeActive(
  tx: WriteTx,
  {
    conversationId,
    now,
    changes,
    entries,
  }: {
    readonly conversationId: string;
    readonly now: string;
    readonly changes: ActiveChanges;
    readonly entries: readonly OutboxEntry[];
  },
): Promise<void> {
  const scored = (all: ActiveChanges['activate']) =>
    all.map(({ entityUuid, relevance }) => ({ entityUuid, relevance: new Float(relevance) }));
  await tx.run(CHANGE, {
    conversationId,
    now,
    defaults: edgeOf(ACTIVE_DEFAULTS),
    activate: scored(changes.activate),
    refresh: scored(changes.refresh),
    deactivate: changes.deactivate,
    entries: entryParams(entries),
  });
}
