import { firstChars } from '../../common/well-formed.ts';
import { contentWords } from '../../text/content-words.ts';
import { sentencesOf } from '../../text/sentences.ts';

/** The most characters of an Episode's name. */
export const EPISODE_NAME_CHARS_MAX = 80;
/** Sentences of a text that are compared. */
const SENTENCES_MAX = 12;
const TEXT_CHARS_MAX = 4_000;
/** A sentence with fewer words of content is a greeting or an interjection. */
const CONTENT_WORDS_MIN = 3;

/**
 * A very brief summary of a turn: its first sentence with content, without markup, at most 80
 * characters. A text without such a sentence gives its longest one.
 */
export function briefOf(content: string): string {
  const sentences = sentencesOf(plain(firstChars(content, TEXT_CHARS_MAX)))
    .filter((one) => /[\p{L}\p{N}]/u.test(one))
    .slice(0, SENTENCES_MAX);
  const telling = sentences.find((one) => contentWords(one).length >= CONTENT_WORDS_MIN);
  const chosen = telling ?? sentences.reduce((a, b) => (b.length > a.length ? b : a), '');
  return chosen === '' ? 'No text' : shortened(chosen);
}

/** The text without Markdown marks, with single spaces in each line. */
const plain = (text: string): string =>
  text
    .replace(/```[^\n]*\n?/g, '\n')
    .replace(/!?\[([^\]]{0,200})\]\([^)]{0,500}\)/g, '$1')
    .replace(/^[ \t]{0,8}(?:#{1,6}|[-*+>]|\d{1,3}[.)])[ \t]+/gm, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/[^\S\n]+/g, ' ');

/** Cut after a word, where there is one in the second half. Cuts no character in two. */
function shortened(text: string): string {
  if (text.length <= EPISODE_NAME_CHARS_MAX) return text;
  const room = EPISODE_NAME_CHARS_MAX - 1;
  const space = text.lastIndexOf(' ', room);
  const head = firstChars(text, space >= room / 2 ? space : room);
  return `${head.replace(/[\s,;:–-]+$/u, '')}…`;
}
