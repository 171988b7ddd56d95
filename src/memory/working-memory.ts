import { LRUCache } from 'lru-cache';
import type { Alternative } from '../conversations/alternative.ts';
import type { Speaker } from '../conversations/turn.ts';
import {
  type ActiveEntity,
  activeEntitiesText,
  type EntityReference,
} from '../knowledge/active-entity.ts';
import { countTokens } from '../runs/token-budget.ts';

export interface PathEntry {
  readonly turnId: string;
  readonly alternativeId: string;
  /** null until the content is bound to an Episode. */
  readonly episodeId: string | null;
}
export interface TokenBreakdown {
  readonly immediatePath: number;
  readonly summaries: number;
  readonly activeEntities: number;
  readonly introspection: number;
}
export type ContextRole = 'user' | 'assistant' | 'system';
export interface ContextMessage {
  readonly role: ContextRole;
  readonly content: string;
  /** cl100k_base. */
  readonly tokens: number;
}

/** What a conversation has in mind at one of its turns (S4-WM-01): a view, computed when it is asked for (S4-WM-02). */
export interface WorkingMemory {
  readonly conversationId: string;
  readonly currentTurnId: string | null;
  readonly currentAlternativeId: string | null;
  readonly immediatePath: readonly PathEntry[];
  readonly summaries: readonly string[];
  /** The most relevant first. */
  readonly activeEntities: readonly EntityReference[];
  readonly introspectionContext: readonly string[];
  readonly totalTokens: number;
  readonly tokenBreakdown: TokenBreakdown;
  readonly lastUpdated: string;
  readonly excludedStale: readonly PathEntry[];
  readonly messages: readonly ContextMessage[];
}

/** One turn of the path and the alternative that stands for it, root first. */
export interface PathRow extends Pick<Alternative, 'content' | 'outcome' | 'cacheStatus'> {
  readonly turnId: string;
  readonly alternativeId: string;
  readonly speaker: Speaker;
  readonly episodeId: string | null;
}

const ROLES = {
  user: 'user',
  agent: 'assistant',
  system: 'system',
} as const satisfies Record<Speaker, ContextRole>;

// Content is written once, so its count holds as long as the process does.
const counts = new LRUCache<string, number>({ max: 50_000 });

function tokensOf({ alternativeId, content }: PathRow): number {
  const known = counts.get(alternativeId);
  if (known !== undefined) return known;
  const counted = countTokens(content);
  counts.set(alternativeId, counted);
  return counted;
}

/**
 * What of a path goes to a model: what is complete and answers what is on screen. An answer to another version is listed
 * in `excludedStale`; one that generates or did not complete is left out (S4-WM-03, C-16). What is known of the active
 * entities stands before it, as one system message. Every part of `totalTokens` is in `tokenBreakdown` (S4-WM-05).
 */
export function workingMemoryOf(
  conversation: { readonly id: string; readonly updatedAt: string },
  path: readonly PathRow[],
  active: readonly ActiveEntity[] = [],
): WorkingMemory {
  const written = path.filter(({ outcome }) => outcome === 'completed');
  const included = written.filter(({ cacheStatus }) => cacheStatus === 'valid');
  const spoken = included.map((row) => ({
    role: ROLES[row.speaker],
    content: row.content,
    tokens: tokensOf(row),
  }));
  const known = activeEntitiesText(active);
  const entityTokens = countTokens(known);
  const tokenBreakdown: TokenBreakdown = {
    immediatePath: spoken.reduce((sum, { tokens }) => sum + tokens, 0),
    summaries: 0,
    activeEntities: entityTokens,
    introspection: 0,
  };
  const current = path.at(-1);
  return {
    conversationId: conversation.id,
    currentTurnId: current?.turnId ?? null,
    currentAlternativeId: current?.alternativeId ?? null,
    immediatePath: included.map(toEntry),
    summaries: [],
    activeEntities: active.map(toReference),
    introspectionContext: [],
    totalTokens: Object.values(tokenBreakdown).reduce((sum, part) => sum + part, 0),
    tokenBreakdown,
    lastUpdated: conversation.updatedAt,
    excludedStale: path.filter(({ cacheStatus }) => cacheStatus === 'stale').map(toEntry),
    messages:
      known === '' ? spoken : [{ role: 'system', content: known, tokens: entityTokens }, ...spoken],
  };
}

function toEntry({ turnId, alternativeId, episodeId }: PathRow): PathEntry {
  return { turnId, alternativeId, episodeId };
}

function toReference({ summary: _, facets: __, facts: ___, ...reference }: ActiveEntity) {
  return reference;
}
