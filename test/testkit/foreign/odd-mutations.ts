import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';

// Mutations with one odd value each, made from the committed schema, so that a new field is tried
// by itself.

const schema = buildSchema(
  readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8'),
);

/** A field of an input, and the mutation that takes it. */
export interface OddPlace {
  readonly mutation: string;
  /** Argument and, inside it, fields. */
  readonly path: readonly string[];
  /** Name of the scalar or enum. */
  readonly type: string;
  readonly document: string;
  /** The least that the mutation asks for, with `value` in this place. */
  variables(value: unknown): Record<string, unknown>;
}

/** Ids of the caller's own things by type name, for the other fields. */
export type OwnThings = ReadonlyMap<string, string>;

const DEPTH_MAX = 4;

/** Each leaf of each argument of each mutation. */
export function oddPlaces(own: OwnThings = new Map()): OddPlace[] {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  return fields.flatMap((field) =>
    field.args
      .flatMap((arg) => leavesIn(arg.type, [arg.name]))
      .map(({ path, type }) => ({
        mutation: field.name,
        path,
        type,
        document: documentOf(field),
        variables: (value: unknown) =>
          Object.fromEntries(
            field.args
              .filter((arg) => isNonNullType(arg.type) || arg.name === path[0])
              .map((arg) => [
                arg.name,
                filled(
                  { own, mutation: field.name, value },
                  arg.type,
                  arg.name,
                  arg.name === path[0] ? path.slice(1) : null,
                ),
              ]),
          ),
      })),
  );
}

function leavesIn(type: GraphQLInputType, path: string[]): { path: string[]; type: string }[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [{ path, type: named.name }];
  if (path.length > DEPTH_MAX) return [];
  return Object.values(named.getFields()).flatMap((inner) =>
    leavesIn(inner.type, [...path, inner.name]),
  );
}

interface Fill {
  readonly own: OwnThings;
  readonly mutation: string;
  readonly value: unknown;
}

/** @param path the way to the odd value from here; null: not this way */
function filled(
  fill: Fill,
  type: GraphQLInputType,
  name: string,
  path: readonly string[] | null,
): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return path === null && name !== 'steps' ? [] : [filled(fill, nullable.ofType, name, path)];
  if (isInputObjectType(nullable)) {
    const isWanted = (field: string, required: boolean) =>
      field === path?.[0] || (required && !(nullable.isOneOf && path !== null));
    return Object.fromEntries(
      Object.values(nullable.getFields())
        .filter((inner) => isWanted(inner.name, isNonNullType(inner.type)))
        .map((inner) => {
          const further = inner.name === path?.[0] ? path.slice(1) : null;
          return [inner.name, filled(fill, inner.type, inner.name, further)];
        }),
    );
  }
  if (path !== null) return fill.value;
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (nullable.name === 'ID') return ownId(fill, name);
  return PLAIN[nullable.name];
}

const TYPE_OF: Readonly<Record<string, string>> = {
  run: 'ProcessRun',
  turn: 'ConversationTurn',
  parentAlternative: 'Alternative',
  respondsTo: 'Alternative',
};

/** `serviceId` is a Service of one's own, `id` in updateTool one's own Tool. */
function ownId({ own, mutation }: Fill, name: string): string {
  const noun = name === 'id' ? mutation.replace(/^[a-z]+/, '') : name.replace(/(Id|Uuid)$/, '');
  const type = TYPE_OF[noun] ?? noun.charAt(0).toUpperCase() + noun.slice(1);
  return own.get(type) ?? 'x';
}

const PLAIN: Readonly<Record<string, unknown>> = {
  String: 'x',
  Int: 1,
  Float: 1,
  Boolean: false,
  JSON: null,
  JSONObject: { endpoint: 'http://127.0.0.1:9' },
  JSONSchema: { type: 'object' },
  DateTime: '2026-11-21T00:00:00Z',
  Cursor: 'x',
};

function documentOf(field: GraphQLField<unknown, unknown>): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const given = field.args.length === 0 ? ['', ''] : [`(${variables})`, `(${args})`];
  return `mutation ${given[0]} { it: ${field.name}${given[1]} { __typename userErrors { code
    message path } } }`;
}
