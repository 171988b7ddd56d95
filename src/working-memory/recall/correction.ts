import type { LaterTurn } from '../../memory-graph/search/ended.ts';
import { labelOf, withoutLabel } from '../../memory-graph/search/speech.ts';
import { correctionIn } from '../../memory-graph/statements/correction.ts';
import { contentStems } from '../../text/content-stems.ts';
import { isQuestion } from '../../text/questions.ts';

/** Turns after a memory that are looked at. */
export const FOLLOWERS_MAX = 4;
/** A turn with at most so many words is about what was said before; a longer one shares words. */
const OWN_WORDS_MAX = 5;
const SHARED_WORDS_MIN = 2;

/** No correction, though it begins like one. */
const CONDOLES = /^(?:(?:oh|ah|i'm|i am)[,.!…]*\s+)*(?:so )?sorry (?:to|for|about|you)\b/i;
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
  after: readonly LaterTurn[],
): LaterTurn | null {
  if (isQuestion(before.text)) return null;
  const stated = contentStems(withoutLabel(before.text));
  const correcting = after.slice(0, FOLLOWERS_MAX).filter((one, at) => {
    const isOwn = labelOf(one.text) === labelOf(before.text) && one.speaker === before.speaker;
    if (!(isOwn || (one.speaker === 'user' && before.speaker !== 'user'))) return false;
    const text = withoutLabel(one.text).trim();
    const isAnswer = isQuestion(after[at - 1]?.text ?? '');
    if (isQuestion(text)) return false;
    const kind = CONDOLES.test(text) ? null : correctionIn(text);
    const isTaken = kind === 'meant' || (!isAnswer && (kind !== null || DENIES.test(text)));
    if (!isTaken) return false;
    const said = contentStems(text);
    const shared = [...said].filter((stem) => stated.has(stem)).length;
    // What is over is named; a correction may be a word or two.
    const isShort = said.size <= OWN_WORDS_MAX && kind !== 'over';
    return isShort || shared >= SHARED_WORDS_MIN;
  });
  return correcting.at(-1) ?? null;
}
