import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';

/** Keywords that a shape shows, or that a model needs no words for. */
const SHOWN = new Set([
  ...['type', 'properties', 'required', 'items', 'enum', 'description', 'additionalProperties'],
  ...['title', 'default', 'minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum'],
]);
const MEMBERS_MAX = 12;

/**
 * A schema as a type, as TypeScript writes it: `{name: string, tags?: string[]}`. Limits of
 * lengths and numbers are left out. Null where the schema has keywords that a type can't show.
 */
export function shapeOf(schema: Json): string | null {
  if (!isJsonObject(schema) || Object.keys(schema).some((keyword) => !SHOWN.has(keyword)))
    return null;
  const { enum: members, type } = schema;
  if (Array.isArray(members)) return unionOf(members.map((member) => JSON.stringify(member)));
  const shapes = [type ?? null].flat().map((one) => shapeOfType(one, schema));
  return shapes.includes(null) ? null : shapes.join(' | ');
}

function unionOf(members: readonly string[]): string {
  if (members.length <= MEMBERS_MAX) return members.join(' | ');
  return [...members.slice(0, 3), '…', ...members.slice(-1)].join(' | ');
}

function shapeOfType(type: Json, schema: JsonObject): string | null {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return shapeOfArray(schema['items'] ?? null);
    case 'object':
      return shapeOfObject(schema);
    default:
      return null;
  }
}

function shapeOfArray(items: Json): string | null {
  const item = shapeOf(items);
  if (item === null) return null;
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function shapeOfObject({ properties, required, additionalProperties }: JsonObject): string | null {
  const fields: (string | null)[] = [];
  for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
    const shape = shapeOf(schema);
    const isRequired = Array.isArray(required) && required.includes(name);
    const about = isJsonObject(schema) ? (schema['description'] ?? null) : null;
    const comment = typeof about === 'string' ? ` /* ${about} */` : '';
    const mark = isRequired ? '' : '?';
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    fields.push(shape === null ? null : `${key}${mark}: ${shape}${comment}`);
  }
  if (isJsonObject(additionalProperties)) {
    const shape = shapeOf(additionalProperties);
    fields.push(shape === null ? null : `[name: string]: ${shape}`);
  }
  return fields.includes(null) ? null : `{${fields.join(', ')}}`;
}
