import { refuse } from '../../src/common/refusal.ts';
import {
  findMeasured,
  findMetricDefinitions,
  listMetricDefinitions,
} from '../../src/metrics/metric.cypher.ts';
import {
  createMetricDefinition,
  deleteMetricDefinition,
  updateMetricDefinition,
} from '../../src/metrics/metric.mutations.ts';
import type {
  MetricDefinition as MetricDefinitionModel,
  MetricPoint as MetricPointModel,
  MetricScope as MetricScopeName,
} from '../../src/metrics/metric.ts';
import {
  checkSeries,
  POINTS_DEFAULT,
  POINTS_MAX,
  type Series,
  seriesOf,
  windowOf,
} from '../../src/metrics/series.ts';
import { recordMetric } from '../../src/metrics/value.mutations.ts';
import { builder, enumOf } from '../builder.ts';
import { Service, Tool } from '../catalog/catalog.ts';
import { viewerOf } from '../context.ts';
import { Node, nodeType, Timestamped } from '../nodes.ts';
import { DeletePayload, payload, payloadType } from '../payload.ts';
import { aggregateOfSeries, measuredOf, pointsOfSeries } from './metric-loaders.ts';

export const MetricScope = enumOf('MetricScope', 'What kind of thing is measured.', {
  service: 'A Service, over all of its Tools.',
  tool: 'A Tool.',
  process: 'A Process, over all of its runs.',
  conversation: 'A Conversation, over all of its runs.',
  worker: 'A Worker; only admins see these.',
});
export const MetricAggregation = enumOf('MetricAggregation', 'How many values become one.', {
  sum: 'Their sum.',
  avg: 'Their mean.',
  min: 'The least.',
  max: 'The greatest.',
  count: 'How many there are.',
  last: 'The latest.',
});
export const MetricDataType = enumOf('MetricDataType', 'What a value is.', {
  integer: 'A whole number.',
  float: 'A number.',
  boolean: 'true or false; as numbers, 1 and 0.',
  timestamp: 'A moment in RFC 3339.',
});

export const MetricDefinition = nodeType<MetricDefinitionModel>('MetricDefinition', {
  label: 'MetricDefinition',
  load: (context, ids) => context.graph.read((tx) => findMetricDefinitions(tx, ids)),
});
MetricDefinition.implement({
  description:
    'What may be measured of the things of one kind. Admins define; whoever sees a thing records.',
  interfaces: [Node, Timestamped],
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Unique among the metrics of its scope; aiden_… are measured by Aiden itself.',
    }),
    description: t.exposeString('description', { nullable: true, description: 'What it tells.' }),
    scope: t.expose('scope', { type: MetricScope, description: 'What it measures; for good.' }),
    aggregation: t.expose('aggregation', {
      type: MetricAggregation,
      description: 'How several values become one.',
    }),
    dataType: t.expose('dataType', {
      type: MetricDataType,
      description: 'What a value is; for good.',
    }),
    retentionDays: t.exposeInt('retentionDays', {
      nullable: true,
      description: 'Older values are swept once a day; null = kept for good.',
    }),
  }),
});

export const MetricPoint = builder.objectRef<MetricPointModel>('MetricPoint').implement({
  description: 'One value as it was recorded, or several summed up over a bucket of time.',
  fields: (t) => ({
    timestamp: t.expose('timestamp', {
      type: 'DateTime',
      description: 'When it was measured; of a bucket, its beginning.',
    }),
    value: t.field({
      type: 'JSON',
      resolve: ({ value }) => value,
      description: "The value, in the definition's type; an average of whole numbers is a number.",
    }),
    dimensions: t.field({
      type: 'JSONObject',
      nullable: true,
      resolve: ({ dimensions }) => dimensions,
      description: 'What it was recorded with; of a bucket, what was asked for.',
    }),
  }),
});

const MetricSeries = builder.objectRef<Series>('MetricSeries').implement({
  description:
    'The values of one metric of one thing over a time: those you recorded, or that your own runs caused; for an admin, all.',
  fields: (t) => ({
    definition: t.field({
      type: MetricDefinition,
      resolve: ({ definition }) => definition,
      description: 'What is measured, and how several values become one.',
    }),
    entityId: t.exposeID('entityId', { description: 'Of which thing.' }),
    aggregate: t.field({
      type: 'JSON',
      nullable: true,
      resolve: (series, _args, context) => aggregateOfSeries(context, series),
      description:
        "All of the time as one value, by the definition's aggregation; null where there is none.",
    }),
    points: t.field({
      type: [MetricPoint],
      args: {
        first: t.arg.int({
          description: `How many, oldest first; ${POINTS_DEFAULT} if nothing is said, at most ${POINTS_MAX}. For later ones move \`from\`.`,
        }),
      },
      complexity: ({ first }) => ({
        field: 1,
        multiplier: Math.max(1, Math.min(first ?? POINTS_DEFAULT, POINTS_MAX)),
      }),
      resolve: (series, { first }, context) => pointsOfSeries(context, series, first ?? null),
      description: 'The values, or the buckets that were asked for.',
    }),
  }),
});

