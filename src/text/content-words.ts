import { withoutMarks } from './marks.ts';
import { UNSPACED } from './scripts.ts';
import { stemOf } from './stem.ts';
import { EMPTY_WORDS, NUMBER_WORDS } from './word-lists.ts';
import { baseOf } from './words.ts';

/** A word of a text that carries content. */
export interface Word {
  /** As written. */
  readonly text: string;
  /** Lower case, without diacritics, possessive and contraction; digits for a number. */
  readonly key: string;
  /** Form that inflected forms share. */
  readonly stem: string;
  /**
   * `opening`: capitalised because it begins a sentence, so it may be a name or not.
   * Scripts without capitals have no names.
   */
  readonly kind: 'number' | 'name' | 'opening' | 'plain';
  /** The word after it as written, stop words included; empty at the end. */
  readonly next: string;
}

// Shared: creating a segmenter takes longer than segmenting a text.
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });
const SENTENCE_END = /[.!?:;"“”«»„(\n。！？]/u;
const NUMBER = /^\d[\d.,]*$/;
const NUMBER_WITH_UNIT = /^(\d[\d.,]*)(\p{L}+)$/u;

/** The content words of a text: names, numbers and words that are no stop words. */
export function contentWords(text: string): Word[] {
  return [...readContentWords(text)];
}

/** Reads the content words one by one: a question that the first words answer reads no others. */
export function* readContentWords(text: string): Generator<Word> {
  let tens = 0;
  let held: Word | null = null;
  for (const [part, after] of withNext(partsOf(text))) {
    const key = keyOf(part.text);
    const value = NUMBER_WORDS.get(key) ?? null;
    const isUnit = tens > 0 && value !== null && value > 0 && value < 10;
    // "twenty-five" is one number.
    if (held !== null && !isUnit) yield held;
    held = null;
    const number = isUnit ? tens + (value ?? 0) : value;
    tens = value !== null && value >= 20 && value < 100 ? value : 0;
    // "one" is mostly a pronoun.
    const read = wordOf(part, key, number === 1 ? null : number);
    if (read === null) continue;
    const word = { ...read, next: after?.text ?? '' };
    if (tens > 0) held = word;
    else yield word;
  }
  if (held !== null) yield held;
}

/** Each item with the one after it. */
function* withNext<Item extends object>(
  items: Iterable<Item>,
): Generator<readonly [Item, Item | null]> {
  let before: Item | null = null;
  for (const item of items) {
    if (before !== null) yield [before, item];
    before = item;
  }
  if (before !== null) yield [before, null];
}

interface Part {
  readonly text: string;
  /** Whether a sentence begins with it. */
  readonly opens: boolean;
}

/** Splits a text into words. `10am` is a number and a word; `snake_case` is two words. */
function* partsOf(text: string): Generator<Part> {
  let opens = true;
  for (const { segment, isWordLike } of WORDS.segment(text.normalize('NFKC'))) {
    if (isWordLike !== true) {
      if (SENTENCE_END.test(segment)) opens = true;
      continue;
    }
    const [, digits, unit] = NUMBER_WITH_UNIT.exec(segment) ?? [];
    const split = digits !== undefined && unit !== undefined ? [digits, unit] : segment.split('_');
    for (const one of split) {
      if (one !== '') yield { text: one, opens };
      opens = false;
    }
  }
}

function wordOf(
  { text, opens }: Part,
  key: string,
  number: number | null,
): Omit<Word, 'next'> | null {
  if (number !== null || NUMBER.test(text)) {
    const digits = number === null ? digitsOf(text) : String(number);
    return { text, key: digits, stem: digits, kind: 'number' };
  }
  if (EMPTY_WORDS.has(key) || key === '') return null;
  // A single letter is a list mark or an article, except where a letter is a word.
  if (key.length === 1 && !UNSPACED.test(key) && !/\p{Lu}/u.test(text)) return null;
  if (/^\p{Script=Hiragana}{1,2}$/u.test(key)) return null;
  const isMixed = /\p{Lu}/u.test(text.slice(1)) || /\d/.test(text);
  const isCapital = /^\p{Lu}/u.test(text);
  const kind = isMixed || (isCapital && !opens) ? 'name' : isCapital ? 'opening' : 'plain';
  return { text, key, stem: stemOf(key), kind };
}

const keyOf = (text: string): string =>
  withoutMarks(baseOf(text.toLowerCase().replace(/[’ʼ]/g, "'")));

/** `1,200` and `1200` are one number, `09` and `9` too. */
function digitsOf(text: string): string {
  const plain = /^\d{1,3}(?:[,.]\d{3})+$/.test(text) ? text.replace(/[,.]/g, '') : text;
  return plain
    .replace(/[.,]+$/, '')
    .replace(/^0+(?=\d)/, '')
    .replace(',', '.');
}

/** Words of texts, for many questions whether a word is among them. */
export interface WordIndex {
  has(word: Word): boolean;
}

/** Indexes a text with its words, when it is first asked: a quotation is found without them. */
export function indexWords(text: string): WordIndex {
  let made: ReturnType<typeof indexOf> | null = null;
  return {
    has(word) {
      made ??= indexOf(text);
      const { keys, stems, byPrefix, squeezed } = made;
      if (keys.has(word.key)) return true;
      if (word.kind === 'number') return false;
      // Scripts without spaces are segmented by context, so the same word may be cut otherwise.
      if (UNSPACED.test(word.key)) return squeezed.includes(word.text.toLowerCase());
      const alike = byPrefix.get(word.key.slice(0, PREFIX_MIN)) ?? [];
      if (word.kind === 'name') return alike.some(({ key }) => isSameName(key, word.key));
      return stems.has(word.stem) || alike.some(({ key }) => isSameWord(key, word.key));
    },
  };
}

function indexOf(text: string) {
  const words = contentWords(text);
  return {
    keys: new Set(words.map(({ key }) => key)),
    stems: new Set(words.map(({ stem }) => stem)),
    byPrefix: Map.groupBy(words, ({ key }) => key.slice(0, PREFIX_MIN)),
    squeezed: text.normalize('NFKC').replace(/\s+/g, '').toLowerCase(),
  };
}

const PREFIX_MIN = 4;

/** Whether two words differ by their endings only. */
function isSameWord(one: string, other: string): boolean {
  const longer = Math.max(one.length, other.length);
  return commonPrefix(one, other) >= Math.max(PREFIX_MIN, Math.ceil(longer * 0.65));
}

// Endings of case, plural and possession. A vowel alone often makes another name: Martin, Martina.
const NAME_ENDINGS = /^(?:s|es|n|en|e|er|ern)$/;

function isSameName(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  if (longer.startsWith(shorter)) return NAME_ENDINGS.test(longer.slice(shorter.length));
  const shared = commonPrefix(one, other);
  return shared >= 5 && longer.length - shared <= 3 && shorter.length - shared <= 2;
}

function commonPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
