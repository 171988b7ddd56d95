import { ApplicationFailure } from '@temporalio/common';
import { isOutage } from '../src/platform/neo4j/graph.ts';
import type { Log } from '../src/platform/telemetry/log.ts';
import type { Schedules } from '../src/platform/temporal/schedules.ts';
import type { RunDeps } from '../src/runs/run/ports.ts';
import { fire } from '../src/schedules/fire-schedule.service.ts';
import { type ScheduleActivities, temporalScheduleId } from '../src/schedules/schedule.ts';
import { toFailure } from './failure.ts';

export interface FireDeps extends RunDeps {
  readonly log: Log;
  readonly schedules: Schedules;
}

/** Requests the run of one firing. Removes the Temporal Schedule where its record is gone. */
export function createFireSchedule(deps: FireDeps): ScheduleActivities {
  const onDefect = (error: unknown, where: string) =>
    deps.log.error('A schedule could not start its run', { error, operation: where });
  return {
    async fireSchedule({ scheduleId, key }) {
      try {
        const fired = await fire(deps, { scheduleId, key });
        if (fired === 'gone')
          await deps.schedules.remove(temporalScheduleId(deps.queuePrefix, scheduleId));
        return fired;
      } catch (error) {
        if (isOutage(error)) {
          const message = 'Neo4j is away.';
          throw ApplicationFailure.create({ type: 'INFRASTRUCTURE', message });
        }
        throw toFailure({ onDefect }, error, 'fireSchedule');
      }
    },
  };
}
