import { decode, encodeGenerator } from 'gpt-tokenizer/encoding/cl100k_base';
import { type Json, jsonBytes } from '../common/json.ts';

// Special tokens (`<|endoftext|>`) in somebody's text are text like any other.
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** The first `budget` tokens of a text (cl100k_base), and whether that is less than all of it. */
export function cutText(text: string, budget: number): { text: string; truncated: boolean } {
  // A token is at least one byte, so most texts need no counting.
  if (text.length <= budget && jsonBytes(text) - 2 <= budget) return { text, truncated: false };
  const kept: number[] = [];
  for (const tokens of encodeGenerator(text, AS_TEXT)) {
    for (const token of tokens) {
      if (kept.length === budget) {
        // A cut inside a character leaves half of it, which decodes as U+FFFD.
        return { text: decode(kept).replace(/\uFFFD+$/, ''), truncated: true };
      }
      kept.push(token);
    }
  }
  return { text, truncated: false };
}

/** Counts no further than `max`. */
export function countTokens(text: string, max = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (const tokens of encodeGenerator(text, AS_TEXT)) {
    count += tokens.length;
    if (count >= max) return max;
  }
  return count;
}

/**
 * An output within its `output.tokenBudget` (S4-EXEC-10): text is cut at a token boundary, a list loses its tail, anything else stays
 * whole, because half of an object would be another object.
 */
export function fitToBudget(
  output: Json,
  budget: number | null | undefined,
): { output: Json; truncated: boolean } {
  if (budget === null || budget === undefined) return { output, truncated: false };
  if (typeof output === 'string') {
    const { text, truncated } = cutText(output, budget);
    return { output: text, truncated };
  }
  if (!Array.isArray(output) || jsonBytes(output) <= budget) return { output, truncated: false };
  const kept: Json[] = [];
  let left = budget - 1;
  for (const item of output) {
    left -= countTokens(JSON.stringify(item), left + 1) + 1;
    if (left < 0) return { output: kept, truncated: true };
    kept.push(item);
  }
  return { output, truncated: false };
}
