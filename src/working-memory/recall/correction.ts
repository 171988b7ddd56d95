import { labelOf, withoutLabel } from '../../memory-graph/search/speech.ts';
import { isQuestion } from '../../text/questions.ts';
import { contentStems } from './recall-query.ts';

/** A turn after another one, on the same path. */
export interface Follower {
  readonly uuid: string;
  readonly text: string;
  readonly speaker: string;
  readonly saidAt: string;
}

/** Turns after a memory that are looked at. */
export const FOLLOWERS_MAX = 4;
/** A turn with at most so many words is about what was said before; a longer one shares words. */
const OWN_WORDS_MAX = 5;
const SHARED_WORDS_MIN = 2;

const list = (text: string) =>
  text
    .trim()
    .split(/\s*\|\s*/)
    .join('|');
const FILLER = 'oh|ah|um|ok|okay|well|but|and|wait|hold on|hm+';
/** A sentence that begins so takes something back: English, German, Spanish, French. */
const TAKES_BACK = new RegExp(
  `(?:^|[.!…–—-]\\s+)(?:(?:${FILLER})[,.!…]*\\s+)*(?:${list(`
    actually | sorry(?! (?:to|for|about|you)) | correction | scratch that | never ?mind |
    on second thought | change of plan |
    i (?:meant|misspoke|was wrong|got that wrong|changed my mind) |
    that (?:was|is) (?:wrong|not right|a mistake) |
    that's (?:wrong|not right) |
    (?:let's|we|i) (?:cancel|call off|drop) |
    eigentlich | entschuldigung | doch nicht | ich meinte | das war falsch |
    en realidad | perdón | quise decir | en fait | je voulais dire
  `)})(?!\\p{L})`,
  'iu',
);
/** The same in the midst of a sentence. */
const ENDS = new RegExp(
  `(?<!\\p{L})(?:${list(`
    cancelled | canceled | called off | changed my mind | was wrong | i meant | no longer |
    not any ?more | n't any ?more | instead | abgesagt | nicht mehr | stattdessen | ya no
  `)})(?!\\p{L})`,
  'iu',
);
/** It also answers a question, so it counts after a statement only. `No worries` has no comma. */
const DENIES = /^(?:(?:oh|ah|um|wait|hold on)[,.!…]*\s+)*(?:no|nope|nein)\s*[,.!…–—-]/iu;

/**
 * The last of the turns after a statement that takes it back or changes it; null where none does.
 * It comes from the same speaker, or from the user after an agent.
 * @param before the statement, with the role of its speaker
 * @param after the turns after it, in order
 */
export function correctionOf(
  before: { readonly text: string; readonly speaker: string | null },
  after: readonly Follower[],
): Follower | null {
  if (isQuestion(before.text)) return null;
  const stated = contentStems(withoutLabel(before.text));
  const correcting = after.slice(0, FOLLOWERS_MAX).filter((one, at) => {
    const isOwn = labelOf(one.text) === labelOf(before.text) && one.speaker === before.speaker;
    if (!(isOwn || (one.speaker === 'user' && before.speaker !== 'user'))) return false;
    const text = withoutLabel(one.text).trim();
    const isAnswer = isQuestion(after[at - 1]?.text ?? '');
    if (isQuestion(text)) return false;
    const isTaken = TAKES_BACK.test(text) || (!isAnswer && (ENDS.test(text) || DENIES.test(text)));
    if (!isTaken) return false;
    const said = contentStems(text);
    const shared = [...said].filter((stem) => stated.has(stem)).length;
    return said.size <= OWN_WORDS_MAX || shared >= SHARED_WORDS_MIN;
  });
  return correcting.at(-1) ?? null;
}
