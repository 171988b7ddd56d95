import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { problem } from '../src/common/refusal.ts';
import type { RequestContext } from './context.ts';
import { refusedPayload } from './payload.ts';

/**
 * Lets a mutation that the viewer's role may not do refuse as it refuses all else: by `userErrors`
 * of its payload, with the code FORBIDDEN. Without a sign-in it is a top-level error.
 */
export function refuseByUserErrors(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = async (root, args, context: RequestContext, info) => {
      try {
        return await resolve(root, args, context, info);
      } catch (error) {
        if (!isForbidden(error)) throw error;
        return refusedPayload(field.type, [problem('FORBIDDEN', [], error.message)]);
      }
    };
  }
}

function isForbidden(error: unknown): error is Error {
  const code = (error as { extensions?: { code?: unknown } } | null)?.extensions?.code;
  return code === 'FORBIDDEN' && error instanceof Error;
}
