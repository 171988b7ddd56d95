/** Codes of problems that a caller can correct. They equal UserErrorCode of the GraphQL schema. */
export const PROBLEM_CODES = [
  'REQUIRED',
  'INVALID',
  'NOT_FOUND',
  'TAKEN',
  'IN_USE',
  'IMMUTABLE',
  'DISABLED',
  'NOT_SHARED',
  'UNHEALTHY',
  'TYPE_MISMATCH',
  'PROTOCOL_MISMATCH',
  'SCHEMA_INVALID',
  'SCHEMA_VIOLATION',
  'UNKNOWN_VARIABLE',
  'CYCLE',
  'FORWARD_DEPENDENCY',
  'PARALLEL_DEPENDENCY',
  'RECURSION_LIMIT',
  'SECRET_REQUIRED',
  'SECRET_OWNER',
  'TEMPLATE_INVALID',
  'CONDITION_INVALID',
  'CONFLICT',
  'STATE',
  'FORBIDDEN',
  'TOO_LARGE',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/**
 * One problem that a caller can correct: its code, a message and its place in the input (field
 * names and list indexes as text). Checks return all problems instead of throwing the first.
 */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly path: readonly string[];
}

export function problem(
  code: ProblemCode,
  path: readonly (string | number)[],
  message: string,
): Problem {
  // Messages quote texts of the caller, and names of keys stand in the path.
  return {
    code,
    message: message.toWellFormed(),
    path: path.map((key) => String(key).toWellFormed()),
  };
}

/**
 * A request that was understood and declined. Each edge translates it once: to userErrors in
 * GraphQL, to a non-retryable failure in Temporal.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join(' '));
    this.problems = problems;
  }

  /** A Refusal with one problem. */
  static of(code: ProblemCode, path: Parameters<typeof problem>[1], message: string): Refusal {
    return new Refusal([problem(code, path, message)]);
  }
}

/** Throws one Refusal with all problems. Does nothing when there are none. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Refusal(problems);
}

/** One message for a missing thing and for a thing of another user, so that ids can't be probed. */
export function notFound(noun: string, path: readonly (string | number)[] = ['id']): Problem {
  return problem('NOT_FOUND', path, `No ${noun} with this id, or it is not yours to see.`);
}

/**
 * The thing that was looked for by its id.
 * @param of noun of the thing, and the path of its id; default `id`
 * @throws Refusal NOT_FOUND where the list is empty
 */
export function found<T>([thing]: readonly T[], ...of: Parameters<typeof notFound>): T {
  if (thing === undefined) throw new Refusal([notFound(...of)]);
  return thing;
}

/** Checks only that a thing is there for the viewer. @throws as `found` */
export function refuseMissing(list: readonly unknown[], ...of: Parameters<typeof notFound>): void {
  found(list, ...of);
}

/** @throws Refusal STATE: the thing at `path` is in no state that allows the change */
export function refuseState(path: readonly string[], message: string): never {
  throw Refusal.of('STATE', path, message);
}
