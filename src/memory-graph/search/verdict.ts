import { isOwnThing, namesThing } from '../../text/own-things.ts';
import { stemOf } from '../../text/stem.ts';
import { baseOf, isStopWord, wordsIn } from '../../text/words.ts';
import { type Scored, sentenceOf } from './relevance.ts';
import { isForeign, type SearchQuery } from './search-query.ts';
import { labelOf } from './speech.ts';

/** Whether a memory answers a query, and the reason in words (docs/decisions/0118). */
export interface Verdict {
  readonly answerable: boolean;
  readonly reason: string;
}

/**
 * Weights of a logistic model, fitted on conversations 1 to 5 of a public data set and graded on
 * the others (docs/decisions/0118, 0120).
 */
const WEIGHTS = {
  /** ln(1 + words of the query in the best of BEST). */
  had: 1.2,
  /** ln(1 + words of the query that it lacks). */
  missing: -0.65,
  /** ln(1 + words of the query that none of NEAR has, nor the text around them). */
  unknown: -1.5,
  /** 1 where another speaker said at least as many words of the query as the named one. */
  rival: -1.25,
  /** The highest lift of NEAR. */
  lift: 0.4,
  /** 1 where the query names a topic that the memory knows. Not fitted: LoCoMo has no topics. */
  topic: 1.6,
};
/** Queries below are not answered. Of the first half's with a found answer, 4 % lay below. */
const POINTS_MIN = -0.4;
/** The usual lift of the first half's answers; stands in where there are no vectors. */
const LIFT_USUAL = 1.9;
/** A long message says much beside its question. */
const LACKED_MAX = 4;
const BEST = 3;
const NEAR = 20;
/** A thing with so much lift answers in other words; in another language, texts lie further off. */
const LIFT_MIN = { same: 1.8, translated: 1.45, other: 2.2 };
/**
 * "What is my cat called?" has one word in common with "My dog is called Rex": in a short question
 * a thing of one's own that no memory has is another one.
 */
const OTHER = { askedMax: 3, hadMax: 1 };

/** @param best things by relevance, best first */
export function verdictOf(query: SearchQuery, best: readonly Scored[]): Verdict {
  if (query.stems.length === 0)
    return { answerable: false, reason: 'The query has no words to search for.' };
  const near = best.filter((one) => !one.isSecondHand && !one.isEcho).slice(0, NEAR);
  const [first] = near;
  if (first === undefined)
    return { answerable: false, reason: 'No memory has a word of the query.' };
  const had = near.slice(0, BEST).reduce((a, b) => (b.has.length > a.has.length ? b : a), first);
  const known = new Set(near.flatMap(({ hasAround }) => hasAround));
  // A time is no subject: a memory of that time does not say it.
  const times = new Set(query.times.flatMap(({ words }) => words));
  const asked = query.words.filter((word) => !times.has(word));
  const unknown = asked.filter((word) => !known.has(word));
  // An answer may have none of the words of the question before it.
  const isAround = near
    .slice(0, BEST)
    .some((one) => one.answers !== null && includesAll(one.hasAround, asked));
  const isTold = near.slice(0, BEST).some((one) => namesOwned(query, one));
  const count = Math.max(had.has.length, isAround || isTold ? 1 : 0);
  // Keywords, and words of other languages, may be missing for other reasons.
  const counted = (words: number) => Math.log(1 + Math.min(LACKED_MAX, Math.max(0, words)));
  const lacked = query.isEnglish
    ? WEIGHTS.missing * counted(asked.length - count) + WEIGHTS.unknown * counted(unknown.length)
    : 0;
  const topic = near.some((one) => isTopic(one) && isNamedIn(query, one)) ? WEIGHTS.topic : 0;
  const lifts = near.flatMap(({ lift }) => (lift === null ? [] : [lift]));
  const lift = lifts.length === 0 ? LIFT_USUAL : Math.max(...lifts);
  const points = WEIGHTS.had * Math.log(1 + count) + lacked + topic + WEIGHTS.lift * lift;
  const rival = rivalOf(near);
  const ownLacked = query.owned.filter((word) => unknown.includes(word));
  const mayBeOther = asked.length <= OTHER.askedMax && count <= OTHER.hadMax && topic === 0;
  // A text in another language lacks most words for that reason alone.
  const isOther = (one: Scored) =>
    mayBeOther &&
    (one.lift === null || one.lift < LIFT_MIN.other) &&
    ownLacked.some(
      (word) =>
        !namesThing(one.thing.text, word) &&
        (isTranslated(query, one) ? isOwnThing(word) : isJudged(query, one)),
    );
  const isElsewhere = near
    .slice(0, BEST)
    .some(
      (one) =>
        one.thing.steps !== null || (rival === null && !isOther(one) && isNearIn(query, one)),
    );
  // Without a word of the query, it is found by its meaning or place, or not at all.
  const isNowhere = (count === 0 && topic === 0) || (isOther(first) && !isTold);
  if (isElsewhere || (!isNowhere && points + (rival === null ? 0 : WEIGHTS.rival) >= POINTS_MIN))
    return { answerable: true, reason: sentenceOf(first.reasons).replace(/^It/, 'The first hit') };
  if (rival !== null && points >= POINTS_MIN)
    return { answerable: false, reason: `${rival.other} said this, not ${rival.named}.` };
  return { answerable: false, reason: lackOf(had.has, unknown) };
}

