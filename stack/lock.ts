import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function holderOf(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const pid = Number(text);
  // A file just made is still empty: its writer lives.
  return Number.isInteger(pid) && pid > 0 ? pid : process.pid;
}

// Nobody needs longer to look at a small file and remove it; who left this behind has died in between.
const REMOVAL_MS_MAX = 5_000;

/**
 * Takes a dead holder's file away. One at a time and after another look: between our look and our removal somebody else may have
 * removed it and made the lock its own.
 */
async function removeDead(file: string): Promise<void> {
  const turn = `${file}.removal`;
  const handle = await open(turn, 'wx').catch(() => null);
  if (handle === null) {
    const since = await stat(turn).catch(() => null);
    if (since !== null && Date.now() - since.mtimeMs > REMOVAL_MS_MAX)
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
 * Does the work while holding the file, so that two starts at once don't both build or both start. A holder that died is
 * passed over. The lock only saves work: what is built still appears by one atomic rename.
 */
export async function withLock<T>(
  file: string,
  waiting: (holder: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  for (let told = false; ; ) {
    const handle = await open(file, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return null;
      throw error;
    });
    if (handle !== null) {
      await handle.writeFile(String(process.pid));
      await handle.close();
      break;
    }
    const holder = await holderOf(file);
    if (holder !== null && !isAlive(holder)) await removeDead(file);
    else {
      if (holder !== null && !told) waiting(holder);
      told = true;
      await sleep(300);
    }
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
