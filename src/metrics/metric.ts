import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';

export const METRIC_SCOPES = ['service', 'tool', 'process', 'conversation', 'worker'] as const;
export const METRIC_AGGREGATIONS = ['sum', 'avg', 'min', 'max', 'count', 'last'] as const;
export const METRIC_DATA_TYPES = ['integer', 'float', 'boolean', 'timestamp'] as const;
export type MetricScope = (typeof METRIC_SCOPES)[number];
export type MetricAggregation = (typeof METRIC_AGGREGATIONS)[number];
export type MetricDataType = (typeof METRIC_DATA_TYPES)[number];

/** What may be measured of the things of one scope (S4-MET-01). */
export const MetricDefinition = z.object({
  id: z.string(),
  /** Unique within its scope (S4-MET-03). */
  name: z.string(),
  description: z.string().nullable(),
  scope: z.enum(METRIC_SCOPES),
  aggregation: z.enum(METRIC_AGGREGATIONS),
  dataType: z.enum(METRIC_DATA_TYPES),
  /** Values older than so many days are swept; null = kept. */
  retentionDays: z.number().nullable(),
  /** Ships with the product and is fed by it; nobody else records into it. */
  builtIn: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type MetricDefinition = z.infer<typeof MetricDefinition>;

/** One recorded value (S4-MVAL-01) as it is given back; there is no way to change it (S4-MVAL-02). */
export interface MetricPoint {
  readonly timestamp: string;
  readonly value: Json;
  readonly dimensions: JsonObject | null;
}

/** Names with this prefix are the product's own, here and for Prometheus. */
export const BUILT_IN_PREFIX = 'aiden_';
/** Over the whole installation: definitions are looked at together with the things they measure. */
export const METRIC_DEFINITIONS_MAX = 500;
export const METRIC_RETENTION_DAYS_MAX = 3_650;
/** A clock may be ahead of ours by so much; a value from later than that is a mistake. */
export const METRIC_SKEW_MS_MAX = 5 * 60 * 1_000;

export function checkRetention(days: number | null | undefined): Problem[] {
  if (days == null || (days >= 1 && days <= METRIC_RETENTION_DAYS_MAX)) return [];
  const message = `Values are kept for 1 to ${METRIC_RETENTION_DAYS_MAX} days, or (null) for good.`;
  return [problem('INVALID', ['retentionDays'], message)];
}

/** A moment has an earliest and a latest and even a middle, but there is no sum of moments. */
export function checkAggregation(
  aggregation: MetricAggregation,
  dataType: MetricDataType,
): Problem[] {
  if (dataType !== 'timestamp' || aggregation !== 'sum') return [];
  return [problem('TYPE_MISMATCH', ['aggregation'], 'Timestamps have no sum.')];
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** S4-MVAL-02: the value as the number that is stored (false = 0, true = 1, a moment = its Unix milliseconds), or null where it is of another type. */
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

/** What any number of values come to; enough for each of the aggregations, and two of them make a third. */
export interface Summary {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly last: number;
}

/** S4-MVAL-03: the summary under the definition's aggregation, in the definition's type; null where nothing was measured. */
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

/** A stored number in the type it was given in. */
export function asType(dataType: MetricDataType, measure: number): Json {
  if (dataType === 'boolean') return measure !== 0;
  return dataType === 'timestamp' ? new Date(measure).toISOString() : measure;
}

export const DIMENSIONS_MAX = 16;
export const DIMENSIONS_BYTES_MAX = 2_048;

/** Dimensions are flat: a name, and a text, a number or a truth value. */
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

/** As they are stored and compared: one text per dimension, so that a filter asks whether each of its own is there. */
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
