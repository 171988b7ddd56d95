import { contentStems } from '../../text/content-stems.ts';
import { wordsIn } from '../../text/words.ts';
import type { Thing } from './candidate.ts';
import { isForeign, type SearchQuery } from './search-query.ts';
import {
  askedBefore,
  isAgent,
  isSaidByNamed,
  recalledIn,
  withoutAttributions,
  withoutRecalled,
} from './speech.ts';

/** A text at second hand has this share of its words from others. */
const COVERED_SHARE = 0.8;

/**
 * Keys of the words of agents that tell nothing of their own: those of people beside them, of the
 * query and of the question that they answer have all of it. A result that an agent reports has
 * words that nobody else said. Without those of an agent that the query names.
 */
export function atSecondHand(query: SearchQuery, things: readonly Thing[]): ReadonlySet<string> {
  const answers = things.filter(
    ({ kind, speaker, text }) =>
      (kind === 'episode' || kind === 'event') &&
      isAgent(speaker) &&
      !isSaidByNamed(query.speakers, text, speaker),
  );
  if (answers.length === 0) return new Set();
  const told = new Set(query.stems);
  for (const thing of things)
    if (isFirstHand(thing)) for (const stem of contentStems(thing.text)) told.add(stem);
  const tellsNothing = (one: Thing) =>
    HOLDS_NOTHING.test(one.text) || isRecalled(one.text) || isCovered(one, told);
  return new Set(answers.filter(tellsNothing).map(({ key }) => key));
}

function isFirstHand({ kind, speaker }: Thing): boolean {
  const isSpeech = kind === 'episode' || kind === 'event';
  return kind === 'statement' || kind === 'fact' || (isSpeech && !isAgent(speaker));
}

/** An answer that quotes memory says so much at most beside its quotations. */
const BESIDE_MAX = 2;

/** The day of a recalled line, which is no word of the line. */
const OPENING_DAY = /: on \d{1,2} [A-Z][a-z]+ \d{4}/g;

/**
 * Whether an agent's answer is nothing but lines of memory, which have sources of their own. A name
 * or a number beside them that they do not have is news.
 */
export function isRecalled(text: string): boolean {
  const beside = withoutRecalled(text);
  if (beside === text || contentStems(beside).size > BESIDE_MAX) return false;
  const told = contentStems(recalledIn(text).join(' ').replace(OPENING_DAY, ' '));
  return marksIn(beside).every((stem) => told.has(stem));
}

/** The shipped model's answer where it has none. */
const HOLDS_NOTHING = /^nothing in what i was given\b/i;

/** The dates of recalled facts: "(since 28 November 2026)". */
const DATES = /\([^()]{0,40}\b\d{4}\)/g;

function isCovered(answer: Thing, told: ReadonlySet<string>): boolean {
  const asked = contentStems(askedBefore(answer) ?? '');
  const text = withoutAttributions(answer.text).replace(DATES, ' ');
  return tellsNothingNew(text, (stem) => told.has(stem) || asked.has(stem));
}

/** Whether most of a text is told already, with all of its names and numbers. */
export function tellsNothingNew(text: string, isTold: (stem: string) => boolean): boolean {
  const stems = [...contentStems(text)];
  return stems.filter(isTold).length >= COVERED_SHARE * stems.length && namesIn(text).every(isTold);
}

const NUMBER = /[\p{L}_-]*\p{N}[\p{L}\p{N}_-]*/gu;
/** A word with a capital that begins no sentence. */
const NAME = /(?<=[\p{L}\p{N},:;] )\p{Lu}[\p{L}'’-]+/gu;

/** Stems of the names and numbers of a text: one of them may be all that an answer tells. */
export function namesIn(text: string): string[] {
  // German nouns have capitals too.
  return isForeign(wordsIn(text)) ? stemsOf(text.match(NUMBER)) : marksIn(text);
}

/** Stems of the numbers and of the words with a capital of a text, in whatever language. */
function marksIn(text: string): string[] {
  return stemsOf([...(text.match(NAME) ?? []), ...(text.match(NUMBER) ?? [])]);
}

const stemsOf = (words: readonly string[] | null) => [...contentStems((words ?? []).join(' '))];
