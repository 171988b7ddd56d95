import { RE2JS } from 're2js';
import type { Json } from '../common/json.ts';

/** What stands where something secret stood. */
export const REDACTED = '[REDACTED]';

/** S3-RED-01: names of fields whose values are never recorded. */
export const REDACTED_FIELDS_DEFAULT: readonly string[] = [
  'apiKey',
  'token',
  'password',
  'secret',
  'authorization',
  'key',
];

/**
 * Stands among the patterns for "what looks like base64": 40 characters or more with a digit, an upper and a lower case letter. Ids, paths and
 * slugs are of the same alphabet, and a pattern of the linear engine can't say "one of each".
 */
export const BASE64_PATTERN = ':base64:';

/** S3-RED-02: what secrets look like inside any text, in the syntax of the linear engine. */
export const REDACTED_PATTERNS_DEFAULT: readonly string[] = [
  '(?i)\\b(?:bearer|basic)\\s+[a-z0-9._~+/:=-]{8,}',
  BASE64_PATTERN,
  // JSON Web Tokens.
  '\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*',
  // Keys of well-known vendors.
  '\\b(?:sk|pk|rk|xox[abprs]|gh[pousr]|glpat|AKIA)[-_A-Za-z0-9]{16,}',
  '-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*-----)?',
  // user:password@ in addresses.
  '://[^\\s/@:]+:[^\\s/@]+@',
];

export interface RedactionRules {
  /** Names of fields; compared without case, `_`, `-` and spaces. */
  readonly fields: readonly string[];
  /** Checked sources of the linear engine (`patternFault`), or BASE64_PATTERN. */
  readonly patterns: readonly string[];
}

/**
 * Takes secrets out of values for good: there is no way back, and what was redacted once stays as it is. For copies that are
 * recorded (calls, raw stream); never for values that steps hand to one another.
 */
export interface Redactor {
  /** A copy, at every depth: values of fields by name, texts and keys by pattern, JSON inside texts as what it is. */
  json(value: Json): Json;
  text(text: string): string;
}

/** What is nested deeper is not recorded; nobody reads it, and each level costs stack. */
const DEPTH_MAX = 200;

/** Compiles the rules; a few milliseconds, so keep it (`redactorOf`). */
export function createRedactor({ fields, patterns }: RedactionRules): Redactor {
  const names = new Set(fields.map(normalName).filter((name) => name !== ''));
  const expressions = patterns.map(expressionOf);
  const inText = fieldsInText([...names]);

  const byPattern = (given: string): string =>
    expressions.reduce((text, replace) => replace(text), given);

  function text(given: string, depth = 0): string {
    return inText(byPattern(insideJson(given, depth)));
  }

  /** A text that is JSON is redacted as the value it stands for, whatever was escaped in it. */
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
    // Where nothing was secret the text keeps its own spacing and numbers.
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
        names.has(normalName(name)) ? REDACTED : walk(inner, depth + 1),
      ]),
    );
  }
  return { json: (value) => walk(value, 0), text: (given) => text(given) };
}

/** The part of Settings that says what is secret. */
export interface RedactionSettings {
  readonly redactedFields: readonly string[];
  readonly redactedPatterns: readonly string[];
}

const known = new WeakMap<RedactionSettings, Redactor>();

/** The redactor of these settings, compiled once for as long as the object lives: hand on the Settings as they were read. */
export function redactorOf(settings: RedactionSettings): Redactor {
  let redactor = known.get(settings);
  if (redactor === undefined) {
    const { redactedFields: fields, redactedPatterns: patterns } = settings;
    redactor = createRedactor({ fields, patterns });
    known.set(settings, redactor);
  }
  return redactor;
}

