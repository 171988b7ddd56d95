import type { Language, ParsedText } from './language.ts';
import { findNames, type NamedEntity } from './names.ts';
import type { Reading } from './prompt.ts';
import { type RankedText, weighText } from './rank.ts';
import { findRelations, type Relation, refineKinds } from './relations.ts';

/** A text with its findings. Names and relations are computed on first use. */
export interface Source {
  readonly reading: Reading;
  readonly parsed: ParsedText;
  readonly ranked: RankedText;
  entities(): readonly NamedEntity[];
  relations(): readonly Relation[];
}

export function openSource(language: Language, reading: Reading): Source {
  const parsed = language.parse(reading.material);
  const ranked = weighText(parsed.sentences);
  let found: { entities: readonly NamedEntity[]; relations: readonly Relation[] } | null = null;
  const find = () => {
    if (found !== null) return found;
    const names = findNames(parsed.sentences, listedNames(reading));
    const relations = findRelations(parsed.sentences, names);
    found = { entities: refineKinds(names, relations), relations };
    return found;
  };
  return {
    reading,
    parsed,
    ranked,
    entities: () => find().entities,
    relations: () => find().relations,
  };
}

/** The names that the prompt lists as known: one a line, before a colon. */
function listedNames({ aside }: Reading): string[] {
  return `${aside['known'] ?? ''}\n${aside['entities'] ?? ''}`
    .split('\n')
    .map((line) => line.split(':')[0]?.trim() ?? '')
    .filter((name) => name !== '')
    .slice(0, 200);
}

/** The fact as a sentence of its own: subject, predicate, object. */
export function factText({ subject, predicate, object }: Relation): string {
  const verb =
    /^(born|based|located|founded by|led by|written by|employed by|awarded|married)/.test(predicate)
      ? `was ${predicate}`
      : predicate;
  return `${subject} ${verb} ${object}.`;
}
