import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { type Json, jsonBytes } from './json.ts';

// Special tokens (`<|endoftext|>`) in a user's text are counted like any other text.
const AS_TEXT = { disallowedSpecial: new Set<string>() };

// The encoder's time grows with the square of a piece's length, and a million equal characters are
// one piece. Bounded chunks keep it linear. A chunk ends before a space where possible, because no
// token crosses that place.
const CHUNK_CHARS = 512;

function* chunksOf(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    let to = Math.min(text.length, from + CHUNK_CHARS);
    if (to < text.length) {
      const space = lastWordEnd(text, from, to);
      if (space > from) to = space;
      else if (isHighSurrogate(text, to - 1)) to--;
    }
    yield text.slice(from, to);
    from = to;
  }
}

/** The last index in (from, to) of a space that follows a non-space. */
function lastWordEnd(text: string, from: number, to: number): number {
  for (let at = to - 1; at > from; at--) {
    if (text[at] === ' ' && !/\s/.test(text[at - 1] ?? ' ')) return at;
  }
  return from;
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Counts cl100k_base tokens; stops at `max`. */
export function countTokens(text: string, max = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (const chunk of chunksOf(text)) {
    count += encode(chunk, AS_TEXT).length;
    if (count >= max) return max;
  }
  return count;
}

/** The longest prefix within `budget` cl100k_base tokens, and whether the text was cut. */
export function cutText(text: string, budget: number): { text: string; truncated: boolean } {
  // A token is at least one byte, so most texts need no counting.
  if (text.length <= budget && jsonBytes(text) - 2 <= budget) return { text, truncated: false };
  let left = budget;
  let end = 0;
  for (const chunk of chunksOf(text)) {
    const tokens = encode(chunk, AS_TEXT).length;
    if (tokens > left)
      return { text: text.slice(0, end) + fitPrefix(chunk, left), truncated: true };
    left -= tokens;
    end += chunk.length;
  }
  return { text, truncated: false };
}

/**
 * The longest prefix of a chunk within `budget`. Token counts are not monotonic (`plai` is two
 * tokens, `plain` one), so every length is tried, longest first. Chunks are short.
 */
function fitPrefix(chunk: string, budget: number): string {
  for (let to = chunk.length; to > 0; to--) {
    if (isHighSurrogate(chunk, to - 1)) continue;
    const text = chunk.slice(0, to);
    if (encode(text, AS_TEXT).length <= budget) return text;
  }
  return '';
}

/**
 * Fits an output into its `output.tokenBudget` (S4-EXEC-10). Text is cut at a token boundary and a
 * list loses its last items. Other values stay whole, because half an object would be another
 * object.
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
