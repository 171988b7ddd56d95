// Completes package-lock.json with the optional packages of other platforms. npm leaves those out
// that the registry it asked did not have, and `npm ci` then refuses the lockfile on every machine
// (npm/cli#4828). Run it after `npm install` whenever test/house says so: node
// stack/complete-lock.ts An entry without `integrity` is installed unchecked, so it asks npm for
// the hash of each.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Locked = Record<string, LockedPackage>;

interface MissingPlatform {
  readonly name: string;
  readonly version: string;
  readonly dev?: boolean;
}

/** The exact optional packages that the lockfile asks for and lacks. */
export function missingPlatforms(packages: Locked): MissingPlatform[] {
  const missing: MissingPlatform[] = [];
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

const NPM_FOLDER = 'node_modules/';

/**
 * The entries that npm would install without a hash. Folders of this repository and links have
 * none.
 */
export function unchecked(packages: Locked): { path: string; name: string; version: string }[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const { version, link, inBundle, integrity } = entry;
    const at = path.lastIndexOf(NPM_FOLDER);
    const isOurs = at < 0 || link === true || inBundle === true;
    if (isOurs || version === undefined || integrity?.startsWith('sha512-') === true) return [];
    return [{ path, name: path.slice(at + NPM_FOLDER.length), version }];
  });
}

/** The hash that the registry gives for a package. */
async function integrityOf(name: string, version: string): Promise<string> {
  const args = ['view', `${name}@${version}`, 'dist.integrity', '--json'];
  const { stdout } = await promisify(execFile)('npm', args);
  const integrity: unknown = JSON.parse(stdout);
  if (typeof integrity !== 'string' || !integrity.startsWith('sha512-'))
    throw new Error(`The registry gives no hash for ${name} ${version}.`);
  return integrity;
}

async function main(): Promise<void> {
  const lock = JSON.parse(readFileSync(FILE, 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const missing = missingPlatforms(lock.packages);
  if (missing.length === 0 && unchecked(lock.packages).length === 0) return;
  for (const { name, version, ...flags } of missing) {
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
  for (const { path, name, version } of unchecked(lock.packages)) {
    const integrity = await integrityOf(name, version);
    const { version: same, ...entry } = lock.packages[path] ?? {};
    lock.packages[path] = { version: same ?? version, integrity, ...entry };
    console.log(`${name} ${version} ${integrity}`);
  }
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
}

if (import.meta.main) await main();
