import { PROBLEM_CODES, type Problem, type ProblemCode, Refusal } from '../src/common/refusal.ts';
import { builder } from './builder.ts';

const CODE_MEANINGS: Record<ProblemCode, string> = {
  REQUIRED: 'Something that is needed was not given.',
  INVALID: 'The value is not one that fits here.',
  NOT_FOUND: 'Nothing with this id, or it is not yours to see.',
  TAKEN: 'The name or key is already in use.',
  IN_USE: 'Others still use it.',
  IMMUTABLE: 'This can not be changed after it was made.',
  DISABLED: 'What it needs is switched off.',
  NOT_SHARED: 'What it needs is not shared.',
  UNHEALTHY: 'What it needs does not answer.',
  TYPE_MISMATCH: 'Two types that have to fit do not.',
  PROTOCOL_MISMATCH: 'This type does not speak this protocol.',
  SCHEMA_INVALID: 'Not a JSON Schema, or one beyond the limits.',
  SCHEMA_VIOLATION: 'The value does not fit its JSON Schema.',
  UNKNOWN_VARIABLE: 'A name that nothing before it defines.',
  CYCLE: 'Things depend on each other in a circle.',
  FORWARD_DEPENDENCY: 'A step depends on a later one.',
  PARALLEL_DEPENDENCY: 'Steps that run at once depend on each other.',
  RECURSION_LIMIT: 'Processes call each other deeper than allowed.',
  SECRET_REQUIRED: 'A Secret has to be named.',
  SECRET_OWNER: 'The Secret belongs to somebody else.',
  TEMPLATE_INVALID: 'The template does not parse, or uses what is not allowed.',
  CONDITION_INVALID: 'The condition does not parse, or uses what is not allowed.',
  CONFLICT: 'Somebody else was faster, or the key was used for something else.',
  STATE: 'Its present state does not allow this.',
  FORBIDDEN: 'You can see it, but not change it.',
  TOO_LARGE: 'Larger than the limit.',
};

const UserErrorCode = builder.enumType('UserErrorCode', {
  description: 'What is wrong, for machines.',
  values: Object.fromEntries(
    PROBLEM_CODES.map((code) => [code, { value: code, description: CODE_MEANINGS[code] }]),
  ) as Record<ProblemCode, { value: ProblemCode; description: string }>,
});

export const UserError = builder.objectRef<Problem>('UserError').implement({
  description: 'One thing the caller can put right. When there is any, nothing was written.',
  fields: (t) => ({
    code: t.expose('code', { type: UserErrorCode, description: 'What is wrong, for machines.' }),
    message: t.exposeString('message', { description: 'What is wrong, for people.' }),
    path: t.field({
      type: ['String'],
      description:
        'Where in the arguments: names and list indexes, such as ["input", "steps", "0", "id"].',
      resolve: ({ path }) => [...path],
    }),
  }),
});

interface WithProblems {
  readonly userErrors: readonly Problem[];
}
export type Payload<Name extends string, Value> = {
  readonly [Key in Name]: Value | null;
} & WithProblems;

/** The `userErrors` field of a payload type whose other fields are written out by hand. */
export const userErrorsField = (t: PayloadFields) =>
  t.field({
    type: [UserError],
    description: 'What to put right, all of it at once; empty when it was done.',
    resolve: ({ userErrors }) => [...userErrors],
  });
type PayloadFields = PothosSchemaTypes.ObjectFieldBuilder<
  typeof builder.$inferSchemaTypes,
  WithProblems
>;

/** `XPayload { x: X, userErrors: [UserError!]! }`, x null when anything was wrong. */
export function payloadType<Name extends string, Ref extends ValueRef>(
  name: string,
  field: Name,
  type: Ref,
) {
  const ref = builder.objectRef<Payload<Name, Ref['$inferType']>>(name);
  builder.objectType(ref, {
    name,
    description: `What came of it: the ${field}, or what to put right.`,
    fields: (t) => ({
      [field]: t.field({
        type: type as never,
        nullable: true,
        description: 'The outcome; null when anything was wrong.',
        resolve: (payload) => payload[field] as never,
      }),
      userErrors: userErrorsField(t as never),
    }),
  });
  return ref;
}
interface ValueRef {
  readonly $inferType: unknown;
}

/** What a mutation that deletes gives back. */
export const DeletePayload = builder
  .objectRef<Payload<'deletedId', string>>('DeletePayload')
  .implement({
    description: 'What came of a deletion.',
    fields: (t) => ({
      deletedId: t.exposeID('deletedId', {
        nullable: true,
        description: 'The id that is gone; null when anything was wrong.',
      }),
      userErrors: userErrorsField(t),
    }),
  });

type At = 'input' | 'arguments';

/**
 * Runs a mutation and turns its Refusal into userErrors, once and here only.
 * @param at where the paths of its problems start: inside the argument `input`, or at the arguments themselves
 */
export async function payload<Name extends string, Value>(
  name: Name,
  work: () => Promise<Value>,
  at: At = 'input',
): Promise<Payload<Name, Value>> {
  const answer = async () => ({ [name]: await work() }) as { [Key in Name]: Value };
  return payloadOf<{ [Key in Name]: Value | null }>(
    { [name]: null } as { [Key in Name]: null },
    answer,
    at,
  );
}

/** As `payload`, for payloads of several fields: `refused` is what the others are when there are problems. */
export async function payloadOf<Fields extends object>(
  refused: Fields,
  work: () => Promise<Fields>,
  at: At = 'input',
): Promise<Fields & WithProblems> {
  try {
    return { ...(await work()), userErrors: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      ...refused,
      userErrors: at === 'input' ? error.problems.map(underInput) : error.problems,
    };
  }
}

function underInput(problem: Problem): Problem {
  return { ...problem, path: ['input', ...problem.path] };
}
