import type { OperationType } from '../catalog/tools/operation.ts';
import type { Instant } from '../common/clock.ts';
import { WORKER_OFFLINE_SECONDS } from '../common/limits.ts';
import { type OutboxEntry, systemEntry } from '../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../platform/neo4j/row.ts';
import type { BaseDeps } from '../users/user.ts';
import { WORKER_CHANGED, WORKER_FORGOTTEN_SECONDS, Worker } from './worker.ts';

// A Worker points at what it works on only while it does (S4-WRK-06); ends a statement that has set the status of `worker`.
const WORKS_NO_MORE = /* cypher */ `
  WITH worker
  CALL (worker) {
    MATCH (worker)-[at:PROCESSES|EXECUTES]->() WHERE worker.currentJobId IS NULL
    DELETE at
  }
  RETURN worker.id AS id
`;

// A restarted process takes over nodes that went offline, so counts live on and nodes do not pile up. The queue's node is
// locked first: two processes that start at once must not adopt the same Worker.
const REGISTER_WORKERS = /* cypher */ `
  // registerWorkers
  MERGE (queue:WorkerQueue {name: $taskQueue})
  SET queue.registeredAt = datetime($now)
  WITH queue
  OPTIONAL MATCH (old:Worker {taskQueue: queue.name, status: 'offline'})
  WITH queue, old ORDER BY old.createdAt
  WITH queue, collect(old)[..size($newIds)] AS adopted
  CALL (queue, adopted) {
    UNWIND adopted AS worker
    RETURN worker
    UNION ALL
    UNWIND $newIds[size(adopted)..] AS id
    CREATE (worker:Worker:Resource {id: id, type: $type, taskQueue: $taskQueue, processedCount: 0, errorCount: 0,
                                    createdAt: datetime($now)})
    CREATE (worker)-[:TAKES_FROM]->(queue)
    RETURN worker
  }
  SET worker.status = 'idle', worker.currentJobId = null, worker.instance = $instance,
      worker.lastHeartbeat = datetime($now), worker.updatedAt = datetime($now)
  ${WORKS_NO_MORE}
`;

/** Puts `newIds.length` Workers of one pool in place for this process (`instance`) and returns their ids. */
export async function registerWorkers(
  tx: WriteTx,
  input: {
    readonly type: OperationType;
    readonly taskQueue: string;
    readonly instance: string;
    readonly newIds: readonly string[];
    readonly now: Instant;
  },
): Promise<string[]> {
  const rows = await tx.run(REGISTER_WORKERS, { ...input });
  return textsOf(rows, 'id', 'Worker');
}

// A Worker that is idle in its process but has been busy in the graph since before the last beat lost its step on the way
// (a crash between its two transactions), and is put right here.
const BEAT_WORKERS = /* cypher */ `
  // beatWorkers
  UNWIND $beats AS beat
  MATCH (worker:Worker {id: beat.workerId}) WHERE worker.instance = $instance
  WITH worker, worker.status = 'offline' OR (
         NOT beat.isBusy AND worker.status = 'busy' AND worker.updatedAt < datetime($lastBeatAt)) AS isWrong
  SET worker.lastHeartbeat = datetime($now),
      worker.updatedAt = CASE WHEN isWrong THEN datetime($now) ELSE worker.updatedAt END,
      worker.status = CASE WHEN isWrong THEN 'idle' ELSE worker.status END,
      worker.currentJobId = CASE WHEN isWrong THEN null ELSE worker.currentJobId END
  ${WORKS_NO_MORE}
`;

/** One statement per process and beat. Returns the Workers that are still this process's own. */
export async function beatWorkers(
  tx: WriteTx,
  input: {
    readonly instance: string;
    readonly beats: readonly { readonly workerId: string; readonly isBusy: boolean }[];
    readonly lastBeatAt: Instant;
    readonly now: Instant;
  },
): Promise<Set<string>> {
  const beats = input.beats.map(({ workerId, isBusy }) => ({ workerId, isBusy }));
  const rows = await tx.run(BEAT_WORKERS, { ...input, beats });
  return new Set(textsOf(rows, 'id', 'Worker'));
}

const RETIRE_WORKERS = /* cypher */ `
  // retireWorkers
  MATCH (worker:Worker) WHERE worker.id IN $ids AND worker.instance = $instance
  SET worker.status = 'offline', worker.currentJobId = null, worker.updatedAt = datetime($now)
  ${WORKS_NO_MORE}
`;

