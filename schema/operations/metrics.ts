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
import { includeSystemArg } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { argFields, exposed, outputFields, required } from '../fields.ts';
import { Node, nodeType, Timestamped } from '../nodes.ts';
import { DeletePayload, inputOf, mutation, payloadType } from '../payload.ts';
import { aggregateOfSeries, measuredOf, pointsOfSeries } from './metric-loaders.ts';

export const MetricScope = enumOf('MetricScope', 'Kind of object that is measured.', {
  service: 'A Service, over all of its Tools.',
  tool: 'A Tool.',
  process: 'A Process, over all of its runs.',
  conversation: 'A Conversation, over all of its runs.',
  worker: 'A Worker. Only admins can see its metrics.',
});
export const MetricAggregation = enumOf(
  'MetricAggregation',
  'Aggregation of several values into one.',
  {
    sum: 'Sum.',
    avg: 'Arithmetic mean.',
    min: 'Minimum.',
    max: 'Maximum.',
    count: 'Number of values.',
    last: 'Latest value.',
  },
);
export const MetricDataType = enumOf('MetricDataType', 'Data type of a value.', {
  integer: 'A whole number.',
  float: 'A number.',
  boolean: 'true or false; aggregated as 1 and 0.',
  timestamp: 'A time in RFC 3339.',
});

export const MetricDefinition = nodeType<MetricDefinitionModel>('MetricDefinition', {
  label: 'MetricDefinition',
  load: (context, ids) => context.graph.read((tx) => findMetricDefinitions(tx, ids)),
});
MetricDefinition.implement({
  description:
    'A metric that can be recorded for objects of one kind. Admins define metrics; users ' +
    'record values of objects that they can see.',
  interfaces: [Node, Timestamped],
  fields: outputFields({
    name: [
      'String',
      'Unique name among the metrics of its scope. Aiden itself records the metrics named aiden_….',
    ],
    description: ['String?', 'Free-text description.'],
    scope: [MetricScope, 'Kind of object that it measures. Immutable.'],
    aggregation: [MetricAggregation, 'Aggregation of several values.'],
    dataType: [MetricDataType, 'Data type of its values. Immutable.'],
    retentionDays: ['Int?', 'Days until a value is deleted, by a daily job; null: never.'],
  }),
});

export const MetricPoint = builder.objectRef<MetricPointModel>('MetricPoint').implement({
  description: 'One recorded value, or the aggregate of a bucket of time.',
  fields: outputFields({
    measuredAt: ['DateTime', 'Time of the value, or start of the bucket.', 'timestamp'],
    value: ['JSON', "The value, in the metric's data type. The average of integers is a float."],
    dimensions: [
      'JSONObject?',
      'Labels of the value, or the labels that the bucket was filtered by.',
    ],
  }),
});

const MetricSeries = builder.objectRef<Series>('MetricSeries').implement({
  description:
    'Values of one metric of one object over a time range: those that you recorded or that ' +
    'your own runs caused. Admins see all.',
  fields: (t) => ({
    ...exposed(t, {
      definition: [MetricDefinition, 'The metric.'],
      entityId: ['ID', 'Id of the measured object.'],
      aggregate: [
        'JSON?',
        "Aggregate of the whole time range, by the metric's aggregation; null without values.",
        (series, _args, context) => aggregateOfSeries(context, series),
      ],
    }),
    points: t.field({
      type: [MetricPoint],
      args: argFields(t, {
        first: [
          'Int',
          `Number of points, oldest first. Default ${POINTS_DEFAULT}, at most ${POINTS_MAX}. ` +
            `Move \`from\` to read later points.`,
        ],
      }),
      complexity: ({ first }) => ({
        field: 1,
        multiplier: Math.max(1, Math.min(first ?? POINTS_DEFAULT, POINTS_MAX)),
      }),
      resolve: (series, { first }, context) => pointsOfSeries(context, series, first ?? null),
      description: 'The values, or the requested buckets.',
    }),
  }),
});

