import { z } from 'zod';
import { isTrue, JsonMap, numberOrNull, textOrNull } from '../../common/stored.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { Float, type ReadTx, type WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, isRow, parseRow, textOf } from '../../platform/neo4j/row.ts';
import {
  ACTIVE_DEFAULTS,
  ACTIVE_FACTS_MAX,
  type ActiveEntity,
  type EntityReference,
  type Inclusion,
} from './active-entity.ts';
import { ENTITY_ORIGINS, type EntityOrigin, entityTypeOf, FacetsText } from './entity.ts';

/** Binds `active`: the active entities of `c`, most relevant first, with the included content. */
export const ACTIVE_ENTITIES = /* cypher */ `
  CALL (c) {
    OPTIONAL MATCH (c)-[h:HAS_ACTIVE_ENTITY]->(e:Entity)
    WITH h, e ORDER BY h.relevance DESC, h.addedAt, e.uuid
    RETURN collect(CASE WHEN e IS NULL THEN null ELSE {entityUuid: e.uuid, name: e.name, labels: labels(e),
      relevance: h.relevance, addedAt: h.addedAt, includeSummary: h.includeSummary, includeFacets: h.includeFacets,
      includeRelationships: h.includeRelationships, summary: e.summary,
      facets: head([(e)-[:HAS_PROFILE]->(p:EntityProfile) | p.facets]),
      origins: [(e)-[:HAS_PROFILE]->(:EntityProfile)-[:HAS_SOURCE]->(s:EntitySource) | s.type],
      facts: CASE WHEN coalesce(h.includeRelationships, false) THEN COLLECT {
          MATCH (e)-[r:RELATES_TO]-(:Entity)
          WHERE r.invalid_at IS NULL AND r.expired_at IS NULL
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
  includeSummary: z.boolean().nullable(),
  includeFacets: isTrue,
  includeRelationships: isTrue,
  summary: textOrNull,
  facets: FacetsText.nullable(),
  origins: z.array(z.enum(ENTITY_ORIGINS)),
  facts: z.array(z.string()),
});

export function toActiveEntity(row: unknown): ActiveEntity {
  const { labels, relevance, origins, includeSummary, summary, ...entity } = parseRow(
    ActiveEntityRow,
    row,
    `Entity ${isRow(row) ? row['entityUuid'] : ''}, active in a conversation,`,
  );
  return {
    ...entity,
    category: entityTypeOf(labels),
    relevanceScore: relevance ?? ACTIVE_DEFAULTS.relevanceScore,
    source: originOf(origins),
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

const LIST = /* cypher */ `
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

const COUNT = /* cypher */ `
  // countActiveEntities
  MATCH (c:Conversation {id: $conversationId})
  RETURN COUNT { (c)-[:HAS_ACTIVE_ENTITY]->() } AS count,
    EXISTS { (c)-[:HAS_ACTIVE_ENTITY]->(:Entity {uuid: $entityUuid}) } AS isActive
`;

/** The number of active entities, and whether this one is active; under the conversation's lock. */
export async function countActiveEntities(
  tx: ReadTx,
  at: { readonly conversationId: string; readonly entityUuid: string },
): Promise<{ readonly count: number; readonly isActive: boolean }> {
  const [row] = await tx.run(COUNT, at);
  if (row === undefined) return { count: 0, isActive: false };
  return { count: countOf([row], 'count'), isActive: row['isActive'] === true };
}

const SET = /* cypher */ `
  // setActiveEntity
  MATCH (c:Conversation {id: $conversationId}), (e:Entity {uuid: $entityUuid})
  MERGE (c)-[h:HAS_ACTIVE_ENTITY]->(e)
  ON CREATE SET h = $defaults, h.addedAt = datetime($now)
  SET h += $given, c.updatedAt = datetime($now)
  WITH c
  ${CREATE_ENTRIES}
`;

export type ActiveChoice = Partial<Inclusion> & { readonly relevanceScore?: number };

/** Makes an entity active (S4-CONV-08). Absent fields stay; on a new edge they get the defaults. */
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

function edgeOf({ relevanceScore, ...flags }: ActiveChoice) {
  return {
    ...flags,
    ...(relevanceScore === undefined ? {} : { relevance: new Float(relevanceScore) }),
  };
}

const UNSET = /* cypher */ `
  // removeActiveEntity
  MATCH (c:Conversation {id: $conversationId})-[h:HAS_ACTIVE_ENTITY]->(:Entity {uuid: $entityUuid})
  DELETE h
  SET c.updatedAt = datetime($now)
  WITH c
  ${CREATE_ENTRIES}
`;

/** Does nothing, and writes no outbox entry, where the entity is not active. */
export async function unsetActive(
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
): Promise<void> {
  await tx.run(UNSET, { ...unset, entries: entryParams([entry]) });
}
