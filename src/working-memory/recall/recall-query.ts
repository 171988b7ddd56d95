import { firstChars, lastChars } from '../../common/well-formed.ts';
import { QUERY_CHARS_MAX } from '../../memory-graph/search/search.ts';
import {
  isEnglish,
  isForeign,
  ownedIn,
  type SearchQuery,
  searchQueryOf,
} from '../../memory-graph/search/search-query.ts';
import { hasContent } from '../../text/content-stems.ts';
import { wordsIn } from '../../text/words.ts';

const WORDS_MAX = 48;
/** Characters that are read at each end of a longer message: a request mostly stands there. */
const CHARS_PER_END = 4_000;
/** The words of the last characters come first: a question mostly ends the message. */
const LAST_CHARS = 200;

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
  const words = wordsIn(endsOf(message));
  const owned = new Set(ownedIn(words));
  return {
    ...query,
    owned: query.words.filter((word) => owned.has(word)),
    isEnglish: isEnglish(words),
    isForeign: isForeign(words),
  };
}

function endsOf(message: string): string {
  if (message.length <= LAST_CHARS) return message;
  const ends = [LAST_CHARS, CHARS_PER_END].map((chars) => lastChars(message, chars));
  // The first word of an end is mostly half a word.
  const [last, end] = ends.map((text) => text.replace(/^[^\s]+\s/, ''));
  return `${last} ${firstChars(message, CHARS_PER_END)} ${end}`;
}
