import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { Held } from '../../activities/contract.ts';
import type { ExecuteProcessInput } from '../../workflows/execute-process-input.ts';
import type { Clock } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { continueTrace } from '../platform/telemetry/tracing.ts';
import { type Home, homeOf, SPEAKS_SOON_MS } from './home-queue.ts';
import type { ReadyRun } from './ready-run.ts';
import { recordStart } from './record-start.ts';
import type { RunHead } from './run.ts';
import type { ProcessSnapshot, RunSnapshot } from './snapshot.ts';
import { toolTypesOf } from './snapshot.ts';
import { findRunToStart } from './starter.cypher.ts';
import { beginsByClaim } from './step-claim.cypher.ts';
import { findStepRecords } from './step-run.cypher.ts';
import { variableOf } from './step-run.ts';

export interface StartDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  wake(withinMs?: number): void;
  readonly temporal: Client;
  /** `TemporalClient.eager`; absent where starts are never eager. */
  eager?(): Client | null;
  /** For tests: runs continue as new beyond so many events. */
  readonly continueAfterEvents?: number;
}

/** Values of a retried run's finished steps that travel into the workflow; the rest is in the record. */
const KEPT_BYTES_MAX = 1024 * 1024;

/** A run that may have to be started. */
interface Found extends Omit<ReadyRun, 'snapshot'> {
  /** Null where its workflow is not to be started (any more). */
  readonly snapshot: RunSnapshot | null;
  readonly temporalRunId: string | null;
  /** Of the steps that a retry keeps. */
  readonly records: Awaited<ReturnType<typeof findStepRecords>>;
}

/** By then a step is claimed where a Worker has a place for it. */
const CLAIMED_WITHIN_MS = 1_000;

/** After that the ordinary way is tried. */
const EAGER_START_MS_MAX = 2_000;

/**
 * Starts the workflow of a run that is pending, and marks it as running, or leaves that to its first claim. Safe to repeat and
 * to race: the workflow's id is the run's, and one that was started already counts as started (faults F4, F5). Called by
 * starters only.
 * @param ready of a run that keeps no step of another, by whoever has just committed it; absent: it is read
 */
export async function startRun(deps: StartDeps, runId: string, ready?: ReadyRun): Promise<void> {
  // Ids give the order: its start is told before what its steps tell, also where a claim meets this look.
  const startedId = deps.newId();
  const teller = { ...deps, newId: () => startedId };
  const found =
    ready === undefined
      ? await findRun(deps.graph, runId)
      : { ...ready, temporalRunId: null, records: [] };
  if (found === null) return;
  const { run, snapshot, records } = found;
  let { temporalRunId } = found;
  let home: Home | null = null;
  if (snapshot !== null) {
    const definition = snapshot.processes[run.processId];
    if (definition === undefined) throw new Error(`The snapshot of run ${runId} is not its own.`);
    const toolTypes = toolTypesOf(snapshot, run.processId);
    const input: ExecuteProcessInput = {
      run: headOf(run, definition),
      begun: { definition, toolTypes, context: contextOf(run) },
      parent: null,
      carried: keptSteps(definition, records),
      continueAfterEvents: deps.continueAfterEvents ?? null,
    };
    home = homeOf(run.queuePrefix, definition, toolTypes);
    temporalRunId = await startWorkflow(deps, run, { taskQueue: home.taskQueue, input });
    if (ready !== undefined && home.claimsFirst && !run.isBudgeted && beginsByClaim(run.context)) {
      lookAgain(teller, runId);
      return;
    }
  }
  const was = await recordStart(teller, run, temporalRunId);
  deps.wake(home?.speaksFirst ? SPEAKS_SOON_MS : 0);
  // Cancelled between our look and now: the workflow must not outlive the record.
  if (was === 'cancelled') await deps.temporal.workflow.getHandle(runId).cancel();
}

