import { z } from 'zod';
import type { JsonObject } from '../../common/json.ts';
import { countTokens } from '../../common/token-budget.ts';
import { type ContextItem, sumTokens } from '../context.ts';
import { SOURCES_MAX } from './summary.ts';

/** What a run is to sum up. */
export interface CompressionPlan {
  /** Episodes, in order. */
  readonly sources: readonly string[];
  readonly coversUpToId: string;
  /** Of the sources together. */
  readonly sourceTokens: number;
  /** What the Summary may have. */
  readonly maxTokens: number;
  readonly items: readonly ContextItem[];
}

/** What one run reads at most; a longer path is summed up in several. */
const SOURCE_TOKENS_MAX = 24_000;
/** The exchange that is going on stays as it was said. */
const TURNS_KEPT_MIN = 2;
const SUMMARY_TOKENS_MIN = 16;

/**
 * What to sum up so that a context gets back under its threshold; null where it is, or nothing can be done. A quarter of the room
 * stays with the newest turns. The turns before them become one Summary of an eighth at most; once the Summaries take more than a
 * quarter themselves, they become one of the next level.
 * @param fixedTokens what compression can't change: active entities and notes
 */
export function planCompression(
  items: readonly ContextItem[],
  { fixedTokens, threshold }: { readonly fixedTokens: number; readonly threshold: number },
): CompressionPlan | null {
  if (fixedTokens + sumTokens(items) <= threshold) return null;
  const room = Math.max(threshold - fixedTokens, Math.floor(threshold / 4));
  const old = items.slice(0, keptFrom(items, Math.floor(room / 4)));
  const summaries = longest(runsOf(old, 'summary'));
  const most = Math.max(SUMMARY_TOKENS_MIN, Math.floor(room / 8));
  if (summaries.length > 1 && sumTokens(summaries) > Math.floor(room / 4))
    return planOf(summaries, most);
  // Less than it would become is not worth a run.
  const turns = runsOf(old, 'turn').find((run) => sumTokens(run) > most);
  if (turns !== undefined) return planOf(turns, most);
  return summaries.length > 1 ? planOf(summaries, most) : null;
}

/**
 * What to sum up because somebody asks: the first turns that are not summed up yet, or else the Summaries; null where nothing
 * is left.
 */
export function planOnDemand(items: readonly ContextItem[]): CompressionPlan | null {
  const chosen = runsOf(items, 'turn')[0] ?? longest(runsOf(items, 'summary'));
  if (chosen[0] === undefined || (chosen[0].kind === 'summary' && chosen.length === 1)) return null;
  return planOf(chosen, Math.max(SUMMARY_TOKENS_MIN, Math.floor(sumTokens(chosen) / 3)));
}

/** Where the newest turns begin that stay. */
function keptFrom(items: readonly ContextItem[], tokensMax: number): number {
  let from = items.length;
  let tokens = 0;
  for (let kept = 0; from > 0; kept++) {
    const item = items[from - 1];
    if (item === undefined || item.kind === 'summary') break;
    tokens += item.tokens;
    if (kept >= TURNS_KEPT_MIN && tokens > tokensMax) break;
    from--;
  }
  return from;
}

/** Neighbours of a kind that are bound, in runs of what one Summary may sum up. */
function runsOf(items: readonly ContextItem[], kind: ContextItem['kind']): ContextItem[][] {
  const runs: ContextItem[][] = [];
  let run: ContextItem[] = [];
  let tokens = 0;
  for (const item of items) {
    const isFull = run.length === SOURCES_MAX || tokens + item.tokens > SOURCE_TOKENS_MAX;
    const fits = item.kind === kind && item.episodeId !== null;
    if ((!fits || isFull) && run.length > 0) {
      runs.push(run);
      run = [];
      tokens = 0;
    }
    if (!fits) continue;
    run.push(item);
    tokens += item.tokens;
  }
  return run.length > 0 ? [...runs, run] : runs;
}

function longest(runs: readonly ContextItem[][]): ContextItem[] {
  return runs.reduce((best, run) => (run.length > best.length ? run : best), []);
}

function planOf(items: readonly ContextItem[], maxTokens: number): CompressionPlan {
  const last = items.at(-1);
  if (last === undefined) throw new Error('A plan needs something to sum up.');
  const sourceTokens = sumTokens(items);
  return {
    sources: items.flatMap(({ episodeId }) => (episodeId === null ? [] : [episodeId])),
    coversUpToId: last.upTo.turnId,
    sourceTokens,
    maxTokens: Math.max(1, Math.min(maxTokens, Math.ceil(sourceTokens / 2))),
    items,
  };
}

/** English runs at some 25 tokens a sentence. */
const TOKENS_PER_SENTENCE = 25;

/** All that a Process may list in its initialContext to be run for a plan. */
export function compressionContext({ items, maxTokens }: CompressionPlan): JsonObject {
  const messages = items.map(({ role, content }) => ({ role, content }));
  return {
    text: messages.map(({ role, content }) => `${role}: ${content}`).join('\n'),
    messages,
    maxTokens,
    sentences: Math.max(1, Math.floor(maxTokens / TOKENS_PER_SENTENCE)),
    level: Math.max(...items.map(({ level }) => level)) + 1,
  };
}

/** What a run was started for, as long as it is remembered with it. */
export const CompressionTask = z.object({
  sources: z.array(z.string()).readonly(),
  coversUpToId: z.string(),
  sourceTokens: z.number(),
  maxTokens: z.number(),
});
export type CompressionTask = Readonly<z.infer<typeof CompressionTask>>;

/** What is wrong with what a run gave as a Summary; null where it will do. */
export function summaryFault(
  output: string | null,
  { sourceTokens }: CompressionTask,
): string | null {
  const text = output?.trim() ?? '';
  if (text === '') return 'The summary says nothing.';
  const tokens = countTokens(text, sourceTokens);
  if (tokens < sourceTokens) return null;
  return `The summary is no shorter than the ${sourceTokens} tokens it sums up.`;
}
