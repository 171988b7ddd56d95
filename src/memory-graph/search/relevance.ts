import { withoutMarks } from '../../text/marks.ts';
import { askingShare, isRequest } from '../../text/questions.ts';
import { stemOf } from '../../text/stem.ts';
import { EMPTY_WORDS } from '../../text/word-lists.ts';
import { baseOf, wordsIn } from '../../text/words.ts';
import type { MeaningScale } from '../embeddings/meaning-scale.ts';
import { type Found, type Thing, thingsOf } from './candidate.ts';
import { isWithin } from './query-times.ts';
import type { SearchQuery } from './search-query.ts';
import { atSecondHand, namesIn } from './second-hand.ts';
import { askedBefore, isAgent, isSaidByNamed, withoutLabel } from './speech.ts';
import type { TextMatch } from './text-match.ts';

/** A thing with all that its relevance is measured by. */
interface Seen {
  readonly thing: Thing;
  readonly match: TextMatch;
  /** BM25 as a share of the best candidate's. */
  readonly words: number;
  /** Number of words that count. */
  readonly length: number;
  /** Match of the turns before and after, as a share of the best one's. */
  readonly beside: number;
  /** Lucene's score of the stretch, as a share of the best one's. */
  readonly around: number;
  /** The cosine in standard deviations, times the power of the model. */
  readonly meaning: number;
  readonly isNamed: boolean;
  /** Whether an agent said it that the query does not name. */
  readonly isOfAgent: boolean;
  /** Whether it is an agent's and tells nothing of its own. */
  readonly isSecondHand: boolean;
  /** Whether it was said at a time that the query names, or holds since then. */
  readonly isThen: boolean;
  /** 1 for the first, or last, of the things that match as well as the best; 0 for the others. */
  readonly inSequence: number;
  /** Whether it was said before, or after, a happening that the query names. */
  readonly isOnSide: boolean;
  /** Words of the query that facts of the same entities have, one or two steps away. */
  readonly linked: readonly string[];
  /** Share of the query's words that these are. */
  readonly link: number;
  /** Share of the text that asks. */
  readonly asking: number;
  /** Whether the text asks and adds no word to the query. */
  readonly isEcho: boolean;
}

/** Points of one standard deviation of a cosine, for each by which an answer lies higher. */
const MEANING = 0.29;

/**
 * The measures with their weights (docs/decisions/0120): fitted on one half of a public data set,
 * verified on the other. The points of one name are added.
 */
const MEASURES: readonly {
  readonly name: Reason['measure'] | 'length';
  readonly weight: number;
  readonly of: (seen: Seen) => number;
}[] = [
  { name: 'words', weight: 0.25, of: ({ words }) => words },
  { name: 'words', weight: 1.31, of: ({ match }) => match.coverage },
  { name: 'length', weight: 0.8, of: ({ length }) => Math.log(1 + length) },
  { name: 'around', weight: 1.64, of: ({ beside }) => beside },
  { name: 'around', weight: 2.5, of: ({ around }) => around },
  { name: 'meaning', weight: MEANING, of: ({ meaning }) => meaning },
  { name: 'speaker', weight: 2.61, of: ({ isNamed }) => Number(isNamed) },
  // Not fitted: in the data set only people speak.
  { name: 'speaker', weight: -1, of: ({ isOfAgent }) => Number(isOfAgent) },
  { name: 'speaker', weight: -6, of: ({ isSecondHand }) => Number(isSecondHand) },
  { name: 'time', weight: 3, of: ({ isThen }) => Number(isThen) },
  { name: 'time', weight: 1.5, of: ({ inSequence }) => inSequence },
  { name: 'time', weight: 1, of: ({ isOnSide }) => Number(isOnSide) },
  // Not fitted: the data set has no facts.
  { name: 'graph', weight: 3, of: ({ link }) => link },
  { name: 'graph', weight: 2, of: ({ thing }) => (thing.steps === null ? 0 : 1 / thing.steps) },
  { name: 'question', weight: -2.31, of: ({ asking }) => asking },
  { name: 'question', weight: -6, of: ({ isEcho }) => Number(isEcho) },
];
/** A probe of short sentences is easier than a talk, so a deviation counts 0.8 at most. */
const POWER_MAX = 0.8 / MEANING;
/** The measured scale counts like this many candidates against those of the search. */
const SCALE_WEIGHT = 8;

