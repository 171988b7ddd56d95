import { z } from 'zod';
import { realmOfStore } from '../../agent-memory/store.ts';
import { BulletsText } from '../../agent-memory/toc/toc.ts';
import { textOrNull } from '../../common/stored.ts';
import { SPEAKERS } from '../../conversations/turn.ts';
import { userGroupOf } from '../../memory-graph/group.ts';
import { episodeQueriesOf, groupQueriesOf } from '../../memory-graph/search/search-query.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textListOf } from '../../platform/neo4j/row.ts';
import { excerptOf } from '../../text/excerpt.ts';
import { questionIn } from '../../text/questions.ts';
import {
  chooseRecalled,
  type RankedCandidate,
  RECALL_KINDS,
  type RecallCandidate,
  type RecalledMemory,
  type RecallSource,
  rankCandidates,
} from './recall.ts';
import { type RecallQuery, recallQueryOf } from './recall-query.ts';

/** What a message calls for, and what its messages show already. */
export interface Recall {
  readonly viewerId: string;
  readonly conversationId: string;
  /** The text being answered. */
  readonly message: string;
  /** Uuids of the Episodes of the path whose turns are valid. */
  readonly path: readonly string[];
  /** The turns that the messages show word for word; they are not recalled. */
  readonly shown: readonly { readonly episodeId: string | null; readonly content: string }[];
  /** Store of the agent memory whose table of contents is read; null reads none. */
  readonly store: string | null;
  /** The most tokens of the recalled message; 0 recalls nothing. */
  readonly tokens: number;
  readonly otherConversations: boolean;
}

/**
 * The memories that a message calls for, best first, found by words alone, so that no transaction
 * waits for a model. At most three statements. Leaves out turns that the messages show, branches
 * that are not on screen, facts that do not hold now, and all of other users.
 */
export async function recall(tx: ReadTx, wanted: Recall): Promise<RecalledMemory[]> {
  const { message, tokens, otherConversations, path, shown } = wanted;
  const query = tokens === 0 ? null : recallQueryOf(message);
  const hidden = path.length > shown.filter(({ episodeId }) => episodeId !== null).length;
  // Everything of this conversation is on screen, and nothing else is asked for.
  if (query === null || (!hidden && !otherConversations)) return [];
  const groups = await listGroups(tx, wanted);
  const candidates = await findRecallCandidates(tx, wanted, query, { groups, hidden });
  const texts = [message, ...shown.map(({ content }) => content)];
  const ranked = rankCandidates(query, candidates, texts);
  if (ranked.length === 0) return [];
  const sources = await listSources(tx, wanted, ranked);
  return chooseRecalled(
    ranked.flatMap((one) => toMemory(one, query, sources.get(keyOf(one)) ?? [])),
    tokens,
  );
}

const EXCERPT_CHARS_MAX = 320;

function toMemory(
  { kind, id, text, before, relevance }: RankedCandidate,
  query: RecallQuery,
  sources: readonly RecallSource[],
): Omit<RecalledMemory, 'tokens'>[] {
  // No evidence that the viewer can see: it was said on a branch that is not on screen.
  if (sources.length === 0) return [];
  return [
    {
      kind,
      id,
      text: excerptOf(text, query.stems, EXCERPT_CHARS_MAX),
      inReplyTo: before === null ? null : questionIn(before),
      isQuotation: kind === 'episode',
      relevance,
      sources,
    },
  ];
}

/** The conversations that are searched, those changed last first. */
const GROUPS_MAX = 2_000;

const GROUPS = /* cypher */ `
  // listRecallGroups
  MATCH (c:Conversation) WHERE c.ownerId = $viewerId
    AND ($otherConversations OR c.id = $conversationId)
  WITH c ORDER BY c.updatedAt DESC LIMIT $max
  RETURN collect(c.id) AS ids
`;

/** Graphiti's groups whose entities and facts are searched; all belong to the viewer. */
async function listGroups(
  tx: ReadTx,
  { viewerId, conversationId, otherConversations }: Recall,
): Promise<string[]> {
  const params = { viewerId, conversationId, otherConversations, max: GROUPS_MAX };
  const [row] = await tx.run(GROUPS, params);
  const ids = row === undefined ? [] : textListOf(row, 'ids', 'Groups of a recall');
  return [...ids, userGroupOf(viewerId)];
}

