import type { Instant } from '../common/clock.ts';
import type { JsonObject } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { checkWindow, type Window, windowMs } from '../common/window.ts';
import {
  aggregateOf,
  checkDimensions,
  dimensionsOf,
  METRIC_SKEW_MS_MAX,
  type MetricDefinition,
  type MetricPoint,
  pairsOf,
  type Summary,
} from './metric.ts';

/** A requested part of a series: one metric of one entity, `from` inclusive, `to` exclusive. */
export interface Series {
  readonly definition: MetricDefinition;
  readonly entityId: string;
  readonly from: Instant;
  readonly to: Instant;
  /** Length of a bucket; null = each value as recorded. */
  readonly bucketMs: number | null;
  readonly pairs: readonly string[];
  /** Whether the product's background runs count. */
  readonly includeSystem: boolean;
}

export interface SeriesArgs {
  readonly from?: Instant | null | undefined;
  readonly to?: Instant | null | undefined;
  readonly bucketSeconds?: number | null | undefined;
  readonly dimensions?: JsonObject | null | undefined;
  readonly includeSystem?: boolean | null | undefined;
}

export const SERIES_WINDOW_MS_DEFAULT = 24 * 60 * 60 * 1_000;
export const POINTS_DEFAULT = 100;
export const POINTS_MAX = 1_000;
/** The most values that one series may sum up; a longer window is refused. */
export const SERIES_VALUES_MAX = 100_000;
/** Built-in metrics are stored in buckets of one minute. */
export const BUILT_IN_BUCKET_MS = 60_000;

/** The requested window; default: the last 24 hours. */
export function windowOf({ from, to }: SeriesArgs, nowMs: number): Window {
  const end = to ?? new Date(nowMs + METRIC_SKEW_MS_MAX).toISOString();
  const startMs = (to == null ? nowMs : Date.parse(end)) - SERIES_WINDOW_MS_DEFAULT;
  return { from: from ?? new Date(startMs).toISOString(), to: end };
}

/** All problems of a requested series. */
export function checkSeries(
  args: SeriesArgs,
  window: Window,
  definition: Pick<MetricDefinition, 'builtIn'> | null,
): Problem[] {
  const problems = [...checkDimensions(args.dimensions), ...checkWindow(window)];
  const bucket = args.bucketSeconds;
  if (bucket == null) return problems;
  const refuseBucket = (message: string) =>
    problems.push(problem('INVALID', ['bucketSeconds'], message));
  if (!Number.isFinite(bucket) || bucket < 1) refuseBucket('A bucket lasts 1 second or longer.');
  else if (definition?.builtIn && (bucket * 1_000) % BUILT_IN_BUCKET_MS !== 0)
    refuseBucket('What Aiden measures by itself is kept by the minute: 60, 120, 300, …');
  else if (windowMs(window) / (bucket * 1_000) > POINTS_MAX)
    refuseBucket(`That is more than ${POINTS_MAX} buckets; ask for longer ones or for less time.`);
  return problems;
}

export function seriesOf(
  definition: MetricDefinition,
  entityId: string,
  args: SeriesArgs,
  window: Window,
): Series {
  const bucketMs = args.bucketSeconds == null ? null : Math.round(args.bucketSeconds * 1_000);
  const includeSystem = args.includeSystem === true;
  return {
    definition,
    entityId,
    ...window,
    bucketMs,
    includeSystem,
    pairs: pairsOf(args.dimensions),
  };
}

/** The API's point of a bucket or a recorded value. */
export function pointOf(
  { definition, bucketMs }: Pick<Series, 'definition' | 'bucketMs'>,
  at: Instant,
  summary: Summary,
  pairs: readonly string[],
): MetricPoint {
  // A single value is shown as recorded, also where the aggregation is `count`.
  const shown =
    bucketMs === null && !definition.builtIn
      ? { ...definition, aggregation: 'last' as const }
      : definition;
  return { timestamp: at, value: aggregateOf(shown, summary), dimensions: dimensionsOf(pairs) };
}
