import { spawnSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

/** A small disk in memory that can be filled. */
export interface Disk {
  readonly path: string;
  /** Writes a file until there is no room. */
  fill(): Promise<void>;
  /** Removes that file. */
  free(): Promise<void>;
  unmount(): void;
}

const BLOCK = Buffer.alloc(64 * 1024);

/** Mounts a disk over an empty folder. Null: only root on Linux may. */
export function mountDisk(path: string, megabytes: number): Disk | null {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return null;
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path];
  if (spawnSync('mount', options).status !== 0) return null;
  const filler = join(path, 'filler');
  return {
    path,
    async fill() {
      const file = await open(filler, 'w');
      try {
        for (;;) await file.write(BLOCK);
      } catch {
        // There is no room for one more block.
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    unmount() {
      spawnSync('umount', ['-l', path]);
    },
  };
}
