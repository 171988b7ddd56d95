import { z } from 'zod';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textOf, textsOf } from '../../platform/neo4j/row.ts';
import { readOne } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { UNSPACED_OF_JAVA } from '../../text/scripts.ts';
import { userGroupOf } from '../group.ts';
import { isOwn, viewerParams } from '../visible.cypher.ts';
import { FORGETTABLE, type Forgets, type Forgettable } from './forgotten.ts';

/** A statement has no relations of its own: `src/memory-graph/statements` deletes it. */
type Scope = Exclude<Forgettable, 'statement'>;
/** The counts of a scope; its statements are counted beside it. */
type Counts = Omit<Forgets, 'statements'>;

// The preview and the deletion read the same scope, so the preview tells exactly the records that
// go. A scope binds `uuid` and `facts`; that of an entity binds `e` too.
const SCOPES = {
  fact: /* cypher */ `
    UNWIND $uuids AS uuid
    MATCH (from:Entity)-[r:RELATES_TO {uuid: uuid}]->(:Entity) WHERE ${isOwn('from')}
    WITH uuid, collect(r) AS facts`,
  entity: /* cypher */ `
    UNWIND $uuids AS uuid
    OPTIONAL MATCH (direct:Entity {uuid: uuid})
    OPTIONAL MATCH (:MergeRecord {uuid: uuid})-[:MERGED_INTO]->(kept:Entity)
    WITH uuid, coalesce(direct, kept) AS e
    WHERE e IS NOT NULL AND ${isOwn('e')}
    WITH uuid, e, COLLECT { MATCH (e)-[r:RELATES_TO]-(:Entity) RETURN DISTINCT r } AS facts`,
} as const satisfies Record<Scope, string>;

// A name is found as whole words, so `Ada` is not found in `Canada`. Scripts that write no space
// between words have no such border: a name may stand between any two of their letters.
const WORD_SIGN = `[\\p{L}\\p{M}\\p{N}_&&[^${UNSPACED_OF_JAVA}]]`;
/** The parts of a pattern of Java, to which `PATTERN_OF_WORD` adds the words of a name. */
const NAME_PATTERN = {
  nameBegins: `(?s).*(?:(?<!${WORD_SIGN})|(?!${WORD_SIGN}))\\Q`,
  nameSpace: String.raw`\E[\s\p{Z}]+\Q`,
  nameEnds: `\\E(?:(?!${WORD_SIGN})|(?<!${WORD_SIGN})).*`,
} as const;
// `word` is in lower case, so it can't contain the \E that ends a quotation.
const PATTERN_OF_WORD = /* cypher */ `$nameBegins
        + reduce(name = '', part IN [part IN split(word, ' ') WHERE part <> ''] |
            name + CASE name WHEN '' THEN '' ELSE $nameSpace END + part)
        + $nameEnds`;
// JSON, with its escaped line breaks and quotation marks as they are read.
const ENRICHMENT_AS_READ = /* cypher */ `replace(replace(toLower(coalesce(p.enrichment, '')),
        '\\\\n', ' '), '\\\\"', '"')`;

