import type { JsonObject } from '../../common/json.ts';
import { countTokens } from '../../common/token-budget.ts';
import { type ContextItem, sumTokens } from '../context.ts';
import { SOURCES_MAX } from '../summaries/summary.ts';
import type { CompressionTask } from '../tasks/task.ts';

/** The messages that one run sums up. */
export interface CompressionPlan {
  /** Ids of Episodes, in order. */
  readonly sources: readonly string[];
  readonly coversUpToId: string;
  /** Tokens of all sources together. */
  readonly sourceTokens: number;
  /** Maximum number of tokens of the Summary. */
  readonly maxTokens: number;
  readonly items: readonly ContextItem[];
}

/** Maximum input of one run. A longer path takes several runs. */
const SOURCE_TOKENS_MAX = 24_000;
/** The newest turns are never summed up. */
const TURNS_KEPT_MIN = 2;
const SUMMARY_TOKENS_MIN = 16;

/**
 * Plans a compression that brings a context under its threshold. Null if it is, or if nothing can
 * be summed up. The newest turns keep a quarter of the available tokens. The turns before them
 * become one Summary of at most an eighth. Summaries that take more than a quarter become one
 * Summary of the next level.
 * @param fixedTokens tokens that compression can't reduce: active entities and notes
 */
export function planCompression(
  items: readonly ContextItem[],
  { fixedTokens, threshold }: { readonly fixedTokens: number; readonly threshold: number },
): CompressionPlan | null {
  if (fixedTokens + sumTokens(items) <= threshold) return null;
  const available = Math.max(threshold - fixedTokens, Math.floor(threshold / 4));
  const old = items.slice(0, keptFrom(items, Math.floor(available / 4)));
  const summaries = longest(runsOf(old, 'summary'));
  const maxTokens = Math.max(SUMMARY_TOKENS_MIN, Math.floor(available / 8));
  if (summaries.length > 1 && sumTokens(summaries) > Math.floor(available / 4))
    return planOf(summaries, maxTokens);
  // Turns shorter than their Summary are not worth a run.
  const turns = runsOf(old, 'turn').find((run) => sumTokens(run) > maxTokens);
  if (turns !== undefined) return planOf(turns, maxTokens);
  return summaries.length > 1 ? planOf(summaries, maxTokens) : null;
}

/**
 * Plans a compression on request: of the first turns without a Summary, else of the Summaries. Null
 * if nothing is left to sum up.
 */
export function planOnDemand(items: readonly ContextItem[]): CompressionPlan | null {
  const chosen = runsOf(items, 'turn')[0] ?? longest(runsOf(items, 'summary'));
  if (chosen[0] === undefined || (chosen[0].kind === 'summary' && chosen.length === 1)) return null;
  return planOf(chosen, Math.max(SUMMARY_TOKENS_MIN, Math.floor(sumTokens(chosen) / 3)));
}

/** Index of the first of the newest turns, which stay as they are. */
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

/** Groups neighbours of one kind that have Episodes. Each group fits in one Summary. */
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

const longest = (runs: readonly ContextItem[][]): ContextItem[] =>
  runs.reduce((best, run) => (run.length > best.length ? run : best), []);

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

/** An English sentence has about 25 tokens. */
const TOKENS_PER_SENTENCE = 25;

/** The variables that a Process may name in its initialContext to be used for a compression. */
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

/** A sentence that says why an output can't be a Summary; null if it can. */
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
