import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import { numberOrNull, orNull } from '../common/stored.ts';
import { Float, type ReadTx, type WriteTx } from '../platform/neo4j/graph.ts';
import { intOf, parseRow, textListOf } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { isAdmin, type Viewer } from '../users/user.ts';
import type { MetricPoint, MetricScope, Summary } from './metric.ts';
import { POINTS_MAX, pointOf, SERIES_VALUES_MAX, type Series } from './series.ts';

const INSERT_VALUE = cypher`
  // insertMetricValue
  CREATE (v:MetricValue)
  SET v = $value, v.at = datetime($value.at), v.recordedAt = datetime($value.recordedAt)
`;

export interface NewMetricValue {
  readonly id: string;
  readonly metricId: string;
  readonly entityId: string;
  readonly ownerId: string;
  readonly at: Instant;
  readonly recordedAt: Instant;
  readonly value: number;
  readonly pairs: readonly string[];
}

/** Appends one value; no statement changes one (S4-MVAL-02). */
export async function insertMetricValue(tx: WriteTx, value: NewMetricValue): Promise<void> {
  const stored = { ...value, pairs: [...value.pairs], value: new Float(value.value) };
  await tx.run(INSERT_VALUE, { value: stored });
}

// Forces one index seek per series; the planner would scan while there are few values. `own` also
// seeks by owner.
const VALUES_OF = {
  own: /* cypher */ `
    MATCH (v:MetricValue) USING INDEX SEEK v:MetricValue(metricId, entityId, ownerId, at)
    WHERE v.metricId = s.metricId AND v.entityId = s.entityId AND v.ownerId = $viewerId
      AND v.at >= datetime(s.from) AND v.at < datetime(s.to)
    WITH s, v WHERE all(pair IN s.pairs WHERE pair IN v.pairs)
      AND (s.includeSystem OR v.origin IS NULL)
  `,
  all: /* cypher */ `
    MATCH (v:MetricValue) USING INDEX SEEK v:MetricValue(metricId, entityId, at)
    WHERE v.metricId = s.metricId AND v.entityId = s.entityId
      AND v.at >= datetime(s.from) AND v.at < datetime(s.to)
    WITH s, v WHERE all(pair IN s.pairs WHERE pair IN v.pairs)
      AND (s.includeSystem OR v.origin IS NULL)
  `,
} as const;

// A built-in bucket is stored as a summary; a recorded value is a summary of one.
const SUMMARY = /* cypher */ `
  sum(coalesce(v.count, 1)) AS count, sum(coalesce(v.sum, v.value)) AS sum,
  min(coalesce(v.min, v.value)) AS min, max(coalesce(v.max, v.value)) AS max`;

const summarise = (whose: keyof typeof VALUES_OF) => cypher`
  // summariseSeries
  UNWIND range(0, size($series) - 1) AS place
  WITH place, $series[place] AS s
  CALL (s) {
    ${VALUES_OF[whose]}
    WITH v LIMIT $valuesMax + 1
    RETURN count(v) AS read, ${SUMMARY}
  }
  CALL (s) {
    ${VALUES_OF[whose]}
    WITH v ORDER BY v.at DESC, v.id DESC LIMIT 1
    RETURN head(collect(coalesce(v.last, v.value))) AS last
  }
  RETURN place, read, count, sum, min, max, last ORDER BY place
`;
const SUMMARISE_SERIES = { own: summarise('own'), all: summarise('all') };

/** The summary of each series, in order; null where it has more than SERIES_VALUES_MAX values. */
export async function summariseSeries(
  tx: ReadTx,
  viewer: Viewer,
  series: readonly Series[],
): Promise<(Summary | null)[]> {
  const rows = await tx.run(SUMMARISE_SERIES[whoseFor(viewer)], {
    series: series.map(seriesParams),
    viewerId: viewer.userId,
    valuesMax: SERIES_VALUES_MAX,
  });
  return rows.map((row) =>
    intOf(row, 'read', 'MetricValues') > SERIES_VALUES_MAX ? null : toSummary(row),
  );
}

const points = (whose: keyof typeof VALUES_OF) => cypher`
  // listSeriesPoints
  UNWIND range(0, size($series) - 1) AS place
  WITH place, $series[place] AS s
  CALL (s) {
    ${VALUES_OF[whose]}
    WITH s, v ORDER BY v.at, v.id LIMIT $pointsMax
    RETURN collect({at: v.at, pairs: v.pairs, count: coalesce(v.count, 1),
      sum: coalesce(v.sum, v.value),
      min: coalesce(v.min, v.value), max: coalesce(v.max, v.value),
      last: coalesce(v.last, v.value)}) AS points
  }
  RETURN points[..s.first] AS points, 0 AS read ORDER BY place
`;
const LIST_POINTS = { own: points('own'), all: points('all') };

