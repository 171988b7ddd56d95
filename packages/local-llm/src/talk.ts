import type { Clause } from './clauses.ts';
import type { Sentence } from './language.ts';
import { type EntityKind, sexOf } from './name-kinds.ts';
import type { Names, Span } from './names.ts';

/** "Ada Lindqvist" — "works at" — "Globex", said by one sentence. */
export interface Relation {
  readonly subject: string;
  /** In small words: "works at". */
  readonly predicate: string;
  readonly object: string;
  /** Whether the object is one of the found names, or only the noun phrase that stands there. */
  readonly objectIsName: boolean;
  readonly sentence: number;
  /** The fact as a sentence of its own. */
  readonly text: string;
  /** RFC 3339; null where no time is said. */
  readonly validAt: string | null;
  readonly invalidAt: string | null;
}

export interface Talk {
  readonly names: Names;
  readonly kinds: ReadonlyMap<string, EntityKind>;
  /** When it was said, RFC 3339; null: not known. */
  readonly saidAt: string | null;
  /** Persons named so far, the last one first. */
  persons: readonly string[];
  /** he or she, where a first name or a kinship shows it. */
  readonly sexes: Map<string, 'he' | 'she' | null>;
  /** The person that an agent calls "you"; an agent has one such person. */
  readonly user: string | null;
  lastProject: string | null;
  lastOwner: string | null;
  lastPlace: string | null;
  /** "my sister" → Ines. */
  readonly kin: Map<string, string>;
}

export interface Subject {
  readonly entity: string;
  /** As the fact names it: "Ada", or "Ada's team". */
  readonly isTeam: boolean;
}

export interface Said {
  readonly clause: Clause;
  /** The words after the subject. */
  readonly rest: string;
  readonly subjects: readonly Subject[];
}

/** Labels of turns that are no names. */
export const ROLE_LABEL = /^(user|assistant|system|agent|tool|ai)$/i;

export function subjectOf(
  talk: Talk,
  sentence: Sentence,
  spans: readonly Span[],
  word: string,
): Subject | null {
  const index = /⟨(\d+)⟩$/.exec(word)?.[1];
  if (index !== undefined) {
    const entity = spans[Number(index)]?.entity;
    return entity === undefined ? null : { entity, isTeam: false };
  }
  if (/^(?:he|she|his|her)$/.test(word)) {
    const entity = personMeant(talk, word === 'he' || word === 'his' ? 'he' : 'she');
    return entity === undefined ? null : { entity, isTeam: false };
  }
  if (word === 'you' && sentence.speaker !== null && ROLE_LABEL.test(sentence.speaker))
    return talk.user === null ? null : { entity: talk.user, isTeam: false };
  const kin = talk.kin.get(word);
  if (kin !== undefined) return { entity: kin, isTeam: false };
  if (!/^(i|we|my|our)$/.test(word)) return null;
  const { speaker } = sentence;
  if (speaker === null || ROLE_LABEL.test(speaker)) return null;
  return { entity: speaker, isTeam: word === 'we' || word === 'our' };
}

/** The object, and those that follow it by "and" or a comma. */
export function objectsOf(
  spans: readonly Span[],
  clause: Clause,
  matched: string,
  name: string | undefined,
): string[] {
  if (name === undefined) return [];
  const after = clause.text.slice(clause.text.indexOf(matched) + matched.length);
  const list = /^(?:(?: \d[\d.]*)?(?: ,| and| , and) (?:the |my )?⟨\d+⟩)*/u.exec(after)?.[0] ?? '';
  const indexes = [name, ...[...list.matchAll(/⟨(\d+)⟩/g)].map(([, index]) => index)];
  return indexes.flatMap((index) => spans[Number(index)]?.entity ?? []);
}

const NO_PHRASE =
  /^(it|that|this|these|those|them|him|her|you|your|me|us|to|how|what|when|where|who|which|if|being|seeing|having|doing|getting|going|the (idea|way|fact|same|most|other)|one|ones|each|every|anything|something|everything|nothing|a lot|lots|well|there|here|with|about|for|on|in)\b/;

/** Words of these kinds make a noun phrase; "said", "is important" and "how calm" hold others. */
const OF_NOUNS = /^(?:NOUN|PROPN|ADJ|DET|ADP|CCONJ|NUM|PUNCT|PART|X)$/;

/** A noun phrase as it was written, without its article; null where it names nothing. */
export function phraseOf(
  { text, words }: Clause,
  phrase: string,
  { tokens }: Pick<Sentence, 'tokens'>,
): string | null {
  const bare = phrase.trim();
  const size = bare.split(' ').length;
  if (bare === '' || NO_PHRASE.test(bare) || size > 4) return null;
  const at = text.indexOf(bare);
  const before = at <= 0 ? 0 : text.slice(0, at).trim().split(' ').length;
  const written = words.slice(before, before + size);
  const kinds = written.map((word) => tokens.find((token) => token.text === word)?.pos ?? 'X');
  const isGerund = size === 1 && /ing$/.test(bare);
  const isWhole = isGerund || !/^(?:ADP|DET)$/.test(kinds.at(-1) ?? '');
  const isNominal = isGerund || kinds.every((kind) => OF_NOUNS.test(kind));
  return isNominal && isWhole ? written.join(' ') || null : null;
}
export const ARTICLE = /^(?:a|an|the|some|my|our|his|her)\s+/i;

/** A sentence with one full stop, also after "Acme Corp.". */
export function stopped(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/** Makes a person the one that the next "she" or "he" means. */
export function meet(talk: Talk, name: string): void {
  if (!talk.sexes.has(name)) talk.sexes.set(name, sexOf(name));
  talk.persons = [name, ...talk.persons.filter((other) => other !== name)];
}

function personMeant(talk: Talk, sex: 'he' | 'she'): string | undefined {
  return talk.persons.find((name) => (talk.sexes.get(name) ?? sex) === sex);
}
