import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';

// Reads the committed schema, so that tests over "every field" follow it by themselves.

const schema = buildSchema(
  readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'),
);

export interface IdCase {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly field: string;
  /** Where the id goes: argument and, inside it, fields. */
  readonly place: readonly string[];
  readonly document: string;
  /** The least the field asks for, with this id in its place. */
  variables(id: string): Record<string, unknown>;
}

/** Every place of a root field that takes an id: arguments, and fields of inputs, one at a time. */
export function idCases(): IdCase[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([kind, root]) =>
    Object.values(root?.getFields() ?? {}).flatMap((field) =>
      idPlaces(field).map((place) => ({
        kind,
        field: field.name,
        place,
        document: documentOf(kind, field),
        variables: (id: string) =>
          Object.fromEntries(
            field.args
              .filter((arg) => isNonNullType(arg.type) || arg.name === place[0])
              .map((arg) => [
                arg.name,
                least(arg.type, arg.name === place[0] ? place.slice(1) : null, id),
              ]),
          ),
      })),
    ),
  );
}

/** One thing of each kind that an id can belong to: type name → id. */
export function nodeTypes(): string[] {
  const node = schema.getType('Node');
  return isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
}

function idPlaces(field: GraphQLField<unknown, unknown>): string[][] {
  return field.args.flatMap((arg) => placesIn(arg.type, [arg.name]));
}

function placesIn(type: GraphQLInputType, place: string[]): string[][] {
  const named = getNamedType(type);
  if (named.name === 'ID') return [place];
  // A list of inputs is one place deeper than this looks.
  if (!isInputObjectType(named) || place.length > 3) return [];
  return Object.values(named.getFields()).flatMap((inner) =>
    placesIn(inner.type, [...place, inner.name]),
  );
}

/** The smallest value of a type; along `place` (null: not this way) with the id at its end. */
function least(type: GraphQLInputType, place: readonly string[] | null, id: string): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return place === null ? [] : [least(nullable.ofType, place, id)];
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (isInputObjectType(nullable)) {
    return Object.fromEntries(
      Object.values(nullable.getFields())
        .filter((inner) => isNonNullType(inner.type) || inner.name === place?.[0])
        .map((inner) => [
          inner.name,
          least(inner.type, inner.name === place?.[0] ? place.slice(1) : null, id),
        ]),
    );
  }
  if (place !== null) return id;
  const scalars: Record<string, unknown> = {
    ID: 'x',
    String: 'x',
    Int: 1,
    Float: 1,
    Boolean: false,
    JSON: null,
    JSONObject: {},
    JSONSchema: { type: 'object' },
    DateTime: '2026-11-21T00:00:00Z',
    Cursor: 'x',
  };
  return scalars[getNamedType(nullable).name];
}

function documentOf(kind: string, field: GraphQLField<unknown, unknown>): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  return `${kind} (${variables}) { ${field.name}(${args}) ${selection(field.type)} }`;
}

/** What tells one answer from another: problems, counts, leaves, and who an object is. */
function selection(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named) || isInterfaceType(named) || !isObjectType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields()).filter(({ args, type: inner }) => {
    if (args.some((arg) => isNonNullType(arg.type))) return false;
    return isLeafType(getNamedType(inner)) || depth < 1;
  });
  return `{ __typename ${fields.map(({ name, type: inner }) => `${name} ${selection(inner, depth + 1)}`).join(' ')} }`;
}
