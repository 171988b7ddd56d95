import { entryOf } from '../../common/entry-of.ts';
import { withoutMarks } from '../../text/marks.ts';
import { EMPTY_WORDS, NUMBER_WORDS } from '../../text/word-lists.ts';
import { DEFAULT_SCALE, type MeaningScale } from '../embeddings/meaning-scale.ts';

// Whether the later of two statements takes the place of the earlier: "I live in Faro", "I live in
// Rome now". The frame is the part that both share, the value the one place where they differ. An
// embedding model compares the values, the frames and the words of change, in whatever language it
// reads (docs/decisions/0131).

/** Two statements of one speaker. */
export interface Pair {
  readonly earlier: string;
  readonly later: string;
}

const parted = (list: string): readonly string[] => list.trim().split(/\s*\/\s*/);

/** Words of change. A model puts the words of other languages beside them. */
const CHANGES = parted(`
  now / nowadays / again / new / moved / changed / switched / replaced / postponed / raised /
  lowered / quit / stopped / sold / cancelled / meanwhile / lately / started / renamed / instead /
  already
`);
const SINCE = parted(`
  since June / since yesterday / since last week / from today on / these days / no longer /
  not any more / gave up
`);
/** Phrases like those above that say no change. */
const NOT_SINCE = parted(`
  in June / on Monday / last week / with Tom / to Rome / at the shop / from Spain / for school /
  of wood / the house / a day / every day / not today
`);
/** Small words, of which "since" is told by being nearest to it. */
const SINCE_WORD = 'since';
const SMALL = parted(`
  on / to / in / of / from / with / for / at / the / a / my / by / and / is / as
`);
const MORE = parted('also / too / additionally / another / besides');

/** Sentences of which one holds at a time. */
const ONE = parted(`
  I live in a small town. / My office is in Berlin. / I work for a bank. / My manager is Sarah. /
  Our accountant is Mr. Grey. / My name is Jonas. / I am thirty years old. /
  I weigh eighty kilos. / My subscription costs twelve euros. /
  The tickets cost ten dollars each. / The course starts at nine. / The shop closes on Sundays. /
  The party is on Saturday. / The deadline is the end of March. / The exam was moved to Tuesday. /
  Our server is called Atlas. / The key is under the mat. /
  The files are stored on the big disk. / The report is written by Tom. / Emma leads the team. /
  The limit is fifty requests. / The job runs every night. / The cache is kept for ten minutes. /
  The service is written in Java. / We use MySQL for the shop. / We deploy with Docker. /
  I go to work by train. / I study medicine. / My favourite film is Alien. /
  My birthday dinner is at the Italian place. / The team has eight members. /
  The club meets in the pub. / The walls are blue. / The heating runs on gas. /
  My car is insured with Allianz. / I am married. / I do not eat meat. / I take two pills a day. /
  My son is in first grade. / My daughter goes to kindergarten.
`);
/** Sentences of which many hold at once, and events. */
const MANY = parted(`
  I like music. / I love swimming. / I have a garden. / I own a boat. / I own a tent. /
  I speak French. / I bought a table. / I bought two books. / I visited Paris. /
  I went to Greece. / I was in Vienna last year. / I need a new jacket. / I need a chair. /
  I want to learn to dance. / I want to see Canada. / I am allergic to cats. /
  I can't drink milk. / I met an old friend. / I read a good book. / I saw a fox. /
  I had dinner with a friend. / I finished my homework. / I paid the bill. / I planted tomatoes. /
  I lost my wallet. / I broke my finger. / I cooked soup. / I have a brother. / I have a dog. /
  I play the piano. / I collect stamps. / I know Peter. / I am a father. / I am from Sweden. /
  I am a member of the choir. / The flat has a balcony. / The shop sells bread. /
  The company has a canteen. / My uncle keeps rabbits. / We talked about the plans.
`);
const ANCHORS = [
  ...CHANGES,
  ...SMALL,
  SINCE_WORD,
  ...SINCE,
  ...NOT_SINCE,
  ...MORE,
  ...ONE,
  ...MANY,
];

interface Token {
  readonly text: string;
  readonly key: string;
  readonly isNumber: boolean;
  /** A word of grammar. */
  readonly isEmpty: boolean;
}