/** Index entries that are read per query, and hits that are kept per kind. */
const DEEP = 200;
const KEPT = 40;
const TEXT_CHARS_MAX = 6_000;
const BEFORE_CHARS_MAX = 400;
/** Weights of the words of a piece itself, and of its window. */
const WEIGHTS = { text: 1, window: 0.5 };

// As of now: a fact that ended or was withdrawn is not recalled.
const CANDIDATES = /* cypher */ `
  // findRecallCandidates
  CALL () {
    UNWIND $episodeQueries AS q
    CALL db.index.fulltext.queryNodes(q.index, q.query, {limit: $deep}) YIELD node AS t, score
    WITH t, max(score) AS score
    MATCH (t)-[:TEXT_OF]->(ep:Episodic)<-[:HAS_CONTENT]-(a:Alternative)
    WHERE a.ownerId = $viewerId AND a.outcome = 'completed' AND NOT ep.uuid IN $shown
      AND (ep.uuid IN $path OR (ep.group_id <> $conversationId AND $otherConversations))
    WITH t, ep, a, score ORDER BY score DESC, ep.valid_at DESC, a.copiedFromId IS NOT NULL LIMIT $kept
    MATCH (a)<-[:HAS_ALTERNATIVE]-(turn:ConversationTurn)
    RETURN 'episode' AS kind, ep.uuid AS id, left(t.text, $textChars) AS text, score,
      head([(a)-[:RESPONDS_TO]->(b:Alternative) | right(b.content, $beforeChars)]) AS before,
      turn.speaker AS speaker, null AS bullets
    UNION ALL
    UNWIND $groupQueries AS q
    CALL db.index.fulltext.queryRelationships('edge_name_and_fact', q, {limit: $deep})
      YIELD relationship AS r, score
    WITH r, score
    WHERE r.group_id IN $groups AND (r.valid_at IS NULL OR r.valid_at <= datetime())
      AND (r.invalid_at IS NULL OR r.invalid_at > datetime())
      AND (r.expired_at IS NULL OR r.expired_at > datetime())
      AND none(uuid IN r.episodes WHERE uuid IN $shown)
    WITH r, score ORDER BY score DESC, r.created_at DESC LIMIT $kept
    RETURN 'fact' AS kind, r.uuid AS id, left(r.fact, $textChars) AS text, score, null AS before,
      null AS speaker, null AS bullets
    UNION ALL
    UNWIND $groupQueries AS q
    CALL db.index.fulltext.queryNodes('node_name_and_summary', q, {limit: $deep})
      YIELD node AS e, score
    WITH e, score
    WHERE e.group_id IN $groups AND e.summary <> ''
      AND NOT EXISTS {
        (:Conversation {id: $conversationId})-[:HAS_ACTIVE_ENTITY {includeSummary: true}]->(e) }
    WITH e, score ORDER BY score DESC, e.uuid LIMIT $kept
    WITH *, CASE WHEN e.summary STARTS WITH e.name THEN '' ELSE e.name + ': ' END AS subject
    RETURN 'entity' AS kind, e.uuid AS id, left(subject + e.summary, $textChars) AS text,
      score, null AS before, null AS speaker, null AS bullets
    UNION ALL
    UNWIND $tocQueries AS q
    CALL db.index.fulltext.queryNodes('toc_words', q, {limit: $deep}) YIELD node AS l, score
    WITH l, score WHERE l.store = $store AND NOT l.isEmpty
    WITH l, score ORDER BY score DESC LIMIT $kept
    MATCH (n:TocNode {store: l.store, key: l.versionKey})
    RETURN 'toc' AS kind, l.nodeId AS id, '' AS text, score, null AS before, null AS speaker,
      n.bullets AS bullets
  }
  RETURN kind, id, text, score, before, speaker, bullets
`;

