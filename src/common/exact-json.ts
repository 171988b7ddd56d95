import {
  exactNumber,
  isBigNumeral,
  isBigWholeNumber,
  losesDigits,
  parseJson as parseAny,
} from '../../packages/client/src/exact-json.ts';
import type { Json } from './json.ts';

export { exactNumber, isBigNumeral, isBigWholeNumber, losesDigits };

/**
 * Parses JSON from outside. A number whose digits a JavaScript number would change arrives as the
 * text of its digits: `{"id": 7615917337495251231}` gives `{id: '7615917337495251231'}`
 * (docs/decisions/0096).
 * @throws SyntaxError as JSON.parse does
 */
export function parseJson(text: string): Json {
  return parseAny(text) as Json;
}

/** The reviver of a `JSON.parse` that is not ours: it reads numbers as `parseJson` does. */
export function reviveExactly(
  _key: string,
  value: unknown,
  context?: { source?: string },
): unknown {
  const numeral = typeof value === 'number' ? context?.source : undefined;
  return numeral === undefined ? value : exactNumber(numeral);
}

/** Whether a text in this value is a number that `parseJson` kept as text. */
export function holdsBigNumeral(value: Json): boolean {
  if (typeof value === 'string') return isBigNumeral(value);
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value)
    ? value.some(holdsBigNumeral)
    : Object.values(value).some(holdsBigNumeral);
}

/** TypeScript's library has no types for it yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => Json;
  readonly isRawJSON: (value: unknown) => boolean;
};

/**
 * A number that `JSON.stringify` writes with all digits of this text. It looks like an object, so
 * it stands only in a value that is about to be sent.
 */
export function sentNumber(numeral: string): Json {
  return rawJSON(numeral);
}

export function isSentNumber(value: unknown): boolean {
  return isRawJSON(value);
}
