import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';

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
 * In mixed text, null and absent values become '', objects and lists become JSON. Never throws and
 * never changes its arguments.
 */
export function bindInputs(inputs: JsonObject, scope: BindingScope): JsonObject {
  const mode = scope.item === undefined && scope.index === undefined ? 'no items' : 'items';
  return bind(inputs, scope, mode) as JsonObject;
}

function bind(value: Json, scope: BindingScope, mode: ItemMode): Json {
  if (typeof value === 'string') return bindText(value, scope, mode);
  if (Array.isArray(value)) return value.map((inner) => bind(inner, scope, mode));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, bind(inner, scope, mode)]),
  );
}

function bindText(text: string, scope: BindingScope, mode: ItemMode): Json {
  const parts = parseText(text, mode);
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && typeof first !== 'string')
    return resolve(first, scope);
  return parts
    .map((part) => (typeof part === 'string' ? part : toText(resolve(part, scope))))
    .join('');
}

function resolve({ root, path }: Reference, scope: BindingScope): Json {
  return root === 'index' ? (scope.index ?? null) : valueAt(scope[root] ?? null, path);
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
