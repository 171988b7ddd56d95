import {
  exactNumber,
  isBigWholeNumber,
  losesDigits,
  parseJson as parseAny,
} from '../../packages/client/src/exact-json.ts';
import type { Json } from './json.ts';

export { exactNumber, isBigWholeNumber, losesDigits };

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
