import { firstChars } from '../../common/well-formed.ts';
/** The words of a message that memories are searched and ranked by. */
export interface RecallQuery {
  /** Distinct stems of the words that carry meaning, in order of appearance. */
  readonly stems: readonly string[];
  /** The words and their simple variants as a Lucene query; any of them may match. */
  readonly words: string;
  /** Whether the message has words in a script without spaces. */
  readonly isCjk: boolean;
}

/** Limits the clauses of the Lucene query. */
const WORDS_MAX = 48;
/** Of a longer message, the start and the end are read: a request mostly stands in one of them. */
const CHARS_PER_END = 4_000;
/** The words of the last characters come first: a question mostly ends the message. */
const LAST_CHARS = 200;
/** The longest word that is searched; longer runs are data, such as base64. */
const WORD_CHARS_MAX = 40;

const WORD = /[\p{L}\p{N}]+/gu;
const CJK_RUN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/gu;

/** Words of grammar and courtesy; a message of these alone calls for nothing. */
const STOP_WORDS = new Set(
  `a about after again all also am an and any are aren as at be because been before being but by can
  could couldn d did didn do does doesn doing don down during each else ever few for from further get
  give go goes going got had has hasn have haven having he her here hers him his how i if in into is isn
  it its itself just let like ll m make many may me might mine more most much must my myself no nor not
  now of off on once only or other our ours out over own please re really s same say shall she should
  shouldn so some still such t take tell than that the their theirs them then there these they this
  those through to too under until up us ve very want was wasn we were weren what when where which while
  who whom whose why will with won would wouldn you your yours yourself
  something anything nothing everything someone anyone everyone
  bye cheers cool fine good great hello hey hi nice ok okay right sorry sounds sure thank thanks well
  yeah yep yes morning evening afternoon welcome`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words of questions: they name what is asked for and say little about its subject. */
const GENERIC_STEMS = new Set(
  'name call know remember think thing kind sort time lot said ask talk mean use'
    .split(' ')
    .map(stemOf),
);
const GENERIC_WEIGHT = 0.35;

/** The weight of a stem in a query, before its rarity. */
export function weightOf(stem: string): number {
  return GENERIC_STEMS.has(stem) ? GENERIC_WEIGHT : 1;
}

/** @returns null where the message has no word to search for */
export function recallQueryOf(message: string): RecallQuery | null {
  const text = endsOf(message);
  const words = contentWords(text).slice(0, WORDS_MAX);
  if (words.length === 0) return null;
  const variants = [...new Set(words.flatMap(variantsOf))];
  return {
    stems: [...new Set(words.map(stemOf))],
    // Words are letters and digits in lower case, so none is an operator of Lucene's.
    words: variants.join(' '),
    isCjk: words.some(isCjkWord),
  };
}

function endsOf(message: string): string {
  if (message.length <= LAST_CHARS) return message;
  const ends = [-LAST_CHARS, -CHARS_PER_END].map((from) => message.slice(from));
  // The first word of an end is mostly half a word.
  const [last, end] = ends.map((text) => text.replace(/^[^\s]+\s/, ''));
  return `${last} ${firstChars(message, CHARS_PER_END)} ${end}`;
}

function contentWords(text: string): string[] {
  const words = wordsOf(text).filter(
    (word) => !STOP_WORDS.has(word) && (word.length > 1 || /\p{N}/u.test(word)),
  );
  return [...new Set(words)];
}

/** Words in lower case; runs of Chinese, Japanese and Korean signs as pairs. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  const words = plain.match(WORD) ?? [];
  return words
    .flatMap((word) => {
      const runs = word.match(CJK_RUN);
      return runs === null ? [word] : [...runs.flatMap(pairsOf), ...word.split(CJK_RUN)];
    })
    .filter((word) => word !== '' && word.length <= WORD_CHARS_MAX);
}

function pairsOf(run: string): string[] {
  if (run.length === 1) return [run];
  return Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));
}

function isCjkWord(word: string): boolean {
  return /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(word);
}

/** The stems of a text that carry meaning. */
export function contentStems(text: string): Set<string> {
  return new Set(contentWords(text).map(stemOf));
}

/**
 * A light stem: names, named and naming have one stem. The full-text index of Episodes stems by
 * itself; texts of facts and entities are compared by these.
 */
export function stemOf(word: string): string {
  if (isCjkWord(word) || word.length < 4) return word;
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^su])s$/, '$1');
  const plain =
    singular.length < 6 ? singular.replace(/^(.{3,})ed$/, '$1') : singular.replace(/(ing|ed)$/, '');
  return plain.length > 3 ? plain.replace(/e$/, '') : plain;
}

/** The index of facts does not stem, so the plain singular and plural are searched, too. */
function variantsOf(word: string): string[] {
  if (isCjkWord(word) || word.length < 3 || /\p{N}/u.test(word)) return [word];
  const other = /[^s]s$/.test(word) ? word.slice(0, -1) : `${word}s`;
  return [word, other];
}
