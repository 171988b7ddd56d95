import { holdsExcerpt } from '../grips/grip.ts';

/** A source text of a summary, and its place. */
export interface Evidence<Place> {
  readonly text: string;
  readonly place: Place;
}

/** A line of a summary with the excerpt that proves it and the place of the excerpt. */
export interface ProvenLine<Place> {
  readonly text: string;
  readonly excerpt: string;
  readonly place: Place;
}

const LINE_CHARS_MAX = 500;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu;

/** Splits a model's answer into sentences, without bullets, numbers and speaker names. */
export function linesOf(answer: string): string[] {
  return answer
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .flatMap(sentencesOf)
    .map((line) => line.replace(SPEAKER, ''))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}
const SPEAKER = /^(?:User|Assistant|System|Tool): /;

// Shared: creating a segmenter takes longer than segmenting a text.
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Splits a text of any language into sentences, each cut to 500 characters. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => [...SENTENCES.segment(line)].map(({ segment }) => segment.trim()))
    .filter((sentence) => sentence !== '')
    .map((sentence) => cut(sentence, LINE_CHARS_MAX));
}

/** Cuts a text to `chars` UTF-16 units, without half a surrogate pair at the end. */
export function cut(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * Finds an excerpt for each line: the line itself if a text contains it, else the most similar
 * sentence. Lines without an excerpt and repeated lines are left out.
 */
export function proveLines<Place>(
  lines: readonly string[],
  evidence: readonly Evidence<Place>[],
): ProvenLine<Place>[] {
  const proven = new Map<string, ProvenLine<Place>>();
  let sentences: { text: string; words: ReadonlySet<string>; place: Place }[] | null = null;
  for (const line of lines) {
    if (proven.has(line)) continue;
    const verbatim = evidence.find(({ text }) => holdsExcerpt(line, [text]));
    if (verbatim !== undefined) {
      proven.set(line, { text: line, excerpt: line, place: verbatim.place });
      continue;
    }
    sentences ??= evidence.flatMap(({ text, place }) =>
      sentencesOf(text).map((one) => ({ text: one, words: wordsOf(one), place })),
    );
    const wanted = wordsOf(line);
    let best = { score: 0, text: '', place: null as Place | null };
    for (const { text, words, place } of sentences) {
      const shared = [...wanted].filter((word) => words.has(word)).length;
      const score = shared / Math.sqrt(Math.max(1, wanted.size * words.size));
      if (score > best.score) best = { score, text, place };
    }
    if (best.score >= LIKENESS_MIN && best.place !== null)
      proven.set(line, { text: line, excerpt: best.text, place: best.place });
  }
  return [...proven.values()];
}
// Cosine similarity of the words. Below it, line and sentence are about different things.
const LIKENESS_MIN = 0.2;

/** Takes the first sentences of source texts as lines, for use when no summary could be made. */
export function quoteEvidence<Place>(
  evidence: readonly Evidence<Place>[],
  count: number,
): ProvenLine<Place>[] {
  const lines = evidence.flatMap(({ text, place }) => {
    const first = sentencesOf(text)[0];
    return first === undefined ? [] : [{ text: first, excerpt: first, place }];
  });
  const different = [...new Map(lines.map((line) => [line.text, line])).values()];
  // Take the first sentence, because it names the subject, and spread the rest evenly.
  return different.length <= count
    ? different
    : Array.from({ length: count }, (_, index) => {
        const at = Math.floor((index * different.length) / count);
        return different[at] as ProvenLine<Place>;
      });
}

/** The most frequent words without common ones; equally frequent ones sort by the alphabet. */
export function keywordsOf(texts: readonly string[], count: number): string[] {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([a, times], [b, otherTimes]) => otherTimes - times || (a < b ? -1 : 1))
    .slice(0, count)
    .map(([word]) => word);
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(WORD) ?? [];
  return new Set(
    words.filter((word) => word.length > 2 && !COMMON.has(word) && !/^\d+$/.test(word)),
  );
}

const COMMON: ReadonlySet<string> = new Set(
  `about after again all also and any are because been before being but can could did does doing done don't down
  each few for from further get got had has have having here here's how i'm into isn't it's its just let like
  make me more most much must need not now off once one only other our out over own please same she should some
  such than that that's the their them then there these they they're this those through too under until use used
  very want was way we're well were what what's when where which while who whom why will with would yes you
  you're your thanks thank welcome`
    .split(/\s+/)
    .filter(Boolean),
);
