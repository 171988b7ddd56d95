import { LRUCache } from 'lru-cache';
import { countTokens } from '../common/token-budget.ts';
import type { Alternative } from '../conversations/alternative.ts';
import { attachmentTokens, type ContentPart } from '../conversations/content-part.ts';
import type { Speaker } from '../conversations/turn.ts';
import { type AppliedSummary, applySummaries, type SummaryRecord } from './summaries/summary.ts';

export type ContextRole = 'user' | 'assistant' | 'system';
export interface ContextMessage {
  readonly role: ContextRole;
  readonly content: string;
  /** Texts, images and files in order; absent for a text alone. */
  readonly parts?: readonly ContentPart[] | null;
  /** Counted by cl100k_base. */
  readonly tokens: number;
}

/** One turn of a path with the alternative that the path shows. */
export interface PathRow extends Pick<Alternative, 'content' | 'outcome'> {
  readonly turnId: string;
  readonly alternativeId: string;
  readonly parts?: Alternative['parts'];
  readonly speaker: Speaker;
  /** Whether it, or a turn above it, answers another version than the path shows. */
  readonly isStale: boolean;
  /** Null until the content is bound to an Episode. */
  readonly episodeId: string | null;
}

/** One message of the context: a turn, or a Summary of several turns. */
export type ContextItem = ContextMessage & {
  /** Null for a turn that is not bound to an Episode yet. */
  readonly episodeId: string | null;
  /** Compression level; 0 for a turn. */
  readonly level: number;
  /** The turn, or the last turn that the Summary replaces. */
  readonly upTo: PathRow;
} & ({ readonly kind: 'turn' } | { readonly kind: 'summary'; readonly summary: AppliedSummary });

const ROLES = {
  user: 'user',
  agent: 'assistant',
  system: 'system',
} as const satisfies Record<Speaker, ContextRole>;

// Content is written once, so a cached count never becomes wrong.
const counts = new LRUCache<string, number>({ max: 50_000 });

/** The cached number of tokens of a text. @param key id of a text that never changes */
export function tokensOf(key: string, text: string): number {
  const known = counts.get(key);
  if (known !== undefined) return known;
  const counted = countTokens(text);
  counts.set(key, counted);
  return counted;
}

/** The message that replaces the turns of a Summary. */
const summaryText = ({ content }: SummaryRecord): string =>
  `What was said before, summed up:\n${content}`;

/** The turns of a path that are not stale. */
export function validPart(path: readonly PathRow[]): PathRow[] {
  return path.filter(({ isStale }) => !isStale);
}

/** The turns of a path that are completed and not stale (S4-WM-03). */
export function includedIn(path: readonly PathRow[]): PathRow[] {
  return validPart(path).filter(({ outcome }) => outcome === 'completed');
}

/** The messages of the context in order. A Summary that applies replaces its turns. */
export function contextItems(
  path: readonly PathRow[],
  summaries: readonly SummaryRecord[],
): ContextItem[] {
  const included = includedIn(path);
  const episodes = included.flatMap(({ episodeId }) => (episodeId === null ? [] : [episodeId]));
  const summaryOf = new Map<string, AppliedSummary>();
  for (const summary of summaries.length === 0 ? [] : applySummaries(episodes, summaries))
    for (const uuid of summary.turnEpisodes) summaryOf.set(uuid, summary);
  const rowOf = new Map(included.map((row) => [row.episodeId, row]));
  return included.flatMap((row): ContextItem[] => {
    const { episodeId, alternativeId, content, parts, speaker } = row;
    const summary = episodeId === null ? undefined : summaryOf.get(episodeId);
    if (summary === undefined) {
      const tokens = tokensOf(alternativeId, content) + attachmentTokens(parts ?? null);
      const said = { role: ROLES[speaker], content, parts, tokens };
      return [{ kind: 'turn', ...said, episodeId, level: 0, upTo: row }];
    }
    if (summary.turnEpisodes[0] !== episodeId) return [];
    const [summaryEpisode = ''] = summary.episodes;
    const text = summaryText(summary);
    return [
      {
        kind: 'summary',
        role: 'system',
        content: text,
        tokens: tokensOf(summaryEpisode, text),
        episodeId: summaryEpisode,
        level: summary.compressionLevel,
        upTo: rowOf.get(summary.turnEpisodes.at(-1) ?? '') ?? row,
        summary,
      },
    ];
  });
}

export function sumTokens(messages: readonly { readonly tokens: number }[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0);
}
