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
  /**
   * The least the field asks for, with this id in its place and `own` ids wherever else it needs
   * one.
   */
  variables(id: string, own?: OwnIds): Record<string, unknown>;
}

/** Ids of the caller's own things by type name. */
export type OwnIds = ReadonlyMap<string, string>;

// Ids that only mean something inside one Process.
const NO_NODE_IDS = /\.(steps\.(stepId|dependsOn)|stepId|fromStepId)$/;

// Values without which these fields stop before they look at ids.
const CALL_PARAMS = { endpoint: 'http://127.0.0.1:9' };
const CALL = {
  operation: { restCall: { method: 'GET', path: '/' } },
  inputSchema: { type: 'object' },
  outputSchema: {},
};
const OPENAPI = {
  openapi: '3.0.0',
  info: { title: 't', version: '1' },
  paths: { '/': { get: { operationId: 'look', responses: { 200: { description: 'ok' } } } } },
};
const NEEDED: Readonly<Record<string, Record<string, unknown>>> = {
  createTool: { ...CALL, connectionParams: CALL_PARAMS },
  importOpenApiTools: { document: JSON.stringify(OPENAPI), connectionParams: CALL_PARAMS },
  importMcpTools: { connectionParams: CALL_PARAMS },
  addAlternative: { content: 'x' },
};

type Kind = IdCase['kind'];
export type RootField = GraphQLField<unknown, unknown>;

export function rootFields(kind: Kind): RootField[] {
  const root = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }[kind];
  return Object.values(root?.getFields() ?? {});
}

/** Every place of a root field that takes an id: arguments, and fields of inputs, one at a time. */
export function idCases(): IdCase[] {
  return (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
    rootFields(kind).flatMap((field) =>
      leavesOf(field, 3)
        .filter(({ path, type }) => type === 'ID' && !NO_NODE_IDS.test(path.join('.')))
        .map(({ path: place }) => ({
          kind,
          field: field.name,
          place,
          document: documentOf(kind, field),
          variables(id: string, own: OwnIds = new Map()) {
            const given = leastArgs({ value: id, own, field: field.name }, field, place);
            const needed = NEEDED[field.name] ?? {};
            if (given['input'] === undefined || Array.isArray(given['input']))
              return { ...given, ...without(needed, place) };
            return {
              ...given,
              input: { ...(given['input'] as object), ...without(needed, place) },
            };
          },
        })),
    ),
  );
}

/** Every query and subscription that takes a cursor, with a cursor that is none. */
export function cursorCases(): Pick<IdCase, 'kind' | 'field' | 'document' | 'variables'>[] {
  return (['query', 'subscription'] as const).flatMap((kind) =>
    rootFields(kind)
      .filter((field) => field.args.some(({ name }) => name === 'after'))
      .map((field) => ({
        kind,
        field: field.name,
        document: documentOf(kind, field),
        variables(id: string, own: OwnIds = new Map()) {
          const given = leastArgs({ value: id, own, field: field.name }, field, []);
          return { ...given, after: 'nonsense' };
        },
      })),
  );
}

/** One thing of each kind that an id can belong to: type name → id. */
export function nodeTypes(): string[] {
  const node = schema.getType('Node');
  return isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
}

interface Leaf {
  /** Argument and, inside it, fields. */
  readonly path: readonly string[];
  /** Name of the scalar or enum. */
  readonly type: string;
}

/** Each leaf of each argument, down to inputs at this depth. */
export function leavesOf(field: RootField, depthMax: number): Leaf[] {
  const leavesIn = (type: GraphQLInputType, path: string[]): Leaf[] => {
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return [{ path, type: named.name }];
    if (path.length > depthMax) return [];
    return Object.values(named.getFields()).flatMap((inner) =>
      leavesIn(inner.type, [...path, inner.name]),
    );
  };
  return field.args.flatMap((arg) => leavesIn(arg.type, [arg.name]));
}

interface Fill {
  /** The value at the end of the place. */
  readonly value: unknown;
  readonly own: OwnIds;
  /** Name of the root field. */
  readonly field: string;
  /** Lists with this name get one item, all others none. */
  readonly filled?: string;
  /** Default: `{}`. */
  readonly object?: object;
}

