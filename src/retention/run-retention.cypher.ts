import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import { isTrue } from '../common/stored.ts';
import { edgesToParts } from '../ownership/labels.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow, textsOf } from '../platform/neo4j/row.ts';
import { readAll, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { OPEN_RUN_STATUSES } from '../runs/run/run.ts';
import type { RunOrigin } from '../runs/run/run-origin.ts';

/**
 * Whether the tree of a root run is kept at any age: it answers a turn, it is still open, an
 * extraction waits for it, a retry uses its steps, or an entry of it is not delivered.
 */
const IS_KEPT = /* cypher */ `
    EXISTS { (:Alternative {runId: run.id}) }
    OR EXISTS { (:ProcessRun {retryOfId: run.id}) }
    OR EXISTS { (i:EpisodeIngest {episodeUuid: run.workId}) WHERE i:OpenIngest }
    OR EXISTS { (part:ProcessRun {rootRunId: run.id}) WHERE part.status IN $open }
    OR EXISTS { (o:OutboxEntry {rootRunId: run.id}) WHERE o.seq > $deliveredSeq }
    OR EXISTS { (:DeadLetter)-[:OF_ENTRY]->(:OutboxEntry {rootRunId: run.id}) }`;

const ENDED = /* cypher */ `
    MATCH (run:ProcessRun) USING INDEX run:ProcessRun(origin, depth, completedAt)
    WHERE run.origin = $origin AND run.depth = 0 AND run.completedAt >= datetime($afterAt)
      AND run.completedAt < datetime($before)`;

const LIST_ENDED = cypher`
  // listEndedRuns
  ${ENDED}
  WITH run WHERE run.completedAt > datetime($afterAt) OR run.id > $afterId
  WITH run ORDER BY run.completedAt, run.id LIMIT $limit
  RETURN run.id AS id, run.completedAt AS at, ${IS_KEPT} AS isKept,
    run.inputsForgotten IS NOT NULL AS isBare
`;

const EndedRow = z.object({ id: z.string(), at: z.string(), isKept: isTrue, isBare: isTrue });
export type EndedRun = z.infer<typeof EndedRow>;

/** A position in the list of ended root runs, which is ordered by end and id. */
export interface RunPlace {
  readonly afterAt: Instant;
  readonly afterId: string;
}

/** Root runs that ended before a time, oldest first, with what keeps them. */
export async function listEndedRuns(
  tx: ReadTx,
  input: RunPlace & {
    readonly origin: RunOrigin;
    readonly before: Instant;
    readonly deliveredSeq: number;
    readonly limit: number;
  },
): Promise<EndedRun[]> {
  const rows = await tx.run(LIST_ENDED, { ...input, open: [...OPEN_RUN_STATUSES] });
  return rows.map((row) => parseRow(EndedRow, row, 'ProcessRun'));
}

const COUNT_ENDED = cypher`
  // countEndedRuns
  CALL () {
    ${ENDED}
    WITH run WHERE CASE WHEN $isKept THEN run.inputsForgotten IS NULL AND (${IS_KEPT})
      ELSE NOT (${IS_KEPT}) END
    RETURN run LIMIT $limit
  }
  RETURN count(run) AS due
`;

/** Number of root runs of listEndedRuns that are kept with inputs, or that are not kept. */
export async function countEndedRuns(
  tx: ReadTx,
  input: {
    readonly origin: RunOrigin;
    readonly before: Instant;
    readonly deliveredSeq: number;
    readonly isKept: boolean;
    readonly limit: number;
  },
): Promise<number> {
  const start = { afterAt: '1970-01-01T00:00:00.000Z', open: [...OPEN_RUN_STATUSES] };
  return countOf(await tx.run(COUNT_ENDED, { ...input, ...start }), 'due');
}

const LIST_OWNERS = cypher`
  // listOwnersOfRuns
  MATCH (run:ProcessRun) WHERE run.id IN $ids
  RETURN run.id AS rootRunId, run.ownerId AS ownerId, run.workspace AS workspace
`;
const OwnerOfRun = z.object({
  rootRunId: z.string(),
  ownerId: z.string(),
  workspace: z.string(),
});

/** Owner and workspace of these root runs: the places of their files. */
export const listOwnersOfRuns = (tx: ReadTx, ids: readonly string[]) =>
  readAll(tx, LIST_OWNERS, { ids }, (row) => parseRow(OwnerOfRun, row, 'ProcessRun'));

// A step that a cache hit copied shares the blob of its output.
const LIST_BLOBS = cypher`
  // listBlobsOfRuns
  MATCH (run:ProcessRun) WHERE run.rootRunId IN $ids
  CALL (run) {
    UNWIND [run.contextBlob, run.outputBlob] AS blob
    RETURN blob
    UNION
    MATCH (run)-[:HAS_STEP_RUN]->(s:StepRun) UNWIND [s.inputsBlob, s.outputBlob] AS blob
    WITH s, blob WHERE blob IS NOT NULL AND (s.cacheKey IS NULL OR NOT EXISTS {
      (same:StepRun {cacheKey: s.cacheKey})
      WHERE same.outputBlob = blob AND NOT same.rootRunId IN $ids
    })
    RETURN blob
  }
  WITH blob WHERE blob IS NOT NULL AND any(id IN $ids WHERE blob CONTAINS id)
  RETURN DISTINCT blob
`;

/** Keys of the blobs that only these trees use. A blob of another run contains that run's id. */
export async function listBlobsOfRuns(tx: ReadTx, ids: readonly string[]): Promise<string[]> {
  return textsOf(await tx.run(LIST_BLOBS, { ids }), 'blob', 'ProcessRun');
}

const DELETE_ENTRIES = cypher`
  // deleteEntriesOfRuns
  MATCH (o:OutboxEntry) WHERE o.rootRunId IN $ids AND o.seq IS NOT NULL
  WITH o LIMIT $limit
  DETACH DELETE o
  RETURN count(*) AS gone
`;

const DELETE_STEPS = cypher`
  // deleteStepsOfRuns
  MATCH (run:ProcessRun)-[:${edgesToParts('ProcessRun')}]-(part) WHERE run.rootRunId IN $ids
  WITH DISTINCT part LIMIT $limit
  DETACH DELETE part
  RETURN count(*) AS gone
`;

// Root runs go last: while one is left, the next job run finds the rest of its tree.
const DELETE_RUNS = cypher`
  // deleteRuns
  MATCH (run:ProcessRun) WHERE run.rootRunId IN $ids
  WITH run ORDER BY run.depth DESC LIMIT $limit
  CALL (run) {
    MATCH (run)<-[:DONE_BY]-(task:MemoryTask)
    WHERE COUNT { (task)-[:DONE_BY]->() } = 1
    DETACH DELETE task
  }
  DETACH DELETE run
  RETURN count(*) AS gone
`;

const STATEMENTS = { entries: DELETE_ENTRIES, steps: DELETE_STEPS, runs: DELETE_RUNS } as const;

/**
 * Deletes up to `limit` nodes of one kind of these trees. Entries go first, then steps, then runs.
 * @returns how many nodes
 */
export const deletePartOfRuns = async (
  tx: WriteTx,
  part: keyof typeof STATEMENTS,
  input: { readonly ids: readonly string[]; readonly limit: number },
) => countOf(await tx.run(STATEMENTS[part], input), 'gone');

const EXPIRE_CALLS = cypher`
  // expireCallsOfRuns
  MATCH (n:CallGraphNode) WHERE n.rootRunId IN $ids
  SET n._retentionExpiresAt = datetime($now), n._runIsGone = true
`;

/** Lets the job call-retention take the calls of these trees; it keeps their statistics. */
export const expireCallsOfRuns = (
  tx: WriteTx,
  input: { readonly ids: readonly string[]; readonly now: Instant },
) => runWrite(tx, EXPIRE_CALLS, input);

// An input of a call is recorded with the step too, and the context with its run.
const CLEAR_INPUTS = cypher`
  // clearInputsOfRuns
  MATCH (run:ProcessRun) WHERE run.rootRunId IN $ids
  CALL (run) {
    MATCH (run)-[:HAS_STEP_RUN]->(s:StepRun)
    SET s.inputs = null, s.inputsBlob = null
  }
  SET run.context = '{}', run.contextBlob = null, run.inputsForgotten = true
`;

/** Clears contexts and inputs of kept trees. Outputs stay: a kept answer rests on them. */
export async function clearInputsOfRuns(tx: WriteTx, ids: readonly string[]): Promise<void> {
  await tx.run(CLEAR_INPUTS, { ids });
}

const LIST_INPUT_BLOBS = cypher`
  // listInputBlobsOfRuns
  MATCH (run:ProcessRun) WHERE run.rootRunId IN $ids
  OPTIONAL MATCH (run)-[:HAS_STEP_RUN]->(s:StepRun)
  WITH run.contextBlob AS context, collect(s.inputsBlob) AS inputs
  UNWIND inputs + [context] AS blob
  WITH blob WHERE blob IS NOT NULL AND any(id IN $ids WHERE blob CONTAINS id)
  RETURN DISTINCT blob
`;

/** Keys of the blobs of clearInputsOfRuns. */
export async function listInputBlobsOfRuns(tx: ReadTx, ids: readonly string[]): Promise<string[]> {
  return textsOf(await tx.run(LIST_INPUT_BLOBS, { ids }), 'blob', 'ProcessRun');
}

const LIST_UNUSED_SNAPSHOTS = cypher`
  // listUnusedSnapshots
  MATCH (s:RunSnapshot) WHERE s.hash > $after AND s.createdAt < datetime($before)
  WITH s ORDER BY s.hash LIMIT $limit
  RETURN s.hash AS hash, s.body AS body, NOT EXISTS { (:ProcessRun {snapshotHash: s.hash}) }
    AS isUnused
`;

const SnapshotRow = z.object({ hash: z.string(), body: z.string(), isUnused: isTrue });
export type StoredSnapshot = z.infer<typeof SnapshotRow>;

/** The next snapshots by hash, and whether any run has them. */
export const listSnapshots = (
  tx: ReadTx,
  input: { readonly after: string; readonly before: Instant; readonly limit: number },
) => readAll(tx, LIST_UNUSED_SNAPSHOTS, input, (row) => parseRow(SnapshotRow, row, 'RunSnapshot'));

const DELETE_SNAPSHOTS = cypher`
  // deleteUnusedSnapshots
  MATCH (s:RunSnapshot) WHERE s.hash IN $hashes
    AND NOT EXISTS { (:ProcessRun {snapshotHash: s.hash}) }
  DELETE s
`;

export async function deleteUnusedSnapshots(tx: WriteTx, hashes: readonly string[]): Promise<void> {
  await tx.run(DELETE_SNAPSHOTS, { hashes });
}

const RESTORE_SNAPSHOTS = cypher`
  // restoreUsedSnapshots
  UNWIND $snapshots AS snapshot
  MATCH (run:ProcessRun {snapshotHash: snapshot.hash})
  WITH DISTINCT snapshot
  MERGE (s:RunSnapshot {hash: snapshot.hash})
  ON CREATE SET s.body = snapshot.body, s.createdAt = datetime($now)
`;

/** Writes back deleted snapshots that a run has: it was committed while they were deleted. */
export const restoreUsedSnapshots = (
  tx: WriteTx,
  snapshots: readonly Pick<StoredSnapshot, 'hash' | 'body'>[],
  now: Instant,
) => runWrite(tx, RESTORE_SNAPSHOTS, { snapshots, now });
