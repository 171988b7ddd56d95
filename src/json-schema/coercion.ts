import { entryOf } from '../common/entry-of.ts';
import { isBigWholeNumber, losesDigits } from '../common/exact-json.ts';
import type { Json, JsonObject } from '../common/json.ts';
import { AppliedSchemas, type Fits, type Place } from './applied.ts';

/** Puts the texts of whole numbers beyond 2^53 back where their number was checked. */
export type Restore = () => void;

/**
 * Reads the texts of a value that can't fit as texts, in place: '0.3' where only a number fits,
 * 'true' where only a boolean does. Texts come from forms, the command line and templates. Nothing
 * else is ever changed: no null, number or boolean becomes another type. Nothing inside `anyOf`,
 * `oneOf`, `not`, `if` and `contains` is changed.
 * Returns null if it changed nothing.
 */
export function coerceTexts(
  schema: JsonObject,
  value: { value: Json },
  fits: Fits,
): { restore: Restore } | null {
  const kept: { place: Place; value: Json }[] = [];
  let hasChanged = false;
  new AppliedSchemas(schema, fits, (subschema, place) => {
    const given = place.holder[place.key];
    const read = given === undefined ? undefined : readAs(typesOf(subschema), given);
    if (read === undefined || given === undefined) return;
    hasChanged = true;
    place.holder[place.key] = read.checked;
    if (read.checked !== read.value) kept.push({ place, value: read.value });
  }).walk({ holder: value, key: 'value' });
  if (!hasChanged) return null;
  return {
    restore: () => {
      for (const { place, value: text } of kept) place.holder[place.key] = text;
    },
  };
}

/** `checked` is validated, `value` is the result. Undefined: the value stays as it is. */
type Read = { readonly checked: Json; readonly value: Json } | undefined;

function readAs(types: readonly string[], given: Json): Read {
  const [wanted, ...others] = types.filter((type) => type !== 'null');
  if (wanted === undefined || types.includes(typeof given)) return undefined;
  // A choice between types is the author's: ajv would take the first.
  if (others.length > 0 && !types.every((type) => NUMERIC.has(type))) return undefined;
  if (typeof given === 'string') {
    if (wanted === 'boolean') return BOOLEANS.get(given.trim());
    return NUMERIC.has(wanted) ? readNumber(given) : undefined;
  }
  // parseJson keeps such a number as text where a number would lose digits: both are one kind.
  if (wanted === 'string' && typeof given === 'number' && isBigWholeNumber(String(given)))
    return same(String(given));
  return undefined;
}

const same = (value: Json) => ({ checked: value, value });
const NUMERIC: ReadonlySet<string> = new Set(['number', 'integer', 'null']);
const BOOLEANS: ReadonlyMap<string, Read> = new Map([
  ['true', same(true)],
  ['false', same(false)],
]);

const NUMERAL = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Longer texts are no numbers that a person wrote. */
const NUMERAL_CHARS_MAX = 400;

function readNumber(text: string): Read {
  const numeral = text.trim().replace(/^\+/, '');
  if (numeral.length > NUMERAL_CHARS_MAX || !NUMERAL.test(numeral)) return undefined;
  const number = Number(numeral);
  if (!losesDigits(numeral)) return same(number);
  // Digit for digit, or not at all.
  return isBigWholeNumber(numeral) ? { checked: number, value: numeral } : undefined;
}

function typesOf(schema: JsonObject): string[] {
  const type = entryOf(schema, 'type');
  if (type === undefined) return [];
  const types = [type].flat().map(String);
  return entryOf(schema, 'nullable') === true ? [...types, 'null'] : types;
}
