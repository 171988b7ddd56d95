import { contentWords } from '../../text/content-words.ts';
import { CHATTER } from '../../text/word-lists.ts';

/** Number of a user's segments, and in how many of them each word is. */
export interface WordCounts {
  readonly segments: number;
  readonly withWord: ReadonlyMap<string, number>;
}

export const NO_COUNTS: WordCounts = { segments: 0, withWord: new Map() };

/** Words of one segment that are counted. */
const TERMS_MAX = 60;
const KEYWORDS_MAX = 8;

/** A word with its number of occurrences. */
interface Term {
  readonly word: string;
  readonly times: number;
  /** Whether it is written like a name. */
  readonly isName: boolean;
}

/** The most frequent words of texts, without numbers, common words and small talk. */
export function termsOf(texts: readonly string[]): Term[] {
  const terms = new Map<string, Term>();
  for (const text of texts)
    for (const { key, kind } of contentWords(text)) {
      if (kind === 'number' || CHATTER.has(key) || key.length < 2) continue;
      const before = terms.get(key);
      const isName = kind === 'name' || before?.isName === true;
      terms.set(key, { word: key, times: (before?.times ?? 0) + 1, isName });
    }
  return [...terms.values()]
    .sort((a, b) => b.times - a.times || (a.word < b.word ? -1 : 1))
    .slice(0, TERMS_MAX);
}

/** Keywords by tf-idf over the segments of the user; names count more. Best first. */
export function keywordsOf(terms: readonly Term[], counts: WordCounts): string[] {
  return best(
    terms.map(({ word, times, isName }) => ({
      word,
      weight: Math.sqrt(times) * (isName ? 1.5 : 1) * rarity(word, counts),
    })),
  );
}

/** Keywords of a period from those of its children: each counts by its rank. Best first. */
export function joinKeywords(
  children: readonly (readonly string[])[],
  counts: WordCounts,
): string[] {
  const weights = new Map<string, number>();
  for (const keywords of children)
    for (const [rank, word] of keywords.entries())
      weights.set(word, (weights.get(word) ?? 0) + KEYWORDS_MAX - Math.min(rank, KEYWORDS_MAX - 1));
  return best(
    [...weights].map(([word, weight]) => ({
      word,
      weight: Math.sqrt(weight) * rarity(word, counts),
    })),
  );
}

const best = (words: readonly { readonly word: string; readonly weight: number }[]): string[] =>
  words
    .toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .slice(0, KEYWORDS_MAX)
    .map(({ word }) => word);

/** Inverse document frequency, at least 1 for a word that is in few segments. */
const rarity = (word: string, { segments, withWord }: WordCounts): number =>
  Math.log(1 + (segments + 1) / (1 + (withWord.get(word) ?? 0)));
