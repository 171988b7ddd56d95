import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';

export const METRIC_SCOPES = ['service', 'tool', 'process', 'conversation', 'worker'] as const;
export const METRIC_AGGREGATIONS = ['sum', 'avg', 'min', 'max', 'count', 'last'] as const;
export const METRIC_DATA_TYPES = ['integer', 'float', 'boolean', 'timestamp'] as const;
export type MetricScope = (typeof METRIC_SCOPES)[number];
export type MetricAggregation = (typeof METRIC_AGGREGATIONS)[number];
export type MetricDataType = (typeof METRIC_DATA_TYPES)[number];

/** A metric of the entities of one scope (S4-MET-01). */
export const MetricDefinition = z.object({
  id: z.string(),
  /** Unique within its scope (S4-MET-03). */
  name: z.string(),
  description: z.string().nullable(),
  scope: z.enum(METRIC_SCOPES),
  aggregation: z.enum(METRIC_AGGREGATIONS),
  dataType: z.enum(METRIC_DATA_TYPES),
  /** Values older than this many days are deleted; null = kept for ever. */
  retentionDays: z.number().nullable(),
  /** Ships with the product, which alone records values of it. */
  builtIn: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type MetricDefinition = z.infer<typeof MetricDefinition>;

/** One recorded value (S4-MVAL-01) as the API returns it. Values never change (S4-MVAL-02). */
export interface MetricPoint {
  readonly timestamp: string;
  readonly value: Json;
  readonly dimensions: JsonObject | null;
}

/** Prefix reserved for the product's own metrics, here and in Prometheus. */
export const BUILT_IN_PREFIX = 'aiden_';
/** The most definitions of an installation: lists read all of them at once. */
export const METRIC_DEFINITIONS_MAX = 500;
export const METRIC_RETENTION_DAYS_MAX = 3_650;
/** The most that a client's clock may be ahead; a later timestamp is refused. */
export const METRIC_SKEW_MS_MAX = 5 * 60 * 1_000;

export function checkRetention(days: number | null | undefined): Problem[] {
  if (days == null || (days >= 1 && days <= METRIC_RETENTION_DAYS_MAX)) return [];
  const message = `Values are kept for 1 to ${METRIC_RETENTION_DAYS_MAX} days, or (null) for good.`;
  return [problem('INVALID', ['retentionDays'], message)];
}

/** Timestamps have a minimum, a maximum and a mean, but no sum. */
export function checkAggregation(
  aggregation: MetricAggregation,
  dataType: MetricDataType,
): Problem[] {
  if (dataType !== 'timestamp' || aggregation !== 'sum') return [];
  return [problem('TYPE_MISMATCH', ['aggregation'], 'Timestamps have no sum.')];
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * The number stored for a value: false = 0, true = 1, a timestamp = Unix milliseconds (S4-MVAL-02).
 * Null where the value has another type.
 */
export function measureOf(dataType: MetricDataType, value: Json): number | null {
  switch (dataType) {
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
    case 'float':
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? Number(value) : null;
    case 'timestamp': {
      const ms = typeof value === 'string' && MOMENT.test(value) ? Date.parse(value) : Number.NaN;
      return Number.isNaN(ms) ? null : ms;
    }
  }
}

export function checkValue(dataType: MetricDataType, value: Json): Problem[] {
  if (measureOf(dataType, value) !== null) return [];
  const wanted = {
    integer: 'a whole number',
    float: 'a number',
    boolean: 'true or false',
    timestamp: 'a moment in RFC 3339, such as 2026-11-21T09:30:00Z',
  }[dataType];
  return [problem('TYPE_MISMATCH', ['value'], `This metric is ${dataType}: give ${wanted}.`)];
}

/** Summary of values. Enough for every aggregation; two summaries can be combined. */
export interface Summary {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly last: number;
}

/** The summary's aggregate, in the definition's type (S4-MVAL-03). Null where it has no value. */
export function aggregateOf(
  { aggregation, dataType }: Pick<MetricDefinition, 'aggregation' | 'dataType'>,
  summary: Summary,
): Json {
  if (aggregation === 'count') return summary.count;
  if (summary.count === 0) return null;
  if (aggregation === 'sum') return summary.sum;
  if (aggregation !== 'avg') return asType(dataType, summary[aggregation]);
  const mean = summary.sum / summary.count;
  return dataType === 'timestamp' ? asType(dataType, Math.round(mean)) : mean;
}

/** A stored number in the data type of its metric. */
export function asType(dataType: MetricDataType, measure: number): Json {
  if (dataType === 'boolean') return measure !== 0;
  return dataType === 'timestamp' ? new Date(measure).toISOString() : measure;
}

export const DIMENSIONS_MAX = 16;
export const DIMENSIONS_BYTES_MAX = 2_048;

/** Dimensions are flat: each is a text, a number or a boolean. */
export function checkDimensions(dimensions: JsonObject | null | undefined): Problem[] {
  if (dimensions == null) return [];
  const problems = Object.entries(dimensions).flatMap(([name, value]) =>
    value === null || typeof value === 'object'
      ? [
          problem(
            'INVALID',
            ['dimensions', name],
            'A dimension is a text, a number or true or false.',
          ),
        ]
      : [],
  );
  if (Object.keys(dimensions).length > DIMENSIONS_MAX)
    problems.push(problem('INVALID', ['dimensions'], `At most ${DIMENSIONS_MAX} dimensions.`));
  if (jsonBytes(dimensions) > DIMENSIONS_BYTES_MAX)
    problems.push(
      problem(
        'TOO_LARGE',
        ['dimensions'],
        `Dimensions have at most ${DIMENSIONS_BYTES_MAX} bytes.`,
      ),
    );
  return problems;
}

/** Dimensions as stored: one text per dimension. A filter requires each of its own texts. */
export function pairsOf(dimensions: JsonObject | null | undefined): string[] {
  return Object.entries(dimensions ?? {})
    .map(([name, value]) => JSON.stringify([name, value]))
    .sort();
}

export function dimensionsOf(pairs: readonly string[]): JsonObject | null {
  if (pairs.length === 0) return null;
  const dimensions: unknown = Object.fromEntries(
    pairs.map((pair) => JSON.parse(pair) as [string, Json]),
  );
  return isJsonObject(dimensions) ? dimensions : null;
}
