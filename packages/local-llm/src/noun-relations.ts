import { BONDS, FAVOURITES, isPet, readValue, singular, VALUES } from './bonds.ts';
import type { Clause } from './clauses.ts';
import { datesIn, saidAs } from './dates.ts';
import type { Sentence } from './language.ts';
import type { Span } from './names.ts';
import { ARTICLE, phraseOf, type Relation, subjectOf, type Talk } from './talk.ts';

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
    for (const { groups } of clause.text.matchAll(pattern)) {
      const { owner = '', noun = '', names = '' } = groups ?? {};
      const own = subjectOf(talk, sentence, spans, owner.replace(/ 's$/, ''));
      if (own === null) continue;
      const word = singular(noun);
      for (const [, index] of names.matchAll(/⟨(\d+)⟩/g)) {
        const object = spans[Number(index)]?.entity;
        if (object === undefined || object === own.entity) continue;
        if (owner === 'my') talk.kin.set(`my ${word}`, object);
        const text = isPet(noun)
          ? `${own.entity} has a ${word} called ${object}.`
          : own.isTeam
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
    const object = entity ?? phraseOf(clause, phrase ?? '')?.replace(ARTICLE, '');
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
  for (const match of clause.text.matchAll(VALUES))
    relations.push(...valued(talk, sentence, spans, clause, match));
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
