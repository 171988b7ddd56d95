import type { Instant } from '../../common/clock.ts';
import type { Maybe } from '../../common/maybe.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import type { VectorSlot } from '../embeddings/embedding.ts';
import { type SearchQuery, searchQueryOf } from './search-query.ts';

export const SEARCH_KINDS = [
  'entity',
  'fact',
  'statement',
  'episode',
  'note',
  'toc',
  'event',
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];
/** Kinds of the memory graph; a search statement lists them in this order. */
export const GRAPH_KINDS = ['entity', 'fact', 'episode'] as const satisfies readonly SearchKind[];
export type GraphKind = (typeof GRAPH_KINDS)[number];
/** Kinds of the agent memory. */
const RECALL_KINDS = ['event', 'toc'] as const satisfies readonly SearchKind[];

export const RERANKERS = ['relevance', 'rrf', 'mmr', 'node_distance', 'episode_mentions'] as const;
export type Reranker = (typeof RERANKERS)[number];

/** The search methods: full text, vector similarity, and the distance from the centre entity. */
export const METHODS = ['words', 'meaning', 'graph'] as const;
export type Method = (typeof METHODS)[number];

export const QUERY_CHARS_MAX = 2_000;
export const SEARCH_LIMIT_MAX = 100;
export const SEARCH_LIMIT_DEFAULT = 10;

/** A search as the caller gave it. */
export interface SearchMemory {
  readonly query: string;
  /**
   * Absent: all kinds; but only those of the memory graph with `groupIds` or `knownAt`, which
   * select from the graph.
   */
  readonly kinds?: Maybe<readonly SearchKind[]>;
  /** Searches one conversation: its valid path, or all of it with `allBranches`. */
  readonly conversationId?: Maybe<string>;
  readonly groupIds?: Maybe<readonly string[]>;
  readonly allBranches?: Maybe<boolean>;
  /** The agent whose events and pages are searched; absent: all agents. */
  readonly agentId?: Maybe<string>;
  /** Facts that held at this moment; absent: facts that hold now. */
  readonly validAt?: Maybe<string>;
  /** The memory graph as it was known at this moment; absent: as it is known now. */
  readonly knownAt?: Maybe<string>;
  readonly limit?: Maybe<number>;
  readonly centerEntityUuid?: Maybe<string>;
  readonly reranker?: Maybe<Reranker>;
}

/** A checked search: every field has its value or its default. */
export interface Search {
  readonly query: SearchQuery;
  readonly graphKinds: readonly GraphKind[];
  /** Which Episodes are found: those of turns and Summaries, and the user's notes. */
  readonly episodes: { readonly said: boolean; readonly notes: boolean };
  /** Whether statements are searched. */
  readonly statements: boolean;
  readonly recallKinds: readonly (typeof RECALL_KINDS)[number][];
  /**
   * Whether to find the turns of conversations as events too. They are Episodes, and events do not
   * know which branch is on screen, so they are found only where the caller asks for events.
   */
  readonly turnsAsEvents: boolean;
  readonly conversationId: string | null;
  readonly groupIds: readonly string[] | null;
  readonly allBranches: boolean;
  readonly agentId: string | null;
  readonly validAt: Instant | null;
  readonly knownAt: Instant | null;
  /** Stands for `validAt` where that is null; null: the clock of the database. */
  readonly now: Instant | null;
  readonly limit: number;
  /** Two steps around this entity are searched, and `node_distance` measures from it. */
  readonly centerEntityUuid: string | null;
  readonly reranker: Reranker;
}

/** The query's embedding in the space of `slot`. A search without one compares words only. */
export interface QueryVector {
  readonly slot: VectorSlot;
  readonly values: readonly number[];
}

export function checkSearch(input: SearchMemory): Problem[] {
  const { query, limit, reranker, centerEntityUuid, groupIds } = input;
  const problems: Problem[] = [];
  if (query.trim() === '')
    problems.push(problem('REQUIRED', ['query'], 'There is nothing to search for.'));
  if (query.length > QUERY_CHARS_MAX)
    problems.push(problem('INVALID', ['query'], `At most ${QUERY_CHARS_MAX} characters.`));
  if (limit != null && !(Number.isInteger(limit) && limit >= 1 && limit <= SEARCH_LIMIT_MAX)) {
    const message = `A whole number from 1 to ${SEARCH_LIMIT_MAX}.`;
    problems.push(problem('INVALID', ['limit'], message));
  }
  if (reranker === 'node_distance' && centerEntityUuid == null) {
    const message = 'A distance needs an entity to be measured from.';
    problems.push(problem('REQUIRED', ['centerEntityUuid'], message));
  }
  if ((groupIds?.length ?? 0) > 1_000)
    problems.push(problem('INVALID', ['groupIds'], 'At most 1000 groups at once.'));
  return problems;
}

/** The search that a checked `input` of this user stands for. */
export function searchOf(input: SearchMemory, userName: string, now: Instant): Search {
  const selectsGraph = input.groupIds != null || input.knownAt != null;
  const kinds: readonly SearchKind[] =
    input.kinds ?? (selectsGraph ? [...GRAPH_KINDS, 'statement'] : SEARCH_KINDS);
  // A note belongs to no conversation and no group.
  const isWhole = input.conversationId == null && input.groupIds == null;
  const episodes = { said: kinds.includes('episode'), notes: isWhole && kinds.includes('note') };
  const hasEpisodes = episodes.said || episodes.notes;
  return {
    query: searchQueryOf(input.query, userName),
    graphKinds: GRAPH_KINDS.filter((kind) =>
      kind === 'episode' ? hasEpisodes : kinds.includes(kind),
    ),
    episodes,
    statements: kinds.includes('statement'),
    recallKinds: RECALL_KINDS.filter((kind) => kinds.includes(kind)),
    turnsAsEvents: input.kinds?.includes('event') ?? false,
    conversationId: input.conversationId ?? null,
    groupIds: input.groupIds ?? null,
    allBranches: input.allBranches === true,
    agentId: input.agentId ?? null,
    validAt: input.validAt ?? null,
    knownAt: input.knownAt ?? null,
    now,
    limit: input.limit ?? SEARCH_LIMIT_DEFAULT,
    centerEntityUuid: input.centerEntityUuid ?? null,
    reranker: input.reranker ?? 'relevance',
  };
}
