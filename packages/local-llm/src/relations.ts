import { type Clause, clausesOf } from './clauses.ts';
import type { Sentence } from './language.ts';
import { type EntityKind, kindByShape } from './name-kinds.ts';
import type { NamedEntity, Names, Span } from './names.ts';
import { bondsIn } from './noun-relations.ts';
import { framed } from './predicates.ts';
import { meet, type Relation, ROLE_LABEL, type Subject, type Talk } from './talk.ts';

/**
 * The facts that sentences state. `he` and `she` stand for the person last named, `I` for the
 * speaker of the line. Questions, conditions, possibilities and negations state nothing.
 */
export function findRelations(
  sentences: readonly Sentence[],
  names: Names,
  {
    saidAt = null,
    lastPerson = null,
    lastPlace = null,
    user = null,
  }: {
    saidAt?: string | null;
    lastPerson?: string | null;
    lastPlace?: string | null;
    user?: string | null;
  } = {},
): Relation[] {
  const kinds = new Map(names.entities.map(({ name, kind }) => [name, kind]));
  if (lastPlace !== null && !kinds.has(lastPlace)) kinds.set(lastPlace, 'place');
  const talk: Talk = {
    names,
    kinds,
    saidAt,
    persons: lastPerson === null ? [] : [lastPerson],
    sexes: new Map(),
    user: user ?? onlySpeaker(sentences),
    lastProject: null,
    lastOwner: null,
    lastPlace,
    kin: new Map(),
  };
  const relations = new Map<string, Relation>();
  for (const sentence of sentences) {
    if (!sentence.isProse || sentence.tongue !== 'en') continue;
    const spans = names.spans[sentence.index] ?? [];
    const told = relationsIn(talk, sentence, spans);
    for (const relation of told) {
      const key = JSON.stringify([relation.subject, relation.predicate, relation.object]);
      const before = relations.get(key);
      if (relation.subject === relation.object) continue;
      // "I live in Berlin. I moved there in 2016." is one fact, and the second has its date.
      const isFuller =
        before?.validAt === null && before.invalidAt === null && relation.validAt !== null;
      if (before === undefined || isFuller) relations.set(key, relation);
      // Its end, or another date, is said later: both count, in their order.
      else if (isOther(relation, before))
        relations.set(`${key} ${relation.validAt} ${relation.invalidAt}`, relation);
    }
    // The sentence's first person is mostly its subject, and the next "she" mostly its subject
    // again.
    for (const { entity } of spans.toReversed())
      if (kinds.get(entity) === 'person' && entity !== sentence.speaker) meet(talk, entity);
    // "There" means a town, not a cathedral or a street.
    const place = spans.findLast(
      ({ entity }) => kinds.get(entity) === 'place' && kindByShape(entity) !== 'place',
    );
    if (place !== undefined) talk.lastPlace = place.entity;
    const project = spans.find(({ entity }) => kinds.get(entity) === 'project');
    if (project !== undefined) talk.lastProject = project.entity;
  }
  return [...relations.values()];
}

function isOther(relation: Relation, before: Relation): boolean {
  if (relation.invalidAt !== null && before.invalidAt === null) return true;
  return relation.validAt !== null && relation.validAt !== before.validAt;
}

/** The one speaker with a name, to whom an agent says "you"; null where several speak. */
function onlySpeaker(sentences: readonly Sentence[]): string | null {
  const named = new Set(
    sentences.flatMap(({ speaker }) =>
      speaker === null || ROLE_LABEL.test(speaker) ? [] : [speaker],
    ),
  );
  return named.size === 1 ? ([...named][0] ?? null) : null;
}

/** Kind of a name by its relation, if nothing else shows it. */
const OBJECT_KINDS: readonly (readonly [RegExp, EntityKind])[] = [
  [/^(works at|founded|acquired)$/, 'organization'],
  [
    /^(lives in|born in|grew up in|moved to|comes from|visited|plans to visit|located in)$|capital of$/,
    'place',
  ],
  [/^has (client|customer|supplier|vendor|employer|company|team)$/, 'organization'],
  [
    /^(founded|led|written|invented|discovered) by$|^(married to|met|dating|knows|reports to|joins|has (?!favourite).+)$/,
    'person',
  ],
  [/^(uses|runs on|depends on|written in|hosted on|owns)$/, 'object'],
  [/^(works on|leads)$/, 'project'],
];

