import { questionIn } from '../../text/questions.ts';
import { wordsIn } from '../../text/words.ts';

// One word, or up to four words with capitals: `One test fails: …` names no speaker.
const LABEL = /^([\p{L}\p{N}_.'’-]{1,40}|\p{Lu}[^\s:]{0,30}(?: \p{Lu}[^\s:]{0,30}){1,3}): /u;
/** The name before a turn's text, as in `Ada: Hello.`; null without one. */
export function labelOf(text: string): string | null {
  return LABEL.exec(text)?.[1] ?? null;
}

/** A turn's text without the name before it. */
export function withoutLabel(text: string): string {
  return text.replace(LABEL, '');
}

const FIRST_PERSON = new Set(['i', "i'm", "i've", "i'd", "i'll", 'me', 'my', 'mine', 'myself']);
const SECOND_PERSON = new Set(['you', "you're", "you've", "you'd", 'your', 'yours']);

/** The speakers that a query names, by name or by `I` and `you`. */
export interface NamedSpeakers {
  readonly words: ReadonlySet<string>;
  /** Words of the user's name in the query. */
  readonly ofUser: readonly string[];
  readonly isUser: boolean;
  readonly isAgent: boolean;
}

export function namedSpeakers(all: readonly string[], userName: string): NamedSpeakers {
  const words = new Set(all);
  const has = (some: Iterable<string>) => [...some].some((word) => words.has(word));
  const ofUser = wordsIn(userName).filter((word) => words.has(word));
  return {
    words,
    ofUser,
    isUser: has(FIRST_PERSON) || ofUser.length > 0,
    // "What did I tell you" asks for words of mine.
    isAgent: all.some((word, at) => SECOND_PERSON.has(word) && !all.slice(0, at).includes('i')),
  };
}

/** @param role the speaker of a turn, or the role of an event */
export function isAgent(role: string | null): boolean {
  return role === 'agent' || role === 'assistant';
}

/**
 * Whether the query names the one who said the text.
 * @param role the speaker of a turn, or the role of an event
 */
export function isSaidByNamed(named: NamedSpeakers, text: string, role: string | null): boolean {
  const label = labelOf(text);
  if (label !== null && wordsIn(label).some((word) => named.words.has(word))) return true;
  if (label !== null || role === null) return false;
  return (named.isUser && role === 'user') || (named.isAgent && isAgent(role));
}

/**
 * The question that an Episode answers, of the turn before it in its window; null for all others.
 */
export function askedBefore({
  kind,
  text,
  window,
}: {
  readonly kind: string;
  readonly text: string;
  readonly window: string | null;
}): string | null {
  const at = kind === 'episode' ? (window ?? '').indexOf(`\n${text}`) : -1;
  return at < 0 ? null : questionIn((window ?? '').slice(0, at));
}

/** A text without the openings of recalled lines, which answers repeat, and without labels. */
export function withoutAttributions(text: string): string {
  return ATTRIBUTIONS.reduce((left, attribution) => left.replace(attribution, ' '), text);
}
const OPENING =
  /[^\s:"“”]{1,40}: on \d{1,2} [A-Z][a-z]+ \d{4}(?:, (?:asked|correcting) “[^”]*”)*:/g;
/**
 * A recalled line: its opening, and then a quotation. A quotation that was cut off ends with the
 * text. A line without quotation marks ends with its first sentence, at the line break, or at the
 * opening of the next one.
 */
const RECALLED = new RegExp(
  `${OPENING.source}[^\\S\\n]*(?:(?:[^\\s:"“”]{1,40}: )*"[^"]*(?:"|$)|` +
    `[^\\n]*?(?:[.!?…]["”’)]*(?=\\s|$)|(?=\\n|$|${OPENING.source})))`,
  'g',
);

/** A text without the lines of memory that it repeats with their openings. */
export function withoutRecalled(text: string): string {
  return text.replace(RECALLED, ' ');
}

/** The lines of memory that a text repeats, each with its opening. */
export function recalledIn(text: string): string[] {
  return text.match(RECALLED) ?? [];
}
const ATTRIBUTIONS = [OPENING, /(?<![^\s"“”])[^\s:"“”]{1,40}:(?=\s)/g];
