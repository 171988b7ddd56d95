import { LRUCache } from 'lru-cache';
import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { type ParsedTemplate, parseTemplate } from '../../expressions/template.ts';
import { HELPERS } from './helpers.ts';

/** A text that may be one tag and nothing else. */
const ONE_TAG = /^(?:\{\{[^{}]+\}\}|\{\{\{[^{}]+\}\}\})$/;
const wholePaths = new LRUCache<string, { readonly parts: readonly string[] | null }>({ max: 500 });

/** The keys of a text that shows one value and nothing else; null for any other text. */
export function wholePath(source: string): readonly string[] | null {
  if (!ONE_TAG.test(source)) return null;
  let known = wholePaths.get(source);
  if (known === undefined) {
    known = { parts: partsOf(soundTemplate(source)) };
    wholePaths.set(source, known);
  }
  return known.parts;
}

function partsOf({ program, shown }: ParsedTemplate): readonly string[] | null {
  const [only] = shown;
  if (only === undefined || program?.body.length !== 1 || program.body[0] !== only.statement)
    return null;
  const { path, params, hash } = only.statement;
  const { parts, depth, data, original } = path as hbs.AST.PathExpression;
  const isValue = params.length === 0 && hash === undefined && !((original as string) in HELPERS);
  return isValue && depth === 0 && !data ? parts : null;
}

/** @throws Error with all problems of the source, for the author */
export function soundTemplate(source: string): ParsedTemplate {
  const parsed = parseTemplate(source, []);
  if (parsed.problems.length > 0)
    throw new Error(parsed.problems.map(({ message }) => message).join(' '));
  return parsed;
}

/**
 * Puts values of `sent` into `made`, the result of `renderJson(source)`, at the leaves that are one
 * reference. Only `JSON.stringify` can read these values, so they never pass through a process.
 */
export function withSentValues(source: Json, made: Json, sent: JsonObject | null): Json {
  if (sent === null) return made;
  if (typeof source === 'string') {
    const path = wholePath(source);
    return path === null ? made : (valueIn(sent, path) ?? made);
  }
  if (Array.isArray(source) && Array.isArray(made))
    return source.map((inner, index) => withSentValues(inner, made[index] ?? null, sent));
  if (!isJsonObject(source) || !isJsonObject(made)) return made;
  return Object.fromEntries(
    Object.entries(made).map(([key, inner]) => [
      key,
      withSentValues(entryOf(source, key) ?? null, inner, sent),
    ]),
  );
}

function valueIn(data: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = entryOf(value as JsonObject, key);
  }
  return value;
}
