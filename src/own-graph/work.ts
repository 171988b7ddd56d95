import { QueryRefused } from './token.ts';

// Neo4j ends a query between two rows and between two phases of its planner, never inside of one.
// These limits bound the work in between (docs/decisions/0090).

/** Maximum number of AND, OR, XOR, NOT, comparisons and arithmetic in a query. */
export const OPERATORS_MAX = 100;
/** Maximum number of all other parts: properties, calls, branches of CASE, items of lists. */
export const PARTS_MAX = 300;
/** Maximum number of list comprehensions and quantifiers in a query. */
export const WALKS_MAX = 10;
/**
 * Maximum number of labels of all nodes that have several, as (n:A|B). The planner combines them.
 */
export const LABELS_MAX = 12;
/** Maximum nesting of a compiled expression. Neo4j's parser and planner are recursive. */
export const NESTING_MAX = 40;
/**
 * Maximum number of texts that the functions and operators of one row compute. One text is up to
 * CONTENT_BYTES_MAX long.
 */
export const ROW_TEXTS_MAX = 200;
/** The same for one element of a list comprehension, where texts are shorter. */
export const ELEMENT_TEXTS_MAX = 25;
/** Texts that one look through a list counts as. */
export const LIST_TEXTS = 10;
/** Maximum length of a statement that is made from a query. The limits above bound it too. */
const STATEMENT_CHARS_MAX = 30_000;

const LIMITS = {
  operators: {
    max: OPERATORS_MAX,
    message:
      `A query has at most ${OPERATORS_MAX} operators (AND, OR, NOT, comparisons, arithmetic). ` +
      'Write many values of one property as n.name IN [...] or IN $names, or ask in several ' +
      'queries.',
  },
  parts: {
    max: PARTS_MAX,
    message:
      `A query has at most ${PARTS_MAX} properties, calls, branches and items. Pass long lists ` +
      'as a parameter, or ask in several queries.',
  },
  walks: {
    max: WALKS_MAX,
    message:
      `A query has at most ${WALKS_MAX} list comprehensions, any, all, none and single. Use ` +
      'UNWIND and WHERE instead.',
  },
  labels: {
    max: LABELS_MAX,
    message:
      `The nodes with several labels have at most ${LABELS_MAX} labels together. The labels of ` +
      'all events are Event; give other nodes one label, or ask in several queries.',
  },
  rowTexts: {
    max: ROW_TEXTS_MAX,
    message:
      `The functions and operators of this query compute more than ${ROW_TEXTS_MAX} texts for ` +
      'each row. Use fewer of them, or ask in several queries.',
  },
  elementTexts: {
    max: ELEMENT_TEXTS_MAX,
    message:
      `List comprehensions compute at most ${ELEMENT_TEXTS_MAX} texts and comparisons for each ` +
      `element (IN over a list counts as ${LIST_TEXTS}). Use UNWIND and WHERE instead.`,
  },
} as const;

/** Counts the work that a query asks for, and refuses it where a limit is met. */
export class QueryWork {
  private readonly counted: Record<keyof typeof LIMITS, number> = {
    operators: 0,
    parts: 0,
    walks: 0,
    labels: 0,
    rowTexts: 0,
    elementTexts: 0,
  };
  private depth = 0;

  /** @throws QueryRefused */
  add(kind: keyof typeof LIMITS, at: number, count = 1): void {
    this.counted[kind] += count;
    const { max, message } = LIMITS[kind];
    if (this.counted[kind] > max) throw new QueryRefused(message, at);
  }

  /** Runs `compile` one level deeper. @throws QueryRefused */
  nested<T>(at: number, compile: () => T): T {
    if (this.depth === NESTING_MAX)
      throw new QueryRefused(
        `The expression is nested too deeply: at most ${NESTING_MAX} levels. Compute a part ` +
          'of it in a WITH before.',
        at,
      );
    this.depth++;
    const compiled = compile();
    this.depth--;
    return compiled;
  }
}

/** @throws QueryRefused where the statement is longer than the limit */
export function checkStatement(cypher: string): void {
  if (cypher.length > STATEMENT_CHARS_MAX)
    throw new QueryRefused(
      'The query returns too many nodes with too many labels. Return properties instead, or ' +
        'ask in several queries.',
      0,
    );
}
