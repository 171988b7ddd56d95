/** The machine codes of what a caller can put right; the same as the contract's UserErrorCode. */
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
 * One thing a caller can put right: what, why, and where in the input (field names and list indexes as text).
 * Checks return every Problem they find; nothing throws at the first.
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
  return { code, message, path: path.map(String) };
}

/** A request understood and declined. Each edge translates it once: userErrors in GraphQL, a final failure in Temporal. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join(' '));
    this.problems = problems;
  }
}

/** Throws one Refusal holding all problems, or returns when there are none. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Refusal(problems);
}

/** What is not there and what is not yours read exactly alike. */
export function notFound(noun: string, path: readonly (string | number)[] = ['id']): Problem {
  return problem('NOT_FOUND', path, `No ${noun} with this id, or it is not yours to see.`);
}
