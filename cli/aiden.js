#!/usr/bin/env node
// Starts the CLI on the project's own Node 24 (npm package `node`), whichever Node runs this line.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const major = Number(process.versions.node.split('.')[0]);

if (!existsSync(own) && major < 24) {
  console.error(
    'aiden: the packages are not installed yet. Run `npm start` (or `npm ci`) in the project once.',
  );
  process.exit(1);
}
// Compiled code is kept, in the folder of src/host/folders.ts: a command then starts in a third of
// the time.
const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'aiden', 'compiled');
const child = spawn(existsSync(own) ? own : process.execPath, [main, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: cache, ...process.env },
});
// The terminal sends Ctrl-C to both; the child decides what it means.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 130));