/** A part of a score: the measure, the points it gives, and its explanation for people. */
export interface Reason {
  readonly measure: 'words' | 'meaning' | 'around' | 'speaker' | 'time' | 'graph' | 'question';
  readonly points: number;
  readonly text: string;
}

/** A thing with its relevance. */
export interface Scored {
  readonly thing: Thing;
  readonly score: number;
  readonly reasons: readonly Reason[];
  /** Words of the query that it has; the user's name counts where the user said it. */
  readonly has: readonly string[];
  /** Words of the query that it or the text around it has. */
  readonly hasAround: readonly string[];
  /** BM25 as a share of the best candidate's. */
  readonly wordShare: number;
  readonly isNamed: boolean;
  /** Whether it is an agent's and tells nothing of its own: no evidence. */
  readonly isSecondHand: boolean;
  /** Whether it asks what the query asks and says nothing besides: no evidence. */
  readonly isEcho: boolean;
  /** The question that it answers, of the turn before it. */
  readonly answers: string | null;
  /**
   * How near its meaning is: 0 as a sentence that does not answer, 1 as an answer of the model's
   * probe; null without a vector, and for a model that tells little.
   */
  readonly lift: number | null;
}

/** Joins the candidates of all methods, and measures each thing on one scale for all kinds. */
export function relevanceOf(query: SearchQuery, found: Found, scale: MeaningScale): Scored[] {
  const things = thingsOf(found.candidates);
  const own = query.match(things.map(({ text }) => text));
  const windowed = things.filter(({ window }) => window !== null);
  const windows = query.match(windowed.map(({ text, window }) => window ?? text));
  const windowOf = new Map(windowed.map(({ key }, at) => [key, windows[at] ?? NO_MATCH]));
  const context = contextOf(things, own, windowOf, found.stretches);
  const deviation = deviations(things, scale);
  const power = Math.min(POWER_MAX, scale.power);
  const usualLength = lengthOfSpeech(things, own);
  const best = Math.max(...own.map(({ bm25 }) => bm25), 0);
  const linked = linkedWords(things, own);
  const sequence = sequenceOf(query, things, own);
  const onSide = sideOf(query, things);
  const secondHand = atSecondHand(query, things);
  const scored = things.map((thing, at): Scored => {
    const matched = own[at] ?? NO_MATCH;
    const { bm25, length, added } = matched;
    const isSpeech = isSaid(thing);
    const said = withoutLabel(thing.text);
    const asking = isSpeech ? askingShare(said) : 0;
    const isNamed = isSpeech && isSaidByNamed(query.speakers, thing.text, thing.speaker);
    // A turn of the user's does not have the user's name in its text.
    const named = isNamed && thing.speaker === 'user' ? query.speakers.ofUser : [];
    const then = query.times.filter((time) => isWithin(time, thing.saidAt));
    const beyond = linked[at] ?? [];
    const has = [...new Set([...matched.words, ...named, ...beyond])];
    const around = windowOf.get(thing.key)?.words ?? [];
    const isSecondHand = secondHand.has(thing.key);
    const seen = {
      thing,
      match: matched,
      words: share(bm25, best),
      length: isSpeech ? length : Math.min(length, usualLength),
      ...(context[at] ?? { beside: 0, around: 0 }),
      meaning: power * (deviation[at] ?? 0),
      isNamed,
      isOfAgent: isSpeech && !isNamed && isAgent(thing.speaker),
      isSecondHand,
      isThen: then.length > 0,
      inSequence: sequence[at] ?? 0,
      isOnSide: onSide(thing),
      linked: beyond,
      link: beyond.length / Math.max(1, query.stems.length),
      asking,
      isEcho: isEchoOf(query, said, { asking, added }),
    };
    return {
      ...summed(seen),
      has,
      hasAround: [...new Set([...has, ...around])],
      wordShare: seen.words,
      isNamed,
      isSecondHand,
      isEcho: seen.isEcho,
      answers: askedBefore(thing),
      lift: liftOf(thing, scale),
    };
  });
  return scored.map((one) => behindItsWords(one, scored));
}