/** `API-Key`, `api_key` and `apiKey` are one name. */
export function normalName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/** Two keys that both were secrets stay two fields. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} ${count}`;
  taken.add(free);
  return free;
}

function expressionOf(source: string): (text: string) => string {
  const isBase64 = source === BASE64_PATTERN;
  const compiled = RE2JS.compile(
    RE2JS.translateRegExp(isBase64 ? '[A-Za-z0-9+/_-]{40,}={0,2}' : source),
  );
  // To look is several times cheaper than to replace, and most texts hold nothing.
  return (text) =>
    compiled.test(text) ? replaceIn(text, compiled, isBase64 ? isMixed : () => true) : text;
}

function isMixed(match: string): boolean {
  return /\d/.test(match) && /[A-Z]/.test(match) && /[a-z]/.test(match);
}

function replaceIn(text: string, pattern: RE2JS, isSecret: (match: string) => boolean): string {
  const matcher = pattern.matcher(text);
  let result = '';
  let from = 0;
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end === start || !isSecret(text.slice(start, end))) continue;
    result += text.slice(from, start) + REDACTED;
    from = end;
  }
  return result + text.slice(from);
}

// `key: value` is plain English; names this short count in text only where they are quoted or stand in a query.
const PROSE_NAME_CHARS_MIN = 5;

/** Fields by name in a text that is no JSON as a whole: quoted ones (JSON in a sentence, cut off, escaped again), and name=value. */
function fieldsInText(names: readonly string[]): (text: string) => string {
  if (names.length === 0) return (text) => text;
  const spelled = (given: readonly string[]) =>
    given.map((name) => [...name].map(escaped).join('[-_ ]*')).join('|');
  const long = names.filter((name) => name.length >= PROSE_NAME_CHARS_MIN);
  const quoted = RE2JS.compile(`(?i)["'][-_ ]*(?:${spelled(names)})[-_ ]*\\\\*["']\\s*[:=]\\s*`);
  const query = RE2JS.compile(`(?i)[?&](?:${spelled(names)})=`);
  const prose =
    long.length === 0 ? null : RE2JS.compile(`(?i)(?:^|[^a-z0-9])(?:${spelled(long)})\\s*[:=]\\s*`);
  return (given) => {
    let text = afterEach(given, quoted, endOfValue);
    text = afterEach(text, query, (from, at) => at + run(from, at, /[&#\s"']/));
    return prose === null ? text : afterEach(text, prose, endOfProse);
  };
}

function escaped(char: string): string {
  return /[\p{L}\p{N}]/u.test(char) ? char : `\\${char}`;
}

/** Replaces what follows each match, up to where `endOf` says. */
function afterEach(
  text: string,
  pattern: RE2JS,
  endOf: (text: string, at: number) => number,
): string {
  if (!pattern.test(text)) return text;
  const matcher = pattern.matcher(text);
  let result = '';
  let from = 0;
  while (matcher.find()) {
    const start = matcher.end();
    if (start < from) continue;
    const end = endOf(text, start);
    if (end === start) continue;
    result += text.slice(from, start) + REDACTED;
    from = end;
  }
  return result + text.slice(from);
}

/** How many characters until `stop`, or to the end. */
function run(text: string, at: number, stop: RegExp): number {
  const length = text.slice(at).search(stop);
  return length < 0 ? text.length - at : length;
}

/** Where a value ends that follows a quoted name. What can't be told apart goes to the end of the text. */
function endOfValue(text: string, at: number): number {
  if (text.startsWith(REDACTED, at)) return at;
  const [opening = ''] = /^\\*["']/.exec(text.slice(at, at + 64)) ?? [];
  if (opening !== '') {
    const quote = opening.at(-1) ?? '"';
    for (let index = at + opening.length; index < text.length; index++) {
      if (text[index] !== quote) continue;
      let backslashes = 0;
      while (text[index - 1 - backslashes] === '\\') backslashes++;
      // Inside a JSON text that was escaped again, quotes of the value itself have more backslashes than its ends.
      if (closes(backslashes, opening.length - 1)) return index + 1;
    }
    return text.length;
  }
  if (text[at] === '{' || text[at] === '[') return text.length;
  return at + run(text, at, /[,}\]\s]/);
}

/** Whether a quote after so many backslashes ends a text that a quote after `opened` of them began. */
function closes(backslashes: number, opened: number): boolean {
  // Unescaped text: pairs are backslashes of the value, an odd one escapes the quote.
  return opened === 0 ? backslashes % 2 === 0 : backslashes <= opened;
}

const SCHEME = /^(?:bearer|basic|token|digest)\s+/i;

function endOfProse(text: string, at: number): number {
  if (text.startsWith(REDACTED, at)) return at;
  const scheme = SCHEME.exec(text.slice(at, at + 64))?.[0].length ?? 0;
  return at + scheme + run(text, at + scheme, /[\s"',;&\\]/);
}
