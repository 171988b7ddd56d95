import type { Json } from './json.ts';
import { lengthUntil, normalName, REDACTED, secretReplacer, valueReplacer } from './redaction.ts';

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
  const expressions = patterns.map((source) => secretReplacer(source));
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

/** Two keys that both were secrets stay two fields. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} ${count}`;
  taken.add(free);
  return free;
}

// `key: value` is plain English; names this short count in text only where they are quoted or stand in a query.
const PROSE_NAME_CHARS_MIN = 5;

/** Fields by name in a text that is no JSON as a whole: quoted ones (JSON in a sentence, cut off, escaped again), and name=value. */
function fieldsInText(names: readonly string[]): (text: string) => string {
  if (names.length === 0) return (text) => text;
  const spelled = (given: readonly string[]) =>
    given.map((name) => [...name].map(escaped).join('[-_ ]*')).join('|');
  const long = names.filter((name) => name.length >= PROSE_NAME_CHARS_MIN);
  const replacers = [
    valueReplacer(`(?i)["'][-_ ]*(?:${spelled(names)})[-_ ]*\\\\*["']\\s*[:=]\\s*`, endOfValue),
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

function escaped(char: string): string {
  return /[\p{L}\p{N}]/u.test(char) ? char : `\\${char}`;
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
  return at + lengthUntil(text, at, /[,}\]\s]/);
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
  return at + scheme + lengthUntil(text, at + scheme, /[\s"',;&\\]/);
}
