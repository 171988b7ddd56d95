import { type Clock, instant } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';
import { WORKER_HEARTBEAT_SECONDS } from '../common/limits.ts';
import type { OperationType } from '../operations/operation.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import type { PeriodicTask } from '../outbox/periodic-task.service.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { EndedWorker } from '../platform/telemetry/health.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { queueOf } from '../runs/run/run.ts';
import { createSlots, type WorkerSlots } from './slots.ts';
import {
  beatWorkers,
  reapWorkers,
  registerWorkers,
  retireWorkers,
  workerEntries,
} from './worker.cypher.ts';

export interface PoolsDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  wake(): void;
}

export interface PoolsSettings {
  /** Number of Workers per type in this process. Default 0 (S4-WRK-04). */
  readonly sizes: Readonly<Partial<Record<OperationType, number>>>;
  readonly queuePrefix: string;
  /** The build of these Workers; absent: none is named. */
  readonly build?: string | undefined;
  readonly heartbeatMs?: number;
}

export interface WorkerPools {
  readonly slots: WorkerSlots;
  /** From now on the heartbeat tells which Temporal workers of this process ended. */
  tellEnded(ended: () => readonly EndedWorker[]): void;
  /** Marks this process's Workers as offline. */
  close(): Promise<void>;
}

/** Registers this process's Workers and sends their heartbeat: one statement for all, every 5 s. */
export async function openWorkerPools(
  deps: PoolsDeps,
  { sizes, queuePrefix, build, heartbeatMs = WORKER_HEARTBEAT_SECONDS * 1_000 }: PoolsSettings,
): Promise<WorkerPools> {
  const { graph, clock, newId, log, wake } = deps;
  const instance = newId();
  const slots = createSlots();
  const types = (Object.entries(sizes) as [OperationType, number][]).filter(([, size]) => size > 0);
  let lastBeatAt = instant(clock);
  let endedNow: () => readonly EndedWorker[] = () => [];

  async function register(type: OperationType, count: number): Promise<string[]> {
    const ids = await graph.write(async (tx) => {
      const newIds = Array.from({ length: count }, () => newId());
      const taskQueue = queueOf(queuePrefix, type);
      const registered = await registerWorkers(tx, {
        type,
        taskQueue,
        instance,
        build,
        newIds,
        now: instant(clock),
      });
      await appendEntries(tx, workerEntries(deps, registered));
      return registered;
    });
    wake();
    return ids;
  }

  async function beat(): Promise<void> {
    const now = instant(clock);
    const beats = slots.list();
    const beat = { instance, beats, lastBeatAt, now, ended: endedNow() };
    const ownIds = await graph.write((tx) => beatWorkers(tx, beat));
    lastBeatAt = now;
    // After a long silence another process has taken Workers over, or they were deleted.
    for (const [type] of types) {
      const ofType = beats.filter((slot) => slot.type === type);
      const lost = ofType.filter(({ workerId }) => !ownIds.has(workerId)).length;
      if (lost === 0) continue;
      log.warn('Workers were lost to another process; new ones replace them', {
        operation: type,
        count: lost,
      });
      const kept = ofType.map(({ workerId }) => workerId).filter((id) => ownIds.has(id));
      slots.place(type, [...kept, ...(await register(type, lost))]);
    }
  }

  for (const [type, size] of types) slots.place(type, await register(type, size));
  let beating: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    beating = beating
      .then(beat)
      .catch((error: unknown) => log.warn('A heartbeat failed', { error }));
  }, heartbeatMs);

  return {
    slots,
    tellEnded(ended) {
      endedNow = ended;
    },
    async close() {
      clearInterval(timer);
      await beating;
      const ids = slots.list().map(({ workerId }) => workerId);
      await graph.write(async (tx) => {
        await retireWorkers(tx, { ids, instance, now: instant(clock) });
        await appendEntries(tx, workerEntries(deps, ids));
      });
      wake();
    },
  };
}

/**
 * Marks silent Workers as offline. It is a periodic task of the process that holds the relay, not a
 * job, because it has to act within seconds and without Temporal.
 */
export function workerReaper(deps: Omit<PoolsDeps, 'log'>): PeriodicTask {
  const { graph, clock, wake } = deps;
  return {
    name: 'worker-reaper',
    everyMs: WORKER_HEARTBEAT_SECONDS * 1_000,
    run: async () => {
      const now = instant(clock);
      const offlineIds = await graph.write(async (tx) => {
        const ids = await reapWorkers(tx, now);
        await appendEntries(tx, workerEntries(deps, ids));
        return ids;
      });
      if (offlineIds.length > 0) wake();
    },
  };
}