const CandidateRow = z.object({
  kind: z.enum(RECALL_KINDS),
  id: z.string(),
  text: z.string(),
  score: z.number(),
  before: textOrNull,
  speaker: z.enum(SPEAKERS).nullable(),
  /** The lines of a node of the table of contents; null for all others. */
  bullets: BulletsText.nullable(),
});

async function findRecallCandidates(
  tx: ReadTx,
  wanted: Recall,
  query: RecallQuery,
  { groups, hidden }: { readonly groups: readonly string[]; readonly hidden: boolean },
): Promise<RecallCandidate[]> {
  const { viewerId, conversationId, otherConversations, store, path, shown } = wanted;
  const { lucene } = query;
  // While the messages show all of this conversation, its Episodes would only fill the answer.
  const here = `group_id:"${conversationId}"`;
  const within = !otherConversations ? ` +${here}^0` : hidden ? '' : ` -${here}`;
  const rows = await tx.run(CANDIDATES, {
    viewerId,
    conversationId,
    otherConversations,
    path,
    shown: shown.flatMap(({ episodeId }) => episodeId ?? []),
    groups,
    groupQueries: groupQueriesOf(lucene, groups),
    episodeQueries: episodeQueriesOf(lucene, { owner: userGroupOf(viewerId), within }, WEIGHTS),
    store,
    tocQueries:
      store === null || !otherConversations
        ? []
        : [`+store:"${store.replace(/["\\]/g, '\\$&')}"^0 +words:(${lucene.words})`],
    deep: DEEP,
    kept: KEPT,
    textChars: TEXT_CHARS_MAX,
    beforeChars: BEFORE_CHARS_MAX,
  });
  return rows.flatMap((row) => toCandidates(parseRow(CandidateRow, row, 'Recalled memory')));
}

/** A node of the table of contents gives a candidate per line. */
function toCandidates({ bullets, ...row }: z.infer<typeof CandidateRow>): RecallCandidate[] {
  if (bullets === null) return [{ ...row, gripIds: [] }];
  return bullets.map(({ text, gripIds }) => ({ ...row, text, gripIds }));
}

/** Lines of one node of the table of contents have different grips. */
function keyOf({ kind, id, gripIds }: Pick<RankedCandidate, 'kind' | 'id' | 'gripIds'>): string {
  return kind === 'toc' ? `toc/${id}/${gripIds.join()}` : `${kind}/${id}`;
}

/** The most sources of one memory. */
const SOURCES_MAX = 3;
/** Episodes of a memory that are looked at, newest first, until SOURCES_MAX are on screen. */
const LOOKED_AT = 12;