/** The first claim marks the run as running, for somebody waits for its first word; where no Worker comes to claim, this does. */
function lookAgain(deps: StartDeps, runId: string): void {
  const look = () =>
    startRun(deps, runId).catch(() => {
      // The starter's sweep finds it as long as it is pending; a cancelled one ends with its first claim.
    });
  setTimeout(() => void look(), CLAIMED_WITHIN_MS).unref();
}

/** Null where it is gone, or somebody was faster, to the end. */
async function findRun(graph: Graph, runId: string): Promise<Found | null> {
  const { run, snapshot, records } = await graph.read(async (tx) => {
    const found = await findRunToStart(tx, runId);
    const keeps = found.run?.status === 'pending' && found.run.retryOfId !== null;
    return { ...found, records: keeps ? await findStepRecords(tx, runId, null) : [] };
  });
  if (run === null) return null;
  const { status, temporalRunId } = run;
  if (status === 'pending' && snapshot === null)
    throw new Error(`The snapshot of run ${runId} is gone.`);
  if (status !== 'pending' && status !== 'cancelled' && temporalRunId !== null) return null;
  return { run: { ...run, isBudgeted: run.budget !== null }, snapshot, temporalRunId, records };
}

async function startWorkflow(
  { temporal, eager }: Pick<StartDeps, 'temporal' | 'eager'>,
  run: ReadyRun['run'],
  { taskQueue, input }: { readonly taskQueue: string; readonly input: ExecuteProcessInput },
): Promise<string> {
  const startOver = async (client: Client, requestEagerStart: boolean) => {
    const handle = await continueTrace(run.traceparent, () =>
      client.workflow.start('executeProcess', {
        workflowId: run.id,
        taskQueue,
        args: [input],
        workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
        staticSummary: `${run.processName} v${run.processVersion}`,
        requestEagerStart,
      }),
    );
    return handle.firstExecutionRunId;
  };
  const near = eager?.() ?? null;
  if (near !== null) {
    const deadlineMs = Date.now() + EAGER_START_MS_MAX;
    try {
      return await near.connection.withDeadline(deadlineMs, () => startOver(near, true));
    } catch {
      // Whatever it was, the ordinary way meets it too, or finds the workflow started.
    }
  }
  try {
    return await startOver(temporal, false);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const { runId } = await temporal.workflow.getHandle(run.id).describe();
    return runId;
  }
}

function headOf(run: ReadyRun['run'], { maxRecursionDepth }: ProcessSnapshot): RunHead {
  return {
    runId: run.id,
    rootRunId: run.rootRunId,
    runPath: run.runPath,
    depth: run.depth,
    depthMax: maxRecursionDepth,
    ownerId: run.ownerId,
    workspace: run.workspace,
    conversationId: run.conversationId,
    processId: run.processId,
    snapshotHash: run.snapshotHash,
    queuePrefix: run.queuePrefix,
    timeoutSeconds: run.timeoutSeconds,
    budgeted: run.isBudgeted,
  };
}

function contextOf(run: ReadyRun['run']): Held {
  return run.context === null ? { ref: true, bytes: 0 } : { inline: run.context };
}

/** A retried run begins with the outputs of the steps it keeps. */
function keptSteps(
  definition: ProcessSnapshot,
  records: Awaited<ReturnType<typeof findStepRecords>>,
): ExecuteProcessInput['carried'] {
  if (records.length === 0) return null;
  let left = KEPT_BYTES_MAX;
  const steps = Object.fromEntries(
    definition.steps.flatMap((step) => {
      const own = records.filter(({ stepId }) => stepId === step.id);
      if (own.length === 0) return [];
      const bytes = own.reduce((sum, { outputBytes }) => sum + outputBytes + 1, 2);
      const isInline = bytes <= left && own.every(({ outputBlob }) => outputBlob === null);
      if (isInline) left -= bytes;
      const value: Held = isInline ? { inline: variableOf(step, own) } : { ref: true, bytes };
      return [[step.id, { status: 'completed' as const, value, error: null }]];
    }),
  );
  return { stage: 0, values: { steps, units: {} }, control: null, deadlineMs: null };
}
