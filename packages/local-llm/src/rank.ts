import { contentStems, type Sentence } from './language.ts';

/** tf-idf of one sentence over a text, length 1; empty for a sentence of stop words. */
type Weights = ReadonlyMap<string, number>;

/** Sentences with their weights; made once per text and asked several ways. */
export interface RankedText {
  readonly sentences: readonly Sentence[];
  readonly weights: readonly Weights[];
  /** How telling a stem is in this text; rarer is more. */
  idf(stem: string): number;
}

export function weighText(sentences: readonly Sentence[]): RankedText {
  const stems = sentences.map(contentStems);
  const frequency = new Map<string, number>();
  for (const list of stems)
    for (const stem of new Set(list)) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
  const idf = (stem: string): number =>
    Math.log(1 + (sentences.length + 1) / ((frequency.get(stem) ?? 0) + 0.5));
  return { sentences, weights: stems.map((list) => unit(termWeights(list, idf))), idf };
}

function termWeights(stems: readonly string[], idf: (stem: string) => number): Map<string, number> {
  const weights = new Map<string, number>();
  for (const stem of stems) weights.set(stem, (weights.get(stem) ?? 0) + idf(stem));
  return weights;
}

function unit(weights: Map<string, number>): Map<string, number> {
  const length = Math.hypot(...weights.values());
  if (length > 0) for (const [stem, weight] of weights) weights.set(stem, weight / length);
  return weights;
}

/** Whether a sentence is a question, quoted or not. */
export function asks({ text }: Sentence): boolean {
  return /\?["'”’»)\]]*$/.test(text);
}

export function cosine(left: Weights, right: Weights): number {
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  let sum = 0;
  for (const [stem, weight] of small) sum += weight * (large.get(stem) ?? 0);
  return sum;
}

/**
 * How well a sentence stands for the whole text: its cosines to all others, summed (continuous
 * LexRank). The sum of cosines is the dot product with the sum of vectors, so the cost grows with
 * the text, not its square.
 */
export function centrality({ sentences, weights }: RankedText): number[] {
  const sum = new Map<string, number>();
  for (const vector of weights)
    for (const [stem, weight] of vector) sum.set(stem, (sum.get(stem) ?? 0) + weight);
  return weights.map((vector, index) => {
    if (vector.size === 0) return 0;
    // News and minutes start with the most important sentences. A small weight, so that it decides
    // only near-ties.
    const lead = 1 + 0.25 / (1 + index);
    // Fragments ("Yes, Berlin.") resemble much and say little.
    const fragment = Math.min(1, vector.size / 4);
    const sentence = sentences[index];
    const question = sentence !== undefined && asks(sentence) ? 0.5 : 1;
    return (cosine(vector, sum) - 1 + 0.1) * lead * fragment * question;
  });
}

/** BM25 of each sentence for the query's stems; 0 where none occurs. */
export function relevance({ sentences, idf }: RankedText, query: readonly string[]): number[] {
  const wanted = new Set(query);
  const lists = sentences.map(contentStems);
  const mean = lists.reduce((total, list) => total + list.length, 0) / Math.max(1, lists.length);
  return lists.map((list) => {
    let score = 0;
    for (const stem of wanted) {
      const count = list.filter((other) => other === stem).length;
      if (count > 0) {
        score +=
          (idf(stem) * count * 2.2) /
          (count + 1.2 * (0.25 + (0.75 * list.length) / Math.max(1, mean)));
      }
    }
    return score;
  });
}

/**
 * The best sentences by score without repeating themselves (maximal marginal relevance), in the
 * text's order. Takes while `fits` agrees; a sentence that does not fit is passed over, so a
 * shorter one may still come in.
 */
export function pickSentences(
  text: RankedText,
  scores: readonly number[],
  fits: (picked: readonly Sentence[], next: Sentence) => boolean,
): Sentence[] {
  const order = scores
    .map((score, index) => ({ score, index }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || left.index - right.index)
    // More than anyone asks for; keeps the loop below from growing with the square of a long text.
    .slice(0, 400);
  const picked: number[] = [];
  const chosen = (): Sentence[] => picked.flatMap((index) => text.sentences[index] ?? []);
  const redundancy = new Map(order.map(({ index }) => [index, 0]));
  while (redundancy.size > 0) {
    let best = -1;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (const { score, index } of order) {
      const repeats = redundancy.get(index);
      if (repeats !== undefined && score * (1 - repeats) > bestScore) {
        best = index;
        bestScore = score * (1 - repeats);
      }
    }
    redundancy.delete(best);
    const sentence = text.sentences[best];
    const vector = text.weights[best];
    if (sentence === undefined || vector === undefined || bestScore <= 0) continue;
    if (!fits(chosen(), sentence)) continue;
    picked.push(best);
    for (const [index, repeats] of redundancy) {
      const other = text.weights[index];
      if (other !== undefined) redundancy.set(index, Math.max(repeats, cosine(vector, other)));
    }
  }
  return picked.sort((left, right) => left - right).flatMap((index) => text.sentences[index] ?? []);
}

/** The stems that mark a text, with the word they stand for as first written; best first. */
export function keywords(text: RankedText, most: number): string[] {
  const score = new Map<string, { word: string; score: number; count: number }>();
  for (const sentence of text.sentences) {
    for (const token of sentence.tokens) {
      if (!token.content || !/^(NOUN|PROPN|ADJ)$/.test(token.pos) || token.text.length < 3)
        continue;
      const known = score.get(token.stem) ?? {
        word: token.pos === 'PROPN' ? token.text : token.lower,
        score: 0,
        count: 0,
      };
      const kind = token.pos === 'ADJ' ? 0.5 : 1;
      score.set(token.stem, {
        ...known,
        score: known.score + text.idf(token.stem) * kind,
        count: known.count + 1,
      });
    }
  }
  return [...score.values()]
    .sort((left, right) => right.score - left.score || left.word.localeCompare(right.word, 'en'))
    .slice(0, most)
    .map(({ word }) => word);
}
