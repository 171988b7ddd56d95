import { RE2JS } from 're2js';
import { entryOf } from './entry-of.ts';
import type { Shape } from './json-shape.ts';

const EMPTY_OF_FORMAT: Readonly<Record<string, string>> = {
  date: '1970-01-01',
  'date-time': '1970-01-01T00:00:00Z',
  time: '00:00:00Z',
  email: 'unknown@example.invalid',
  uri: 'about:blank',
  uuid: '00000000-0000-0000-0000-000000000000',
};

/**
 * A required text nothing was found for; a dash per asked character rather than an invented word.
 */
export function emptyText({ format, minLength = 0, pattern }: Shape): string {
  const empty = entryOf(EMPTY_OF_FORMAT, format ?? '');
  if (empty !== undefined) return empty;
  const least = Math.min(minLength, 10_000);
  const tries = ['', 'unknown', 'UNKNOWN', '0', 'n/a', '-'].filter((text) => text.length >= least);
  const shape = pattern === undefined ? {} : { pattern };
  return tries.find((text) => matches(text, shape)) ?? '-'.repeat(least);
}

function compiled(pattern: string): RE2JS | null {
  try {
    // Linear time whatever the pattern: it comes from a user's schema.
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}

export function matches(text: string, { pattern, format }: Shape): boolean {
  if (entryOf(FORMATS, format ?? '')?.test(text) === false) return false;
  return pattern === undefined || compiled(pattern)?.matcher(text).find() !== false;
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  time: /^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z\d+.-]*:\S+$/i,
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
};

export function pieceMatching(shape: Shape, text: string): string | null {
  const words = text.slice(0, 20_000).match(/[\p{L}\d][\p{L}\d_.:/@-]*/gu) ?? [];
  return (
    words
      .map((word) => word.replace(/[.:]$/, ''))
      .find(
        (word) =>
          word.length >= (shape.minLength ?? 1) &&
          word.length <= (shape.maxLength ?? 20_000) &&
          matches(word, shape),
      ) ?? null
  );
}

export function firstNumber(text: string): number | null {
  const found =
    /(?<![\p{L}\d.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\p{L}\d.])-?\d+(?:\.\d+)?/u.exec(text)?.[0];
  return found === undefined ? null : Number(found.replaceAll(',', ''));
}

export function bounded(value: number, shape: Shape, whole: boolean): number {
  const step = shape.multipleOf ?? (whole ? 1 : 0);
  const low =
    shape.minimum ??
    (shape.exclusiveMinimum === undefined
      ? Number.NEGATIVE_INFINITY
      : shape.exclusiveMinimum + (step || 1e-9));
  const high =
    shape.maximum ??
    (shape.exclusiveMaximum === undefined
      ? Number.POSITIVE_INFINITY
      : shape.exclusiveMaximum - (step || 1e-9));
  const inside = Math.min(high, Math.max(low, value));
  if (step === 0) return inside;
  const rounded = Math.round(inside / step) * step;
  if (rounded < low) return Math.ceil(low / step) * step;
  return rounded > high ? Math.floor(high / step) * step : rounded;
}
