import { openEvidence, proveLine } from '../../agent-memory/grips/line-proof.ts';
import { MONTHS } from '../../common/clock.ts';
import { firstChars } from '../../common/well-formed.ts';
import { contentWords, indexWords } from '../../text/content-words.ts';
import { nameKey } from '../entities/name-match.ts';
import type { ExtractedFact, Extraction } from './extraction.ts';

/** The text that a model read, and the names that it was told. */
export interface ExtractionMaterial {
  readonly content: string;
  /** Texts of the turns before it. */
  readonly earlier: readonly string[];
  /** Names of known entities, and of the people who talk. */
  readonly names: readonly string[];
  /** RFC 3339. */
  readonly saidAt: string;
}

/**
 * Minimum share of a fact's content words in the material. It is lower than that of a line: a fact
 * has few words, and its relation may be the model's.
 */
const FACT_SUPPORT_MIN = 0.5;
/** The same of a statement, which is in the speaker's own words. */
const STATEMENT_SUPPORT_MIN = 0.8;

/**
 * Leaves out the entities, facts and statements that the material does not speak of
 * (docs/decisions/0027). Each one leaves a fault.
 */
export function provenExtraction(extraction: Extraction, material: ExtractionMaterial): Extraction {
  const { content, earlier, names, saidAt } = material;
  const known = new Set(names.map(nameKey));
  const all = [content, ...earlier].join('\n');
  const words = indexWords(all);
  const lower = all.toLowerCase();
  // "NYC" may be named New York City: one word or the initials are enough.
  const isThere = (name: string) =>
    known.has(nameKey(name)) ||
    lower.includes(name.toLowerCase()) ||
    contentWords(name).some((word) => words.has({ ...word, kind: 'name' })) ||
    new RegExp(`\\b${initialsOf(name)}\\b`).test(all);
  const entities = extraction.entities.filter(({ name }) => isThere(name));
  const evidence = openEvidence(
    [...earlier, content].map((text) => ({ text, speakers: [] })),
    earlier.length,
  );
  const isProven = ({ source, target, fact, validAt, invalidAt }: ExtractedFact) => {
    if (!isThere(source) || !isThere(target)) return false;
    const given = [...names, source, target, ...[saidAt, validAt, invalidAt].flatMap(dateWords)];
    const proof = proveLine(fact, evidence, given);
    return proof !== null && proof.missing.length === 0 && proof.support >= FACT_SUPPORT_MIN;
  };
  const facts = extraction.facts.filter(isProven);
  const statements = extraction.statements
    .filter(({ text }) => {
      const proof = proveLine(text, evidence, [...names]);
      return proof !== null && proof.missing.length === 0 && proof.support >= STATEMENT_SUPPORT_MIN;
    })
    .map((one) => ({ ...one, about: one.about.filter(isThere) }));
  const texts = new Set(statements.map(({ text }) => text));
  const left = [
    ...without(extraction.entities, entities).map(({ name }) => name),
    ...without(extraction.facts, facts).map(({ fact }) => fact),
    ...extraction.statements.map(({ text }) => text).filter((text) => !texts.has(text)),
  ];
  const faults = left.map((text) => `"${firstChars(text, 50)}" is not in the text.`);
  return { ...extraction, entities, facts, statements, faults: [...extraction.faults, ...faults] };
}

const without = <T>(all: readonly T[], kept: readonly T[]): T[] =>
  all.filter((one) => !kept.includes(one));

function initialsOf(name: string): string {
  const letters = name.match(/(?<![\p{L}\p{N}])\p{Lu}/gu) ?? [];
  return letters.length >= 2 ? letters.join('') : '(?!)';
}

/** A date resolved from the text may stand in a fact: its year, month and day. */
function dateWords(moment: string | null): string[] {
  const at = moment === null ? Number.NaN : Date.parse(moment);
  if (Number.isNaN(at)) return [];
  const date = new Date(at);
  const month = MONTHS[date.getUTCMonth()] ?? '';
  return [
    `${date.getUTCFullYear()} ${month} ${date.getUTCDate()}`,
    date.toISOString().slice(0, 10),
  ];
}
