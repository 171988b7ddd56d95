import { z } from 'zod';
import type { JsonObject } from '../../common/json.ts';
import { numberOrNull, textOrEmpty, textOrNull } from '../../common/stored.ts';
import { nameForModel, SPEAKERS, type Speaker } from '../../conversations/turn.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, Row, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll, readOne } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { VectorSlot } from '../embeddings/embedding.ts';
import { userGroupOf } from '../group.ts';
import { chooseMaterial } from './enrichment.ts';
import { sourceParams } from './entity.cypher.ts';
import type { EntitySource } from './entity.ts';
import { KEEP_SUMMARIES, type KeptSummary } from './entity-summary.cypher.ts';
import { SUMMARY_AUTHORS } from './entity-summary.ts';
import { nameKey } from './name-match.ts';

/** The newest Episodes and facts of an entity that are compared. */
const EPISODES_COMPARED_MAX = 200;
const FACTS_COMPARED_MAX = 200;
// Facts tell most in the fewest tokens; a few texts show how it was spoken of.
const SAID_MAX = 3;
const SAID_CHARS_MAX = 200;
const FACTS_MAX = 6;

// Cosine of the entity's profile and the first piece of an Episode, in a slot that both have. A
// vector of an unfinished change of models may have another length.
const cosine = (slot: VectorSlot) => /* cypher */ `
  WHEN size(p.vector${slot}) = size(t.vector${slot})
    THEN vector.similarity.cosine(p.vector${slot}, t.vector${slot})`;
const NEAR = /* cypher */ `CASE ${cosine('A')} ${cosine('B')} END`;

const ENRICHABLE = /* cypher */ `
  {uuid: e.uuid, name: e.name, labels: labels(e),
    conversationId: head(COLLECT { MATCH (c:Conversation {id: e.group_id}) RETURN c.id }),
    summary: coalesce(head([(e)-[:HAS_PROFILE]->(p) | p.written]), e.summary),
    facets: head([(e)-[:HAS_PROFILE]->(p) | p.facets]),
    typing: head([(e)-[:HAS_PROFILE]->(p) | p.typing]),
    enrichment: head([(e)-[:HAS_PROFILE]->(p) | p.enrichment]),
    runId: head([(e)-[:HAS_PROFILE]->(p) | p.enrichmentRunId]),
    isUsers: EXISTS { (e)-[:HAS_PROFILE]->()-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) },
    isChosen: EXISTS { (e)-[:HAS_PROFILE]->(p) WHERE p.summaryChosenAt IS NOT NULL },
    versions: COLLECT { MATCH (e)-[:HAS_PROFILE]->()-[:HAS_ENTITY_SUMMARY]->(v)
      RETURN v {.text, .author} },
    said: COLLECT {
      MATCH (ep:Episodic)-[:MENTIONS]->(e)
      WHERE NOT EXISTS {
        MATCH (e)-[:HAS_PROFILE]->(own:EntityProfile)
        MATCH (f:ForgottenMemory {owner: own.owner}) WHERE ep.uuid IN f.episodes
      }
      WITH DISTINCT ep ORDER BY ep.valid_at DESC LIMIT ${EPISODES_COMPARED_MAX}
      OPTIONAL MATCH (e)-[:HAS_PROFILE]->(p:EntityProfile)
      OPTIONAL MATCH (t:EpisodeText {key: ep.uuid + '/0'})
      OPTIONAL MATCH (ep)<-[:HAS_CONTENT]-(a:Alternative)
        <-[:HAS_ALTERNATIVE]-(turn:ConversationTurn)
      RETURN {text: substring(ep.content, 0, ${SAID_CHARS_MAX}), saidAt: toString(ep.valid_at),
        near: ${NEAR},
        central: COUNT { MATCH (ep)-[:MENTIONS]->(other:Entity)
          WHERE other <> e AND EXISTS { (e)-[:RELATES_TO]-(other) } }
          + COUNT { MATCH (e)-[r:RELATES_TO]-(:Entity) WHERE ep.uuid IN r.episodes },
        speaker: turn.speaker,
        user: head(COLLECT { MATCH (owner:User {id: a.ownerId}) RETURN owner.name })}
      ORDER BY ep.valid_at DESC
    },
    facts: COLLECT {
      MATCH (e)-[r:RELATES_TO]-(other:Entity)
      WHERE r.invalid_at IS NULL OR r.invalid_at > datetime()
      WITH DISTINCT r, other ORDER BY r.created_at DESC LIMIT ${FACTS_COMPARED_MAX}
      RETURN {text: r.fact, near: null, central: COUNT { (other)-[:RELATES_TO]-() }
        + COUNT { (other)<-[:MENTIONS]-() }
        + size(r.episodes)}
    }} AS enrichable
`;

