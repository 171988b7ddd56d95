/** English words that say nothing about a topic. Other languages have only their own words. */
const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below
  between both but by can could did didn't do does doesn't doing don't down during each ever few for
  from further had has have having he her here hers him his how i i'd i'll i'm i've if in into is
  isn't it it's its just like let's many me more most much my no nor not now of off on once only or
  other our ours out over own same she should so some such than that that's the their theirs them
  then there there's these they they're this those through to too under until up us very was wasn't
  we we're were what what's when where which while who whom whose why will with won't would you
  you're your yours name names`.split(/\s+/),
);
const WORD = /[\p{L}\p{N}\p{M}]+(?:['.][\p{L}\p{N}\p{M}]+)*/gu;
// Several times as fast, for the most frequent case.
const ASCII_WORD = /[a-z0-9]+(?:['.][a-z0-9]+)*/g;
const NOT_ASCII = /[^\0-\x7f]/;
// Scripts without spaces between words; their words are compared as pairs of characters.
const UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** The words of a text in lower case; pairs of characters where the script has no spaces. */
export function wordsIn(text: string): readonly string[] {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower.match(ASCII_WORD) ?? [];
  const words = lower.normalize('NFC').replaceAll('’', "'").match(WORD) ?? [];
  if (!UNSPACED.test(lower)) return words;
  return words.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [word]));
}

function pairsOf(word: string): string[] {
  const signs = [...word];
  return signs.length === 1 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/**
 * Removes the endings of English words, so that `baked`, `bakes` and `baking` compare as equal. As
 * good as Porter's stemmer on the data of docs/decisions/0029, and shorter. Keeps the first
 * letter.
 */
export function stemOf(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word.replace(/'s$/, '');
  const single = word
    .replace(/'.*$/, '')
    .replace(/ies$/, 'y')
    .replace(/([sxz]|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1');
  const ending = single.length > 5 ? /(?:ing|ed)$/ : single.length > 4 ? /ed$/ : /$^/;
  return single
    .replace(ending, '')
    .replace(/([^aeiouls])\1$/, '$1')
    .replace(/ly$/, '')
    .replace(/i$/, 'y')
    .replace(/e$/, '');
}

/** The query's words that texts are compared with. */
export interface QueryWords {
  /** Distinct stems, in order. */
  readonly stems: readonly string[];
  /** One of the query's words per stem, for people. */
  readonly shown: readonly string[];
  /** All words of the query, stop words included. */
  readonly all: ReadonlySet<string>;
  /** Whether stop words count, because the query has no others. */
  readonly hasStopWordsOnly: boolean;
}

export function queryWordsOf(query: string): QueryWords {
  const all = wordsIn(query);
  const telling = all.filter((word) => !isStopWord(word));
  const hasStopWordsOnly = telling.length === 0;
  const byStem = new Map<string, string>();
  for (const word of hasStopWordsOnly ? all : telling) {
    const stem = stemOf(word);
    if (!byStem.has(stem)) byStem.set(stem, word);
  }
  const stems = [...byStem.keys()];
  return { stems, shown: [...byStem.values()], all: new Set(all), hasStopWordsOnly };
}
