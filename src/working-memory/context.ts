import { LRUCache } from 'lru-cache';
import { countTokens } from '../common/token-budget.ts';
import type { Alternative } from '../conversations/alternative.ts';
import type { Speaker } from '../conversations/turn.ts';
import { type AppliedSummary, applySummaries, type SummaryRecord } from './summaries/summary.ts';

export type ContextRole = 'user' | 'assistant' | 'system';
export interface ContextMessage {
  readonly role: ContextRole;
  readonly content: string;
  /** cl100k_base. */
  readonly tokens: number;
}

/** One turn of the path and the alternative that stands for it, root first. */
export interface PathRow extends Pick<Alternative, 'content' | 'outcome' | 'cacheStatus'> {
  readonly turnId: string;
  readonly alternativeId: string;
  readonly speaker: Speaker;
  /** null until the content is bound to an Episode. */
  readonly episodeId: string | null;
}

/** What stands in the context at one place: a turn, or a Summary of several. */
export type ContextItem = ContextMessage & {
  /** null where a turn is not bound yet. */
  readonly episodeId: string | null;
  /** 0 for a turn. */
  readonly level: number;
  /** The last turn it stands for. */
  readonly upTo: PathRow;
} & ({ readonly kind: 'turn' } | { readonly kind: 'summary'; readonly summary: AppliedSummary });

const ROLES = {
  user: 'user',
  agent: 'assistant',
  system: 'system',
} as const satisfies Record<Speaker, ContextRole>;

// Content is written once, so its count holds as long as the process does.
const counts = new LRUCache<string, number>({ max: 50_000 });

/** @param key names a text that never changes */
export function tokensOf(key: string, text: string): number {
  const known = counts.get(key);
  if (known !== undefined) return known;
  const counted = countTokens(text);
  counts.set(key, counted);
  return counted;
}

/** What a model is told with a Summary. */
function summaryText({ content }: SummaryRecord): string {
  return `What was said before, summed up:\n${content}`;
}

/** Those turns of a path that are complete and answer what is on screen (S4-WM-03). */
export function includedIn(path: readonly PathRow[]): PathRow[] {
  return path.filter(
    ({ outcome, cacheStatus }) => outcome === 'completed' && cacheStatus === 'valid',
  );
}

/** What stands in the context, in order: Summaries where they apply, in the place of the turns they replace, and the other turns. */
export function contextItems(
  path: readonly PathRow[],
  summaries: readonly SummaryRecord[],
): ContextItem[] {
  const included = includedIn(path);
  const episodes = included.flatMap(({ episodeId }) => (episodeId === null ? [] : [episodeId]));
  const replacedBy = new Map<string, AppliedSummary>();
  for (const summary of summaries.length === 0 ? [] : applySummaries(episodes, summaries))
    for (const uuid of summary.turnEpisodes) replacedBy.set(uuid, summary);
  const rowOf = new Map(included.map((row) => [row.episodeId, row]));
  return included.flatMap((row): ContextItem[] => {
    const { episodeId, alternativeId, content, speaker } = row;
    const summary = episodeId === null ? undefined : replacedBy.get(episodeId);
    if (summary === undefined) {
      const tokens = tokensOf(alternativeId, content);
      return [
        { kind: 'turn', role: ROLES[speaker], content, tokens, episodeId, level: 0, upTo: row },
      ];
    }
    if (summary.turnEpisodes[0] !== episodeId) return [];
    const [bound = ''] = summary.episodes;
    const text = summaryText(summary);
    return [
      {
        kind: 'summary',
        role: 'system',
        content: text,
        tokens: tokensOf(bound, text),
        episodeId: bound,
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
