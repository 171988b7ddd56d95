import { mkdir, mkdtemp, statfs } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Downloads and builds, shared by all checkouts of a user: `$XDG_CACHE_HOME/aiden`, else
 * `~/.cache/aiden`.
 */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'aiden');
}

/**
 * Data, keys and blobs of one instance: `$XDG_DATA_HOME/aiden/<instance>`, else
 * `~/.local/share/aiden/<instance>`.
 */
export function dataFolder(instance: string): string {
  return join(
    process.env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'),
    'aiden',
    instance,
  );
}

/** Whether the instance's data is deleted at its end (`test`, `bench`). */
export function isTemporary(instance: string): boolean {
  return instance === 'test' || instance === 'bench';
}

/** Makes the instance's folder, readable by this user only: it holds a password. */
export async function openInstanceFolder(instance: string): Promise<string> {
  if (isTemporary(instance)) return mkdtemp(join(tmpdir(), `aiden-${instance}-`));
  const folder = dataFolder(instance);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Room that a server needs to recover and to go on for a while. */
const ROOM_BYTES_MIN = 64 * 1024 ** 2;

/** Whether the disk of a folder has room for a server; true where that is unknown. */
export async function hasRoom(folder: string): Promise<boolean> {
  const disk = await statfs(folder).catch(() => null);
  return disk === null || disk.bavail * disk.bsize >= ROOM_BYTES_MIN;
}
