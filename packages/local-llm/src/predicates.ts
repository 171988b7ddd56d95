import { type Clause, isVerbal } from './clauses.ts';
import { entryOf } from './entry-of.ts';
import { timesOf } from './fact-times.ts';
import { FRAMES, type Frame } from './frames.ts';
import type { Sentence } from './language.ts';
import type { EntityKind } from './name-kinds.ts';
import type { Span } from './names.ts';
import {
  ARTICLE,
  objectsOf,
  phraseOf,
  type Relation,
  type Said,
  type Subject,
  stopped,
  subjectOf,
  type Talk,
} from './talk.ts';
import { wordRelation } from './verb-relations.ts';

const SUBJECT =
  /(?<![\p{L}⟩])(?:(?<before>of|from|in|at|with|for|to|by|on|about|than|like|as|via)(?: (?:the|a|my|our|his|her|their|its))? )?(?<subject>⟨\d+⟩(?:(?: ,| and| , and) ⟨\d+⟩)*|i|we|he|she|you|my (?:[a-z]+ )?[a-z]+(?= (?:is|was|has|lives|works|moved|joined|plays|left|loves|likes|hates|owns|bought)))(?= )/gu;

/** The fact of a clause: its first subject that a frame follows, or the subject before it. */
export function framed(
  talk: Talk,
  sentence: Sentence,
  spans: readonly Span[],
  clause: Clause,
  inherited: readonly Subject[],
): { relations: Relation[]; subjects: readonly Subject[] } {
  let first: readonly Subject[] = [];
  if (inherited.length > 0 && isVerbal(clause.text.split(' ')[0] ?? '')) {
    const relations = predicated(talk, sentence, spans, {
      clause,
      rest: clause.text,
      subjects: inherited,
    });
    return { relations, subjects: inherited };
  }
  for (const match of clause.text.matchAll(SUBJECT)) {
    const { before, subject = '' } = match.groups ?? {};
    if (before !== undefined) continue;
    const lead = clause.text.slice(0, match.index).trim().split(' ').at(-1) ?? '';
    const isOpening = first.length === 0 || /^(that|and|,|says|said|thinks|so|yes|no|)$/.test(lead);
    if (!isOpening && /^⟨/.test(subject)) continue;
    const subjects = subject
      .split(/ ?,? and | , /)
      .flatMap((word) => subjectOf(talk, sentence, spans, word.trim()) ?? []);
    // "I" of an unknown speaker: the fact would be told of the next name.
    if (subjects.length === 0) return { relations: [], subjects: [] };
    if (first.length === 0) first = subjects;
    const rest = clause.text
      .slice(match.index + match[0].length)
      .trim()
      // "Sana from Globex asked".
      .replace(/^(?:from|of|at) ⟨\d+⟩ (?=\p{L})/u, '');
    const relations = predicated(talk, sentence, spans, { clause, rest, subjects });
    if (relations.length > 0) return { relations, subjects };
  }
  if (first.length > 0 || inherited.length === 0) return { relations: [], subjects: first };
  const relations = predicated(talk, sentence, spans, {
    clause,
    rest: clause.text,
    subjects: inherited,
  });
  return { relations, subjects: inherited };
}

/** "I love working with kids": what is loved is not working. */
function isCut(phrase: string, clause: string): boolean {
  if (!/^\p{L}+ing(?: time)?$/u.test(phrase)) return false;
  const after = clause.slice(clause.lastIndexOf(phrase) + phrase.length);
  return /^ (?:in|at|on|with|for|to|from|of|about|out|up|by|as|and|when|every)\b/.test(after);
}

const AUXILIARY = /^(?:have|has|had|do|does|did|been|am|is|are|was|were|being) /;
const PERFECT: Readonly<Record<string, string>> = {
  lived: 'lives',
  worked: 'works',
  used: 'uses',
  known: 'knows',
  played: 'plays',
  owned: 'owns',
};

