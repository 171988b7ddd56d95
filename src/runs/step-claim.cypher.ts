import type { JsonObject } from '../common/json.ts';
import { entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { Row, WriteTx } from '../platform/neo4j/graph.ts';
import { OPEN_RUN_STATUSES } from './run.ts';
import { toStepRun } from './step-run.cypher.ts';
import type { StepRun, StepStatus } from './step-run.ts';

/** The live state a step's gate is decided by, and the record it claims. */
export interface ClaimedStep {
  /** The status before this claim. */
  readonly was: StepStatus;
  readonly claimed: boolean;
  /** Of the claim; where not claimed, of whoever was there before. */
  readonly attempt: number;
  readonly runOpen: boolean;
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

// A root run that is still pending begins with its first claim, so that whoever waits for its first word waits for no transaction more;
// its context goes into the entry as it is stored. One with a longer context was marked by whoever started it (`beginsByClaim`).
// S4-WRK-06: while it is at work a Worker points at the step and the Tool; what an attempt that was lost has left goes first.
// The locks come first (a write to the StepRun, and before it to a run that is still pending), then everything is read: two
// attempts of one step, or an attempt and its zombie, take turns here, and only one of them finds the step claimable.
const CLAIM = /* cypher */ `
  // claimStep
  MATCH (run:ProcessRun {id: $runId})
  FOREACH (_ IN CASE WHEN run:PendingStart THEN [1] ELSE [] END | SET run.lockedAt = $now)
  WITH run, run:PendingStart AND run.status = 'pending' AND size(coalesce(run.context, '')) <= $contextMax AS begins
  FOREACH (_ IN CASE WHEN begins THEN [1] ELSE [] END |
    SET run.status = 'running', run.startedAt = datetime($now), run.temporalRunId = $begun.temporalRunId
    REMOVE run:PendingStart
    CREATE (b:OutboxEntry:PendingEntry)
    SET b = $begun.entry, b.at = datetime($now), b.payload = $begun.payloadStart + CASE WHEN run.context IS NULL THEN '{"bytes":0}'
      ELSE '{"value":' + run.context + '}' END + '}')
  WITH run
  MERGE (s:StepRun {key: $key})
  ON CREATE SET s.runId = $runId, s.rootRunId = $rootRunId, s.ownerId = $ownerId, s.stepId = $stepId, s.index = $index,
    s.status = 'pending', s.attempt = 0
  SET s.lockedAt = $now
  WITH run, s, s.status AS was, s.attempt AS attempts, run.status IN $open AS runOpen
  WITH run, s, was, attempts, runOpen, runOpen AND (was IN ['pending', 'waiting'] OR (was = 'running' AND attempts < $attemptsMax)) AS claimed
  OPTIONAL MATCH (worker:Worker {id: $workerId})
  OPTIONAL MATCH (worker)-[left:PROCESSES|EXECUTES]->()
  WITH run, s, was, attempts, runOpen, claimed, worker, collect(left) AS leftovers
  OPTIONAL MATCH (step:ProcessStep {key: run.processId + '/' + $stepId})
  OPTIONAL MATCH (called:Tool {id: $toolId})
  FOREACH (_ IN CASE WHEN attempts = 0 THEN [1] ELSE [] END | MERGE (run)-[:HAS_STEP]->(s))
  FOREACH (_ IN CASE WHEN claimed THEN [1] ELSE [] END |
    SET s.status = 'running', s.attempt = attempts + 1, s.startedAt = coalesce(s.startedAt, datetime($now)),
      s.workerId = $workerId, s.inputs = $inputs, s.inputsBlob = $inputsBlob, s.error = null
    CREATE (o:OutboxEntry:PendingEntry)
    SET o = $entry, o.at = datetime($now), o.payload = $payloadStart + toString(attempts + 1) + '}'
    FOREACH (w IN CASE WHEN worker IS NULL THEN [] ELSE [worker] END |
      SET w.status = 'busy', w.currentJobId = $key, w.updatedAt = datetime($now)
      FOREACH (edge IN leftovers | DELETE edge)
      FOREACH (p IN CASE WHEN step IS NULL THEN [] ELSE [step] END | CREATE (w)-[:PROCESSES {jobId: $key}]->(p))
      FOREACH (t IN CASE WHEN called IS NULL THEN [] ELSE [called] END | CREATE (w)-[:EXECUTES {jobId: $key}]->(t)))
  )
  WITH s, was, attempts, runOpen, claimed
  OPTIONAL MATCH (tool:Tool {id: $toolId})-[:OWNED_BY]->(toolOwner:User)
  OPTIONAL MATCH (tool)-[:USES_SERVICE]->(service:Service)-[:OWNED_BY]->(serviceOwner:User)
  OPTIONAL MATCH (tool)-[:USES_SECRET]->(secret:Secret)-[:OWNED_BY]->(secretOwner:User)
  RETURN s {.*} AS record, was, attempts, runOpen, claimed,
    CASE WHEN tool IS NULL THEN null ELSE tool {.enabled, .shared, .status, .lastHealthCheck, .errorMessage, ownerId: toolOwner.id} END AS tool,
    CASE WHEN service IS NULL THEN null ELSE service {.enabled, .shared, .name, ownerId: serviceOwner.id} END AS service,
    CASE WHEN secret IS NULL THEN null ELSE secret {.*, ownerId: secretOwner.id} END AS secret
`;

/** Characters of JSON; a longer context is not put together by a claim. */
const CLAIM_CONTEXT_MAX = 32 * 1024;

/** Whether a pending run with this context, null where it lies in a blob, is marked as running by its first claim. */
export function beginsByClaim(context: JsonObject | null): boolean {
  return context === null || JSON.stringify(context).length <= CLAIM_CONTEXT_MAX;
}

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
  readonly inputs: string | null;
  readonly inputsBlob: string | null;
  readonly now: string;
  /** Where the run begins with this claim: its workflow, and `run.started` without the context, which the run has. */
  readonly begun: { readonly temporalRunId: string | null; readonly entry: OutboxEntry };
  /** `step.started`, its payload without the attempt: that is counted by the claim itself. */
  readonly entry: OutboxEntry;
}

/** Claims the next attempt of a step, or answers why there is none to claim; one statement. null where the run is gone. */
export async function claimStep(
  tx: WriteTx,
  { entry, begun, ...claim }: Claim,
): Promise<ClaimedStep | null> {
  const [params, begunParams] = entryParams([entry, begun.entry]);
  const [row] = await tx.run(CLAIM, {
    ...claim,
    open: OPEN_RUN_STATUSES,
    contextMax: CLAIM_CONTEXT_MAX,
    entry: params,
    payloadStart: openPayload(entry, 'attempt'),
    begun: {
      temporalRunId: begun.temporalRunId,
      entry: begunParams,
      payloadStart: openPayload(begun.entry, 'context'),
    },
  });
  if (row === undefined) return null;
  const tool = row['tool'] as LiveTool | null;
  const record = toStepRun(row['record'] as Row);
  return {
    was: row['was'] as StepStatus,
    claimed: row['claimed'] === true,
    attempt: record.attempt,
    runOpen: row['runOpen'] === true,
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

/** The payload as JSON text up to the value of `last`, which the statement knows better. */
function openPayload({ payload }: OutboxEntry, last: string): string {
  const { [last]: _replaced, ...rest } = payload;
  return `${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(last)}:`;
}
