import type { Clause } from './clauses.ts';
import { datesIn, saidAs } from './dates.ts';
import type { Sentence } from './language.ts';
import type { Span } from './names.ts';
import { type Relation, stopped, subjectOf, type Talk } from './talk.ts';

const NOUN = '(?<noun>start|first day|move|moving)(?: day| date)?';
const DATE_CHANGES = [
  // "Globex moved my start to 15 April".
  '(?:⟨(?<by>\\d+)⟩|i|we|they|he|she) (?:have |has ' +
    `)?(?:moved|pushed|postponed|delayed|shifted|changed) (?:my|our|the) ${NOUN}(?: back| ` +
    'forward| up)? (?:to|until|till) ',
  // "The move is on 29 March, not the 22nd".
  `(?:my|our|the) ${NOUN} (?:(?:is|will be)(?: now)?(?: on| at)?|(?:is|was|has been|got) ` +
    '(?:moved|pushed|postponed|delayed|shifted|changed) to) ',
].map((pattern) => new RegExp(`^(?:and |so |but )?${pattern}`, 'u'));

type Kind = 'start' | 'move';

/** Whether a relation tells of a start or a move, which a later sentence may give another date. */
function kindOf({ predicate, text, subject }: Relation): Kind | null {
  if (predicate === 'plans to move to') return 'move';
  return predicate === 'works at' && text.startsWith(`${subject} starts at `) ? 'start' : null;
}

/** Remembers the plans that a later sentence may give another date. */
export function keepPlans(talk: Talk, relations: readonly Relation[]): void {
  for (const relation of relations) {
    const kind = kindOf(relation);
    if (kind !== null) talk.plans.set(kind, relation);
  }
}

/** A start or a move with the date to which a clause changes it. */
export function datesChanged(
  talk: Talk,
  sentence: Sentence,
  spans: readonly Span[],
  clause: Clause,
): Relation[] {
  if (!clause.isStated) return [];
  const groups = DATE_CHANGES.map((pattern) => pattern.exec(clause.text)?.groups).find(Boolean);
  const [date] = groups === undefined ? [] : datesIn(clause.text, talk.saidAt, 'future');
  if (groups === undefined || date === undefined) return [];
  const kind = groups['noun']?.startsWith('mov') === true ? 'move' : 'start';
  const by = spans[Number(groups['by'] ?? -1)]?.entity;
  const employer = kind === 'start' && talk.kinds.get(by ?? '') !== 'person' ? by : undefined;
  const plan = talk.plans.get(kind);
  const subject = plan?.subject ?? subjectOf(talk, sentence, spans, 'i')?.entity;
  const object = employer ?? plan?.object;
  if (subject === undefined || object === undefined) return [];
  const says = kind === 'move' ? 'plans to move to' : 'starts at';
  return [
    {
      subject,
      predicate: kind === 'move' ? 'plans to move to' : 'works at',
      object,
      objectIsName: true,
      sentence: sentence.index,
      text: stopped(`${subject} ${says} ${object} ${saidAs({ ...date, role: 'on' })}`),
      validAt: date.at,
      invalidAt: null,
    },
  ];
}
