import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

let folder = '';
let store: BlobStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aiden-blobs-'));
  store = openBlobStore(pathToFileURL(join(folder, 'store')).href);
});
afterAll(() => rm(folder, { recursive: true }));

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (found: Uint8Array | null) =>
  found === null ? null : new TextDecoder().decode(found);

describe('the blob store', () => {
  it('gives back a blob whole, by range and as a stream', async () => {
    const key = blobKey({ workspace: 'w', ownerId: 'o', session: 's', key: 'k' });
    await store.put(key, bytes('0123456789'));
    expect(text(await store.get(key))).toBe('0123456789');
    expect(text(await store.get(key, { start: 2, end: 5 }))).toBe('234');
    expect(text(await store.get(key, { start: 8 }))).toBe('89');
    expect(text(await store.get(key, { start: 8, end: 100 }))).toBe('89');
    expect(text(await store.get(key, { start: 100 }))).toBe('');
    expect(await store.size(key)).toBe(10);
    const chunks: Uint8Array[] = [];
    for await (const chunk of store.stream(key, { start: 3, end: 6 })) chunks.push(chunk);
    expect(text(Buffer.concat(chunks))).toBe('345');
    for await (const _chunk of store.stream(key, { start: 3, end: 3 }))
      throw new Error('not empty');
  });

  it('knows no blob that was not put, or was deleted', async () => {
    const key = blobKey({ workspace: 'w', ownerId: 'o', session: 's', key: 'gone' });
    expect(await store.get(key)).toBeNull();
    expect(await store.size(key)).toBeNull();
    await store.put(key, bytes('x'));
    await store.delete(key);
    await store.delete(key);
    expect(await store.get(key, { start: 0 })).toBeNull();
  });

  it('lists and deletes the folder of one user, and no other one', async () => {
    const put = async (ownerId: string, key: string) => {
      const at = blobKey({ workspace: 'w 1', ownerId, session: 's', key });
      await store.put(at, bytes(key));
      return at;
    };
    const mine = [await put('ada', 'a/1'), await put('ada', 'b')];
    const others = await put('ada-2', 'c');
    const folderOf = (ownerId: string) => blobFolder({ workspace: 'w 1', ownerId });
    const listed: string[] = [];
    for await (const key of store.list(folderOf('ada'))) listed.push(key);
    expect(listed.toSorted()).toEqual(mine.toSorted());
    await store.deleteFolder(folderOf('ada'));
    await store.deleteFolder(folderOf('nobody'));
    for (const key of mine) expect(await store.size(key)).toBeNull();
    expect(await store.size(others)).toBe(1);
    for await (const key of store.list(folderOf('ada'))) throw new Error(key);
  });

  it('shows a reader the old value or the new one and never half of one, and leaves no drafts', async () => {
    const key = blobKey({ workspace: 'w', ownerId: 'o', session: 'race', key: 'k' });
    const values = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000));
    await store.put(key, bytes(values[0] ?? ''));
    const writing = Promise.all(values.map((value) => store.put(key, bytes(value))));
    for (let turn = 0; turn < 20; turn++) expect(values).toContain(text(await store.get(key)));
    await writing;
    expect(await readdir(join(folder, 'store', 'w', 'o', 'race'))).toEqual(['k']);
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

  it('makes a valid key of any parts, and never one key of two', () => {
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

  it('names the setting when it has no store for an address', () => {
    expect(() => openBlobStore('ftp://somewhere/blobs')).toThrow('AIDEN_BLOBS');
  });
});
