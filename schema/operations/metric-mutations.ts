import {
  createMetricDefinition,
  deleteMetricDefinition,
  updateMetricDefinition,
} from '../../src/metrics/metric.mutations.ts';
import { recordMetric } from '../../src/metrics/value.mutations.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { DeletePayload, payload, payloadType } from '../payload.ts';
import {
  MetricAggregation,
  MetricDataType,
  MetricDefinition,
  MetricPoint,
  MetricScope,
} from './metrics.ts';

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
    id: t.id({ required: true, description: 'Which.' }),
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
        description: 'What changes.',
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
      id: t.arg.id({ required: true, description: 'Which.' }),
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
