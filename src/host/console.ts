import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';
import { runTool, type Say, withProgress } from './child.ts';
import { withLock } from './lock.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const ROOT = join(CHECKOUT, 'console');
/** Folder of the built console, served by the API under `/console/`. */
export const CONSOLE_FOLDER = join(ROOT, 'dist');
const SOURCES = [
  ...['console', 'packages/client/src', 'src/host/console.ts', 'src/host/console-build.ts'],
  'package-lock.json',
];
/** Its pages come with the console; its folders do not. */
const DOCS = join(CHECKOUT, 'docs');
/** Holds the hash of the sources that the folder was built from. */
export const CONSOLE_STAMP = 'built-from';
const BUILD = fileURLToPath(new URL('console-build.ts', import.meta.url));

/** Of vite. */
export const CONSOLE_CONFIG: InlineConfig = {
  configFile: false,
  root: ROOT,
  base: '/console/',
  logLevel: 'error',
  clearScreen: false,
};

/**
 * Builds the console if its sources changed since the last build; one process at a time. An image
 * holds the built console without its sources, and serves it as it is.
 */
export async function buildConsole(say: Say): Promise<void> {
  if (!existsSync(join(ROOT, 'index.html'))) return;
  if (isFresh(sourcesHash())) return;
  await withLock(
    join(CHECKOUT, '.aiden', 'console'),
    (pid) => say(`Process ${pid} is building the console; waiting for it.`),
    async () => {
      const hash = sourcesHash();
      if (isFresh(hash)) return;
      await withProgress(say, 'Building the console', () =>
        // vite would keep 800 MB of a process that goes on. It builds for development where
        // NODE_ENV says so.
        runTool(process.execPath, [BUILD, hash], { env: { NODE_ENV: 'production' } }),
      );
    },
  );
}

function isFresh(hash: string): boolean {
  const stamp = join(CONSOLE_FOLDER, CONSOLE_STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

function sourcesHash(): string {
  const hash = createHash('sha256');
  const pages = existsSync(DOCS) ? readdirSync(DOCS).filter((name) => extname(name) === '.md') : [];
  for (const source of [...SOURCES, ...pages.map((name) => `docs/${name}`)]) {
    for (const path of filesOf(join(CHECKOUT, source)).sort())
      hash.update(path.slice(CHECKOUT.length)).update('\0').update(readFileSync(path));
  }
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  if (extname(path) !== '') return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return [join(path, entry.name)];
    return entry.name === 'dist' ? [] : filesOf(join(path, entry.name));
  });
}
