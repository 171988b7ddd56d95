import { z } from 'zod';
import { HEALTH_STATUSES } from '../../common/health.ts';
import { JsonMap, textOrNull } from '../../common/stored.ts';
import { entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { OPEN_RUN_STATUSES } from '../run/run.ts';
import { toStepRun } from './step-run.cypher.ts';
import { STEP_STATUSES, type StepRun, type StepStatus } from './step-run.ts';

/** The outcome of a claim: the StepRun after it, and the Tool as it is now. */
export interface ClaimedStep {
  readonly statusBefore: StepStatus;
  readonly isClaimed: boolean;
  /**
   * The entry was written too. False where the attempt is not the expected one, or the run is
   * pending.
   */
  readonly isRecorded: boolean;
  /** The attempt that was claimed; where none was claimed, the last attempt. */
  readonly attempt: number;
  readonly isRunOpen: boolean;
  /** The run is not marked as running yet. */
  readonly isRunPending: boolean;
  readonly record: StepRun;
  /** Null where the Tool was deleted. */
  readonly tool: LiveTool | null;
}

const LiveService = z.object({
  enabled: z.boolean(),
  shared: z.boolean(),
  ownerId: z.string(),
  name: z.string(),
});
const LiveSecret = z.object({
  id: z.string(),
  ownerId: z.string(),
  encryptedValue: z.string(),
  allowedOrigins: z.array(z.string()),
});
const LiveToolRow = z.object({
  enabled: z.boolean(),
  shared: z.boolean(),
  status: z.enum(HEALTH_STATUSES),
  lastHealthCheck: textOrNull,
  errorMessage: textOrNull,
  ownerId: z.string(),
});
const ClaimRow = z.object({
  was: z.enum(STEP_STATUSES),
  claimed: z.boolean(),
  isRecorded: z.boolean(),
  runOpen: z.boolean(),
  runPending: z.boolean(),
  record: JsonMap,
  tool: LiveToolRow.nullable(),
  service: LiveService.nullable(),
  secret: LiveSecret.nullable(),
});

/** A Tool as it is now, with its Service and its Secret, whose value is still encrypted. */
export interface LiveTool extends z.infer<typeof LiveToolRow> {
  readonly service: z.infer<typeof LiveService> | null;
  readonly secret: z.infer<typeof LiveSecret> | null;
}

// The locks come first (a write to a pending run, then to the StepRun); everything else is read
// after them. The StepRun's lock orders two attempts of one step, so only one of them claims it. A
// pending run may be marked as running or cancelled at the same time; the run's lock orders the
// claim after that. The label is read before the lock, so `run.status` has to be read after it.
// While the attempt runs, its Worker is busy and points at the step and the Tool (S4-WRK-06); a
// lost attempt has left its edges behind, so they are deleted first.
const CLAIM = /* cypher */ `
  // claimStep
  MATCH (run:ProcessRun {id: $runId})
  FOREACH (_ IN CASE WHEN run:PendingStart THEN [1] ELSE [] END | SET run.lockedAt = $now)
  WITH run
  MERGE (s:StepRun {key: $key})
  ON CREATE SET s.runId = $runId, s.rootRunId = $rootRunId, s.ownerId = $ownerId,
    s.stepId = $stepId, s.index = $index, s.status = 'pending', s.attempt = 0
  SET s.lockedAt = $now
  WITH run, s, s.status AS was, s.attempt AS attempts, run.status IN $open AS runOpen,
    run.status = 'pending' AS runPending
  WITH run, s, was, attempts, runOpen, runPending, runOpen
    AND (was IN ['pending', 'waiting'] OR (was = 'running' AND attempts < $attemptsMax)) AS claimed
  FOREACH (_ IN CASE WHEN attempts = 0 THEN [1] ELSE [] END | MERGE (run)-[:HAS_STEP_RUN]->(s))
  FOREACH (_ IN CASE WHEN claimed THEN [1] ELSE [] END |
    SET s.status = 'running', s.attempt = attempts + 1,
      s.startedAt = coalesce(s.startedAt, datetime($now)),
      s.workerId = $workerId, s.inputs = $inputs, s.inputsBlob = $inputsBlob, s.error = null)
  WITH s, was, runOpen, runPending, claimed,
    claimed AND NOT runPending AND attempts + 1 = $expectedAttempt AS isRecorded
  FOREACH (entry IN CASE WHEN isRecorded THEN $entries ELSE [] END |
    CREATE (o:OutboxEntry:PendingEntry) SET o = entry, o.at = datetime(entry.at))
  WITH s, was, runOpen, runPending, claimed, isRecorded
  OPTIONAL MATCH (tool:Tool {id: $toolId})-[:OWNED_BY]->(toolOwner:User)
  OPTIONAL MATCH (worker:Worker {id: CASE WHEN claimed THEN $workerId END})
  CALL (worker) { MATCH (worker)-[left:PROCESSES|EXECUTES]->() DELETE left }
  OPTIONAL MATCH (step:ProcessStep {key: $definitionKey})
  FOREACH (w IN CASE WHEN worker IS NULL THEN [] ELSE [worker] END |
    SET w.status = 'busy', w.currentJobId = $key, w.updatedAt = datetime($now)
    FOREACH (to IN CASE WHEN step IS NULL THEN [] ELSE [step] END |
      CREATE (w)-[:PROCESSES {jobId: $key}]->(to))
    FOREACH (to IN CASE WHEN tool IS NULL THEN [] ELSE [tool] END |
      CREATE (w)-[:EXECUTES {jobId: $key}]->(to)))
  WITH s, was, runOpen, runPending, claimed, isRecorded, tool, toolOwner
  OPTIONAL MATCH (tool)-[:USES_SERVICE]->(service:Service)-[:OWNED_BY]->(serviceOwner:User)
  OPTIONAL MATCH (tool)-[:USES_SECRET]->(secret:Secret)-[:OWNED_BY]->(secretOwner:User)
  RETURN s {.*} AS record, was, runOpen, runPending, claimed, isRecorded,
    CASE WHEN tool IS NULL THEN null ELSE tool {.enabled, .shared, .status, .lastHealthCheck,
      .errorMessage, ownerId: toolOwner.id} END AS tool,
    CASE WHEN service IS NULL THEN null
      ELSE service {.enabled, .shared, .name, ownerId: serviceOwner.id} END AS service,
    CASE WHEN secret IS NULL THEN null ELSE secret {.*, ownerId: secretOwner.id} END AS secret
`;

/** The attempt to claim, and its inputs as they are stored. */
export interface Claim {
  readonly runId: string;
  readonly rootRunId: string;
  readonly ownerId: string;
  readonly key: string;
  readonly stepId: string;
  readonly index: number | null;
  readonly toolId: string;
  /** Key of the step in the definition, `processId/stepId`. */
  readonly definitionKey: string;
  /** The Worker that makes the attempt; null where none is registered. */
  readonly workerId: string | null;
  readonly attemptsMax: number;
  /** JSON text; null where it is in the blob store. */
  readonly inputs: string | null;
  readonly inputsBlob: string | null;
  readonly now: string;
  /** The attempt that `entry` was made for. */
  readonly expectedAttempt: number;
  readonly entry: OutboxEntry;
}

/**
 * Claims the next attempt of a step. `isClaimed` false: none can be claimed. Null where the run is
 * gone.
 */
export async function claimStep(tx: WriteTx, claim: Claim): Promise<ClaimedStep | null> {
  const { entry, ...params } = claim;
  const entries = entryParams([entry]);
  const [row] = await tx.run(CLAIM, { ...params, entries, open: OPEN_RUN_STATUSES });
  if (row === undefined) return null;
  const { was, claimed, isRecorded, runOpen, runPending, record, tool, service, secret } = parseRow(
    ClaimRow,
    row,
    `Claim of StepRun ${claim.key}`,
  );
  const step = toStepRun(record);
  return {
    statusBefore: was,
    isClaimed: claimed,
    isRecorded,
    attempt: step.attempt,
    isRunOpen: runOpen,
    isRunPending: runPending,
    record: step,
    tool: tool === null ? null : { ...tool, service, secret },
  };
}
