import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Say, withProgress } from './child.ts';
import { withLock } from './lock.ts';

/**
 * Makes a file or folder that all processes of this machine share, unless it is there. One process
 * makes it and the others wait. It appears by one rename, so no process finds it half made.
 * @param work for the line that the waiting processes show: `Process 7 is ${work}; waiting for it.`
 * @param title of the progress that the working process shows
 * @param make fills the given empty folder with an entry that is named like `target`
 */
export async function installOnce(
  target: string,
  { say, work, title }: { readonly say: Say; readonly work: string; readonly title: string },
  make: (parts: string) => Promise<void>,
): Promise<string> {
  if (existsSync(target)) return target;
  const home = dirname(target);
  return withLock(
    `${home}.lock`,
    (pid) => say(`Process ${pid} is ${work}; waiting for it.`),
    async () => {
      if (existsSync(target)) return target;
      const parts = await mkdtemp(`${home}.partial-`);
      try {
        await withProgress(say, title, async () => {
          await make(parts);
          await mkdir(home, { recursive: true });
          await rename(join(parts, basename(target)), target);
        });
      } finally {
        await rm(parts, { recursive: true, force: true });
      }
      return target;
    },
  );
}
