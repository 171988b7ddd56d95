import type { Json } from '../../src/common/json.ts';
import { Refusal, refuse } from '../../src/common/refusal.ts';
import { findMetricDefinitions } from '../../src/metrics/metric.cypher.ts';
import { aggregateOf, type MetricPoint, type MetricScope } from '../../src/metrics/metric.ts';
import {
  checkSeries,
  POINTS_DEFAULT,
  POINTS_MAX,
  SERIES_VALUES_MAX,
  type Series,
  type SeriesArgs,
  seriesOf,
  windowOf,
} from '../../src/metrics/series.ts';
import {
  listMeasured,
  listPoints,
  type MeasuredEntity,
  type SeriesPage,
  summariseSeries,
} from '../../src/metrics/value.cypher.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { loader } from '../loader.ts';

// For any number of series per request: one statement for aggregates, one for points, one for
// buckets.

const aggregates = loader<Series, Json | Refusal>(async (context, series) => {
  const summaries = await context.graph.read((tx) =>
    summariseSeries(tx, viewerOf(context), series),
  );
  return series.map(({ definition }, place) => {
    const summary = summaries[place];
    return summary == null ? tooLarge() : aggregateOf(definition, summary);
  });
});

export async function aggregateOfSeries(context: RequestContext, series: Series): Promise<Json> {
  const found = await aggregates(context, series);
  if (found instanceof Refusal) throw found;
  return found;
}

const pointsBy = (how: 'values' | 'buckets') =>
  loader<SeriesPage, MetricPoint[] | Refusal>(async (context, pages) => {
    const found = await context.graph.read((tx) => listPoints(tx, viewerOf(context), how, pages));
    return pages.map((_page, place) => found[place] ?? tooLarge());
  });
const values = pointsBy('values');
const buckets = pointsBy('buckets');

/** @throws Refusal INVALID at `first`; TOO_LARGE if buckets would aggregate too many values */
export async function pointsOfSeries(
  context: RequestContext,
  series: Series,
  first: number | null,
): Promise<MetricPoint[]> {
  const wanted = first ?? POINTS_DEFAULT;
  if (wanted < 0 || wanted > POINTS_MAX)
    throw Refusal.of('INVALID', ['first'], `first is a number from 0 to ${POINTS_MAX}.`);
  const page = { series, first: wanted };
  const found = await (series.bucketMs === null ? values : buckets)(context, page);
  if (found instanceof Refusal) throw found;
  return found;
}

function tooLarge(): Refusal {
  const message =
    `There are more than ${SERIES_VALUES_MAX} values in this time; ` + 'ask for less of it.';
  return Refusal.of('TOO_LARGE', ['from'], message);
}

/** Maximum number of series of one object, returned as a list without pages. */
const SERIES_PER_THING_MAX = 50;

const measured = loader<MeasuredEntity, Series[]>(async (context, things) => {
  const viewer = viewerOf(context);
  return context.graph.read(async (tx) => {
    const metricIds = await listMeasured(tx, viewer, things, SERIES_PER_THING_MAX);
    const known = await findMetricDefinitions(tx, [...new Set(metricIds.flat())]);
    const definitions = new Map(known.map((definition) => [definition.id, definition]));
    return things.map(({ id, from, to, includeSystem }, place) =>
      (metricIds[place] ?? []).flatMap((metricId) => {
        const definition = definitions.get(metricId);
        return definition === undefined
          ? []
          : [seriesOf(definition, id, { includeSystem }, { from, to })];
      }),
    );
  });
});

/** Series of an object with values in a time range: two statements for all objects of a request. */
export async function measuredOf(
  context: RequestContext,
  { scope, id, args }: { scope: MetricScope; id: string; args: SeriesArgs },
): Promise<Series[]> {
  const window = windowOf(args, context.clock.nowMs());
  refuse(checkSeries(args, window, null));
  const includeSystem = args.includeSystem === true;
  return measured(context, { scope, id, ...window, includeSystem });
}