const includesAll = (all: readonly string[], some: readonly string[]): boolean =>
  some.every((one) => all.includes(one));

/** Whether a thing was found by more than its words: its meaning, or its place in the graph. */
const isFoundOtherwise = (query: SearchQuery, one: Scored): boolean =>
  one.thing.steps !== null || isNearIn(query, one);

function isNearIn(query: SearchQuery, one: Scored): boolean {
  const least = isTranslated(query, one) ? LIFT_MIN.translated : LIFT_MIN.same;
  return one.lift !== null && one.lift >= least;
}

/** Whether a query in another language finds an English text. */
const isTranslated = (query: SearchQuery, { thing }: Scored): boolean =>
  query.isForeign && !isForeign(wordsIn(thing.text));

/** Whether words that a text lacks tell something: of a query of keywords they do not. */
const isJudged = (query: SearchQuery, { thing }: Scored): boolean =>
  query.isEnglish || isForeign(wordsIn(thing.text));

/** Whether a text names a thing of one's own that the query asks for, in whatever language. */
const namesOwned = ({ owned }: SearchQuery, { thing }: Scored): boolean =>
  owned.some((word) => isOwnThing(word) && namesThing(thing.text, word));

/** The speaker who said what the query asks of another one; null without one. */
function rivalOf(near: readonly Scored[]): { named: string; other: string } | null {
  const labelled = near.flatMap((one) => {
    const label = labelOf(one.thing.text);
    return label === null || one.thing.speaker === null ? [] : [{ ...one, label }];
  });
  const most = (all: typeof labelled) =>
    all.toSorted((a, b) => b.has.length - a.has.length).at(0) ?? null;
  const named = most(labelled.filter(({ isNamed }) => isNamed));
  const other = most(labelled.filter(({ isNamed }) => !isNamed));
  if (named === null || other === null || other.has.length < named.has.length) return null;
  return { named: named.label, other: other.label };
}

function lackOf(had: readonly string[], unknown: readonly string[]): string {
  const nearest =
    had.length === 0
      ? 'No memory has a word of the query.'
      : `The nearest memory has only ${wordsOf(had)}.`;
  return had.length === 0 || unknown.length === 0
    ? nearest
    : `${nearest} No memory near it has ${wordsOf(unknown)}.`;
}

const WORDS_SHOWN = 6;
function wordsOf(words: readonly string[]): string {
  const shown = words.slice(0, WORDS_SHOWN).join(', ');
  return `the ${words.length === 1 ? 'word' : 'words'} ${shown}`;
}

/** Hits this many points below the best one do not fit, unless the query names them. */
const POINTS_BELOW_MAX = 4;
/** A thing without text around it fits with this share of the best one's words, or all of them. */
const WORD_SHARE_MIN = { entity: 0.7, other: 0.5 };
/** An entity that the query does not name needs so many words of it, or all. */
const ENTITY_WORDS_MIN = 2;

/** Whether a thing belongs to the answer, next to the best one. */
export function isFitting(query: SearchQuery, one: Scored, best: Scored): boolean {
  const { kind, window } = one.thing;
  if (isNamedIn(query, one)) return true;
  if (one.score < best.score - POINTS_BELOW_MAX) return false;
  if (window !== null || isFoundOtherwise(query, one)) return true;
  const isEntity = kind === 'entity';
  if (isEntity && one.has.length < Math.min(ENTITY_WORDS_MIN, query.stems.length)) return false;
  const least = isEntity ? WORD_SHARE_MIN.entity : WORD_SHARE_MIN.other;
  return one.wordShare >= least || (!isEntity && one.has.length >= best.has.length);
}

/** Categories of things that a query asks for by naming them; a person is asked about. */
const TOPICS: ReadonlySet<string> = new Set(['Concept', 'Object', 'Project']);

const isTopic = ({ thing: { category } }: Scored): boolean =>
  category !== null && TOPICS.has(category);

/**
 * Whether the query has a name of an entity: `kubernetes (k8s, kube)` has three. Of a name whose
 * words all have capitals, such as a person's, one word is enough.
 */
const isNamedIn = ({ stems }: SearchQuery, { thing: { name } }: Scored): boolean =>
  (name ?? '').split(/[(),;/]/).some((part) => {
    const words = wordsIn(part).filter((word) => !isStopWord(word));
    const isIn = (word: string) => stems.includes(stemOf(baseOf(word)));
    return words.length > 0 && (isProper(part) ? words.some(isIn) : words.every(isIn));
  });

const isProper = (name: string): boolean =>
  name.split(/\s+/).every((word) => word === '' || /^\p{Lu}/u.test(word));
