import { setTimeout } from 'node:timers/promises';
import type { WorkerOptions } from '@temporalio/worker';
import { type Backoff, backoffMs } from '../../common/backoff.ts';
import type { EndedWorker } from '../telemetry/health.ts';
import type { Log } from '../telemetry/log.ts';
import { Executions } from './executions.ts';
import { GuardedWorker } from './guarded-worker.ts';

/** The wait before a worker is started again. */
const AGAIN: Backoff = { firstMs: 500, maxMs: 30_000 };
/** A worker that has run so long is healthy: the next end counts as the first. */
const STEADY_MS = 60_000;
/** In the log. */
const SUSPECTS_SHOWN_MAX = 5;
/** Ends are a warning of the health for so long. */
const ENDS_SHOWN_MS = 10 * 60_000;

/**
 * The Temporal worker of one task queue. Where it ends by itself, for whatever reason, another one
 * takes its place, with growing waits. The other workers of the process go on meanwhile
 * (docs/decisions/0087).
 */
export class KeptWorker {
  readonly #options: WorkerOptions;
  readonly #log: Log;
  readonly #executions = new Executions();
  readonly #stopping = new AbortController();
  readonly #endedAtMs: number[] = [];
  #worker: GuardedWorker | null = null;
  #kept: Promise<void> = Promise.resolve();

  private constructor(options: WorkerOptions, log: Log) {
    this.#options = {
      ...options,
      activities: this.#executions.watched(options.activities ?? {}),
    };
    this.#log = log;
  }

  /** @throws Error where Temporal refuses the worker */
  static async open(options: WorkerOptions, log: Log): Promise<KeptWorker> {
    const kept = new KeptWorker(options, log);
    kept.#kept = kept.#keep(await kept.#create());
    return kept;
  }

  /** Null where it did not end in the last minutes. */
  ended(): EndedWorker | null {
    const shownFromMs = Date.now() - ENDS_SHOWN_MS;
    const shown = this.#endedAtMs.filter((atMs) => atMs >= shownFromMs);
    const [sinceMs] = shown;
    if (sinceMs === undefined) return null;
    const { taskQueue = '' } = this.#options;
    return { taskQueue, ends: shown.length, sinceMs, isRunning: this.#worker !== null };
  }

  /** Lets the current work end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#shutDown();
    await this.#kept;
  }

  async #keep(first: GuardedWorker): Promise<void> {
    const { signal } = this.#stopping;
    const { taskQueue } = this.#options;
    let failures = 0;
    let next: GuardedWorker | null = first;
    for (;;) {
      const startedMs = performance.now();
      let error: unknown = null;
      try {
        next ??= await this.#create();
        await this.#run(next);
      } catch (thrown) {
        error = thrown;
      }
      next = null;
      this.#worker = null;
      if (signal.aborted) return;
      failures = performance.now() - startedMs >= STEADY_MS ? 1 : failures + 1;
      this.#noteEnd();
      const suspects = this.#executions.workerEnded();
      const inMs = backoffMs(AGAIN, failures);
      this.#log.error('A Temporal worker ended by itself; it is started again', {
        ...(taskQueue === undefined ? {} : { taskQueue }),
        error,
        count: failures,
        // Activities that were at work.
        operation: suspects.slice(0, SUSPECTS_SHOWN_MAX).join(', '),
      });
      await setTimeout(inMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
    }
  }

  async #create(): Promise<GuardedWorker> {
    const worker = await GuardedWorker.create(this.#options);
    if (!(worker instanceof GuardedWorker)) throw new Error('The SDK made another worker.');
    worker.guard({
      settled: (taskToken) => this.#executions.settled(taskToken),
      refused: (error, what) =>
        this.#log.error(`Temporal took no result of this ${what}; it fails by a defect`, {
          taskQueue: this.#options.taskQueue ?? '',
          error,
        }),
    });
    return worker;
  }

  async #run(worker: GuardedWorker): Promise<void> {
    this.#worker = worker;
    const run = worker.run();
    // It was being made while the process began to stop.
    if (this.#stopping.signal.aborted) this.#shutDown();
    await run;
  }

  #shutDown(): void {
    if (this.#worker?.getState() === 'RUNNING') this.#worker.shutdown();
  }

  #noteEnd(): void {
    const shownFromMs = Date.now() - ENDS_SHOWN_MS;
    while ((this.#endedAtMs[0] ?? Number.POSITIVE_INFINITY) < shownFromMs) this.#endedAtMs.shift();
    this.#endedAtMs.push(Date.now());
  }
}
