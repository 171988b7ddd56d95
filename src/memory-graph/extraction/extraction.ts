import { z } from 'zod';
import { NAME_CHARS_MAX } from '../../common/limits.ts';
import { firstChars } from '../../common/well-formed.ts';
import { type EntityCategory, isCategory, SUMMARY_CHARS_MAX } from '../entities/entity.ts';
import { nameKey, sentenceKey } from '../entities/name-match.ts';
import type { ExtractedStatement } from '../statements/statement.ts';

/** A model's extraction from a text, without invalid values. */
export interface Extraction {
  readonly entities: readonly ExtractedEntity[];
  readonly facts: readonly ExtractedFact[];
  readonly statements: readonly ExtractedStatement[];
  /** By the name's key: uuid of the known entity that the model says it is. */
  readonly same: ReadonlyMap<string, string>;
  /** By the sentence's key: uuid of the known fact with the same meaning. */
  readonly repeated: ReadonlyMap<string, string>;
  /** By the sentence's key: uuids of known facts that it ends. */
  readonly ended: ReadonlyMap<string, readonly string[]>;
  /** Reasons for which values were left out; stored with the ingest. */
  readonly faults: readonly string[];
}
export interface ExtractedEntity {
  readonly name: string;
  readonly category: EntityCategory | null;
  readonly summary: string;
}
export interface ExtractedFact {
  /** Names, as extracted or known. */
  readonly source: string;
  readonly target: string;
  /** SCREAMING_SNAKE. */
  readonly relation: string;
  readonly fact: string;
  readonly validAt: string | null;
  readonly invalidAt: string | null;
}

export const NOTHING_EXTRACTED: Extraction = {
  entities: [],
  facts: [],
  statements: [],
  same: new Map(),
  repeated: new Map(),
  ended: new Map(),
  faults: [],
};

/** The most entities of one run. A model that returns more repeats itself. */
export const ENTITIES_PER_TURN_MAX = 100;
export const FACTS_PER_TURN_MAX = 200;
export const STATEMENTS_PER_TURN_MAX = 200;
export const STATEMENT_CHARS_MAX = 500;
const FACT_CHARS_MAX = 2_000;
const FAULTS_MAX = 50;

// The Tool's schema checks most of this. An admin may rewrite the Tool, so it is checked again.
const Text = z.string().catch('');
const Entities = z.array(z.object({ name: Text, category: Text, summary: Text }));
const Facts = z.array(
  z
    .object({
      source: Text,
      target: Text,
      relation: Text,
      /** The name of `relation` in the answers of Tools that older versions shipped. */
      relation_type: Text,
      fact: Text,
      valid_at: z.string().nullable().catch(null),
      invalid_at: z.string().nullable().catch(null),
    })
    .transform(({ relation, relation_type, ...one }) => ({
      ...one,
      relation: relation === '' ? relation_type : relation,
    })),
);
const Moment = z.string().nullable().catch(null);
const Statements = z.array(
  z.object({
    text: Text,
    about: z.array(Text).catch([]),
    attribute: Text,
    valid_at: Moment,
    invalid_at: Moment,
    ends: z.array(Text).catch([]),
  }),
);
const Memories = z.object({
  entities: Entities.catch([]),
  facts: Facts.catch([]),
  // Answers of Tools that older versions shipped have none.
  statements: Statements.catch([]),
});
const Resolution = z.object({
  same: z.array(z.object({ name: Text, uuid: Text })).catch([]),
  repeated: z.array(z.object({ fact: Text, uuid: Text })).catch([]),
  ended: z.array(z.object({ fact: Text, uuid: Text })).catch([]),
});
const Output = z.object({ memories: Memories, resolution: Resolution.nullable().catch(null) });
/** The output of runs that were started before one Tool read entities and facts. */
const SeparateOutput = z
  .object({
    entities: z.object({ entities: Entities }).nullable().catch(null),
    facts: z.object({ facts: Facts }).nullable().catch(null),
    resolution: Resolution.nullable().catch(null),
  })
  .transform(({ entities, facts, resolution }) => ({
    memories: { entities: entities?.entities ?? [], facts: facts?.facts ?? [], statements: [] },
    resolution,
  }));