// Binds `rests`: the entities at the other ends of `facts`, with the texts of the system that name
// the end that is lost, or state the fact. Texts of users stay.
const rests = (kind: Scope) => /* cypher */ `
  CALL (${kind === 'fact' ? 'facts' : 'facts, e'}) {
    UNWIND facts AS r
    UNWIND [[startNode(r), endNode(r)], [endNode(r), startNode(r)]] AS ends
    WITH *, ends[0] AS n, ends[1] AS other
    ${kind === 'fact' ? '' : 'WHERE n <> e'}
    WITH n, collect(DISTINCT toLower(other.name)) + collect(DISTINCT toLower(r.fact)) AS words
    MATCH (n)-[:HAS_PROFILE]->(p:EntityProfile)
    WITH n, p, [word IN words WHERE trim(word) <> '' | ${PATTERN_OF_WORD}] AS names,
      coalesce(n.summary, '') AS summary,
      COLLECT { MATCH (p)-[:HAS_ENTITY_SUMMARY]->(v:EntitySummary) RETURN v
        ORDER BY v.createdAt DESC, v.id DESC } AS stored
    WITH n, p, names, summary, stored, head([v IN stored WHERE v.author = 'user' | v.text]) AS own,
      EXISTS { (p)-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) } AS isUsers
    WITH n, p, own, summary, any(name IN names WHERE ${ENRICHMENT_AS_READ} =~ name) AS isEnriched,
      [v IN stored WHERE v.author = 'system'
        AND any(name IN names WHERE toLower(v.text) =~ name)] AS versions,
      any(name IN names WHERE toLower(summary) =~ name)
        AND NOT any(v IN stored WHERE v.author = 'user' AND v.text = summary)
        AND NOT (isUsers AND stored = []) AS isStale
    RETURN collect({n: n, p: p, own: own, versions: versions, isStale: isStale,
      isEnriched: isEnriched,
      count: size(versions) + CASE WHEN isStale AND NOT any(v IN versions WHERE v.text = summary)
        THEN 1 ELSE 0 END
    }) AS rests
  }
`;

const VECTORS_OF_FACTS = /* cypher */ `COUNT {
      UNWIND facts AS r
      MATCH (f:FactRef {edgeUuid: r.uuid}) WHERE f.vectorA IS NOT NULL OR f.vectorB IS NOT NULL
      RETURN f
    }`;
const COUNTS = {
  fact: /* cypher */ `
  {facts: size(facts), mentions: 0, summaries: reduce(sum = 0, rest IN rests | sum + rest.count),
    vectors: ${VECTORS_OF_FACTS}, conversations: 0}`,
  entity: /* cypher */ `
  {facts: size(facts), mentions: COUNT { (e)<-[:MENTIONS]-() },
    summaries: reduce(sum = 0, rest IN rests | sum + rest.count)
      + COUNT { (e)-[:HAS_PROFILE]->(:EntityProfile)-[:HAS_ENTITY_SUMMARY]->(:EntitySummary) }
      + CASE WHEN coalesce(e.summary, '') = ''
          OR EXISTS { (e)-[:HAS_PROFILE]->(:EntityProfile)
            -[:HAS_ENTITY_SUMMARY]->(:EntitySummary {text: e.summary}) }
        THEN 0 ELSE 1 END,
    vectors: ${VECTORS_OF_FACTS}
      + COUNT { MATCH (e)-[:HAS_PROFILE]->(p:EntityProfile)
        WHERE p.vectorA IS NOT NULL OR p.vectorB IS NOT NULL RETURN p },
    conversations: COUNT { (:Conversation)-[:HAS_ACTIVE_ENTITY]->(e) }}`,
} as const satisfies Record<Scope, string>;
const CountsRow = z.object({
  facts: z.int(),
  mentions: z.int(),
  summaries: z.int(),
  vectors: z.int(),
  conversations: z.int(),
});

const preview = (kind: Scope) => cypher`
  // findForgets
  ${SCOPES[kind]}
  ${rests(kind)}
  RETURN uuid, ${COUNTS[kind]} AS forgets
`;
const PREVIEWS = { fact: preview('fact'), entity: preview('entity') } as const;

/** The records that would go with each. Those that the viewer can't see are left out. */
export async function findForgets(
  tx: ReadTx,
  viewerId: string,
  kind: Scope,
  uuids: readonly string[],
): Promise<Map<string, Counts>> {
  const rows = await tx.run(PREVIEWS[kind], { ...viewerParams(viewerId), ...NAME_PATTERN, uuids });
  return new Map(
    rows.map((row) => {
      const uuid = textOf(row, 'uuid', 'Forgets');
      return [uuid, parseRow(CountsRow, row['forgets'], `Forgets of ${uuid}`)];
    }),
  );
}

