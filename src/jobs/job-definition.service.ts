import type { WriteTx } from '../platform/neo4j/graph.ts';
import type { JobDeps } from './deps.ts';
import type { JobProgress } from './job.ts';

/**
 * Background work of the product, done again and again (S2-API-02, SX-07). A job is one object in `JOBS` (list.ts); the
 * registry makes a Temporal Schedule of it. Turns never overlap; one that was missed for longer than an hour is left out.
 * `Deps`: the ports that it uses.
 */
export interface Job<Deps = JobDeps> {
  /** Kebab-case, unique; it names the Schedule and the checkpoint, so it is not changed. */
  readonly name: string;
  /** As Temporal reads it, in UTC: five fields, `@hourly`, `@every 30s`. */
  readonly cron: string;
  /** What it does, for people; one sentence. */
  readonly describe: string;
  /** A turn is stopped after so long and the next one goes on from its checkpoint. Default 10 minutes. */
  readonly timeLimitSeconds?: number;
  /**
   * For jobs that run every few seconds: turns that went well are not told to `jobEvents`, and what is wrong is told and
   * logged once, not at each turn.
   */
  readonly isQuiet?: boolean;
  /** How much waits to be done; asked when the job is shown. Absent: what `progress` said last, else 0. */
  backlog?(deps: JobDeps): Promise<number>;
  /**
   * One turn. It may be repeated after a crash from what `progress` saved last, so it has to be idempotent from there.
   * What it throws becomes `lastError`; the next turn tries again.
   */
  run(deps: Deps, jobRun: JobRun): Promise<void>;
}

/** What a turn is given. */
export interface JobRun {
  /** What was saved last, by this turn or an earlier one; null at the very first. Opaque to all but the job (S2-KEY-03). */
  readonly checkpoint: string | null;
  /** Aborts when the turn has to end: cancelled, paused, over its time, or taken over elsewhere. */
  readonly signal: AbortSignal;
  /** Saves where to go on. @throws TurnStopped when the turn is no longer ours to do, or the job was paused */
  progress(at: JobProgress): Promise<void>;
  /** As `progress`, in the transaction that does the work, so that both are true or neither. */
  progressIn(tx: WriteTx, at: JobProgress): Promise<void>;
}