/** Joins the extractions of the parts of one text. Earlier parts take precedence. */
export function joinExtractions(parts: readonly Extraction[]): Extraction {
  const entities = new Map<string, ExtractedEntity>();
  const facts = new Map<string, ExtractedFact>();
  for (const part of parts) {
    for (const { name, category, summary } of part.entities) {
      const key = nameKey(name);
      const before = entities.get(key);
      entities.set(key, {
        name: before?.name ?? name,
        category: before?.category ?? category,
        summary: before?.summary || summary,
      });
    }
    for (const fact of part.facts) {
      const key = JSON.stringify([nameKey(fact.source), nameKey(fact.target), nameKey(fact.fact)]);
      if (!facts.has(key)) facts.set(key, fact);
    }
  }
  const statements = new Map<string, ExtractedStatement>();
  for (const statement of parts.flatMap((part) => part.statements)) {
    const key = sentenceKey(statement.text);
    if (!statements.has(key)) statements.set(key, statement);
  }
  // Map keeps the last value, so the first part comes last.
  const inOrder = parts.toReversed();
  return {
    entities: [...entities.values()],
    facts: [...facts.values()],
    statements: [...statements.values()],
    same: new Map(inOrder.flatMap(({ same }) => [...same])),
    repeated: new Map(inOrder.flatMap(({ repeated }) => [...repeated])),
    ended: new Map(inOrder.flatMap(({ ended }) => [...ended])),
    faults: parts.flatMap(({ faults }) => faults).slice(0, FAULTS_MAX),
  };
}

// Words that are no names; Graphiti's prompt bans them too.
const NO_NAMES =
  /^(i|me|my|you|your|he|him|his|she|her|it|its|we|us|our|they|them|their|this|that|these|those|who|what|which|someone|something|everyone|nobody|user|assistant|today|tomorrow|yesterday|now|n\/a|none|null|unknown)$/;

/**
 * Reads the output of the extraction Process.
 * @param text the run's output; null where it has none
 * @param known names that facts may speak of beside the extracted ones
 */
export function readExtraction(text: string | null, known: readonly string[] = []): Extraction {
  const faults: string[] = [];
  const output = parse(text, faults);
  if (output === null) return { ...NOTHING_EXTRACTED, faults };
  const entities = cleanEntities(output.memories.entities, faults);
  const names = [...entities.map(({ name }) => name), ...known];
  const facts = cleanFacts(output.memories.facts, names, faults);
  const ended = Map.groupBy(output.resolution?.ended ?? [], ({ fact }) => sentenceKey(fact));
  return {
    entities,
    facts,
    statements: cleanStatements(output.memories.statements, faults),
    same: new Map(
      (output.resolution?.same ?? []).map(({ name, uuid }) => [nameKey(name), uuid] as const),
    ),
    repeated: new Map(
      (output.resolution?.repeated ?? []).map(
        ({ fact, uuid }) => [sentenceKey(fact), uuid] as const,
      ),
    ),
    ended: new Map([...ended].map(([key, all]) => [key, all.map(({ uuid }) => uuid)])),
    faults: faults.slice(0, FAULTS_MAX),
  };
}

function parse(text: string | null, faults: string[]): z.infer<typeof Output> | null {
  try {
    const parsed = z.union([Output, SeparateOutput]).safeParse(JSON.parse(text ?? ''));
    if (parsed.success) return parsed.data;
  } catch {
    // Reported below.
  }
  faults.push('The output of the Process is no extraction.');
  return null;
}

function cleanEntities(
  given: readonly { name: string; category: string; summary: string }[],
  faults: string[],
): ExtractedEntity[] {
  const byKey = new Map<string, ExtractedEntity>();
  for (const { name: raw, category: type, summary: text } of given) {
    const name = raw.replace(/\s+/g, ' ').trim();
    const key = nameKey(name);
    if (key === '' || name.length > NAME_CHARS_MAX || NO_NAMES.test(key)) {
      faults.push(`"${firstChars(name, 50)}" is no name.`);
      continue;
    }
    const category = isCategory(type) ? type : null;
    const summary = firstChars(text.trim(), SUMMARY_CHARS_MAX);
    const before = byKey.get(key);
    if (before === undefined && byKey.size >= ENTITIES_PER_TURN_MAX) {
      faults.push(
        `More than ${ENTITIES_PER_TURN_MAX} entities; ${firstChars(name, 50)} is left out.`,
      );
    } else if (before === undefined) byKey.set(key, { name, category, summary });
    else {
      faults.push(`${name} is named more than once.`);
      byKey.set(key, {
        name: before.name,
        category: before.category ?? category,
        summary: before.summary === '' ? summary : before.summary,
      });
    }
  }
  return [...byKey.values()];
}

