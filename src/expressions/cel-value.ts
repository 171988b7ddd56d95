import { entryOf } from '../common/entry-of.ts';
import type { Json, JsonObject } from '../common/json.ts';

/**
 * A value during evaluation: an int is a bigint, a double is a number. Lists and maps are either
 * the JSON of the scope, or made by the expression.
 */
export type CelValue = null | boolean | string | bigint | number | CelList | CelMap;
export type CelList = readonly (CelValue | Json)[];
export type CelMap = { readonly [key: string]: CelValue | Json };

export function isList(value: unknown): value is CelList {
  return Array.isArray(value);
}

export function isMap(value: unknown): value is CelMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (isList(value)) return 'list';
  if (isMap(value)) return 'map';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  null: 'nothing (null)',
  list: 'a list',
  map: 'an object',
  int: 'a whole number',
  double: 'a number',
  bool: 'true or false',
  string: 'a text',
};

/** The type of a value in words for people who write no code. */
export function typeWords(value: unknown): string {
  const name = typeName(value);
  return entryOf(TYPE_WORDS, name) ?? name;
}

/** Ends the evaluation with a message for the author of the expression. */
export function fault(message: string): never {
  throw new Error(`${message}.`);
}

/**
 * Ends the whole evaluation. The other side of an `||` can outvote any other fault, but not this
 * one.
 */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
  constructor() {
    super('The expression is too much work over values of this size.');
  }
}

/** About 0.1 s of work on a slow machine. A filter over 1,000 items takes about 10,000. */
const WORK_MAX = 1_000_000;
/** Copying and searching a text is much faster per character than visiting a node. */
const CHARS_PER_WORK = 32;

/**
 * Counts the work of one evaluation and ends it at WORK_MAX. A workflow has no clock, so the count
 * is the only bound there.
 * The meter also records which lists and maps the expression made. Their numbers are doubles; a
 * number from JSON may be an int.
 */
export class Meter {
  readonly #made = new WeakSet<object>();
  #work = 0;

  spend(work: number): void {
    this.#work += work;
    if (this.#work > WORK_MAX) throw new TooMuchWork();
  }

  spendText(chars: number): void {
    this.spend(1 + chars / CHARS_PER_WORK);
  }

  list(items: CelValue[]): CelList {
    this.spend(items.length);
    this.#made.add(items);
    return items;
  }

  map(entries: ReadonlyMap<string, CelValue>): CelMap {
    const made = Object.fromEntries(entries);
    this.#made.add(made);
    return made;
  }

  /**
   * Reads an element of a list or map. Safe integers from JSON are ints, other numbers are doubles
   * (docs/decisions/0019).
   */
  read(container: CelList | CelMap, element: CelValue | Json): CelValue {
    if (typeof element !== 'number' || this.#made.has(container)) return element as CelValue;
    return Number.isSafeInteger(element) ? BigInt(element) : element;
  }

  /** Converts a result back to JSON. @throws Error if a number does not fit JSON */
  toJson(value: CelValue): Json {
    this.spend(1);
    if (typeof value === 'bigint') {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : fault('The result is too large a number');
    }
    if (typeof value === 'number')
      return Number.isFinite(value) ? value : fault('The result is no number JSON knows');
    if (typeof value !== 'object' || value === null || !this.#made.has(value)) return value as Json;
    if (isList(value)) return value.map((item) => this.toJson(item as CelValue));
    const entries = Object.entries(value as CelMap);
    return Object.fromEntries(
      entries.map(([key, item]) => [key, this.toJson(item as CelValue)]),
    ) as JsonObject;
  }
}
