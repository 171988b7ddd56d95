import { initContextCache } from '@pothos/core';
import { GraphQLError } from 'graphql';
import { SlowReader } from '../src/outbox/bus.ts';
import { stream } from '../src/outbox/stream.ts';
import type { RequestContext } from './context.ts';

/**
 * Wraps a generator for a subscription's `subscribe`. The source is released as soon as the client
 * disconnects. Each value gets fresh loaders; otherwise a later value would be resolved from data
 * cached for an earlier one.
 */
export function live<Value>(
  context: RequestContext,
  generate: (signal: AbortSignal) => AsyncGenerator<Value, void, void>,
): AsyncIterable<Value> {
  return stream(async function* (signal) {
    try {
      for await (const value of generate(signal)) {
        Object.assign(context, initContextCache());
        yield value;
      }
    } catch (error) {
      throw error instanceof SlowReader ? tooSlow(error) : error;
    }
  });
}

function tooSlow({ message }: SlowReader): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'RATE_LIMITED' } });
}
