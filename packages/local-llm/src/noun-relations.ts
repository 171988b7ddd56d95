import {
  BONDS,
  BY,
  FAVOURITES,
  isFirm,
  isOfTeam,
  isPet,
  PASSIVES,
  readValue,
  singular,
  VALUES,
} from './bonds.ts';
import type { Clause } from './clauses.ts';
import { datesIn, saidAs } from './dates.ts';
import type { Sentence } from './language.ts';
import type { Span } from './names.ts';
import { ARTICLE, phraseOf, type Relation, type Subject, subjectOf, type Talk } from './talk.ts';

const SHE =
  /^(sister|mother|mom|mum|wife|girlfriend|fiancée|daughter|aunt|niece|grandmother|grandma|stepmother|landlady)$/;
const HE =
  /^(brother|father|dad|husband|boyfriend|fiancé|son|uncle|nephew|grandfather|grandpa|stepfather)$/;

/** "my sister Ines", "the deadline for Phoenix is Friday". */
export function bondsIn(
  talk: Talk,
  sentence: Sentence,
  spans: readonly Span[],
  clause: Clause,
): Relation[] {
  const relations: Relation[] = [];
  const base = { sentence: sentence.index, validAt: null, invalidAt: null };
  for (const pattern of BONDS) {
    for (const { groups, index } of clause.text.matchAll(pattern)) {
      const { owner = '', noun = '', names = '' } = groups ?? {};
      const own = ownerOf(talk, sentence, spans, clause.text.slice(0, index), owner);
      if (own === null) continue;
      const word = singular(noun);
      for (const [, index] of names.matchAll(/⟨(\d+)⟩/g)) {
        const object = spans[Number(index)]?.entity;
        if (object === undefined || object === own.entity) continue;
        if (isNoOne(object, talk.kinds.get(object), noun)) continue;
        if (SHE.test(word)) talk.sexes.set(object, 'she');
        if (HE.test(word)) talk.sexes.set(object, 'he');
        if (owner === 'my') talk.kin.set(`my ${word}`, object);
        const text = isPet(noun)
          ? `${own.entity} has a ${word} called ${object}.`
          : own.isTeam && isOfTeam(noun)
            ? `${object} is a ${word} of ${possessive(own.entity)} team.`
            : `${object} is ${possessive(own.entity)} ${word}.`;
        if (relations.some((one) => one.text === text)) continue;
        relations.push({
          ...base,
          subject: own.entity,
          predicate: isPet(noun) ? 'has pet' : `has ${word}`,
          object,
          objectIsName: true,
          text,
        });
      }
    }
  }
  for (const { groups } of clause.text.matchAll(FAVOURITES)) {
    const { owner = '', noun = '', name, phrase } = groups ?? {};
    const own = subjectOf(talk, sentence, spans, owner.replace(/ 's$/, ''));
    const entity = spans[Number(/\d+/.exec(name ?? '')?.[0] ?? -1)]?.entity;
    const object = entity ?? phraseOf(clause, phrase ?? '', sentence)?.replace(ARTICLE, '');
    if (own === null || object === undefined) continue;
    const text = `${possessive(own.entity)} favourite ${noun} is ${object}.`;
    const objectIsName = entity !== undefined;
    relations.push({
      ...base,
      subject: own.entity,
      predicate: `has favourite ${noun}`,
      object,
      objectIsName,
      text,
    });
  }
  relations.push(...passives(talk, sentence, spans, clause));
  for (const match of clause.text.matchAll(VALUES))
    relations.push(...valued(talk, sentence, spans, clause, match));
  return relations;
}

/** "My boss is Cornish"; "I'm in Rome, my husband is at home". */
function isNoOne(name: string, kind: string | undefined, noun: string): boolean {
  if (OF_COUNTRY.test(name)) return true;
  if (kind === 'place' || kind === 'event') return !isPet(noun);
  return kind === 'organization' && !isFirm(noun);
}

const OF_COUNTRY =
  /^(?:\p{L}{2,}(?:ish|ese)|German|French|Dutch|Greek|Swiss|Czech|Welsh|Italian|Indian|Russian|Brazilian|Canadian|Australian|Austrian|American|Mexican|Korean|African|European|Asian|Jewish|Muslim|Catholic|Christian|Ukrainian|Norwegian)$/u;

/** "its" is of the thing named before it; "the dogs" are the speaker's. */
function ownerOf(
  talk: Talk,
  sentence: Sentence,
  spans: readonly Span[],
  before: string,
  owner: string,
): Subject | null {
  if (owner === 'the') return subjectOf(talk, sentence, spans, 'i');
  if (owner !== 'its') return subjectOf(talk, sentence, spans, owner.replace(/ 's$/, ''));
  const things = [...before.matchAll(/⟨(\d+)⟩/g)]
    .flatMap(([, index]) => spans[Number(index)]?.entity ?? [])
    .filter((entity) => talk.kinds.get(entity) !== 'person');
  const entity = things.at(-1);
  return entity === undefined ? null : { entity, isTeam: false };
}

/** "ORC-1, assigned to Ada", "Middlemarch by George Eliot". */
function passives(
  talk: Talk,
  sentence: Sentence,
  spans: readonly Span[],
  clause: Clause,
): Relation[] {
  const relations: Relation[] = [];
  for (const pattern of [PASSIVES, BY]) {
    for (const { groups } of clause.text.matchAll(pattern)) {
      const [first, name] = [groups?.['first'], groups?.['name']].map(
        (index) => spans[Number(index)]?.entity,
      );
      if (first === undefined || name === undefined || first === name) continue;
      const kinds = [first, name].map((entity) => talk.kinds.get(entity) ?? 'other');
      // A work is by a person; "Ada by Bob" would be anything.
      if (pattern === BY && (kinds[0] === 'person' || !/^(person|other)$/.test(kinds[1] ?? '')))
        continue;
      const words = groups?.['verb'] === undefined ? 'by' : `${groups['verb']} ${groups['prep']}`;
      relations.push({
        subject: first,
        predicate: words === 'by' ? 'created by' : words,
        object: name,
        objectIsName: true,
        sentence: sentence.index,
        text: words === 'by' ? `${first} is by ${name}.` : `${first} was ${words} ${name}.`,
        validAt: null,
        invalidAt: null,
      });
    }
  }
  return relations;
}

function possessive(name: string): string {
  return `${name}'s`;
}

function valued(
  talk: Talk,
  sentence: Sentence,
  spans: readonly Span[],
  clause: Clause,
  { groups }: RegExpMatchArray,
): Relation[] {
  const { owner = '', noun = '', of, value: raw = '' } = groups ?? {};
  const value = readValue(raw);
  if (value === null) return [];
  const ofName = /⟨\d+⟩/.exec(of ?? '')?.[0];
  const word = ofName ?? owner.replace(/ 's$/, '');
  const direct = subjectOf(talk, sentence, spans, word)?.entity;
  const about = talk.lastOwner ?? talk.lastProject;
  const speaker = subjectOf(talk, sentence, spans, 'i')?.entity;
  const entity = direct ?? (/^(the|its)$/.test(owner) ? (about ?? speaker) : undefined);
  if (entity === undefined) return [];
  talk.lastOwner = entity;
  const object = `${possessive(entity)} ${noun}`;
  const purpose = of !== undefined && ofName === undefined ? ` for ${of}` : '';
  const [date] = datesIn(value, talk.saidAt, 'future');
  const at = clause.text.indexOf(value);
  const before = at <= 0 ? 0 : clause.text.slice(0, at).trim().split(' ').length;
  const written = clause.words
    .slice(before, before + value.split(' ').length)
    .join(' ')
    .replace(/ ([,.:%])/g, '$1');
  const says =
    date !== undefined &&
    /day|date|deadline|launch|release/.test(noun) &&
    !/^\d{1,2}|\d{4}/.test(value)
      ? saidAs(date)
      : written;
  return [
    {
      subject: entity,
      predicate: `has ${noun}`,
      object,
      objectIsName: false,
      sentence: sentence.index,
      text: `${object}${purpose} is ${says}.`,
      validAt: null,
      invalidAt: null,
    },
  ];
}
