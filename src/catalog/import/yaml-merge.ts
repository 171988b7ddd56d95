import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';

/**
 * The value with the keys of YAML 1.1 merged: `<<` beside other keys adds those of an object, or of
 * a list of objects, that are missing. Many documents of APIs are written so.
 */
export function withMergedKeys(value: Json): Json {
  // An alias gives one object in several places.
  const done = new Map<object, Json>();
  return merged(value);

  function merged(given: Json): Json {
    if (typeof given !== 'object' || given === null) return given;
    const known = done.get(given);
    if (known !== undefined) return known;
    const result = Array.isArray(given) ? given.map(merged) : mergedObject(given);
    done.set(given, result);
    return result;
  }

  function mergedObject(given: JsonObject): JsonObject {
    const entries = Object.entries(given).map(([key, inner]): [string, Json] => [
      key,
      merged(inner),
    ]);
    const added = entries.find(([key]) => key === '<<')?.[1];
    const sources = [added ?? []].flat();
    if (added === undefined || !sources.every(isJsonObject)) return Object.fromEntries(entries);
    // The first source wins over later ones, and own keys win over all.
    return Object.fromEntries([
      ...sources.reverse().flatMap((source) => Object.entries(source)),
      ...entries.filter(([key]) => key !== '<<'),
    ]);
  }
}
