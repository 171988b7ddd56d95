import { firstChars, lastChars } from '../../common/well-formed.ts';
import { QUERY_CHARS_MAX } from '../../memory-graph/search/search.ts';
import {
  isEnglish,
  type SearchQuery,
  searchQueryOf,
} from '../../memory-graph/search/search-query.ts';
import { stemOf } from '../../text/stem.ts';
import { CALLING_FOR_NOTHING } from '../../text/word-lists.ts';
import { baseOf, wordsIn } from '../../text/words.ts';

const WORDS_MAX = 48;
/** Characters that are read at each end of a longer message: a request mostly stands there. */
const CHARS_PER_END = 4_000;
/** The words of the last characters come first: a question mostly ends the message. */
const LAST_CHARS = 200;
/** The longest word that is searched; longer runs are data, such as base64. */
const WORD_CHARS_MAX = 40;

/**
 * The search that a message stands for: its words without those of grammar and courtesy. `I` and
 * `you` are among these, so a message names a speaker by name only.
 * @returns null where the message has no word to search for
 */
export function recallQueryOf(message: string): SearchQuery | null {
  const parts = endsOf(message)
    .split(/\s+/)
    .filter((part) => wordsIn(part).some(hasContent));
  if (parts.length === 0) return null;
  const text = parts.slice(0, WORDS_MAX).join(' ');
  const query = searchQueryOf(firstChars(text, QUERY_CHARS_MAX), '');
  return { ...query, isEnglish: isEnglish(wordsIn(endsOf(message))) };
}

function endsOf(message: string): string {
  if (message.length <= LAST_CHARS) return message;
  const ends = [LAST_CHARS, CHARS_PER_END].map((chars) => lastChars(message, chars));
  // The first word of an end is mostly half a word.
  const [last, end] = ends.map((text) => text.replace(/^[^\s]+\s/, ''));
  return `${last} ${firstChars(message, CHARS_PER_END)} ${end}`;
}

function hasContent(word: string): boolean {
  const isWord = (word.length > 1 || /\p{N}/u.test(word)) && word.length <= WORD_CHARS_MAX;
  return isWord && !CALLING_FOR_NOTHING.has(baseOf(word));
}

/** The stems of a text that carry meaning. */
export function contentStems(text: string): Set<string> {
  const words = wordsIn(text).filter(hasContent);
  return new Set(words.map((word) => stemOf(baseOf(word))));
}
