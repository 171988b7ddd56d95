import type { Language, ParsedText } from './language.ts';
import { ENTITY_KINDS, type EntityKind, kindByShape } from './name-kinds.ts';
import { findNames, type KnownName, type NamedEntity } from './names.ts';
import type { Reading } from './prompt.ts';
import { type RankedText, weighText } from './rank.ts';
import { findRelations, refineKinds } from './relations.ts';
import { type Statement, statementsIn } from './statements.ts';
import { type Relation, ROLE_LABEL } from './talk.ts';

/** A text with its findings. Names and relations are computed on first use. */
export interface Source {
  readonly reading: Reading;
  readonly parsed: ParsedText;
  readonly ranked: RankedText;
  entities(): readonly NamedEntity[];
  relations(): readonly Relation[];
  statements(): readonly Statement[];
}

type Found = Readonly<{
  entities: readonly NamedEntity[];
  relations: readonly Relation[];
  statements: readonly Statement[];
}>;

export function openSource(language: Language, reading: Reading): Source {
  const parsed = language.parse(reading.material);
  const ranked = weighText(parsed.sentences);
  let found: Found | null = null;
  const find = () => {
    if (found !== null) return found;
    const earlier = readEarlier(language, reading);
    const listed = listedNames(reading);
    const names = findNames(parsed.sentences, [...listed, ...earlier.persons]);
    const relations = findRelations(parsed.sentences, names, {
      saidAt: reading.saidAt,
      lastPerson: earlier.lastPerson,
      lastPlace: earlier.lastPlace,
      user: earlier.user,
    });
    const statements = statementsIn(parsed.sentences, names, reading.saidAt);
    found = { entities: refineKinds(names, relations), relations, statements };
    return found;
  };
  return {
    reading,
    parsed,
    ranked,
    entities: () => find().entities,
    relations: () => find().relations,
    statements: () => find().statements,
  };
}

/** The names that the prompt lists as known: one a line, "Phoenix (Project): …". */
function listedNames({ aside }: Reading): KnownName[] {
  return `${aside['known'] ?? ''}\n${aside['entities'] ?? ''}`
    .split('\n')
    .map((line) => {
      const { name = '', category } = LISTED.exec(line.trim())?.groups ?? {};
      const kind = ENTITY_KINDS.find((one) => one === category?.toLowerCase());
      return { name: name.trim(), ...(kind === undefined ? {} : { kind }) };
    })
    .filter(({ name }) => name !== '')
    .slice(0, 200);
}
const LISTED = /^(?:[-*] )?(?<name>[^:()]{1,100})(?:\((?<category>\w+)\))?(?::|$)/;

/** Reads the text before the material, for names that "she", "there" and "Ben" may mean. */
function readEarlier(language: Language, { aside }: Reading) {
  const before = (aside['earlier'] ?? aside['before'] ?? '').slice(-EARLIER_CHARS_MAX);
  const { sentences } = language.parse(before);
  const speakers = new Set(sentences.map(({ speaker }) => speaker));
  const found = findNames(sentences).entities;
  const last = (kind: EntityKind): string | null =>
    found
      .filter((entity) => entity.kind === kind && !speakers.has(entity.name))
      .filter(({ name }) => kind !== 'place' || kindByShape(name) !== 'place')
      .sort((left, right) => (left.sentences.at(-1) ?? 0) - (right.sentences.at(-1) ?? 0))
      .at(-1)?.name ?? null;
  return {
    lastPerson: last('person'),
    lastPlace: last('place'),
    user: [...speakers].find((name) => name !== null && !ROLE_LABEL.test(name)) ?? null,
    persons: found.filter(({ name, kind }) => kind === 'person' && name.includes(' ')),
  };
}
const EARLIER_CHARS_MAX = 1_500;
