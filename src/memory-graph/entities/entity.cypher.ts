import { z } from 'zod';
import type { Page, PageArgs } from '../../common/page.ts';
import { JsonMap, jsonText, textOrEmpty, textOrNull } from '../../common/stored.ts';
import { Float, type ReadTx, type WriteTx } from '../../platform/neo4j/graph.ts';
import { listing, listPage } from '../../platform/neo4j/list-page.ts';
import { parseRow, textOf } from '../../platform/neo4j/row.ts';
import { readMap } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { userGroupOf } from '../group.ts';
import { isOwn, viewerParams } from '../visible.cypher.ts';
import { type Entity, EntitySource, entityTypeOf, FacetsText, TypingText } from './entity.ts';
import { nameKey } from './name-match.ts';

/** An Entity's map, without embeddings; `e` is bound. */
export const ENTITY = /* cypher */ `
  e {.uuid, .name, .summary, groupId: e.group_id, createdAt: e.created_at, labels: labels(e),
    edgeCount: COUNT { (e)<-[:MENTIONS]-() },
    mergedFrom: [(e)<-[:MERGED_INTO]-(m:MergeRecord) | m.uuid],
    profile: head([(e)-[:HAS_PROFILE]->(p:EntityProfile) | p {.*}]),
    sources: COLLECT {
      MATCH (e)-[:HAS_PROFILE]->(:EntityProfile)-[:HAS_SOURCE]->(s:EntitySource)
      RETURN s {.*} ORDER BY s.createdAt, s.key
    }}
`;

/** Nodes that Graphiti's library wrote have no profile. */
const ProfileRow = z.object({
  written: textOrNull,
  validAt: textOrNull,
  facets: FacetsText.nullable().default(null),
  typing: TypingText.nullable().default(null),
  enrichment: jsonText(JsonMap).nullable().default(null),
  enrichedAt: textOrNull,
  enrichedById: textOrNull,
});
const NO_PROFILE = ProfileRow.parse({});
const EntityRow = z.object({
  uuid: z.string(),
  name: z.string(),
  labels: z.array(z.string()),
  summary: textOrEmpty,
  groupId: z.string(),
  createdAt: z.string(),
  profile: ProfileRow.nullable(),
  sources: z.array(EntitySource),
  edgeCount: z.int(),
  mergedFrom: z.array(z.string()),
});

export function toEntity(row: unknown): Entity {
  const { labels, profile, ...entity } = parseRow(EntityRow, row, 'Entity');
  return { ...entity, entityType: entityTypeOf(labels), ...(profile ?? NO_PROFILE) };
}

const FIND = cypher`
  // findEntities
  UNWIND $uuids AS asked
  OPTIONAL MATCH (direct:Entity {uuid: asked})
  OPTIONAL MATCH (:MergeRecord {uuid: asked})-[:MERGED_INTO]->(kept:Entity)
  WITH asked, coalesce(direct, kept) AS e
  WHERE e IS NOT NULL AND ${isOwn('e')}
  RETURN asked, ${ENTITY} AS entity
`;

/**
 * Entities by the uuids asked for. The uuid of a merged entity finds the entity it was merged into.
 * Missing entities, and those of other users, are left out.
 */
export const findEntities = (tx: ReadTx, viewerId: string, uuids: readonly string[]) =>
  readMap(tx, FIND, { ...viewerParams(viewerId), uuids }, (row) => [
    textOf(row, 'asked', 'Entity'),
    toEntity(row['entity']),
  ]);

const LIST = listing({
  name: 'listEntities',
  match: /* cypher */ `
    CALL () {
      MATCH (e:Entity {group_id: $userGroup}) WHERE $conversationId IS NULL
      RETURN e
      UNION
      MATCH (c:Conversation {ownerId: $viewerId})
        WHERE $conversationId IS NULL OR c.id = $conversationId
      MATCH (e:Entity {group_id: c.id})
      RETURN e
      UNION
      MATCH (c:Conversation {id: $conversationId, ownerId: $viewerId})
      CALL (c) {
        MATCH (c)-[:HAS_ACTIVE_ENTITY]->(e:Entity) RETURN e
        UNION
        MATCH (:Episodic {group_id: c.id})-[:MENTIONS]->(e:Entity) RETURN e
      }
      RETURN e
    }
    WITH e
    WHERE NOT EXISTS { (e)-[:HAS_PROFILE]->(p:EntityProfile) WHERE p.withdrawnAt IS NOT NULL }
      AND ($category IS NULL OR $category IN labels(e))
      AND ($query IS NULL OR toLower(e.name) CONTAINS toLower($query)
        OR toLower(e.summary) CONTAINS toLower($query))
  `,
  order: [
    { cypher: 'e.created_at', type: 'instant', order: 'descending' },
    { cypher: 'e.uuid', type: 'text', order: 'descending' },
  ],
  item: ENTITY,
});

export interface EntityFilter {
  /** Entities that this conversation mentions or made, and those active in it. */
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

const INSERT = cypher`
  // insertEntities
  UNWIND $entities AS given
  CREATE (e:Entity)
  SET e = given.node, e.created_at = datetime(given.createdAt), e:$(given.node.labels)
  CREATE (e)-[:HAS_PROFILE]->(p:EntityProfile:Unembedded)
  SET p = given.profile, p.validAt = datetime(given.createdAt)
  WITH p, given
  CALL (p, given) {
    UNWIND given.versions AS version
    CREATE (p)-[:HAS_ENTITY_SUMMARY]->(v:EntitySummary)
    SET v = version, v.createdAt = datetime(given.createdAt)
  }
  UNWIND given.sources AS source
  CREATE (p)-[:HAS_SOURCE]->(s:EntitySource)
  SET s = source, s.createdAt = datetime(source.createdAt)
`;

/** Inserts Graphiti's nodes, with the type as a label, their profiles and their sources. */
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
        written: rest.written,
        facets: rest.facets === null ? null : JSON.stringify(rest.facets),
        typing: rest.typing === null ? null : JSON.stringify(rest.typing),
      },
      sources: rest.sources.map((source) => sourceParams(uuid, source)),
      versions: versionsOf({ uuid, summary, sources: rest.sources }),
    })),
  });
}

/** The summary that a user wrote, as its first version. */
function versionsOf({ uuid, summary, sources }: Pick<Entity, 'uuid' | 'summary' | 'sources'>) {
  const isUsers = sources.some(({ type }) => type === 'user');
  return isUsers && summary !== '' ? [{ id: `${uuid}/1`, text: summary, author: 'user' }] : [];
}

/** A source as stored. Its key names the entity and the origin, so each is stored once. */
export function sourceParams(entityUuid: string, source: EntitySource) {
  const { type, createdBy, episodeId, confidence } = source;
  return {
    ...source,
    key: `${entityUuid}/${type}/${episodeId ?? createdBy ?? ''}`,
    confidence: confidence === null ? null : new Float(confidence),
  };
}
