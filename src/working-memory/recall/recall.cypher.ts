import { z } from 'zod';
import { searchAgentMemory } from '../../agent-memory/search/event-search.cypher.ts';
import { realmOfStore } from '../../agent-memory/store.ts';
import { textOrNull } from '../../common/stored.ts';
import { SPEAKERS } from '../../conversations/turn.ts';
import { userGroupOf } from '../../memory-graph/group.ts';
import { listAskedStatements } from '../../memory-graph/search/asked.cypher.ts';
import { type Asked, askedIn } from '../../memory-graph/search/asked.ts';
import {
  type Candidate,
  type Found,
  TEXT_CHARS_MAX,
  type Thing,
  thingsOf,
} from '../../memory-graph/search/candidate.ts';
import { followEnds } from '../../memory-graph/search/ended.cypher.ts';
import { LaterTurn } from '../../memory-graph/search/ended.ts';
import { findSearchCandidates, findSearchScope } from '../../memory-graph/search/search.cypher.ts';
import { GRAPH_KINDS } from '../../memory-graph/search/search.ts';
import type { SearchQuery } from '../../memory-graph/search/search-query.ts';
import { askedBefore } from '../../memory-graph/search/speech.ts';
import { findUnread } from '../../memory-graph/search/unread.cypher.ts';
import { statedFor, type Unread } from '../../memory-graph/search/unread.ts';
import { isOnScreen } from '../../memory-graph/visible.cypher.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readMap } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { excerptOf } from '../../text/excerpt.ts';
import { FOLLOWERS_MAX } from './correction.ts';
import {
  type Called,
  calledFor,
  chooseRecalled,
  corrected,
  onceEach,
  RECALL_KINDS,
  type RecalledMemory,
  type RecallSource,
  type Recollection,
} from './recall.ts';
import { recallQueryOf } from './recall-query.ts';
import { withoutEnded } from './superseded.ts';