/** A place directly behind another one's. */
const BEHIND = 0.01;

/**
 * A turn without a word of the query does not stand before the turn beside it that has them, unless
 * it answers a question. Where that turn is not found, its words are no points.
 */
function behindItsWords(one: Scored, all: readonly Scored[]): Scored {
  const { thing, answers, has } = one;
  const { window, text } = thing;
  if (has.length > 0 || answers !== null || window === null || window === text) return one;
  const beside = all.filter((other) => other.has.length > 0 && window.includes(other.thing.text));
  const around = one.reasons.find(({ measure }) => measure === 'around')?.points ?? 0;
  const most =
    beside.length === 0
      ? one.score - around
      : Math.max(...beside.map(({ score }) => score)) - BEHIND;
  return most < one.score ? { ...one, score: most } : one;
}

/** A thing with at least this share of the best one's words of the query is one of a sequence. */
const SEQUENCE_SHARE_MIN = 0.75;

/** The place in time among the things that match as well as the best: 1 for what is asked for. */
function sequenceOf(
  { sequence }: SearchQuery,
  things: readonly Thing[],
  own: readonly TextMatch[],
): readonly number[] {
  if (sequence === null) return [];
  const most = Math.max(...own.map(({ words }) => words.length), 1);
  const isOne = (at: number) => (own[at]?.words.length ?? 0) >= SEQUENCE_SHARE_MIN * most;
  const times = things.map(({ saidAt }, at) => (isOne(at) ? Date.parse(saidAt) : Number.NaN));
  const sorted = [...new Set(times.filter((time) => !Number.isNaN(time)))].sort((a, b) => a - b);
  if (sorted.length < 2) return [];
  return times.map((time) => {
    const place = sorted.indexOf(time) / (sorted.length - 1);
    return place < 0 ? 0 : sequence === 'last' ? place : 1 - place;
  });
}

/** Whether a thing lies on the side of the query's happening: of the best thing that tells it. */
function sideOf({ happening }: SearchQuery, things: readonly Thing[]): (thing: Thing) => boolean {
  if (happening === null) return () => false;
  const told = happening.match(things.map(({ text }) => text));
  const [when] = things
    .flatMap(({ saidAt }, at) =>
      (told[at]?.words.length ?? 0) < happening.words || Number.isNaN(Date.parse(saidAt))
        ? []
        : [Date.parse(saidAt)],
    )
    .sort((a, b) => a - b);
  if (when === undefined) return () => false;
  return ({ saidAt }) => {
    const at = Date.parse(saidAt);
    return happening.side === 'before' ? at < when : at > when;
  };
}

/** A model whose answers lie less than this many deviations higher tells too little. */
const POWER_MIN = 1;

function liftOf({ cosine }: Thing, { usual, spread, power }: MeaningScale): number | null {
  if (cosine === null || power < POWER_MIN || spread === 0) return null;
  return (cosine - usual) / spread / Math.min(POWER_MAX, power);
}

/** A thing with more facts than this links all to all. */
const FACTS_OF_HUB_MAX = 12;

/**
 * By thing: the words of the query that it lacks, and that the best chain of at most two further
 * facts has, each of which shares an entity with the one before. "Where does the sister of the
 * trainer live?" is answered by a fact that says of Ida only where she lives.
 */
