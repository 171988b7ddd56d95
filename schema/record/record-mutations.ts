import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import type { CallError } from '../../src/call-graph/call.ts';
import { instant } from '../../src/common/clock.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/common/json.ts';
import type { Problem } from '../../src/common/refusal.ts';
import type { RequestContext } from '../context.ts';

/**
 * Records every mutation of the schema as a call (src/call-graph). Wraps its resolver, measures the
 * time, and puts the call's id into the context, so that a started run knows its parent. The
 * process's recorder receives the outcome.
 */
export function recordMutations(schema: GraphQLSchema): void {
  for (const [name, field] of Object.entries(schema.getMutationType()?.getFields() ?? {})) {
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = async (root, args, context: RequestContext, info) => {
      const { viewer, calls } = context;
      if (viewer === null || calls === undefined) return resolve(root, args, context, info);
      const requestId = context.newId();
      const startedAt = instant(context.clock);
      // GraphQL runs the root fields of a mutation in sequence, so there is one call at a time.
      context.callId = requestId;
      const end = (output: Json, error: CallError | null) =>
        calls.record({
          requestId,
          name,
          viewer,
          args: args as JsonObject,
          output,
          error,
          startedAt,
        });
      try {
        const value: unknown = await resolve(root, args, context, info);
        const problems = problemsOf(value);
        end(problems.length > 0 ? null : idsOf(value), refusalOf(problems));
        return value;
      } catch (error) {
        end(null, defectOf(error));
        throw error;
      }
    };
  }
}

function problemsOf(value: unknown): readonly Problem[] {
  const problems = (value as { userErrors?: unknown } | null)?.userErrors;
  return Array.isArray(problems) ? (problems as Problem[]) : [];
}

function refusalOf(problems: readonly Problem[]): CallError | null {
  const [first] = problems;
  if (first === undefined) return null;
  const userErrors = problems.map(({ code, message, path }) => ({
    code,
    message,
    path: [...path],
  }));
  return { code: first.code, message: first.message, details: { userErrors } };
}

/** The error for the call: a known code, or INTERNAL without details. */
function defectOf(error: unknown): CallError {
  const code = (error as { extensions?: { code?: unknown } } | null)?.extensions?.code;
  if (typeof code === 'string' && error instanceof Error) return { code, message: error.message };
  return { code: 'INTERNAL', message: 'Something went wrong inside.' };
}

/** Keeps only numbers, booleans and ids of a payload. Resolvers fetch the other fields later. */
function idsOf(value: unknown): Json {
  if (Array.isArray(value)) return value.map(idsOf);
  if (typeof value !== 'object' || value === null) return isPlain(value) ? value : null;
  if ('userErrors' in value) {
    const { userErrors: _none, ...fields } = value;
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, idOf(field)]));
  }
  return idOf(value);
}

function idOf(value: unknown): Json {
  if (Array.isArray(value)) return value.map(idOf);
  if (isJsonObject(value)) return typeof value['id'] === 'string' ? value['id'] : null;
  return isPlain(value) ? value : null;
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
