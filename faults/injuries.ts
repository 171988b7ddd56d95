import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation, ProcessName, ServerName } from './installation.ts';
import type { Random } from './random.ts';

/** One fault, from its beginning until the part works again or the fault is taken away. */
export interface Injury {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

const STOPPED_MS = 20_000;
const CUT_MS_MAX = 8_000;
const FULL_MS = 15_000;
const CLOCK_JUMP_SECONDS = 3_600;

type Inflict = (installation: Installation, random: Random) => Promise<string>;

function signal(pid: number | undefined, name: NodeJS.Signals): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function pause(pid: number | undefined): Promise<void> {
  if (!signal(pid, 'SIGSTOP')) return;
  await sleep(STOPPED_MS);
  signal(pid, 'SIGCONT');
}

const killServer =
  (server: ServerName): Inflict =>
  async (installation) => {
    signal(await installation.serverPid(server), 'SIGKILL');
    return `SIGKILL ${server}`;
  };

const killProcess =
  (name: ProcessName): Inflict =>
  async (installation) => {
    signal(installation.pidOf(name), 'SIGKILL');
    return `SIGKILL ${name}`;
  };

const cut =
  (server: ServerName): Inflict =>
  async (installation, random) => {
    const ms = random.between(200, CUT_MS_MAX);
    installation.proxy(server).cut();
    await sleep(ms);
    installation.proxy(server).mend();
    return `connections to ${server} cut for ${ms} ms`;
  };

const fullDisk =
  (of: 'blobs' | 'servers', name: string): Inflict =>
  async ({ disks }) => {
    const disk = disks[of];
    if (disk === null) return 'no tmpfs here: no fault';
    await disk.fill();
    await sleep(FULL_MS);
    await disk.free();
    return `disk of ${name} full for ${FULL_MS / 1_000} s`;
  };

/** All faults. A seed shuffles them, so that each comes once before one comes again. */
export const INJURIES: readonly Inflict[] = [
  killServer('neo4j'),
  killServer('temporal'),
  killProcess('worker'),
  killProcess('api-1'),
  async (installation) => {
    const holder = await installation.relayHolder();
    signal(installation.pidOf(holder), 'SIGKILL');
    return `SIGKILL the relay's holder (${holder})`;
  },
  async (installation) => {
    if (installation.redis === null) return 'no Redis on this machine: no fault';
    await installation.redis.kill();
    await sleep(3_000);
    await installation.redis.start();
    return 'SIGKILL redis, empty again after 3 s';
  },
  async (installation, random) => {
    const server = random.pick(['neo4j', 'temporal'] as const);
    await pause(await installation.serverPid(server));
    return `SIGSTOP ${server} for ${STOPPED_MS / 1_000} s`;
  },
  async (installation, random) => {
    const name = random.pick(['api-1', 'api-2', 'worker'] as const);
    await pause(installation.pidOf(name));
    return `SIGSTOP ${name} for ${STOPPED_MS / 1_000} s`;
  },
  cut('neo4j'),
  cut('temporal'),
  fullDisk('blobs', 'the blobs'),
  fullDisk('servers', 'Neo4j and Temporal'),
  async (installation, random) => {
    const name = random.pick(['api-1', 'api-2', 'worker'] as const);
    const seconds = random.pick([CLOCK_JUMP_SECONDS, -CLOCK_JUMP_SECONDS]);
    await installation.restartWithClock(name, seconds);
    await sleep(10_000);
    await installation.restartWithClock(name, 0);
    return `${name} with its clock ${seconds} s off, and back`;
  },
];

/** Inflicts `count` faults, one after the other, with pauses of 2 to 8 s. */
export async function injure(
  installation: Installation,
  random: Random,
  count: number,
  say: (line: string) => void,
): Promise<Injury[]> {
  const injuries: Injury[] = [];
  let left: Inflict[] = [];
  for (let index = 0; index < count; index++) {
    await sleep(random.between(2_000, 8_000));
    if (left.length === 0) left = [...INJURIES].sort(() => random.next() - 0.5);
    const inflict = left.pop();
    if (inflict === undefined) break;
    const fromMs = Date.now();
    const name = await inflict(installation, random);
    injuries.push({ name, fromMs, toMs: Date.now() });
    say(`fault ${index + 1} of ${count}: ${name}`);
  }
  return injuries;
}
