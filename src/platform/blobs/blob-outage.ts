import type { Log } from '../telemetry/log.ts';
import type { BlobStore } from './blob-store.ts';

/** The blob store can not be used now: its disk is full, or its server does not answer. */
export class BlobStoreAway extends Error {
  override readonly name = 'BlobStoreAway';
}

/** Errors of a disk or a connection that end by themselves, or when an operator makes room. */
const AWAY_CODES = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EMFILE',
  'ENFILE',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
]);

/**
 * Turns errors of an outage into BlobStoreAway, so that work waits and repeats. Logs one entry when
 * an outage begins and one when it ends.
 */
export function withOutages(store: BlobStore, log: Log): BlobStore {
  let awaySinceMs: number | null = null;

  async function watched<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      if (awaySinceMs !== null) {
        const seconds = ((performance.now() - awaySinceMs) / 1_000).toFixed(1);
        log.warn(`The blob store works again after ${seconds} s`);
        awaySinceMs = null;
      }
      return value;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (awaySinceMs === null) {
        awaySinceMs = performance.now();
        log.warn('The blob store can not be used; work that needs it waits', { error });
      }
      throw new BlobStoreAway('The blob store can not be used.', { cause: error });
    }
  }

  return {
    put: (key, bytes) => watched(() => store.put(key, bytes)),
    get: (key, range) => watched(() => store.get(key, range)),
    size: (key) => watched(() => store.size(key)),
    delete: (key) => watched(() => store.delete(key)),
    stream: (key, range) => store.stream(key, range),
    list: (folder) => store.list(folder),
    listByAge: (folder, after) => store.listByAge(folder, after),
    deleteFolder: (folder) => watched(() => store.deleteFolder(folder)),
  };
}

function isAway(error: unknown): boolean {
  const { code, name, $metadata } = error as {
    code?: unknown;
    name?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  if (typeof code === 'string' && AWAY_CODES.has(code)) return true;
  return name === 'TimeoutError' || ($metadata?.httpStatusCode ?? 0) >= 500;
}