builder.queryFields((t) => ({
  metricDefinitions: t.field({
    type: [MetricDefinition],
    description: 'All metrics, by scope and name, at most 500.',
    args: argFields(t, { scope: [MetricScope, 'Only metrics of this kind of object.'] }),
    resolve: (_root, { scope }, { graph }) =>
      graph.read((tx) => listMetricDefinitions(tx, scope ?? null)),
  }),
  metricSeries: t.field({
    type: MetricSeries,
    nullable: true,
    description: 'One metric of one object; null if either does not exist or you cannot see it.',
    args: {
      ...argFields(t, {
        metricId: ['ID!', 'Id of the MetricDefinition.'],
        entityId: ['ID!', 'Id of the measured object. Its kind must be the scope of the metric.'],
        from: ['DateTime', 'Start of the time range, inclusive. Default: 24 hours before `to`.'],
        to: ['DateTime', 'End of the time range, exclusive. Default: now.'],
        bucketSeconds: [
          'Float',
          `Length of a bucket in seconds, at most ${POINTS_MAX} buckets. Whole minutes for ` +
            'aiden_… metrics. Default: no buckets.',
        ],
        dimensions: ['JSONObject', 'Only values recorded with these labels.'],
      }),
      includeSystem: includeSystemArg(t),
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

/** The field `metrics` of a visible object: each series with values in the time range. */
const metricsField = (type: typeof Service | typeof Tool, scope: MetricScopeName) =>
  builder.objectField(type as typeof Service, 'metrics', (t) =>
    t.field({
      type: [MetricSeries],
      description:
        'Metrics of the object with values in this time range that you can see, at most 50.',
      // The number of series is not known before the query runs. Aiden's own metrics are six.
      complexity: { field: 1, multiplier: 6 },
      args: {
        ...argFields(t, {
          from: ['DateTime', 'Start of the time range, inclusive. Default: 24 hours before `to`.'],
          to: ['DateTime', 'End of the time range. Default: now.'],
        }),
        includeSystem: includeSystemArg(t),
      },
      resolve: ({ id }, args, context) => measuredOf(context, { scope, id, args }),
    }),
  );
metricsField(Service, 'service');
metricsField(Tool, 'tool');

const name = 'Name, unique within the scope and not starting with aiden_.';
const retentionDays = 'Days until a value is deleted, 1 to 3650. Null or absent: never.';

const CreateMetricDefinitionInput = inputOf(
  'CreateMetricDefinitionInput',
  'Input for a new metric.',
  {
    name: ['String!', name],
    description: ['String', 'Free-text description.'],
    scope: [required(MetricScope), 'Kind of object that it measures.'],
    aggregation: [
      required(MetricAggregation),
      'Aggregation of several values. Timestamps cannot be summed.',
    ],
    dataType: [required(MetricDataType), 'Data type of a value.'],
    retentionDays: ['Int', retentionDays],
  },
);
const UpdateMetricDefinitionInput = inputOf(
  'UpdateMetricDefinitionInput',
  'Changes to a metric. Omitted fields stay unchanged.',
  {
    id: ['ID!', 'Id of the metric.'],
    name: ['String', name],
    description: ['String', 'Free-text description.'],
    aggregation: [MetricAggregation, 'Aggregation of several values.'],
    retentionDays: ['Int', retentionDays],
  },
);
const RecordMetricInput = inputOf('RecordMetricInput', 'Input for one immutable value.', {
  metricId: ['ID!', 'Id of the MetricDefinition.'],
  entityId: ['ID!', "Id of an object of the metric's scope that you can see."],
  value: ['JSON!', "The value, in the metric's data type."],
  measuredAt: ['DateTime', 'Time of the measurement. Default: now.'],
  dimensions: [
    'JSONObject',
    'Labels to filter by: at most 16 names, each with a string, number or boolean.',
  ],
});

const MetricDefinitionPayload = payloadType(
  'MetricDefinitionPayload',
  'metricDefinition',
  MetricDefinition,
);
const RecordMetricPayload = payloadType('RecordMetricPayload', 'point', MetricPoint);

const DeleteMetricDefinitionInput = inputOf(
  'DeleteMetricDefinitionInput',
  'Input of deleteMetricDefinition.',
  {
    id: ['ID!', 'Id of the metric.'],
    cascade: ['Boolean', 'Whether to delete its values too. Default false.', false],
  },
);

mutation('createMetricDefinition', {
  description: 'Defines a metric. Only for admins.',
  admin: true,
  input: [CreateMetricDefinitionInput, 'The new metric.'],
  payload: MetricDefinitionPayload,
  run: createMetricDefinition,
});
mutation('updateMetricDefinition', {
  description: 'Changes a metric. Only for admins.',
  admin: true,
  input: [UpdateMetricDefinitionInput, 'The changes.'],
  payload: MetricDefinitionPayload,
  run: updateMetricDefinition,
});
mutation('deleteMetricDefinition', {
  description: 'Deletes a metric. If it has values, `cascade` is required. Only for admins.',
  admin: true,
  input: [DeleteMetricDefinitionInput, 'The metric.'],
  payload: DeletePayload,
  run: deleteMetricDefinition,
});
mutation('recordMetric', {
  description: 'Records one value of an object that you can see. Recorded values are immutable.',
  input: [RecordMetricInput, 'The value.'],
  payload: RecordMetricPayload,
  run: (context, viewer, { measuredAt, ...input }) =>
    recordMetric(context, viewer, {
      ...input,
      timestamp: measuredAt,
      value: input.value ?? null,
    }),
});
