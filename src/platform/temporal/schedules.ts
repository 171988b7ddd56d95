import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Instant } from '../../common/clock.ts';
import type { JsonObject } from '../../common/json.ts';
import type { TemporalClient } from './client.ts';
import { type PayloadCrypt, PayloadFault } from './payload-codec.ts';

/** A Temporal Schedule that starts one workflow with one JSON argument. */
export interface ScheduleSpec {
  readonly id: string;
  /** Cron in Temporal's syntax: five fields, `@hourly`, `@every 30s`. */
  readonly cron: string;
  /** IANA name of the time zone. */
  readonly timezone: string;
  readonly workflow: string;
  /**
   * The workflow's argument. It must change with the cron or time zone: changes are detected by it.
   */
  readonly argument: JsonObject;
  readonly taskQueue: string;
  readonly paused: boolean;
  /** How far back missed runs are caught up after Temporal was down, in seconds. */
  readonly catchUpSeconds: number;
}

export interface ScheduleLook {
  readonly paused: boolean;
  /** The next times, soonest first; Temporal gives ten. */
  readonly nextRuns: readonly Instant[];
}

/**
 * Access to Temporal's Schedules. A run that is due while the previous one is active is skipped.
 */
export interface Schedules {
  /** How arguments are stored now: `key 2`, or `plain`. */
  readonly mark: string;
  /** Creates or updates the Schedule. Does nothing when it equals `spec`. Two callers may race. */
  ensure(spec: ScheduleSpec): Promise<void>;
  /** Deletes the Schedule; it need not exist. */
  remove(id: string): Promise<void>;
  /** @throws Error when the Schedule does not exist */
  setPaused(id: string, paused: boolean): Promise<void>;
  /**
   * Starts a run now, even when paused; after the active one if there is one.
   * @throws Error when the Schedule does not exist
   */
  trigger(id: string): Promise<void>;
  /** Null when the Schedule does not exist. */
  look(id: string): Promise<ScheduleLook | null>;
  /** Ids with this prefix. Schedules created in the last seconds may be missing. */
  list(prefix: string): Promise<string[]>;
}

const NOTE = 'Set by Aiden.';

export function createSchedules({
  client,
  codec,
  bounded,
}: Pick<TemporalClient, 'client' | 'codec' | 'bounded'>): Schedules {
  const handle = (id: string) => client.schedule.getHandle(id);
  return {
    mark: codec?.mark ?? 'plain',
    ensure: (spec) => bounded(() => ensure({ client, codec }, spec)),
    remove: (id) =>
      bounded(async () => {
        await handle(id).delete().catch(unlessGone);
      }),
    setPaused: (id, paused) =>
      bounded(() => (paused ? handle(id).pause(NOTE) : handle(id).unpause(NOTE))),
    trigger: (id) => bounded(() => handle(id).trigger(ScheduleOverlapPolicy.BUFFER_ONE)),
    look: (id) =>
      bounded(async () => {
        const found = await handle(id).describe().catch(unlessGone);
        if (found === null) return null;
        const nextRuns = found.info.nextActionTimes.map((time) => time.toISOString());
        return { paused: found.state.paused, nextRuns };
      }),
    list: (prefix) =>
      bounded(async () => {
        const ids: string[] = [];
        for await (const { scheduleId } of client.schedule.list())
          if (scheduleId.startsWith(prefix)) ids.push(scheduleId);
        return ids;
      }),
  };
}

async function ensure(
  { client, codec }: { readonly client: Client; readonly codec: PayloadCrypt | undefined },
  spec: ScheduleSpec,
): Promise<void> {
  const options = optionsOf(spec);
  try {
    await client.schedule.create({ scheduleId: spec.id, ...options });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const handle = client.schedule.getHandle(spec.id);
    const known = await handle.describe().catch(unlessUnreadable);
    if (known === null) {
      // An update reads the old argument first, so it would fail too.
      await handle.delete();
      await client.schedule.create({ scheduleId: spec.id, ...options });
    } else if (!isAs(known, spec) || !isUnderCurrentKey(known, codec)) {
      await handle.update(() => options);
    }
  }
}

/** Null where the key ring lacks the key of the stored argument. */
function unlessUnreadable(error: unknown): null {
  if (error instanceof PayloadFault) return null;
  throw error;
}

/** Otherwise each run would need an old key, for as long as the Schedule exists. */
function isUnderCurrentKey({ raw }: ScheduleDescription, codec: PayloadCrypt | undefined): boolean {
  const payloads = raw.schedule?.action?.startWorkflow?.input?.payloads ?? [];
  return codec === undefined || payloads.every((payload) => codec.isCurrent(payload));
}

const optionsOf = (spec: ScheduleSpec) => ({
  spec: { cronExpressions: [spec.cron], timezone: spec.timezone },
  action: {
    type: 'startWorkflow' as const,
    workflowType: spec.workflow,
    workflowId: spec.id,
    args: [spec.argument],
    taskQueue: spec.taskQueue,
  },
  policies: {
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: spec.catchUpSeconds * 1_000,
    pauseOnFailure: false,
  },
  state: { paused: spec.paused, note: NOTE },
});

function isAs(known: ScheduleDescription, spec: ScheduleSpec): boolean {
  const { action } = known;
  return (
    known.state.paused === spec.paused &&
    known.policies.catchupWindow === spec.catchUpSeconds * 1_000 &&
    action.type === 'startWorkflow' &&
    action.taskQueue === spec.taskQueue &&
    JSON.stringify(action.args) === JSON.stringify([spec.argument])
  );
}

function unlessGone(error: unknown): null {
  if (error instanceof ScheduleNotFoundError) return null;
  throw error;
}
