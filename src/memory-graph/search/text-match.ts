import { initialsOf, stemOf } from '../../text/stem.ts';
import { baseOf, isStopWord, wordsIn } from '../../text/words.ts';

/** The words of a query as texts are compared with them. */
export interface QueryWords {
  /** Distinct stems of the words that carry meaning, in order. */
  readonly stems: readonly string[];
  /** One word of the query per stem, for people. */
  readonly shown: readonly string[];
  /** Whether stop words count, because the query has no others. */
  readonly hasStopWordsOnly: boolean;
}

/** How one text matches the words of a query. */
export interface TextMatch {
  readonly bm25: number;
  /** Share of the query's words that the text has, rare words counting more; 0 to 1. */
  readonly coverage: number;
  /** Number of words, without stop words. */
  readonly length: number;
  /** Number of words that the query does not have. */
  readonly added: number;
  /** Words of the query that the text has, as the query spells them. */
  readonly words: readonly string[];
}

// Lucene's constants of BM25.
const K1 = 1.2;
const B = 0.75;

/**
 * A function that matches texts with a query by BM25. A word's weight comes from these texts alone,
 * whatever index they were found in, so matches of all kinds compare with each other.
 */
export function textMatcher(query: QueryWords): (texts: readonly string[]) => TextMatch[] {
  const placeOf = placeFinder(query);
  return (texts) =>
    weighed(
      query,
      texts.map((text) => countStems(text, placeOf, query.stems.length)),
    );
}

function weighed(query: QueryWords, counted: readonly Counted[]): TextMatch[] {
  const total = counted.length;
  const meanLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, total);
  const idf = query.stems.map((_stem, at) => {
    const having = counted.filter(({ counts }) => (counts[at] ?? 0) > 0).length;
    return Math.log(1 + (total - having + 0.5) / (having + 0.5));
  });
  const idfSum = idf.reduce((sum, value) => sum + value, 0);
  return counted.map(({ counts, length, added }) => {
    const norm = K1 * (1 - B + (B * length) / Math.max(1, meanLength));
    let [bm25, covered] = [0, 0];
    for (const [at, count] of counts.entries()) {
      if (count === 0) continue;
      bm25 += ((idf[at] ?? 0) * count) / (count + norm);
      covered += idf[at] ?? 0;
    }
    const words = query.shown.filter((_word, at) => (counts[at] ?? 0) > 0);
    return { bm25, coverage: idfSum === 0 ? 0 : covered / idfSum, length, added, words };
  });
}

const STOP = -2;
const OTHER = -1;

/** Place of a word's stem in the query; OTHER or STOP. */
function placeFinder({ stems, hasStopWordsOnly }: QueryWords): (word: string) => number {
  const places = new Map(stems.map((stem, at) => [stem, at]));
  // Most words begin with another letter, so they need no stem.
  const initials = new Set(stems.flatMap(initialsOf));
  const known = new Map<string, number>();
  return (word) => {
    const cached = known.get(word);
    if (cached !== undefined) return cached;
    const isStop = !hasStopWordsOnly && isStopWord(word);
    const mayMatch = initials.has(word.charAt(0));
    const place = isStop ? STOP : ((mayMatch ? places.get(stemOf(baseOf(word))) : null) ?? OTHER);
    known.set(word, place);
    return place;
  };
}

interface Counted {
  /** How often the text has each stem of the query. */
  readonly counts: readonly number[];
  readonly length: number;
  readonly added: number;
}

function countStems(text: string, placeOf: (word: string) => number, stems: number): Counted {
  const counts = new Array<number>(stems).fill(0);
  let [length, added] = [0, 0];
  for (const word of wordsIn(text)) {
    const place = placeOf(word);
    if (place === STOP) continue;
    length++;
    if (place === OTHER) added++;
    else counts[place] = (counts[place] ?? 0) + 1;
  }
  return { counts, length, added };
}
