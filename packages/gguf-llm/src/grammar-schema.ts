/** A JSON Schema in the subset that llama.cpp's grammars can bind an answer to. */
export type GrammarSchema = Readonly<Record<string, unknown>>;

/** A weak model fills every place of a list, so a grammar allows fewer items than a schema may. */
const ITEMS_MAX = 30;
/** Longer bounds make grammars slow; a longer text is found when the answer is checked. */
const LENGTH_MAX = 300;
const DEPTH_MAX = 12;
const FORMATS = ['date', 'time', 'date-time'];
const ANY: GrammarSchema = { type: 'string' };

/**
 * The schema in the grammar's subset: objects with all their properties, lists, texts, numbers,
 * enums and alternatives. References into the schema are followed. A keyword outside the subset is
 * left out, so a check of the answer against the whole schema stays necessary.
 */
export function grammarSchemaOf(schema: object): GrammarSchema {
  return convert(schema, schema, 0);
}

function convert(value: unknown, root: object, depth: number): GrammarSchema {
  if (!isObject(value) || depth > DEPTH_MAX) return ANY;
  const target = typeof value['$ref'] === 'string' ? resolve(value['$ref'], root) : null;
  if (target !== null) return convert(target, root, depth + 1);
  if ('const' in value) return { const: value['const'] };
  if (Array.isArray(value['enum'])) return { enum: value['enum'] };
  const choices = value['oneOf'] ?? value['anyOf'];
  if (Array.isArray(choices) && choices.length > 0)
    return { oneOf: choices.map((choice) => convert(choice, root, depth + 1)) };
  if (Array.isArray(value['allOf']))
    return convert(Object.assign({}, ...value['allOf'].filter(isObject)), root, depth + 1);
  const type = value['type'] ?? ('properties' in value ? 'object' : 'string');
  if (Array.isArray(type)) {
    const [only, ...others] = type;
    return others.length === 0
      ? convert({ ...value, type: only }, root, depth)
      : { oneOf: type.map((one) => convert({ ...value, type: one }, root, depth + 1)) };
  }
  if (type === 'object') return objectSchema(value, root, depth);
  if (type === 'array') return arraySchema(value, root, depth);
  return type === 'string' ? textSchema(value) : { type };
}

function objectSchema(
  value: Readonly<Record<string, unknown>>,
  root: object,
  depth: number,
): GrammarSchema {
  const { properties, additionalProperties } = value;
  if (isObject(properties) && Object.keys(properties).length > 0) {
    const entries = Object.entries(properties).map(([name, inner]) => [
      name,
      convert(inner, root, depth + 1),
    ]);
    return { type: 'object', properties: Object.fromEntries(entries) };
  }
  return isObject(additionalProperties)
    ? {
        type: 'object',
        additionalProperties: convert(additionalProperties, root, depth + 1),
        maxProperties: ITEMS_MAX,
      }
    : { type: 'object', additionalProperties: ANY, maxProperties: ITEMS_MAX };
}

function arraySchema(
  value: Readonly<Record<string, unknown>>,
  root: object,
  depth: number,
): GrammarSchema {
  const { minItems, maxItems, items } = value;
  const least = typeof minItems === 'number' ? minItems : 0;
  const most = typeof maxItems === 'number' ? maxItems : ITEMS_MAX;
  return {
    type: 'array',
    items: convert(items, root, depth + 1),
    ...(least > 0 ? { minItems: least } : {}),
    maxItems: Math.max(least, Math.min(most, ITEMS_MAX)),
  };
}

function textSchema(value: Readonly<Record<string, unknown>>): GrammarSchema {
  const { format, minLength, maxLength } = value;
  if (typeof format === 'string' && FORMATS.includes(format)) return { type: 'string', format };
  return {
    type: 'string',
    ...(typeof minLength === 'number' && minLength <= LENGTH_MAX ? { minLength } : {}),
    ...(typeof maxLength === 'number' && maxLength <= LENGTH_MAX ? { maxLength } : {}),
  };
}

/** The part of the schema that a reference such as `#/$defs/entity` names; null: none. */
function resolve(reference: string, root: object): unknown {
  if (!reference.startsWith('#/')) return null;
  let place: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(place) || !Object.hasOwn(place, name)) return null;
    place = place[name];
  }
  return place ?? null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
