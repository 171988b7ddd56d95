import { setTimeout as sleep } from 'node:timers/promises';
import { type Build, type Installation, PROCESSES } from './installation.ts';

/** Load on a build before the next exchange. */
const STEADY_MS = 8_000;
/** A start beside a load takes longer than one alone. */
const EXCHANGE_MS_MAX = 4 * 60_000;

/** The two versions of a roll. @param olderCheckout undefined: the older one is this code too */
export function buildsOf(olderCheckout: string | undefined): Record<'older' | 'newer', Build> {
  return {
    older: { env: { AIDEN_WORKER_BUILD: 'older' }, checkout: olderCheckout },
    newer: { env: { AIDEN_WORKER_BUILD: 'newer' } },
  };
}

/**
 * Exchanges the Workers and both API processes for those of another build, one after the other, as
 * an upgrade without a pause does: forward, back and forward again (docs/decisions/0125).
 */
export async function roll(
  installation: Installation,
  builds: ReturnType<typeof buildsOf>,
  say: (line: string) => void,
): Promise<void> {
  await sleep(STEADY_MS);
  for (const build of ['newer', 'older', 'newer'] as const) {
    for (const name of ['worker', ...PROCESSES.filter((one) => one !== 'worker')] as const) {
      const late = sleep(EXCHANGE_MS_MAX, undefined, { ref: false }).then(() => {
        throw new Error(`${name} was not exchanged within ${EXCHANGE_MS_MAX / 1_000} s.`);
      });
      await Promise.race([installation.exchange(name, builds[build]), late]);
      const at = new Date().toISOString().slice(11, 19);
      say(`${name} is of build ${build} (${at})`);
    }
    await sleep(STEADY_MS);
  }
}
