import { describe, expect, it } from 'vitest';
import { isInfrastructure } from '../../activities/failure.ts';
import { BlobStoreAway, withOutages } from '../../src/platform/blobs/blob-outage.ts';
import type { BlobStore } from '../../src/platform/blobs/blob-store.ts';
import { openLog } from '../../src/platform/telemetry/log.ts';

/** A store whose writes fail with the given error, while there is one. */
function brokenStore() {
  const state: { error: Error | null } = { error: null };
  const lines: string[] = [];
  const store = {
    put: async () => {
      if (state.error !== null) throw state.error;
    },
  } as unknown as BlobStore;
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) });
  return { state, lines, store, log };
}

const coded = (code: string) => Object.assign(new Error(code), { code });

describe('a blob store on a full disk', () => {
  it('makes work wait instead of fail, and says so once', async () => {
    const { state, lines, store, log } = brokenStore();
    const watched = withOutages(store, log);
    const put = () => watched.put('a/b', new Uint8Array());
    state.error = coded('ENOSPC');
    for (let tries = 0; tries < 5; tries++) {
      const error = await put().catch((fault: unknown) => fault);
      expect(error).toBeInstanceOf(BlobStoreAway);
      // An activity that fails by it is tried again.
      expect(isInfrastructure(error)).toBe(true);
    }
    state.error = null;
    await put();
    await put();
    expect(lines.map((line) => line.replace(/[\d.]+ s$/, 'N s'))).toEqual([
      'The blob store can not be used; work that needs it waits',
      'The blob store works again after N s',
    ]);
  });

  it.each([
    ['a server that does not answer', coded('ECONNREFUSED'), true],
    [
      'a server with an error',
      Object.assign(new Error(), { $metadata: { httpStatusCode: 503 } }),
      true,
    ],
    ['a folder that may not be written', coded('EACCES'), false],
    ['a wrong key', new Error('This is no key of a blob.'), false],
  ])('and %s: is it an outage?', async (_name, fault, isAway) => {
    const { state, store, log } = brokenStore();
    state.error = fault;
    const error = await withOutages(store, log)
      .put('a/b', new Uint8Array())
      .catch((one: unknown) => one);
    expect(error instanceof BlobStoreAway).toBe(isAway);
  });
});
