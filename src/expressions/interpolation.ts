import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import { jsonChars } from '../common/json-size.ts';
import { INPUTS_CHARS_MAX } from '../common/limits.ts';

/**
 * The values that expressions in a step's inputs can read. `item` and `index` exist under forEach
 * only.
 */
export interface BindingScope {
  readonly step: JsonObject;
  readonly context: JsonObject;
  readonly item?: Json;
  readonly index?: number;
}

export type ReferenceRoot = 'step' | 'context' | 'item' | 'index';

/** One expression in a text: `{step.person.name}` is root step, path ['person', 'name']. */
export interface Reference {
  readonly root: ReferenceRoot;
  readonly path: readonly string[];
}

// Only these texts are expressions (docs/decisions/0019); every other brace is plain text. No part
// can match in two ways, so matching takes linear time.
const EXPRESSION =
  /\{(?:(step|context)\.([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_-]+)*)|(item)((?:\.[A-Za-z0-9_-]+)*)|(index))\}/g;

type Part = string | Reference;

/** Whether `{item}` and `{index}` are expressions (under forEach) or text. */
export type ItemMode = 'items' | 'no items';

/** Splits a text into its literal parts and its expressions, in order. */
export function parseText(text: string, mode: ItemMode): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(EXPRESSION)) {
    const [whole, root, path, item, itemPath, index] = match;
    if (root === undefined && mode === 'no items') continue;
    if (match.index > end) parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (root === 'step' || root === 'context') parts.push({ root, path: (path ?? '').split('.') });
    else if (item !== undefined)
      parts.push({ root: 'item', path: (itemPath ?? '').split('.').slice(1) });
    else if (index !== undefined) parts.push({ root: 'index', path: [] });
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

export interface PlacedReference extends Reference {
  /** Path of the text inside the inputs: `['body', 'lines', '0']`. */
  readonly at: readonly string[];
}

/** Lists every expression in a value, at any depth. Keys are never expressions. */
export function listReferences(
  value: Json,
  mode: ItemMode,
  at: readonly string[] = [],
): PlacedReference[] {
  if (typeof value === 'string') {
    return parseText(value, mode).flatMap((part) =>
      typeof part === 'string' ? [] : [{ ...part, at }],
    );
  }
  if (Array.isArray(value)) {
    return value.flatMap((inner, index) => listReferences(inner, mode, [...at, String(index)]));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => listReferences(inner, mode, [...at, key]));
}

/** The names a step's inputs read, each once. `item` is true if they read `{item}` or `{index}`. */
export function referencesOf(inputs: JsonObject): {
  steps: string[];
  context: string[];
  item: boolean;
} {
  const references = listReferences(inputs, 'items');
  const namesOf = (wanted: ReferenceRoot) => [
    ...new Set(references.flatMap(({ root, path }) => (root === wanted ? path.slice(0, 1) : []))),
  ];
  return {
    steps: namesOf('step'),
    context: namesOf('context'),
    item: references.some(({ root }) => root === 'item' || root === 'index'),
  };
}

/**
 * Replaces expressions by values, at any depth (S4-EXEC-04). If one expression is the whole text,
 * the result keeps the value's JSON type.
 * In mixed text, null and absent values become '', objects and lists become JSON. Never changes its
 * arguments.
 * @throws InputsTooLarge before so much text is built
 */
export function bindInputs(inputs: JsonObject, scope: BindingScope): JsonObject {
  return new Binding(scope).bind(inputs) as JsonObject;
}

/** The values of a step's inputs would be larger than INPUTS_CHARS_MAX. */
export class InputsTooLarge extends Error {
  override readonly name = 'InputsTooLarge';
  constructor() {
    super(`The inputs would be larger than ${INPUTS_CHARS_MAX / 1024 / 1024} MiB of JSON.`);
  }
}

/** Counts the values that it puts into the inputs: one large value may stand there many times. */
class Binding {
  readonly #scope: BindingScope;
  readonly #mode: ItemMode;
  #chars = 0;

  constructor(scope: BindingScope) {
    this.#scope = scope;
    this.#mode = scope.item === undefined && scope.index === undefined ? 'no items' : 'items';
  }

  bind(value: Json): Json {
    if (typeof value === 'string') return this.#bindText(value);
    if (Array.isArray(value)) return value.map((inner) => this.bind(inner));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.bind(inner)]));
  }

  #bindText(text: string): Json {
    const parts = parseText(text, this.#mode);
    const [first] = parts;
    if (parts.length === 1 && first !== undefined && typeof first !== 'string')
      return this.#resolve(first);
    return parts
      .map((part) => (typeof part === 'string' ? part : toText(this.#resolve(part))))
      .join('');
  }

  #resolve({ root, path }: Reference): Json {
    if (root === 'index') return this.#scope.index ?? null;
    const value = valueAt(this.#scope[root] ?? null, path);
    this.#chars += jsonChars(value, INPUTS_CHARS_MAX);
    if (this.#chars > INPUTS_CHARS_MAX) throw new InputsTooLarge();
    return value;
  }
}

/**
 * The value at a path; null if the path does not exist. Reads own properties of objects and
 * elements of lists only.
 */
export function valueAt(root: Json, path: readonly string[]): Json {
  let value: Json = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return null;
    if (Array.isArray(value) ? !/^\d+$/.test(key) : !Object.hasOwn(value, key)) return null;
    value = (value as JsonObject)[key] ?? null;
  }
  return value;
}

function toText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
