import { z } from 'zod';
import { textOrEmpty, textOrNull } from '../../common/stored.ts';
import { Float, type ReadTx, type WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { luceneOf } from '../../text/lucene.ts';
import { type VectorSlot, vectorIndex } from '../embeddings/embedding.ts';
import { sourceParams } from '../entities/entity.cypher.ts';
import { type EntitySource, entityTypeOf } from '../entities/entity.ts';
import { FACT, isWithdrawn, toFact } from '../entities/fact.cypher.ts';
import type { Caused, Fact } from '../entities/fact.ts';
import { nameKey } from '../entities/name-match.ts';
import { userGroupOf } from '../group.ts';
import { isOwn, viewerParams } from '../visible.cypher.ts';
import type { Candidate } from './resolution.ts';

/** Whose entities are compared, and the conversation that speaks of them; null: none. */
export interface ResolutionScope {
  readonly ownerId: string;
  readonly conversationId: string | null;
}

export interface Wanted {
  readonly key: string;
  readonly name: string;
  /** Uuid that a model says it is. */
  readonly same: string | null;
  readonly vector: readonly number[] | null;
}

const NEAREST = 10;
/** Where the index returns vectors of other owners, up to this many of the owner's are compared. */
const EXACT_MAX = 20_000;

const statement = (slot: VectorSlot | null) => cypher`
  // findCandidates
  UNWIND $wanted AS wanted
  CALL (wanted) {
    MATCH (e:Entity)-[:HAS_PROFILE]->(:EntityProfile {owner: $owner, nameKey: wanted.key})
    RETURN e, 0.0 AS score
    UNION
    MATCH (e:Entity {name: wanted.name})
    RETURN e, 0.0 AS score
    UNION
    MATCH (e:Entity {uuid: wanted.same})
    RETURN e, 0.0 AS score
    UNION
    CALL db.index.fulltext.queryNodes('node_name_and_summary', wanted.query, {limit: ${NEAREST}})
      YIELD node AS e
    RETURN e, 0.0 AS score
    ${
      slot === null
        ? ''
        : `UNION
    CALL (wanted) {
      CALL db.index.vector.queryNodes('${vectorIndex('entity', slot)}', ${NEAREST}, wanted.vector)
        YIELD node, score
      RETURN collect({p: node, score: score}) AS nearest,
        any(one IN collect(node) WHERE one.owner <> $owner) AS areOthers
    }
    CALL (wanted, nearest, areOthers) {
      WITH * WHERE NOT areOthers
      UNWIND nearest AS one
      RETURN one.p AS p, one.score AS score
      UNION
      WITH * WHERE areOthers
      MATCH (p:EntityProfile {owner: $owner}) WHERE p.vector${slot} IS NOT NULL
      WITH p, wanted LIMIT ${EXACT_MAX}
      RETURN p, vector.similarity.cosine(p.vector${slot}, wanted.vector) AS score
        ORDER BY score DESC LIMIT ${NEAREST}
    }
    MATCH (e:Entity)-[:HAS_PROFILE]->(p)
    RETURN e, 2.0 * score - 1.0 AS score`
    }
  }
  WITH wanted, e, max(score) AS score WHERE ${isOwn('e')}
  RETURN wanted.key AS key, collect({uuid: e.uuid, name: e.name, labels: labels(e),
    summary: e.summary, similarity: score, createdAt: toString(e.created_at),
    isUsers: EXISTS { (e)-[:HAS_PROFILE]->()-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) }
  }) AS candidates
`;
const BY_NAME = statement(null);
const BY_SLOT: Readonly<Record<VectorSlot, string>> = { A: statement('A'), B: statement('B') };

const CandidatesRow = z.object({
  key: z.string(),
  candidates: z.array(
    z.object({
      uuid: z.string(),
      name: z.string(),
      labels: z.array(z.string()),
      // Graphiti's library may omit the summary.
      summary: textOrEmpty,
      similarity: z.number(),
      createdAt: z.string(),
      isUsers: z.boolean(),
    }),
  ),
});

/** Known entities that each wanted one may be, by name key, by full text and by vector. */
export async function findCandidates(
  tx: ReadTx,
  scope: ResolutionScope,
  wanted: readonly Wanted[],
  slot: VectorSlot | null,
): Promise<Map<string, Candidate[]>> {
  if (wanted.length === 0) return new Map();
  const { ownerId, conversationId } = scope;
  const owner = userGroupOf(ownerId);
  // Entities of users and of other tools may have the conversation as their group.
  const groups = [owner, ...(conversationId === null ? [] : [conversationId])];
  const within = groups.map((group) => `group_id:"${group}"`).join(' OR ');
  const rows = await tx.run(slot === null ? BY_NAME : BY_SLOT[slot], {
    ...viewerParams(ownerId),
    owner,
    wanted: wanted.map(({ key, name, same, vector }) => ({
      key,
      name,
      same,
      query: `(${within}) AND name:(${luceneOf(name).words})`,
      vector: vector?.map((value) => new Float(value)) ?? null,
    })),
  });
  return new Map(
    rows.map((row) => {
      const { key, candidates } = parseRow(CandidatesRow, row, 'Candidates');
      return [
        key,
        candidates.map(({ labels, ...candidate }) => ({
          ...candidate,
          category: entityTypeOf(labels),
        })),
      ];
    }),
  );
}

const TOUCH = cypher`
  // touchEntities
  UNWIND $entities AS given
  MATCH (e:Entity {uuid: given.uuid})
  SET e.summary = coalesce(given.summary, e.summary)
  SET e:$(coalesce(given.labels, [])), e.labels = coalesce(given.labels, e.labels)
  MERGE (e)-[:HAS_PROFILE]->(p:EntityProfile)
  ON CREATE SET p.entityUuid = e.uuid, p.owner = $owner, p.nameKey = given.nameKey
  SET p.typing = coalesce(given.typing, p.typing), p.withdrawnAt = null
  SET p:$(given.marks)
  MERGE (s:EntitySource {key: given.source.key})
  ON CREATE SET s = given.source, s.createdAt = datetime(given.source.createdAt)
  MERGE (p)-[:HAS_SOURCE]->(s)
`;

/** Changes of a known entity. */
export interface Touched {
  readonly uuid: string;
  readonly name: string;
  /** Null: the summary stays. */
  readonly summary: string | null;
  /** New type label; null where it has one. */
  readonly label: string | null;
  readonly typing: object | null;
  readonly source: EntitySource;
}

export async function touchEntities(
  tx: WriteTx,
  ownerId: string,
  entities: readonly Touched[],
): Promise<void> {
  if (entities.length === 0) return;
  await tx.run(TOUCH, {
    owner: userGroupOf(ownerId),
    entities: entities.map(({ source, label, typing, ...one }) => ({
      ...one,
      labels: label === null ? null : ['Entity', label],
      // A text that changed is embedded again.
      marks: one.summary === null ? [] : ['Unembedded'],
      nameKey: nameKey(one.name),
      typing: typing === null ? null : JSON.stringify(typing),
      source: sourceParams(one.uuid, source),
    })),
  });
}

const RELATED = cypher`
  // listRelatedFacts
  CALL () {
    UNWIND $facts AS given
    MATCH (s:Entity {uuid: given.source})-[r:RELATES_TO]-(t:Entity)
    WHERE t.uuid = given.target OR (startNode(r) = s AND r.invalid_at IS NULL AND r.name IN $names)
    RETURN r
    UNION
    UNWIND $uuids AS uuid
    MATCH (s:Entity)-[r:RELATES_TO {uuid: uuid}]->(:Entity) WHERE ${isOwn('s')}
    RETURN r
  }
  WITH DISTINCT r WHERE NOT ${isWithdrawn('r')}
  WITH r ORDER BY r.created_at DESC LIMIT 1000
  RETURN ${FACT} AS fact,
    head(COLLECT { MATCH (f:FactRef {edgeUuid: r.uuid}) RETURN f.saidAt }) AS saidAt
`;

/**
 * The owner's facts between these entities, facts of them in these relations, and facts by uuid;
 * each with the last time that it was said.
 */
export async function listRelatedFacts(
  tx: ReadTx,
  ownerId: string,
  of: {
    readonly facts: readonly { readonly source: string; readonly target: string }[];
    readonly names: readonly string[];
    readonly uuids: readonly string[];
  },
): Promise<Fact[]> {
  if (of.facts.length === 0) return [];
  return readAll(tx, RELATED, { ...of, ...viewerParams(ownerId) }, (row) => {
    const fact = toFact(row['fact']);
    return { ...fact, saidAt: textOrNull.parse(row['saidAt']) ?? fact.saidAt };
  });
}

const WRITE_FACTS = cypher`
  // writeFacts
  CALL () {
    UNWIND $created AS given
    MATCH (s:Entity {uuid: given.source_node_uuid}), (t:Entity {uuid: given.target_node_uuid})
    CREATE (s)-[r:RELATES_TO]->(t)
    SET r = given, r.created_at = datetime(given.created_at), r.valid_at = datetime(given.valid_at),
      r.invalid_at = datetime(given.invalid_at), r.reference_time = datetime(given.reference_time)
    CREATE (f:FactRef:Unembedded {edgeUuid: given.uuid, owner: $owner, group_id: given.group_id,
      saidAt: datetime(given.reference_time)})
  }
  CALL () {
    UNWIND $repeated AS uuid
    MATCH (:Entity)-[r:RELATES_TO {uuid: uuid}]->(:Entity)
    SET r.episodes = CASE WHEN $episodeUuid IN r.episodes THEN r.episodes
      ELSE r.episodes + $episodeUuid END
    WITH uuid
    MATCH (f:FactRef {edgeUuid: uuid})
    WHERE f.saidAt IS NULL OR f.saidAt < datetime($saidAt)
    SET f.saidAt = datetime($saidAt)
  }
  CALL () {
    UNWIND $ended AS end
    MATCH (:Entity)-[r:RELATES_TO {uuid: end.uuid}]->(:Entity)
    CREATE (v:FactRevision {edgeUuid: r.uuid, recordedAt: datetime($now),
      episodeUuid: $episodeUuid, byFact: end.byFact})
    SET v.toInvalidAt = datetime(end.invalidAt), v.toExpiredAt = datetime(end.expiredAt),
      v.invalidAt = r.invalid_at, v.expiredAt = r.expired_at,
      r.invalid_at = datetime(end.invalidAt), r.expired_at = datetime(end.expiredAt)
  }
`;

/** Writes new, repeated and ended facts. A FactRevision keeps the former times of an ended fact. */
export async function writeFacts(
  tx: WriteTx,
  write: {
    readonly ownerId: string;
    readonly episodeUuid: string;
    readonly saidAt: string;
    readonly created: readonly Fact[];
    readonly repeated: readonly string[];
    readonly ended: readonly Caused[];
    readonly now: string;
  },
): Promise<void> {
  const { ownerId, created, ...rest } = write;
  if (created.length + rest.repeated.length + rest.ended.length === 0) return;
  await tx.run(WRITE_FACTS, {
    ...rest,
    owner: userGroupOf(ownerId),
    created: created.map((fact) => ({
      uuid: fact.uuid,
      name: fact.name,
      fact: fact.fact,
      group_id: fact.groupId,
      episodes: fact.episodes,
      created_at: fact.createdAt,
      valid_at: fact.validAt,
      invalid_at: fact.invalidAt,
      reference_time: fact.saidAt ?? write.saidAt,
      source_node_uuid: fact.sourceUuid,
      target_node_uuid: fact.targetUuid,
    })),
  });
}
