import { firstChars, lastChars } from '../../common/well-formed.ts';
/** The largest piece of an Episode, about 1,500 tokens. Longer Episodes are cut (S4-EPI-04). */
export const CHUNK_CHARS = 6_000;
/** Characters that a window takes from each neighbouring turn. */
const BESIDE_CHARS = 2_000;

/** Where a piece may end, best first: a paragraph, a line, a sentence, a word. */
const ENDS = ['\n\n', '\n', '. ', ' '];

/** Cuts a text into pieces of at most `charsMax` characters; joined, they are the text. */
export function chunksOf(text: string, charsMax = CHUNK_CHARS): string[] {
  const chunks: string[] = [];
  let from = 0;
  while (text.length - from > charsMax) {
    const to = cutAt(text, from, charsMax);
    chunks.push(text.slice(from, to));
    from = to;
  }
  chunks.push(text.slice(from));
  return chunks;
}

/**
 * The best end in the second half of the next piece, else its full length. Cuts no surrogate pair.
 */
function cutAt(text: string, from: number, charsMax: number): number {
  const last = from + charsMax;
  for (const end of ENDS) {
    const at = text.lastIndexOf(end, last - end.length);
    if (at >= from + charsMax / 2) return at + end.length;
  }
  return from + firstChars(text.slice(from, last + 1), charsMax).length;
}

export interface Surroundings {
  /** Text of the turn before; null at the start. */
  readonly before: string | null;
  /** Text of the turn after; null at the end. */
  readonly after: string | null;
}

/**
 * The text that full-text search indexes, per piece: the piece with the text before and after it.
 * The words of a query are often in the question, while the answer is in the next turn.
 */
export function windowsOf(content: string, { before, after }: Surroundings): string[] {
  const chunks = chunksOf(content);
  return chunks.map((chunk, index) =>
    [
      index === 0 ? lastChars(before ?? '', BESIDE_CHARS) : lastChars(chunks[index - 1] ?? '', 500),
      chunk,
      index === chunks.length - 1
        ? firstChars(after ?? '', BESIDE_CHARS)
        : firstChars(chunks[index + 1] ?? '', 500),
    ]
      .filter((part) => part !== '')
      .join('\n'),
  );
}

/**
 * Limits of a stretch: Episodes of one sitting, indexed together, because the topic of an Episode
 * is often named some turns away (docs/decisions/0004). Measured with 8 to 40 Episodes; 16 to 40
 * give the same results.
 */
export const STRETCH = {
  episodesMax: 24,
  charsMax: 12_000,
  charsPerEpisode: 2_000,
  gapMinutes: 30,
} as const;
