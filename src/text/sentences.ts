import { firstChars } from '../common/well-formed.ts';
import { goesOn } from './abbreviations.ts';

// Shared: creating a segmenter takes longer than segmenting a text.
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
const SENTENCE_CHARS_MAX = 500;

/** Splits a text of any language into sentences, each cut to `charsMax` characters. */
export function sentencesOf(text: string, charsMax: number = SENTENCE_CHARS_MAX): string[] {
  return text
    .split('\n')
    .flatMap((line) => joined([...SENTENCES.segment(line)].map(({ segment }) => segment)))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => firstChars(sentence, charsMax));
}

/** The parts of a line, without an end after "Dr." or "am 12." */
function joined(parts: readonly string[]): string[] {
  const sentences: string[] = [];
  for (const part of parts) {
    const before = sentences.at(-1);
    if (before !== undefined && goesOn(before, part.trimStart()))
      sentences[sentences.length - 1] = before + part;
    else sentences.push(part);
  }
  return sentences;
}
