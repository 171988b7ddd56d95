import { once } from 'node:events';
import { type Backoff, backoffMs } from '../common/backoff.ts';
import type { Clock } from '../common/clock.ts';
import { instant } from '../common/clock.ts';
import { DamagedRow } from '../common/stored.ts';
import { firstChars } from '../common/well-formed.ts';
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
  /** Whether it works during the start too; default: after it. */
  readonly isUrgent?: true;
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
  /** Resolves when the start is over; default: it is. */
  readonly startOver?: Promise<void>;
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

type ReadEntries = (afterSeq: number, limit: number) => Promise<readonly NumberedEntry[]>;

/**
 * Feeds one projection from its checkpoint on, until stopped. Projections do not wait for each
 * other.
 * @param read returns the entries after a number, in order, from memory or from Neo4j
 */
export function startProjector(
  deps: ProjectorDeps,
  projection: Projection,
  checkpoints: Checkpoints,
  read: ReadEntries,
): Projector {
  return new RunningProjector(deps, projection, checkpoints, read);
}

class RunningProjector implements Projector {
  readonly #deps: ProjectorDeps;
  readonly #projection: Projection;
  readonly #checkpoints: Checkpoints;
  readonly #read: ReadEntries;
  readonly #backoff: Backoff;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #lastSeq = 0;
  #doneSeq = 0;
  /** When the first pending entry arrived. */
  #pendingSinceMs = 0;
  #pausedUntilMs = 0;
  #wake = () => {};

  constructor(
    deps: ProjectorDeps,
    projection: Projection,
    checkpoints: Checkpoints,
    read: ReadEntries,
  ) {
    this.#deps = deps;
    this.#projection = projection;
    this.#checkpoints = checkpoints;
    this.#read = read;
    this.#backoff = { firstMs: deps.settings.backoffMs, maxMs: deps.settings.backoffMaxMs };
  }

  advance(seq: number): void {
    if (this.#lastSeq <= this.#doneSeq) this.#pendingSinceMs = performance.now();
    this.#lastSeq = Math.max(this.#lastSeq, seq);
    this.#running ??= this.#run();
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Entries that arrive before the checkpoint is known count as new.
    const now = this.#lastSeq;
    const { startOver } = this.#deps;
    if (startOver !== undefined && !this.#projection.isUrgent)
      await Promise.race([startOver, once(this.#stopping.signal, 'abort')]);
    await this.#findCheckpoint(now);
    while (!this.#stopping.signal.aborted) {
      const { gatherMs = 0 } = this.#projection;
      const pauseMs =
        Math.max(this.#pendingSinceMs + gatherMs, this.#pausedUntilMs) - performance.now();
      const waiting = this.#lastSeq - this.#doneSeq;
      if (waiting <= 0) await this.#untilWoken();
      else if (waiting < this.#deps.settings.batchMax && pauseMs > 0)
        await untilStopped(pauseMs, this.#stopping.signal);
      else await this.#handleBatch(gatherMs);
    }
  }

  async #findCheckpoint(now: number): Promise<void> {
    const { name, startsAt } = this.#projection;
    await this.#attempt(async () => {
      const known = await this.#deps.graph.read((tx) => findCheckpoint(tx, name));
      this.#doneSeq = known ?? (startsAt === 'now' ? now : 0);
      if (known === null) this.#checkpoints.note(name, this.#doneSeq);
    }, Number.POSITIVE_INFINITY);
  }

  /** Handles the next batch. A projection that gathers rests in proportion to the time it took. */
  async #handleBatch(gatherMs: number): Promise<void> {
    const { settings } = this.#deps;
    const { name, kinds } = this.#projection;
    const startedMs = performance.now();
    await this.#attempt(async () => {
      const entries = await this.#read(this.#doneSeq, settings.batchMax);
      // Numbers of deleted entries are skipped.
      if (await this.#deliver(entries.filter(({ kind }) => kinds?.includes(kind) ?? true))) {
        this.#doneSeq = entries.at(-1)?.seq ?? this.#lastSeq;
        this.#checkpoints.note(name, this.#doneSeq);
      }
      this.#pendingSinceMs = performance.now();
    }, Number.POSITIVE_INFINITY);
    if (gatherMs === 0) return;
    const restMs = (performance.now() - startedMs) * settings.restFactor;
    this.#pausedUntilMs = this.#pendingSinceMs + Math.min(restMs, settings.restMaxMs);
  }

  /** Handles the entries or sets them aside. False when the projector is stopping. */
  async #deliver(entries: readonly NumberedEntry[]): Promise<boolean> {
    if (entries.length === 0) return true;
    const isSingle = entries.length === 1;
    const error = await this.#attempt(
      () => this.#projection.handle(entries),
      isSingle ? this.#deps.settings.attemptsMax : 1,
    );
    if (error === null) return true;
    if (error === STOPPED) return false;
    const [first] = entries;
    if (isSingle && first !== undefined) {
      await this.#setAside(first, error);
      return !this.#stopping.signal.aborted;
    }
    // One entry is the cause: handle each alone, so that only that one is set aside.
    for (const entry of entries) if (!(await this.#deliver([entry]))) return false;
    return true;
  }

  async #setAside(entry: NumberedEntry, error: unknown): Promise<void> {
    const { graph, clock, log, settings } = this.#deps;
    const { name } = this.#projection;
    log.error(
      'A projection can not handle an entry: it is now a DeadLetter, and the next ones continue',
      {
        operation: name,
        code: entry.kind,
        ...(entry.runId === null ? {} : { runId: entry.runId }),
        error,
      },
    );
    await this.#attempt(async () => {
      await graph.write((tx) =>
        insertDeadLetter(tx, {
          projection: name,
          entryId: entry.id,
          attempts: settings.attemptsMax,
          error: firstChars(String(scrub(String(error))), 1_000),
          now: instant(clock),
        }),
      );
    }, Number.POSITIVE_INFINITY);
    this.#deps.onDeadLetter?.(name);
  }

  /**
   * Retries `work` until it succeeds. Failures during an outage do not count.
   * @returns null on success, the last error after `attemptsMax` failures, or STOPPED
   */
  async #attempt(work: () => Promise<void>, attemptsMax: number): Promise<unknown> {
    let failures = 0;
    for (let tries = 0; !this.#stopping.signal.aborted; tries++) {
      try {
        await work();
        return null;
      } catch (error) {
        const isDown = error instanceof Outage || isOutage(error);
        if (!isDown && ++failures >= attemptsMax) return error;
        // A commit may be visible in part for some seconds, so its rows look damaged at first.
        if (tries === (error instanceof DamagedRow ? 1 : 0))
          this.#deps.log.warn('A projection failed and tries again', {
            operation: this.#projection.name,
            error,
          });
        await untilStopped(backoffMs(this.#backoff, tries + 1), this.#stopping.signal);
      }
    }
    return STOPPED;
  }

  #untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#stopping.signal.aborted) resolve();
    });
  }
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