/** The most conversations that hear of it because they tell of it. */
const PLACES_MAX = 200;
const FOUND = {
  fact: /* cypher */ `
  RETURN ${COUNTS.fact} AS counts, [r IN facts | {uuid: r.uuid, uuids: [r.uuid],
    factUuids: [r.uuid], restUuids: [rest IN rests | rest.n.uuid], texts: [r.fact],
    episodes: coalesce(r.episodes, []),
    conversationIds: COLLECT { MATCH (ep:Episodic) WHERE ep.uuid IN r.episodes
      MATCH (c:Conversation {id: ep.group_id}) RETURN DISTINCT c.id LIMIT ${PLACES_MAX} }}][0]
      AS found`,
  entity: /* cypher */ `
  RETURN ${COUNTS.entity} AS counts, {uuid: e.uuid, factUuids: [r IN facts | r.uuid],
    restUuids: [rest IN rests | rest.n.uuid],
    uuids: [e.uuid] + [(e)<-[:MERGED_INTO]-(m:MergeRecord) | m.uuid],
    texts: [e.name] + [(e)<-[:MERGED_INTO]-(m:MergeRecord) WHERE m.name IS NOT NULL | m.name]
      + [(e)-[:HAS_PROFILE]->(:EntityProfile)-[:HAS_SOURCE]->(s:EntitySource)
        WHERE s.originalName IS NOT NULL | s.originalName],
    episodes: [(e)<-[:MENTIONS]-(ep:Episodic) | ep.uuid],
    conversationIds: COLLECT {
      MATCH (c:Conversation {id: e.group_id}) RETURN c.id AS id
      UNION MATCH (c:Conversation)-[:HAS_ACTIVE_ENTITY]->(e) RETURN c.id AS id
      UNION MATCH (e)<-[:MENTIONS]-(ep:Episodic) WITH DISTINCT ep.group_id AS group
      MATCH (c:Conversation {id: group}) RETURN c.id AS id LIMIT ${PLACES_MAX}
    }} AS found`,
} as const satisfies Record<Scope, string>;
const plan = (kind: Scope) => cypher`
  // findToForget
  ${SCOPES[kind]}
  ${rests(kind)}
  ${FOUND[kind]}
`;
const PLANS = { fact: plan('fact'), entity: plan('entity') } as const;

const texts = z.array(z.string());
/** A fact or entity with the data that its mark is made of. */
const ToForgetRow = z.object({
  uuid: z.string(),
  /** Uuids that resolve to it: its own, and those merged into it. */
  uuids: texts,
  factUuids: texts,
  /** The entities at the other ends of its facts. */
  restUuids: texts,
  /** Names of the entity in all its sources, or the sentence of the fact. */
  texts,
  /** The Episodes that mention the entity or state the fact. */
  episodes: texts,
  /** Conversations that show it: that tell of it, and those in which the entity is active. */
  conversationIds: texts,
});
export type ToForget = Counts & z.infer<typeof ToForgetRow>;

/** The viewer's fact or entity with all that goes with it; null if the viewer can't see it. */
export async function findToForget(
  tx: ReadTx,
  viewerId: string,
  kind: Scope,
  uuid: string,
): Promise<ToForget | null> {
  const [row] = await tx.run(PLANS[kind], {
    ...viewerParams(viewerId),
    ...NAME_PATTERN,
    uuids: [uuid],
  });
  if (row === undefined) return null;
  const counts = parseRow(CountsRow, row['counts'], `Forgets of ${uuid}`);
  return { ...counts, ...parseRow(ToForgetRow, row['found'], `${kind} ${uuid}`) };
}