const EnrichableRow = z.object({
  uuid: z.string(),
  name: z.string(),
  // Nodes that Graphiti's library wrote may have no summary.
  summary: textOrEmpty,
  labels: z.array(z.string()),
  conversationId: textOrNull,
  facets: textOrNull,
  typing: textOrNull,
  /** JSON of the last enrichment. */
  enrichment: textOrNull,
  /** The last run that was started to enrich it. */
  runId: textOrNull,
  isUsers: z.boolean(),
  /** Whether a user chose the summary. */
  isChosen: z.boolean(),
  versions: z.array(z.object({ text: z.string(), author: z.enum(SUMMARY_AUTHORS) })),
  said: z.array(
    z.object({
      text: textOrEmpty,
      saidAt: z.string(),
      near: numberOrNull,
      central: z.int(),
      speaker: z.enum(SPEAKERS).nullable(),
      user: textOrNull,
    }),
  ),
  facts: z.array(z.object({ text: z.string(), near: numberOrNull, central: z.int() })),
});

/** An entity with the input of its enrichment. */
export interface Enrichable extends Omit<z.infer<typeof EnrichableRow>, 'said' | 'facts'> {
  /** The most telling texts of its Episodes as `<name>: text`, oldest first. */
  readonly said: readonly string[];
  /** Its most telling facts that have not ended, best first. */
  readonly facts: readonly string[];
}

function toEnrichable({ enrichable }: Row): Enrichable {
  const { said, facts, ...entity } = parseRow(EnrichableRow, enrichable, 'Entity');
  return {
    ...entity,
    said: chooseMaterial(said, SAID_MAX)
      .toSorted((a, b) => (a.saidAt < b.saidAt ? -1 : 1))
      .map(spoken),
    facts: chooseMaterial(facts, FACTS_MAX).map(({ text }) => text),
  };
}

/** A text with its speaker's name before it; Summaries have no speaker. */
const spoken = ({
  text,
  speaker,
  user,
}: {
  readonly text: string;
  readonly speaker: Speaker | null;
  readonly user: string | null;
}): string => (speaker === null ? text : `${nameForModel(speaker, user ?? 'User')}: ${text}`);

const LIST_DUE = cypher`
  // listDueEnrichments
  UNWIND $uuids AS uuid
  MATCH (e:Entity {uuid: uuid})-[:HAS_PROFILE]->(profile:EntityProfile)
  WHERE profile.enrichmentRunId IS NULL AND COUNT { (e)<-[:MENTIONS]-() } >= $threshold
  RETURN ${ENRICHABLE}
`;

/** Entities with enough mentions for which no enrichment was started yet (S4-ENT-09). */
export const listDueEnrichments = (
  tx: ReadTx,
  due: { readonly uuids: readonly string[]; readonly threshold: number },
) => readAll(tx, LIST_DUE, due, toEnrichable);

const FIND = cypher`
  // findEnrichable
  MATCH (e:Entity {uuid: $uuid})
  RETURN ${ENRICHABLE}
`;

