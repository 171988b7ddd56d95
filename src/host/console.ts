import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { InlineConfig } from 'vite';
import { type Say, withProgress } from './child.ts';
import { withLock } from './lock.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const ROOT = join(CHECKOUT, 'console');
/** Folder of the built console, served by the API under `/console/`. */
export const CONSOLE_FOLDER = join(ROOT, 'dist');
const SOURCES = ['console', 'packages/client/src', 'src/host/console.ts', 'package-lock.json'];
/** Holds the hash of the sources that the folder was built from. */
const STAMP = 'built-from';
const COMPRESSED = ['.js', '.css', '.svg'];

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
      await withProgress(say, 'Building the console', () => build(hash));
    },
  );
}

function isFresh(hash: string): boolean {
  const stamp = join(CONSOLE_FOLDER, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

function sourcesHash(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const path of filesOf(join(CHECKOUT, source)).sort()) {
      hash.update(path.slice(CHECKOUT.length)).update('\0').update(readFileSync(path));
    }
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

/** Builds beside the folder and renames, so that no process serves half a build. */
async function build(hash: string): Promise<void> {
  const vite = await import('vite');
  const outDir = await mkdtemp(`${CONSOLE_FOLDER}-`);
  const mode = process.env['NODE_ENV'];
  // vite builds for development where this says so. Under vitest it says `test`, and the stamp
  // would not tell such a build apart.
  process.env['NODE_ENV'] = 'production';
  try {
    await vite.build({
      ...CONSOLE_CONFIG,
      build: {
        outDir,
        emptyOutDir: true,
        target: 'es2022',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 2_000,
      },
    });
    await compress(join(outDir, 'assets'));
    await writeFile(join(outDir, STAMP), hash);
    await rm(CONSOLE_FOLDER, { recursive: true, force: true });
    await rename(outDir, CONSOLE_FOLDER);
  } finally {
    if (mode === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = mode;
    await rm(outDir, { recursive: true, force: true });
  }
}

async function compress(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!COMPRESSED.includes(extname(name))) continue;
    const path = join(folder, name);
    const bytes = await readFile(path);
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, quality));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}
