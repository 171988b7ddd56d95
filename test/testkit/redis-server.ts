import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { freePort } from '../../src/host/ports.ts';

const PATHS = [
  '/usr/bin/redis-server',
  '/usr/local/bin/redis-server',
  '/opt/homebrew/bin/redis-server',
];

/**
 * Where redis-server is; Debian's is installed where that may be done; null where it is not to be
 * had.
 */
export function findRedisServer(): string | null {
  const find = () => PATHS.find((path) => existsSync(path)) ?? null;
  const found = find();
  if (found !== null || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return found;
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'];
    execFileSync('apt-get', install, { stdio: 'ignore', env });
  } catch {
    // Skipped by name, then.
  }
  return find();
}

export interface RedisServer {
  readonly url: string;
  /** Ends it as a crash would; its data is gone. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
}

/** A Redis of its own that keeps nothing on disk. */
export async function startRedis(command: string): Promise<RedisServer> {
  const port = await freePort(0, new Set());
  let child: ChildProcess | null = null;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      const running = child;
      child = null;
      if (running === null) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGKILL');
      await ended;
    },
    async start() {
      const args = [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--appendonly',
        'no',
      ];
      const started = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      child = started;
      await new Promise<void>((resolve, reject) => {
        started.stdout.on('data', (text: Buffer) => {
          if (text.toString().includes('Ready to accept connections')) resolve();
        });
        started.once('exit', (code) => reject(new Error(`redis-server ended with ${code}.`)));
      });
    },
  };
  await server.start();
  return server;
}
