import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Processor time since the start of a process, and its resident memory. */
export interface ProcessUsage {
  readonly workedMs: number;
  readonly residentMb: number;
}

/** Linux reports processor time in ticks of this length. */
const TICK_MS = 10;

/** The usage of another process. @throws Error when it has ended */
export async function processUsage(pid: number): Promise<ProcessUsage> {
  return process.platform === 'linux' ? linuxUsage(pid) : posixUsage(pid);
}

async function linuxUsage(pid: number): Promise<ProcessUsage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  // The name in parentheses may hold spaces, so fields are counted behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const residentKb = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { workedMs: ticks * TICK_MS, residentMb: residentKb / 1024 };
}

async function posixUsage(pid: number): Promise<ProcessUsage> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const [residentKb, time = ''] = stdout.trim().split(/\s+/);
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return { workedMs: seconds * 1_000, residentMb: Number(residentKb) / 1024 };
}
