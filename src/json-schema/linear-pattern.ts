import { RE2JS } from 're2js';

// A pattern of one user runs on texts of other users. RE2 never backtracks: its work is at most
// program size times text length. Both factors and their product have a limit here.
export const PATTERN_CHARS_MAX = 1_000;
export const PATTERN_PROGRAM_MAX = 5_000;
/** Sum over all patterns of one schema. Compiling takes about 10 µs per instruction. */
export const PATTERN_PROGRAMS_MAX = 20_000;
/** Instructions times characters in one validation; about 0.2 s. */
export const PATTERN_WORK_MAX = 20_000_000;

/** The pattern would take too long on this value. validateJson turns it into a problem. */
export class PatternTooCostly extends Error {
  override readonly name = 'PatternTooCostly';
}

/** Work of the current validation. Validation is synchronous, so one counter is enough. */
let work = 0;

export function startPatternWork(): void {
  work = 0;
}

class LinearPattern {
  readonly source: string;
  readonly #pattern: RE2JS;
  readonly #size: number;

  constructor(source: string) {
    this.source = source;
    this.#pattern = RE2JS.compile(RE2JS.translateRegExp(source));
    this.#size = Math.max(1, this.#pattern.programSize());
  }

  test(text: string): boolean {
    work += text.length * this.#size;
    if (work > PATTERN_WORK_MAX)
      throw new PatternTooCostly('The value is too long for the patterns of its schema.');
    return this.#pattern.test(text);
  }

  /** ajv identifies a pattern by this text. */
  toString(): string {
    return this.source;
  }
}

/**
 * The value of ajv's option `code.regExp`: compiles linear-time patterns. Throws if RE2 does not
 * know the syntax.
 */
export const linearRegExp = Object.assign((source: string) => new LinearPattern(source), {
  code: 'linearRegExp',
});

/**
 * Why a pattern can't be used; null if it can. Estimates the size before compiling, so any text is
 * cheap.
 */
export function patternFault(source: string): string | null {
  if (source.length > PATTERN_CHARS_MAX) return `has more than ${PATTERN_CHARS_MAX} characters`;
  if (patternSize(source) > PATTERN_PROGRAM_MAX) return 'repeats too much';
  try {
    linearRegExp(source);
    return null;
  } catch {
    return (
      'is no regular expression of the linear-time syntax ' + '(no look-around, no back-references)'
    );
  }
}

/**
 * Estimates the number of instructions of a compiled pattern: atoms times their counted repeats.
 * The estimate may be too low by a small factor; Unicode classes count as one.
 */
export function patternSize(source: string): number {
  const groups: number[] = [0];
  let atom = 0;
  const add = (size: number) => {
    groups[groups.length - 1] = (groups.at(-1) ?? 0) + size;
    atom = size;
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') {
      add(1);
      at++;
    } else if (char === '[') {
      at = endOfClass(source, at);
      add(1);
    } else if (char === '(') {
      groups.push(1);
    } else if (char === ')') {
      add((groups.length > 1 ? groups.pop() : 0) ?? 0);
    } else if (char === '{') {
      const counts = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/.exec(source.slice(at, at + 12));
      if (counts === null) add(1);
      else {
        const most = Math.max(
          1,
          Number(counts[1]) + (counts[2] === '' ? 1 : 0),
          Number(counts[2] ?? 0),
        );
        const inner = atom;
        add(inner * (most - 1));
        atom = inner * most;
        at += counts[0].length - 1;
      }
    } else add(1);
  }
  return groups.reduce((sum, size) => sum + size, 0);
}

/** The index of the `]` that ends the class that begins at `start`. */
export function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']') return at;
  }
  return source.length;
}
