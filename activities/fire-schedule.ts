import { ApplicationFailure } from '@temporalio/common';
import { isOutage } from '../src/platform/neo4j/graph.ts';
import type { Log } from '../src/platform/telemetry/log.ts';
import type { Schedules } from '../src/platform/temporal/schedules.ts';
import type { RunDeps } from '../src/runs/run/run.mutations.ts';
import { fire } from '../src/schedules/fire-schedule.service.ts';
import { type ScheduleActivities, temporalScheduleId } from '../src/schedules/schedule.ts';
import { toFailure } from './failure.ts';

export interface FireDeps extends RunDeps {
  readonly log: Log;
  readonly schedules: Schedules;
}

/** Starts the run of one time that was due. A Schedule whose record is gone is removed here at the latest. */
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
