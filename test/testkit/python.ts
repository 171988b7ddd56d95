import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../src/host/folders.ts';

/** Packages of Python for one kind of test, in a folder of the cache. */
export interface PythonPackages {
  /** Name of the folder; it names the versions. */
  readonly name: string;
  readonly packages: readonly string[];
}

export const folderOf = ({ name }: PythonPackages) => join(cacheFolder(), name);

/**
 * Why these packages can not be had here; null when they are there, installed just now if need be.
 */
export function pythonMissing(wanted: PythonPackages): string | null {
  const folder = folderOf(wanted);
  const done = join(folder, 'done');
  if (existsSync(done)) return null;
  const python = spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' });
  if (python.status !== 0) return 'python3 with pip is not here';
  mkdirSync(folder, { recursive: true });
  const args = ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', '--target', folder];
  const installed = spawnSync('python3', [...args, ...wanted.packages], {
    stdio: 'ignore',
    timeout: 240_000,
  });
  if (installed.status !== 0) return `${wanted.packages[0]} could not be installed`;
  writeFileSync(done, '');
  return null;
}

/** Runs a program with these packages. @returns the JSON that it prints */
export async function runPython(
  wanted: PythonPackages,
  args: readonly string[],
  input = '',
): Promise<unknown> {
  const python = spawn('python3', [...args], {
    env: { ...process.env, PYTHONPATH: folderOf(wanted) },
  });
  let out = '';
  let errors = '';
  python.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  python.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  python.stdin.end(input);
  const code = await new Promise((resolve) => python.once('close', resolve));
  if (code !== 0) throw new Error(`The client ended with ${code}: ${errors.slice(-2_000)}`);
  return JSON.parse(out);
}
