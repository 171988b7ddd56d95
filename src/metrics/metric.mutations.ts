import { checkDescription, checkName, givenFields } from '../catalog/text-checks.ts';
import { type Clock, instant } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';
import type { Maybe } from '../common/maybe.ts';
import { found, type Problem, problem, Refusal, refuse } from '../common/refusal.ts';
import { type OutboxEntry, systemEntry } from '../outbox/entry.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import { brokenConstraint, type Graph, type WriteTx } from '../platform/neo4j/graph.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import { isAdmin, type Viewer } from '../users/user.ts';
import {
  deleteDefinitionNode,
  deleteMetricValues,
  findMetricDefinitions,
  hasMetricValues,
  lockMetricNames,
  saveMetricDefinition,
} from './metric.cypher.ts';
import {
  BUILT_IN_PREFIX,
  checkAggregation,
  checkRetention,
  METRIC_DEFINITIONS_MAX,
  type MetricAggregation,
  type MetricDataType,
  type MetricDefinition,
  type MetricScope,
} from './metric.ts';

export interface MetricDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  wake(): void;
}

export interface CreateMetricDefinition {
  readonly name: string;
  readonly description?: Maybe<string>;
  readonly scope: MetricScope;
  readonly aggregation: MetricAggregation;
  readonly dataType: MetricDataType;
  readonly retentionDays?: Maybe<number>;
}

export interface UpdateMetricDefinition {
  readonly id: string;
  readonly name?: Maybe<string>;
  readonly description?: Maybe<string>;
  readonly aggregation?: Maybe<MetricAggregation>;
  /** null = keep values for ever. */
  readonly retentionDays?: Maybe<number>;
}

/**
 * Creates a definition (S4-MET-01, S4-MET-02, S4-MET-03).
 * @throws Refusal FORBIDDEN, REQUIRED, INVALID, TYPE_MISMATCH, TAKEN, TOO_LARGE
 */
export async function createMetricDefinition(
  deps: MetricDeps,
  viewer: Viewer,
  input: CreateMetricDefinition,
): Promise<MetricDefinition> {
  refuse(checkAdmin(viewer));
  const now = instant(deps.clock);
  const definition: MetricDefinition = {
    id: deps.newId(),
    name: input.name,
    description: input.description ?? null,
    scope: input.scope,
    aggregation: input.aggregation,
    dataType: input.dataType,
    retentionDays: input.retentionDays ?? null,
    builtIn: false,
    createdAt: now,
    updatedAt: now,
  };
  await taking(
    deps.graph.write(async (tx) => {
      const { isTaken, definitions } = await lockMetricNames(tx, definition);
      refuse([
        ...checkMetricName(input.name),
        ...checkRest(definition),
        ...(isTaken ? [taken()] : []),
        ...(definitions >= METRIC_DEFINITIONS_MAX ? [tooMany()] : []),
      ]);
      await saveMetricDefinition(tx, definition, metricEntry(deps, viewer, 'created', definition));
    }),
  );
  deps.wake();
  return definition;
}

/**
 * Scope and data type can not change, because stored values depend on them.
 * @throws Refusal FORBIDDEN, NOT_FOUND, IMMUTABLE, REQUIRED, INVALID, TYPE_MISMATCH, TAKEN
 */
export async function updateMetricDefinition(
  deps: MetricDeps,
  viewer: Viewer,
  input: UpdateMetricDefinition,
): Promise<MetricDefinition> {
  refuse(checkAdmin(viewer));
  const changed = await taking(
    deps.graph.write(async (tx) => {
      const old = await lockDefinition(tx, input.id);
      const definition: MetricDefinition = {
        ...old,
        name: input.name ?? old.name,
        description: input.description === undefined ? old.description : input.description,
        aggregation: input.aggregation ?? old.aggregation,
        retentionDays: input.retentionDays === undefined ? old.retentionDays : input.retentionDays,
        updatedAt: instant(deps.clock),
      };
      const isRenamed = definition.name !== old.name;
      const { isTaken } = isRenamed ? await lockMetricNames(tx, definition) : NAME_KEPT;
      refuse([
        ...checkBuiltIn(old, input),
        ...(isRenamed ? checkMetricName(definition.name) : []),
        ...checkRest(definition),
        ...(isTaken ? [taken()] : []),
      ]);
      const entry = metricEntry(deps, viewer, 'updated', definition, givenFields(input));
      await saveMetricDefinition(tx, definition, entry);
      return definition;
    }),
  );
  deps.wake();
  return changed;
}

