import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { Priority, SearchAttributePair } from '@temporalio/common';
import type { Clock } from '../../common/clock.ts';
import { entryOf } from '../../common/entry-of.ts';
import type { NewId } from '../../common/id.ts';
import type { OperationType } from '../../operations/operation.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { continueTrace } from '../../platform/telemetry/tracing.ts';
import type { EagerClient } from '../../platform/temporal/fleet.ts';
import {
  isUnknownSearchAttribute,
  type SearchAttributes,
} from '../../platform/temporal/search-attributes.ts';
import { findRunById } from '../run/run.cypher.ts';
import type { ProcessRun, RunHead, ValueOrRef } from '../run/run.ts';
import {
  localToolsOf,
  type ProcessSnapshot,
  type RunSnapshot,
  toolTypesOf,
} from '../run/snapshot.ts';
import type { Snapshots } from '../run/snapshots.service.ts';
import { type CarriedItems, createEndedItems } from '../steps/ended-items.ts';
import { findStepRecords, type StepOutput } from '../steps/step-run.cypher.ts';
import { filedSteps, variableOf } from '../steps/step-run.ts';
import { recordStart } from './record-start.service.ts';
import type { KeptSteps, RootRun } from './root-run.ts';
import { memoOf, searchAttributesOf } from './run-attributes.ts';
import { placementOf } from './workflow-placement.ts';

export interface StartDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  wake(): void;
  readonly temporal: Client;
  /** The client of the Workers of this process; null where it has none. */
  readonly eager?: () => EagerClient | null;
  readonly snapshots: Snapshots;
  /** Absent: runs start without search attributes. */
  readonly searchAttributes?: Pick<SearchAttributes, 'isReady'>;
  /** As of `placementOf`; default HOSTING_TYPES. */
  readonly hostingTypes?: readonly OperationType[];
  /** For tests: runs continue as new beyond this number of history events. */
  readonly continueAfterEvents?: number;
}

/**
 * Starts the workflow of a pending run, then marks the run as running. Safe to repeat and to race:
 * the workflow's id is the run's id, and an existing workflow counts as started. Only the run
 * starter calls this.
 */
export async function startRun(deps: StartDeps, runId: string): Promise<void> {
  // Ids order the events of a run. This id is taken before the workflow exists, so `run.started`
  // sorts before every step.
  const startedId = deps.newId();
  const found = await findRun(deps, runId);
  if (found === null) return;
  const { run, snapshot, kept } = found;
  const temporalRunId =
    snapshot === null ? run.temporalRunId : await startWorkflow(deps, run, snapshot, kept);
  const reserved = { ...deps, newId: () => startedId };
  const before = await writeAndWake(deps, (tx) => recordStart(tx, reserved, run, temporalRunId));
  // The run was cancelled after `findRun` read it. Its workflow must not outlive the record.
  if (before === 'cancelled') await deps.temporal.workflow.getHandle(runId).cancel();
}

interface Found {
  readonly run: ProcessRun;
  /** Null unless the run is pending: then there is no workflow to start. */
  readonly snapshot: RunSnapshot | null;
  /** Steps that a retry takes over from the run it repeats. */
  readonly kept: readonly StepOutput[];
}

/** Null where the run is gone or fully started. */
async function findRun({ graph, snapshots }: StartDeps, runId: string): Promise<Found | null> {
  const run = await graph.read((tx) => findRunById(tx, runId));
  if (run === null) return null;
  const { status, temporalRunId, retryOfId } = run;
  const isStarted = status !== 'pending' && status !== 'cancelled';
  if (isStarted && temporalRunId !== null) return null;
  if (status !== 'pending') return { run, snapshot: null, kept: [] };
  const snapshot = await snapshots.get(run.snapshotHash);
  const kept = retryOfId === null ? [] : await graph.read((tx) => findStepRecords(tx, runId, null));
  return { run, snapshot, kept };
}

