import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function holderOf(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const pid = Number(text);
  // A new file is empty until its owner writes its id, so it counts as held.
  return Number.isInteger(pid) && pid > 0 ? pid : process.pid;
}

// Removing a lock takes far less time. The owner of an older removal file has died.
const REMOVAL_MS_MAX = 5_000;

/**
 * Removes the file of a dead holder. A second check under a removal lock is needed: another process
 * may meanwhile have removed the file and taken the lock.
 */
async function removeDead(file: string): Promise<void> {
  const turn = `${file}.removal`;
  const handle = await open(turn, 'wx').catch(() => null);
  if (handle === null) {
    const since = await stat(turn).catch(() => null);
    // The clock may have been set back since: a file of the future is old, too.
    if (since !== null && Math.abs(Date.now() - since.mtimeMs) > REMOVAL_MS_MAX)
      await rm(turn, { force: true });
    await sleep(50);
    return;
  }
  try {
    const holder = await holderOf(file);
    if (holder !== null && !isAlive(holder)) await rm(file, { force: true });
  } finally {
    await handle.close();
    await rm(turn, { force: true });
  }
}

/**
 * Takes the lock file unless a running process holds it; a dead holder's lock is removed.
 * @returns null when this process has it now, else the holder's id
 */
export async function takeLock(file: string): Promise<number | null> {
  for (;;) {
    const handle = await open(file, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return null;
      throw error;
    });
    if (handle !== null) {
      await handle.writeFile(String(process.pid));
      await handle.close();
      return null;
    }
    const holder = await holderOf(file);
    if (holder !== null && isAlive(holder)) return holder;
    if (holder !== null) await removeDead(file);
  }
}

/**
 * Does the work while holding the lock file, so that two starts do not both build. A dead holder's
 * lock is removed. The lock only saves work: a build still appears by one atomic rename.
 */
export async function withLock<T>(
  file: string,
  waiting: (holder: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  for (let told = false; ; told = true) {
    const holder = await takeLock(file);
    if (holder === null) break;
    if (!told) waiting(holder);
    await sleep(300);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
