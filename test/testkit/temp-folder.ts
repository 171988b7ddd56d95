import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BlobStore, openBlobStore } from '../../src/platform/blobs/blob-store.ts';

const made: string[] = [];

/** A new folder that is deleted after the test file. `name` tells whose it is. */
export function tempFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `aiden-${name}-`));
  made.push(folder);
  return folder;
}

/** A blob store in such a folder. */
export const tempBlobs = (): BlobStore => openBlobStore(pathToFileURL(tempFolder('blobs')).href);

/** Deletes the folders that were made; a setup file calls it after each test file. */
export function removeTempFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
