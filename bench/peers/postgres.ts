import { spawn } from 'node:child_process';
import { access, chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/host/ports.ts';
import { ended } from './child.ts';

/** Where Debian's package keeps its programs, by version. */
const DEBIAN = '/usr/lib/postgresql';

export interface Postgres {
  /** Ends without a database's name. */
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

/**
 * A Postgres with its usual settings in a new folder, and an empty database per name. @throws Error
 * when none is installed
 */
export async function openPostgres(databases: readonly string[]): Promise<Postgres> {
  const bin = await programs();
  const folder = await mkdtemp(join(tmpdir(), 'aiden-peers-pg-'));
  const owner = await notRoot();
  if (owner !== null) await chown(folder, owner.uid, owner.gid);
  const options = { cwd: folder, ...(owner ?? {}) };
  const data = join(folder, 'data');
  await ended(
    spawn(join(bin, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8'], options),
  );
  const port = await freePort(0, new Set());
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
    { ...options, stdio: 'ignore' },
  );
  const login = ['-h', '127.0.0.1', '-p', String(port), '-U', 'bench'];
  for (let looks = 0; ; looks++) {
    const isReady = await ended(spawn(join(bin, 'pg_isready'), login)).then(
      () => true,
      () => false,
    );
    if (isReady) break;
    if (looks > 100) throw new Error('Postgres did not start.');
    await sleep(100);
  }
  for (const name of databases) await ended(spawn(join(bin, 'createdb'), [...login, name]));
  return {
    url: `postgresql://bench@127.0.0.1:${port}`,
    pid: server.pid ?? 0,
    async close() {
      server.kill('SIGINT');
      await ended(server).catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function programs(): Promise<string> {
  const versions = await readdir(DEBIAN).catch(() => []);
  const newest = versions.sort((left, right) => Number(right) - Number(left))[0];
  if (newest === undefined) throw new Error('Postgres is missing: apt-get install postgresql');
  const bin = join(DEBIAN, newest, 'bin');
  await access(join(bin, 'initdb'));
  return bin;
}

/** The user that Debian's package made, where this process is root: Postgres refuses to run so. */
async function notRoot(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const users = await readFile('/etc/passwd', 'utf8');
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  if (uid === undefined) throw new Error('Run this as another user than root.');
  return { uid: Number(uid), gid: Number(gid) };
}
