import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  type GraphQLOutputType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { encodeCursor, type SortKey } from '../src/common/page.ts';
import { PROBLEM_CODES, type Problem, type ProblemCode, Refusal } from '../src/common/refusal.ts';
import type { Viewer } from '../src/users/user.ts';
import { builder } from './builder.ts';
import { edgeOf } from './connection.ts';
import { type RequestContext, viewerOf } from './context.ts';
import { exposed, type InputTable, inputFields, outputFields } from './fields.ts';

const CODE_MEANINGS: Record<ProblemCode, string> = {
  REQUIRED: 'A required value is missing.',
  INVALID: 'The value is not valid here.',
  NOT_FOUND: 'No object with this id exists, or you cannot see it.',
  TAKEN: 'The name or key is already in use.',
  IN_USE: 'Other objects still use it.',
  IMMUTABLE: 'The field cannot be changed after creation.',
  DISABLED: 'A required object is disabled.',
  NOT_SHARED: 'A required object is not shared.',
  UNHEALTHY: 'A required service does not answer.',
  TYPE_MISMATCH: 'Two types do not match.',
  PROTOCOL_MISMATCH: 'The type does not support this protocol.',
  SCHEMA_INVALID: 'Not a valid JSON Schema, or beyond its limits.',
  SCHEMA_VIOLATION: 'The value is not valid against its JSON Schema.',
  UNKNOWN_VARIABLE: 'A name that is not defined before its use.',
  CYCLE: 'Objects depend on each other in a circle.',
  FORWARD_DEPENDENCY: 'A step depends on a later one.',
  PARALLEL_DEPENDENCY: 'Steps that run in parallel depend on each other.',
  RECURSION_LIMIT: 'Processes call each other more deeply than allowed.',
  SECRET_REQUIRED: 'A Secret is required.',
  SECRET_OWNER: 'The Secret belongs to another user.',
  TEMPLATE_INVALID: 'The template does not parse, or uses a construct that is not allowed.',
  CONDITION_INVALID: 'The condition does not parse, or uses a construct that is not allowed.',
  CONFLICT: 'The object was changed at the same time, or the key was used for other input.',
  STATE: 'The current state of the object does not allow this.',
  FORBIDDEN: 'You can see the object but may not change it.',
  TOO_LARGE: 'Larger than the limit.',
};

const UserErrorCode = builder.enumType('UserErrorCode', {
  description: 'Machine-readable code of the problem.',
  values: Object.fromEntries(
    PROBLEM_CODES.map((code) => [code, { value: code, description: CODE_MEANINGS[code] }]),
  ) as Record<ProblemCode, { value: ProblemCode; description: string }>,
});

export const UserError = builder.objectRef<Problem>('UserError').implement({
  description: 'One problem with the input. If there is any, nothing was written.',
  fields: outputFields({
    code: [UserErrorCode, 'Machine-readable code of the problem.'],
    message: ['String', 'Human-readable message.'],
    path: [
      ['String'],
      'Path of the problem in the arguments: names and list indexes, such as ["input", ' +
        '"steps", "0", "stepId"].',
    ],
  }),
});

interface WithProblems {
  readonly userErrors: readonly Problem[];
}
export type Payload<Name extends string, Value> = {
  readonly [Key in Name]: Value | null;
} & WithProblems;

/** The row of the field `userErrors`, for payload types with several other fields. */
export const USER_ERRORS: [[typeof UserError], string] = [
  [UserError],
  'All problems with the input; empty on success.',
];
const problemsField = (t: PayloadFields) => exposed(t, { userErrors: USER_ERRORS });
type PayloadFields = PothosSchemaTypes.ObjectFieldBuilder<
  typeof builder.$inferSchemaTypes,
  WithProblems
>;

interface ListOf<Model> {
  readonly connection: object;
  /** The object's key in the order of the list, which its cursor encodes. */
  readonly key: (model: Exclude<Model, string>) => SortKey;
}

/**
 * Creates `XPayload { x: X, xEdge: XEdge, userErrors: [UserError!]! }`. x and xEdge are null if the
 * input had problems.
 * @param list the list that shows the object; absent: the payload has no edge
 */
export function payloadType<Name extends string, Ref extends ValueRef>(
  name: string,
  field: Name,
  type: Ref,
  list?: ListOf<Ref['$inferType']>,
) {
  const ref = builder.objectRef<Payload<Name, Ref['$inferType']>>(name);
  builder.objectType(ref, {
    name,
    description: `Result: the ${field}, or the problems.`,
    fields: (t) => ({
      [field]: t.field({
        type: type as never,
        nullable: true,
        description: 'The result; null if the input had problems.',
        resolve: (payload) => payload[field] as never,
      }),
      ...(list === undefined
        ? {}
        : {
            [`${field}Edge`]: t.field({
              type: edgeOf(list.connection) as never,
              nullable: true,
              description:
                'The result as an edge of its list, so that clients can add it; null if the ' +
                'input had problems.',
              resolve: async (payload, _args, context) => {
                const node = await whole(type, payload[field], context);
                if (node === null) return null as never;
                return { cursor: encodeCursor(list.key(node)), node } as never;
              },
            }),
          }),
      ...problemsField(t as never),
    }),
  });
  return Object.assign(ref, { field });
}
interface ValueRef {
  readonly $inferType: unknown;
  /** Only of a `nodeType`, whose values may be ids. */
  getDataloader?(context: RequestContext): { load(id: string): Promise<unknown> };
}

