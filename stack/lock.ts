import { mkdir, open, readFile, rm } from 'node:fs/promises';
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
    if (holder !== null && !isAlive(holder)) await rm(file, { force: true });
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
