import { initContextCache } from '@pothos/core';
import { GraphQLError } from 'graphql';
import { SlowReader } from '../src/outbox/bus.ts';
import { stream } from '../src/outbox/stream.ts';
import type { RequestContext } from './context.ts';

/**
 * What a subscription's `subscribe` gives back: the generator's values, let go at once when the reader goes, with loaders
 * that start afresh for each value (else the second one would be answered from what the first one loaded).
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
