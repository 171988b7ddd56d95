import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
} from 'yaml';
import { losesDigits } from '../../common/exact-json.ts';
import type { Json } from '../../common/json.ts';
import { JSON_DEPTH_MAX } from '../../common/limits.ts';
import { firstChars } from '../../common/well-formed.ts';

export type ParsedYaml = { readonly value: Json } | { readonly faults: readonly string[] };

/** Aliases repeat content, so a few of them could exhaust the memory. */
const ALIASES_MAX = 100;
const FAULTS_MAX = 20;

/**
 * Parses one YAML document as plain JSON: no custom tags, no merge keys, at most ALIASES_MAX
 * aliases, no repeated keys, at most JSON_DEPTH_MAX levels. It takes about a second per megabyte,
 * and longer for malicious text, so text of users goes through `readYaml`.
 */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const yaml = documentOf(text, lines);
  const found = [...yaml.errors, ...yaml.warnings];
  if (found.some(({ message }) => STACK.test(message))) return TOO_DEEP;
  const faults = found.map(faultOf);
  if (faults.length > 0) return { faults: faults.slice(0, FAULTS_MAX) };
  try {
    let aliases = 0;
    const repeated: string[] = [];
    const noNumbers: string[] = [];
    visit(yaml, {
      Alias: () => void aliases++,
      Scalar: (_key, node) => void noNumbers.push(...exactNumber(node, lines)),
      Map: (_key, node) => void repeated.push(...repeatedKeys(node, lines)),
    });
    if (aliases > ALIASES_MAX) return { faults: [`At most ${ALIASES_MAX} aliases are read.`] };
    if (repeated.length > 0) return { faults: repeated.slice(0, FAULTS_MAX) };
    if (noNumbers.length > 0) return { faults: noNumbers.slice(0, FAULTS_MAX) };
    const value: unknown = yaml.toJS({ maxAliasCount: ALIASES_MAX });
    if (nestsDeeperThan(value, JSON_DEPTH_MAX)) return TOO_DEEP;
    return { value: (value ?? null) as Json };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return STACK.test(message) ? TOO_DEEP : { faults: [message] };
  }
}

const STACK = /call stack/i;
const TOO_DEEP = { faults: [`At most ${JSON_DEPTH_MAX} levels are read.`] };

/** The library's first line; it names its own functions for several documents. */
function faultOf({ code, message }: YAMLError): string {
  const [line = message] = message.split('\n');
  if (code !== 'MULTIPLE_DOCS') return line;
  const [at = ''] = / at line \d+, column \d+/.exec(line) ?? [];
  return `There has to be one document, and another begins${at}. Remove the line ---.`;
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Keeps a number that loses digits as the text of its digits, as parseJson does. Returns a fault
 * for a number that JSON cannot write: infinite, not a number, or too large in another notation.
 */
function exactNumber(node: Scalar, lines: LineCounter): string[] {
  const { value, source = '', range } = node;
  if (typeof value !== 'number') return [];
  if (DECIMAL.test(source)) {
    if (losesDigits(source)) node.value = source;
    return [];
  }
  const isKept = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (isKept) return [];
  const { line, column } = placeAt(lines, range?.[0] ?? 0);
  return [
    `${source} is no number of JSON, at line ${line}, column ${column}. Quote it to keep it ` +
      'as text.',
  ];
}

function documentOf(text: string, lineCounter: LineCounter): Document {
  // The library compares all pairs of keys to find repeated ones; `repeatedKeys` does not.
  return parseDocument(text, {
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    customTags: [],
    // !!binary, !!set and !!timestamp are no JSON.
    resolveKnownTags: false,
    prettyErrors: true,
    lineCounter,
  });
}

/** A place in a text. Both count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * The places of values in a YAML text that parseYaml accepts: of a field its key, of a list item
 * its beginning. A path that leads too far gives the last place on its way; null: not even that.
 */
export function placesInYaml(
  text: string,
  paths: readonly (readonly string[])[],
): (TextPlace | null)[] {
  const lines = new LineCounter();
  const yaml = documentOf(text, lines);
  return paths.map((path) => {
    let node: unknown = yaml.contents;
    let offset: number | null = null;
    for (const key of path) {
      const found = childOf(isAlias(node) ? node.resolve(yaml) : node, key);
      if (found === null) break;
      offset = found.offset ?? offset;
      node = found.value;
    }
    return offset === null ? null : placeAt(lines, offset);
  });
}

function placeAt(lines: LineCounter, offset: number): TextPlace {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function childOf(node: unknown, key: string): { offset: number | null; value: unknown } | null {
  if (isSeq(node)) {
    const value: unknown = node.items[Number(key)];
    return value === undefined ? null : { offset: offsetOf(value), value };
  }
  if (!isMap(node)) return null;
  const pair: Pair | undefined = node.items.find((one) => nameOf(one.key) === key);
  return pair === undefined ? null : { offset: offsetOf(pair.key), value: pair.value };
}

const nameOf = (key: unknown) => String(isScalar(key) ? key.value : key);

const offsetOf = (node: unknown): number | null =>
  isNode(node) ? (node.range?.[0] ?? null) : null;

function repeatedKeys(node: unknown, lines: LineCounter): string[] {
  if (!isMap(node)) return [];
  const seen = new Set<string>();
  const repeated: string[] = [];
  for (const { key } of node.items) {
    const name = nameOf(key);
    const offset = offsetOf(key);
    const { line, column } = placeAt(lines, offset ?? 0);
    const where = `at line ${line}, column ${column}`;
    if (seen.has(name))
      repeated.push(`The key "${firstChars(name, 100)}" stands there twice, ${where}.`);
    seen.add(name);
  }
  return repeated;
}

/** Descends depth first, so that it also ends when an alias refers to its own parent. */
function nestsDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((inner) => nestsDeeperThan(inner, depth - 1));
}
