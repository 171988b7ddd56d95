import type { JsonObject } from '../common/json.ts';
import type { Page, PageArgs } from '../common/page.ts';
import { Float, type ReadTx, type Row, type WriteTx } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import {
  type Entity,
  type EntitySource,
  type EntityTyping,
  entityTypeOf,
  type Facets,
} from './entity.ts';
import { userGroupOf } from './group.ts';
import { nameKey } from './name-match.ts';
import { isOwn, viewerParams } from './visible.cypher.ts';

/** An Entity's map; `e` is bound. Embeddings stay where they are. */
export const ENTITY = /* cypher */ `
  e {.uuid, .name, .summary, .group_id, .created_at, labels: labels(e), edgeCount: COUNT { (e)<-[:MENTIONS]-() },
    mergedFrom: [(e)<-[:MERGED_INTO]-(m:MergeRecord) | m.uuid],
    profile: head([(e)-[:HAS_PROFILE]->(p:EntityProfile) | p {.*}]),
    sources: COLLECT {
      MATCH (e)-[:HAS_PROFILE]->(:EntityProfile)-[:HAS_SOURCE]->(s:EntitySource)
      RETURN s {.*} ORDER BY s.createdAt, s.key
    }}
`;

export function toEntity(row: Row): Entity {
  const profile = (row['profile'] ?? {}) as Record<string, unknown>;
  return {
    uuid: String(row['uuid']),
    name: String(row['name']),
    entityType: entityTypeOf(row['labels'] as string[]),
    summary: String(row['summary'] ?? ''),
    groupId: String(row['group_id']),
    createdAt: String(row['created_at']),
    validAt: (profile['validAt'] as string | undefined) ?? null,
    sources: (row['sources'] as Row[]).map(toSource),
    facets: parsed<Facets>(profile['facets']),
    typing: parsed<EntityTyping>(profile['typing']),
    enrichment: parsed<JsonObject>(profile['enrichment']),
    enrichedAt: (profile['enrichedAt'] as string | undefined) ?? null,
    enrichedById: (profile['enrichedById'] as string | undefined) ?? null,
    edgeCount: Number(row['edgeCount']),
    mergedFrom: row['mergedFrom'] as string[],
  };
}

function parsed<T>(text: unknown): T | null {
  return typeof text === 'string' ? (JSON.parse(text) as T) : null;
}

function toSource(row: Row): EntitySource {
  return {
    type: row['type'] as EntitySource['type'],
    createdAt: String(row['createdAt']),
    createdBy: (row['createdBy'] as string | undefined) ?? null,
    episodeId: (row['episodeId'] as string | undefined) ?? null,
    originalName: (row['originalName'] as string | undefined) ?? null,
    confidence: (row['confidence'] as number | undefined) ?? null,
  };
}

const FIND = /* cypher */ `
  // findEntities
  UNWIND $uuids AS asked
  OPTIONAL MATCH (direct:Entity {uuid: asked})
  OPTIONAL MATCH (:MergeRecord {uuid: asked})-[:MERGED_INTO]->(kept:Entity)
  WITH asked, coalesce(direct, kept) AS e
  WHERE e IS NOT NULL AND ${isOwn('e')}
  RETURN asked, ${ENTITY} AS entity
`;

/** By their uuids, those that merges lost included; what is missing or somebody else's is left out. */
export async function findEntities(
  tx: ReadTx,
  viewerId: string,
  uuids: readonly string[],
): Promise<Map<string, Entity>> {
  const rows = await tx.run(FIND, { ...viewerParams(viewerId), uuids });
  return new Map(rows.map((row) => [String(row['asked']), toEntity(row['entity'] as Row)]));
}

const LIST = listing({
  name: 'listEntities',
  match: /* cypher */ `
    OPTIONAL MATCH (c:Conversation)
    WHERE c.ownerId = $viewerId AND ($conversationId IS NULL OR c.id = $conversationId)
    WITH collect(c) AS conversations
    WITH [c IN conversations | c.id] + CASE WHEN $conversationId IS NULL THEN [$userGroup] ELSE [] END AS groups,
      CASE WHEN $conversationId IS NULL THEN []
        ELSE [c IN conversations | [(c)-[:HAS_ACTIVE_ENTITY]->(active:Entity) | active.uuid]] END AS active
    WITH groups, coalesce(head(active), []) AS active
    MATCH (e:Entity)
    WHERE (e.group_id IN groups OR e.uuid IN active)
      AND ($category IS NULL OR $category IN labels(e))
      AND ($query IS NULL OR toLower(e.name) CONTAINS toLower($query) OR toLower(e.summary) CONTAINS toLower($query))
  `,
  order: [
    { cypher: 'e.created_at', type: 'instant', order: 'descending' },
    { cypher: 'e.uuid', type: 'text', order: 'descending' },
  ],
  item: ENTITY,
});

export interface EntityFilter {
  /** Those of this conversation and those that are active in it. */
  readonly conversationId?: string | null | undefined;
  readonly category?: string | null | undefined;
  /** In name or summary, without regard to case. */
  readonly query?: string | null | undefined;
}

/** The viewer's entities, newest first. */
export function listEntities(
  tx: ReadTx,
  viewerId: string,
  { conversationId, category, query, ...page }: PageArgs & EntityFilter,
): Promise<Page<Entity>> {
  const params = { ...viewerParams(viewerId), conversationId, category, query };
  return listPage(tx, LIST, page, params, toEntity);
}

const INSERT = /* cypher */ `
  // insertEntities
  UNWIND $entities AS given
  CREATE (e:Entity)
  SET e = given.node, e.created_at = datetime(given.createdAt), e:$(given.node.labels)
  CREATE (e)-[:HAS_PROFILE]->(p:EntityProfile:Unembedded)
  SET p = given.profile, p.validAt = datetime(given.createdAt)
  WITH p, given
  UNWIND given.sources AS source
  CREATE (p)-[:HAS_SOURCE]->(s:EntitySource)
  SET s = source, s.createdAt = datetime(source.createdAt)
`;

/** Graphiti's nodes with their types as labels, our profiles, and their sources. */
export async function insertEntities(
  tx: WriteTx,
  ownerId: string,
  entities: readonly Entity[],
): Promise<void> {
  if (entities.length === 0) return;
  await tx.run(INSERT, {
    entities: entities.map(({ uuid, name, summary, groupId, createdAt, entityType, ...rest }) => ({
      createdAt,
      node: {
        uuid,
        name,
        summary,
        group_id: groupId,
        labels: ['Entity', ...(entityType === null ? [] : [entityType])],
      },
      profile: {
        entityUuid: uuid,
        owner: userGroupOf(ownerId),
        nameKey: nameKey(name),
        facets: rest.facets === null ? null : JSON.stringify(rest.facets),
        typing: rest.typing === null ? null : JSON.stringify(rest.typing),
      },
      sources: rest.sources.map((source) => sourceParams(uuid, source)),
    })),
  });
}

/** A source as it is stored; its key is what it comes from, so the same one is there once. */
export function sourceParams(entityUuid: string, source: EntitySource) {
  const { type, createdBy, episodeId, confidence } = source;
  return {
    ...source,
    key: `${entityUuid}/${type}/${episodeId ?? createdBy ?? ''}`,
    confidence: confidence === null ? null : new Float(confidence),
  };
}
