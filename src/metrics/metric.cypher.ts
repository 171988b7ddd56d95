import { ownerIdsOf } from '../catalog/access.ts';
import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { ReadTx, Row, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../platform/neo4j/row.ts';
import { readAll, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { isAdmin, type Viewer } from '../users/user.ts';
import { METRIC_DEFINITIONS_MAX, MetricDefinition, type MetricScope } from './metric.ts';

// Neo4j stores no nulls, so nullable properties are named: absent ones are returned as null.
const DEFINITION = `d {.*, description: d.description, retentionDays: d.retentionDays,
  builtIn: coalesce(d.builtIn, false)}`;

export function toDefinition(row: Row | undefined, key = 'definition'): MetricDefinition | null {
  return row?.[key] == null ? null : parseRow(MetricDefinition, row[key], 'MetricDefinition');
}

const FIND_DEFINITIONS = cypher`
  // findMetricDefinitions
  MATCH (d:MetricDefinition) WHERE d.id IN $ids
  RETURN ${DEFINITION} AS definition
`;

/** Every user sees all definitions. Batched for the request loader. */
export const findMetricDefinitions = (tx: ReadTx, ids: readonly string[]) =>
  readAll(tx, FIND_DEFINITIONS, { ids }, (row) =>
    parseRow(MetricDefinition, row['definition'], 'MetricDefinition'),
  );

const LIST_DEFINITIONS = cypher`
  // listMetricDefinitions
  MATCH (d:MetricDefinition) WHERE $scope IS NULL OR d.scope = $scope
  RETURN ${DEFINITION} AS definition ORDER BY d.scope, d.name LIMIT $limit
`;

export const listMetricDefinitions = (tx: ReadTx, scope: MetricScope | null) =>
  readAll(tx, LIST_DEFINITIONS, { scope, limit: METRIC_DEFINITIONS_MAX }, (row) =>
    parseRow(MetricDefinition, row['definition'], 'MetricDefinition'),
  );

// Locks one node, so the count of definitions stays true until the commit.
const LOCK_DEFINITIONS = cypher`
  // lockMetricDefinitions
  MERGE (c:Counter {name: 'metricDefinitions'})
  SET c.lockedBy = $id
`;
const COUNT_DEFINITIONS = cypher`
  // countMetricDefinitions
  OPTIONAL MATCH (same:MetricDefinition {scope: $scope, name: $name}) WHERE same.id <> $id
  WITH count(same) > 0 AS isTaken
  RETURN isTaken, COUNT { MATCH (:MetricDefinition) } AS definitions
`;

/**
 * Serializes changes of definitions.
 * @returns whether another definition has this name, and the number of definitions
 */
export async function lockMetricNames(
  tx: WriteTx,
  named: { readonly id: string; readonly scope: MetricScope; readonly name: string },
): Promise<{ readonly isTaken: boolean; readonly definitions: number }> {
  await tx.run(LOCK_DEFINITIONS, { id: named.id });
  const rows = await tx.run(COUNT_DEFINITIONS, named);
  return { isTaken: rows[0]?.['isTaken'] === true, definitions: countOf(rows, 'definitions') };
}

const SAVE_DEFINITION = cypher`
  // saveMetricDefinition
  MERGE (d:MetricDefinition {id: $definition.id})
  SET d:Resource, d = $definition, d.createdAt = datetime($definition.createdAt),
    d.updatedAt = datetime($definition.updatedAt)
  WITH d
  ${CREATE_ENTRIES}
`;

export const saveMetricDefinition = (
  tx: WriteTx,
  definition: MetricDefinition,
  entry: OutboxEntry,
) => runWrite(tx, SAVE_DEFINITION, { definition, entries: entryParams([entry]) });

const HAS_VALUES = cypher`
  // hasMetricValues
  OPTIONAL MATCH (v:MetricValue) WHERE v.metricId = $id
  WITH v LIMIT 1
  RETURN v IS NOT NULL AS hasValues
`;

export async function hasMetricValues(tx: ReadTx, id: string): Promise<boolean> {
  const [row] = await tx.run(HAS_VALUES, { id });
  return row?.['hasValues'] === true;
}

const DELETE_DEFINITION = cypher`
  // deleteMetricDefinition
  MATCH (d:MetricDefinition {id: $id})
  DETACH DELETE d
  WITH count(*) AS deleted
  ${CREATE_ENTRIES}
`;

export const deleteDefinitionNode = (tx: WriteTx, id: string, entry: OutboxEntry) =>
  runWrite(tx, DELETE_DEFINITION, { id, entries: entryParams([entry]) });

const DELETE_VALUES = cypher`
  // deleteMetricValues
  MATCH (v:MetricValue) WHERE v.metricId = $id
  WITH v LIMIT $limit
  DELETE v
  RETURN count(*) AS deleted
`;
const DELETE_OLD_VALUES = cypher`
  // deleteOldMetricValues
  MATCH (v:MetricValue) WHERE v.metricId = $id AND v.at < datetime($before)
  WITH v LIMIT $limit
  DELETE v
  RETURN count(*) AS deleted
`;

/**
 * Deletes up to `limit` values of one metric, of all times or before a moment.
 * @returns how many
 */
export async function deleteMetricValues(
  tx: WriteTx,
  input: { readonly id: string; readonly before: string | null; readonly limit: number },
): Promise<number> {
  const statement = input.before === null ? DELETE_VALUES : DELETE_OLD_VALUES;
  return countOf(await tx.run(statement, input), 'deleted');
}

// The entities of a scope that the viewer sees; only admins see Workers (docs/decisions/0016).
const IS_VISIBLE = /* cypher */ `
  CASE d.scope
    WHEN 'worker' THEN e:Worker AND $isAdmin
    WHEN 'conversation' THEN e:Conversation AND e.ownerId = $viewerId
    ELSE ((d.scope = 'service' AND e:Service) OR (d.scope = 'tool' AND e:Tool)
      OR (d.scope = 'process' AND e:Process))
      AND (e.shared OR EXISTS { (e)-[:OWNED_BY]->(o:User) WHERE o.id IN $ownerIds })
  END
`;

const FIND_MEASURED = cypher`
  // findMeasured
  OPTIONAL MATCH (d:MetricDefinition {id: $metricId})
  OPTIONAL MATCH (e:Resource {id: $entityId}) WHERE ${IS_VISIBLE}
  RETURN ${DEFINITION} AS definition, e IS NOT NULL AS isVisible
`;

/** A definition, and whether the viewer sees this entity of the definition's scope. */
export async function findMeasured(
  tx: ReadTx,
  viewer: Viewer,
  { metricId, entityId }: { readonly metricId: string; readonly entityId: string },
): Promise<{ readonly definition: MetricDefinition | null; readonly isVisible: boolean }> {
  const [row] = await tx.run(FIND_MEASURED, {
    metricId,
    entityId,
    isAdmin: isAdmin(viewer),
    viewerId: viewer.userId,
    ownerIds: ownerIdsOf(viewer),
  });
  return { definition: toDefinition(row), isVisible: row?.['isVisible'] === true };
}