/** Not scoped by a viewer: the caller has checked access. */
export function findEnrichable(tx: ReadTx, uuid: string): Promise<Enrichable | null> {
  return readOne(tx, FIND, { uuid }, toEnrichable);
}

const MARK = cypher`
  // markEnrichment
  MATCH (e:Entity {uuid: $entityUuid})
  MERGE (e)-[:HAS_PROFILE]->(p:EntityProfile)
  ON CREATE SET p.entityUuid = e.uuid, p.owner = $owner, p.nameKey = $nameKey
  SET p.enrichmentRunId = $runId
  WITH p
  ${CREATE_ENTRIES}
`;

/** Stores the run that enriches the entity, so the threshold starts no second one. */
export async function markEnrichment(
  tx: WriteTx,
  mark: {
    readonly entityUuid: string;
    readonly name: string;
    readonly ownerId: string;
    readonly runId: string;
    readonly entry: OutboxEntry;
  },
): Promise<void> {
  const { entry, ownerId, name, ...rest } = mark;
  const owner = userGroupOf(ownerId);
  await tx.run(MARK, { ...rest, owner, nameKey: nameKey(name), entries: entryParams([entry]) });
}

const FIND_OF_RUN = cypher`
  // findEnrichedByRun
  MATCH (run:ProcessRun {id: $runId})
  MATCH (e:Entity {uuid: $entityUuid})-[:HAS_PROFILE]->(p:EntityProfile {enrichmentRunId: run.id})
  WHERE p.enrichedRunId IS NULL OR p.enrichedRunId <> run.id
  RETURN ${ENRICHABLE}
`;

/** The entity that this run enriches; null once the enrichment is written. */
export const findEnrichedByRun = (
  tx: ReadTx,
  of: { readonly runId: string; readonly entityUuid: string },
) => readOne(tx, FIND_OF_RUN, of, toEnrichable);

const WRITE = cypher`
  // writeEnrichment
  MATCH (e:Entity {uuid: $entityUuid})-[:HAS_PROFILE]->(p:EntityProfile)
  SET e.summary = coalesce($summary, e.summary), p.written = coalesce($summary, p.written),
    p:Unembedded, p.facets = $facets,
    p.typing = $typing, p.enrichment = $enrichment,
    p.enrichedAt = datetime($now), p.enrichedById = $processId, p.enrichedRunId = $runId
  WITH e, p
  ${KEEP_SUMMARIES}
  SET e:$(coalesce($labels, [])), e.labels = coalesce($labels, e.labels)
  MERGE (s:EntitySource {key: $source.key})
  ON CREATE SET s = $source, s.createdAt = datetime($source.createdAt)
  MERGE (p)-[:HAS_SOURCE]->(s)
  WITH p
  ${CREATE_ENTRIES}
`;

/** Writes the result of an enrichment (S4-ENT-08, S4-ENT-10). */
export async function writeEnrichment(
  tx: WriteTx,
  write: {
    readonly entityUuid: string;
    readonly runId: string;
    readonly processId: string;
    /** Null: the summary stays. */
    readonly summary: string | null;
    /** Versions to store: the proposal, and the present text if it has no version. */
    readonly summaries: readonly KeptSummary[];
    readonly label: string | null;
    readonly facets: object | null;
    readonly typing: object | null;
    readonly enrichment: JsonObject;
    readonly source: EntitySource;
    readonly now: string;
    readonly entry: OutboxEntry;
  },
): Promise<void> {
  const { entry, source, label, facets, typing, enrichment, ...rest } = write;
  await tx.run(WRITE, {
    ...rest,
    labels: label === null ? null : ['Entity', label],
    facets: facets === null ? null : JSON.stringify(facets),
    typing: typing === null ? null : JSON.stringify(typing),
    enrichment: JSON.stringify(enrichment),
    source: sourceParams(write.entityUuid, source),
    entries: entryParams([entry]),
  });
}
