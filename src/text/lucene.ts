import { hasCjk, UNSPACED, unbrokenWordsIn } from './scripts.ts';
import { formsOf, irregularFormsOf } from './stem.ts';
import { baseOf, isStopWord, wordsIn } from './words.ts';

/** Queries of Lucene of which any word may match. */
export interface LuceneText {
  /** For an index that stems English words. */
  readonly words: string;
  /** For an index that keeps words as they are. */
  readonly forms: string;
  /** Whether an index of pairs of characters can have a word. */
  readonly hasCjk: boolean;
}

/** Keep a query far below Lucene's limit of clauses; further words add little. */
const WORDS_MAX = 100;
const FORMS_MAX = 150;
/** A word that is written as in the query counts more than an irregular form of it. */
const FORM_WEIGHT = 0.3;
/** A query without words matches nothing. */
const NOTHING = 'nothingtolookfor';
/** Patterns cost more than words. */
const UNBROKEN_MAX = 12;
const IDENTIFIER = /[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+/gu;

/** The words of a text that Lucene looks for; of `snake_case` the parts and the whole. */
function termsIn(text: string): string[] {
  const unbroken = unbrokenWordsIn(text);
  const words = wordsIn(text);
  return [
    ...(unbroken.length === 0
      ? words
      : words.filter((word) => hasCjk(word) || !UNSPACED.test(word))),
    ...(text.toLowerCase().match(IDENTIFIER) ?? []),
    ...[...new Set(unbroken)].slice(0, UNBROKEN_MAX).map(withinRun),
  ];
}

/**
 * A pattern for a run with the word in it. It begins with signs of the word's own block of 128, so
 * Lucene reads no terms of other scripts.
 */
function withinRun(word: string): string {
  const block = (word.codePointAt(0) ?? 0) & ~0x7f;
  const signs = `[${String.fromCodePoint(block)}-${String.fromCodePoint(block + 0x7f)}]*`;
  return `/${signs}${word}${signs}/`;
}

/** The queries for a text. Its words are letters and digits, so none is an operator of Lucene's. */
export function luceneOf(text: string): LuceneText {
  const words = [...new Set(termsIn(text))].slice(0, WORDS_MAX);
  const bases = words.map(baseOf);
  // The words themselves come first, then their forms.
  const joined = (forms: readonly string[]) =>
    [...new Set([...words, ...forms])].slice(0, FORMS_MAX).join(' ') || NOTHING;
  return {
    words: joined(bases.flatMap(irregularFormsOf).map((form) => `${form}^${FORM_WEIGHT}`)),
    forms: joined(bases.filter((word) => !isStopWord(word)).flatMap(formsOf)),
    hasCjk: words.some(hasCjk),
  };
}
