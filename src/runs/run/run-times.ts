import { z } from 'zod';
import type { Instant } from '../../common/clock.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { RUN_STATUSES } from '../../common/run-status.ts';
import { numberOrNull } from '../../common/stored.ts';
import { checkWindow, type Window, windowMs } from '../../common/window.ts';

/** An ended run, as far as its times and its cost are summed up. */
export const EndedRun = z.object({
  createdAtMs: z.number(),
  /** From start to end; null where it never started. */
  seconds: numberOrNull,
  status: z.enum(RUN_STATUSES),
  /** In and out. */
  tokens: z.number(),
  /** Null where no Tool has a price. */
  costUsd: numberOrNull,
});
export type EndedRun = z.infer<typeof EndedRun>;

/** Times and cost of several ended runs. Percentiles are times of actual runs; null without one. */
export interface RunTimesSum {
  readonly runs: number;
  /** Those that failed or timed out. */
  readonly failedRuns: number;
  readonly p50Seconds: number | null;
  readonly p90Seconds: number | null;
  readonly p99Seconds: number | null;
  readonly tokens: number;
  readonly costUsd: number | null;
}
export interface RunTimesBucket extends RunTimesSum {
  readonly startedAt: Instant;
}
export interface RunTimes extends RunTimesSum {
  /** Whether all runs of the window are counted, not the newest RUN_TIMES_MAX of the Process. */
  readonly isWhole: boolean;
  /** Oldest first; times without a run have none. */
  readonly buckets: readonly RunTimesBucket[];
}

/** An ended run of any Process. */
export const EndedRunOf = EndedRun.extend({
  processId: z.string(),
  /** Whether no other run started it. */
  isRoot: z.boolean(),
});
export type EndedRunOf = z.infer<typeof EndedRunOf>;

/** Times and cost of the runs of all Processes. */
export interface RunTimesOfAll {
  /** Of runs that no other run started: the usage of a run includes its sub-runs. */
  readonly total: RunTimes;
  /** The most expensive first, then by tokens and runs. */
  readonly processes: readonly ProcessRunTimes[];
  /** Processes with a run in the window, those beyond the asked number too. */
  readonly processCount: number;
}
export interface ProcessRunTimes {
  readonly processId: string;
  readonly times: RunTimes;
}

/** The newest runs of a Process, or of a user, that are read. */
export const RUN_TIMES_MAX = 10_000;
export const RUN_TIMES_PROCESSES_DEFAULT = 50;
export const RUN_TIMES_PROCESSES_MAX = 200;
export const RUN_TIMES_BUCKETS_MAX = 200;
const BUCKET_SECONDS_MIN = 60;

export interface RunTimesWindow extends Window {
  /** Length of a bucket; null = no buckets. */
  readonly bucketSeconds: number | null;
}

export function checkRunTimes({ bucketSeconds, ...window }: RunTimesWindow): Problem[] {
  const problems = checkWindow(window);
  if (problems.length > 0 || bucketSeconds === null) return problems;
  const refuse = (message: string) => [problem('INVALID', ['bucketSeconds'], message)];
  if (!(bucketSeconds >= BUCKET_SECONDS_MIN))
    return refuse(`A bucket lasts ${BUCKET_SECONDS_MIN} seconds or longer.`);
  return windowMs(window) / (bucketSeconds * 1_000) > RUN_TIMES_BUCKETS_MAX
    ? refuse(`That is more than ${RUN_TIMES_BUCKETS_MAX} buckets; ask for longer ones.`)
    : [];
}

export function checkRunTimesOfAll({
  first,
  ...window
}: RunTimesWindow & { readonly first: number }): Problem[] {
  const problems = checkRunTimes(window);
  if (first >= 1 && first <= RUN_TIMES_PROCESSES_MAX) return problems;
  const message = `first is a number from 1 to ${RUN_TIMES_PROCESSES_MAX}.`;
  return [...problems, problem('INVALID', ['first'], message)];
}

/** Sums up the runs of each Process, and all of them. */
export function sumUpByProcess(
  runs: readonly EndedRunOf[],
  how: {
    readonly bucketSeconds: number | null;
    readonly isWhole: boolean;
    /** Number of Processes. */
    readonly first: number;
  },
): RunTimesOfAll {
  const timesOf = (some: readonly EndedRun[]): RunTimes => ({
    ...sumUpRunTimes(some, how.bucketSeconds),
    isWhole: how.isWhole,
  });
  const processes = [...Map.groupBy(runs, ({ processId }) => processId)]
    .map(([processId, own]) => ({ processId, times: timesOf(own) }))
    .toSorted(byExpense);
  return {
    total: timesOf(runs.filter(({ isRoot }) => isRoot)),
    processes: processes.slice(0, how.first),
    processCount: processes.length,
  };
}

const byExpense = ({ times: one }: ProcessRunTimes, { times: other }: ProcessRunTimes): number =>
  (other.costUsd ?? 0) - (one.costUsd ?? 0) || other.tokens - one.tokens || other.runs - one.runs;

/** Sums up runs over their window and over each bucket of it, by the time of their creation. */
export function sumUpRunTimes(
  runs: readonly EndedRun[],
  bucketSeconds: number | null,
): Omit<RunTimes, 'isWhole'> {
  const bucketMs = (bucketSeconds ?? 0) * 1_000;
  const byStart =
    bucketMs === 0
      ? new Map<number, EndedRun[]>()
      : Map.groupBy(runs, ({ createdAtMs }) => Math.floor(createdAtMs / bucketMs) * bucketMs);
  return {
    ...sumOf(runs),
    buckets: [...byStart]
      .toSorted(([one], [other]) => one - other)
      .map(([startMs, own]) => ({ startedAt: new Date(startMs).toISOString(), ...sumOf(own) })),
  };
}

function sumOf(runs: readonly EndedRun[]): RunTimesSum {
  const times = runs
    .flatMap(({ seconds }) => (seconds === null ? [] : [seconds]))
    .toSorted((one, other) => one - other);
  const priced = runs.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  return {
    runs: runs.length,
    failedRuns: runs.filter(({ status }) => status === 'failed' || status === 'timed_out').length,
    p50Seconds: percentileOf(times, 0.5),
    p90Seconds: percentileOf(times, 0.9),
    p99Seconds: percentileOf(times, 0.99),
    tokens: runs.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: priced.length === 0 ? null : priced.reduce((sum, usd) => sum + usd, 0),
  };
}

/** The smallest time that this share of the runs does not exceed (nearest rank). */
const percentileOf = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