function linkedWords(things: readonly Thing[], own: readonly TextMatch[]): readonly string[][] {
  const byEnd = new Map<string, number[]>();
  for (const [at, { ends }] of things.entries())
    for (const end of ends) byEnd.set(end, [...(byEnd.get(end) ?? []), at]);
  const wordsOf = (at: number) => own[at]?.words ?? [];
  const beside = (at: number) =>
    (things[at]?.ends ?? []).flatMap((end) => {
      const facts = byEnd.get(end) ?? [];
      return facts.length > FACTS_OF_HUB_MAX ? [] : facts.filter((other) => other !== at);
    });
  const added = (at: number, has: ReadonlySet<string>): string[] =>
    wordsOf(at).filter((word) => !has.has(word));
  return things.map((_thing, at) => {
    const has = new Set(wordsOf(at));
    if (has.size === 0) return [];
    return beside(at).reduce<string[]>((best, next) => {
      const first = added(next, has);
      if (first.length === 0) return best;
      const both = new Set([...has, ...first]);
      const further = beside(next)
        .filter((other) => other !== at)
        .map((other) => added(other, both))
        .reduce<string[]>((most, some) => (some.length > most.length ? some : most), []);
      return first.length + further.length > best.length ? [...first, ...further] : best;
    }, []);
  });
}

const isSaid = ({ kind }: Thing): boolean => kind === 'episode' || kind === 'event';

/**
 * Mean number of words of what was said. A longer summary tells no more, so it counts as this long.
 */
function lengthOfSpeech(things: readonly Thing[], own: readonly TextMatch[]): number {
  const said = own.filter((_match, at) => things[at] !== undefined && isSaid(things[at]));
  return said.reduce((sum, { length }) => sum + length, 0) / Math.max(1, said.length);
}

const NO_MATCH: TextMatch = { bm25: 0, coverage: 0, length: 0, added: 0, words: [] };
/** A text that is its own window counts this much less than turns that confirm each other. */
const OWN_WINDOW = 0.6;
/** A text of which at least this share asks can be an echo of the query. */
const ECHO_ASKS = 0.8;

/** A day of the week, also where people write it small. */
const DAY =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)$/;

/**
 * Whether a text only asks: what the query asks, or one short question alone. A question with a
 * name, a number or a day that the query lacks tells something.
 */
function isEchoOf(
  { stems }: SearchQuery,
  said: string,
  { asking, added }: { readonly asking: number; readonly added: number },
): boolean {
  if (asking <= ECHO_ASKS) return false;
  const words = wordsIn(said);
  const days = words.filter((word) => DAY.test(word)).map((word) => stemOf(baseOf(word)));
  const tells = [...namesIn(said), ...days];
  if (tells.some((stem) => !stems.includes(stem))) return false;
  if (added <= (isRequest(said) ? 1 : 0)) return true;
  const own = words.filter(
    (word) => !EMPTY_WORDS.has(withoutMarks(word)) && !stems.includes(stemOf(baseOf(word))),
  );
  return asking === 1 && words.length <= ECHO_WORDS_MAX && own.length <= ECHO_ADDS_MAX;
}
const ECHO_WORDS_MAX = 8;
const ECHO_ADDS_MAX = 2;

const share = (value: number, best: number): number => (best > 0 ? value / best : 0);

/**
 * How well the surroundings of each thing match. A thing without surroundings counts as its own
 * window and as lying in an average stretch; a fact lies in the stretch of an Episode that states
 * it.
 * @param windowOf the match of each window, by the key of its thing
 */
function contextOf(
  things: readonly Thing[],
  own: readonly TextMatch[],
  windowOf: ReadonlyMap<string, TextMatch>,
  stretches: Found['stretches'],
): { beside: number; around: number }[] {
  const bestWindow = Math.max(...[...windowOf.values()].map(({ bm25 }) => bm25), 0);
  const bestOwn = Math.max(...own.map(({ bm25 }) => bm25), 0);
  const bestStretch = Math.max(...stretches.values(), 0);
  const aroundOf = (stretch: string) => share(stretches.get(stretch) ?? 0, bestStretch);
  const aroundEpisode = new Map(
    things.flatMap(({ uuid, stretch }) =>
      stretch === null ? [] : [[uuid, aroundOf(stretch)] as const],
    ),
  );
  const all = [...aroundEpisode.values()];
  const average = all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length);
  return things.map(({ key, uuid, episodes }, at) => {
    const window = windowOf.get(key);
    return {
      beside:
        window === undefined
          ? OWN_WINDOW * share(own[at]?.bm25 ?? 0, bestOwn)
          : share(window.bm25, bestWindow),
      around: [uuid, ...episodes].reduce(
        (most, episode) => Math.max(most, aroundEpisode.get(episode) ?? 0),
        aroundEpisode.has(uuid) ? 0 : average,
      ),
    };
  });
}

