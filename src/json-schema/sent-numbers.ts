import { entryOf } from '../common/entry-of.ts';
import { holdsBigNumeral, isBigNumeral, sentNumber } from '../common/exact-json.ts';
import type { Json, JsonObject } from '../common/json.ts';
import { AppliedSchemas, type Place } from './applied.ts';
import { fitsOf } from './json-schema.ts';

/**
 * A copy of a value that fits its schema, in which each big number that `parseJson` kept as text is
 * a number again, for `JSON.stringify`: where the schema names `integer` or `number` at its place
 * and not `string`. Null where there is none.
 */
export function withSentNumbers<T extends Json>(schema: JsonObject, value: T): T | null {
  if (!holdsBigNumeral(value)) return null;
  const root: { value: Json } = { value: structuredClone(value) };
  const named = new Map<string, { readonly place: Place; readonly types: Set<string> }>();
  const ids = new Map<object, number>();
  const idOf = (holder: object) => {
    if (!ids.has(holder)) ids.set(holder, ids.size);
    return ids.get(holder);
  };
  const visit = (subschema: JsonObject, place: Place) => {
    const text = place.holder[place.key];
    const type = entryOf(subschema, 'type');
    if (typeof text !== 'string' || type === undefined || !isBigNumeral(text)) return;
    const key = `${idOf(place.holder)} ${place.key}`;
    const found = named.get(key) ?? { place, types: new Set() };
    for (const one of [type].flat()) found.types.add(String(one));
    named.set(key, found);
  };
  const isComplete = fitsOf(schema, (fits) =>
    new AppliedSchemas(schema, fits, visit, true).walk({ holder: root, key: 'value' }),
  );
  if (!isComplete) return null;
  for (const { place, types } of named.values()) {
    const isNumber = !types.has('string') && (types.has('integer') || types.has('number'));
    if (isNumber) place.holder[place.key] = sentNumber(String(place.holder[place.key]));
  }
  return root.value as T;
}
