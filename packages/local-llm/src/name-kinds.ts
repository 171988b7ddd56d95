import nlp from 'compromise';
import type { Token } from './language.ts';

export const ENTITY_KINDS = [
  'person',
  'place',
  'organization',
  'project',
  'event',
  'object',
  'other',
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

const ORGANIZATION_END =
  /^(inc|ltd|llc|plc|corp|corporation|company|co|gmbh|ag|sa|srl|spa|university|institute|foundation|agency|bank|group|labs?|laboratory|laboratories|college|school|hospital|association|union|ministry|department|committee|council|dynamics|systems|technologies|industries|airlines|press|society|academy|bakery|clinic|studio|studios|partners|ventures|logistics|energy|media|bistro|brewery)\.?$/i;
const PLACE_END =
  /^(river|lake|mountains?|island|islands|street|avenue|road|square|bay|ocean|sea|valley|county|city|park|bridge|airport|beach|station|castle|cathedral|museum|garden|gardens|falls|forest|canyon|trail|hall|tower|palace|harbou?r)$/i;
const EVENT_END =
  /^(festival|marathon|conference|conf|summit|olympics|cup|championship|workshop|hackathon|fair|expo|gala|day|days|week|retreat|tournament)$/i;
const TITLE = /^(mr|mrs|ms|dr|prof|professor|sir|lady|president|minister|captain|aunt|uncle)\.?$/i;
const EVENTS = /^(christmas|easter|thanksgiving|halloween|ramadan|hanukkah|diwali|carnival)$/i;

/** The kind that the words of a name show. */
export function kindByShape(name: string): EntityKind {
  const words = name.split(' ');
  const last = words.at(-1) ?? '';
  if (TITLE.test(words[0] ?? '') && words.length > 1) return 'person';
  if (EVENTS.test(name)) return 'event';
  if (/^v?\d|[+#\d]$|\.(js|io|NET)$|^\.NET$/.test(last)) return 'object';
  if (/^(University|Institute|Ministry|Bank|College|Academy|Museum) of\b/.test(name))
    return 'organization';
  if (
    /^(?:Universidad|Instituto|Grupo|Banco|Escuela|Ministerio|Fundación|Universität|Hochschule) /.test(
      name,
    )
  )
    return 'organization';
  if (/^(Mount|Lake|Cape|Port|Fort) /.test(name)) return 'place';
  if (words.length < 2) return 'other';
  if (ORGANIZATION_END.test(last)) return 'organization';
  if (PLACE_END.test(last)) return 'place';
  if (EVENT_END.test(last)) return 'event';
  return 'other';
}

const lexicon = new Map<string, EntityKind>();
const LEXICON_MAX = 10_000;

/** The kind by compromise's lists of first names, cities, countries and companies. */
export function lexiconKind(name: string): EntityKind {
  const before = lexicon.get(name);
  if (before !== undefined) return before;
  const tags = (nlp(name).json() as { terms: { tags: string[] }[] }[]).flatMap(({ terms }) =>
    terms.map(({ tags: own }) => own),
  );
  const all = (tag: string): boolean => tags.length > 0 && tags.every((own) => own.includes(tag));
  const kind: EntityKind = all('Organization')
    ? 'organization'
    : all('Place')
      ? 'place'
      : // A last name alone is as often a thing: Jenkins, Ford.
        tags[0]?.includes('FirstName') === true && (tags.length === 2 || all('Person'))
        ? 'person'
        : 'other';
  if (lexicon.size >= LEXICON_MAX) lexicon.clear();
  lexicon.set(name, kind);
  return kind;
}

/** he or she, where a first name shows it. */
export function sexOf(name: string): 'he' | 'she' | null {
  const terms = (nlp(name).json() as { terms: { tags: string[] }[] }[])[0]?.terms ?? [];
  const tags = terms[0]?.tags ?? [];
  return tags.includes('FemaleName') ? 'she' : tags.includes('MaleName') ? 'he' : null;
}

const PERSON_NOUNS =
  'sister brother mother father mom mum dad wife husband partner girlfriend boyfriend fiancé ' +
  'fiancée son daughter cousin aunt uncle niece nephew grandmother grandfather grandma ' +
  'grandpa friend colleague boss manager neighbour neighbor teammate coworker landlord doctor ' +
  'dentist teacher mentor coach client roommate flatmate therapist intern designer developer ' +
  'engineer lead';
const ANIMALS = 'dog dogs cat cats puppy kitten hamster rabbit parrot horse';
/**
 * Nouns that name the kind of the name after or before them: "the Phoenix project", "my sister
 * Ines".
 */
const KIND_NOUNS: readonly (readonly [ReadonlySet<string>, EntityKind])[] = [
  [new Set(`${PERSON_NOUNS} ${ANIMALS}`.split(' ')), 'person'],
  [new Set('city town village country region island province'.split(' ')), 'place'],
  [
    new Set(
      (
        'company startup employer bank firm agency team restaurant clinic bakery shop studio ' +
        'school club band choir orchestra office'
      ).split(' '),
    ),
    'organization',
  ],
  [new Set('project initiative codename repo repository'.split(' ')), 'project'],
  [new Set('conference festival concert workshop'.split(' ')), 'event'],
  [
    new Set(
      (
        'library framework language tool database app service book novel movie film album game ' +
        'car bike server cluster'
      ).split(' '),
    ),
    'object',
  ],
];

/** Verbs whose subject is a person, whatever else is not known of it. */
export const PERSON_VERBS = new Set(
  (
    'announced announces told explained mentioned texted phoned said says thinks thought asked ' +
    'asks told wants wanted likes loves hates prefers feels knows hopes believes approves ' +
    'approved maintains reviews reviewed joined quit resigned married speaks sings plays cooks ' +
    'studies studied lives lived moved works worked born joining speaking studying living'
  ).split(' '),
);

/** The kind that the words around a name show; null where they show none. */
export function kindByContext(
  tokens: readonly Token[],
  start: number,
  end: number,
): EntityKind | null {
  const at = (index: number): string => tokens[index]?.lower ?? '';
  const quoted = /^["'“`«]$/.test(at(start - 1)) ? 1 : 0;
  const before = at(start - 1 - quoted);
  const after = at(end + quoted);
  // "the Phoenix project", but not "Phoenix, project of the year".
  const named = KIND_NOUNS.find(([nouns]) => nouns.has(after))?.[1];
  if (named !== undefined && named !== 'person') return named;
  const noun = /^(called|named|,)$/.test(before) ? at(start - 2 - quoted) : before;
  const said = KIND_NOUNS.find(([nouns]) => nouns.has(noun))?.[1];
  if (said !== undefined) return said;
  const lead = `${at(start - 2 - quoted)} ${before}`;
  if (
    /^(work|works|worked|working) (for|at)$|\b(joined|join|joining)$|^(ceo|cto|founder|employee) (of|at)$/.test(
      lead,
    )
  )
    return 'organization';
  if (
    /^(live|lives|lived|living|born|based|moved|move|moving|flew|fly|flying|travelled|traveled|trip|flight|holiday|vacation|drive|train|back|weekend|grew up) (in|to|near|from)$/.test(
      lead,
    )
  )
    return 'place';
  if (
    (tokens[start - 1]?.pos !== 'ADP' && PERSON_VERBS.has(after)) ||
    (/^(will|wo|is|was)$/.test(after) && PERSON_VERBS.has(at(end + 1)))
  )
    return 'person';
  // Two words that no dictionary has: "Sana Iqbal".
  const both = tokens.slice(start, end);
  if (both.length === 2 && both.every(({ text, known }) => !known && /^\p{Lu}\p{Ll}+$/u.test(text)))
    return lexiconKind(both.map(({ text }) => text).join(' ')) === 'other' ? 'person' : null;
  if (/^(married|dating|met)$/.test(before) || /^(married|engaged) to$/.test(lead)) return 'person';
  return null;
}
