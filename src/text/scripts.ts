// Scripts that write no space between words. Full text has pairs of signs of the first ones, and
// all that stands between two spaces as one word of the others.
const PAIRED = ['Han', 'Hiragana', 'Katakana'];
const UNBROKEN = ['Thai', 'Lao', 'Khmer', 'Myanmar'];

// `scx` also has the signs that scripts share, such as the long vowel of Katakana.
const signsOf = (scripts: readonly string[]) =>
  `(?:(?![\\p{P}\\p{S}])[${scripts.map((script) => `\\p{scx=${script}}`).join('')}])`;

/** A sign of a script without spaces between words. */
export const UNSPACED = new RegExp(signsOf([...PAIRED, ...UNBROKEN]), 'u');

/** The same scripts as part of a character class of Java. */
export const UNSPACED_OF_JAVA = [...PAIRED, ...UNBROKEN]
  .map((script) => `\\p{Is${script}}`)
  .join('');

// Korean writes spaces, but joins particles to its words.
const CJK = new RegExp(signsOf([...PAIRED, 'Hangul']), 'u');
const JOINED = new RegExp(`(${signsOf([...PAIRED, ...UNBROKEN, 'Hangul'])}+)`, 'u');
const RUNS = new RegExp(`${signsOf(UNBROKEN)}+`, 'gu');
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** Whether a text has signs of Chinese, Japanese or Korean. */
export function hasCjk(text: string): boolean {
  return CJK.test(text);
}

/** Whether a text has words without a border in writing. */
export function hasJoinedWords(text: string): boolean {
  return JOINED.test(text);
}

/** The parts of a word: pairs of characters where the script joins words, the rest as it is. */
export function partsOfJoined(word: string): string[] {
  return word
    .split(JOINED)
    .flatMap((part, at) => (at % 2 === 1 ? pairsOf(part) : part === '' ? [] : [part]));
}

function pairsOf(run: string): string[] {
  const signs = [...run];
  return signs.length === 1 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
}

/** Words of a text in scripts whose words only a dictionary can part, such as Thai. */
export function unbrokenWordsIn(text: string): string[] {
  return (text.match(RUNS) ?? []).flatMap((run) =>
    [...WORDS.segment(run)].map(({ segment }) => segment).filter((word) => word.length > 1),
  );
}
