/** Longer words are not compared: the comparison takes time with the square of the length. */
const WORD_CHARS_MAX = 60;
const CANDIDATES_MAX = 1_000;

/**
 * The known word that was probably meant: at most one typing mistake per three characters away.
 * Null where none is that near. Case does not count.
 */
export function nearest(word: string, known: Iterable<string>): string | null {
  if (word.length > WORD_CHARS_MAX) return null;
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  let seen = 0;
  for (const candidate of known) {
    if (++seen > CANDIDATES_MAX) break;
    if (candidate === word || candidate.length > WORD_CHARS_MAX) continue;
    const distance = distanceOf(word.toLowerCase(), candidate.toLowerCase());
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** ` Did you mean "parallel"?`, or an empty text where no known word is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const meant = nearest(word, known);
  return meant === null ? '' : ` Did you mean "${meant}"?`;
}

/** Typing mistakes between two words: a wrong, missing, additional or swapped character each. */
function distanceOf(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= left.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const distances = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
        ...(isSwap && row > 1 && column > 1 ? [at(row - 2, column - 2) + 1] : []),
      ];
      rows[row]?.push(Math.min(...distances));
    }
  }
  return at(left.length, right.length);
}
