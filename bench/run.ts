import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ensureStack } from '../src/host/ensure.ts';

/**
 * `npm run bench [-- name … --data path]`: runs each `*.bench.ts` in a process of its own against
 * one stack and prints its figures. Words after the names go to each of them. Exit code 1 when a
 * figure misses its bound, so that a script may ask; tests never do.
 */
async function main(args: readonly string[]): Promise<void> {
  const options = args.findIndex((arg) => arg.startsWith('-'));
  const wanted = options < 0 ? args : args.slice(0, options);
  const passed = options < 0 ? [] : args.slice(options);
  const folder = new URL('.', import.meta.url);
  const files = (await readdir(folder))
    .filter((file) => file.endsWith('.bench.ts'))
    .filter((file) => wanted.length === 0 || wanted.some((name) => file.startsWith(name)))
    .sort();
  const stack = await ensureStack({
    instance: 'bench',
    onProgress: (line: string) => console.log(line),
  });
  let failed = 0;
  try {
    for (const file of files) {
      console.log(`\n== ${file.replace('.bench.ts', '')}`);
      const code = await new Promise<number>((resolve) => {
        spawn(process.execPath, [fileURLToPath(new URL(file, folder)), ...passed], {
          stdio: 'inherit',
          env: { ...process.env, ...stack.env },
        }).on('exit', (exit) => resolve(exit ?? 1));
      });
      if (code !== 0) failed++;
    }
  } finally {
    await stack.stop();
  }
  console.log(`\n${files.length - failed} of ${files.length} benches kept their bounds`);
  process.exitCode = failed === 0 ? 0 : 1;
}

await main(process.argv.slice(2));
