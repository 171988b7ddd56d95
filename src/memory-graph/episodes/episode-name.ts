import { firstChars } from '../../common/well-formed.ts';
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
  const sentences = sentencesOf(plain(firstChars(content, TEXT_CHARS_MAX)));
  const telling = sentences.find((one) => contentWords(one) >= CONTENT_WORDS_MIN);
  const chosen = telling ?? sentences.reduce((a, b) => (b.length > a.length ? b : a), '');
  return chosen === '' ? 'No text' : shortened(chosen);
}

/** The text without Markdown marks, with single spaces in each line. */
function plain(text: string): string {
  return text
    .replace(/```[^\n]*\n?/g, '\n')
    .replace(/!?\[([^\]]{0,200})\]\([^)]{0,500}\)/g, '$1')
    .replace(/^[ \t]{0,8}(?:#{1,6}|[-*+>]|\d{1,3}[.)])[ \t]+/gm, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/[^\S\n]+/g, ' ');
}

function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?…])[ ]+|(?<=[。！？])/u)
    .map((one) => one.trim())
    .filter((one) => /[\p{L}\p{N}]/u.test(one))
    .slice(0, SENTENCES_MAX);
}

/** Words of four letters or more, and numbers; of scripts without spaces, every three letters. */
function contentWords(sentence: string): number {
  const words = sentence.match(/\p{L}[\p{L}\p{M}'’-]{3,}|\p{N}+/gu) ?? [];
  const ideographs = sentence.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu) ?? [];
  return new Set(words.map((word) => word.toLowerCase())).size + Math.floor(ideographs.length / 3);
}

/** Cut after a word, where there is one in the second half. Cuts no character in two. */
function shortened(text: string): string {
  if (text.length <= EPISODE_NAME_CHARS_MAX) return text;
  const room = EPISODE_NAME_CHARS_MAX - 1;
  const space = text.lastIndexOf(' ', room);
  const unit = text.charCodeAt(room - 1);
  const hard = unit >= 0xd800 && unit <= 0xdbff ? room - 1 : room;
  const head = text.slice(0, space >= room / 2 ? space : hard);
  return `${head.replace(/[\s,;:–-]+$/u, '')}…`;
}
