import { sentencesOf } from './sentences.ts';

const SENTENCE = /[^.!?？؟\n]+[.!?？؟]*/gu;
const QUESTION = /[?？؟]["'”’»]*\s*$/u;
const ASKING =
  'tell show list give find remind explain describe name say who what when where which why how';
// Requests that ask without a question mark.
const REQUEST = new RegExp(`^(?:please )?(?:${ASKING.replaceAll(' ', '|')})\\b`, 'i');

/** Whether a text ends with a question. */
export function isQuestion(text: string): boolean {
  return QUESTION.test(text);
}

/** Whether a text only asks. What a question names is no news, unless it states something of it. */
export function isAsking(text: string): boolean {
  const sentences = sentencesOf(text);
  return sentences.length > 0 && sentences.every(isQuestion);
}

/** The question that a text ends with; null where it ends otherwise. */
export function questionIn(text: string): string | null {
  if (!isQuestion(text)) return null;
  return sentencesOf(text.replace(/\s+/g, ' '), Number.POSITIVE_INFINITY).at(-1) ?? null;
}

/** Whether a text begins with a request, such as `Tell me`. */
export function isRequest(text: string): boolean {
  return REQUEST.test(text.trim());
}

/** Share of a text that asks, 0 to 1. */
export function askingShare(text: string): number {
  const asking = (text.match(SENTENCE) ?? []).filter((one) => isQuestion(one) || isRequest(one));
  return asking.join('').length / Math.max(1, text.length);
}
