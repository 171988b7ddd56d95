import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { Float, type WriteTx } from '../../platform/neo4j/graph.ts';
import { textListOf, textOf } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { sourceParams } from '../entities/entity.cypher.ts';
import { type Entity, type EntitySource, entityTypeOf } from '../entities/entity.ts';
import { nameKey } from '../entities/name-match.ts';
import { userGroupOf } from '../group.ts';
import { areOneKind } from './resolution.ts';

// Neo4j can not move an edge to another node, so each is created again with its properties. Facts
// between the two entities are deleted, and the MergeRecord keeps their text.
const MOVE_FACTS = cypher`
  // moveFacts
  MATCH (kept:Entity {uuid: $keptUuid}), (lost:Entity {uuid: $lostUuid})
  CALL (kept, lost) {
    MATCH (lost)-[r:RELATES_TO]->(to:Entity) WHERE to <> kept AND to <> lost
    CREATE (kept)-[moved:RELATES_TO]->(to)
    SET moved = properties(r), moved.source_node_uuid = kept.uuid
    DELETE r
  }
  CALL (kept, lost) {
    MATCH (from:Entity)-[r:RELATES_TO]->(lost) WHERE from <> kept AND from <> lost
    CREATE (from)-[moved:RELATES_TO]->(kept)
    SET moved = properties(r), moved.target_node_uuid = kept.uuid
    DELETE r
  }
  CALL (kept, lost) {
    OPTIONAL MATCH (lost)-[r:RELATES_TO]-(:Entity)
    WITH collect(DISTINCT r) AS left
    WITH left, [r IN left | r.uuid + ' ' + r.fact] AS dropped
    CALL (left) { UNWIND left AS r DELETE r }
    RETURN dropped
  }
  RETURN dropped
`;

const MOVE_REFERENCES = cypher`
  // moveReferences
  MATCH (kept:Entity {uuid: $keptUuid}), (lost:Entity {uuid: $lostUuid})
  CALL (kept, lost) {
    MATCH (ep)-[m:MENTIONS]->(lost)
    MERGE (ep)-[moved:MENTIONS]->(kept)
    ON CREATE SET moved = properties(m)
    DELETE m
  }
  CALL (kept, lost) {
    MATCH (c:Conversation)-[h:HAS_ACTIVE_ENTITY]->(lost)
    MERGE (c)-[moved:HAS_ACTIVE_ENTITY]->(kept)
    ON CREATE SET moved = properties(h)
    ON MATCH SET moved.relevance = CASE WHEN h.relevance > moved.relevance THEN h.relevance
      ELSE moved.relevance END
    SET moved.pinned = coalesce(moved.pinned, true) OR coalesce(h.pinned, true)
    DELETE h
  }
  CALL (kept, lost) {
    MATCH (c:Conversation)-[d:HAS_DISMISSED_ENTITY]->(lost)
    MERGE (c)-[moved:HAS_DISMISSED_ENTITY]->(kept)
    ON CREATE SET moved = properties(d)
    DELETE d
  }
  CALL (kept, lost) {
    MATCH (community)-[m:HAS_MEMBER]->(lost)
    MERGE (community)-[moved:HAS_MEMBER]->(kept)
    ON CREATE SET moved = properties(m)
    DELETE m
  }
  CALL (kept, lost) {
    MATCH (lost)-[h:HAS_FACT]->(t:TemporalFact)
    MERGE (kept)-[:HAS_FACT]->(t)
    DELETE h
  }
  CALL (kept, lost) {
    MATCH (earlier:MergeRecord)-[i:MERGED_INTO]->(lost)
    CREATE (earlier)-[:MERGED_INTO]->(kept)
    DELETE i
  }
`;

const MERGE_PROFILES = cypher`
  // mergeProfiles
  MATCH (kept:Entity {uuid: $keptUuid}), (lost:Entity {uuid: $lostUuid})
  MERGE (kept)-[:HAS_PROFILE]->(p:EntityProfile)
  ON CREATE SET p.entityUuid = kept.uuid, p.owner = $owner, p.nameKey = $nameKey
  SET kept.summary = $summary, p:Unembedded, p.facets = $facets, p.typing = $typing,
    p.enrichmentRunId = coalesce(p.enrichmentRunId,
      head([(lost)-[:HAS_PROFILE]->(q) | q.enrichmentRunId])),
    p.enrichment = coalesce(p.enrichment, head([(lost)-[:HAS_PROFILE]->(q) | q.enrichment])),
    p.written = $written,
    p.summaryChosenAt = coalesce(p.summaryChosenAt,
      head([(lost)-[:HAS_PROFILE]->(q) | q.summaryChosenAt])),
    p.proposedSummaryId = coalesce(p.proposedSummaryId,
      head([(lost)-[:HAS_PROFILE]->(q) | q.proposedSummaryId])),
    p.enrichedAt = coalesce(p.enrichedAt, head([(lost)-[:HAS_PROFILE]->(q) | q.enrichedAt])),
    p.enrichedById = coalesce(p.enrichedById, head([(lost)-[:HAS_PROFILE]->(q) | q.enrichedById]))
  SET kept:$(coalesce($labels, [])), kept.labels = coalesce($labels, kept.labels)
  WITH p, lost
  MATCH (lost)-[:HAS_PROFILE]->(:EntityProfile)-[edge:HAS_ENTITY_SUMMARY]->(v:EntitySummary)
  MERGE (p)-[:HAS_ENTITY_SUMMARY]->(v)
  DELETE edge
`;

