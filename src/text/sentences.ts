import { firstChars } from '../common/well-formed.ts';

// Shared: creating a segmenter takes longer than segmenting a text.
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
const SENTENCE_CHARS_MAX = 500;

/** Splits a text of any language into sentences, each cut to `charsMax` characters. */
export function sentencesOf(text: string, charsMax: number = SENTENCE_CHARS_MAX): string[] {
  return text
    .split('\n')
    .flatMap((line) => [...SENTENCES.segment(line)].map(({ segment }) => segment.trim()))
    .filter((sentence) => sentence !== '')
    .map((sentence) => firstChars(sentence, charsMax));
}
