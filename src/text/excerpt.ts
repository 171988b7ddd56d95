import { firstChars, lastChars } from '../common/well-formed.ts';
import { sentencesOf } from './sentences.ts';
import { stemsIn } from './words.ts';

/**
 * The sentences of a text that have the most of the wanted stems, in the text's order, at most
 * `charsMax` characters. `…` marks a part that is left out.
 */
export function excerptOf(text: string, stems: Iterable<string>, charsMax: number): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= charsMax) return plain;
  const wanted = new Set(stems);
  const sentences = sentencesOf(plain, Number.POSITIVE_INFINITY);
  const scores = sentences.map(
    (one) => [...stemsIn(one)].filter((stem) => wanted.has(stem)).length,
  );
  const best = scores.indexOf(Math.max(...scores));
  let [from, to] = [best, best];
  let length = sentences[best]?.length ?? 0;
  // The sentence after the best one mostly continues it, so it comes before the one above.
  for (;;) {
    const next = sentences[to + 1];
    const above = sentences[from - 1];
    if (next !== undefined && length + next.length < charsMax) {
      to++;
      length += next.length + 1;
    } else if (above !== undefined && length + above.length < charsMax) {
      from--;
      length += above.length + 1;
    } else break;
  }
  const body = sentences.slice(from, to + 1).join(' ');
  const part = body.length <= charsMax ? body : aroundFirst(body, wanted, charsMax);
  return `${from > 0 ? '… ' : ''}${part}${to < sentences.length - 1 ? ' …' : ''}`;
}

/** A part of an endless sentence around the first of the wanted stems. */
function aroundFirst(sentence: string, wanted: ReadonlySet<string>, charsMax: number): string {
  const words = sentence.split(' ');
  const first = words.findIndex((word) => [...stemsIn(word)].some((stem) => wanted.has(stem)));
  const start = words.slice(0, Math.max(0, first - 8)).join(' ').length;
  const rest = lastChars(sentence, sentence.length - start);
  const part = firstChars(rest, charsMax);
  return `${start > 0 ? '… ' : ''}${part.trim()}${part.length < rest.length ? ' …' : ''}`;
}
