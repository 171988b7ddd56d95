import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { RequestContext } from './context.ts';

/**
 * Loads by key what is no thing with an id of its own (the steps of a run, …): one `load` per tick and request for all keys
 * asked for. `load` answers in the order of its keys; an Error
 * fails its own key alone. Forgets with the request, as the loaders of node types do.
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
