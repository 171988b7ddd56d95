import { GraphQLError } from 'graphql';
import { Refusal } from '../../common/refusal.ts';

export const ERROR_CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'COMPLEXITY',
  'INTERNAL',
] as const;

/**
 * What a caller is told of an error: every one carries `extensions.code`. A Refusal shows its problems, what GraphQL itself
 * says (syntax, validation, coercion) is BAD_USER_INPUT, and whatever nobody foresaw is masked.
 * @param onDefect hears of what was masked, to be logged under the same request id
 */
export function presentError(
  error: unknown,
  { requestId, onDefect }: { requestId: string; onDefect(defect: unknown): void },
): GraphQLError {
  if (presented.has(error as object)) return error as GraphQLError;
  const shown = present(error, requestId, onDefect);
  presented.add(shown);
  return shown;
}

// Results pass more than one edge (executor, transport); an error is presented and logged at the first.
const presented = new WeakSet<object>();

function present(
  error: unknown,
  requestId: string,
  onDefect: (defect: unknown) => void,
): GraphQLError {
  const cause = rootCause(error);
  if (cause instanceof Refusal) {
    const problems = cause.problems.map(({ code, message, path }) => ({ code, message, path }));
    return like(error, cause.message, { code: 'BAD_USER_INPUT', problems });
  }
  if (cause instanceof GraphQLError) {
    const code =
      ERROR_CODES.find((known) => known === cause.extensions['code']) ?? 'BAD_USER_INPUT';
    return like(error, withoutSuggestion(cause.message), { ...cause.extensions, code });
  }
  onDefect(cause);
  return like(error, `Something went wrong here. It is logged as ${requestId}.`, {
    code: 'INTERNAL',
    requestId,
    ...(hasPath(error) ? {} : { http: { status: 500 } }),
  });
}

/** Under the layers of GraphQLError that executors wrap, the error that was thrown. */
function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError != null) cause = cause.originalError;
  return cause;
}

function hasPath(error: unknown): boolean {
  return error instanceof GraphQLError && error.path !== undefined;
}

/** A fresh error at the same place, without the original: nothing of it may be serialised by accident. */
function like(error: unknown, message: string, extensions: Record<string, unknown>): GraphQLError {
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

// "Did you mean …" would give the schema away name by name where introspection is off.
function withoutSuggestion(message: string): string {
  return message.replace(/ Did you mean .*\?$/s, '');
}
