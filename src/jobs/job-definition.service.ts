import type { WriteTx } from '../platform/neo4j/graph.ts';
import type { JobDeps } from './deps.ts';
import type { JobProgress } from './job.ts';

/**
 * Recurring background work of the product (S2-API-02, SX-07). A job is one object in `JOBS`
 * (src/main). The registry creates a Temporal Schedule for it. Runs of one job never overlap. A run
 * that is more than an hour late is skipped. `Deps` are the ports that the job uses.
 */
export interface Job<Deps = JobDeps> {
  /** Kebab-case and unique. It names the Schedule and the checkpoint; do not change it. */
  readonly name: string;
  /** Temporal's syntax, in UTC: five fields, `@hourly`, `@every 30s`. */
  readonly cron: string;
  /** Description for admins; one sentence. */
  readonly describe: string;
  /** A run is stopped after this time; the next one continues at its checkpoint. Default 600. */
  readonly timeLimitSeconds?: number;
  /**
   * Quiet jobs run every few seconds: `jobEvents` omits their successful runs, and an error is
   * reported and logged only when it changes. Default false.
   */
  readonly isQuiet?: boolean;
  /**
   * Makes the job wait for work: it runs in the process of the relay when `isDue` says so, asked
   * each `everySeconds`. `isDue` is a cheap read. Its `cron` then only makes up for missed runs.
   */
  readonly watch?: {
    readonly everySeconds: number;
    isDue(deps: Deps): Promise<boolean>;
  };
  /** Amount of waiting work, read when the job is shown. Default: the saved backlog, else 0. */
  backlog?(deps: JobDeps): Promise<number>;
  /**
   * Does one run. After a crash it is repeated from the last saved checkpoint, so the work after a
   * checkpoint has to be idempotent. An error becomes `lastError`; the next run tries again.
   */
  run(deps: Deps, jobRun: JobRun): Promise<void>;
}

export interface JobRun {
  /** The checkpoint saved last; null before the first save. Only the job reads it (S2-KEY-03). */
  readonly checkpoint: string | null;
  /** Whether an admin asked for the run by the mutation runJob. */
  readonly isAsked: boolean;
  /** Aborts when the run has to end: cancelled, paused, over its time limit, or taken over. */
  readonly signal: AbortSignal;
  /**
   * Saves the checkpoint and the backlog.
   * @throws JobRunStopped if the run was stopped or taken over, or the job was paused
   */
  progress(at: JobProgress): Promise<void>;
  /** As `progress`, in the transaction that does the work: both are committed, or neither. */
  progressIn(tx: WriteTx, at: JobProgress): Promise<void>;
}
