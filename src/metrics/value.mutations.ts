import { instant } from '../common/clock.ts';
import type { Json, JsonObject } from '../common/json.ts';
import type { Maybe } from '../common/maybe.ts';
import { notFound, problem, refuse } from '../common/refusal.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import type { Viewer } from '../users/user.ts';
import { findMeasured } from './metric.cypher.ts';
import type { MetricDeps } from './metric.mutations.ts';
import {
  asType,
  checkDimensions,
  checkValue,
  dimensionsOf,
  METRIC_SKEW_MS_MAX,
  type MetricPoint,
  type MetricScope,
  measureOf,
  pairsOf,
} from './metric.ts';
import { insertMetricValue } from './value.cypher.ts';

export interface RecordMetric {
  readonly metricId: string;
  readonly entityId: string;
  readonly value: Json;
  /** Absent = now. */
  readonly timestamp?: Maybe<string>;
  readonly dimensions?: Maybe<JsonObject>;
}

/**
 * Appends one value of an entity that the viewer sees (S4-MVAL-02). The viewer and admins see the
 * value. Writes no outbox entry.
 * @throws Refusal NOT_FOUND, TYPE_MISMATCH, INVALID, IMMUTABLE, TOO_LARGE
 */
export async function recordMetric(
  deps: MetricDeps,
  viewer: Viewer,
  { metricId, entityId, value, timestamp, dimensions }: RecordMetric,
): Promise<MetricPoint> {
  const now = instant(deps.clock);
  const at = timestamp ?? now;
  return deps.graph.write(async (tx) => {
    // `deleteMetricDefinition` takes the same lock, so no value stays without its definition.
    await lockResources(tx, [metricId]);
    const { definition, isVisible } = await findMeasured(tx, viewer, { metricId, entityId });
    const measure = definition === null ? null : measureOf(definition.dataType, value);
    refuse([
      ...(definition === null ? [notFound('MetricDefinition', ['metricId'])] : []),
      ...(definition !== null && !isVisible
        ? [notFound(NOUNS[definition.scope], ['entityId'])]
        : []),
      ...(definition === null ? [] : checkValue(definition.dataType, value)),
      ...(definition?.builtIn ? [measuredByUs()] : []),
      ...(Date.parse(at) > deps.clock.nowMs() + METRIC_SKEW_MS_MAX ? [notYet()] : []),
      ...checkDimensions(dimensions),
    ]);
    if (definition === null || measure === null) throw new Error('Refused above.');
    const pairs = pairsOf(dimensions);
    await insertMetricValue(tx, {
      id: deps.newId(),
      metricId,
      entityId,
      ownerId: viewer.userId,
      at,
      recordedAt: now,
      value: measure,
      pairs,
    });
    return {
      timestamp: at,
      value: asType(definition.dataType, measure),
      dimensions: dimensionsOf(pairs),
    };
  });
}

const NOUNS: Record<MetricScope, string> = {
  service: 'Service',
  tool: 'Tool',
  process: 'Process',
  conversation: 'Conversation',
  worker: 'Worker',
};

const notYet = () => problem('INVALID', ['measuredAt'], 'This moment lies in the future.');
const measuredByUs = () =>
  problem('IMMUTABLE', ['metricId'], 'Aiden measures this by itself; nobody else records into it.');