builder.queryFields((t) => ({
  metricDefinitions: t.field({
    type: [MetricDefinition],
    description: 'What is measured, by scope and name; at most 500.',
    args: { scope: t.arg({ type: MetricScope, description: 'Only of this kind of thing.' }) },
    resolve: (_root, { scope }, { graph }) =>
      graph.read((tx) => listMetricDefinitions(tx, scope ?? null)),
  }),
  metricSeries: t.field({
    type: MetricSeries,
    nullable: true,
    description:
      'One metric of one thing; null where one of them is not there or not yours to see.',
    args: {
      metricId: t.arg.id({ required: true, description: 'The MetricDefinition.' }),
      entityId: t.arg.id({ required: true, description: 'The thing; of the scope of the metric.' }),
      from: t.arg({
        type: 'DateTime',
        description: 'From then on; by default 24 hours before `to`.',
      }),
      to: t.arg({ type: 'DateTime', description: 'Until then, left out itself; by default now.' }),
      bucketSeconds: t.arg.float({
        description: `Sum up over so many seconds, at most ${POINTS_MAX} buckets; of aiden_… metrics, whole minutes.`,
      }),
      dimensions: t.arg({
        type: 'JSONObject',
        description: 'Only values that were recorded with these.',
      }),
    },
    resolve: async (_root, { metricId, entityId, ...args }, context) => {
      const { definition, isVisible } = await context.graph.read((tx) =>
        findMeasured(tx, viewerOf(context), { metricId, entityId }),
      );
      const window = windowOf(args, context.clock.nowMs());
      refuse(checkSeries(args, window, definition));
      return definition === null || !isVisible
        ? null
        : seriesOf(definition, entityId, args, window);
    },
  }),
}));

/** `metrics` of a thing the viewer sees already: each series that has values in the window. */
const metricsField = (type: typeof Service | typeof Tool, scope: MetricScopeName) =>
  builder.objectField(type as typeof Service, 'metrics', (t) =>
    t.field({
      type: [MetricSeries],
      description:
        'What was measured of it in this time, as far as you see it; only metrics that have values, at most 50.',
      // What is there is not known before; Aiden's own metrics are six.
      complexity: { field: 1, multiplier: 6 },
      args: {
        from: t.arg({
          type: 'DateTime',
          description: 'From then on; by default 24 hours before `to`.',
        }),
        to: t.arg({ type: 'DateTime', description: 'Until then; by default now.' }),
      },
      resolve: ({ id }, args, context) => measuredOf(context, { scope, id, args }),
    }),
  );
metricsField(Service, 'service');
metricsField(Tool, 'tool');

const name = 'How it is called; not taken within its scope, and not aiden_….';
const retentionDays = 'Older values are swept; 1 to 3650 days. Absent or null = kept for good.';

const CreateMetricDefinitionInput = builder.inputType('CreateMetricDefinitionInput', {
  description: 'Something new to measure.',
  fields: (t) => ({
    name: t.string({ required: true, description: name }),
    description: t.string({ description: 'What it tells.' }),
    scope: t.field({ type: MetricScope, required: true, description: 'What it measures.' }),
    aggregation: t.field({
      type: MetricAggregation,
      required: true,
      description: 'How several values become one; timestamps have no sum.',
    }),
    dataType: t.field({ type: MetricDataType, required: true, description: 'What a value is.' }),
    retentionDays: t.int({ description: retentionDays }),
  }),
});
const UpdateMetricDefinitionInput = builder.inputType('UpdateMetricDefinitionInput', {
  description: 'What changes of a metric; what is not named stays.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The input.' }),
    name: t.string({ description: name }),
    description: t.string({ description: 'What it tells.' }),
    aggregation: t.field({
      type: MetricAggregation,
      description: 'How several values become one.',
    }),
    retentionDays: t.int({ description: retentionDays }),
  }),
});
const RecordMetricInput = builder.inputType('RecordMetricInput', {
  description: 'One value, for good.',
  fields: (t) => ({
    metricId: t.id({ required: true, description: 'The MetricDefinition.' }),
    entityId: t.id({ required: true, description: 'A thing of its scope that you see.' }),
    value: t.field({ type: 'JSON', required: true, description: "In the definition's dataType." }),
    timestamp: t.field({ type: 'DateTime', description: 'When it was measured; by default now.' }),
    dimensions: t.field({
      type: 'JSONObject',
      description: 'To filter by: at most 16 names, each with a text, a number or true or false.',
    }),
  }),
});

const MetricDefinitionPayload = payloadType(
  'MetricDefinitionPayload',
  'metricDefinition',
  MetricDefinition,
);
const RecordMetricPayload = payloadType('RecordMetricPayload', 'point', MetricPoint);

builder.mutationFields((t) => ({
  createMetricDefinition: t.field({
    type: MetricDefinitionPayload,
    authScopes: { admin: true },
    description: 'Defines a metric. Only for admins.',
    args: {
      input: t.arg({
        type: CreateMetricDefinitionInput,
        required: true,
        description: 'The metric.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('metricDefinition', () => createMetricDefinition(context, viewerOf(context), input)),
  }),
  updateMetricDefinition: t.field({
    type: MetricDefinitionPayload,
    authScopes: { admin: true },
    description: 'Changes a metric. Only for admins.',
    args: {
      input: t.arg({
        type: UpdateMetricDefinitionInput,
        required: true,
        description: 'The changes.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('metricDefinition', () => updateMetricDefinition(context, viewerOf(context), input)),
  }),
  deleteMetricDefinition: t.field({
    type: DeletePayload,
    authScopes: { admin: true },
    description: 'Deletes a metric; one that has values only with `cascade`. Only for admins.',
    args: {
      id: t.arg.id({ required: true, description: 'The input.' }),
      cascade: t.arg.boolean({
        defaultValue: false,
        description: 'Whether its values go with it.',
      }),
    },
    resolve: (_root, args, context) =>
      payload(
        'deletedId',
        () => deleteMetricDefinition(context, viewerOf(context), args),
        'arguments',
      ),
  }),
  recordMetric: t.field({
    type: RecordMetricPayload,
    description: 'Records one value of a thing you see. Values are only ever added.',
    args: {
      input: t.arg({ type: RecordMetricInput, required: true, description: 'The value.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('point', () =>
        recordMetric(context, viewerOf(context), { ...input, value: input.value ?? null }),
      ),
  }),
}));
