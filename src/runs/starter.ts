import type { Chore } from '../outbox/chores.ts';
import { Outage, type Projection } from '../outbox/projection.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { isOutage } from '../platform/neo4j/outage.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { isTemporalOutage } from '../platform/temporal/outage.ts';
import type { ReadyRun } from './ready-run.ts';
import { listPendingStarts } from './starter.cypher.ts';

export interface StarterDeps {
  readonly graph: Graph;
  readonly log: Log;
  /** `startRun` of this run; starting twice is the same as once. Fails while Temporal is away. */
  start(runId: string, ready?: ReadyRun): Promise<void>;
  readonly settings?: Partial<StarterSettings>;
}

export interface StarterSettings {
  readonly atOnceMax: number;
  readonly sweepMs: number;
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** Runs known here at most; the sweep brings the others when there is room. */
  readonly queueMax: number;
  /** Of so many what is known is kept until they are started; of the others it is read. */
  readonly readyMax: number;
}

const DEFAULTS: StarterSettings = {
  atOnceMax: 20,
  sweepMs: 5_000,
  retryMs: 200,
  retryMsMax: 5_000,
  queueMax: 5_000,
  readyMax: 100,
};

const PAGE_SIZE = 500;
// After so many in a row that found Temporal or Neo4j away, one run at a time knocks until one gets in.
const OUTAGES_UNTIL_AWAY = 3;

/** The only one that starts workflows; hand `projection` and `sweep` to the relay. */
export interface RunStarter {
  /** Takes a run whose request this process has just committed, without waiting for the relay to number it. */
  offer(runId: string, ready?: ReadyRun): void;
  /** Takes `run.requested` at once and never waits for the start, so no run waits behind another. */
  readonly projection: Projection;
  /** What the projection missed or failed at: every run that is still to be started, every 5 s. */
  readonly sweep: Chore;
  /** Lets the starts in work end. */
  close(): Promise<void>;
}

/** The label PendingStart in the graph is the queue; what is in memory here only says who is tried when (F4, F5, F12). */
export function openRunStarter(deps: StarterDeps): RunStarter {
  const { graph, log, start } = deps;
  const settings = { ...DEFAULTS, ...deps.settings };
  const queue = new Set<string>();
  const inWork = new Map<string, Promise<void>>();
  /** What is known of runs in the queue, for their first attempt. */
  const ready = new Map<string, ReadyRun>();
  /** Started here lately, and when, so that what was read of a run before that starts it no second time. */
  const started = new Map<string, number>();
  /** Runs that failed to start: how often, and until when they rest. */
  const failed = new Map<string, { failures: number; untilMs: number }>();
  let outagesInARow = 0;
  let knockAtMs = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function offer(runId: string): void {
    if (!inWork.has(runId) && queue.size < settings.queueMax) queue.add(runId);
  }

  /** Starts what may be tried now, and comes back when the next one may. */
  function pump(): void {
    clearTimeout(timer);
    const nowMs = performance.now();
    const isAway = outagesInARow >= OUTAGES_UNTIL_AWAY;
    const atOnceMax = isAway ? 1 : settings.atOnceMax;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const runId of queue) {
      if (isClosed || inWork.size >= atOnceMax) return;
      // A run that never failed does not wait for those that did.
      const rest = failed.get(runId);
      const fromMs = rest === undefined ? 0 : Math.max(rest.untilMs, isAway ? knockAtMs : 0);
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
    const known = ready.get(runId);
    ready.delete(runId);
    try {
      await start(runId, known);
      // Whoever failed while nobody got in need not rest any longer.
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
      knockAtMs = nowMs + settings.retryMs;
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
        if ((started.get(runId) ?? 0) < readAtMs) offer(runId);
      }
      afterId = page.at(-1) ?? '';
      isMore = page.length === PAGE_SIZE;
    }
    // Cancelled or started elsewhere in the meantime.
    for (const runId of failed.keys()) {
      if (pending.has(runId)) continue;
      failed.delete(runId);
      queue.delete(runId);
      ready.delete(runId);
    }
    pump();
  }

  return {
    offer(runId, known) {
      offer(runId);
      if (known !== undefined && queue.has(runId) && ready.size < settings.readyMax)
        ready.set(runId, known);
      pump();
    },
    projection: {
      name: 'run-starter',
      kinds: ['run.requested'],
      // The sweep knows all that lies further back.
      startsAt: 'now',
      handle: async (entries) => {
        for (const { runId } of entries) if (runId !== null && !started.has(runId)) offer(runId);
        pump();
      },
    },
    sweep: { name: 'run-starter-sweep', everyMs: settings.sweepMs, run: sweep },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all(inWork.values());
    },
  };
}

function isAwayError(error: unknown): boolean {
  return error instanceof Outage || isTemporalOutage(error) || isOutage(error);
}