/** A process that ends says so, and its Workers need not be waited for. */
export async function retireWorkers(
  tx: WriteTx,
  input: { readonly ids: readonly string[]; readonly instance: string; readonly now: Instant },
): Promise<void> {
  await tx.run(RETIRE_WORKERS, { ...input });
}

const REAP_WORKERS = /* cypher */ `
  // reapWorkers
  MATCH (worker:Worker)
  WHERE worker.status <> 'offline' AND worker.lastHeartbeat < datetime($now) - duration({seconds: $offlineSeconds})
  SET worker.status = 'offline', worker.currentJobId = null, worker.updatedAt = datetime($now)
  ${WORKS_NO_MORE}
`;

/** Marks as offline who has been silent for 20 s (S4-WRK-03) and returns their ids. */
export async function reapWorkers(tx: WriteTx, now: Instant): Promise<string[]> {
  const rows = await tx.run(REAP_WORKERS, { now, offlineSeconds: WORKER_OFFLINE_SECONDS });
  return textsOf(rows, 'id', 'Worker');
}

const FORGET_WORKERS = /* cypher */ `
  // forgetWorkers
  MATCH (worker:Worker {status: 'offline'})
  WHERE worker.lastHeartbeat < datetime($now) - duration({seconds: $forgottenSeconds})
  WITH worker LIMIT 500
  DETACH DELETE worker
`;

/** Decommissions Workers that have been silent for a day (S4-WRK-04). */
export async function forgetWorkers(tx: WriteTx, now: Instant): Promise<void> {
  await tx.run(FORGET_WORKERS, { now, forgottenSeconds: WORKER_FORGOTTEN_SECONDS });
}

/** The entry that tells subscribers of a change of these Workers: ids only, the rest is read when it is shown. */
export function workerEntries(deps: BaseDeps, workerIds: readonly string[]): OutboxEntry[] {
  if (workerIds.length === 0) return [];
  return [systemEntry(deps, WORKER_CHANGED, { workerIds: [...workerIds] })];
}

// A property that was set to null is not there, so it is named.
const WORKER = 'worker {.*, currentJobId: worker.currentJobId}';

const FIND_WORKERS = /* cypher */ `
  // findWorkers
  MATCH (worker:Worker) WHERE worker.id IN $ids
  RETURN ${WORKER} AS worker
`;

/** Workers by id, each once, in no order. */
export async function findWorkers(tx: ReadTx, ids: readonly string[]): Promise<Worker[]> {
  const rows = await tx.run(FIND_WORKERS, { ids });
  return rows.map((row) => parseRow(Worker, row['worker'], 'Worker'));
}

const FIND_CHANGED_WORKERS = /* cypher */ `
  // findChangedWorkers
  CALL () {
    MATCH (worker:Worker) WHERE worker.id IN $ids
    RETURN worker
    UNION
    MATCH (step:StepRun) WHERE step.key IN $stepKeys
    MATCH (worker:Worker {id: step.workerId})
    RETURN worker
  }
  RETURN ${WORKER} AS worker ORDER BY worker.id
`;

/** Workers by id, and those that took these steps; each once. */
export async function findChangedWorkers(
  tx: ReadTx,
  changed: { readonly ids: readonly string[]; readonly stepKeys: readonly string[] },
): Promise<Worker[]> {
  const rows = await tx.run(FIND_CHANGED_WORKERS, { ...changed });
  return rows.map((row) => parseRow(Worker, row['worker'], 'Worker'));
}

const LIST_WORKERS = /* cypher */ `
  // listWorkers
  MATCH (worker:Worker)
  WHERE ($type IS NULL OR worker.type = $type) AND ($status IS NULL OR worker.status = $status)
  RETURN ${WORKER} AS worker
  ORDER BY worker.taskQueue, worker.id LIMIT $limit
`;

/** The pools as they are; the longest answer has `limit` Workers. */
export async function listWorkers(
  tx: ReadTx,
  filter: { readonly type: string | null; readonly status: string | null; readonly limit: number },
): Promise<Worker[]> {
  const rows = await tx.run(LIST_WORKERS, { ...filter });
  return rows.map((row) => parseRow(Worker, row['worker'], 'Worker'));
}