function cleanFacts(
  given: readonly {
    source: string;
    target: string;
    relation: string;
    fact: string;
    valid_at: string | null;
    invalid_at: string | null;
  }[],
  names: readonly string[],
  faults: string[],
): ExtractedFact[] {
  const known = new Map(names.map((name) => [nameKey(name), name]));
  const facts = new Map<string, ExtractedFact>();
  for (const one of given) {
    const source = known.get(nameKey(one.source));
    const target = known.get(nameKey(one.target));
    const told = one.fact.replace(/\s+/g, ' ').trim();
    const fact = told === '' && source && target ? sentenceOf(source, one.relation, target) : told;
    const what = `"${firstChars(fact, 50)}"`;
    if (fact === '' || fact.length > FACT_CHARS_MAX) faults.push(`${what} is no sentence.`);
    else if (source === undefined || target === undefined)
      faults.push(`${what} is about what no entity was found for.`);
    else if (source === target) faults.push(`${what} relates ${source} to itself.`);
    else if (facts.size >= FACTS_PER_TURN_MAX) {
      faults.push(`More than ${FACTS_PER_TURN_MAX} facts; ${what} is left out.`);
    } else {
      const validAt = momentOf(one.valid_at, faults);
      const invalidAt = momentOf(one.invalid_at, faults);
      const isBackward = validAt !== null && invalidAt !== null && invalidAt <= validAt;
      if (isBackward) faults.push(`${what} ends before it begins.`);
      facts.set(JSON.stringify([source, target, nameKey(fact)]), {
        source,
        target,
        relation: relationName(one.relation),
        fact,
        validAt,
        invalidAt: isBackward ? null : invalidAt,
      });
    }
  }
  return [...facts.values()];
}

function cleanStatements(
  given: z.infer<typeof Statements>,
  faults: string[],
): ExtractedStatement[] {
  const statements = new Map<string, ExtractedStatement>();
  for (const one of given) {
    const text = trimmed(one.text);
    const key = sentenceKey(text);
    if (key === '' || text.length > STATEMENT_CHARS_MAX)
      faults.push(`"${firstChars(text, 50)}" is no statement.`);
    else if (statements.size >= STATEMENTS_PER_TURN_MAX)
      faults.push(`More than ${STATEMENTS_PER_TURN_MAX} statements; one is left out.`);
    else if (!statements.has(key)) {
      const validAt = momentOf(one.valid_at, faults);
      const invalidAt = momentOf(one.invalid_at, faults);
      const isBackward = validAt !== null && invalidAt !== null && invalidAt <= validAt;
      statements.set(key, {
        ...{ text, validAt, invalidAt: isBackward ? null : invalidAt },
        about: [...new Set(one.about.map(trimmed))].filter((name) => !NO_NAMES.test(nameKey(name))),
        attribute: attributeKey(one.attribute),
        ends: one.ends.map(trimmed).filter((ended) => ended !== ''),
      });
    }
  }
  return [...statements.values()];
}

const trimmed = (text: string) => text.replace(/\s+/g, ' ').trim();

/** `Favourite_Painter` is `favourite painter`; null for a text that is no key. */
function attributeKey(text: string): string | null {
  const key = trimmed(text.toLowerCase().replace(/[_-]+/g, ' '));
  return key === '' || key.length > 60 || key === 'none' || key === 'null' ? null : key;
}

/** The sentence of a fact that is told by its relation alone: `Ada WORKS_AT Acme` works, too. */
function sentenceOf(source: string, relation: string, target: string): string {
  const words = relation.replace(/[_\s]+/g, ' ').trim();
  if (words === '') return '';
  const said = words === words.toUpperCase() ? words.toLowerCase() : words;
  return `${source} ${said} ${target}`.replace(/(?<![.!?])$/, '.');
}

/** Any text as a predicate: `works at` is WORKS_AT. */
export function relationName(text: string): string {
  const name = firstChars(
    text
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, ''),
    100,
  );
  return name === '' ? 'RELATES_TO' : name;
}

const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/;

/** An existing day or moment as RFC 3339 in UTC; null, with a fault, for any other text. */
function momentOf(text: string | null, faults: string[]): string | null {
  if (text === null || text.trim() === '') return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] =
    MOMENT.exec(text.trim()) ?? [];
  const date = `${year}-${month}-${day}`;
  const isDay = year !== undefined && dayExists(Number(year), Number(month), Number(day));
  const parsed = isDay ? Date.parse(`${date}T${hour}:${minute}:${second}${zone}`) : Number.NaN;
  if (!Number.isNaN(parsed)) return new Date(parsed).toISOString();
  faults.push(`"${firstChars(text, 50)}" is no date.`);
  return null;
}

function dayExists(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
