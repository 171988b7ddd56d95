import { entryOf } from '../common/entry-of.ts';
import { endOfClass } from './linear-pattern.ts';

/** Escapes of letters that ECMAScript knows. It takes any other for the letter itself. */
const ESCAPES = 'bBcdDfknpPrsStuvwWx';
const INSTEAD: Readonly<Record<string, string>> = {
  '\\A': '^',
  '\\Z': '$',
  '\\z': '$',
  '\\h': '[ \\t]',
  '\\R': '\\r?\\n',
  '\\N': '[^\\n]',
  '\\e': '\\x1b',
  '(?P<': '(?<',
};

/** Syntax of others that RE2, which runs our patterns, reads as its authors mean it. */
const READ = /^(?:\\[AzaQE]|\(\?P<|\(\?[imsU-]+\))$/;

/**
 * The reason why a pattern of a JSON Schema has another meaning here than for its author, or null.
 * Python, PCRE and others have syntax that ours refuses or reads in another way: `\Z` is the letter
 * Z, so such a pattern would never match. Escaped signs such as `\-` and `\@` mean themselves
 * everywhere.
 */
export function foreignSyntax(source: string): string | null {
  const found = [...foreignParts(source)].find(({ text }) => !READ.test(text));
  if (found === undefined) return null;
  const instead = found.instead === null ? '' : `; write ${found.instead} instead of ${found.text}`;
  return `has ${found.text}, which is not in ECMAScript's regular expressions${instead}`;
}

/**
 * The pattern with each foreign part that has a form of the same meaning in ECMAScript in that
 * form.
 */
export function withoutForeignSyntax(source: string): string {
  let result = source;
  for (const { at, text, instead } of [...foreignParts(source)].toReversed()) {
    if (instead === null || !SAME.has(text)) continue;
    result = result.slice(0, at) + instead + result.slice(at + text.length);
  }
  const [flags, letters] = /^\(\?([ims]+)\)/.exec(result) ?? [];
  return flags === undefined ? result : `(?${letters}:${result.slice(flags.length)})`;
}

/** `\Z` of PCRE also matches before a last line break, which `$` does not: strict is safe here. */
const SAME: ReadonlySet<string> = new Set(['\\A', '\\Z', '\\z', '(?P<']);

interface ForeignPart {
  readonly at: number;
  readonly text: string;
  readonly instead: string | null;
}

function* foreignParts(source: string): Generator<ForeignPart> {
  for (let at = 0; at < source.length; at++) {
    const rest = source.slice(at, at + 12);
    if (rest.startsWith('\\')) {
      if (isForeignEscape(rest)) yield part(at, rest.slice(0, 2));
      at++;
    } else if (rest.startsWith('[')) {
      const end = endOfClass(source, at);
      yield* foreignInClass(source, at, end);
      at = end;
    } else {
      const [group] = /^\(\?(?:P[<=>]|[>|#R])/.exec(rest) ?? [];
      const [flags] = /^\(\?[a-zA-Z-]+\)/.exec(rest) ?? [];
      const [possessive] = /^(?:[*+?]|\{\d+,?\d*\})\+/.exec(rest) ?? [];
      if (group !== undefined) yield part(at, group);
      else if (flags !== undefined) yield part(at, flags);
      else if (possessive !== undefined) yield part(at, possessive, possessive.slice(0, -1));
    }
  }
}

function* foreignInClass(source: string, start: number, end: number): Generator<ForeignPart> {
  for (let at = start + 1; at < end; at++) {
    const rest = source.slice(at, at + 12);
    if (isForeignEscape(rest)) yield part(at, rest.slice(0, 2), null);
    if (rest.startsWith('\\')) at++;
  }
}

function isForeignEscape(rest: string): boolean {
  const [, letter] = /^\\([a-zA-Z])/.exec(rest) ?? [];
  return letter !== undefined && !ESCAPES.includes(letter);
}

function part(at: number, text: string, instead = entryOf(INSTEAD, text) ?? null): ForeignPart {
  return { at, text, instead };
}
