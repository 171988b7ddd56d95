import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { RequestContext } from './context.ts';

/**
 * Batches and caches reads by key for objects without an id of their own, such as the steps of a
 * run. `load` is called once per tick and request with all requested keys, and answers in their
 * order. An Error in the answer fails only its own key. The cache ends with the request.
 */
export function loader<Key, Value>(
  load: (context: RequestContext, keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
): (context: RequestContext, key: Key) => Promise<Value> {
  const loaders = createContextCache(
    (context) =>
      new DataLoader<Key, Value>((keys) => load(context as RequestContext, keys), {
        maxBatchSize: 1_000,
      }),
  );
  return (context, key) => loaders(context).load(key);
}
