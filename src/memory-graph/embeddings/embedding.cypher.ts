import { z } from 'zod';
import { canonicalJson } from '../../common/json.ts';
import { jsonText, textOrNull } from '../../common/stored.ts';
import { Float, type ReadTx, type WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { readAll, readOne } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import {
  EMBEDDED_KINDS,
  type EmbeddedKind,
  EmbeddingState,
  type Space,
  type VectorSlot,
  vectorIndex,
} from './embedding.ts';

const FIND_STATE = cypher`
  // findEmbeddingState
  MATCH (s:EmbeddingState {id: 'memory'})
  RETURN s.state AS state
`;

const StateRow = z.object({
  state: jsonText(EmbeddingState),
});

/** Null before the first embedding. */
export const findEmbeddingState = (tx: ReadTx) =>
  readOne(tx, FIND_STATE, {}, (row) => parseRow(StateRow, row, 'EmbeddingState memory').state);

// The SET takes the node's lock, so the state that is compared holds until this commits.
const LOCK_STATE = cypher`
  // lockEmbeddingState
  MERGE (s:EmbeddingState {id: 'memory'})
  ON CREATE SET s.state = $state, s.version = 1
  SET s.version = coalesce(s.version, 1)
  RETURN s.state AS state
`;

const SAVE_STATE = cypher`
  // saveEmbeddingState
  MATCH (s:EmbeddingState {id: 'memory'})
  SET s.state = $state
`;

/**
 * Changes the stored state from `was` to `state`. If another process was faster, its state stays.
 */
export async function saveEmbeddingState(
  tx: WriteTx,
  { was, state }: { readonly was: EmbeddingState | null; readonly state: EmbeddingState },
): Promise<void> {
  const text = JSON.stringify(state);
  const [row] = await tx.run(LOCK_STATE, { state: text });
  const stored = parseRow(StateRow, row, 'EmbeddingState memory').state;
  // The order of the stored keys is that of the version that wrote them.
  if (canonicalJson(stored) === canonicalJson(was ?? state))
    await tx.run(SAVE_STATE, { state: text });
}

const LABELS = { entity: 'EntityProfile', fact: 'FactRef', text: 'EpisodeText' } as const;
const KEYS = { entity: 'entityUuid', fact: 'edgeUuid', text: 'key' } as const;

/** Statements that create a slot's vector indexes. Run each in its own transaction. */
export function createIndexStatements(slot: VectorSlot): string[] {
  return EMBEDDED_KINDS.map(
    (kind) => cypher`
      // createVectorIndex
      CREATE VECTOR INDEX ${vectorIndex(kind, slot)} IF NOT EXISTS FOR (n:${LABELS[kind]})
        ON (n.vector${slot})
      OPTIONS $options
    `,
  );
}

export function indexOptions({ dimension }: Pick<Space, 'dimension'>) {
  return {
    options: {
      indexConfig: { 'vector.dimensions': dimension, 'vector.similarity_function': 'cosine' },
    },
  };
}

export function dropIndexStatements(slot: VectorSlot): string[] {
  return EMBEDDED_KINDS.map(
    (kind) => `// dropVectorIndex\nDROP INDEX ${vectorIndex(kind, slot)} IF EXISTS`,
  );
}

/** An entity, fact or piece of an Episode to be embedded. */
export const Embeddable = z.object({
  kind: z.enum(EMBEDDED_KINDS),
  key: z.string(),
  /** Null where its entity or fact was deleted. */
  text: textOrNull,
  /** Entities only: Graphiti's schema has a separate vector of the name. */
  name: textOrNull,
  /** Pieces of Episodes only: the piece with the text before and after it. */
  window: textOrNull,
});
export type Embeddable = z.infer<typeof Embeddable>;

/** Cypher of the embedded text of `n`; an entity has its name and summary (S4-ENT-07). */
const TEXT = {
  entity:
    "head([(e:Entity)-[:HAS_PROFILE]->(n) | e.name + CASE WHEN e.summary = '' THEN '' ELSE ': ' " +
    '+ e.summary END])',
  fact: `head(COLLECT { MATCH ()-[r:RELATES_TO {uuid: n.edgeUuid}]->() RETURN r.fact })`,
  text: 'n.text',
} as const satisfies Record<EmbeddedKind, string>;

const EMBEDDABLE = /* cypher */ `
  CASE WHEN n:EntityProfile
      THEN {kind: 'entity', key: n.entityUuid, text: ${TEXT.entity},
        name: head([(e:Entity)-[:HAS_PROFILE]->(n) | e.name]), window: null}
    WHEN n:FactRef
      THEN {kind: 'fact', key: n.edgeUuid, text: ${TEXT.fact}, name: null, window: null}
    ELSE {kind: 'text', key: n.key, text: ${TEXT.text}, name: null, window: n.window}
    END AS thing
`;

const LIST_PENDING = cypher`
  CYPHER replan=skip
  // listUnembedded
  MATCH (n:Unembedded)
  WITH n LIMIT $limit
  RETURN ${EMBEDDABLE}
`;

/** Up to `limit` things without a vector. */
export const listUnembedded = (tx: ReadTx, limit: number) =>
  readAll(tx, LIST_PENDING, { limit }, (row) => parseRow(Embeddable, row['thing'], 'Embeddable'));

const COUNT_PENDING = cypher`
  CYPHER replan=skip
  // countUnembedded
  MATCH (n:Unembedded) RETURN count(n) AS count
`;

const countUnembedded = async (tx: ReadTx): Promise<number> =>
  countOf(await tx.run(COUNT_PENDING), 'count');

const listAfter = (kind: EmbeddedKind) => cypher`
  // listEmbeddable
  MATCH (n:${LABELS[kind]}) WHERE n.${KEYS[kind]} > $after
  WITH n ORDER BY n.${KEYS[kind]} LIMIT $limit
  RETURN ${EMBEDDABLE}
`;
const LIST_AFTER = {
  entity: listAfter('entity'),
  fact: listAfter('fact'),
  text: listAfter('text'),
} as const;

/** One page of all things of a kind, in the order of their keys. */
export const listEmbeddable = (
  tx: ReadTx,
  kind: EmbeddedKind,
  page: { readonly after: string; readonly limit: number },
) => readAll(tx, LIST_AFTER[kind], page, (row) => parseRow(Embeddable, row['thing'], 'Embeddable'));

/** The vector of `text`; `nameVector` is for Graphiti's own property of the name. */
export interface Embedded {
  readonly key: string;
  readonly text: string;
  readonly vector: readonly number[];
  readonly nameVector: readonly number[] | null;
}

// A thing whose text has changed since keeps its label Unembedded and is embedded again.
const write = (kind: EmbeddedKind, slot: VectorSlot) => cypher`
  // writeVectors
  UNWIND $rows AS row
  MATCH (n:${LABELS[kind]} {${KEYS[kind]}: row.key})
  WHERE ${TEXT[kind]} = row.text
  CALL (n, row) { CALL db.create.setNodeVectorProperty(n, 'vector${slot}', row.vector) }
  REMOVE n:Unembedded
`;
const forGraphiti = {
  entity: cypher`
    // writeNameEmbeddings
    UNWIND $rows AS row
    MATCH (e:Entity {uuid: row.key})
    CALL (e, row) { CALL db.create.setNodeVectorProperty(e, 'name_embedding', row.nameVector) }
  `,
  fact: cypher`
    // writeFactEmbeddings
    UNWIND $rows AS row
    MATCH (:Entity)-[r:RELATES_TO {uuid: row.key}]->(:Entity)
    CALL (r, row) { CALL db.create.setRelationshipVectorProperty(r, 'fact_embedding', row.vector) }
  `,
  text: null,
} as const satisfies Record<EmbeddedKind, string | null>;

/**
 * Stores vectors in a slot. With `searched`, also writes the properties that Graphiti's library
 * searches; the library supports one dimension per database.
 */
export async function writeVectors(
  tx: WriteTx,
  to: { readonly kind: EmbeddedKind; readonly slot: VectorSlot; readonly searched: boolean },
  embedded: readonly Embedded[],
): Promise<void> {
  const rows = embedded.map((one) => ({
    ...one,
    vector: floats(one.vector),
    nameVector: one.nameVector === null ? null : floats(one.nameVector),
  }));
  await tx.run(write(to.kind, to.slot), { rows });
  const statement = forGraphiti[to.kind];
  if (to.searched && statement !== null) await tx.run(statement, { rows });
}

const floats = (vector: readonly number[]): Float[] => vector.map((value) => new Float(value));

const FORGET = cypher`
  // forgetUnembeddable
  UNWIND $keys AS key
  CALL (key) {
    MATCH (n:EntityProfile:Unembedded {entityUuid: key}) RETURN n
    UNION MATCH (n:FactRef:Unembedded {edgeUuid: key}) RETURN n
    UNION MATCH (n:EpisodeText:Unembedded {key: key}) RETURN n
  }
  REMOVE n:Unembedded
`;

/** Removes the label Unembedded from profiles and pieces whose entity, fact or Episode is gone. */
export async function forgetUnembeddable(tx: WriteTx, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await tx.run(FORGET, { keys });
}

// Copies the new space's vectors of facts to Graphiti's property; removes the old space's vectors.
const settle = (kind: EmbeddedKind, left: VectorSlot, now: VectorSlot) => cypher`
  // settleVectors
  MATCH (n:${LABELS[kind]}) WHERE n.${KEYS[kind]} > $after
  WITH n ORDER BY n.${KEYS[kind]} LIMIT $limit
  REMOVE n.vector${left}
  ${
    kind === 'fact'
      ? `WITH n
  CALL (n) {
    MATCH (:Entity)-[r:RELATES_TO {uuid: n.edgeUuid}]->(:Entity) WHERE n.vector${now} IS NOT NULL
    CALL db.create.setRelationshipVectorProperty(r, 'fact_embedding', n.vector${now})
    RETURN count(*) AS written
  }`
      : ''
  }
  RETURN n.${KEYS[kind]} AS key
`;

/** Settles one page of a kind after a change of models. @returns the keys of the page */
export const settleVectors = async (
  tx: WriteTx,
  kind: EmbeddedKind,
  slots: { readonly left: VectorSlot; readonly now: VectorSlot },
  page: { readonly after: string; readonly limit: number },
) => textsOf(await tx.run(settle(kind, slots.left, slots.now), page), 'key', LABELS[kind]);

const countWithout = (slot: VectorSlot) => cypher`
  // countWithoutVector
  MATCH (n:EntityProfile|FactRef|EpisodeText) WHERE n.vector${slot} IS NULL
  RETURN count(n) AS count
`;

/** Number of things without a vector; while the model changes, without one in the next space. */
export async function countToEmbed(tx: ReadTx): Promise<number> {
  const next = (await findEmbeddingState(tx))?.next ?? null;
  if (next === null) return countUnembedded(tx);
  return countOf(await tx.run(countWithout(next.slot)), 'count');
}
