import type { JsonObject } from '../../common/json.ts';
import type { Row, WriteTx } from '../../platform/neo4j/graph.ts';
import { OPEN_RUN_STATUSES } from '../run/run.ts';
import { toStepRun } from './step-run.cypher.ts';
import type { StepRun, StepStatus } from './step-run.ts';

/** The live state a step's gate is decided by, and the record it claims. */
export interface ClaimedStep {
  /** The status before this claim. */
  readonly was: StepStatus;
  readonly claimed: boolean;
  /** The attempt claimed; where none was claimed, the attempt before. */
  readonly attempt: number;
  readonly runOpen: boolean;
  /** The run is not marked as running yet. */
  readonly runPending: boolean;
  readonly record: StepRun;
  readonly tool: LiveTool | null;
}
/** A Tool as it is now, with its Service and its Secret, still encrypted. */
export interface LiveTool {
  readonly enabled: boolean;
  readonly shared: boolean;
  readonly status: string;
  readonly lastHealthCheck: string | null;
  readonly errorMessage: string | null;
  readonly ownerId: string;
  readonly service: {
    readonly enabled: boolean;
    readonly shared: boolean;
    readonly ownerId: string;
    readonly name: string;
  } | null;
  readonly secret: JsonObject | null;
}

// The locks come first (a write to a run that is pending, then to the StepRun), then everything is read. Two attempts of one
// step take turns here, and only one of them finds the step claimable. A pending run can be marked as running or cancelled at the
// same time, so its claim takes turns with these. The label is asked before the lock, so `run.status` is read after it only.
const CLAIM = /* cypher */ `
  // claimStep
  MATCH (run:ProcessRun {id: $runId})
  FOREACH (_ IN CASE WHEN run:PendingStart THEN [1] ELSE [] END | SET run.lockedAt = $now)
  WITH run
  MERGE (s:StepRun {key: $key})
  ON CREATE SET s.runId = $runId, s.rootRunId = $rootRunId, s.ownerId = $ownerId, s.stepId = $stepId,
    s.index = $index, s.status = 'pending', s.attempt = 0
  SET s.lockedAt = $now
  WITH run, s, s.status AS was, s.attempt AS attempts, run.status IN $open AS runOpen,
    run.status = 'pending' AS runPending
  WITH run, s, was, attempts, runOpen, runPending, runOpen
    AND (was IN ['pending', 'waiting'] OR (was = 'running' AND attempts < $attemptsMax)) AS claimed
  FOREACH (_ IN CASE WHEN attempts = 0 THEN [1] ELSE [] END | MERGE (run)-[:HAS_STEP]->(s))
  FOREACH (_ IN CASE WHEN claimed THEN [1] ELSE [] END |
    SET s.status = 'running', s.attempt = attempts + 1, s.startedAt = coalesce(s.startedAt, datetime($now)),
      s.workerId = $workerId, s.inputs = $inputs, s.inputsBlob = $inputsBlob, s.error = null)
  WITH s, was, runOpen, runPending, claimed
  OPTIONAL MATCH (tool:Tool {id: $toolId})-[:OWNED_BY]->(toolOwner:User)
  OPTIONAL MATCH (tool)-[:USES_SERVICE]->(service:Service)-[:OWNED_BY]->(serviceOwner:User)
  OPTIONAL MATCH (tool)-[:USES_SECRET]->(secret:Secret)-[:OWNED_BY]->(secretOwner:User)
  RETURN s {.*} AS record, was, runOpen, runPending, claimed,
    CASE WHEN tool IS NULL THEN null ELSE tool {.enabled, .shared, .status, .lastHealthCheck, .errorMessage,
      ownerId: toolOwner.id} END AS tool,
    CASE WHEN service IS NULL THEN null ELSE service {.enabled, .shared, .name, ownerId: serviceOwner.id} END AS service,
    CASE WHEN secret IS NULL THEN null ELSE secret {.*, ownerId: secretOwner.id} END AS secret
`;

/** What an attempt of a step is claimed with. */
export interface Claim {
  readonly runId: string;
  readonly rootRunId: string;
  readonly ownerId: string;
  readonly key: string;
  readonly stepId: string;
  readonly index: number | null;
  readonly toolId: string;
  readonly workerId: string | null;
  readonly attemptsMax: number;
  /** JSON text; null where it is in the blob store. */
  readonly inputs: string | null;
  readonly inputsBlob: string | null;
  readonly now: string;
}

/** Claims the next attempt of a step, or answers why none can be claimed. Null where the run is gone. */
export async function claimStep(tx: WriteTx, claim: Claim): Promise<ClaimedStep | null> {
  const [row] = await tx.run(CLAIM, { ...claim, open: OPEN_RUN_STATUSES });
  if (row === undefined) return null;
  const tool = row['tool'] as LiveTool | null;
  const record = toStepRun(row['record'] as Row);
  return {
    was: row['was'] as StepStatus,
    claimed: row['claimed'] === true,
    attempt: record.attempt,
    runOpen: row['runOpen'] === true,
    runPending: row['runPending'] === true,
    record,
    tool:
      tool === null
        ? null
        : {
            ...tool,
            service: row['service'] as LiveTool['service'],
            secret: row['secret'] as JsonObject | null,
          },
  };
}

// Edges that a lost attempt has left are removed first.
const OCCUPY_WORKER = /* cypher */ `
  // occupyWorker
  MATCH (worker:Worker {id: $workerId})
  SET worker.status = 'busy', worker.currentJobId = $key, worker.updatedAt = datetime($now)
  WITH worker
  CALL (worker) { MATCH (worker)-[left:PROCESSES|EXECUTES]->() DELETE left }
  OPTIONAL MATCH (step:ProcessStep {key: $definitionKey})
  OPTIONAL MATCH (tool:Tool {id: $toolId})
  FOREACH (s IN CASE WHEN step IS NULL THEN [] ELSE [step] END |
    CREATE (worker)-[:PROCESSES {jobId: $key}]->(s))
  FOREACH (t IN CASE WHEN tool IS NULL THEN [] ELSE [tool] END |
    CREATE (worker)-[:EXECUTES {jobId: $key}]->(t))
`;

/** While a Worker makes an attempt it points at the step and the Tool (S4-WRK-06). */
export async function occupyWorker(
  tx: WriteTx,
  {
    processId,
    stepId,
    ...job
  }: {
    readonly workerId: string;
    /** Of the StepRun. */
    readonly key: string;
    readonly processId: string;
    readonly stepId: string;
    readonly toolId: string;
    readonly now: string;
  },
): Promise<void> {
  await tx.run(OCCUPY_WORKER, { ...job, definitionKey: `${processId}/${stepId}` });
}
