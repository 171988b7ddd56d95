import { type Backoff, backoffMs } from '../common/backoff.ts';
import type { Clock } from '../common/clock.ts';
import { instant } from '../common/clock.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { isOutage } from '../platform/neo4j/graph.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { scrub } from '../platform/telemetry/scrub.ts';
import type { Checkpoints } from './checkpoints.service.ts';
import type { NumberedEntry } from './entry.ts';
import { findCheckpoint, insertDeadLetter } from './relay.cypher.ts';

/**
 * Derives data from the event log. `handle` gets every entry of its kinds in the order of their
 * numbers, at least once. After a crash some entries come again, so `handle` must be idempotent
 * (MERGE on the entry's id).
 */
export interface Projection {
  readonly name: string;
  /** The kinds it handles; absent = all. */
  readonly kinds?: readonly string[];
  /** Where a projection without a checkpoint starts; default: the beginning of the log. */
  readonly startsAt?: 'beginning' | 'now';
  /**
   * Delay in ms after the first entry of a batch; default 0. For records that no reader waits for:
   * they leave the machine to more urgent work, and several changes of a run share one write. After
   * each batch the projection pauses too (`restFactor`), the longer the batch took. A busy machine
   * therefore writes fewer and larger batches. A full batch is never delayed.
   */
  readonly gatherMs?: number;
  handle(entries: readonly NumberedEntry[]): Promise<void>;
}

/**
 * A projection throws it while Temporal or Redis is down. The batch is retried and no entry is set
 * aside.
 */
export class Outage extends Error {
  override readonly name = 'Outage';
}

export interface ProjectorDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for each entry that was set aside; for a metric. */
  onDeadLetter?(projection: string): void;
  readonly settings: ProjectorSettings;
}

export interface ProjectorSettings {
  readonly batchMax: number;
  readonly attemptsMax: number;
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
  /**
   * A projection with `gatherMs` pauses this many times as long as its last batch took, at most
   * `restMaxMs`.
   */
  readonly restFactor: number;
  readonly restMaxMs: number;
  /** How long checkpoints are collected before they are saved together. */
  readonly checkpointMs: number;
}

export const PROJECTOR_DEFAULTS: ProjectorSettings = {
  batchMax: 200,
  attemptsMax: 5,
  backoffMs: 100,
  backoffMaxMs: 5_000,
  restFactor: 20,
  restMaxMs: 2_000,
  checkpointMs: 500,
};

export interface Projector {
  /** Entries up to this number exist now. */
  advance(lastSeq: number): void;
  /** Waits for the current batch to end. */
  stop(): Promise<void>;
}

/**
 * Feeds one projection from its checkpoint on, until stopped. Projections do not wait for each
 * other.
 * @param read returns the entries after a number, in order, from memory or from Neo4j
 */
