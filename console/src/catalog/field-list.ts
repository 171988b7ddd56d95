import { isRecord, type Schema } from '../runs/context-schema.ts';

/** Types of a value as a person chooses them; `any` takes every value. */
export const FIELD_TYPES = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  array: 'List',
  object: 'Object',
  any: 'Anything',
} as const;
export type FieldType = keyof typeof FIELD_TYPES;

/** One property of a JSON Schema for an object. */
export interface SchemaField {
  readonly name: string;
  readonly type: FieldType;
  readonly isRequired: boolean;
  readonly description: string;
  /** Everything else that the schema says of the property; an edit keeps it. */
  readonly rest: Schema;
}

/** A schema as a list of fields, and what it says beside them. */
export interface FieldList {
  readonly fields: readonly SchemaField[];
  readonly rest: Schema;
}

export function newField(name: string): SchemaField {
  return { name, type: 'string', isRequired: true, description: '', rest: {} };
}

/** The fields of a schema; null where it is no schema of an object with properties. */
export function fieldsOf(schema: unknown): FieldList | null {
  if (!isRecord(schema)) return null;
  const { properties = {}, required = [], type, ...rest } = schema;
  if (!isRecord(properties) || !Array.isArray(required)) return null;
  if (type !== undefined && type !== 'object') return null;
  if (type === undefined && Object.keys(schema).length > 0 && !('properties' in schema))
    return null;
  const fields: SchemaField[] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (!isRecord(property)) return null;
    const { description, ...more } = property;
    const chosen = typeOf(more['type']);
    const { type: _, ...others } = more;
    fields.push({
      name,
      type: chosen ?? 'any',
      isRequired: required.includes(name),
      description: typeof description === 'string' ? description : '',
      rest: chosen === null ? more : others,
    });
  }
  return { fields, rest };
}

function typeOf(type: unknown): Exclude<FieldType, 'any'> | null {
  return typeof type === 'string' && type !== 'any' && Object.hasOwn(FIELD_TYPES, type)
    ? (type as Exclude<FieldType, 'any'>)
    : null;
}

/** The schema of a list of fields. Fields without a name are left out. */
export function schemaOf({ fields, rest }: FieldList): Record<string, unknown> {
  const named = fields.filter(({ name }) => name !== '');
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    ...rest,
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      named.map(({ name, type, description, rest: more }) => [
        name,
        {
          ...(type === 'any' ? {} : { type }),
          ...(description === '' ? {} : { description }),
          ...more,
        },
      ]),
    ),
  };
}

/** Short name of the type of a schema, such as `text` or `list`, for lists of variables. */
export function typeName(schema: unknown): string {
  const type = isRecord(schema) ? typeOf(schema['type']) : null;
  return FIELD_TYPES[type ?? 'any'].toLowerCase();
}
