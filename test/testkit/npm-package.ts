import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../src/host/folders.ts';

/**
 * A package of npm that only a test runs, in a folder of the cache: it has far more dependencies
 * than the product.
 */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
}

const folderOf = ({ name, version }: NpmPackage) =>
  join(cacheFolder(), `npm-${name.replaceAll(/[^a-z0-9]+/g, '-')}-${version}`);

/** Why the package can not be had here; null when it is there, installed just now if need be. */
export function npmMissing(wanted: NpmPackage): string | null {
  const folder = folderOf(wanted);
  const done = join(folder, 'done');
  if (existsSync(done)) return null;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  const spec = `${wanted.name}@${wanted.version}`;
  const installed = spawnSync('npm', [...args, spec], { stdio: 'ignore', timeout: 240_000 });
  if (installed.status !== 0) return `${spec} could not be installed`;
  writeFileSync(done, '');
  return null;
}

/** Runs a command of the package. @returns its exit code and output */
export function runNpmBin(
  wanted: NpmPackage,
  bin: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const path = join(folderOf(wanted), 'node_modules', '.bin', bin);
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, stdout, stderr });
    });
  });
}
