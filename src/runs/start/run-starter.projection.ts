import type { PeriodicTask } from '../../outbox/periodic-task.service.ts';
import { Outage, type Projection } from '../../outbox/projector.service.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { isOutage } from '../../platform/neo4j/graph.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { isTemporalOutage } from '../../platform/temporal/client.ts';
import { listPendingStarts } from './start.cypher.ts';

export interface StarterDeps {
  readonly graph: Graph;
  readonly log: Log;
  /** `startRun`; starting twice is the same as once. Fails while Temporal is unreachable. */
  start(runId: string): Promise<void>;
  readonly settings?: Partial<StarterSettings>;
}

export interface StarterSettings {
  readonly atOnceMax: number;
  readonly sweepMs: number;
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** Maximum length of the queue in memory; the sweep finds the other runs when there is room. */
  readonly queueMax: number;
}

const DEFAULTS: StarterSettings = {
  atOnceMax: 20,
  sweepMs: 5_000,
  retryMs: 200,
  retryMsMax: 5_000,
  queueMax: 5_000,
};

const PAGE_SIZE = 500;
// After this number of outages of Temporal or Neo4j in a row, one run at a time is tried until one
// starts.
const OUTAGES_UNTIL_AWAY = 3;

/** Starts all workflows of root runs; hand `projection` and `sweep` to the relay. */
export interface RunStarter {
  /** A hint that this process has committed a run: it starts without waiting for the relay. */
  offer(runId: string): void;
  /** Queues `run.requested` and never waits for the start, so no run waits behind another. */
  readonly projection: Projection;
  /** Queues every run that is still to be started, every 5 s: those the projection missed. */
  readonly sweep: PeriodicTask;
  /** Waits for the starts at work. */
  close(): Promise<void>;
}

/**
 * The durable queue is the label PendingStart in the graph. The memory here only decides which run
 * is tried when.
 */
export function openRunStarter(deps: StarterDeps): RunStarter {
  const { graph, log, start } = deps;
  const settings = { ...DEFAULTS, ...deps.settings };
  const queue = new Set<string>();
  const inWork = new Map<string, Promise<void>>();
  /**
   * Start times of recent runs. A sweep that read a run before its start must not start it again.
   */
  const started = new Map<string, number>();
  /** Runs that failed to start: the number of failures and the time of the next attempt. */
  const failed = new Map<string, { failures: number; untilMs: number }>();
  let outagesInARow = 0;
  let nextTryMs = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function enqueue(runId: string): void {
    if (!inWork.has(runId) && queue.size < settings.queueMax) queue.add(runId);
  }

  /** Starts the runs that are due and sets a timer for the next one. */
  function pump(): void {
    clearTimeout(timer);
    const nowMs = performance.now();
    const isAway = outagesInARow >= OUTAGES_UNTIL_AWAY;
    const atOnceMax = isAway ? 1 : settings.atOnceMax;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const runId of queue) {
      if (isClosed || inWork.size >= atOnceMax) return;
      // A run that never failed does not wait for runs that did.
      const rest = failed.get(runId);
      const fromMs = rest === undefined ? 0 : Math.max(rest.untilMs, isAway ? nextTryMs : 0);
      if (fromMs > nowMs) {
        nextMs = Math.min(nextMs, fromMs);
        continue;
      }
      queue.delete(runId);
      inWork.set(runId, attempt(runId));
    }
    if (Number.isFinite(nextMs)) timer = setTimeout(pump, nextMs - nowMs);
  }

  async function attempt(runId: string): Promise<void> {
    try {
      await start(runId);
      // The outage is over: runs that failed during it are tried at once.
      if (outagesInARow >= OUTAGES_UNTIL_AWAY) failed.clear();
      failed.delete(runId);
      started.set(runId, performance.now());
      const [oldest] = started.keys();
      if (started.size > settings.queueMax && oldest !== undefined) started.delete(oldest);
      outagesInARow = 0;
    } catch (error) {
      const failures = (failed.get(runId)?.failures ?? 0) + 1;
      const restMs = settings.retryMs * 2 ** Math.min(failures - 1, 16);
      const nowMs = performance.now();
      outagesInARow = isAwayError(error) ? outagesInARow + 1 : 0;
      nextTryMs = nowMs + settings.retryMs;
      failed.set(runId, { failures, untilMs: nowMs + Math.min(restMs, settings.retryMsMax) });
      if (failures === 1) log.warn('A run was not started; it is tried again', { runId, error });
      queue.add(runId);
    }
    inWork.delete(runId);
    pump();
  }

  async function sweep(): Promise<void> {
    const pending = new Set<string>();
    for (let afterId = '', isMore = true; isMore && !isClosed; ) {
      const from = { afterId, limit: PAGE_SIZE };
      const readAtMs = performance.now();
      const page: string[] = await graph.read((tx) => listPendingStarts(tx, from));
      for (const runId of page) {
        pending.add(runId);
        if ((started.get(runId) ?? 0) < readAtMs) enqueue(runId);
      }
      afterId = page.at(-1) ?? '';
      isMore = page.length === PAGE_SIZE;
    }
    // Runs that were cancelled or started elsewhere meanwhile.
    for (const runId of failed.keys()) {
      if (pending.has(runId)) continue;
      failed.delete(runId);
      queue.delete(runId);
    }
    pump();
  }

  return {
    offer(runId) {
      enqueue(runId);
      pump();
    },
    projection: {
      name: 'run-starter',
      kinds: ['run.requested'],
      // The sweep finds older runs.
      startsAt: 'now',
      isUrgent: true,
      handle: async (entries) => {
        for (const { runId } of entries) if (runId !== null && !started.has(runId)) enqueue(runId);
        pump();
      },
    },
    sweep: { name: 'run-starter-sweep', everyMs: settings.sweepMs, isUrgent: true, run: sweep },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all(inWork.values());
    },
  };
}

const isAwayError = (error: unknown): boolean =>
  error instanceof Outage || isTemporalOutage(error) || isOutage(error);
