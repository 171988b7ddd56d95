import { Refusal } from '../common/refusal.ts';
import { firstChars } from '../common/well-formed.ts';
import { claimKey } from '../idempotency/idempotency.mutations.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import type { RunDeps } from '../runs/run/ports.ts';
import { findUsers } from '../users/user.cypher.ts';
import type { Viewer } from '../users/user.ts';
import { findOpenRunOf, findScheduleById, saveSchedule } from './schedule.cypher.ts';
import { startScheduledIn } from './schedule.mutations.ts';
import type { Fired } from './schedule.ts';

/**
 * Fires a schedule: starts one run as the schedule's owner, once per `key`. A Refusal of the start
 * becomes the schedule's `lastError`; the next time that is due tries again.
 */
export async function fire(
  deps: RunDeps,
  { scheduleId, key }: { readonly scheduleId: string; readonly key: string },
): Promise<Fired> {
  try {
    const fired = await deps.graph.write(async (tx): Promise<Fired> => {
      await lockResources(tx, [scheduleId]);
      const schedule = await findScheduleById(tx, scheduleId);
      if (schedule === null) return 'gone';
      const [user] = await findUsers(tx, [schedule.ownerId]);
      if (user === undefined) return 'gone';
      if (schedule.paused) return 'paused';
      const { id: userId, name, roles, workspace } = user;
      const owner: Viewer = { userId, name, roles, workspace };
      const runId = deps.newId();
      const input = { scheduleId, idempotencyKey: key };
      const request = { operation: 'fireSchedule', input, resultId: runId };
      // Checked before the open run: a repeated attempt finds the open run that it started itself.
      if ((await claimKey(deps, tx, owner, request)) !== null) return 'started';
      if ((await findOpenRunOf(tx, scheduleId)) !== null) return 'skipped';
      await startScheduledIn(deps, tx, owner, schedule, runId);
      return 'started';
    });
    if (fired === 'started') deps.wake();
    return fired;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await deps.graph.write((tx) =>
      saveSchedule(tx, null, scheduleId, { lastError: firstChars(error.message, 1_000) }),
    );
    return 'refused';
  }
}