const TOKEN = /[\p{L}\d](?:[\p{L}\p{M}\d._'’@-]*[\p{L}\p{M}\d])?/gu;

const tokensOf = (text: string): Token[] =>
  (text.normalize('NFKC').match(TOKEN) ?? []).map((word) => {
    const key = withoutMarks(word.toLowerCase());
    const isNumber = /\d/.test(word) || NUMBER_WORDS.has(key);
    return { text: word, key, isNumber, isEmpty: !isNumber && EMPTY_WORDS.has(key) };
  });

/** A place where two texts differ: the words of content that each has there. */
interface Gap {
  readonly earlier: readonly Token[];
  readonly later: readonly Token[];
}

/** Two statements that may be of one matter, and where they differ. */
export interface Compared extends Pair {
  /** The share of words of content that both have, in the text that has fewer. */
  readonly share: number;
  /** Number of words of content that one of the two has alone. */
  readonly rest: number;
  /** The place where both have words of their own; null: they differ in none. */
  readonly swap: Gap | null;
}

/** Exclamations and unfinished sentences seldom say how things are. */
const NOT_CALM = /[!…]/;

const NAMED_SUBJECT = /^(?!(?:The|This|That|My|Our|Work|School)\b)(\p{Lu}\p{Ll}+) \p{Ll}+s\b/u;

/**
 * Pronouns of others: "She lives in Lund" and "She lives in Kiel" may be of two persons. "Ella
 * lives" begins with a name.
 */
const OF_SOMEBODY =
  /^(?:he|she|they|er|sie|él|ella(?! \p{Ll}{3,}s\b)|ellos|ellas|hij|zij|elle|ils|elles|lui|lei)(?![\p{L}-])/iu;

/** "Anna teaches maths" is not over when I teach music. */
function isOfAnother(earlier: string, later: string): boolean {
  const [, name] = NAMED_SUBJECT.exec(earlier) ?? [];
  if (name === undefined || !/^I\b/.test(later)) return false;
  return !later.includes(name) && !/\b(?:i|we|my|our|me|us)\b/i.test(earlier);
}

/** "I need a new tutor": the one that I have stays. */
const WISH =
  /^(?:i|we) (?:need|want|would like|would love|am looking for|are looking for)\b|^(?:ich|wir) (?:brauchen?|suchen?|möchten?)(?!\p{L})|^(?:necesit|quier|busc)(?:o|amos|emos)(?!\p{L})/iu;

/** Compares two statements by their words; null where they are not of one matter. */
export function compared({ earlier, later }: Pair): Compared | null {
  if (NOT_CALM.test(earlier + later) || WISH.test(later)) return null;
  if (isOfAnother(earlier, later)) return null;
  // "They moved the fair" names what it changes.
  if (OF_SOMEBODY.test(earlier) || OF_SOMEBODY.test(later.replace(/^they\b/i, ''))) return null;
  const [one, other] = [tokensOf(earlier), tokensOf(later)];
  const lengths = commonLengths(one, other);
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  const [both, gaps]: [Token[], Gap[]] = [[], []];
  let gap: { earlier: Token[]; later: Token[] } = { earlier: [], later: [] };
  for (let [i, j] = [0, 0]; i < one.length || j < other.length; ) {
    const [a, b] = [one[i], other[j]];
    if (a !== undefined && b !== undefined && isSame(a, b)) {
      both.push(a);
      gaps.push(gap);
      gap = { earlier: [], later: [] };
      [i, j] = [i + 1, j + 1];
    } else if (a !== undefined && (b === undefined || at(i + 1, j) >= at(i, j + 1))) {
      gap.earlier.push(a);
      i++;
    } else if (b !== undefined) {
      gap.later.push(b);
      j++;
    }
  }
  const common = contentOf(both).length;
  const swaps = [...gaps, gap]
    .map((each) => ({ earlier: contentOf(each.earlier), later: contentOf(each.later) }))
    .filter((each) => each.earlier.length > 0 && each.later.length > 0);
  // With two values they say one thing of two subjects.
  if (common === 0 || swaps.length > 1) return null;
  const isOneAlone = one.length - both.length <= 1;
  if (!isOneAlone && haveOnlySubject(one, other, common)) return null;
  const fewer = Math.min(contentOf(one).length, contentOf(other).length);
  const rest = contentOf(one).length + contentOf(other).length - 2 * common;
  return { earlier, later, share: common / Math.max(1, fewer), rest, swap: swaps[0] ?? null };
}

/**
 * Whether two texts have nothing but a subject in common: "Our server runs Debian", "Our server
 * moved". A word of grammar that follows it in both ("is", "at") begins what is said of it.
 */
function haveOnlySubject(one: readonly Token[], other: readonly Token[], common: number): boolean {
  const differing = one.findIndex((word, at) => {
    const beside = other[at];
    return beside === undefined || !isSame(word, beside);
  });
  const start = one.slice(0, differing < 0 ? one.length : differing);
  if (start.length === 0 || contentOf(start).length < common) return false;
  const subject = start.findIndex(({ isEmpty }) => !isEmpty);
  return subject < 0 || !start.slice(subject).some(({ isEmpty }) => isEmpty);
}

const contentOf = (tokens: readonly Token[]) => tokens.filter(({ isEmpty }) => !isEmpty);

/** The most words that the ends of two texts have in common, by the places where these begin. */
function commonLengths(one: readonly Token[], other: readonly Token[]): number[][] {
  const lengths: number[][] = [...one, null].map(() => []);
  for (const i of [...one.keys()].toReversed())
    for (const j of [...other.keys()].toReversed()) {
      const [a, b] = [one[i], other[j]];
      const at = (down: number, right: number) => lengths[i + down]?.[j + right] ?? 0;
      const isBoth = a !== undefined && b !== undefined && isSame(a, b);
      (lengths[i] ?? [])[j] = isBoth ? at(1, 1) + 1 : Math.max(at(1, 0), at(0, 1));
    }
  return lengths;
}

const SHARED_START_MIN = 4;
const SHARED_START = 0.65;

/** Whether two words are forms of one: "médico", "médica". */
function isSame(a: Token, b: Token): boolean {
  if (a.key === b.key) return true;
  if (a.isNumber || b.isNumber) return false;
  let shared = 0;
  while (shared < a.key.length && a.key[shared] === b.key[shared]) shared++;
  const longer = Math.max(a.key.length, b.key.length);
  return shared >= Math.max(SHARED_START_MIN, Math.ceil(longer * SHARED_START));
}

const textOf = (words: readonly Token[]) => words.map(({ text }) => text).join(' ');
const hasNumber = (words: readonly Token[]) => words.some(({ isNumber }) => isNumber);

/** Words of which only the later one has a form, and pairs of words that begin with one. */
function wordsOfLater({ earlier, later }: Pair) {
  const before = tokensOf(earlier);
  const all = tokensOf(later);
  const fresh = all.flatMap((word, at) =>
    before.some((other) => isSame(word, other)) ? [] : [{ word, next: all[at + 1] }],
  );
  const lower = ({ text }: Token) => text.toLowerCase();
  return {
    words: fresh.map(({ word }) => lower(word)),
    phrases: fresh.flatMap(({ word, next }) =>
      next === undefined ? [] : [`${lower(word)} ${lower(next)}`],
    ),
  };
}

/** Texts whose vectors `replaces` needs. */
export function textsToEmbed(all: readonly Compared[]): string[] {
  const own = all.flatMap((pair) => {
    const { words, phrases } = wordsOfLater(pair);
    const values = pair.swap === null ? [] : [textOf(pair.swap.earlier), textOf(pair.swap.later)];
    return [pair.earlier, pair.later, ...words, ...phrases, ...values];
  });
  return own.length === 0 ? [] : [...new Set([...ANCHORS, ...own])];
}

type Near = (a: string, b: string) => number;

/** Counts of a pair, each of which tells for or against, 0 to 1 or a cosine. */
type Counts = {
  /** The likeness of the two sentences. */
  readonly near: number;
  /** Whether they differ in one place, by values of one kind. */
  readonly value: number;
  /** Whether they differ in none. */
  readonly same: number;
  /** Eighths of words that one of the two has alone. */
  readonly rest: number;
  /** How much nearer the earlier one is to sentences of which one holds. */
  readonly one: number;
  /** Whether the later one says a change. */
  readonly change: number;
  /** Whether the later one adds. */
  readonly more: number;
  readonly oneUnchanged: number;
  readonly nearChanged: number;
};

/** Fitted on bench/supersession/tuning.tsv and on sentences of LoCoMo that replace none. */
const WEIGHTS: Counts = {
  near: 4.21,
  value: 1.54,
  same: -0.14,
  rest: -6.03,
  one: 14.04,
  change: 3.75,
  more: -2.72,
  oneUnchanged: 3.6,
  nearChanged: 2.24,
};
const REPLACES_FROM = 3.43;
/** How the words of content of a text begin: those with no beginning in common share no word. */
export function beginningsOf(text: string): ReadonlySet<string> {
  return new Set(contentOf(tokensOf(text)).map(({ key }) => key.slice(0, SHARED_START_MIN)));
}

/**
 * Whether the later statement takes the place of the earlier one.
 * @param vectors of `textsToEmbed` by text
 */
export function replaces(
  pair: Compared,
  vectors: ReadonlyMap<string, ArrayLike<number>>,
  scale: MeaningScale = DEFAULT_SCALE,
): boolean {
  if (scale.power < POWER_MIN) return false;
  const counts: Readonly<Record<string, number>> = countsOf(pair, nearnessOf(vectors, scale));
  const sum = Object.entries(WEIGHTS).reduce(
    (all, [name, weight]) => all + weight * (entryOf(counts, name) ?? 0),
    0,
  );
  return sum > REPLACES_FROM;
}
/** A model that puts answers so few deviations above other sentences compares too little. */
const POWER_MIN = 1;

function countsOf(pair: Compared, near: Near): Counts {
  const { earlier, later, rest, swap } = pair;
  const words = wordsOfLater(pair);
  const change = changeIn(words, near);
  const one = softly(earlier, ONE, near) - softly(earlier, MANY, near);
  const cosine = near(earlier, later);
  return {
    near: cosine,
    value: swap === null ? 0 : step(likeValues(swap, near), 0.34),
    same: swap === null ? 1 : 0,
    rest: Math.min(8, rest) / 8,
    ...{ one, change },
    more: step(Math.max(0, ...words.words.map((word) => best(word, MORE, near))), 0.75),
    oneUnchanged: (1 - change) * one,
    nearChanged: change * cosine,
  };
}

/** Whether the later one says a change: by a word, a phrase, or "since" in whatever language. */
function changeIn({ words, phrases }: ReturnType<typeof wordsOfLater>, near: Near): number {
  const isSince = (word: string) => {
    const since = near(word, SINCE_WORD);
    return step(since, 0.7) * step(since - best(word, SMALL, near), 0.01, 80);
  };
  const isPhrase = (phrase: string) => {
    const since = best(phrase, SINCE, near);
    return step(since, 0.72) * step(since - best(phrase, NOT_SINCE, near), 0.1);
  };
  return Math.max(
    0,
    ...words.map((word) => Math.max(step(best(word, CHANGES, near), 0.75), isSince(word))),
    ...phrases.map(isPhrase),
  );
}

const best = (text: string, others: readonly string[], near: Near) =>
  Math.max(...others.map((other) => near(text, other)));

/** The likeness of two values: two numbers are alike, a number and a word are not. */
function likeValues({ earlier, later }: Gap, near: Near): number {
  const [a, b] = [hasNumber(earlier), hasNumber(later)];
  if (a && b) return 1;
  return a === b ? near(textOf(earlier), textOf(later)) : 0;
}

/** From 0 to 1 around a threshold. */
const step = (value: number, from: number, slope = 25) =>
  1 / (1 + Math.exp(-slope * (value - from)));

/** The nearness of the nearest of several sentences, where each of them counts. */
function softly(text: string, others: readonly string[], near: Near): number {
  const sum = others.reduce((total, other) => total + Math.exp(12 * near(text, other)), 0);
  return Math.log(sum / others.length) / 12;
}

/** The cosine of two texts as the bundled model would have it. */
function nearnessOf(vectors: ReadonlyMap<string, ArrayLike<number>>, scale: MeaningScale): Near {
  const unit = (scale.power * scale.spread) / (DEFAULT_SCALE.power * DEFAULT_SCALE.spread);
  return (a, b) => {
    const [one, other] = [vectors.get(a), vectors.get(b)];
    if (one === undefined || other === undefined) return 0;
    const cosine = dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other) || 1);
    return Math.min(1, DEFAULT_SCALE.usual + (cosine - scale.usual) / unit);
  };
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