/** What a message calls for, and what its messages show already. */
export interface Recall {
  readonly viewerId: string;
  readonly conversationId: string;
  /** The text being answered. */
  readonly message: string;
  /** Uuids of the Episodes of the path whose turns are valid. */
  readonly path: readonly string[];
  /** Uuids of the entities that the messages show with their summaries; they are not recalled. */
  readonly active: readonly string[];
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
 * waits for a model. At most nine statements. Leaves out turns that the messages show, branches
 * that are not on screen, facts that do not hold now, and all of other users.
 */
export async function recall(tx: ReadTx, wanted: Recall): Promise<Recollection> {
  const { message, tokens, otherConversations, path, shown } = wanted;
  if (tokens === 0) return nothing('The conversation recalls nothing: its recall has 0 tokens.');
  const query = recallQueryOf(message);
  if (query === null) return nothing('The message has no words that call for a memory.');
  const hidden = path.length > shown.filter(({ episodeId }) => episodeId !== null).length;
  if (!hidden && !otherConversations)
    return nothing('The messages show this conversation whole, and no others are recalled.');
  const { lines, ...found } = await findCandidates(tx, wanted, query);
  const texts = [message, ...shown.map(({ content }) => content)];
  const { called, reason } = calledFor(query, found, texts);
  const question = otherConversations ? askedIn(message, '') : null;
  if (called.length === 0 && question === null) return nothing(reason);
  const followers = called.length === 0 ? new Map() : await listFollowers(tx, wanted, called);
  const unread = await findUnread(tx, wanted.viewerId);
  const asked = question === null ? [] : await listAsked(tx, wanted, question, unread);
  if (called.length + asked.length === 0) return nothing(reason);
  const mended = corrected(called, followers);
  const all = onceEach([...asked, ...mended]);
  // A former value is asked for, so no later turn stands in its place.
  const isFormer = question?.former != null && asked.length > 0;
  const now = isFormer
    ? all
    : await followEnds(tx, wanted.viewerId, all, {
        unread,
        episodesOf: (of) => uuidsOf(of, 'episode'),
        apply: (of, stated) => withoutEnded(of, stated, query.stems),
      });
  const sources = await listSources(tx, wanted, now, lines);
  const recalled = chooseRecalled(
    now.flatMap((one) => toMemory(one, query, lines, sources.get(one.thing.key) ?? [])),
    tokens,
  );
  if (recalled.length === 0) return nothing('No memory that fits is on screen or in the budget.');
  return { recalled, recallReason: null };
}

/** The turns that say what the message asks for, whatever their words. */
async function listAsked(
  tx: ReadTx,
  { viewerId, shown }: Recall,
  asked: Asked,
  unread: Unread,
): Promise<Called[]> {
  const said = await listAskedStatements(tx, viewerId, asked);
  const isShown = new Set(shown.map(({ episodeId }) => episodeId));
  const found = statedFor(said, unread, asked)
    .filter(({ episode }) => !isShown.has(episode))
    .map(({ episode: uuid, text, speaker, saidAt }): Candidate => {
      return { kind: 'episode', uuid, method: 'words', score: 1, text, speaker, saidAt };
    });
  return thingsOf(found).map((thing) => ({ thing, relevance: 1 }));
}

const uuidsOf = (called: readonly Called[], wanted: Thing['kind']): string[] =>
  called.flatMap(({ thing: { kind, uuid } }) => (kind === wanted ? [uuid] : []));

const nothing = (recallReason: string): Recollection => ({ recalled: [], recallReason });

const EXCERPT_CHARS_MAX = 320;
const CORRECTED_CHARS_MAX = 160;

function toMemory(
  { thing, relevance, corrects }: Called,
  { stems }: SearchQuery,
  lines: Lines,
  sources: readonly RecallSource[],
): Omit<RecalledMemory, 'tokens'>[] {
  const kind = RECALL_KINDS.find((one) => one === thing.kind);
  // No evidence that the viewer can see: it was said on a branch that is not on screen.
  if (kind === undefined || sources.length === 0) return [];
  // The text of an entity begins with its name, as many a summary does.
  const text = kind === 'entity' ? thing.text.replace(/^(.+?): (?=\1)/s, '') : thing.text;
  return [
    {
      kind,
      id: lines.get(thing.uuid)?.nodeId ?? thing.uuid,
      text: excerptOf(text, stems, EXCERPT_CHARS_MAX),
      inReplyTo: askedBefore(thing),
      corrects: corrects === undefined ? null : excerptOf(corrects, stems, CORRECTED_CHARS_MAX),
      isQuotation: kind === 'episode',
      relevance,
      sources,
    },
  ];
}

/** The conversations whose turns are searched, those changed last first. */
const GROUPS_MAX = 2_000;
/** Hits of each kind are twice as many. */
const LIMIT = 20;

/** Lines of the table of contents, by the uuid of their candidate. */
type Lines = ReadonlyMap<string, { readonly nodeId: string; readonly gripIds: readonly string[] }>;

async function findCandidates(
  tx: ReadTx,
  wanted: Recall,
  query: SearchQuery,
): Promise<Found & { readonly lines: Lines }> {
  const { viewerId, conversationId, otherConversations, store, path, active } = wanted;
  const search = {
    ...{ query, graphKinds: GRAPH_KINDS, conversationId: null, groupIds: null, allBranches: true },
    // The messages have the notes already.
    episodes: { said: true, notes: false },
    ...{ validAt: null, knownAt: null, now: null, limit: LIMIT },
  };
  const groupIds = otherConversations ? null : [conversationId];
  const all = await findSearchScope(tx, viewerId, { ...search, groupIds });
  const episodeGroups = all?.episodeGroups.slice(0, GROUPS_MAX) ?? [];
  const shown = [...wanted.shown.flatMap(({ episodeId }) => episodeId ?? []), ...active];
  const scope = {
    ...{ viewerId, episodeGroups, allowed: otherConversations ? null : path, centre: null },
    within: null,
    groups: all?.groups ?? [userGroupOf(viewerId)],
    here: { conversationId, path, shown },
  };
  const found = await findSearchCandidates(tx, search, scope, null);
  if (store === null || !otherConversations) return { ...found, lines: new Map() };
  const nodes = await searchAgentMemory(tx, {
    ...{ realm: realmOfStore(store), store, sessionId: null, turnsAsEvents: true },
    ...{ kinds: ['toc'], words: query.lucene.words, k: 2 * LIMIT, chars: 0, withLines: true },
  });
  // Each line of a node is a candidate.
  const lines = nodes.flatMap(({ id: nodeId, bullets, score }) =>
    (bullets ?? []).map(({ text, gripIds }, at) => {
      const candidate = {
        kind: 'toc',
        uuid: `${nodeId} ${at}`,
        method: 'words',
        score,
        text,
      } as const;
      return { candidate, nodeId, gripIds };
    }),
  );
  return {
    candidates: [...found.candidates, ...lines.map(({ candidate }) => candidate)],
    stretches: found.stretches,
    lines: new Map(lines.map(({ candidate, ...line }) => [candidate.uuid, line])),
  };
}

/** Episodes whose next turns are read, the best first. */
const FOLLOWED_MAX = 12;

const FOLLOWERS = cypher`
  // listFollowers
  UNWIND $episodes AS uuid
  MATCH (:Episodic {uuid: uuid})<-[:HAS_CONTENT]-(a:Alternative)
    <-[h:HAS_ALTERNATIVE {isActive: true}]-(t:ConversationTurn)
  WHERE a.ownerId = $viewerId
  MATCH way = (t)-[:ON_SCREEN*1..${FOLLOWERS_MAX}]->(next:ConversationTurn)
  MATCH (next)-[:HAS_ALTERNATIVE {isActive: true}]->(b:Alternative)-[:HAS_CONTENT]->(ep:Episodic)
  WHERE ep.uuid IN $path OR (t.conversationId <> $conversationId
    AND ${isOnScreen({ episode: 'ep', alternative: 'b', turn: 'next' })})
  WITH uuid, ep, next, length(way) AS steps ORDER BY steps
  RETURN uuid, collect({uuid: ep.uuid, text: left(ep.content, $chars), speaker: next.speaker,
    saidAt: toString(ep.valid_at)}) AS after
`;

const FollowersRow = z.object({ uuid: z.string(), after: z.array(LaterTurn) });

/** The turns after the best Episodes, as the conversations show them. */
async function listFollowers(
  tx: ReadTx,
  { viewerId, conversationId, path }: Recall,
  called: readonly Called[],
): Promise<Map<string, readonly LaterTurn[]>> {
  const episodes = uuidsOf(called, 'episode').slice(0, FOLLOWED_MAX);
  if (episodes.length === 0) return new Map();
  const params = { viewerId, conversationId, path, episodes, chars: TEXT_CHARS_MAX };
  return readMap(tx, FOLLOWERS, params, (row) => {
    const { uuid, after } = parseRow(FollowersRow, row, 'Turns after a memory');
    return [uuid, after] as const;
  });
}

/** The most sources of one memory. */
const SOURCES_MAX = 3;
/** Episodes of a memory that are looked at, newest first, until SOURCES_MAX are on screen. */
const LOOKED_AT = 12;

const SOURCES = cypher`
  // listRecallSources
  MATCH (owner:User {id: $viewerId})
  CALL () {
    UNWIND $episodes AS uuid
    MATCH (ep:Episodic {uuid: uuid})
    RETURN 'episode' AS kind, uuid, [ep] AS found
    UNION ALL
    UNWIND $facts AS uuid
    MATCH (:Entity)-[r:RELATES_TO {uuid: uuid}]->(:Entity)
    WHERE (r.valid_at IS NULL OR r.valid_at <= datetime())
      AND (r.expired_at IS NULL OR r.expired_at > datetime())
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
    MATCH (ep)<-[:HAS_CONTENT]-(a:Alternative)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)
    WHERE a.ownerId = $viewerId
    MATCH (c:Conversation {id: t.conversationId})
    WHERE ep.uuid IN $path OR (c.id <> $conversationId AND $otherConversations
      AND ${isOnScreen({ episode: 'ep', alternative: 'a', turn: 't' })})
    WITH ep, a, t, c ORDER BY t.speaker <> 'user', ep.valid_at DESC, c.createdAt LIMIT $sources
    RETURN {conversationId: c.id, conversationTitle: c.title, turnId: t.id, alternativeId: a.id,
      episodeId: ep.uuid, eventId: null, speaker: t.speaker, saidAt: ep.valid_at,
      owner: owner.name, agent: head([(a)-[:EXECUTED_BY]->(p:Process) | p.name])} AS source
    UNION
    WITH kind, uuid, owner WHERE kind = 'entity'
    MATCH (:Entity {uuid: uuid})-[:HAS_PROFILE]->()-[:HAS_SOURCE]->(s:EntitySource {type: 'user'})
    WITH s, owner ORDER BY s.createdAt LIMIT 1
    RETURN {conversationId: null, conversationTitle: null, turnId: null, alternativeId: null,
      episodeId: null, eventId: null, speaker: 'user', saidAt: s.createdAt,
      owner: owner.name, agent: null} AS source
  }
  RETURN kind + '/' + uuid AS key, source
`;

const SOURCES_OF_LINES = cypher`
  // listRecalledLines
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
      speaker: m.role, saidAt: datetime({epochMillis: g.timestampMs}), owner: owner.name,
      agent: null} AS source
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
    // The agent memory has other roles, such as `tool`.
    speaker: z.enum(SPEAKERS).catch('agent'),
    saidAt: z.string(),
    owner: z.string(),
    /** Name of the Process that said it. */
    agent: textOrNull,
  }),
});

/** The sources of each thing that the viewer can see now, by its key; the user's words first. */
async function listSources(
  tx: ReadTx,
  { viewerId, conversationId, otherConversations, path, store }: Recall,
  called: readonly Called[],
  lines: Lines,
): Promise<Map<string, RecallSource[]>> {
  const params = { viewerId, conversationId, sources: SOURCES_MAX };
  const rows = await tx.run(SOURCES, {
    ...params,
    otherConversations,
    path,
    episodes: uuidsOf(called, 'episode'),
    facts: uuidsOf(called, 'fact'),
    entities: uuidsOf(called, 'entity'),
    lookedAt: LOOKED_AT,
  });
  const calledLines = uuidsOf(called, 'toc').map((uuid) => ({
    key: `toc/${uuid}`,
    gripIds: lines.get(uuid)?.gripIds ?? [],
  }));
  const rowsOfLines =
    store === null || calledLines.length === 0
      ? []
      : await tx.run(SOURCES_OF_LINES, {
          ...params,
          store,
          realm: realmOfStore(store),
          lines: calledLines,
        });
  const sources = [...rows, ...rowsOfLines].map((row) =>
    parseRow(SourceRow, row, 'Source of a memory'),
  );
  return new Map(
    [...Map.groupBy(sources, ({ key }) => key)].map(([key, of]) => [
      key,
      of.map(({ source: { owner, agent, ...source } }) => ({
        ...source,
        saidBy: source.speaker === 'user' ? owner : (agent ?? 'Assistant'),
      })),
    ]),
  );
}