// Clears the texts at the other ends. An enrichment that is under way has read the fact: without
// its run id its result is not written, and the next mention starts another one.
const CLEAR_RESTS = /* cypher */ `
  CALL (rests) {
    UNWIND rests AS rest
    WITH rest, rest.n AS n, rest.p AS p, rest.versions AS versions
    WITH *, rest.isStale OR rest.isEnriched OR versions <> [] AS isChanged
    SET n.summary = CASE WHEN rest.isStale THEN coalesce(rest.own, '') ELSE n.summary END,
      p.written = CASE WHEN rest.isStale THEN rest.own ELSE p.written END,
      p.summaryChosenAt = CASE WHEN rest.isStale THEN null ELSE p.summaryChosenAt END,
      p.enrichment = CASE WHEN rest.isEnriched THEN null ELSE p.enrichment END,
      p.proposedSummaryId = CASE WHEN any(v IN versions WHERE v.id = p.proposedSummaryId) THEN null
        ELSE p.proposedSummaryId END,
      p.enrichmentRunId = CASE
        WHEN isChanged OR p.enrichedRunId IS NULL OR p.enrichedRunId <> p.enrichmentRunId THEN null
        ELSE p.enrichmentRunId END
    WITH rest, p, versions
    CALL (rest, p) { WITH rest, p WHERE rest.isStale SET p:Unembedded }
    CALL (versions) { UNWIND versions AS v DETACH DELETE v }
  }
`;
const DELETE_FACTS = /* cypher */ `
  CALL (facts) {
    UNWIND facts AS r
    WITH r, coalesce(r.episodes, [])
      + COLLECT { MATCH (v:FactRevision {edgeUuid: r.uuid}) RETURN v.episodeUuid } AS episodes
    UNWIND episodes AS episodeUuid
    MATCH (ep:Episodic {uuid: episodeUuid})
    SET ep.entity_edges = [uuid IN coalesce(ep.entity_edges, []) WHERE uuid <> r.uuid]
  }
  CALL (facts) {
    UNWIND facts AS r
    MATCH (v:FactRevision {edgeUuid: r.uuid})
    DETACH DELETE v
  }
  CALL (facts) {
    UNWIND facts AS r
    MATCH (f:FactRef {edgeUuid: r.uuid})
    DETACH DELETE f
  }
  CALL (facts) { UNWIND facts AS r DELETE r }
`;
const DELETE_ENTITY = /* cypher */ `
  WITH e
  CALL (e) {
    MATCH (e)-[:HAS_PROFILE]->(p:EntityProfile)
    CALL (p) {
      MATCH (p)-[:HAS_ENTITY_SUMMARY|HAS_SOURCE]->(part)
      DETACH DELETE part
    }
    DETACH DELETE p
  }
  CALL (e) {
    MATCH (m:MergeRecord)-[:MERGED_INTO]->(e)
    DETACH DELETE m
  }
  DETACH DELETE e
`;
const MARK = /* cypher */ `
  MERGE (f:ForgottenMemory {uuid: $mark.uuid})
  SET f = $mark, f.at = datetime($now)
`;
const deletion = (kind: Scope) => cypher`
  // forget
  ${SCOPES[kind]}
  ${rests(kind)}
  ${CLEAR_RESTS}
  ${DELETE_FACTS}
  ${kind === 'entity' ? DELETE_ENTITY : ''}
  ${MARK}
`;
const DELETIONS = { fact: deletion('fact'), entity: deletion('entity') } as const;

/** Deletes it with all that goes with it, and leaves a mark. Under the owner's lock. */
export async function forget(
  tx: WriteTx,
  viewerId: string,
  kind: Scope,
  {
    found,
    now,
    ...more
  }: {
    readonly found: ToForget;
    readonly keys: readonly string[];
    readonly statements: number;
    readonly now: string;
  },
): Promise<void> {
  const { uuid, uuids, episodes, facts, mentions, summaries, vectors, conversations } = found;
  const counts = { facts, mentions, summaries, vectors, conversations };
  const owner = userGroupOf(viewerId);
  await tx.run(DELETIONS[kind], {
    ...viewerParams(viewerId),
    ...NAME_PATTERN,
    uuids: [uuid],
    now,
    mark: { uuid, owner, kind, uuids, episodes, ...counts, ...more },
  });
}

const MARK_STATEMENT = cypher`
  // markForgottenStatement
  ${MARK}
`;

