import { listUnderOtherKeys } from './schedule.cypher.ts';
import { type SyncDeps, syncSchedule } from './schedule.projection.ts';

/**
 * Encrypts the arguments of all Schedules of users with the current key, after the key ring or the
 * setting has changed. Otherwise each run of a Schedule would need the key of its creation.
 * @returns how many Schedules
 */
export async function resealSchedules(deps: SyncDeps): Promise<number> {
  const { mark } = deps.schedules;
  for (let done = 0; ; ) {
    const ids = await deps.graph.read((tx) => listUnderOtherKeys(tx, { mark, limit: BATCH }));
    for (const id of ids) await syncSchedule(deps, id);
    done += ids.length;
    if (ids.length < BATCH) return done;
  }
}

const BATCH = 100;
