import { z } from 'zod';
import { SealedSecret } from '../../catalog/secrets/secret.cypher.ts';
import { HEALTH_STATUSES } from '../../common/health.ts';
import { JsonMap, textOrNull } from '../../common/stored.ts';
import type { RunError, Usage } from '../../common/tool-fault.ts';
import { entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { Float, type Params, type ReadTx, type WriteTx } from '../../platform/neo4j/graph.ts';
import { isRow, parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { OPEN_RUN_STATUSES, RUN_STATUSES, type RunHead, type RunStatus } from '../run/run.ts';
import { markRunsStarted, type RunStart } from '../start/start.cypher.ts';
import { areWhole, toStepRun } from '../steps/step-run.cypher.ts';
import { type StepRun, type StepStatus, stepKey } from '../steps/step-run.ts';

// The reads and writes of attempts, for several steps of any runs at once. TypeScript decides
// between them (docs/decisions/0114): a write names the state of the step that it was decided on,
// and does nothing where the step is in another one.

const LiveService = z.object({
  enabled: z.boolean(),
  shared: z.boolean(),
  ownerId: z.string(),
  name: z.string(),
});
const LiveToolRow = z.object({
  enabled: z.boolean(),
  shared: z.boolean(),
  status: z.enum(HEALTH_STATUSES),
  lastHealthCheck: textOrNull,
  errorMessage: textOrNull,
  ownerId: z.string(),
});
const StateRow = z.object({
  key: z.string(),
  runStatus: z.enum(RUN_STATUSES),
  record: JsonMap.nullable(),
  tool: LiveToolRow.nullable(),
  service: LiveService.nullable(),
  secret: SealedSecret.nullable(),
});

/** A Tool as it is now, with its Service and its Secret, whose value is still encrypted. */
export interface LiveTool extends z.infer<typeof LiveToolRow> {
  readonly service: z.infer<typeof LiveService> | null;
  readonly secret: SealedSecret | null;
}

export interface StepLook {
  readonly runId: string;
  readonly key: string;
  readonly toolId: string;
}

/** A step before an attempt, and its Tool as it is now. */
export interface StepState {
  readonly runStatus: RunStatus;
  /** Null where the step has no record yet. */
  readonly record: StepRun | null;
  /** Null where the Tool was deleted. */
  readonly tool: LiveTool | null;
}

const FIND_STATES = cypher`
  // findStepStates
  UNWIND $looks AS look
  MATCH (run:ProcessRun {id: look.runId})
  OPTIONAL MATCH (s:StepRun {key: look.key})
  OPTIONAL MATCH (tool:Tool {id: look.toolId})-[:OWNED_BY]->(toolOwner:User)
  OPTIONAL MATCH (tool)-[:USES_SERVICE]->(service:Service)-[:OWNED_BY]->(serviceOwner:User)
  OPTIONAL MATCH (tool)-[:USES_SECRET]->(secret:Secret)-[:OWNED_BY]->(secretOwner:User)
  RETURN look.key AS key, run.status AS runStatus, s {.*} AS record,
    tool {.enabled, .shared, .status, .lastHealthCheck, .errorMessage, ownerId: toolOwner.id}
      AS tool,
    service {.enabled, .shared, .name, ownerId: serviceOwner.id} AS service,
    secret {.*, ownerId: secretOwner.id} AS secret
`;

/** The states in the order of `looks`; null where the run is gone. */
export async function findStepStates(
  tx: ReadTx,
  looks: readonly StepLook[],
): Promise<(StepState | null)[]> {
  const rows = await tx.run(FIND_STATES, { looks }, (found) =>
    areWhole(found.filter(({ record }) => isRow(record))),
  );
  const states = rows.map((row) => {
    const { key, runStatus, record, tool, service, secret } = parseRow(StateRow, row, 'Step');
    const live = tool === null ? null : { ...tool, service, secret };
    return [key, { runStatus, record: record && toStepRun(record), tool: live }] as const;
  });
  const byKey = new Map(states);
  return looks.map(({ key }) => byKey.get(key) ?? null);
}

/** The beginning of an attempt, with its inputs as they are stored. */
export interface AttemptStart {
  readonly inputs: string | null;
  readonly inputsBlob: string | null;
  readonly toolId: string;
  /** The start of the run, where it is not recorded yet. */
  readonly runStart: RunStart | null;
}

/** The end of an attempt, with its values as they are stored. */
export interface AttemptEnd {
  readonly status: StepStatus;
  readonly output: string | null;
  readonly outputBlob: string | null;
  readonly outputBytes: number;
  readonly outputTruncated: boolean;
  readonly error: RunError | null;
  readonly usage: Usage;
  readonly cached: boolean;
  readonly cacheKey: string | null;
}

/** The start of an attempt, its end, or both at once. */
export interface StepWrite {
  readonly run: Pick<RunHead, 'runId' | 'rootRunId' | 'ownerId' | 'processId'>;
  readonly stepId: string;
  readonly index: number | null;
  readonly attempt: number;
  /** The state that the write was decided on. */
  readonly from: { readonly status: StepStatus; readonly attempt: number; readonly usage: Usage };
  /** The Worker that makes the attempt; null where none is registered. */
  readonly workerId: string | null;
  /** The start of the step's first attempt. */
  readonly startedAt: string | null;
  readonly start: AttemptStart | null;
  readonly end: AttemptEnd | null;
  readonly now: string;
  readonly entries: readonly OutboxEntry[];
}

// A Worker is busy and points at the step and the Tool while it makes an attempt (S4-WRK-06). A
// lost attempt has left its edges behind, so a start deletes them first.
const WRITE_ATTEMPT = /* cypher */ `
  SET s += write.props, s.startedAt = datetime(write.startedAt),
    s.completedAt = datetime(write.completedAt)
  WITH s, write
  OPTIONAL MATCH (worker:Worker {id: write.workerId})
  SET worker += write.worker, worker.updatedAt = datetime(write.now),
    worker.processedCount = worker.processedCount + write.processed,
    worker.errorCount = worker.errorCount + write.failed
  WITH s, write, worker
  CALL (write, worker) {
    MATCH (worker)-[left:PROCESSES|EXECUTES]->() WHERE left.jobId = write.key OR write.begins
    DELETE left
  }
  CALL (write, worker) {
    MATCH (step:ProcessStep {key: write.definitionKey}) WHERE worker IS NOT NULL
    CREATE (worker)-[:PROCESSES {jobId: write.key}]->(step)
  }
  CALL (write, worker) {
    MATCH (tool:Tool {id: write.toolId}) WHERE worker IS NOT NULL
    CREATE (worker)-[:EXECUTES {jobId: write.key}]->(tool)
  }
  CALL (write) {
    UNWIND write.entries AS index
    WITH $entries[index] AS entry
    CREATE (o:OutboxEntry:PendingEntry) SET o = entry, o.at = datetime(entry.at)
  }
  RETURN s.key AS key
`;

// The StepRun's lock orders two attempts of one step, so its state is read after it.
const FIRST = cypher`
  // writeFirstAttempts
  UNWIND $writes AS write
  MATCH (run:ProcessRun {id: write.runId}) WHERE run.status IN $open
  MERGE (s:StepRun {key: write.key})
  ON CREATE SET s += write.identity, s.status = 'pending', s.attempt = 0
  SET s.lockedAt = write.now
  WITH run, s, write WHERE s.status = write.fromStatus AND s.attempt = 0
  MERGE (run)-[:HAS_STEP_RUN]->(s)
  ${WRITE_ATTEMPT}
`;

// The end of a run ends its steps in the same commit, so the run's status is not looked at.
const LATER = cypher`
  // writeAttempts
  UNWIND $writes AS write
  MATCH (s:StepRun {key: write.key})
  SET s.lockedAt = write.now
  WITH s, write WHERE s.status = write.fromStatus AND s.attempt = write.fromAttempt
  ${WRITE_ATTEMPT}
`;

/**
 * Writes starts and ends of attempts, of one step each.
 * @returns for each write whether it was done; false where the step is in another state than
 * `from`, or the run is over
 */
export async function writeAttempts(
  tx: WriteTx,
  writes: readonly StepWrite[],
): Promise<readonly boolean[]> {
  const starts = runStartsOf(writes);
  if (starts.length > 0) await markRunsStarted(tx, starts);
  // Locks are taken in one order, so that two groups do not wait for each other.
  const sorted = writes.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const first = sorted.filter(({ from, start }) => start !== null && from.attempt === 0);
  const later = sorted.filter((write) => !first.includes(write));
  // Both are sent at once.
  const rows = await Promise.all([
    first.length === 0 ? [] : tx.run(FIRST, { ...params(first), open: OPEN_RUN_STATUSES }),
    later.length === 0 ? [] : tx.run(LATER, params(later)),
  ]);
  const done = new Set(textsOf(rows.flat(), 'key', 'StepRun'));
  return writes.map((write) => done.has(keyOf(write)));
}

/** One start of each run, with the oldest entry: entries are in the order of their ids. */
function runStartsOf(writes: readonly StepWrite[]): RunStart[] {
  const starts = writes.flatMap(({ start }) => start?.runStart ?? []);
  starts.sort((one, other) => (one.entry.id < other.entry.id ? -1 : 1));
  return starts.filter(
    (start, at) => starts.findIndex(({ runId }) => runId === start.runId) === at,
  );
}

export function keyOf({ run, stepId, index }: Pick<StepWrite, 'run' | 'stepId' | 'index'>): string {
  return stepKey(run.runId, stepId, index);
}

function params(writes: readonly StepWrite[]): Params {
  const entries = writes.flatMap((write) => write.entries);
  const indexOf = new Map(entries.map((entry, index) => [entry, index]));
  return {
    entries: entryParams(entries),
    writes: writes.map((write) => ({
      ...rowOf(write),
      entries: write.entries.map((entry) => indexOf.get(entry)),
    })),
  };
}

function rowOf(write: StepWrite): Params {
  const { run, stepId, index, attempt, from, workerId, start, end, now } = write;
  const { runId, rootRunId, ownerId } = run;
  const key = keyOf(write);
  const begins = start !== null && end === null;
  const isFinal = end !== null && end.status !== 'pending' && end.status !== 'waiting';
  return {
    runId,
    key,
    now,
    begins,
    fromStatus: from.status,
    fromAttempt: from.attempt,
    identity: { runId, rootRunId, ownerId, stepId, index },
    props: {
      ...(start === null ? {} : startProps(start, workerId)),
      ...(end === null ? { status: 'running' } : endProps(end, from.usage)),
      attempt,
    },
    startedAt: write.startedAt,
    completedAt: isFinal ? now : null,
    workerId,
    worker: begins ? { status: 'busy', currentJobId: key } : { status: 'idle', currentJobId: null },
    processed: end === null ? 0 : 1,
    failed: end === null || end.status === 'completed' ? 0 : 1,
    definitionKey: begins ? `${run.processId}/${stepId}` : null,
    toolId: begins ? start.toolId : null,
  };
}

function startProps({ inputs, inputsBlob }: AttemptStart, workerId: string | null): Params {
  return { workerId, inputs, inputsBlob, error: null };
}

function endProps({ error, usage, ...end }: AttemptEnd, before: Usage): Params {
  const isFree = usage.costUsd === null && before.costUsd === null;
  return {
    ...end,
    error: error === null ? null : JSON.stringify(error),
    inputTokens: before.inputTokens + usage.inputTokens,
    outputTokens: before.outputTokens + usage.outputTokens,
    costUsd: isFree ? null : new Float((before.costUsd ?? 0) + (usage.costUsd ?? 0)),
    llmCalls: before.llmCalls + usage.llmCalls,
    toolCalls: before.toolCalls + usage.toolCalls,
  };
}
