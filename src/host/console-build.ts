import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { CONSOLE_CONFIG, CONSOLE_FOLDER, CONSOLE_STAMP } from './console.ts';

const COMPRESSED = ['.js', '.css', '.svg'];

/**
 * `node src/host/console-build.ts HASH`: builds the console from sources of this hash. Builds
 * beside the folder and renames, so that no process serves half a build.
 */
async function main(hash: string): Promise<void> {
  const outDir = await mkdtemp(`${CONSOLE_FOLDER}-`);
  try {
    await build({
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
    await writeFile(join(outDir, CONSOLE_STAMP), hash);
    await rm(CONSOLE_FOLDER, { recursive: true, force: true });
    await rename(outDir, CONSOLE_FOLDER);
  } finally {
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

if (import.meta.main) await main(process.argv[2] ?? '');
