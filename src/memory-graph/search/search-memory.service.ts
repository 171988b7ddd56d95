import { searchAgentMemory, tocHitId } from '../../agent-memory/search/event-search.cypher.ts';
import { type AgentMemoryMode, storeOf } from '../../agent-memory/store.ts';
import { type Clock, instant } from '../../common/clock.ts';
import { notFound, Refusal, refuse } from '../../common/refusal.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import type { Viewer } from '../../users/user.ts';
import type { Embeddings } from '../embeddings/embeddings.service.ts';
import { findEntities } from '../entities/entity.cypher.ts';
import { findSearchCandidates, type SearchQuery, type SearchTime } from './search.cypher.ts';
import {
  type Candidate,
  checkSearch,
  KINDS_DEFAULT,
  luceneText,
  mmr,
  type Ranked,
  rank,
  rerank,
  SEARCH_LIMIT_DEFAULT,
  type SearchKind,
  type SearchMemory,
} from './search.ts';
import { listOnScreen, type Measured, measureCandidates } from './search-measures.cypher.ts';
import { findSearchScope, type SearchScope } from './search-scope.cypher.ts';

export interface SearchDeps {
  readonly memoryMode: AgentMemoryMode;
  readonly graph: Graph;
  readonly clock: Clock;
  readonly embeddings: Embeddings;
}

/** Looked at again, deeper, where what was found is not on screen; so many times. */
const ROUNDS_MAX = 3;

/**
 * Finds what is known by its words, by what it means and by what it has to do with a centre, fused into one list (S4-EPI-05). What
 * is not the viewer's, was said on a branch that is not on screen, or does not hold at the moment in question is not there.
 * @throws Refusal REQUIRED, INVALID; NOT_FOUND at `centerEntityUuid`
 */
export async function searchMemory(
  deps: SearchDeps,
  viewer: Viewer,
  input: SearchMemory,
): Promise<Ranked[]> {
  refuse(checkSearch(input));
  const limit = input.limit ?? SEARCH_LIMIT_DEFAULT;
  const time: SearchTime = {
    validAt: input.validAt ?? null,
    knownAt: input.knownAt ?? null,
    now: instant(deps.clock),
  };
  const conversationId = input.conversationId ?? null;
  // The model is asked while the scope is looked for. A failure is met where its answer is awaited.
  const asking = deps.embeddings.embed([input.query]);
  asking.catch(() => {});
  const { scope, centre } = await deps.graph.read(async (tx) => ({
    scope: await findSearchScope(tx, viewer.userId, {
      conversationId,
      groupIds: input.groupIds == null ? null : [...input.groupIds],
      allBranches: input.allBranches === true,
    }),
    centre: await centreOf(tx, viewer, input.centerEntityUuid ?? null),
  }));
  if (scope === null) return [];
  // However long the model takes, no transaction waits for it.
  const asked = await asking;
  const query: SearchQuery = {
    text: input.query,
    vector: asked?.vectors[0] ?? null,
    slot: asked?.slot ?? null,
    centre,
  };
  return deps.graph.read(async (tx) => {
    const kinds = input.kinds ?? KINDS_DEFAULT;
    const isGlobal = conversationId === null && input.allBranches !== true;
    const recalled = await findRecalled(tx, deps, viewer, { ...input, kinds, limit });
    const found = await findSeen(tx, { scope, time, query, kinds, limit, isGlobal, recalled });
    const reranker = input.reranker ?? 'rrf';
    if (reranker === 'rrf') return found.slice(0, limit);
    const shortlist = found.slice(0, 3 * limit);
    const measured = await measureCandidates(tx, shortlist, query);
    const measure = {
      mmr: () => byMmr(query, measured),
      node_distance: () => byDistance(measured),
      episode_mentions: () => byMentions(measured),
    }[reranker]();
    return rerank(shortlist, measure).slice(0, limit);
  });
}

type Tx = Parameters<Parameters<Graph['read']>[0]>[0];

async function centreOf(tx: Tx, viewer: Viewer, uuid: string | null): Promise<string | null> {
  if (uuid === null) return null;
  const entity = (await findEntities(tx, viewer.userId, [uuid])).get(uuid);
  if (entity === undefined) throw new Refusal([notFound('entity', ['centerEntityUuid'])]);
  return entity.uuid;
}

/** Over all conversations the path of each is looked at only for what was found; where too much falls away, deeper. */
async function findSeen(
  tx: Tx,
  search: {
    readonly scope: SearchScope;
    readonly time: SearchTime;
    readonly query: SearchQuery;
    readonly kinds: readonly SearchKind[];
    readonly limit: number;
    readonly isGlobal: boolean;
    /** What the agent memory has; it has no branches. */
    readonly recalled: readonly Candidate[];
  },
): Promise<Ranked[]> {
  const { scope, time, query, kinds, limit, isGlobal, recalled } = search;
  for (let round = 1, k = 2 * limit; ; round++, k *= 4) {
    const found = await findSearchCandidates(tx, scope, time, query, { kinds, k });
    const { candidates, stretches } = found;
    if (!isGlobal) return rank([...candidates, ...recalled], stretches);
    const seen = await listOnScreen(tx, scope.viewerId, candidates);
    const visible = candidates.filter(({ kind, uuid }) => seen.has(`${kind}/${uuid}`));
    const isEnough = visible.length === candidates.length || visible.length >= 2 * limit;
    if (isEnough || round === ROUNDS_MAX) return rank([...visible, ...recalled], stretches);
  }
}

/** Pages of the table of contents and events of the agent memory, by their words; of a conversation, its events. */
async function findRecalled(
  tx: Tx,
  { memoryMode }: Pick<SearchDeps, 'memoryMode'>,
  viewer: Viewer,
  search: SearchMemory & { readonly kinds: readonly SearchKind[]; readonly limit: number },
): Promise<Candidate[]> {
  const kinds = (['event', 'toc'] as const).filter((kind) => search.kinds.includes(kind));
  const { key: store } = storeOf(viewer, memoryMode, search.agentId);
  const hits = await searchAgentMemory(tx, {
    store,
    sessionId: search.conversationId ?? null,
    kinds,
    words: luceneText(search.query),
    k: 2 * search.limit,
  });
  return hits.map(({ kind, id, score }) => ({
    kind,
    score,
    method: 'words',
    uuid: kind === 'event' ? id : tocHitId({ store, nodeId: id }),
  }));
}

function byMmr({ vector }: SearchQuery, measured: readonly Measured[]): Map<string, number> {
  if (vector === null) return new Map();
  const vectors = measured.flatMap(({ key, vector: own }) =>
    own === null || own.length !== vector.length ? [] : [[key, own] as const],
  );
  return new Map(mmr(vector, new Map(vectors)));
}

/** As Graphiti has it: the nearer the better, the centre itself first. */
function byDistance(measured: readonly Measured[]): Map<string, number> {
  return new Map(
    measured.flatMap(({ key, distance }) =>
      distance === null || distance >= 10 ? [] : [[key, 1 / (distance + 0.1)] as const],
    ),
  );
}

function byMentions(measured: readonly Measured[]): Map<string, number> {
  return new Map(
    measured.flatMap(({ key, mentions }) => (mentions === null ? [] : [[key, mentions] as const])),
  );
}
