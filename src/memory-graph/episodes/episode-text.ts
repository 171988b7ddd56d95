/** Beyond this an Episode is cut into pieces that are linked with it (S4-EPI-04). In characters: some 1,500 tokens. */
export const CHUNK_CHARS = 6_000;
/** What a window takes of the turns beside its own. */
const BESIDE_CHARS = 2_000;

/** Where a piece may end, best first: a paragraph, a line, a sentence, a word. */
const ENDS = ['\n\n', '\n', '. ', ' '];

/** A text in pieces of at most so many characters that make it up when put together; a short one is a piece of its own. */
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

/** The last good end in the second half of the next piece, else its full length, never between the halves of one sign. */
function cutAt(text: string, from: number, charsMax: number): number {
  const last = from + charsMax;
  for (const end of ENDS) {
    const at = text.lastIndexOf(end, last - end.length);
    if (at >= from + charsMax / 2) return at + end.length;
  }
  const unit = text.charCodeAt(last - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? last - 1 : last;
}

export interface Surroundings {
  /** What it answers, and what answers it; null at the ends. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * What full text is searched in, per piece: the piece with what was said right before and after it. What somebody asks for
 * is often named in the question and only answered in the turn itself.
 */
export function windowsOf(content: string, { before, after }: Surroundings): string[] {
  const chunks = chunksOf(content);
  return chunks.map((chunk, index) =>
    [
      index === 0 ? (before ?? '').slice(-BESIDE_CHARS) : (chunks[index - 1] ?? '').slice(-500),
      chunk,
      index === chunks.length - 1
        ? (after ?? '').slice(0, BESIDE_CHARS)
        : (chunks[index + 1] ?? '').slice(0, 500),
    ]
      .filter((part) => part !== '')
      .join('\n'),
  );
}

/**
 * What was said in one go is one stretch, as long as a session of people's is: what an Episode is about is often said some turns away
 * from it (docs/decisions/0004). Measured at 8 to 40 Episodes; 16 to 40 find the same.
 */
export const STRETCH = {
  episodesMax: 24,
  charsMax: 12_000,
  charsPerEpisode: 2_000,
  gapMinutes: 30,
} as const;
