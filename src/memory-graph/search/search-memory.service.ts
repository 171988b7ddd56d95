import {
  type AgentMemoryHit,
  searchAgentMemory,
  tocHitId,
} from '../../agent-memory/search/event-search.cypher.ts';
import { type AgentMemoryMode, realmOf, storeKey } from '../../agent-memory/store.ts';
import { instant } from '../../common/clock.ts';
import { notFound, Refusal, refuse } from '../../common/refusal.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import type { Viewer } from '../../users/user.ts';
import type { Embeddings } from '../embeddings/embeddings.service.ts';
import { findEntities } from '../entities/entity.cypher.ts';
import { settleSwitches, type WithdrawalDeps } from '../withdrawal/withdrawal.mutations.ts';
import { listAskedStatements } from './asked.cypher.ts';
import { type Asked, askedFirst, askedIn } from './asked.ts';
import { type Candidate, TEXT_CHARS_MAX } from './candidate.ts';
import { changesOf } from './changes.ts';
import { followEnds } from './ended.cypher.ts';
import { endingFirst } from './ended.ts';
import { spanOf } from './query-times.ts';
import { type Ranked, type RankedAnswer, rank } from './rank.ts';
import { rerank, rerankScores } from './rerank.ts';
import {
  findSearchCandidates,
  findSearchScope,
  measureCandidates,
  type SearchScope,
} from './search.cypher.ts';
import {
  checkSearch,
  type QueryVector,
  type Search,
  type SearchMemory,
  searchOf,
} from './search.ts';
import { listChanges, searchStatements } from './search-statements.cypher.ts';
import { findUnread } from './unread.cypher.ts';
import { NOTHING_UNREAD, statedFor } from './unread.ts';
import { type Verdict, verdictOf } from './verdict.ts';

export interface SearchDeps extends WithdrawalDeps {
  readonly memoryMode: AgentMemoryMode;
  readonly embeddings: Embeddings;
}

/** The hits that fit, and the nearest of the others; each at most as many as the limit. */
export interface SearchAnswer extends Verdict {
  readonly hits: readonly Ranked[];
  readonly nearest: readonly Ranked[];
}

/**
 * Finds memories by words, by meaning and by their distance from a centre, as one ranked list
 * (S4-EPI-05), and tells whether they answer. Leaves out things of other users, turns of branches
 * that are not on screen, and facts that do not hold at `validAt`.
 * @throws Refusal REQUIRED, INVALID; NOT_FOUND at `centerEntityUuid`
 */
export async function searchMemory(
  deps: SearchDeps,
  viewer: Viewer,
  input: SearchMemory,
): Promise<SearchAnswer> {
  refuse(checkSearch(input));
  const search = searchOf(input, viewer.name, instant(deps.clock));
  const nothing = { ...verdictOf(search.query, []), hits: [], nearest: [] };
  if (search.query.stems.length === 0) return nothing;
  const realm = realmOf(viewer, deps.memoryMode);
  // The embedding model works while the graph is read. No transaction waits for the model.
  const model = Promise.all([deps.embeddings.embed([input.query]), deps.embeddings.scale()]);
  // A rejection is handled by the `await` below.
  model.catch(() => {});
  await settleSwitches(deps, viewer.userId);
  const { recalled, scope } = await deps.graph.read(async (tx) => {
    const uuid = search.centerEntityUuid;
    const centre = uuid === null ? null : (await findEntities(tx, viewer.userId, [uuid])).get(uuid);
    if (centre === undefined) throw new Refusal([notFound('entity', ['centerEntityUuid'])]);
    return {
      recalled: await searchAgentMemory(tx, {
        realm,
        store: search.agentId === null ? null : storeKey(realm, search.agentId),
        sessionId: search.conversationId,
        turnsAsEvents: search.turnsAsEvents,
        kinds: search.recallKinds,
        words: search.query.lucene.words,
        k: 2 * search.limit,
        chars: TEXT_CHARS_MAX,
      }),
      scope: await findSearchScope(tx, viewer.userId, search, centre?.uuid),
    };
  });
  if (scope === null) return nothing;
  const [embedding, scale] = await model;
  const vector = queryVectorOf(embedding);
  return deps.graph.read(async (tx) => {
    const changes = await changesAsked(tx, search, scope, deps.clock.nowMs());
    if (changes.length > 0)
      return { answerable: true, reason: 'It changed in that time.', hits: changes, nearest: [] };
    const { candidates, stretches } = await findSearchCandidates(tx, search, scope, vector);
    const told = await searchStatements(tx, search, scope);
    const found = { candidates: [...candidates, ...told, ...recalled.map(candidateOf)], stretches };
    const { query, limit, reranker } = search;
    const answer = rank(query, found, scale, reranker === 'rrf');
    if (reranker === 'relevance')
      return answerOf(
        await asItIs(tx, search, scope, answer, askedIn(input.query, viewer.name)),
        limit,
      );
    if (reranker === 'rrf') return answerOf(answer, limit);
    const shortlist = answer.ranked.slice(0, 3 * limit);
    const measured = await measureCandidates(tx, scope, vector, shortlist);
    const ranked = rerank(shortlist, rerankScores(search, vector, measured));
    return answerOf({ ...answer, ranked }, limit);
  });
}

