import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import { WORKER_OFFLINE_SECONDS } from '../common/limits.ts';
import { parseStored } from '../common/stored.ts';
import type { OperationType } from '../operations/operation.ts';
import { type OutboxEntry, systemEntry } from '../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../platform/neo4j/row.ts';
import { readAll, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import type { EndedWorker } from '../platform/telemetry/health.ts';
import type { BaseDeps } from '../users/user.ts';
import { BuildOnQueue } from './builds.ts';
import { WORKER_CHANGED, WORKER_FORGOTTEN_SECONDS, Worker } from './worker.ts';

// The end of a statement that has set the status of `worker`: an idle or offline Worker has no edge
// to a step (S4-WRK-06).
const DELETE_WORK_EDGES = /* cypher */ `
  WITH worker
  CALL (worker) {
    MATCH (worker)-[at:PROCESSES|EXECUTES]->() WHERE worker.currentJobId IS NULL
    DELETE at
  }
  RETURN worker.id AS id
`;

// A restarted process takes over offline nodes, so their counts go on and nodes do not accumulate.
// The queue's node is locked first, so that two processes can't adopt the same Worker.
const REGISTER_WORKERS = cypher`
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
    CREATE (worker:Worker:Resource {id: id, type: $type, taskQueue: $taskQueue,
      processedCount: 0, errorCount: 0, createdAt: datetime($now)})
    CREATE (worker)-[:TAKES_FROM]->(queue)
    RETURN worker
  }
  SET worker.status = 'idle', worker.currentJobId = null, worker.instance = $instance,
      worker.build = $build, worker.registeredAt = datetime(),
      worker.lastHeartbeat = datetime(), worker.updatedAt = datetime($now)
  ${DELETE_WORK_EDGES}
`;

/** Registers `newIds.length` Workers of a pool for this process (`instance`). @returns their ids */
export const registerWorkers = async (
  tx: WriteTx,
  input: {
    readonly type: OperationType;
    readonly taskQueue: string;
    readonly instance: string;
    /** Absent: Workers without a named build. */
    readonly build?: string | undefined;
    readonly newIds: readonly string[];
    readonly now: Instant;
  },
) =>
  textsOf(await tx.run(REGISTER_WORKERS, { ...input, build: input.build ?? null }), 'id', 'Worker');

// A Worker that is idle in its process, but busy in the graph since before the last beat, is reset
// to idle. Its process failed between the two transactions of a step.
const BEAT_WORKERS = cypher`
  // beatWorkers
  UNWIND $beats AS beat
  MATCH (worker:Worker {id: beat.workerId}) WHERE worker.instance = $instance
  WITH worker, worker.status = 'offline' OR (NOT beat.isBusy AND worker.status = 'busy'
         AND worker.updatedAt < datetime($lastBeatAt)) AS isWrong
  SET worker.lastHeartbeat = datetime(), worker.endedWorkers = $ended,
      worker.updatedAt = CASE WHEN isWrong THEN datetime($now) ELSE worker.updatedAt END,
      worker.status = CASE WHEN isWrong THEN 'idle' ELSE worker.status END,
      worker.currentJobId = CASE WHEN isWrong THEN null ELSE worker.currentJobId END
  ${DELETE_WORK_EDGES}
`;

/**
 * Writes the heartbeat of a process.
 * @param input.ended Temporal workers of the process that ended by themselves, for `health`
 * @returns ids of the Workers that still belong to it
 */
export async function beatWorkers(
  tx: WriteTx,
  input: {
    readonly instance: string;
    readonly beats: readonly { readonly workerId: string; readonly isBusy: boolean }[];
    readonly lastBeatAt: Instant;
    readonly now: Instant;
    readonly ended?: readonly EndedWorker[];
  },
): Promise<Set<string>> {
  const beats = input.beats.map(({ workerId, isBusy }) => ({ workerId, isBusy }));
  const { ended = [] } = input;
  const endedText = ended.length === 0 ? null : JSON.stringify(ended);
  const rows = await tx.run(BEAT_WORKERS, { ...input, beats, ended: endedText });
  return new Set(textsOf(rows, 'id', 'Worker'));
}

const LIST_ENDED_WORKERS = cypher`
  // listEndedWorkers
  MATCH (worker:Worker) WHERE worker.endedWorkers IS NOT NULL AND worker.status <> 'offline'
  RETURN DISTINCT worker.instance AS instance, worker.endedWorkers AS ended
  ORDER BY instance LIMIT $limit
`;

const EndedWorkers = z.array(
  z.object({
    taskQueue: z.string(),
    ends: z.number(),
    sinceMs: z.number(),
    isRunning: z.boolean(),
  }),
);
/** Processes with Workers, at most. */
const ENDED_PROCESSES_MAX = 100;

/** The Temporal workers of all processes that ended by themselves, as of their last heartbeats. */
export async function listEndedWorkers(tx: ReadTx): Promise<EndedWorker[]> {
  const rows = await tx.run(LIST_ENDED_WORKERS, { limit: ENDED_PROCESSES_MAX });
  return rows.flatMap(({ ended }) =>
    parseStored(EndedWorkers, JSON.parse(String(ended)), () => 'Worker'),
  );
}

const LIST_BUILDS = cypher`
  // listWorkerBuilds
  MATCH (worker:Worker)
  WHERE worker.taskQueue IN $taskQueues AND worker.status <> 'offline'
  RETURN worker.build AS build, worker.taskQueue AS taskQueue,
    min(coalesce(worker.registeredAt, worker.createdAt).epochMillis) AS sinceMs
`;

/** The builds of the Workers of these queues that are alive. */
export function listBuilds(tx: ReadTx, taskQueues: readonly string[]): Promise<BuildOnQueue[]> {
  return readAll(tx, LIST_BUILDS, { taskQueues }, (row) =>
    parseRow(BuildOnQueue, row, 'Build of Workers'),
  );
}

const RETIRE_WORKERS = cypher`
  // retireWorkers
  MATCH (worker:Worker) WHERE worker.id IN $ids AND worker.instance = $instance
  SET worker.status = 'offline', worker.currentJobId = null, worker.updatedAt = datetime($now)
  ${DELETE_WORK_EDGES}
`;

/** Marks the Workers of a process that ends as offline, without waiting for their timeout. */
export const retireWorkers = (
  tx: WriteTx,
  input: { readonly ids: readonly string[]; readonly instance: string; readonly now: Instant },
) => runWrite(tx, RETIRE_WORKERS, { ...input });

// Heartbeats are measured by Neo4j's clock, since those of the processes differ. A heartbeat of the
// future is from before that clock was set back: a Worker that is there sends the next one soon.
const REAP_WORKERS = cypher`
  // reapWorkers
  MATCH (worker:Worker)
  WHERE worker.status <> 'offline'
    AND (worker.lastHeartbeat < datetime() - duration({seconds: $offlineSeconds})
      OR worker.lastHeartbeat > datetime() + duration({seconds: $offlineSeconds}))
  SET worker.status = 'offline', worker.currentJobId = null, worker.updatedAt = datetime($now)
  ${DELETE_WORK_EDGES}
`;

/** Marks Workers as offline that were silent for 20 s (S4-WRK-03). @returns their ids */
export async function reapWorkers(tx: WriteTx, now: Instant): Promise<string[]> {
  const rows = await tx.run(REAP_WORKERS, { now, offlineSeconds: WORKER_OFFLINE_SECONDS });
  return textsOf(rows, 'id', 'Worker');
}

const FORGET_WORKERS = cypher`
  // forgetWorkers
  MATCH (worker:Worker {status: 'offline'})
  WHERE worker.lastHeartbeat < datetime() - duration({seconds: $forgottenSeconds})
  WITH worker LIMIT 500
  DETACH DELETE worker
`;

/** Deletes up to 500 Workers that have been silent for a day (S4-WRK-04). */
export async function forgetWorkers(tx: WriteTx): Promise<void> {
  await tx.run(FORGET_WORKERS, { forgottenSeconds: WORKER_FORGOTTEN_SECONDS });
}

/** The entry of a change of these Workers; none without ids. Subscribers read their state. */
export function workerEntries(deps: BaseDeps, workerIds: readonly string[]): OutboxEntry[] {
  if (workerIds.length === 0) return [];
  return [systemEntry(deps, WORKER_CHANGED, { workerIds: [...workerIds] })];
}

// A property set to null is absent from `.*`, so `currentJobId` is named.
const WORKER = 'worker {.*, currentJobId: worker.currentJobId}';

const FIND_WORKERS = cypher`
  // findWorkers
  MATCH (worker:Worker) WHERE worker.id IN $ids
  RETURN ${WORKER} AS worker
`;

/** Workers by id, each once, in any order. */
export function findWorkers(tx: ReadTx, ids: readonly string[]): Promise<Worker[]> {
  return readAll(tx, FIND_WORKERS, { ids }, (row) => parseRow(Worker, row['worker'], 'Worker'));
}

const FIND_CHANGED_WORKERS = cypher`
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

/** Workers by id, and the Workers of these steps; each once. */
export async function findChangedWorkers(
  tx: ReadTx,
  changed: { readonly ids: readonly string[]; readonly stepKeys: readonly string[] },
): Promise<Worker[]> {
  const rows = await tx.run(FIND_CHANGED_WORKERS, { ...changed });
  return rows.map((row) => parseRow(Worker, row['worker'], 'Worker'));
}

const LIST_WORKERS = cypher`
  // listWorkers
  MATCH (worker:Worker)
  WHERE ($type IS NULL OR worker.type = $type) AND ($status IS NULL OR worker.status = $status)
  RETURN ${WORKER} AS worker
  ORDER BY worker.taskQueue, worker.id LIMIT $limit
`;

/** Workers by type and status, `limit` at most; null: any. */
export const listWorkers = (
  tx: ReadTx,
  filter: { readonly type: string | null; readonly status: string | null; readonly limit: number },
) => readAll(tx, LIST_WORKERS, { ...filter }, (row) => parseRow(Worker, row['worker'], 'Worker'));