const REPLACE_LOST = cypher`
  // replaceLostEntity
  MATCH (kept:Entity {uuid: $keptUuid})-[:HAS_PROFILE]->(p:EntityProfile)
  MATCH (lost:Entity {uuid: $lostUuid})
  CREATE (:MergeRecord {uuid: lost.uuid, name: lost.name, summary: lost.summary,
    group_id: lost.group_id, labels: labels(lost), dropped: $dropped, mergedAt: datetime($now),
    mergedBy: $userId})-[:MERGED_INTO]->(kept)
  WITH p, lost
  CALL (lost) {
    MATCH (lost)-[:HAS_PROFILE]->(:EntityProfile)-[:HAS_SOURCE]->(s:EntitySource)
    DETACH DELETE s
  }
  CALL (lost) {
    MATCH (lost)-[:HAS_PROFILE]->(old:EntityProfile)
    DETACH DELETE old
  }
  DETACH DELETE lost
  WITH p
  CALL (p) {
    UNWIND $sources AS source
    MERGE (s:EntitySource {key: source.key})
    ON CREATE SET s = source, s.createdAt = datetime(source.createdAt)
    MERGE (p)-[:HAS_SOURCE]->(s)
  }
  WITH p
  ${CREATE_ENTRIES}
`;

const TWINS_MAX = 100;
const TWINS = cypher`
  // findTwins
  MATCH (p:EntityProfile {owner: $owner, nameKey: $nameKey})<-[:HAS_PROFILE]-(e:Entity)
  WHERE e.uuid <> $uuid AND NOT EXISTS { (p)-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) }
  RETURN e.uuid AS uuid, labels(e) AS labels ORDER BY e.created_at LIMIT ${TWINS_MAX}
`;

/** Uuids of extracted entities of this name and kind; none that a user created. */
export async function findTwins(
  tx: WriteTx,
  ownerId: string,
  { uuid, name, entityType }: Pick<Entity, 'uuid' | 'name' | 'entityType'>,
): Promise<string[]> {
  const rows = await tx.run(TWINS, { uuid, nameKey: nameKey(name), owner: userGroupOf(ownerId) });
  return rows
    .filter((row) => areOneKind(entityType, entityTypeOf(textListOf(row, 'labels', 'Entity'))))
    .map((row) => textOf(row, 'uuid', 'Entity'));
}

/**
 * Merges `lost` into `kept`: moves facts, mentions, active references, communities and sources. A
 * MergeRecord keeps the lost uuid. Under the owner's lock.
 */
export async function mergeInto(
  tx: WriteTx,
  merge: {
    readonly kept: Entity;
    readonly lost: Entity;
    readonly summary: string;
    /** The text of users and enrichments in it; null where there is none. */
    readonly written: string | null;
    /** New type label; null where the kept entity has one. */
    readonly label: string | null;
    readonly facets: object | null;
    readonly typing: object | null;
    readonly owner: string;
    readonly nameKey: string;
    readonly userId: string;
    readonly now: string;
    readonly entry: OutboxEntry;
  },
): Promise<void> {
  const {
    kept,
    lost,
    summary,
    written,
    label,
    facets,
    typing,
    owner,
    nameKey,
    userId,
    now,
    entry,
  } = merge;
  const pair = { keptUuid: kept.uuid, lostUuid: lost.uuid };
  const [row] = await tx.run(MOVE_FACTS, pair);
  await tx.run(MOVE_REFERENCES, pair);
  await tx.run(MERGE_PROFILES, {
    ...pair,
    ...{ summary, written, owner, nameKey },
    labels: label === null ? null : ['Entity', label],
    facets: facets === null ? null : JSON.stringify(facets),
    typing: typing === null ? null : JSON.stringify(typing),
  });
  await tx.run(REPLACE_LOST, {
    ...pair,
    ...{ userId, now },
    dropped: row === undefined ? [] : textListOf(row, 'dropped', `Entity ${lost.uuid}`),
    sources: lost.sources.map((source) => movedSource(kept.uuid, source)),
    entries: entryParams([entry]),
  });
}

function movedSource(keptUuid: string, source: EntitySource) {
  const params = sourceParams(keptUuid, source);
  // Both entities may have the same origin, under different names.
  return {
    ...params,
    key: `${params.key}/${source.originalName ?? ''}`,
    confidence: source.confidence === null ? null : new Float(source.confidence),
  };
}
