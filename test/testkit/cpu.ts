import process from 'node:process';

/**
 * Processor milliseconds that `work` took, not those on the clock: they tell linear from
 * exponential also on a machine that is busy with something else. For synchronous work only.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
