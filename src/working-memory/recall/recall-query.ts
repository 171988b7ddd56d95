import { firstChars, lastChars } from '../../common/well-formed.ts';
import { type LuceneText, luceneOf, termsIn } from '../../memory-graph/search/search-query.ts';
import { stemOf } from '../../text/stem.ts';
import { CALLING_FOR_NOTHING } from '../../text/word-lists.ts';
import { baseOf, wordsIn } from '../../text/words.ts';

/** The words of a message that memories are searched and ranked by. */
export interface RecallQuery {
  /** Distinct stems of the words that carry meaning, in order of appearance. */
  readonly stems: readonly string[];
  readonly lucene: LuceneText;
}

const WORDS_MAX = 48;
/** Characters that are read at each end of a longer message: a request mostly stands there. */
const CHARS_PER_END = 4_000;
/** The words of the last characters come first: a question mostly ends the message. */
const LAST_CHARS = 200;
/** The longest word that is searched; longer runs are data, such as base64. */
const WORD_CHARS_MAX = 40;

/** Words of questions: they name the answer and say little about its subject. */
const GENERIC_STEMS = new Set(
  'name call know remember think thing kind sort time lot said ask talk mean use'
    .split(' ')
    .map(stemOf),
);
const GENERIC_WEIGHT = 0.35;

/** The weight of a stem in a query, before its rarity. */
export function weightOf(stem: string): number {
  return GENERIC_STEMS.has(stem) ? GENERIC_WEIGHT : 1;
}

/** @returns null where the message has no word to search for */
export function recallQueryOf(message: string): RecallQuery | null {
  const text = endsOf(message);
  const terms = termsIn(text).filter(hasContent).slice(0, WORDS_MAX);
  if (terms.length === 0) return null;
  return { stems: [...contentStems(text)].slice(0, WORDS_MAX), lucene: luceneOf(terms) };
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
