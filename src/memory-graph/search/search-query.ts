import { withoutMarks } from '../../text/marks.ts';
import { hasCjk, UNSPACED, unbrokenWordsIn } from '../../text/scripts.ts';
import { formsOf, irregularFormsOf, stemOf } from '../../text/stem.ts';
import { FOREIGN_EMPTY_WORDS } from '../../text/word-lists.ts';
import { baseOf, isStopWord, wordsIn } from '../../text/words.ts';
import { happeningIn, type QueryTime, type Sequence, sequenceIn, timesIn } from './query-times.ts';
import { type NamedSpeakers, namedSpeakers } from './speech.ts';
import { type TextMatch, textMatcher } from './text-match.ts';

/** A query, read once: its words as texts and full-text indexes are compared with them. */
export interface SearchQuery {
  /** Distinct stems of the words that carry meaning, in order. */
  readonly stems: readonly string[];
  /** One word of the query per stem, for people. */
  readonly words: readonly string[];
  /** Of these, the words for things that one has: `cat` of "my cat". */
  readonly owned: readonly string[];
  readonly speakers: NamedSpeakers;
  readonly times: readonly QueryTime[];
  /** Whether it asks for the first or the last of what matches. */
  readonly sequence: Sequence | null;
  /** What it asks the time before or after of; null without. */
  readonly happening: QueryHappening | null;
  /** Whether it is an English sentence: the words that it lacks of a text tell something. */
  readonly isEnglish: boolean;
  /** Whether it is a sentence of another language. */
  readonly isForeign: boolean;
  /** How the texts match; a word's weight comes from these texts alone. */
  readonly match: (texts: readonly string[]) => TextMatch[];
  readonly lucene: LuceneText;
}

/** A happening of a query, read as a query of its own. */
export interface QueryHappening {
  readonly side: 'before' | 'after';
  readonly words: number;
  readonly match: (texts: readonly string[]) => TextMatch[];
}

/** Queries of Lucene of which any word may match. */
export interface LuceneText {
  /** For an index that stems English words. */
  readonly words: string;
  /** For an index that keeps words as they are. */
  readonly forms: string;
  /** Whether an index of pairs of characters can have a word. */
  readonly hasCjk: boolean;
}

/** @param userName name of the user who searches: the speaker of the user's own turns */
export function searchQueryOf(text: string, userName: string): SearchQuery {
  const words = wordsIn(text);
  const telling = withoutForeignGrammar(words).filter((word) => !isStopWord(word));
  const hasStopWordsOnly = telling.length === 0;
  const byStem = new Map<string, string>();
  for (const word of hasStopWordsOnly ? words : telling) {
    const stem = stemOf(baseOf(word));
    if (!byStem.has(stem)) byStem.set(stem, word);
  }
  const [stems, shown] = [[...byStem.keys()], [...byStem.values()]];
  return {
    stems,
    words: shown,
    owned: ownedIn(words).flatMap((word) => byStem.get(stemOf(baseOf(word))) ?? []),
    match: textMatcher({ stems, shown, hasStopWordsOnly }),
    speakers: namedSpeakers(words, userName),
    times: timesIn(text),
    sequence: sequenceIn(text),
    happening: happeningOf(text),
    isEnglish: isEnglish(words),
    isForeign: isForeign(words),
    lucene: luceneOf(text),
  };
}

const POSSESSIVE = /^(?:my|our|mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|mis?|nuestr[oa]s?)$/;

/** The words directly after a possessive of the first person. */
export function ownedIn(words: readonly string[]): string[] {
  return words.filter((_word, at) => POSSESSIVE.test(words[at - 1] ?? ''));
}

/** So many words of grammar make a query one of another language; `war` alone may be English. */
const FOREIGN_MIN = 2;

export function isForeign(words: readonly string[]): boolean {
  return !isEnglish(words) && words.filter(isForeignGrammar).length >= FOREIGN_MIN;
}

function isForeignGrammar(word: string): boolean {
  return FOREIGN_EMPTY_WORDS.has(withoutMarks(word));
}

/** The words without those of grammar of another language, where the query is in one. */
function withoutForeignGrammar(words: readonly string[]): readonly string[] {
  if (!isForeign(words)) return words;
  const rest = words.filter((word) => !isForeignGrammar(word));
  return rest.length > 0 ? rest : words;
}

function happeningOf(text: string): QueryHappening | null {
  const happening = happeningIn(text);
  if (happening === null) return null;
  const shown = [...new Set(wordsIn(happening.text).filter((word) => !isStopWord(word)))];
  if (shown.length === 0) return null;
  const stems = [...new Set(shown.map((word) => stemOf(baseOf(word))))];
  const match = textMatcher({ stems, shown, hasStopWordsOnly: false });
  return { side: happening.side, words: stems.length, match };
}

/** Of an English sentence at least this share are words of grammar; of a few keywords none are. */
const GRAMMAR_SHARE_MIN = 1 / 4;

export function isEnglish(words: readonly string[]): boolean {
  const grammar = words.filter(isStopWord).length;
  // "Wo wohnt mein Bruder?" has "wo" as in "won't".
  return (
    grammar >= Math.max(1, GRAMMAR_SHARE_MIN * words.length) &&
    grammar >= words.filter(isForeignGrammar).length
  );
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

/** Limits the clauses of one Lucene query; a user with more groups gets several queries. */
const GROUPS_PER_QUERY = 500;

/** Weights of the words of a piece of an Episode itself, and of its window. */
const WEIGHTS = { text: 0.5, window: 1 };

/**
 * The queries over all indexes. `^0`: groups and owner filter hits and add nothing to the score.
 * @param within further clauses of Lucene for Episodes
 */
export function indexQueriesOf(
  { words, forms, hasCjk: isCjk }: LuceneText,
  of: {
    readonly owner: string;
    readonly groups: readonly string[];
    readonly within: string;
  },
) {
  const count = Math.ceil(of.groups.length / GROUPS_PER_QUERY);
  const pages = Array.from({ length: count }, (_, at) =>
    of.groups.slice(at * GROUPS_PER_QUERY, (at + 1) * GROUPS_PER_QUERY),
  );
  const own = `+owner:"${of.owner}"^0${of.within}`;
  const said = `text:(${words})^${WEIGHTS.text} window:(${words})^${WEIGHTS.window}`;
  return {
    // Entities and facts.
    groupQueries: pages.map(
      (page) => `+(${page.map((group) => `group_id:"${group}"`).join(' ')})^0 +(${forms})`,
    ),
    episodeQueries: [
      { index: 'episode_words_english', query: `${own} +(${said})` },
      // This index holds pairs of characters.
      ...(isCjk ? [{ index: 'episode_window_cjk', query: `${own} +window:(${words})` }] : []),
    ],
    stretchQuery: `${own} +text:(${words})`,
  };
}
