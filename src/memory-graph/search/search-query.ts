import { type LuceneText, luceneOf } from '../../text/lucene.ts';
import { withoutMarks } from '../../text/marks.ts';
import { stemOf } from '../../text/stem.ts';
import { FOREIGN_EMPTY_WORDS } from '../../text/word-lists.ts';
import { baseOf, isStopWord, wordsIn } from '../../text/words.ts';
import {
  changesIn,
  happeningIn,
  type QueryTime,
  type Sequence,
  sequenceIn,
  timesIn,
} from './query-times.ts';
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
  /** The time of which it asks the changes; null where it asks for none. */
  readonly changes: QueryTime | null;
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
    changes: changesIn(text),
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

const isForeignGrammar = (word: string): boolean => FOREIGN_EMPTY_WORDS.has(withoutMarks(word));

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