/** The object of a payload, which may be its id. @throws Error if there is none with this id */
async function whole<Ref extends ValueRef>(
  type: Ref,
  value: Ref['$inferType'] | null,
  context: RequestContext,
): Promise<Exclude<Ref['$inferType'], string> | null> {
  const found = typeof value === 'string' ? await type.getDataloader?.(context).load(value) : value;
  if (found === undefined || found instanceof Error) throw new Error('The result is gone.');
  return found as Exclude<Ref['$inferType'], string> | null;
}

/** A mutation's name as a type's begins: `PauseJob`. */
export function capitalised<Name extends string>(name: Name): Capitalize<Name> {
  return (name.charAt(0).toUpperCase() + name.slice(1)) as Capitalize<Name>;
}

/**
 * Declares the input of a mutation that needs only an id, such as DeleteToolInput.
 * @param description of the id
 */
export function idInput(name: string, description: string) {
  const mutation = name.charAt(0).toLowerCase() + name.slice(1).replace(/Input$/, '');
  return inputOf(name, `Input of ${mutation}.`, { id: ['ID!', description] });
}

/** Declares an input by the table of its fields. */
export function inputOf<const Table extends InputTable>(
  name: string,
  description: string,
  table: Table,
) {
  return builder.inputType(name, { description, fields: inputFields(table) });
}

/** Payload with the id of the object that a mutation ended, and the problems. */
export function idPayload<Field extends string>(
  name: string,
  field: Field,
  texts: { readonly description: string; readonly id: string },
) {
  const ref = builder.objectRef<Payload<Field, string>>(name);
  builder.objectType(ref, {
    name,
    description: texts.description,
    fields: (t) => ({
      [field]: t.id({
        nullable: true,
        description: `${texts.id}; null if the input had problems.`,
        resolve: (payload) => payload[field] as never,
      }),
      ...problemsField(t as never),
    }),
  });
  return Object.assign(ref, { field });
}

/** Payload of every mutation that deletes. */
export const DeletePayload = idPayload('DeletePayload', 'deletedId', {
  description: 'Result of a deletion.',
  id: 'Id of the deleted object',
});

interface OneField {
  readonly field: string;
  readonly $inferType: object;
}
type ResultOf<Of extends OneField> = NonNullable<
  Of['$inferType'][Of['field'] & keyof Of['$inferType']]
>;

/**
 * Declares a mutation with one input, and one field in its payload. `run` makes the change; its
 * Refusal becomes userErrors.
 * @param parts.input type and description of the argument
 */
export function mutation<Input extends { readonly $inferInput: unknown }, Of extends OneField>(
  name: string,
  parts: {
    readonly description: string;
    readonly admin?: true;
    readonly input: readonly [Input, string];
    readonly payload: Of;
    readonly run: (
      context: RequestContext,
      viewer: Viewer,
      input: Input['$inferInput'],
    ) => Promise<ResultOf<Of>>;
  },
): void {
  const [type, description] = parts.input;
  builder.mutationField(name, (t) =>
    t.field({
      type: parts.payload as never,
      description: parts.description,
      ...(parts.admin === true ? { authScopes: { admin: true } } : {}),
      args: { input: t.arg({ type: type as never, required: true, description }) },
      resolve: (_root, args, context) =>
        payload(parts.payload.field, () =>
          parts.run(context, viewerOf(context), args.input),
        ) as never,
    }),
  );
}

/**
 * Runs a mutation and converts its Refusal to userErrors, with paths under `input`. No other place
 * does this conversion.
 */
export async function payload<Name extends string, Value>(
  name: Name,
  work: () => Promise<Value>,
): Promise<Payload<Name, Value>> {
  const answer = async () => ({ [name]: await work() }) as { [Key in Name]: Value };
  return payloadOf<{ [Key in Name]: Value | null }>(
    { [name]: null } as { [Key in Name]: null },
    answer,
  );
}

/**
 * Like `payload`, for payloads of several fields. `refused` holds their values in case of problems.
 */
export async function payloadOf<Fields extends object>(
  refused: Fields,
  work: () => Promise<Fields>,
): Promise<Fields & WithProblems> {
  try {
    return { ...(await work()), userErrors: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...refused, userErrors: error.problems.map(underInput) };
  }
}

/** A problem of an input with its path in the arguments. */
export function underInput(problem: Problem): Problem {
  return { ...problem, path: ['input', ...problem.path] };
}

/**
 * The payload of a mutation that is refused before its resolver runs: no result, and the problems.
 */
export function refusedPayload(type: GraphQLOutputType, problems: readonly Problem[]): object {
  const payloadType = getNullableType(type);
  if (!isObjectType(payloadType)) throw new Error('A mutation without a payload.');
  const empty = Object.values(payloadType.getFields()).map((field) => [
    field.name,
    emptyOf(field.type),
  ]);
  return { ...Object.fromEntries(empty), userErrors: [...problems] };
}

function emptyOf(type: GraphQLOutputType): unknown {
  if (!isNonNullType(type)) return null;
  const of = type.ofType;
  if (isListType(of)) return [];
  if (of === GraphQLBoolean) return false;
  return of === GraphQLInt || of === GraphQLFloat ? 0 : null;
}
