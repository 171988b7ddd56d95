import { readdir, readFile } from 'node:fs/promises';
import { listeningPorts } from '../stack/ports.ts';

/** Clock ticks a second in /proc/<pid>/stat. */
const TICKS = 100;

/** Processor time of each process, with that of its children that have ended. */
export async function cpuSeconds<Name extends string>(
  pids: Readonly<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const entries = Object.entries<number>(pids).map(async ([name, pid]) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [name, ticks / TICKS] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, number>;
}

/** The process that listens on this port. @throws Error when there is none of this user */
export async function pidOn(port: number): Promise<number> {
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (pid > 0 && (await listeningPorts(pid)).includes(port)) return pid;
  }
  throw new Error(`No process listens on port ${port}.`);
}
