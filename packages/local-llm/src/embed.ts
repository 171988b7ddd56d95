import { DIMENSIONS, type WordVectors } from './word-vectors.ts';

/**
 * Half the weight at a word of this frequency (Arora et al., smooth inverse frequency): "the"
 * hardly counts.
 */
const SMOOTHING = 1e-3;
/**
 * A made-up name has no vector; its letters get one, of about a rare word's length, so that two
 * such names differ.
 */
const UNKNOWN_LENGTH = 5;

/** Words and numbers in lower case; marks carry no meaning here. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)?|\d+(?:[.,]\d+)*/gu) ?? []
  );
}

/**
 * The weighted mean of a text's word vectors, length 1, DIMENSIONS numbers. Never the zero vector,
 * which no cosine can be taken of: a text without words is told apart by its characters.
 */
export function embed(vectors: WordVectors, text: string): number[] {
  const sum = new Float64Array(DIMENSIONS);
  const harmonic = Math.log(vectors.size) + 0.5772;
  const words = wordsOf(text);
  for (const word of words.length > 0 ? words : [text.trim() || ' ']) {
    const row = vectors.rowOf(word) ?? vectors.rowOf(word.replace(/['’]s$/, ''));
    if (row === undefined) addUnknown(sum, word);
    else {
      // Rows are sorted by frequency, and word frequencies follow Zipf's law closely enough.
      const frequency = 1 / ((row + 1) * harmonic);
      const weight = (SMOOTHING / (SMOOTHING + frequency)) * (vectors.scales[row] ?? 0);
      for (let index = 0; index < DIMENSIONS; index++) {
        sum[index] = (sum[index] ?? 0) + weight * (vectors.rows[row * DIMENSIONS + index] ?? 0);
      }
    }
  }
  const length = Math.hypot(...sum);
  if (length === 0) return Array.from({ length: DIMENSIONS }, (_, index) => (index === 0 ? 1 : 0));
  // Six digits exceed the precision of 8 bits and halve the response size.
  return Array.from(sum, (component) => Number((component / length).toFixed(6)));
}

/**
 * Adds the mean of fixed pseudo-random directions of a word's letter triples: like spellings come
 * out near.
 */
function addUnknown(sum: Float64Array, word: string): void {
  const padded = `<${word}>`;
  const grams = Array.from({ length: Math.max(1, padded.length - 2) }, (_, at) =>
    padded.slice(at, at + 3),
  );
  const direction = new Float64Array(DIMENSIONS);
  for (const gram of grams) {
    let state = fnv1a(gram);
    for (let index = 0; index < DIMENSIONS; index++) {
      state = xorshift(state);
      direction[index] = (direction[index] ?? 0) + (state / 0x1_0000_0000 - 0.5);
    }
  }
  const length = Math.hypot(...direction) || 1;
  direction.forEach((component, index) => {
    sum[index] = (sum[index] ?? 0) + (component / length) * UNKNOWN_LENGTH;
  });
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0 || 1;
}

function xorshift(state: number): number {
  let next = state;
  next ^= next << 13;
  next ^= next >>> 17;
  next ^= next << 5;
  return next >>> 0;
}