/** @returns Temporal's run id; that of the existing workflow where the run was started before */
async function startWorkflow(
  { temporal, eager, continueAfterEvents, hostingTypes, searchAttributes }: StartDeps,
  run: ProcessRun,
  snapshot: RunSnapshot,
  kept: readonly StepOutput[],
): Promise<string> {
  const definition = entryOf(snapshot.processes, run.processId);
  if (definition === undefined) throw new Error(`The snapshot of run ${run.id} is not its own.`);
  const toolTypes = toolTypesOf(snapshot, run.processId);
  const input: RootRun = {
    run: headOf(run, definition),
    begun: {
      definition,
      toolTypes,
      context: contextOf(run),
      localTools: localToolsOf(snapshot, run.processId),
    },
    parent: null,
    carried: keptSteps(run, definition, kept),
    continueAfterEvents: continueAfterEvents ?? null,
    finishesLocally: true,
  };
  const taskQueue = placementOf(run.queuePrefix, definition, toolTypes, hostingTypes);
  // Background work takes its turn behind that of users.
  const own = run.origin === 'system' ? null : usableClient(eager);
  const start = (attributes: SearchAttributePair[]) => {
    const options: WorkflowStartOptions = {
      workflowId: run.id,
      taskQueue,
      args: [input],
      priority: priorityOf(run),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      staticSummary: `${run.processName} v${run.processVersion}`,
      memo: memoOf(run),
      ...(attributes.length === 0 ? {} : { typedSearchAttributes: attributes }),
    };
    return continueTrace(run.traceparent, () =>
      own === null
        ? temporal.workflow.start('executeProcess', options)
        : own.bounded(() =>
            own.client.workflow.start('executeProcess', { ...options, requestEagerStart: true }),
          ),
    );
  };
  try {
    const attributes = searchAttributes?.isReady() === true ? searchAttributesOf(run) : [];
    const handle = await start(attributes).catch((error: unknown) => {
      if (attributes.length > 0 && isUnknownSearchAttribute(error)) return start([]);
      throw error;
    });
    return handle.firstExecutionRunId;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const { runId } = await temporal.workflow.getHandle(run.id).describe();
    return runId;
  }
}

function usableClient(eager: StartDeps['eager']): EagerClient | null {
  const own = eager?.() ?? null;
  return own?.isUsable() === true ? own : null;
}

/** Temporal's own default is 3; a larger number is taken later. */
const BACKGROUND_PRIORITY = 4;

/**
 * Steps are taken in turn by owner, and the product's own background work after that of users. The
 * run's steps and sub-runs inherit it (docs/decisions/0044).
 */
function priorityOf({ ownerId, origin }: ProcessRun): Priority {
  const fairness = { fairnessKey: ownerId };
  return origin === 'system' ? { ...fairness, priorityKey: BACKGROUND_PRIORITY } : fairness;
}

const headOf = (run: ProcessRun, { maxRecursionDepth }: ProcessSnapshot): RunHead => ({
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
  budgeted: run.budget !== null,
});

const contextOf = ({ context }: ProcessRun): ValueOrRef =>
  context === null ? { ref: true, bytes: 0 } : { inline: context };

/**
 * Limit of the kept outputs that travel into the workflow; larger ones are read from the record.
 */
const KEPT_BYTES_MAX = 1024 * 1024;

/**
 * The state a retried run begins with: the outputs of the steps it keeps. Null where it keeps none.
 */
function keptSteps(
  run: ProcessRun,
  definition: ProcessSnapshot,
  kept: readonly StepOutput[],
): KeptSteps | null {
  if (kept.length === 0) return null;
  let left = KEPT_BYTES_MAX;
  // A step whose list is a file runs again without its calls, because each run has its own file.
  const filed = filedSteps(definition.steps);
  const items = kept.filter(
    ({ stepId, index, isKeptItem }) => isKeptItem === true || (index !== null && filed.has(stepId)),
  );
  const open = new Set(items.map(({ stepId }) => stepId));
  const byStep = Map.groupBy(kept, ({ stepId }) => stepId);
  const steps = Object.fromEntries(
    definition.steps.flatMap((step) => {
      const records = byStep.get(step.id) ?? [];
      if (records.length === 0 || open.has(step.id)) return [];
      const bytes = records.reduce((sum, { outputBytes }) => sum + outputBytes + 1, 2);
      const isInline = bytes <= left && records.every(({ outputBlob }) => outputBlob === null);
      if (isInline) left -= bytes;
      const value: ValueOrRef = isInline
        ? { inline: variableOf(step, records, { ...run, runId: run.id }) }
        : { ref: true, bytes };
      return [[step.id, { status: 'completed' as const, value, error: null }]];
    }),
  );
  const values = { steps, units: {}, ...(open.size === 0 ? {} : { items: keptItems(items) }) };
  return { stage: 0, values, control: null, deadlineMs: null };
}

function keptItems(records: readonly StepOutput[]): Record<string, CarriedItems> {
  const items = [...Map.groupBy(records, ({ stepId }) => stepId)].map(([stepId, ended]) => {
    const known = createEndedItems();
    for (const { index, outputBytes: bytes } of ended)
      if (index !== null) known.add(index, { bytes });
    return [stepId, known.carry()] as const;
  });
  return Object.fromEntries(items);
}