/** Leaves the mark of a statement that was deleted. Under the owner's lock. */
export async function markForgottenStatement(
  tx: WriteTx,
  viewerId: string,
  of: {
    readonly uuid: string;
    readonly keys: readonly string[];
    /** Uuids of the Episodes that state it. */
    readonly episodes: readonly string[];
    readonly now: string;
  },
): Promise<void> {
  const { uuid, keys, episodes, now } = of;
  const counts = { facts: 0, mentions: 0, summaries: 0, vectors: 0, conversations: 0 };
  const owner = userGroupOf(viewerId);
  const mark = { uuid, owner, kind: 'statement', uuids: [uuid], keys, episodes, ...counts };
  await tx.run(MARK_STATEMENT, { now, mark: { ...mark, statements: 1 } });
}

const MARK_OF = cypher`
  // findForgotten
  MATCH (f:ForgottenMemory {owner: $owner, kind: $kind}) WHERE $uuid IN f.uuids
  RETURN f {.uuid, .kind, .facts, .mentions, .summaries, .vectors, .conversations,
    statements: coalesce(f.statements, 0), forgottenAt: f.at} AS forgotten
`;
const ForgottenRow = CountsRow.extend({
  statements: z.int(),
  uuid: z.string(),
  kind: z.enum(FORGETTABLE),
  forgottenAt: z.string(),
});

/** The mark of a forgotten fact or entity of this owner; null if there is none. */
export const findForgotten = (tx: ReadTx, viewerId: string, kind: Forgettable, uuid: string) =>
  readOne(tx, MARK_OF, { owner: userGroupOf(viewerId), kind, uuid }, (row) =>
    parseRow(ForgottenRow, row['forgotten'], `Forgotten ${uuid}`),
  );

/** The most turns that tell what was forgotten, the newest first. */
const TURNS_MAX = 50;

const TURNS = cypher`
  // listTurnsOfForgotten
  MATCH (f:ForgottenMemory {owner: $owner, uuid: $uuid})
  MATCH (ep:Episodic) WHERE ep.uuid IN f.episodes
  MATCH (ep)<-[:HAS_CONTENT]-(:Alternative)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)
  WITH t.id AS id, max(ep.valid_at) AS saidAt ORDER BY saidAt DESC, id LIMIT ${TURNS_MAX}
  RETURN id
`;

/** Turns whose words still tell what was forgotten, the newest first. */
export const listTurnsOfForgotten = async (tx: ReadTx, viewerId: string, uuid: string) =>
  textsOf(await tx.run(TURNS, { owner: userGroupOf(viewerId), uuid }), 'id', 'ConversationTurn');

const MARKS_SINCE = cypher`
  // listForgottenSince
  MATCH (f:ForgottenMemory {owner: $owner}) WHERE f.at >= datetime($saidAt)
  RETURN f {.uuids, .keys} AS mark
`;
const MarkRow = z.object({ uuids: texts, keys: texts });

/** Uuids and keys of memories that were forgotten after a text was said. */
export async function findForgottenSince(
  tx: ReadTx,
  ownerId: string,
  saidAt: string,
): Promise<{ readonly uuids: ReadonlySet<string>; readonly keys: ReadonlySet<string> }> {
  const rows = await tx.run(MARKS_SINCE, { owner: userGroupOf(ownerId), saidAt });
  const marks = rows.map(({ mark }) => parseRow(MarkRow, mark, 'ForgottenMemory'));
  return {
    uuids: new Set(marks.flatMap(({ uuids }) => uuids)),
    keys: new Set(marks.flatMap(({ keys }) => keys)),
  };
}

const STANDING = cypher`
  // listStandingEntities
  UNWIND $uuids AS asked
  OPTIONAL MATCH (direct:Entity {uuid: asked})
  OPTIONAL MATCH (:MergeRecord {uuid: asked})-[:MERGED_INTO]->(kept:Entity)
  WITH asked, coalesce(direct, kept) AS e WHERE e IS NOT NULL
  RETURN asked, e.uuid AS uuid
`;

/** The present uuids of entities that were read before the lock; forgotten ones are left out. */
export async function findStanding(
  tx: ReadTx,
  uuids: readonly string[],
): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await tx.run(STANDING, { uuids });
  return new Map(
    rows.map((row) => [textOf(row, 'asked', 'Entity'), textOf(row, 'uuid', 'Entity')]),
  );
}
