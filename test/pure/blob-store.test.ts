import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BlobStore,
  blobFolder,
  blobKey,
  openBlobStore,
} from '../../src/platform/blobs/blob-store.ts';
import { s3Store } from '../../src/platform/blobs/s3-store.ts';
import { S3_BUCKET, S3_CREDENTIALS, type S3Server, startS3 } from '../testkit/s3-server.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const folder = tempFolder('blobs');
let server: S3Server;
const inBucket = (path: string, credentials = S3_CREDENTIALS) =>
  s3Store({ uri: `s3://${path}`, endpoint: server.endpoint, credentials });
const inFolder = () => openBlobStore(pathToFileURL(join(folder, 'store')).href);
beforeAll(async () => {
  server = await startS3();
});
afterAll(() => server.stop());

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (found: Uint8Array | null) =>
  found === null ? null : new TextDecoder().decode(found);
const keyOf = (key: string, ownerId = 'ada', session = 's') =>
  blobKey({ workspace: 'w 1', ownerId, session, key });
const folderOf = (ownerId: string) => blobFolder({ workspace: 'w 1', ownerId });
async function read(stream: AsyncIterable<Uint8Array>): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return text(Buffer.concat(chunks));
}

describe.each([
  ['a folder', () => inFolder(), 3],
  ['an S3-compatible bucket (S0-BLOB-01)', () => inBucket(`${S3_BUCKET}/aiden`), 1_010],
])('a blob store in %s', (_place, open, listedCount) => {
  let store: BlobStore;
  beforeAll(() => {
    store = open();
  });

  it('gives back a blob whole, by range and as a stream', async () => {
    const key = keyOf('digits');
    await store.put(key, bytes('0123456789'));
    expect(text(await store.get(key))).toBe('0123456789');
    expect(await store.size(key)).toBe(10);
    expect(await read(store.stream(key))).toBe('0123456789');
    for (const [start, end, part] of [
      [2, 5, '234'],
      [8, undefined, '89'],
      [8, 100, '89'],
      [100, undefined, ''],
      [3, 3, ''],
    ] as const) {
      const range = end === undefined ? { start } : { start, end };
      expect(text(await store.get(key, range))).toBe(part);
      expect(await read(store.stream(key, range))).toBe(part);
    }
  });

  it('replaces a blob whole, and knows none that was not put, or was deleted', async () => {
    const key = keyOf('changing');
    expect(await store.get(key)).toBeNull();
    expect(await store.size(key)).toBeNull();
    expect(await store.get(key, { start: 0, end: 0 })).toBeNull();
    for (const value of ['a longer value', 'short', '']) {
      await store.put(key, bytes(value));
      expect([text(await store.get(key)), await store.size(key)]).toEqual([value, value.length]);
    }
    await store.delete(key);
    await store.delete(key);
    expect(await store.get(key, { start: 0 })).toBeNull();
  });

  it('holds large values of any bytes under any key', async () => {
    const value = new Uint8Array(5_000_000).map((_, index) => (index * 31) % 256);
    const key = keyOf('ö/ü ? # % + & ../..');
    await store.put(key, value);
    expect(await store.size(key)).toBe(value.length);
    expect(Buffer.compare((await store.get(key)) ?? new Uint8Array(), value)).toBe(0);
    const part = await store.get(key, { start: 4_000_000, end: 4_000_100 });
    expect(Buffer.from(part ?? [])).toEqual(Buffer.from(value.slice(4_000_000, 4_000_100)));
  });

  it('lists and deletes the folder of one user, and no other one', async () => {
    const keys = Array.from({ length: listedCount }, (_, index) =>
      keyOf(`k/${1_000 + index}`, 'lea'),
    ).sort();
    for (let from = 0; from < keys.length; from += 50)
      await Promise.all(keys.slice(from, from + 50).map((key) => store.put(key, bytes('x'))));
    const other = keyOf('other', 'lea-2');
    await store.put(other, bytes('x'));
    const listed = async (of: string | null) => {
      const found: string[] = [];
      for await (const key of store.list(of)) found.push(key);
      return found.sort();
    };
    expect(await listed(folderOf('lea'))).toEqual(keys);
    await store.deleteFolder(folderOf('lea'));
    await store.deleteFolder(folderOf('nobody'));
    expect(await listed(folderOf('lea'))).toEqual([]);
    expect(await listed(null)).toContain(other);
    expect(await store.size(other)).toBe(1);
  });

  it('lists by age after a key, for a job that goes on', async () => {
    const keys = ['1', '2', '3'].map((key) => keyOf(key, 'mia'));
    for (const key of keys) await store.put(key, bytes('x'));
    const after: string[] = [];
    for await (const { key } of store.listByAge(folderOf('mia'), keys[0] ?? '')) after.push(key);
    expect(after.sort()).toEqual(keys.slice(1).sort());
  });

  it.each([
    '../secret',
    'w/../../secret',
    '/etc/passwd',
    'w//k',
    'w/.',
    'w/..',
    'w\\..\\k/x',
    'w/k\0',
    'w',
    '',
    'w/%2e%2e/..',
  ])('refuses a key that could leave its folder: %j', async (key) => {
    await writeFile(join(folder, 'secret'), 'do not read');
    await expect(store.get(key)).rejects.toThrow('no key of a blob');
    await expect(store.put(key, bytes('x'))).rejects.toThrow('no key of a blob');
    await expect(store.delete(key)).rejects.toThrow('no key of a blob');
  });
});

