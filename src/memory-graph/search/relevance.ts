import { askingShare, isRequest } from '../../text/questions.ts';
import type { MeaningScale } from '../embeddings/meaning-scale.ts';
import type { Thing } from './candidate.ts';
import type { SearchQuery } from './search-query.ts';
import { isSaidByNamed, withoutLabel } from './speech.ts';
import { type TextMatch, textMatcher } from './text-match.ts';

/**
 * Weight of each measure (docs/decisions/0029): fitted on one half of a public data set, verified
 * on the other. Measures are shares of the best candidate's, if nothing else is said.
 */
const WEIGHTS = {
  words: 0.74,
  /** The share of the query's words that the text has. */
  coverage: 0.77,
  /** The words of the turns before and after. */
  beside: 2.72,
  /** Lucene's score of the stretch. */
  around: 3.1,
  /** 1 where the query names the speaker. */
  speaker: 2.52,
  /** The share of the text that asks. */
  asking: -1.99,
  /** Natural logarithm of the number of words. */
  length: 0.55,
  /** 1 divided by the steps from the centre. */
  graph: 2,
  /** 1 where the text asks and adds no word to the query. */
  echo: -6,
} as const;
/**
 * Points of the cosine, per standard deviation and unit of the model's power: 0.24 with the bundled
 * word vectors, as fitted.
 */
const MEANING_PER_POWER = 0.37;
/** A probe of short sentences is easier than a talk, so no model counts more than this. */
const MEANING_MAX = 1.5;
/** The measured scale counts like this many candidates against those of the search. */
const SCALE_WEIGHT = 8;

/** A part of a score: the measure, the points it gives, and its explanation for people. */
export interface Reason {
  readonly measure: 'words' | 'meaning' | 'around' | 'speaker' | 'graph' | 'question';
  readonly points: number;
  readonly text: string;
}

export interface Relevance {
  readonly score: number;
  readonly reasons: readonly Reason[];
}

/**
 * The relevance of each thing on one scale for all kinds.
 * @param stretches Lucene's score of each stretch of Episodes, by key
 */
export function relevanceOf(
  query: SearchQuery,
  things: readonly Thing[],
  stretches: ReadonlyMap<string, number>,
  scale: MeaningScale,
): Relevance[] {
  const match = textMatcher(query);
  const own = match(things.map(({ text }) => text));
  const context = contextOf(things, own, match, stretches);
  const deviation = deviations(things, scale);
  const meaning = Math.min(MEANING_MAX, MEANING_PER_POWER * scale.power);
  const usualLength = lengthOfSpeech(things, own);
  const best = Math.max(...own.map(({ bm25 }) => bm25), 0);
  return things.map((thing, at) => {
    const matched = own[at] ?? NO_MATCH;
    const isSpeech = isSaid(thing);
    const said = withoutLabel(thing.text);
    const asking = isSpeech ? askingShare(said) : 0;
    const isNamed = isSpeech && isSaidByNamed(query.speakers, thing.text, thing.speaker);
    const isEcho = asking > ECHO_ASKS && matched.added <= (isRequest(said) ? 1 : 0);
    const { beside, around } = context[at] ?? { beside: 0, around: 0 };
    const z = deviation[at] ?? 0;
    return summed(thing, matched, {
      words: WEIGHTS.words * share(matched.bm25, best) + WEIGHTS.coverage * matched.coverage,
      length:
        WEIGHTS.length *
        Math.log(1 + Math.min(matched.length, isSpeech ? matched.length : usualLength)),
      around: WEIGHTS.beside * beside + WEIGHTS.around * around,
      meaning: meaning * z,
      speaker: isNamed ? WEIGHTS.speaker : 0,
      graph: thing.steps === null ? 0 : WEIGHTS.graph / thing.steps,
      question: WEIGHTS.asking * asking + (isEcho ? WEIGHTS.echo : 0),
    });
  });
}

function isSaid({ kind }: Thing): boolean {
  return kind === 'episode' || kind === 'event';
}

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

function share(value: number, best: number): number {
  return best > 0 ? value / best : 0;
}

/**
 * How well the surroundings of each thing match. A thing without surroundings counts as its own
 * window and as lying in an average stretch; a fact lies in the stretch of an Episode that states
 * it.
 */
function contextOf(
  things: readonly Thing[],
  own: readonly TextMatch[],
  match: (texts: readonly string[]) => TextMatch[],
  stretches: ReadonlyMap<string, number>,
): { beside: number; around: number }[] {
  const windowed = things.filter(({ window }) => window !== null);
  const windows = match(windowed.map(({ text, window }) => window ?? text));
  const scoreOf = new Map(windowed.map(({ key }, at) => [key, windows[at]?.bm25 ?? 0]));
  const bestWindow = Math.max(...scoreOf.values(), 0);
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
    const window = scoreOf.get(key);
    return {
      beside:
        window === undefined
          ? OWN_WINDOW * share(own[at]?.bm25 ?? 0, bestOwn)
          : share(window, bestWindow),
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

type Points = Readonly<Record<Reason['measure'] | 'length', number>>;

function summed(thing: Thing, match: TextMatch, points: Points): Relevance {
  const score = Object.values(points).reduce((sum, one) => sum + one, 0);
  const explained: Record<Reason['measure'], string | null> = {
    words:
      match.words.length === 0
        ? null
        : `has the ${match.words.length === 1 ? 'word' : 'words'} ${match.words.join(', ')}`,
    meaning:
      points.meaning <= 0 || thing.cosine === null
        ? null
        : `is similar in meaning (${thing.cosine.toFixed(2)})`,
    around: points.around <= 0 ? null : 'is near text that has words of the query',
    speaker: points.speaker === 0 ? null : 'was said by the speaker in the query',
    graph: thing.steps === null ? null : `is ${stepsOf(thing.steps)} from the centre in the graph`,
    question: points.question >= 0 ? null : 'is a question itself, so it counts less',
  };
  const reasons = (Object.keys(explained) as Reason['measure'][]).flatMap((measure) => {
    const text = explained[measure];
    return text === null ? [] : [{ measure, points: points[measure], text }];
  });
  return { score, reasons };
}

function stepsOf(steps: number): string {
  return `${steps} ${steps === 1 ? 'step' : 'steps'}`;
}

/** The reasons as one sentence: `It has the word swim, and is similar in meaning (0.71).` */
export function sentenceOf(reasons: readonly Reason[]): string {
  const parts = reasons.map(({ text }) => text);
  const last = parts.at(-1);
  if (last === undefined) return '';
  const head = parts.slice(0, -1).join(', ');
  return `It ${head === '' ? last : `${head}, and ${last}`}.`;
}