const SOURCES = /* cypher */ `
  // listRecallSources
  MATCH (owner:User {id: $viewerId})
  CALL () {
    UNWIND $episodes AS uuid
    MATCH (ep:Episodic {uuid: uuid})
    RETURN 'episode' AS kind, uuid, [ep] AS found
    UNION ALL
    UNWIND $facts AS uuid
    MATCH (:Entity)-[r:RELATES_TO {uuid: uuid}]->(:Entity)
    CALL (r) {
      MATCH (ep:Episodic) WHERE ep.uuid IN r.episodes
      WITH ep ORDER BY ep.valid_at DESC LIMIT $lookedAt
      RETURN collect(ep) AS found
    }
    RETURN 'fact' AS kind, uuid, found
    UNION ALL
    UNWIND $entities AS uuid
    MATCH (e:Entity {uuid: uuid})
    CALL (e) {
      MATCH (ep:Episodic)-[:MENTIONS]->(e)
      WITH ep ORDER BY ep.valid_at DESC LIMIT $lookedAt
      RETURN collect(ep) AS found
    }
    RETURN 'entity' AS kind, uuid, found
  }
  CALL (kind, uuid, found, owner) {
    UNWIND found AS ep
    MATCH (ep)<-[:HAS_CONTENT]-(a:Alternative)<-[h:HAS_ALTERNATIVE]-(t:ConversationTurn)
    WHERE a.ownerId = $viewerId
    MATCH (c:Conversation {id: t.conversationId})
    WHERE ep.uuid IN $path OR (c.id <> $conversationId AND $otherConversations AND h.isActive
      AND EXISTS { (t)<-[:ON_SCREEN*0..]-(:ConversationTurn {id: c.rootTurnId}) }
      // An answer to a version that is not shown is stale.
      AND (t.speaker <> 'agent' OR a.respondsToId IS NULL OR EXISTS {
        (:Alternative {id: a.respondsToId})<-[:HAS_ALTERNATIVE {isActive: true}]-() }))
    WITH ep, a, t, c ORDER BY t.speaker <> 'user', ep.valid_at DESC, c.createdAt LIMIT $sources
    RETURN {conversationId: c.id, conversationTitle: c.title, turnId: t.id, alternativeId: a.id,
      episodeId: ep.uuid, eventId: null, speaker: t.speaker, saidAt: ep.valid_at,
      saidBy: CASE t.speaker WHEN 'user' THEN owner.name ELSE
        coalesce(head([(a)-[:EXECUTED_BY]->(p:Process) | p.name]), 'Assistant') END} AS source
    UNION
    WITH kind, uuid, owner WHERE kind = 'entity'
    MATCH (:Entity {uuid: uuid})-[:HAS_PROFILE]->()-[:HAS_SOURCE]->(s:EntitySource {type: 'user'})
    WITH s, owner ORDER BY s.createdAt LIMIT 1
    RETURN {conversationId: null, conversationTitle: null, turnId: null, alternativeId: null,
      episodeId: null, eventId: null, speaker: 'user', saidAt: s.createdAt,
      saidBy: owner.name} AS source
  }
  RETURN kind + '/' + uuid AS key, source
  UNION ALL
  MATCH (owner:User {id: $viewerId})
  UNWIND $lines AS line
  CALL (line, owner) {
    MATCH (g:Grip {store: $store}) WHERE g.realm = $realm AND g.gripId IN line.gripIds
    WITH g ORDER BY g.timestampMs DESC LIMIT $sources
    MATCH (m:MemoryEvent {realm: g.realm, eventId: g.eventIdStart})
    OPTIONAL MATCH (c:Conversation {id: g.sessionId, ownerId: $viewerId})
    WITH g, m, c, owner WHERE g.sessionId <> $conversationId
    RETURN {conversationId: c.id, conversationTitle: c.title, turnId: null, alternativeId: null,
      episodeId: null, eventId: g.eventIdStart,
      speaker: CASE m.role WHEN 'user' THEN 'user' WHEN 'system' THEN 'system' ELSE 'agent' END,
      saidAt: datetime({epochMillis: g.timestampMs}),
      saidBy: CASE m.role WHEN 'user' THEN owner.name ELSE 'Assistant' END} AS source
  }
  RETURN line.key AS key, source
`;

const SourceRow = z.object({
  key: z.string(),
  source: z.object({
    conversationId: textOrNull,
    conversationTitle: textOrNull,
    turnId: textOrNull,
    alternativeId: textOrNull,
    episodeId: textOrNull,
    eventId: textOrNull,
    speaker: z.enum(SPEAKERS),
    saidBy: z.string(),
    saidAt: z.string(),
  }),
});

/** The sources of each memory that the viewer can see now, by `keyOf`; the user's words first. */
async function listSources(
  tx: ReadTx,
  { viewerId, conversationId, otherConversations, path, store }: Recall,
  ranked: readonly RankedCandidate[],
): Promise<Map<string, RecallSource[]>> {
  const idsOf = (wanted: RankedCandidate['kind']) =>
    ranked.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  const rows = await tx.run(SOURCES, {
    viewerId,
    conversationId,
    otherConversations,
    path,
    store,
    realm: realmOfStore(store ?? ''),
    episodes: idsOf('episode'),
    facts: idsOf('fact'),
    entities: idsOf('entity'),
    lines: ranked.flatMap((one) =>
      one.kind === 'toc' ? [{ key: keyOf(one), gripIds: one.gripIds }] : [],
    ),
    lookedAt: LOOKED_AT,
    sources: SOURCES_MAX,
  });
  const sources = new Map<string, RecallSource[]>();
  for (const row of rows) {
    const { key, source } = parseRow(SourceRow, row, 'Source of a memory');
    sources.set(key, [...(sources.get(key) ?? []), source]);
  }
  return sources;
}
