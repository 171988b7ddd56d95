import type { Language } from './language.ts';
import { findNames } from './names.ts';
import type { ChatMessage } from './prompt.ts';
import { findRelations } from './relations.ts';

/** Questions of things that a person has one of at a time, and the facts that answer them. */
const ONE_AT_A_TIME: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:do|am) I (?:now )?(?:live|living|based|at home)\b|\bmy (?:home|town|city)\b/i,
    /^lives in$/,
  ],
  [/\bdo I (?:now )?work\b|\bmy (?:employer|company|job)\b/i, /^works at$/],
  [
    /\b(?:am I|do I have)\b.*\b(?:married|engaged|dating|partner)\b|\bmy (?:wife|husband|partner|girlfriend|boyfriend)(?:['’]s name)?\?/i,
    /^(?:married to|dating)$/,
  ],
];
const OF_THE_PAST = /\b(?:did|was|were|before|used to|earlier|former|previous|first|ago|until)\b/i;
/** Words that end a fact, in a sentence that names its object: "I divorced Ann". */
const ENDS =
  /\b(?:not|no longer|any ?more|divorced|separated|broke up|split up|left|quit|resigned|sold)\b|n['’]t\b/i;
/** The speaker of unlabelled lines; any name that no talk has. */
const SPEAKER = 'Speaker';

/**
 * The user's latest sentence of the talk that answers, where a question asks for a thing of which
 * one has one at a time: "I moved to Oulu" comes after "I live in Turku", whatever words the
 * question shares with them, and its end after both. Null for any other question, where nothing
 * has changed in this talk (memory may know more), and where the sentence has a date of its own.
 */
export function latestWord(
  language: Language,
  messages: readonly ChatMessage[],
  question: string,
): string | null {
  const [, predicate] = ONE_AT_A_TIME.find(([asks]) => asks.test(question)) ?? [];
  if (predicate === undefined || OF_THE_PAST.test(question)) return null;
  const own = messages.slice(0, -1).filter(({ role }) => role === 'user');
  const { sentences } = language.parse(own.map(({ content }) => content).join('\n\n'));
  const said = sentences.map((sentence) => ({ ...sentence, speaker: sentence.speaker ?? SPEAKER }));
  const told = findRelations(said, findNames(said)).filter(
    (relation) => relation.subject === SPEAKER && predicate.test(relation.predicate),
  );
  const last = told.at(-1);
  if (last === undefined || last.validAt !== null || last.invalidAt !== null) return null;
  const later = sentences.slice(last.sentence + 1);
  const end = later.findLast(({ text }) => ENDS.test(text) && text.includes(last.object));
  if (end !== undefined) return end.text;
  const hasChanged = told.some(({ object }) => object !== last.object);
  return hasChanged ? (sentences[last.sentence]?.text ?? null) : null;
}