/** The arguments that a field needs at least, with the value of `fill` at `place`. */
export function leastArgs(
  fill: Fill,
  field: RootField,
  place: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    field.args
      .filter((arg) => isNonNullType(arg.type) || arg.name === place[0])
      .map((arg) => [
        arg.name,
        least(fill, arg.type, arg.name, arg.name === place[0] ? place.slice(1) : null),
      ]),
  );
}

function without(
  values: Record<string, unknown>,
  place: readonly string[],
): Record<string, unknown> {
  // A template brings values that are else required.
  if (place.at(-1)?.endsWith('TemplateId')) return {};
  return Object.fromEntries(Object.entries(values).filter(([name]) => !place.includes(name)));
}

/**
 * The smallest value of a type, called `name`; along `place` (null: not this way) with the value of
 * `fill` at its end.
 */
function least(
  fill: Fill,
  type: GraphQLInputType,
  name: string,
  place: readonly string[] | null,
): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return place === null && name !== fill.filled
      ? []
      : [least(fill, nullable.ofType, name, place)];
  if (isInputObjectType(nullable)) {
    const isWanted = (field: string, required: boolean) =>
      field === place?.[0] || (required && !(nullable.isOneOf && place !== null));
    return Object.fromEntries(
      Object.values(nullable.getFields())
        .filter((inner) => isWanted(inner.name, isNonNullType(inner.type)))
        .map((inner) => {
          const further = inner.name === place?.[0] ? place.slice(1) : null;
          return [inner.name, least(fill, inner.type, inner.name, further)];
        }),
    );
  }
  if (place !== null) return fill.value;
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (nullable.name === 'ID') return ownId(fill, name);
  return nullable.name === 'JSONObject' ? (fill.object ?? {}) : SCALARS[nullable.name];
}

/** Where a field is not named after its type. */
const TYPE_OF: Readonly<Record<string, string>> = {
  run: 'ProcessRun',
  turn: 'ConversationTurn',
  upToTurn: 'ConversationTurn',
  coversUpToTurn: 'ConversationTurn',
  keep: 'Entity',
  merge: 'Entity',
  parentAlternative: 'Alternative',
  respondsTo: 'Alternative',
};

/** `serviceId` is a Service of one's own, `id` in updateTool one's own Tool. */
function ownId({ own, field }: Fill, name: string): string {
  return own.get(typeNamed(field, name)) ?? 'x';
}

/** The type that a place for an id is named after: `Tool` for `toolId`, and for `id` in `tool`. */
export function typeNamed(field: string, name: string): string {
  const ofField = nodeTypes().includes(capital(field)) ? field : field.replace(/^[a-z]+/, '');
  const noun = /^(id|uuid)$/.test(name) ? ofField : name.replace(/(Id|Uuid)s?$/, '');
  return TYPE_OF[noun] ?? capital(noun);
}
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const SCALARS: Readonly<Record<string, unknown>> = {
  String: 'x',
  Int: 1,
  Float: 1,
  Boolean: false,
  JSON: null,
  JSONSchema: { type: 'object' },
  DateTime: '2026-11-21T00:00:00Z',
  Cursor: 'x',
};

/** An operation of one root field, `it`, whose variables are called as its arguments. */
export function documentOf(kind: Kind, field: RootField, selected = selection(field.type)): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const given = field.args.length === 0 ? ['', ''] : [`(${variables})`, `(${args})`];
  return `${kind} ${given[0]} { it: ${field.name}${given[1]} ${selected} }`;
}

/** Parts by which answers differ: problems, counts, leaves, and ids of objects. */
function selection(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named) || isInterfaceType(named) || !isObjectType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields()).filter(({ args, type: inner }) => {
    if (args.some((arg) => isNonNullType(arg.type))) return false;
    return isLeafType(getNamedType(inner)) || depth < 1;
  });
  const parts = fields.map(({ name, type: inner }) => `${name} ${selection(inner, depth + 1)}`);
  return `{ __typename ${parts.join(' ')} }`;
}