export function startProjector(
  deps: ProjectorDeps,
  projection: Projection,
  checkpoints: Checkpoints,
  read: (afterSeq: number, limit: number) => Promise<readonly NumberedEntry[]>,
): Projector {
  const { graph, clock, log, settings } = deps;
  const backoff: Backoff = { firstMs: settings.backoffMs, maxMs: settings.backoffMaxMs };
  const stopping = new AbortController();
  let lastSeq = 0;
  let doneSeq = 0;
  /** When the first pending entry arrived. */
  let pendingSinceMs = 0;
  let pausedUntilMs = 0;
  let wake = () => {};

  const untilWoken = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (stopping.signal.aborted) resolve();
    });

  /**
   * Retries `work` until it succeeds. Failures during an outage do not count.
   * @returns null on success, the last error after `attemptsMax` failures, or STOPPED
   */
  async function attempt(work: () => Promise<void>, attemptsMax: number): Promise<unknown> {
    let failures = 0;
    for (let tries = 0; !stopping.signal.aborted; tries++) {
      try {
        await work();
        return null;
      } catch (error) {
        const isDown = error instanceof Outage || isOutage(error);
        if (!isDown && ++failures >= attemptsMax) return error;
        if (tries === 0)
          log.warn('A projection failed and tries again', { operation: projection.name, error });
        await untilStopped(backoffMs(backoff, tries + 1), stopping.signal);
      }
    }
    return STOPPED;
  }

  async function setAside(entry: NumberedEntry, error: unknown): Promise<void> {
    log.error(
      'A projection can not handle an entry: it is now a DeadLetter, and the next ones continue',
      {
        operation: projection.name,
        code: entry.kind,
        ...(entry.runId === null ? {} : { runId: entry.runId }),
        error,
      },
    );
    await attempt(async () => {
      await graph.write((tx) =>
        insertDeadLetter(tx, {
          projection: projection.name,
          entryId: entry.id,
          attempts: settings.attemptsMax,
          error: String(scrub(String(error))).slice(0, 1_000),
          now: instant(clock),
        }),
      );
    }, Number.POSITIVE_INFINITY);
    deps.onDeadLetter?.(projection.name);
  }

  /** Handles the entries or sets them aside. False when the projector is stopping. */
  async function deliver(entries: readonly NumberedEntry[]): Promise<boolean> {
    if (entries.length === 0) return true;
    const isSingle = entries.length === 1;
    const error = await attempt(
      () => projection.handle(entries),
      isSingle ? settings.attemptsMax : 1,
    );
    if (error === null) return true;
    if (error === STOPPED) return false;
    const [first] = entries;
    if (isSingle && first !== undefined) {
      await setAside(first, error);
      return !stopping.signal.aborted;
    }
    // One entry is the cause: handle each alone, so that only that one is set aside.
    for (const entry of entries) if (!(await deliver([entry]))) return false;
    return true;
  }

  async function run(): Promise<void> {
    // Entries that arrive during the query for the checkpoint count as new.
    const now = lastSeq;
    await attempt(async () => {
      const known = await graph.read((tx) => findCheckpoint(tx, projection.name));
      doneSeq = known ?? (projection.startsAt === 'now' ? now : 0);
      if (known === null) checkpoints.note(projection.name, doneSeq);
    }, Number.POSITIVE_INFINITY);
    while (!stopping.signal.aborted) {
      const { gatherMs = 0 } = projection;
      const pauseMs = Math.max(pendingSinceMs + gatherMs, pausedUntilMs) - performance.now();
      const waiting = lastSeq - doneSeq;
      if (waiting > 0 && waiting < settings.batchMax && pauseMs > 0) {
        await untilStopped(pauseMs, stopping.signal);
        continue;
      }
      if (doneSeq >= lastSeq) {
        await untilWoken();
      } else {
        const startedMs = performance.now();
        await attempt(async () => {
          const entries = await read(doneSeq, settings.batchMax);
          const wanted = entries.filter(({ kind }) => projection.kinds?.includes(kind) ?? true);
          // Numbers of deleted entries are skipped.
          if (await deliver(wanted)) {
            doneSeq = entries.at(-1)?.seq ?? lastSeq;
            checkpoints.note(projection.name, doneSeq);
          }
          pendingSinceMs = performance.now();
        }, Number.POSITIVE_INFINITY);
        const tookMs = performance.now() - startedMs;
        if (gatherMs > 0)
          pausedUntilMs =
            pendingSinceMs + Math.min(tookMs * settings.restFactor, settings.restMaxMs);
      }
    }
  }

  let running: Promise<void> | undefined;
  return {
    advance(seq) {
      if (lastSeq <= doneSeq) pendingSinceMs = performance.now();
      lastSeq = Math.max(lastSeq, seq);
      running ??= run();
      wake();
    },
    async stop() {
      stopping.abort();
      wake();
      await running;
    },
  };
}

const STOPPED = Symbol('stopped');

function untilStopped(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
