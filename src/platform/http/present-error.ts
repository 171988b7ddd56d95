import { GraphQLError } from 'graphql';
import { NoPlace } from '../../common/fair-places.ts';
import { KeysAway } from '../../common/keys-away.ts';
import { Refusal } from '../../common/refusal.ts';
import { BlobStoreAway } from '../blobs/blob-outage.ts';
import { isNeo4jAway, isTimedOut } from '../neo4j/graph.ts';
import { isTemporalAway } from '../temporal/client.ts';
import { HttpRefused } from './answer.ts';

export const ERROR_CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'COMPLEXITY',
  'PERSISTED_QUERY_NOT_FOUND',
  'UNAVAILABLE',
  'INTERNAL',
] as const;

/**
 * Makes the error that a caller sees; each has `extensions.code`. A Refusal shows its problems.
 * Errors of GraphQL itself (syntax, validation, coercion) are BAD_USER_INPUT. While Neo4j or
 * Temporal is away or too slow, it is UNAVAILABLE. Defects are masked.
 * @param onDefect logs a masked error under the same request id
 * @param suggests whether "Did you mean …" may name fields of the schema, as where introspection is
 * on; default: no
 */
export function presentError(
  error: unknown,
  {
    requestId,
    onDefect,
    suggests = false,
  }: { requestId: string; onDefect(defect: unknown): void; suggests?: boolean },
): GraphQLError {
  if (presented.has(error as object)) return error as GraphQLError;
  const shown = present(error, { requestId, onDefect, suggests });
  presented.add(shown);
  return shown;
}

// Results pass several edges (executor, transport). The first one presents and logs an error.
const presented = new WeakSet<object>();

function present(
  error: unknown,
  {
    requestId,
    onDefect,
    suggests,
  }: { requestId: string; onDefect(defect: unknown): void; suggests: boolean },
): GraphQLError {
  const cause = rootCause(error);
  if (cause instanceof Refusal) {
    const problems = cause.problems.map(({ code, message, path }) => ({ code, message, path }));
    return like(error, cause.message, { code: 'BAD_USER_INPUT', problems });
  }
  if (cause instanceof HttpRefused) return like(error, cause.message, { code: cause.refusal.code });
  if (cause instanceof NoPlace)
    return like(error, cause.message, {
      code: 'RATE_LIMITED',
      ...(hasPath(error) ? {} : { http: { status: 429, headers: { 'retry-after': '5' } } }),
    });
  if (cause instanceof GraphQLError && cause.message === ABORTED)
    return like(error, OVERLAPPING, { ...cause.extensions, code: 'COMPLEXITY' });
  if (cause instanceof GraphQLError) {
    const code =
      ERROR_CODES.find((known) => known === cause.extensions['code']) ?? 'BAD_USER_INPUT';
    const message = suggests ? cause.message : withoutSuggestion(cause.message);
    return like(error, message, { ...cause.extensions, code });
  }
  // The blob store logs its outage itself, once.
  if (!(cause instanceof BlobStoreAway)) onDefect(cause);
  const outage = outageOf(cause);
  if (outage !== null)
    return like(error, outage, {
      code: 'UNAVAILABLE',
      requestId,
      ...(hasPath(error) ? {} : { http: { status: 503 } }),
    });
  return like(error, `Something went wrong here. It is logged as ${requestId}.`, {
    code: 'INTERNAL',
    requestId,
    ...(hasPath(error) ? {} : { http: { status: 500 } }),
  });
}

/** The words of graphql where the comparison of equal fields takes too long. */
const ABORTED = 'Validation aborted.';
const OVERLAPPING = 'This document asks for the same field too often. Ask for each field once.';

const AWAY_MESSAGE = 'A service behind this API does not answer. Try again in a moment.';
const SLOW_MESSAGE = 'The database did not finish this in time. Try again in a moment.';

/**
 * The message for a request that failed because Neo4j, Temporal, the blob store or the server of
 * the keys is away or too slow; null for all other errors.
 */
export function outageOf(error: unknown): string | null {
  if (isTimedOut(error)) return SLOW_MESSAGE;
  const isAway =
    isNeo4jAway(error) ||
    isTemporalAway(error) ||
    error instanceof BlobStoreAway ||
    error instanceof KeysAway;
  return isAway ? AWAY_MESSAGE : null;
}

/** The level at which a failed operation is logged: Neo4j's limit of time is no defect. */
export function logLevelOf(error: unknown): 'warn' | 'error' {
  return isTimedOut(error) ? 'warn' : 'error';
}

/** The thrown error inside the GraphQLErrors that executors wrap around it. */
function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError != null) cause = cause.originalError;
  return cause;
}

const hasPath = (error: unknown): boolean =>
  error instanceof GraphQLError && error.path !== undefined;

/** A new error at the same place, without the original, which must never be serialised. */
function like(error: unknown, message: string, extensions: Record<string, unknown>): GraphQLError {
  const text = message.toWellFormed();
  if (!(error instanceof GraphQLError)) return new GraphQLError(text, { extensions });
  const { nodes, source, positions, path } = error;
  return new GraphQLError(text, { nodes, source, positions, path, extensions });
}

// "Did you mean …" would reveal schema names while introspection is off.
const withoutSuggestion = (message: string): string => message.replace(/ Did you mean .*\?$/s, '');
