import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { ReadTx } from '../src/platform/neo4j/graph.ts';
import type { Viewer } from '../src/users/user.ts';
import { type RequestContext, viewerOf } from './context.ts';

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

type Find<Found> = (tx: ReadTx, viewer: Viewer, keys: readonly string[]) => Promise<Found>;

/** A loader of one statement that finds values by key; `missing` stands for those not found. */
export function mapLoader<Value, Missing>(
  find: Find<ReadonlyMap<string, Value>>,
  missing: Missing,
): (context: RequestContext, key: string) => Promise<Value | Missing> {
  return loader(async (context, keys) => {
    const found = await context.graph.read((tx) => find(tx, viewerOf(context), keys));
    return keys.map((key) => found.get(key) ?? missing);
  });
}

/** A loader of one statement that lists values; null for a key that none has. */
export function listLoader<Value>(
  find: Find<readonly Value[]>,
  keyOf: (value: Value) => string | null,
): (context: RequestContext, key: string) => Promise<Value | null> {
  const byKey = async (...asked: Parameters<typeof find>) =>
    new Map((await find(...asked)).map((value) => [keyOf(value) ?? '', value]));
  return mapLoader(byKey, null);
}

/** A loader of one statement that lists values, several of a key. */
export function groupLoader<Value>(
  find: Find<readonly Value[]>,
  keyOf: (value: Value) => string | null,
): (context: RequestContext, key: string) => Promise<readonly Value[]> {
  const byKey = async (...asked: Parameters<typeof find>) =>
    Map.groupBy(await find(...asked), (value) => keyOf(value) ?? '');
  return mapLoader(byKey, []);
}
