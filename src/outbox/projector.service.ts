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
 * What is made of the event log. `handle` gets every entry of its kinds in the order of their numbers, at least once:
 * after a crash some come again, so it has to be idempotent (MERGE on the entry's id).
 */
export interface Projection {
  readonly name: string;
  /** Only these kinds; absent = all. */
  readonly kinds?: readonly string[];
  /** Where a projection without a checkpoint begins; absent = at the log's beginning. */
  readonly startsAt?: 'beginning' | 'now';
  /**
   * So long after the first entry of a batch, in ms; absent = none. For records that nobody waits for: they stay out of the way of
   * what somebody does wait for, and what a run does in the meantime shares the write. The longer a batch took, the longer such a
   * projection rests after it (`restFactor`), so that on a busy machine records are written in fewer and larger batches. A backlog is
   * worked off without a rest.
   */
  readonly gatherMs?: number;
  handle(entries: readonly NumberedEntry[]): Promise<void>;
}

/** Thrown by a projection whose other side (Temporal, Redis) is away: it is tried again, and no entry is to blame. */
export class Outage extends Error {
  override readonly name = 'Outage';
}

export interface ProjectorDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for each entry that was set aside; a metric. */
  onDeadLetter?(projection: string): void;
  readonly settings: ProjectorSettings;
}

export interface ProjectorSettings {
  readonly batchMax: number;
  readonly attemptsMax: number;
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
  /** A projection that gathers rests so many times as long as its last batch took, `restMaxMs` at most. */
  readonly restFactor: number;
  readonly restMaxMs: number;
  /** From what is done first until the checkpoints are saved. */
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
  /** There are entries up to this number. */
  advance(lastSeq: number): void;
  /** Lets the batch in work end. */
  stop(): Promise<void>;
}

/**
 * Feeds one projection from its checkpoint on, for as long as the lease is held; projections do not wait for one another.
 * @param read the entries after a number, in order, from memory or Neo4j
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
  /** When the first of what waits came. */
  let waitsSinceMs = 0;
  let restsUntilMs = 0;
  let wake = () => {};

  const untilWoken = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (stopping.signal.aborted) resolve();
    });

  /** Works until it succeeds, or until `attemptsMax` failures that no outage explains; the last error, then. */
  async function attempt(work: () => Promise<void>, attemptsMax: number): Promise<unknown> {
    let failures = 0;
    for (let tries = 0; !stopping.signal.aborted; tries++) {
      try {
        await work();
        return null;
      } catch (error) {
        const isBlameless = error instanceof Outage || isOutage(error);
        if (!isBlameless && ++failures >= attemptsMax) return error;
        if (tries === 0)
          log.warn('A projection failed and tries again', { operation: projection.name, error });
        await untilStopped(backoffMs(backoff, tries + 1), stopping.signal);
      }
    }
    return STOPPED;
  }

  async function setAside(entry: NumberedEntry, error: unknown): Promise<void> {
    log.error(
      'A projection can not take an entry; it is set aside as a DeadLetter and the next ones go on',
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

  /** Whether all of them are done with; false when it was told to stop. */
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
    // One of them is the cause; each on its own, so that the others get through.
    for (const entry of entries) if (!(await deliver([entry]))) return false;
    return true;
  }

  async function run(): Promise<void> {
    // What comes while the checkpoint is looked up is not yet past.
    const now = lastSeq;
    await attempt(async () => {
      const known = await graph.read((tx) => findCheckpoint(tx, projection.name));
      doneSeq = known ?? (projection.startsAt === 'now' ? now : 0);
      if (known === null) checkpoints.note(projection.name, doneSeq);
    }, Number.POSITIVE_INFINITY);
    while (!stopping.signal.aborted) {
      const { gatherMs = 0 } = projection;
      const restMs = Math.max(waitsSinceMs + gatherMs, restsUntilMs) - performance.now();
      const waiting = lastSeq - doneSeq;
      if (waiting > 0 && waiting < settings.batchMax && restMs > 0) {
        await untilStopped(restMs, stopping.signal);
        continue;
      }
      if (doneSeq >= lastSeq) {
        await untilWoken();
      } else {
        const startedMs = performance.now();
        await attempt(async () => {
          const entries = await read(doneSeq, settings.batchMax);
          const wanted = entries.filter(({ kind }) => projection.kinds?.includes(kind) ?? true);
          // Numbers that were given but are no longer there (an entry that was deleted) are passed over.
          if (await deliver(wanted)) {
            doneSeq = entries.at(-1)?.seq ?? lastSeq;
            checkpoints.note(projection.name, doneSeq);
          }
          waitsSinceMs = performance.now();
        }, Number.POSITIVE_INFINITY);
        const tookMs = performance.now() - startedMs;
        if (gatherMs > 0)
          restsUntilMs = waitsSinceMs + Math.min(tookMs * settings.restFactor, settings.restMaxMs);
      }
    }
  }

  let running: Promise<void> | undefined;
  return {
    advance(seq) {
      if (lastSeq <= doneSeq) waitsSinceMs = performance.now();
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