function predicated(
  talk: Talk,
  sentence: Sentence,
  spans: readonly Span[],
  said: Said,
): Relation[] {
  const { clause, subjects } = said;
  if (!clause.isStated || subjects.length === 0) return [];
  const isOver = /\b(?:no longer|used to|any ?more|any longer)\b|^stopped \p{L}+ing\b/u.test(
    said.rest,
  );
  const isDenied = /^(?:\p{L}+ )?(?:not|never)\b/u.test(said.rest);
  if (isDenied && !isOver) return [];
  let rest = said.rest
    .replace(/\b(?:no longer|not|never) /g, '')
    .replace(/^used to (?:be )?/, '')
    .replace(/^stopped (?=\p{L}+ing)/u, '');
  let isPerfect = false;
  let wasPast = false;
  for (;;) {
    const match = FRAMES.map((frame) => ({ frame, match: frame.pattern.exec(rest) })).find(
      ({ frame, match: one }) => one !== null && fits(talk, spans, subjects, frame, one),
    );
    if (match?.match) {
      const one = { match: match.match, frame: match.frame, isOver: isOver || wasPast };
      const more = match.frame.relation === 'PLAYS_IN' ? playing(rest) : null;
      return [one, ...(more === null ? [] : [{ ...more, isOver: one.isOver }])].flatMap((each) =>
        built(talk, sentence, spans, said, each),
      );
    }
    const own = wordRelation(talk, sentence, spans, said, rest, isOver);
    if (own !== null) return own;
    const auxiliary = AUXILIARY.exec(rest)?.[0].trim();
    if (auxiliary === undefined) return [];
    rest = rest.slice(auxiliary.length + 1);
    isPerfect ||= auxiliary === 'have' || auxiliary === 'has';
    wasPast ||= auxiliary === 'was' || auxiliary === 'were' || auxiliary === 'had';
    const [verb = ''] = rest.split(' ');
    const perfect = entryOf(PERFECT, verb);
    if (isPerfect && perfect !== undefined) rest = rest.replace(verb, perfect);
  }
}

/** "I play the cello in an orchestra" is two facts. */
function playing(rest: string): { frame: Frame; match: RegExpExecArray } | null {
  const frame = FRAMES.find(({ relation }) => relation === 'PLAYS');
  const match = frame?.pattern.exec(rest) ?? null;
  return frame === undefined || match === null ? null : { frame, match };
}

function fits(
  { kinds }: Talk,
  spans: readonly Span[],
  subjects: readonly Subject[],
  frame: Frame,
  match: RegExpExecArray,
): boolean {
  const kindOf = (entity: string | undefined): EntityKind => kinds.get(entity ?? '') ?? 'other';
  const object = kindOf(spans[Number(match.groups?.['name'] ?? -1)]?.entity);
  const isOpen = object === 'other' && frame.object !== 'project';
  if (frame.object !== undefined && !isOpen && object !== frame.object) return false;
  if (frame.subject === undefined) return true;
  return subjects.every(({ entity }) => /^(person|other)$/.test(kindOf(entity)));
}

interface Match {
  readonly frame: Frame;
  readonly match: RegExpExecArray;
  readonly isOver: boolean;
}

function built(
  talk: Talk,
  sentence: Sentence,
  spans: readonly Span[],
  { clause, subjects }: Said,
  { frame, match, isOver }: Match,
): Relation[] {
  const { name, first, phrase } = match.groups ?? {};
  const firstEntity = first === undefined ? undefined : spans[Number(first)]?.entity;
  const objects = objectsOf(spans, clause, match[0], name);
  const asWritten = phrase === undefined ? null : phraseOf(clause, phrase, sentence);
  const written = asWritten?.replace(ARTICLE, '') ?? null;
  if (objects.length === 0 && (written === null || isCut(written, clause.text))) return [];
  const isPast = isOver || frame.turn === 'end' || frame.turn === 'past';
  const times = timesOf(talk, clause, frame, isOver);
  const words = isOver ? frame.said : frame.says;
  const relations: Relation[] = [];
  const add = (one: {
    subject: string;
    object: string;
    relation?: string;
    says: string;
    label: string;
    invalidAt?: string | null;
    isName: boolean;
  }): void => {
    relations.push({
      subject: one.subject,
      predicate: (one.relation ?? frame.relation).toLowerCase().replaceAll('_', ' '),
      object: one.object,
      objectIsName: one.isName,
      sentence: sentence.index,
      text: stopped(`${one.label} ${one.says}${times.phrase}`),
      validAt: times.validAt,
      invalidAt: one.invalidAt === undefined ? times.invalidAt : one.invalidAt,
    });
  };
  const targets = objects.length > 0 ? objects : [written ?? ''];
  for (const { entity, isTeam } of subjects) {
    const label = isTeam && frame.ofTeam ? `${entity}'s team` : entity;
    for (const object of targets) {
      const says = words
        .replace('@1', firstEntity ?? '')
        .replace('@#', objects.length > 0 ? object : (asWritten ?? ''))
        .replace('#', asWritten ?? '')
        .replace('@', object);
      add({ subject: entity, object, label, says, isName: objects.length > 0 });
    }
    // Where one moved from, or switched from, ended by that.
    if (firstEntity !== undefined && frame.turn === 'start' && !isPast) {
      const ended = times.validAt ?? talk.saidAt;
      relations.push({
        subject: entity,
        predicate: frame.relation.toLowerCase().replaceAll('_', ' '),
        object: firstEntity,
        objectIsName: true,
        sentence: sentence.index,
        text: stopped(`${label} ${frame.said.replace('@', firstEntity)}`),
        validAt: null,
        invalidAt: ended,
      });
    }
  }
  return relations;
}