const NAME_KEPT = { isTaken: false };
/** The most values deleted per transaction. */
const DELETE_BATCH = 5_000;

/**
 * Deletes a definition; one with values only with `cascade` (S4-MET-04).
 * @throws Refusal FORBIDDEN, NOT_FOUND, IMMUTABLE, IN_USE
 */
export async function deleteMetricDefinition(
  deps: MetricDeps,
  viewer: Viewer,
  { id, cascade }: { readonly id: string; readonly cascade?: Maybe<boolean> },
): Promise<string> {
  refuse(checkAdmin(viewer));
  const checked = async (tx: WriteTx) => {
    const definition = await lockDefinition(tx, id);
    refuse(
      definition.builtIn
        ? [problem('IMMUTABLE', ['id'], 'Aiden measures this by itself; it can not be deleted.')]
        : [],
    );
    return definition;
  };
  if (cascade) {
    await deps.graph.write(checked);
    const batch = { id, before: null, limit: DELETE_BATCH };
    while ((await deps.graph.write((tx) => deleteMetricValues(tx, batch))) === DELETE_BATCH);
  }
  await writeAndWake(deps, async (tx) => {
    const definition = await checked(tx);
    if (!cascade && (await hasMetricValues(tx, id))) {
      const message = 'It has values. Delete it with cascade, and they go as well.';
      throw Refusal.of('IN_USE', ['id'], message);
    }
    // The lock blocks new values. The few recorded since the last batch are deleted here.
    if (cascade) await deleteMetricValues(tx, { id, before: null, limit: Number.MAX_SAFE_INTEGER });
    await deleteDefinitionNode(tx, id, metricEntry(deps, viewer, 'deleted', definition));
  });
  return id;
}

const taken = () => problem('TAKEN', ['name'], 'Another metric of this scope has this name.');
const tooMany = () =>
  problem(
    'TOO_LARGE',
    [],
    `There are ${METRIC_DEFINITIONS_MAX} metrics already, which is the most.`,
  );
const checkAdmin = (viewer: Viewer): Problem[] =>
  isAdmin(viewer) ? [] : [problem('FORBIDDEN', [], 'Only an admin defines metrics.')];

function checkMetricName(name: string): Problem[] {
  if (!name.toLowerCase().startsWith(BUILT_IN_PREFIX)) return checkName(name);
  return [
    problem(
      'INVALID',
      ['name'],
      `Names that begin with ${BUILT_IN_PREFIX} are Aiden's own metrics.`,
    ),
  ];
}

const checkRest = (definition: MetricDefinition): Problem[] => [
  ...checkDescription(definition.description),
  ...checkAggregation(definition.aggregation, definition.dataType),
  ...checkRetention(definition.retentionDays),
];

function checkBuiltIn(
  old: MetricDefinition,
  { name, aggregation }: UpdateMetricDefinition,
): Problem[] {
  if (!old.builtIn) return [];
  const refusal = (field: string) =>
    problem('IMMUTABLE', [field], `Aiden measures this by itself; its ${field} is for good.`);
  return [
    ...(name != null && name !== old.name ? [refusal('name')] : []),
    ...(aggregation != null && aggregation !== old.aggregation ? [refusal('aggregation')] : []),
  ];
}

async function lockDefinition(tx: WriteTx, id: string): Promise<MetricDefinition> {
  await lockResources(tx, [id]);
  return found(await findMetricDefinitions(tx, [id]), 'MetricDefinition');
}

/** Turns a violation of the unique constraint on names into the Refusal TAKEN. */
const taking = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (brokenConstraint(error)?.includes('MetricDefinition')) throw new Refusal([taken()]);
    throw error;
  });

function metricEntry(
  deps: MetricDeps,
  viewer: Viewer,
  what: 'created' | 'updated' | 'deleted',
  { id, name, scope }: MetricDefinition,
  fields: string[] = [],
): OutboxEntry {
  const payload = { id, name, scope, by: viewer.userId, fields };
  return systemEntry(deps, `metricDefinition.${what}`, payload);
}
