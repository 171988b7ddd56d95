import { z } from 'zod';
import { JsonValue, jsonText, orNull, textOrNull } from '../common/stored.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../platform/neo4j/row.ts';
import { readAll, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { RUN_ORIGINS } from '../runs/run/run-origin.ts';
import { CALL_STATUSES, type OperationRef } from './call.ts';
import type { FileCall, FileEdge } from './call-file.ts';
import { textOf } from './recordable.ts';

const LIST_OPERATIONS = cypher`
  // listOperations
  MATCH (o:Operation)
  RETURN o.id AS id, o.name AS name, o.namespace AS namespace ORDER BY id
`;

const OperationRow = z.object({ id: z.string(), name: z.string(), namespace: z.string() });

export function listOperations(tx: ReadTx): Promise<OperationRef[]> {
  return readAll(tx, LIST_OPERATIONS, {}, (row) => parseRow(OperationRow, row, 'Operation'));
}

const EXPORT_CALLS = cypher`
  // exportCalls
  MATCH (n:CallGraphNode) WHERE n.requestId > $after AND ($ownerId IS NULL OR n.ownerId = $ownerId)
  WITH n ORDER BY n.requestId LIMIT $limit
  RETURN n {.id, .requestId, .operationId, .parentRequestId, .ownerId, .workspace, .rootRunId,
    .identity, .callerAccountId,
    .origin, .status, .input, .output, .error, .startedAt, .completedAt, .createdAt, .updatedAt,
    ._retentionExpiresAt} AS call
`;

/** Lists the next calls of all users, or of one owner, sorted by requestId. */
export const exportCalls = async (
  tx: ReadTx,
  page: { readonly after: string; readonly limit: number; readonly ownerId: string | null },
) => (await tx.run(EXPORT_CALLS, { ...page })).map((row) => toFileCall(row['call']));

const Payload = jsonText(JsonValue).nullable().default(null);
const CallRow = z.object({
  id: z.string(),
  requestId: z.string(),
  operationId: z.string(),
  parentRequestId: textOrNull,
  ownerId: z.string(),
  workspace: textOrNull,
  rootRunId: textOrNull,
  origin: orNull(z.enum(RUN_ORIGINS)),
  identity: Payload,
  callerAccountId: textOrNull,
  status: z.enum(CALL_STATUSES),
  input: Payload,
  output: Payload,
  error: Payload,
  startedAt: textOrNull,
  completedAt: textOrNull,
  createdAt: z.string(),
  updatedAt: z.string(),
  _retentionExpiresAt: textOrNull,
});

function toFileCall(row: unknown): FileCall {
  const { _retentionExpiresAt: expires, ...call } = parseRow(CallRow, row, 'CallGraphNode');
  return {
    ...call,
    origin: call.origin ?? 'user',
    metadata: expires === null ? {} : { _retentionExpiresAt: expires },
  };
}

const EXPORT_EDGES = cypher`
  // exportCallEdges
  UNWIND $sources AS source
  MATCH (n:CallGraphNode {requestId: source})-[r:CALL_EDGE]->(m:CallGraphNode)
  RETURN r.id AS id, source, m.requestId AS target, r.edgeType AS edgeType,
    r.createdAt AS createdAt,
    coalesce(r.updatedAt, r.createdAt) AS updatedAt
  ORDER BY source, target, edgeType
`;

const EdgeRow = z.object({
  id: z.string(),
  source: z.string(),
  target: z.string(),
  edgeType: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export function exportEdges(tx: ReadTx, sources: readonly string[]): Promise<FileEdge[]> {
  return readAll(tx, EXPORT_EDGES, { sources }, (row) => parseRow(EdgeRow, row, 'CALL_EDGE'));
}

const IMPORT_OPERATIONS = cypher`
  // importOperations
  UNWIND $operations AS operation
  MERGE (o:Operation {id: operation.id})
  ON CREATE SET o.name = operation.name, o.namespace = operation.namespace, o.createdAt = datetime()
`;
// Existing calls are not changed: an import only adds.
const IMPORT_CALLS = cypher`
  // importCalls
  UNWIND $calls AS call
  MERGE (n:CallGraphNode {requestId: call.requestId})
  ON CREATE SET n = call, n.createdAt = datetime(call.createdAt),
    n.updatedAt = datetime(call.updatedAt),
    n.startedAt = datetime(call.startedAt), n.completedAt = datetime(call.completedAt),
    n._retentionExpiresAt = datetime(call._retentionExpiresAt)
  RETURN count(CASE WHEN n.id = call.id THEN 1 END) AS same
`;
const IMPORT_EDGES = cypher`
  // importCallEdges
  UNWIND $edges AS edge
  MATCH (source:CallGraphNode {requestId: edge.source})
  MATCH (target:CallGraphNode {requestId: edge.target})
  MERGE (source)-[r:CALL_EDGE {sourceId: source.id, targetId: target.id,
    edgeType: edge.edgeType}]->(target)
  ON CREATE SET r.id = edge.id, r.createdAt = datetime(edge.createdAt),
    r.updatedAt = datetime(edge.updatedAt)
`;

export const importOperations = (tx: WriteTx, operations: readonly OperationRef[]) =>
  runWrite(tx, IMPORT_OPERATIONS, { operations });

/** Inserts calls. @returns how many are stored as in the file; the rest existed as other calls */
export async function importCalls(tx: WriteTx, calls: readonly FileCall[]): Promise<number> {
  const rows = await tx.run(IMPORT_CALLS, {
    calls: calls.map(({ metadata, identity, input, output, error, ...call }) => ({
      ...call,
      identity: textOf(identity),
      input: textOf(input),
      output: textOf(output),
      error: textOf(error),
      _retentionExpiresAt: metadata._retentionExpiresAt ?? null,
    })),
  });
  return countOf(rows, 'same');
}

export async function importEdges(tx: WriteTx, edges: readonly FileEdge[]): Promise<void> {
  await tx.run(IMPORT_EDGES, { edges });
}