it('a folder shows a reader the old value or the new one, never half, and no drafts', async () => {
  const store = inFolder();
  const key = keyOf('k', 'ada', 'race');
  const values = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000));
  await store.put(key, bytes(values[0] ?? ''));
  const writing = Promise.all(values.map((value) => store.put(key, bytes(value))));
  for (let turn = 0; turn < 20; turn++) expect(values).toContain(text(await store.get(key)));
  await writing;
  expect(await readdir(join(folder, 'store', folderOf('ada'), 'race'))).toEqual(['k']);
});

it('makes a valid key of any parts, and never one key of two', () => {
  const store = inFolder();
  const part = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' });
  const parts = fc.record({ workspace: part, ownerId: part, session: part, key: part });
  return fc.assert(
    fc.asyncProperty(parts, parts, async (left, right) => {
      const same = JSON.stringify(left) === JSON.stringify(right);
      expect(blobKey(left) === blobKey(right)).toBe(same);
      expect(await store.get(blobKey(left))).toBeNull();
    }),
  );
});

it('blobs in a bucket are apart by owner and by the prefix of the installation', async () => {
  await inBucket(`${S3_BUCKET}/aiden`).put(keyOf('k'), bytes("ada's"));
  expect(await inBucket(`${S3_BUCKET}/aiden`).get(keyOf('k', 'bob'))).toBeNull();
  expect(await inBucket(`${S3_BUCKET}/other`).get(keyOf('k'))).toBeNull();
  expect(await inBucket(S3_BUCKET).get(keyOf('k'))).toBeNull();
  expect(text(await inBucket(`${S3_BUCKET}/aiden/`).get(keyOf('k')))).toBe("ada's");
});

it('wrong credentials, bucket or address are faults, not absent blobs', async () => {
  const wrong = inBucket(S3_BUCKET, { ...S3_CREDENTIALS, secretAccessKey: 'wrong' });
  await expect(wrong.get(keyOf('k'))).rejects.toThrow();
  await expect(wrong.put(keyOf('k'), bytes('x'))).rejects.toThrow();
  await expect(inBucket('nowhere').get(keyOf('k'))).rejects.toThrow();
  expect(() => inBucket('')).toThrow('AIDEN_BLOBS');
  expect(() => openBlobStore('ftp://somewhere/blobs')).toThrow('AIDEN_BLOBS');
});
