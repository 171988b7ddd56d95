import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { listeningPorts } from '../src/host/ports.ts';

/** Clock ticks a second in /proc/<pid>/stat. */
const TICKS = 100;

/** The parent, and the processor time with that of children that have ended. */
async function statOf(pid: number): Promise<{ parent: number; seconds: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in brackets, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), seconds: ticks / TICKS };
}

/** Processor time of each process, with that of its children that have ended. */
export async function cpuSeconds<Name extends string>(
  pids: Readonly<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const entries = Object.entries<number>(pids).map(
    async ([name, pid]) => [name, (await statOf(pid)).seconds] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, number>;
}

/** Processor time of each process and of all that it started, whether they have ended or not. */
export async function treeSeconds(
  pids: Readonly<Record<string, number>>,
): Promise<Record<string, number>> {
  const stats = new Map<number, { parent: number; seconds: number }>();
  for (const pid of (await readdir('/proc')).map(Number).filter((id) => id > 0)) {
    const stat = await statOf(pid).catch(() => null);
    if (stat !== null) stats.set(pid, stat);
  }
  const ofTree = (pid: number): number =>
    [...stats].reduce(
      (sum, [id, { parent }]) => (parent === pid ? sum + ofTree(id) : sum),
      stats.get(pid)?.seconds ?? 0,
    );
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, ofTree(pid)]));
}

const QUIET_MS = 5_000;
const QUIET_CPU_SECONDS = 1;

/**
 * Waits until the processes together take less than a fifth of a core for 5 s: their background
 * work has ended. @throws Error after `minutesMax`
 */
export async function untilQuiet(
  pids: Readonly<Record<string, number>>,
  minutesMax: number,
): Promise<void> {
  const untilMs = performance.now() + minutesMax * 60_000;
  const total = async () =>
    Object.values(await cpuSeconds(pids)).reduce((sum, seconds) => sum + seconds, 0);
  for (let before = await total(); performance.now() < untilMs; ) {
    await setTimeout(QUIET_MS);
    const now = await total();
    if (now - before < QUIET_CPU_SECONDS) return;
    before = now;
  }
  throw new Error(`The processes still work after ${minutesMax} minutes.`);
}

/** The process that listens on this port. @throws Error when there is none of this user */
export async function pidOn(port: number): Promise<number> {
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (pid > 0 && (await listeningPorts(pid)).includes(port)) return pid;
  }
  throw new Error(`No process listens on port ${port}.`);
}
