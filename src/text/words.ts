import { hasJoinedWords, partsOfJoined } from './scripts.ts';
import { stemOf } from './stem.ts';
import { STOP_WORDS } from './word-lists.ts';

const WORD = /[\p{L}\p{N}\p{M}]+(?:['.][\p{L}\p{N}\p{M}]+)*/gu;
// Several times as fast, for the most frequent case.
const ASCII_WORD = /[a-z0-9]+(?:['.][a-z0-9]+)*/g;
const NOT_ASCII = /[^\0-\x7f]/;

/** The words of a text in lower case; pairs of characters where the script has no spaces. */
export function wordsIn(text: string): readonly string[] {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower.match(ASCII_WORD) ?? [];
  // The plain form of a mathematical letter may be a capital.
  const plain = lower.normalize('NFKC').toLowerCase();
  const words = plain.replaceAll('’', "'").match(WORD) ?? [];
  if (!hasJoinedWords(lower)) return words;
  return words.flatMap(partsOfJoined);
}

/** A word in lower case without possessive and contraction: `ada` for ada's. */
export function baseOf(word: string): string {
  return word.includes("'") ? word.replace(/(?:'(?:s|m|re|ve|ll|d)|n't|')$/, '') : word;
}

/** Whether a word tells nothing of a subject. Other languages than English have no such words. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(baseOf(word));
}

/** The stems of all words of a text. */
export function stemsIn(text: string): Set<string> {
  return new Set(wordsIn(text).map((word) => stemOf(baseOf(word))));
}
