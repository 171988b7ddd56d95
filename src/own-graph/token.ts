import { withEllipsis } from '../common/ellipsis.ts';
import { entryOf } from '../common/entry-of.ts';

/** Maximum length of a name or sign that a refusal quotes. */
const QUOTED_CHARS_MAX = 40;

/** A name of a query as a refusal quotes it. */
export function quoted(name: string): string {
  return withEllipsis(name, QUOTED_CHARS_MAX).toWellFormed();
}

/** Why a query is refused, and where. Lines and columns count from 1. */
export class QueryRefused extends Error {
  override readonly name = 'QueryRefused';
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }

  /** The message with the place in `text`. */
  in(text: string): string {
    const before = text.slice(0, this.at).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    return `Line ${before.length}, column ${column}: ${this.message}`;
  }
}

export interface Token {
  /** `word`: a keyword or name; `name`: a name in backticks; `sign`: an operator or bracket. */
  readonly kind: 'word' | 'name' | 'parameter' | 'string' | 'integer' | 'float' | 'sign' | 'end';
  /** The name, the value of a string, or the text. */
  readonly text: string;
  readonly at: number;
}

const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const RULES = [
  ['float', /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+/y],
  // In `1..3` two integers stand; `1.x` and `1abc` are no numbers.
  ['integer', /\d+(?!\w|\.(?!\.))/y],
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['name', /`(?:``|[^`])+`/y],
  ['parameter', /\$[A-Za-z_][A-Za-z0-9_]*/y],
  ['string', /'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"/y],
  ['sign', /\.\.|<=|>=|<>|[()[\]{},:;.|+\-*/%^=<>]/y],
] as const satisfies readonly [Token['kind'], RegExp][];

/** Splits a query into tokens, the last one of kind `end`. @throws QueryRefused */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = skipBlank(text, 0);
  while (at < text.length) {
    const token = tokenAt(text, at);
    tokens.push(token.value);
    at = skipBlank(text, at + token.length);
  }
  tokens.push({ kind: 'end', text: 'the end', at: text.length });
  return tokens;
}

function skipBlank(text: string, at: number): number {
  BLANK.lastIndex = at;
  return at + (BLANK.exec(text)?.[0].length ?? 0);
}

function tokenAt(text: string, at: number): { value: Token; length: number } {
  for (const [kind, rule] of RULES) {
    rule.lastIndex = at;
    const found = rule.exec(text)?.[0];
    if (found !== undefined)
      return { value: { kind, text: textOf(kind, found, at), at }, length: found.length };
  }
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (sign === "'" || sign === '"' || sign === '`')
    throw new QueryRefused('This text or name has no end.', at);
  throw new QueryRefused(`${JSON.stringify(sign)} can't stand here.`, at);
}

function textOf(kind: Token['kind'], found: string, at: number): string {
  // Two escapes may write one character: \ud83d\ude00.
  if (kind === 'string') return unescaped(found.slice(1, -1), at).toWellFormed();
  if (kind === 'name') return found.slice(1, -1).replaceAll('``', '`');
  return kind === 'parameter' ? found.slice(1) : found;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
};

const unescaped = (text: string, at: number): string =>
  text.replace(/\\(?:u([0-9A-Fa-f]{4})|([\s\S]))/gu, (_, code?: string, sign?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    const known = entryOf(ESCAPES, sign ?? '');
    if (known === undefined) throw new QueryRefused(`\\${sign} is no escape.`, at);
    return known;
  });