/**
 * Each cosine as a number of standard deviations above the mean of the candidates; 0 without a
 * cosine. The model's own scale steadies the mean of few candidates.
 */
function deviations(things: readonly Thing[], scale: MeaningScale): number[] {
  const cosines = things.flatMap(({ cosine }) => (cosine === null ? [] : [cosine]));
  const count = cosines.length + SCALE_WEIGHT;
  const mean = (cosines.reduce((sum, one) => sum + one, 0) + SCALE_WEIGHT * scale.usual) / count;
  const squares = cosines.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const spread = Math.sqrt((squares + SCALE_WEIGHT * scale.spread ** 2) / count) || 1;
  return things.map(({ cosine }) => (cosine === null ? 0 : (cosine - mean) / spread));
}

/** The reason in words, as people read it; null where the measure gives none. */
const EXPLAINED: Record<Reason['measure'], (seen: Seen, points: number) => string | null> = {
  words: ({ match: { words } }) =>
    words.length === 0
      ? null
      : `has the ${words.length === 1 ? 'word' : 'words'} ${words.join(', ')}`,
  meaning: ({ thing: { cosine } }, points) =>
    points <= 0 || cosine === null ? null : `is similar in meaning (${cosine.toFixed(2)})`,
  around: (_seen, points) => (points <= 0 ? null : 'is near text that has words of the query'),
  speaker: ({ isNamed, isOfAgent, isSecondHand }) => {
    if (isSecondHand) return 'is an answer of an agent that repeats what people said';
    if (isOfAgent) return 'was said by an agent';
    return isNamed ? 'was said by the speaker in the query' : null;
  },
  time: ({ isThen, isOnSide, inSequence }, points) => {
    if (points <= 0) return null;
    if (isThen) return 'is of a time in the query';
    return isOnSide && inSequence === 0
      ? 'is of the time that the query asks for'
      : 'is among the first or last that the query asks for';
  },
  graph: ({ thing: { steps }, linked }) => {
    if (steps !== null) return `is ${stepsOf(steps)} from the centre in the graph`;
    return linked.length === 0 ? null : `is linked to facts with ${linked.join(', ')}`;
  },
  question: (_seen, points) => (points >= 0 ? null : 'is a question itself, so it counts less'),
};
const EXPLAINED_MEASURES = Object.keys(EXPLAINED) as Reason['measure'][];

function summed(seen: Seen): Pick<Scored, 'thing' | 'score' | 'reasons'> {
  const points = new Map<string, number>();
  for (const { name, weight, of } of MEASURES)
    points.set(name, (points.get(name) ?? 0) + weight * of(seen));
  const reasons = EXPLAINED_MEASURES.flatMap((measure) => {
    const ofMeasure = points.get(measure) ?? 0;
    const text = EXPLAINED[measure](seen, ofMeasure);
    return text === null ? [] : [{ measure, points: ofMeasure, text }];
  });
  const score = [...points.values()].reduce((sum, one) => sum + one, 0);
  return { thing: seen.thing, score, reasons };
}

const stepsOf = (steps: number): string => `${steps} ${steps === 1 ? 'step' : 'steps'}`;

/** The reasons as one sentence: `It has the word swim, and is similar in meaning (0.71).` */
export function sentenceOf(reasons: readonly Reason[]): string {
  const parts = reasons.map(({ text }) => text);
  const last = parts.at(-1);
  if (last === undefined) return '';
  const head = parts.slice(0, -1).join(', ');
  return `It ${head === '' ? last : `${head}, and ${last}`}.`;
}
