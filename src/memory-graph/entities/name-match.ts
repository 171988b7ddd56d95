import { hasJoinedWords, partsOfJoined } from '../../text/scripts.ts';
import { wholeWordsAt } from '../../text/whole-words.ts';

// Graphiti's rules for equal names (docs/decisions/0021), reimplemented so that both agree.

/** The name as compared: lower case, white space as one space. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** The sentence of a fact as compared: a model may write its relation as WORKS_AT. */
export function sentenceKey(sentence: string): string {
  return nameKey(sentence.replaceAll('_', ' '));
}

/** Latin letters, digits and apostrophes only. '' for other scripts, which are compared exactly. */
export function fuzzyName(name: string): string {
  return nameKey(name)
    .replace(/[^a-z0-9' ]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Shannon entropy of its letters, in bits. */
export function nameEntropy(fuzzy: string): number {
  const letters = [...fuzzy.replaceAll(' ', '')];
  const counts = new Map<string, number>();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) {
    const share = count / letters.length;
    entropy -= share * Math.log2(share);
  }
  return entropy;
}

/** Whether a name is distinctive enough to be compared by letters; `NYC` and `Al` are not. */
export function isDistinctive(fuzzy: string): boolean {
  const isLong = fuzzy.length >= 6 || fuzzy.split(' ').length >= 2;
  return isLong && nameEntropy(fuzzy) >= 1.5;
}

/** Every three letters in a row, spaces left out. */
export function shinglesOf(fuzzy: string): ReadonlySet<string> {
  const text = fuzzy.replaceAll(' ', '');
  if (text.length < 2) return new Set(text === '' ? [] : [text]);
  return new Set(
    Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3)),
  );
}

/** Size of the intersection divided by that of the union; 0 where both are empty. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((one) => b.has(one)).length;
  const either = a.size + b.size - both;
  return either === 0 ? 0 : both / either;
}

export const NEAR_NAMES_FROM = 0.9;

/** Whether two different names are one but for a letter or so. */
export function isNearName(a: string, b: string): boolean {
  const [left, right] = [fuzzyName(a), fuzzyName(b)];
  if (!isDistinctive(left) || !isDistinctive(right)) return false;
  return jaccard(shinglesOf(left), shinglesOf(right)) >= NEAR_NAMES_FROM;
}

/**
 * Whether two names of similar entities may name one thing. Vectors compare topics, and those of
 * `Marie Curie` and `Pierre Curie` are similar. One name has to contain the other, or be its
 * initials.
 */
export function mayBeOneName(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const [few, many] = left.size <= right.size ? [left, right] : [right, left];
  if (few.size === 0) return false;
  return (
    [...few].every((word) => many.has(word)) ||
    initials(many) === [...few].join('') ||
    initials(few) === [...many].join('')
  );
}

const wordsOf = (name: string): Set<string> =>
  new Set(nameKey(name).match(/[\p{L}\p{N}']+/gu) ?? []);

const initials = (words: ReadonlySet<string>): string =>
  words.size < 2 ? '' : [...words].map((word) => word.charAt(0)).join('');

/**
 * Whether a text contains the name as whole words. Case matters one way: a letter that the name has
 * large must be large in the text, so "a great addition" does not mention Great.
 */
export function isNamedIn(text: string, name: string): boolean {
  const spaced = (value: string) => value.replace(/\s+/g, ' ').trim();
  const [wanted, given] = [spaced(name), spaced(text)];
  const [key, within] = [lowered(wanted), lowered(given)];
  if (key.length < 2) return false;
  const isAsLarge = (at: number) =>
    Array.from({ length: key.length }, (_, index) => [wanted[index], given[at + index]]).every(
      ([own = '', there]) => own === there || own === lowered(own),
    );
  for (const at of wholeWordsAt(within, key)) if (isAsLarge(at)) return true;
  return false;
}

/** Lower case, letter by letter, so that both texts keep their lengths. */
const lowered = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => {
    const [letter, lower] = [text.charAt(at), text.charAt(at).toLowerCase()];
    return lower.length === 1 ? lower : letter;
  }).join('');

const OPENINGS_MAX = 4_000;
const EDGE_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/**
 * The ways in which a name that a text mentions can begin, as names are compared. A name of
 * `starts` may go on without a space, as in Japanese; one of `words` has that first word.
 */
export function openingsIn(text: string): { readonly words: string[]; readonly starts: string[] } {
  const words = new Set<string>();
  const starts = new Set<string>();
  for (const token of nameKey(text).split(' ')) {
    const bare = token.replace(EDGE_SIGNS, '');
    // "Dr." and "C++" keep their signs; `billing-api's` and "(Ada)" lose them.
    for (const word of [
      token,
      bare,
      token.replace(/[,.;:!?"')\]}]+$/, ''),
      bare.replace(/['’]s$/, ''),
    ])
      if (word !== '') words.add(word);
    for (const part of bare.split(/[^\p{L}\p{N}]+/u))
      if (!hasJoinedWords(part)) words.add(part);
      else for (const pair of partsOfJoined(part)) starts.add(pair);
  }
  words.delete('');
  return {
    words: [...words].slice(0, OPENINGS_MAX),
    starts: [...starts].slice(0, OPENINGS_MAX),
  };
}
