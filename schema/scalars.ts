import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { entryOf } from '../src/common/entry-of.ts';
import { exactNumber } from '../src/common/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../src/common/json.ts';
import { JSON_DEPTH_MAX } from '../src/common/limits.ts';

type Variables = Readonly<Record<string, unknown>> | null | undefined;

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * Times are RFC 3339 text. Internally they are UTC with milliseconds, so that text order is time
 * order.
 */
export const dateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description:
    'A time in RFC 3339. It is returned in UTC with milliseconds: 2026-11-21T09:30:00.000Z.',
  specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc3339',
  serialize: (value) => {
    if (typeof value !== 'string') throw new TypeError('A DateTime is kept as text.');
    return value;
  },
  parseValue: toInstant,
  parseLiteral: (node) => toInstant(node.kind === Kind.STRING ? node.value : null),
});

function toInstant(value: unknown): string {
  const ms = typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw badInput(dateTimeFault(value));
  return new Date(ms).toISOString();
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/i;

/** A date or a time without its offset means another moment in each time zone. */
function dateTimeFault(value: unknown): string {
  const taken = 'A DateTime is RFC 3339 text such as 2026-11-21T09:30:00Z.';
  if (typeof value !== 'string') return taken;
  if (DATE.test(value))
    return (
      `${taken} A date needs its time and offset: ${value}T00:00:00Z for the start of that day ` +
      'in UTC.'
    );
  if (WITHOUT_OFFSET.test(value))
    return `${taken} A time needs seconds and its offset: Z for UTC, or such as +01:00.`;
  return taken;
}

export const json = new GraphQLScalarType<Json, unknown>({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => shallowEnough(value as Json),
  parseLiteral: (node, variables) => shallowEnough(literal(node, variables)),
});

/**
 * A scalar of this name for JSON objects. Arrays, strings and numbers are refused.
 * @param read makes the internal value of one that was given
 */
export function jsonObject(
  name: string,
  description: string,
  read: (value: JsonObject) => JsonObject = (value) => value,
): GraphQLScalarType<JsonObject, object> {
  const check = (value: unknown): JsonObject => {
    if (!isJsonObject(value)) throw badInput(`${name} has to be a JSON object.`);
    return shallowEnough(value);
  };
  return new GraphQLScalarType<JsonObject, object>({
    name,
    description,
    serialize: check,
    parseValue: (value) => read(check(value)),
    parseLiteral: (node, variables) => read(check(literal(node, variables))),
  });
}

export const cursorText = new GraphQLScalarType<string, string>({
  name: 'Cursor',
  description: 'An opaque position in a stream. Pass it as `after` to continue from there.',
  serialize: String,
  parseValue: (value) => {
    if (typeof value !== 'string') throw badInput('A Cursor is text.');
    return value;
  },
  parseLiteral: (node) => {
    if (node.kind !== Kind.STRING) throw badInput('A Cursor is text.');
    return node.value;
  },
});

function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

function literal(node: ValueNode, variables: Variables): Json {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.BOOLEAN:
    case Kind.STRING:
    case Kind.ENUM:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return exactNumber(node.value);
    case Kind.LIST:
      return node.values.map((value) => literal(value, variables));
    case Kind.OBJECT:
      // fromEntries defines own properties, so a key named __proto__ stays a normal key.
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, literal(value, variables)]),
      );
    case Kind.VARIABLE:
      return (entryOf(variables ?? {}, node.name.value) ?? null) as Json;
  }
}

// JSON is processed recursively. Without a depth limit, deep nesting would cause a stack overflow
// far from the input.
function shallowEnough<Value extends Json>(value: Value): Value {
  if (deeperThan(value, JSON_DEPTH_MAX)) {
    throw badInput(`JSON values may be nested at most ${JSON_DEPTH_MAX} deep.`);
  }
  return value;
}

function deeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((inner) => deeperThan(inner, depth - 1));
}
