import { ENTITY_KINDS, type EntityKind } from './name-kinds.ts';

/** A property name as words without case: `entityTypeId` → `entity type id`. */
export function wordsOfName(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .trim()
    .toLowerCase();
}

export const LIST_ROLES = [
  'entities',
  'relations',
  'statements',
  'keywords',
  'sentences',
  'questions',
  'dates',
  'numbers',
  'links',
  'emails',
] as const;
export type ListRole = (typeof LIST_ROLES)[number];

const LISTS: readonly (readonly [RegExp, ListRole])[] = [
  [
    /\b(entities|entity|people|persons|places|locations|cities|countries|organi[sz]ations|companies|names|characters|nodes|participants|speakers)\b/,
    'entities',
  ],
  [/\b(statements|claims)\b/, 'statements'],
  [/\b(facts?|relations?|relationships?|edges|triples|triplets|connections)\b/, 'relations'],
  [/\b(keywords?|keyphrases?|topics|tags|terms|themes|subjects|labels|categories)\b/, 'keywords'],
  [/\b(questions)\b/, 'questions'],
  [/\b(dates|times|years|deadlines)\b/, 'dates'],
  [/\b(numbers|amounts|figures|prices)\b/, 'numbers'],
  [/\b(urls?|links|websites)\b/, 'links'],
  [/\b(emails?|addresses)\b/, 'emails'],
  [
    /\b(bullets?|points|highlights|sentences|takeaways|summaries|insights|findings|quotes|excerpts|lessons|decisions|items|notes|observations|actions|tasks)\b/,
    'sentences',
  ],
];

export function listRole(name: string): ListRole | null {
  const words = wordsOfName(name);
  return LISTS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** Lists that want one kind of name only. */
export function entityKindOf(name: string): EntityKind | null {
  const words = wordsOfName(name);
  return KIND_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

const KIND_WORDS: readonly (readonly [RegExp, EntityKind])[] = [
  [
    /\b(people|persons?|characters?|participants?|speakers?|authors?|founders?|employees?|who|human)\b/,
    'person',
  ],
  [
    /\b(places?|locations?|cit(y|ies)|countr(y|ies)|where|gpe|loc|town|venue|birthplace)\b/,
    'place',
  ],
  [
    /\b(organi[sz]ations?|compan(y|ies)|org|employers?|firms?|institutions?|business)\b/,
    'organization',
  ],
];
/** Members of an enum that name a kind; as names of lists these words mean other things, too. */
const KIND_MEMBERS: readonly (readonly [RegExp, EntityKind])[] = [
  ...KIND_WORDS,
  [/\b(projects?|initiatives?)\b/, 'project'],
  [/\bevents?\b/, 'event'],
  [/\b(objects?|products?|tools?|software)\b/, 'object'],
];

/** The member of an enum that names a kind of entity; an "other" member where none does. */
export function enumForKind(kind: EntityKind, members: readonly unknown[]): unknown {
  const texts = members.filter((member): member is string => typeof member === 'string');
  return (
    texts.find((member) =>
      KIND_MEMBERS.some(([pattern, its]) => its === kind && pattern.test(wordsOfName(member))),
    ) ?? otherMember(texts)
  );
}

export function otherMember(texts: readonly string[]): string | undefined {
  return texts.find((member) =>
    /^(other|others|misc|miscellaneous|unknown|none|thing|entity|concept|object|general|neutral|topic|n\/a)$/.test(
      wordsOfName(member),
    ),
  );
}

export const KIND_LABELS: Readonly<Record<EntityKind, string>> = {
  person: 'Person',
  place: 'Place',
  organization: 'Organization',
  project: 'Project',
  event: 'Event',
  object: 'Object',
  other: 'Other',
};

export function isEntityKind(text: string): text is EntityKind {
  return (ENTITY_KINDS as readonly string[]).includes(text);
}
