import { entryOf } from '../common/entry-of.ts';
import { isBigNumeral, isBigWholeNumber, losesDigits } from '../common/exact-json.ts';
import type { Json, JsonObject } from '../common/json.ts';
import { AppliedSchemas, type Fits } from './applied.ts';

/**
 * Reads the texts of a value that can't fit as texts, in place: '0.3' where only a number fits,
 * 'true' where only a boolean does. Texts come from forms, the command line and templates. Nothing
 * else is ever changed: no null, number or boolean becomes another type. Nothing inside `anyOf`,
 * `oneOf`, `not`, `if` and `contains` is changed.
 * Returns whether it changed anything.
 */
export function coerceTexts(schema: JsonObject, value: { value: Json }, fits: Fits): boolean {
  let hasChanged = false;
  new AppliedSchemas(schema, fits, (subschema, place) => {
    const given = place.holder[place.key];
    const read = given === undefined ? undefined : readAs(typesOf(subschema), given);
    if (read === undefined || read === given) return;
    hasChanged = true;
    place.holder[place.key] = read;
  }).walk({ holder: value, key: 'value' });
  return hasChanged;
}

/** Undefined: the value stays as it is. */
function readAs(types: readonly string[], given: Json): Json | undefined {
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
    return String(given);
  return undefined;
}

const NUMERIC: ReadonlySet<string> = new Set(['number', 'integer', 'null']);
const BOOLEANS: ReadonlyMap<string, Json> = new Map([
  ['true', true],
  ['false', false],
]);

const NUMERAL = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Longer texts are no numbers that a person wrote. */
const NUMERAL_CHARS_MAX = 400;

function readNumber(text: string): Json | undefined {
  const numeral = text.trim().replace(/^\+/, '');
  if (numeral.length > NUMERAL_CHARS_MAX || !NUMERAL.test(numeral)) return undefined;
  if (!losesDigits(numeral)) return Number(numeral);
  // Digit for digit, or not at all.
  return isBigNumeral(numeral) ? numeral : undefined;
}

function typesOf(schema: JsonObject): string[] {
  const type = entryOf(schema, 'type');
  if (type === undefined) return [];
  const types = [type].flat().map(String);
  return entryOf(schema, 'nullable') === true ? [...types, 'null'] : types;
}
