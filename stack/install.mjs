// Runs before `npm start` and `npm test`, so that these two are the only commands: plain
// JavaScript, for whatever Node (20 or later) the machine has. Installs the npm packages when they
// differ from the lockfile, and Node 24 among them, which npm scripts then find first in
// node_modules/.bin. Does nothing, in a few milliseconds, when all is in place.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const checkout = fileURLToPath(new URL('../', import.meta.url));
const modules = join(checkout, 'node_modules');
const windows = process.platform === 'win32';

/** @returns {string | null} why the packages have to be installed */
function whatIsMissing() {
  const wanted = packagesOf(join(checkout, 'package-lock.json'));
  // npm writes this file last, so an interrupted installation has none.
  const installed = packagesOf(join(modules, '.package-lock.json'));
  if (installed === null) return 'the npm packages are not installed yet';
  for (const [path, { version, optional, link }] of Object.entries(wanted ?? {})) {
    // The project itself and its workspaces are here without npm; only the links to workspaces are
    // installed.
    if (!path.includes('node_modules/')) continue;
    const found = installed[path];
    if (found === undefined && optional) continue;
    if (link) {
      if (!found?.link || !existsSync(join(checkout, path))) return `${path} is not linked`;
      continue;
    }
    if (found?.version !== version)
      return `${path.replace(/^.*node_modules\//, '')} ${version} is not installed`;
  }
  return null;
}

/** @param {string} file */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}

function npmCi() {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env['npm_execpath'];
  const [command, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const { status, error } = spawnSync(command, [...prefix, ...args], {
    cwd: checkout,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows,
  });
  if (status === 0) return;
  fail(
    `npm ci did not succeed${error ? ` (${error.message})` : ''}; what it says stands above.`,
    'It needs the npm registry (or a mirror: npm config set registry URL), about 1.5 GB of ' +
      'disk, and write access here.',
  );
}

/** @param {string} command */
function majorOf(command) {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number(/^v(\d+)/.exec(stdout)?.[1] ?? 0) : 0;
}

// The package `node` fetches its binary in an install script. Where scripts are not allowed, we run
// that one ourselves.
function ensureNode() {
  const binary = join(modules, '.bin', windows ? 'node.cmd' : 'node');
  if (majorOf(binary) >= NODE_MAJOR_MIN) return;
  const folder = join(modules, 'node');
  if (existsSync(folder)) {
    spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  if (majorOf(binary) >= NODE_MAJOR_MIN) return;
  // A broken link would hide the machine's own Node, which may be new enough.
  rmSync(binary, { force: true });
  if (majorOf('node') >= NODE_MAJOR_MIN) return;
  fail(
    `Node ${NODE_MAJOR_MIN} could not be installed through npm for ${process.platform} ` +
      `${process.arch}.`,
    `Install Node ${NODE_MAJOR_MIN} or later yourself (https://nodejs.org) and start again.`,
  );
}

/** @param {string[]} lines @returns {never} */
function fail(...lines) {
  for (const line of lines) console.error(line);
  process.exit(1);
}

/** @param {() => void} work */
function alone(work) {
  const folder = join(checkout, '.aiden');
  const lock = join(folder, 'install.lock');
  mkdirSync(folder, { recursive: true });
  for (let told = false; ; told = true) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    let holder = 0;
    try {
      holder = Number(readFileSync(lock, 'utf8')) || process.pid;
      process.kill(holder, 0);
      if (!told) console.log(`Process ${holder} is installing here; waiting for it.`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    } catch {
      rmSync(lock, { force: true });
    }
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(
    `Node ${process.versions.node} is too old: Node 20 or later is needed to begin ` +
      '(https://nodejs.org).',
  );
}
if (whatIsMissing() !== null || !existsSync(join(modules, '.bin'))) {
  alone(() => {
    const missing = whatIsMissing();
    if (missing === null) return;
    const startedMs = Date.now();
    console.log(`Installing the npm packages: ${missing} (1 to 3 minutes the first time) …`);
    npmCi();
    console.log(`  done in ${Math.round((Date.now() - startedMs) / 1000)} s`);
  });
}
ensureNode();
