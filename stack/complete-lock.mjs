// Completes package-lock.json with the optional packages of other platforms. npm leaves those out that the registry it
// asked did not have, and `npm ci` then refuses the lockfile on every machine (npm/cli#4828). Run it after
// `npm install` whenever test/house says so: node stack/complete-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const SYSTEMS = [
  'darwin',
  'linux',
  'win32',
  'android',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'openharmony',
];
const MACHINES = [
  'x64',
  'arm64',
  'ia32',
  'arm',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
];

/** The exact optional packages that the lockfile asks for and lacks. @param {Record<string, any>} packages */
export function missingPlatforms(packages) {
  const missing = [];
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const places = path
        .split('/node_modules/')
        .map((_, index, all) => all.slice(0, all.length - index).join('/node_modules/'));
      const found = [...places, ''].some(
        (place) => packages[`${place === '' ? '' : `${place}/`}node_modules/${name}`],
      );
      // A range could not be named without the registry, and a platform's package is always pinned.
      if (!found && /^\d/.test(String(version)))
        missing.push({ name, version, ...(dev ? { dev } : {}) });
    }
  }
  return missing;
}

function main() {
  const lock = JSON.parse(readFileSync(FILE, 'utf8'));
  for (const { name, version, ...flags } of missingPlatforms(lock.packages)) {
    const words = name.split(/[/-]/);
    const os = words.filter((word) => SYSTEMS.includes(word));
    const cpu = words.filter((word) => MACHINES.includes(word));
    const libc = words.includes('musl')
      ? ['musl']
      : words.includes('gnu') || words.includes('glibc')
        ? ['glibc']
        : [];
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(cpu.length > 0 ? { cpu } : {}),
      ...flags,
      ...(libc.length > 0 && os.includes('linux') ? { libc } : {}),
      optional: true,
      ...(os.length > 0 ? { os } : {}),
    };
    console.log(`${name} ${version}`);
  }
  const [root, ...rest] = Object.entries(lock.packages);
  lock.packages = Object.fromEntries([root, ...rest.sort(([a], [b]) => (a < b ? -1 : 1))]);
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
