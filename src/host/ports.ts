import { randomInt } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { takeLock } from './lock.ts';

/** Whether a process listens on this loopback port. */
export function answers(port: number, waitMs = 1_000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.setTimeout(waitMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

const canListen = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address();
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : null),
      );
    });
  });

const TRIES_MAX = 200;
/**
 * "Any port" means one of these: below the ports that systems give to outgoing connections, which
 * could take a port between the check and the server's bind.
 */
const ANY_PORTS = { first: 20_000, count: 12_000 };

const anyPort = (): number => ANY_PORTS.first + randomInt(ANY_PORTS.count);

/** Whether a server's failure says that another process has its port. */
export function saysPortTaken(error: unknown): boolean {
  return error instanceof Error && /address already in use/i.test(error.message);
}

/**
 * The wished port when it is free, else the next free one; 0 = any free port. `taken` holds ports
 * already assigned in the same start, which no process listens on yet.
 */
export async function freePort(wished: number, taken: Set<number>): Promise<number> {
  for (let step = 0; step < TRIES_MAX; step++) {
    const candidate = wished === 0 ? anyPort() : wished + step;
    if (taken.has(candidate)) continue;
    const port = await canListen(candidate);
    if (port === null || taken.has(port)) continue;
    taken.add(port);
    return port;
  }
  throw new Error(`No free port on 127.0.0.1 from ${wished} to ${wished + TRIES_MAX}.`);
}

/**
 * The ports that one start has chosen. A lock file per port keeps the other starts of this user
 * away from it, also before a server listens on it and while the server is restarted.
 */
export class PortClaims {
  readonly #avoided: ReadonlySet<number>;
  readonly #claimed = new Map<number, string>();

  /** @param avoided ports that other instances had at their last start */
  constructor(avoided: ReadonlySet<number> = new Set()) {
    this.#avoided = avoided;
  }

  /**
   * Claims the kept port, else the wished one, else the next free one.
   * @param wished 0 = any free port
   * @param kept the port of the last start; 0 = none. It is tried first.
   * @throws Error when no port is free
   */
  async take(wished: number, kept = 0): Promise<number> {
    if (kept > 0 && (await this.#claim(kept))) return kept;
    for (let step = 0; step < TRIES_MAX; step++) {
      const candidate = wished === 0 ? anyPort() : wished + step;
      if (this.#avoided.has(candidate)) continue;
      if (await this.#claim(candidate)) return candidate;
    }
    throw new Error(`No free port on 127.0.0.1 from ${wished} to ${wished + TRIES_MAX}.`);
  }

  async #claim(port: number): Promise<boolean> {
    if (this.#claimed.has(port)) return false;
    const folder = join(tmpdir(), `aiden-ports-${userInfo().uid}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, String(port));
    if ((await takeLock(file)) !== null) return false;
    this.#claimed.set(port, file);
    if ((await canListen(port)) !== null) return true;
    this.#claimed.delete(port);
    await rm(file, { force: true });
    return false;
  }

  /** Gives all ports back. */
  async release(): Promise<void> {
    const files = [...this.#claimed.values()];
    this.#claimed.clear();
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
}

/** The state of a listening socket in /proc/net/tcp. */
const LISTEN = '0A';

/** TCP ports on which a process of this user listens. Linux only (/proc); empty elsewhere. */
export async function listeningPorts(pid: number): Promise<number[]> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(folder).catch(() => [])).map((fd) =>
      readlink(`${folder}/${fd}`).catch(() => ''),
    ),
  );
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')),
  );
  const ports = tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTEN && inodes.has(fields[9] ?? ''))
    .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16));
  return [...new Set(ports)];
}