/** The entities with kinds their relations tell, and those that only relations name. */
export function refineKinds(names: Names, relations: readonly Relation[]): readonly NamedEntity[] {
  const told = new Map<string, EntityKind>();
  for (const { object, predicate, objectIsName } of relations) {
    const kind = OBJECT_KINDS.find(([pattern]) => pattern.test(predicate))?.[1];
    if (objectIsName && kind !== undefined && !told.has(object)) told.set(object, kind);
  }
  const named = names.entities.map((entity) =>
    entity.kind === 'other' ? { ...entity, kind: told.get(entity.name) ?? 'other' } : entity,
  );
  const known = new Set(named.map(({ name }) => name));
  const more = new Map<string, NamedEntity>();
  for (const { subject, object, objectIsName, predicate, sentence } of relations) {
    const kind: EntityKind = objectIsName
      ? (told.get(object) ?? 'other')
      : VALUE_KIND.test(predicate)
        ? 'event'
        : 'other';
    for (const [name, own] of [
      [subject, 'person'],
      [object, kind],
    ] as const)
      if (!known.has(name) && !more.has(name))
        more.set(name, { name, kind: own, sentences: [sentence], mentions: 1 });
  }
  return [...named, ...more.values()];
}
const VALUE_KIND =
  /^has (birthday|anniversary|deadline|due date|launch|release|wedding|appointment|exam|interview|demo|kickoff|go-live|flight)/;

function relationsIn(talk: Talk, sentence: Sentence, named: readonly Span[]): Relation[] {
  const { spans, clauses } = withThere(talk, named, clausesOf(sentence, named));
  const whole = clauses.map(({ text }) => text).join(' , ');
  if (clauses.length === 0) return [];
  const stated = clauses.filter(({ isAsked }) => !isAsked);
  const found = stated.length > 0 ? bondsIn(talk, sentence, spans, joinedClause(stated)) : [];
  let subjects: readonly Subject[] = [];
  const dated: { relations: Relation[]; clause: Clause }[] = [];
  for (const clause of clauses) {
    const before = dated.at(-1)?.clause.text ?? '';
    const person = [...before.matchAll(/⟨(\d+)⟩/g)]
      .flatMap(([, index]) => spans[Number(index)]?.entity ?? [])
      .find((entity) => talk.kinds.get(entity) === 'person');
    if (person !== undefined) meet(talk, person);
    const said = framed(talk, sentence, spans, clause, subjects);
    if (said.subjects.length > 0) subjects = said.subjects;
    dated.push({ relations: said.relations, clause });
  }
  return [...found, ...dated.flatMap(({ relations }) => relations)].filter(
    ({ text }) => text !== '' && whole !== '',
  );
}

const THERE = /\b(?<verb>lives?|living|lived|moved?|moving|fly|flying|flew|go|going|went) there\b/;

/** "She moved there": to the place named last. */
function withThere(
  { lastPlace }: Talk,
  spans: readonly Span[],
  clauses: readonly Clause[],
): { spans: readonly Span[]; clauses: readonly Clause[] } {
  const first = spans[0];
  if (lastPlace === null || !clauses.some(({ text }) => THERE.test(text)))
    return { spans, clauses };
  const there = { sentence: first?.sentence ?? 0, start: -1, end: -1, entity: lastPlace };
  return {
    spans: [...spans, there],
    clauses: clauses.map((clause) => ({
      ...clause,
      text: clause.text.replace(
        THERE,
        (_all, verb: string) => `${verb} ${verb.startsWith('l') ? 'in' : 'to'} ⟨${spans.length}⟩`,
      ),
    })),
  };
}

function joinedClause(clauses: readonly Clause[]): Clause {
  return {
    text: clauses.map(({ text }) => text).join(' , '),
    words: clauses.flatMap(({ words }, index) => (index === 0 ? words : [',', ...words])),
    isStated: true,
    isAsked: false,
  };
}