const buckets = (whose: keyof typeof VALUES_OF) => cypher`
  // listSeriesBuckets
  UNWIND range(0, size($series) - 1) AS place
  WITH place, $series[place] AS s
  CALL (s) {
    ${VALUES_OF[whose]}
    WITH s, v LIMIT $valuesMax + 1
    WITH s, v ORDER BY v.at, v.id
    WITH v.at.epochMillis / s.bucketMs * s.bucketMs AS startMs, count(v) AS read, ${SUMMARY},
      collect(coalesce(v.last, v.value))[-1] AS last
    ORDER BY startMs
    RETURN sum(read) AS read,
      collect({at: datetime({epochMillis: startMs}), count: count, sum: sum, min: min, max: max,
        last: last}) AS points
  }
  RETURN points[..s.first] AS points, read ORDER BY place
`;
const LIST_BUCKETS = { own: buckets('own'), all: buckets('all') };

export interface SeriesPage {
  readonly series: Series;
  readonly first: number;
}

/**
 * The first points of each series, oldest first; null where a series has more than
 * SERIES_VALUES_MAX values. Either all series have buckets or none has.
 */
export async function listPoints(
  tx: ReadTx,
  viewer: Viewer,
  how: 'values' | 'buckets',
  pages: readonly SeriesPage[],
): Promise<(MetricPoint[] | null)[]> {
  const statement = (how === 'values' ? LIST_POINTS : LIST_BUCKETS)[whoseFor(viewer)];
  const rows = await tx.run(statement, {
    series: pages.map(({ series, first }) => ({ ...seriesParams(series), first })),
    viewerId: viewer.userId,
    valuesMax: SERIES_VALUES_MAX,
    pointsMax: POINTS_MAX,
  });
  return rows.map((row, place) => {
    const page = pages[place];
    if (page === undefined || intOf(row, 'read', 'MetricValues') > SERIES_VALUES_MAX) return null;
    return parseRow(PointsRow, row, 'MetricValues').points.map(({ at, pairs, ...point }) =>
      pointOf(page.series, at, summaryOf(point), pairs ?? page.series.pairs),
    );
  });
}

// A viewer sees only their own values, an admin all: values of a shared Tool reveal its users.
const whoseFor = (viewer: Viewer): keyof typeof VALUES_OF => (isAdmin(viewer) ? 'all' : 'own');

function seriesParams({ definition, pairs, ...series }: Series) {
  const { entityId, from, to, bucketMs, includeSystem } = series;
  return {
    metricId: definition.id,
    entityId,
    from,
    to,
    bucketMs,
    includeSystem,
    pairs: [...pairs],
  };
}

/** Without values `sum` is 0, and min, max and last are null; a summary shows them as 0. */
const SUMMARY_SHAPE = {
  count: z.int(),
  sum: numberOrNull,
  min: numberOrNull,
  max: numberOrNull,
  last: numberOrNull,
};
const SummaryRow = z.object(SUMMARY_SHAPE);
const PointsRow = z.object({
  points: z.array(
    z.object({ ...SUMMARY_SHAPE, at: z.string(), pairs: orNull(z.array(z.string())) }),
  ),
});

const toSummary = (row: unknown): Summary => summaryOf(parseRow(SummaryRow, row, 'MetricValues'));

function summaryOf({ count, sum, min, max, last }: z.infer<typeof SummaryRow>): Summary {
  return { count, sum: sum ?? 0, min: min ?? 0, max: max ?? 0, last: last ?? 0 };
}

const measured = (whose: string) => cypher`
  // listMeasuredSeries
  UNWIND $entities AS e
  MATCH (d:MetricDefinition {scope: e.scope})
  WHERE EXISTS { MATCH (v:MetricValue)
    WHERE v.metricId = d.id AND v.entityId = e.id ${whose} AND v.at >= datetime(e.from)
      AND v.at < datetime(e.to)
      AND (e.includeSystem OR v.origin IS NULL) }
  WITH e, d ORDER BY d.name
  RETURN e.id AS entityId, e.from AS from, e.to AS to, e.includeSystem AS includeSystem,
    collect(d.id)[..$seriesMax] AS metricIds
`;
const LIST_MEASURED = { own: measured('AND v.ownerId = $viewerId'), all: measured('') };

export interface MeasuredEntity {
  readonly scope: MetricScope;
  readonly id: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly includeSystem: boolean;
}

/** Ids of metrics with values of each entity in its window. The caller has checked access. */
export async function listMeasured(
  tx: ReadTx,
  viewer: Viewer,
  entities: readonly MeasuredEntity[],
  seriesMax: number,
): Promise<readonly (readonly string[])[]> {
  const rows = await tx.run(LIST_MEASURED[whoseFor(viewer)], {
    entities: entities.map((entity) => ({ ...entity })),
    viewerId: viewer.userId,
    seriesMax,
  });
  const found = new Map(
    rows.map((row) => [
      keyOf(row['entityId'], row['from'], row['to'], row['includeSystem']),
      textListOf(row, 'metricIds', 'MetricDefinitions'),
    ]),
  );
  return entities.map(
    ({ id, from, to, includeSystem }) => found.get(keyOf(id, from, to, includeSystem)) ?? [],
  );
}

const keyOf = (...parts: unknown[]) => parts.join(' ');
