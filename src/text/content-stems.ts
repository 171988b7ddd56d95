import { stemOf } from './stem.ts';
import { CALLING_FOR_NOTHING } from './word-lists.ts';
import { baseOf, wordsIn } from './words.ts';

/** The longest word that tells something; longer runs are data, such as base64. */
const WORD_CHARS_MAX = 40;

/** Whether a word is none of grammar and courtesy. */
export function hasContent(word: string): boolean {
  const isWord = (word.length > 1 || /\p{N}/u.test(word)) && word.length <= WORD_CHARS_MAX;
  return isWord && !CALLING_FOR_NOTHING.has(baseOf(word));
}

/** The stems of a text that carry meaning. */
export function contentStems(text: string): Set<string> {
  const words = wordsIn(text).filter(hasContent);
  return new Set(words.map((word) => stemOf(baseOf(word))));
}
