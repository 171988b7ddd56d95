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

/**
 * One expression in a text: `{step.person.name}` is root step, path ['person', 'name'], and so is
 * `{step.person["name"]}`.
 */
export interface Reference {
  readonly root: ReferenceRoot;
  readonly path: readonly string[];
}

// Only these texts are expressions (docs/decisions/0019); every other brace is plain text. No part
// can match in two ways, so matching takes linear time.
const KEY =
  String.raw`\.[A-Za-z0-9_-]+|\[\d{1,9}\]|` +
  String.raw`\["(?:[^"\\\n]|\\.)*"\]|\['(?:[^'\\\n]|\\.)*'\]`;
const QUOTED = String.raw`"(?:[^"\\\n]|\\.)*"`;
const EXPRESSION = new RegExp(
  String.raw`\{(?:(step|context)\.([A-Za-z_]\w*)((?:${KEY})*)|(item)((?:${KEY})*)|(index)|(${QUOTED}))\}`,
  'g',
);
const KEYS = new RegExp(KEY, 'g');

type Part = string | Reference;

/** Whether `{item}` and `{index}` are expressions (under forEach) or text. */
export type ItemMode = 'items' | 'no items';

/** Splits a text into its literal parts and its expressions, in order. */
export function parseText(text: string, mode: ItemMode): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(EXPRESSION)) {
    const part = partOf(match, mode);
    if (part === null) continue;
    if (match.index > end) parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    parts.push(part);
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** Null where the match is plain text. */
function partOf(match: RegExpExecArray, mode: ItemMode): Part | null {
  const [, root, name = '', keys = '', item, itemKeys = '', index, quoted] = match;
  if (quoted !== undefined) return quotedText(quoted);
  if (root === undefined && mode === 'no items') return null;
  const path = keysOf(root === undefined ? itemKeys : keys);
  if (path === null) return null;
  if (root === 'step' || root === 'context') return { root, path: [name, ...path] };
  if (item !== undefined) return { root: 'item', path };
  return index === undefined ? null : { root: 'index', path: [] };
}

/** The keys of `.a[0]["b c"]`: a, 0, b c. Null where a quoted key is no string of JSON. */
export function keysOf(text: string): string[] | null {
  const keys = [...text.matchAll(KEYS)].map(([key]) => keyOf(key));
  return keys.includes(null) ? null : keys.filter((key) => key !== null);
}

function keyOf(text: string): string | null {
  if (text.startsWith('.')) return text.slice(1);
  const inner = text.slice(1, -1);
  if (/^\d/.test(inner)) return String(Number(inner));
  if (inner.startsWith('"')) return stringOf(inner);
  // In single quotes only the quote itself needs a backslash that JSON does not know.
  return stringOf(`"${inner.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`);
}

/**
 * `{"{context.a}"}` is the text {context.a}: a way to write what would be read as an expression.
 * A quoted text without such a character stays as it is, braces included.
 */
function quotedText(quoted: string): string | null {
  const text = stringOf(quoted);
  return text !== null && (/[{}$<%]/.test(text) || BARE_PATH.test(text)) ? text : null;
}

/** A text that lacks only its braces to be a reference: `context.a`. */
const BARE_PATH = /^(?:steps?|context|ctx|flow_input|results)\.[^\s{}]{1,200}$/;

function stringOf(quoted: string): string | null {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return null;
  }
}

/** The text of a reference, in braces: `{step.v.order[0]["first name"]}`. */
export function printReference({ root, path }: Reference): string {
  const isNamed = root === 'step' || root === 'context';
  const keys = path.map((key, at) => {
    if ((isNamed && at === 0) || /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)) return `.${key}`;
    return /^(?:0|[1-9]\d{0,8})$/.test(key) ? `[${key}]` : `[${JSON.stringify(key)}]`;
  });
  return `{${root}${keys.join('')}}`;
}

export interface PlacedReference extends Reference {
  /** Path of the text inside the inputs: `['body', 'lines', '0']`. */
  readonly at: readonly string[];
}

/** A text inside the inputs, with its path. */
export interface PlacedText {
  readonly text: string;
  readonly at: readonly string[];
}

/** Lists every text in a value, at any depth, without keys. */
export function textsOf(value: Json, at: readonly string[] = []): PlacedText[] {
  if (typeof value === 'string') return [{ text: value, at }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, [...at, key]));
}

/** Every object in a value, at any depth, with its place. */
export function objectsOf(
  value: Json,
  at: readonly string[] = [],
): { readonly object: JsonObject; readonly at: readonly string[] }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, part]) => objectsOf(part, [...at, key]));
  return Array.isArray(value) ? inner : [{ object: value as JsonObject, at }, ...inner];
}

/** Lists every expression in a value, at any depth. Keys are never expressions. */
export function listReferences(
  value: Json,
  mode: ItemMode,
  at: readonly string[] = [],
): PlacedReference[] {
  return textsOf(value, at).flatMap(({ text, at: place }) =>
    parseText(text, mode).flatMap((part) =>
      typeof part === 'string' ? [] : [{ ...part, at: place }],
    ),
  );
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
