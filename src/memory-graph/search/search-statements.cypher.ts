import { z } from 'zod';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { userGroupOf } from '../group.ts';
import { isOnScreen } from '../visible.cypher.ts';
import { type Candidate, TEXT_CHARS_MAX } from './candidate.ts';
import { type Change, Told } from './changes.ts';
import type { Span } from './query-times.ts';
import type { SearchScope } from './search.cypher.ts';
import type { Search } from './search.ts';

/** Read of the index for each statement wanted: some have ended, or are not on screen. */
const DEPTH = 5;

// A statement is seen where a turn on screen says it; of one conversation its own turns count.
const SEARCH = cypher`
  // searchStatements
  CALL db.index.fulltext.queryNodes('temporal_fact_text', $words, {limit: $deep})
    YIELD node AS t, score
  WHERE t.owner = $owner AND t.withdrawn_at IS NULL
    AND ($knownAt IS NULL OR t.created_at <= datetime($knownAt))
    AND ($validAt IS NULL OR t.valid_at <= datetime($validAt))
    AND (t.invalid_at IS NULL OR t.invalid_at > coalesce(datetime($validAt), datetime($now),
      datetime()) OR ($knownAt IS NOT NULL AND t.expired_at > datetime($knownAt)))
  WITH t, score ORDER BY score DESC LIMIT $k
  WHERE EXISTS {
    MATCH (t)-[:STATED_IN]->(ep:Episodic) WHERE ep.group_id IN $groups
      AND ($allowed IS NULL OR ep.uuid IN $allowed)
    MATCH (ep)<-[:HAS_CONTENT]-(a:Alternative)<-[:HAS_ALTERNATIVE]-(turn:ConversationTurn)
    WHERE $allBranches OR ${isOnScreen({ episode: 'ep', alternative: 'a', turn: 'turn' })}
  }
  RETURN {uuid: t.uuid, score: score, text: left(t.text, $chars), saidAt: toString(t.said_at),
    createdAt: toString(t.created_at), episodes: t.episodes,
    ends: [(t)<-[:HAS_FACT]-(e:Entity) | e.uuid]} AS hit
  ORDER BY score DESC
`;

const HitRow = z.object({
  uuid: z.string(),
  score: z.number(),
  text: z.string(),
  saidAt: z.string(),
  createdAt: z.string(),
  episodes: z.array(z.string()),
  ends: z.array(z.string()),
});

/** Statements that have words of the query and hold at the asked time, best first. */
export async function searchStatements(
  tx: ReadTx,
  search: Search,
  scope: SearchScope,
): Promise<Candidate[]> {
  if (!search.statements) return [];
  const owner = userGroupOf(scope.viewerId);
  const k = 2 * search.limit;
  const rows = await tx.run(SEARCH, {
    words: `+owner:"${owner}"^0 +text:(${search.query.lucene.words})`,
    ...{ owner, k, deep: DEPTH * k, chars: TEXT_CHARS_MAX, groups: scope.episodeGroups },
    ...{ allowed: scope.allowed, allBranches: search.allBranches },
    ...{ validAt: search.validAt, knownAt: search.knownAt, now: search.now },
  });
  return rows.map((row) => ({
    ...parseRow(HitRow, row['hit'], 'TemporalFact'),
    ...({ kind: 'statement', method: 'words' } as const),
  }));
}

const CHANGED = cypher`
  // listChangedStatements
  MATCH (t:TemporalFact) USING INDEX SEEK t:TemporalFact(owner, said_at, uuid)
  WHERE t.owner = $owner AND t.said_at IS NOT NULL AND t.uuid IS NOT NULL
    AND t.withdrawn_at IS NULL AND t.invalid_at > t.valid_at
    AND ($from IS NULL OR t.invalid_at >= datetime($from))
    AND t.invalid_at < coalesce(datetime($to), datetime($now), datetime())
  MATCH (t)-[was:ENDED_IN]->(ep:Episodic)
  WHERE NOT coalesce(was.withdrawn, false) AND ep.group_id IN $groups
  WITH t, ep ORDER BY t.invalid_at DESC, t.uuid LIMIT $k
  RETURN {uuid: t.uuid, text: t.text, attribute: t.attribute, endedAt: toString(t.invalid_at),
    by: COLLECT {
      MATCH (n:TemporalFact)-[:STATED_IN]->(ep) WHERE n.withdrawn_at IS NULL
      RETURN {uuid: n.uuid, text: n.text, attribute: n.attribute} ORDER BY n.uuid LIMIT 10
    }} AS change
  ORDER BY t.invalid_at, t.uuid
`;

const ChangeRow = Told.extend({ endedAt: z.string(), by: z.array(Told) });

/**
 * Statements that another one ended within a time, the earliest end first. Slips that were
 * corrected never held, so they are no changes.
 */
export async function listChanges(
  tx: ReadTx,
  { now, limit }: Search,
  scope: SearchScope,
  span: Span,
): Promise<Change[]> {
  const owner = userGroupOf(scope.viewerId);
  const groups = scope.episodeGroups;
  const rows = await tx.run(CHANGED, { owner, ...span, now, groups, k: limit });
  return rows.map((row) => parseRow(ChangeRow, row['change'], 'TemporalFact'));
}
