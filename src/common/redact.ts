import type { Json } from './json.ts';
import {
  isTicket,
  lengthUntil,
  normalName,
  REDACTED,
  secretReplacer,
  valueReplacer,
} from './redaction.ts';

export interface RedactionRules {
  /** Field names; compared without case, `_`, `-` and spaces. */
  readonly fields: readonly string[];
  /** Patterns in RE2 syntax that `patternFault` accepts, or BASE64_PATTERN. */
  readonly patterns: readonly string[];
}

/**
 * Removes secrets from values. It can't be undone, and redacting twice gives the same result. Use
 * it for recorded copies (calls, raw stream), never for values that steps exchange.
 */
export interface Redactor {
  /**
   * A redacted copy at every depth: fields by name, texts and keys by pattern, JSON in texts as
   * JSON.
   */
  json(value: Json): Json;
  text(text: string): string;
}

/** Values nested deeper are replaced whole, because each level costs stack. */
const DEPTH_MAX = 200;

/** Compiles the rules. This takes a few milliseconds; `redactorOf` caches the result. */
export function createRedactor({ fields, patterns }: RedactionRules): Redactor {
  const names = new Set(fields.map(normalName).filter((name) => name !== ''));
  const expressions = patterns.map((source) => secretReplacer(source));
  const inText = fieldsInText([...names]);

  const byPattern = (given: string): string =>
    expressions.reduce((text, replace) => replace(text), given);

  function text(given: string, depth = 0): string {
    return inText(byPattern(insideJson(given, depth)));
  }

  /** Redacts JSON text as the value it encodes, so that escaping does not hide a secret. */
  function insideJson(given: string, depth: number): string {
    if (!/^\s*[[{"]/.test(given)) return given;
    let value: Json;
    try {
      value = JSON.parse(given) as Json;
    } catch {
      return given;
    }
    const redacted = walk(value, depth + 1);
    const shown = JSON.stringify(redacted);
    // Without a secret the text keeps its own spacing and its own spelling of numbers.
    return shown === JSON.stringify(value) ? given : shown;
  }

  function walk(value: Json, depth: number): Json {
    if (typeof value === 'string') return depth > DEPTH_MAX ? REDACTED : text(value, depth);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > DEPTH_MAX) return REDACTED;
    if (Array.isArray(value)) return value.map((item) => walk(item, depth + 1));
    const taken = new Set<string>();
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        freeName(text(name, depth), taken),
        names.has(normalName(name)) && !isTicket(name, inner) ? REDACTED : walk(inner, depth + 1),
      ]),
    );
  }
  return { json: (value) => walk(value, 0), text: (given) => text(given) };
}

/** The part of Settings that defines secrets. */
export interface RedactionSettings {
  readonly redactedFields: readonly string[];
  readonly redactedPatterns: readonly string[];
}

const known = new WeakMap<RedactionSettings, Redactor>();

/**
 * The redactor of these settings, cached per object: pass on the Settings object that was read, no
 * copy.
 */
export function redactorOf(settings: RedactionSettings): Redactor {
  let redactor = known.get(settings);
  if (redactor === undefined) {
    const { redactedFields: fields, redactedPatterns: patterns } = settings;
    redactor = createRedactor({ fields, patterns });
    known.set(settings, redactor);
  }
  return redactor;
}

/** Two keys that both were secrets stay two fields. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} ${count}`;
  taken.add(free);
  return free;
}

// In prose, `key: value` is plain English. Shorter names count only in quotes or in a URL's query.
const PROSE_NAME_CHARS_MIN = 5;

/**
 * Redacts fields by name in text that is not JSON as a whole. It finds quoted names (JSON in a
 * sentence, cut off, or escaped twice) and `name=value`.
 */
function fieldsInText(names: readonly string[]): (text: string) => string {
  if (names.length === 0) return (text) => text;
  const others = names.filter((name) => name !== 'key');
  const spelled = (given: readonly string[]) =>
    given.map((name) => [...name].map(escaped).join('[-_ ]*')).join('|');
  const long = names.filter((name) => name.length >= PROSE_NAME_CHARS_MIN);
  const quoted = (some: readonly string[], endOf: typeof endOfValue) =>
    valueReplacer(`(?i)["'][-_ ]*(?:${spelled(some)})[-_ ]*\\\\*["']\\s*[:=]\\s*`, endOf);
  const replacers = [
    ...(others.length === 0 ? [] : [quoted(others, endOfValue)]),
    ...(others.length === names.length ? [] : [quoted(['key'], endOfKey)]),
    valueReplacer(
      `(?i)[?&](?:${spelled(names)})=`,
      (text, at) => at + lengthUntil(text, at, /[&#\s"']/),
    ),
    ...(long.length === 0
      ? []
      : [valueReplacer(`(?i)(?:^|[^a-z0-9])(?:${spelled(long)})\\s*[:=]\\s*`, endOfProse)]),
  ];
  return (given) => replacers.reduce((text, replace) => replace(text), given);
}

const escaped = (char: string): string => (/[\p{L}\p{N}]/u.test(char) ? char : `\\${char}`);

/** The end of the value after a quoted name. A nested or unfinished value ends with the text. */
function endOfValue(text: string, at: number): number {
  if (text.startsWith(REDACTED, at)) return at;
  const [opening = ''] = /^\\*["']/.exec(text.slice(at, at + 64)) ?? [];
  if (opening !== '') {
    const quote = opening.at(-1) ?? '"';
    for (let index = at + opening.length; index < text.length; index++) {
      if (text[index] !== quote) continue;
      let backslashes = 0;
      while (text[index - 1 - backslashes] === '\\') backslashes++;
      // In JSON text that was escaped twice, a quote inside the value has more backslashes than its
      // delimiters.
      if (closes(backslashes, opening.length - 1)) return index + 1;
    }
    return text.length;
  }
  if (text[at] === '{' || text[at] === '[') return text.length;
  return at + lengthUntil(text, at, /[,}\]\s]/);
}

/** The end of the value of a quoted `key`; its beginning where it is the number of a ticket. */
function endOfKey(text: string, at: number): number {
  const end = endOfValue(text, at);
  return isTicket('key', text.slice(at, end).replace(/^\\*["']|\\*["']$/g, '')) ? at : end;
}

/** Whether a quote after this many backslashes ends a text whose opening quote had `opened`. */
function closes(backslashes: number, opened: number): boolean {
  // In unescaped text a pair is a backslash of the value; an odd number escapes the quote.
  return opened === 0 ? backslashes % 2 === 0 : backslashes <= opened;
}

const SCHEME = /^(?:bearer|basic|token|digest)\s+/i;

function endOfProse(text: string, at: number): number {
  if (text.startsWith(REDACTED, at)) return at;
  const scheme = SCHEME.exec(text.slice(at, at + 64))?.[0].length ?? 0;
  return at + scheme + lengthUntil(text, at + scheme, /[\s"',;&\\]/);
}