/** The changes of a time that a query asks for; none where it asks for no changes. */
async function changesAsked(
  tx: ReadTx,
  search: Search,
  scope: SearchScope,
  nowMs: number,
): Promise<Ranked[]> {
  const { query, statements, validAt, knownAt } = search;
  if (query.changes === null || !statements || validAt !== null || knownAt !== null) return [];
  const span = spanOf(query.changes, nowMs);
  return changesOf(query, await listChanges(tx, search, scope, span));
}

/**
 * The hits, with each turn that says what is asked for first, and each turn that ended a statement
 * before the turn that said it. Not for a search of a former time or of one conversation, which
 * finds the old turn as it was.
 */
async function asItIs(
  tx: ReadTx,
  { query, validAt, knownAt, conversationId, groupIds, episodes, statements, limit }: Search,
  { viewerId }: SearchScope,
  answer: RankedAnswer,
  asked: Asked | null,
): Promise<RankedAnswer> {
  if (validAt !== null || knownAt !== null || conversationId !== null) return answer;
  const unread = await findUnread(tx, viewerId);
  const isAsked = asked !== null && statements && groupIds === null;
  const said = isAsked ? await listAskedStatements(tx, viewerId, asked) : [];
  const kind = episodes.said ? 'episode' : 'statement';
  // An unread turn has no statement yet that could be a hit.
  const ahead = episodes.said ? unread : { ...unread, told: NOTHING_UNREAD.told };
  const stated = isAsked ? statedFor(said, ahead, asked) : [];
  const isFormer = asked?.former != null && stated.length > 0;
  const open = askedFirst(answer.ranked, stated, kind).filter(
    (one) => isFormer || one.kind !== 'statement' || !unread.ended.has(one.uuid),
  );
  const verdict =
    stated.length === 0
      ? answer
      : { answerable: true, reason: 'The first hit says what is asked for.' };
  // A former value is asked for, so no later turn stands before it.
  if (isFormer) return { ...verdict, ranked: open };
  const ranked = await followEnds(tx, viewerId, open, {
    unread,
    episodesOf: (now) =>
      now
        .slice(0, limit)
        .flatMap(({ kind, uuid, fits }) => (kind === 'episode' && fits ? [uuid] : [])),
    apply: (now, of) => endingFirst(now, of, query.stems),
  });
  return { ...verdict, ranked };
}

const answerOf = ({ ranked, ...verdict }: RankedAnswer, limit: number): SearchAnswer => ({
  ...verdict,
  hits: ranked.filter(({ fits }) => fits).slice(0, limit),
  nearest: ranked.filter(({ fits }) => !fits).slice(0, limit),
});

function queryVectorOf(embedding: Awaited<ReturnType<Embeddings['embed']>>): QueryVector | null {
  const values = embedding?.vectors[0];
  return embedding === null || values === undefined ? null : { slot: embedding.slot, values };
}

/** A hit in the agent memory: an event, or a page of the table of contents. */
function candidateOf({ kind, id, store, score, text, role }: AgentMemoryHit): Candidate {
  const uuid = kind === 'event' ? id : tocHitId({ store, nodeId: id });
  return { kind, uuid, method: 'words', score, text, speaker: role };
}
