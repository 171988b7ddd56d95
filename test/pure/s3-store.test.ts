import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlobStore, blobKey } from '../../src/platform/blobs/blob-store.ts';
import { s3Store } from '../../src/platform/blobs/s3-store.ts';
import { S3_BUCKET, S3_CREDENTIALS, type S3Server, startS3 } from '../testkit/s3-server.ts';

let server: S3Server;
let store: BlobStore;
const open = (path: string, credentials = S3_CREDENTIALS) =>
  s3Store({ uri: `s3://${path}`, endpoint: server.endpoint, credentials });
beforeAll(async () => {
  server = await startS3();
  store = open(`${S3_BUCKET}/aiden`);
});
afterAll(() => server.stop());

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (found: Uint8Array | null) =>
  found === null ? null : new TextDecoder().decode(found);
const keyOf = (key: string, ownerId = 'ada') =>
  blobKey({ workspace: 'w', ownerId, session: 's', key });
async function read(stream: AsyncIterable<Uint8Array>): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return text(Buffer.concat(chunks));
}

describe('blobs in an S3-compatible bucket (S0-BLOB-01)', () => {
  it('are given back as they were put, whole, by range and as a stream', async () => {
    const key = keyOf('digits');
    await store.put(key, bytes('0123456789'));
    expect(text(await store.get(key))).toBe('0123456789');
    expect(text(await store.get(key, { start: 2, end: 5 }))).toBe('234');
    expect(text(await store.get(key, { start: 8 }))).toBe('89');
    expect(text(await store.get(key, { start: 8, end: 100 }))).toBe('89');
    expect(text(await store.get(key, { start: 100 }))).toBe('');
    expect(text(await store.get(key, { start: 3, end: 3 }))).toBe('');
    expect(await store.size(key)).toBe(10);
    expect(await read(store.stream(key))).toBe('0123456789');
    expect(await read(store.stream(key, { start: 3, end: 6 }))).toBe('345');
    expect(await read(store.stream(key, { start: 3, end: 3 }))).toBe('');
    expect(await read(store.stream(key, { start: 100 }))).toBe('');
  });

  it('are replaced whole by the same key, and are gone when deleted', async () => {
    const key = keyOf('changing');
    expect(await store.get(key)).toBeNull();
    expect(await store.size(key)).toBeNull();
    expect(await store.get(key, { start: 0, end: 0 })).toBeNull();
    await store.put(key, bytes('a longer value'));
    await store.put(key, bytes('short'));
    expect(text(await store.get(key))).toBe('short');
    await store.put(key, new Uint8Array());
    expect(await store.size(key)).toBe(0);
    expect(text(await store.get(key))).toBe('');
    await store.delete(key);
    await store.delete(key);
    expect(await store.get(key)).toBeNull();
  });

  it('may be large, and hold any bytes under any key', async () => {
    const value = new Uint8Array(5_000_000).map((_, index) => (index * 31) % 256);
    const key = keyOf('ö/ü ? # % + & ../..');
    await store.put(key, value);
    expect(await store.size(key)).toBe(value.length);
    expect(Buffer.compare((await store.get(key)) ?? new Uint8Array(), value)).toBe(0);
    const part = await store.get(key, { start: 4_000_000, end: 4_000_100 });
    expect(part).toEqual(value.slice(4_000_000, 4_000_100));
  });

  it('are apart by owner and by the prefix of the installation', async () => {
    await store.put(keyOf('k', 'ada'), bytes("ada's"));
    expect(await store.get(keyOf('k', 'bob'))).toBeNull();
    expect(await open(`${S3_BUCKET}/other`).get(keyOf('k', 'ada'))).toBeNull();
    expect(await open(S3_BUCKET).get(keyOf('k', 'ada'))).toBeNull();
    expect(text(await open(`${S3_BUCKET}/aiden/`).get(keyOf('k', 'ada')))).toBe("ada's");
  });

  it('are listed below a folder, over more than one page, and deleted with it', async () => {
    const own = open(`${S3_BUCKET}/listed`);
    const keys = Array.from({ length: 1_010 }, (_, index) => keyOf(`k/${1_000 + index}`)).sort();
    for (let from = 0; from < keys.length; from += 50)
      await Promise.all(keys.slice(from, from + 50).map((key) => own.put(key, bytes('x'))));
    await own.put(keyOf('other', 'bob'), bytes('x'));
    const listed = async (folder: string | null) => {
      const found: string[] = [];
      for await (const key of own.list(folder)) found.push(key);
      return found.sort();
    };
    expect(await listed('w/ada')).toEqual(keys);
    await own.deleteFolder('w/ada');
    expect(await listed(null)).toEqual([keyOf('other', 'bob')]);
  });

  it.each(['../secret', 'w/../../secret', 'w//k', 'w', '', 'w/.'])(
    'are not reached by an invalid key: %j',
    async (key) => {
      await expect(store.get(key)).rejects.toThrow('no key of a blob');
      await expect(store.put(key, bytes('x'))).rejects.toThrow('no key of a blob');
    },
  );

  it('wrong credentials and a bucket that is not there are faults, not absent blobs', async () => {
    const wrong = open(S3_BUCKET, { ...S3_CREDENTIALS, secretAccessKey: 'wrong' });
    await expect(wrong.get(keyOf('k'))).rejects.toThrow();
    await expect(wrong.put(keyOf('k'), bytes('x'))).rejects.toThrow();
    await expect(open('nowhere').get(keyOf('k'))).rejects.toThrow();
    expect(() => open('')).toThrow('AIDEN_BLOBS');
  });
});
