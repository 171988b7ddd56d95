import { parsePayload } from '../outbox/entry-payload.ts';
import { Outage, type Projection } from '../outbox/projector.service.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { isTemporalOutage } from '../platform/temporal/client.ts';
import type { Schedules } from '../platform/temporal/schedules.ts';
import { processesQueue } from '../runs/run/run.ts';
import { cronForTemporal } from './cron.ts';
import { findScheduleById, saveSchedule } from './schedule.cypher.ts';
import {
  type FireCall,
  type ProcessSchedule,
  SCHEDULE_CATCH_UP_SECONDS,
  SCHEDULE_CHANGED,
  ScheduleChanged,
  temporalScheduleId,
} from './schedule.ts';

export interface SyncDeps {
  readonly graph: Graph;
  readonly schedules: Schedules;
  readonly queuePrefix: string;
}

/**
 * Brings Temporal's Schedule in line with the record in Neo4j. It repeats while the record changes,
 * so concurrent calls end with the newest record.
 */
export async function syncSchedule(deps: SyncDeps, id: string): Promise<void> {
  const read = () => deps.graph.read((tx) => findScheduleById(tx, id));
  for (let record = await read(); ; ) {
    await apply(deps, id, record);
    const now = await read();
    if (isSameSpec(now, record)) return;
    record = now;
  }
}

// Temporal's clients send no conflict token, so a late writer replaces a newer spec
// (temporalio/sdk-typescript#1967). Only reading the record again finds that.
const isSameSpec = (now: ProcessSchedule | null, before: ProcessSchedule | null): boolean =>
  now?.paused === before?.paused && now?.revision === before?.revision;

async function apply(
  { graph, schedules, queuePrefix }: SyncDeps,
  id: string,
  record: ProcessSchedule | null,
): Promise<void> {
  const temporalId = temporalScheduleId(queuePrefix, id);
  if (record === null) return schedules.remove(temporalId);
  const { timezone, paused } = record;
  const cron = cronForTemporal(record.cron);
  const argument: FireCall = { scheduleId: id, cron, timezone };
  await schedules.ensure({
    id: temporalId,
    cron,
    timezone,
    workflow: 'fireSchedule',
    argument,
    taskQueue: processesQueue(queuePrefix),
    paused,
    catchUpSeconds: SCHEDULE_CATCH_UP_SECONDS,
  });
  await graph.write((tx) => saveSchedule(tx, null, id, { payloadMark: schedules.mark }));
}

/** Syncs each changed schedule to Temporal. It retries after a crash or an outage of Temporal. */
export function scheduleProjection(deps: SyncDeps): Projection {
  return {
    name: 'process-schedules',
    kinds: [SCHEDULE_CHANGED],
    handle: async (entries) => {
      const ids = new Set(
        entries.map((entry) => parsePayload(ScheduleChanged, SCHEDULE_CHANGED, entry).id),
      );
      for (const id of ids) {
        try {
          await syncSchedule(deps, id);
        } catch (error) {
          throw isTemporalOutage(error) ? new Outage('Temporal is away.', { cause: error }) : error;
        }
      }
    },
  };
}
