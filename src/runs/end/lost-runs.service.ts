import { type Clock, instantOf } from '../../common/clock.ts';
import { entryOf } from '../../common/entry-of.ts';
import type { NewId } from '../../common/id.ts';
import type { PeriodicTask } from '../../outbox/periodic-task.service.ts';
import type { Graph, WriteTx } from '../../platform/neo4j/graph.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { WorkflowState } from '../../platform/temporal/workflow-state.ts';
import type { RunObserver } from '../run/ports.ts';
import { findSnapshot } from '../run/run.cypher.ts';
import { isOpen } from '../run/run.ts';
import { endRunIn } from './end-run.mutations.ts';
import { listStartedRuns, type StartedRun } from './lost-run.cypher.ts';
import { sumUpRun } from './run-end.cypher.ts';
import { cancelledError } from './run-error.ts';

export interface LostRunsDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly runObserver: Pick<RunObserver, 'ended'>;
  wake(): void;
  /** See RunDeps.queuePrefix: runs of other installations are not asked for. */
  readonly queuePrefix: string;
  /** Fails while Temporal does not answer. */
  stateOf(workflowId: string): Promise<WorkflowState>;
  /** Ends a workflow in Temporal, without its code. */
  terminate(workflowId: string, reason: string): Promise<unknown>;
}

const EVERY_MS = 15_000;
/** Runs of one look. The next look goes on behind them. */
const RUNS_PER_LOOK = 200;
const ASKED_AT_ONCE = 10;
const LOST_KNOWN_MAX = 10_000;
/** Younger runs are not asked for. */
const AGE_MS_MIN = 60_000;

/**
 * Looks for open runs whose workflow has ended without recording it: it was terminated, deleted, or
 * failed by a defect. They end as failed, as do those whose workflow is stuck. A run ends at the
 * second look that finds its workflow gone, because a standby of Temporal may answer too early
 * (docs/decisions/0088).
 */
export function lostRuns(deps: LostRunsDeps, ageMsMin = AGE_MS_MIN): PeriodicTask {
  const seenLost = new Set<string>();
  let afterId = '';

  async function look({ id, workflowId }: StartedRun): Promise<void> {
    const state = await deps.stateOf(workflowId);
    if (state === 'open') {
      seenLost.delete(id);
    } else if (seenLost.has(id)) {
      seenLost.delete(id);
      // A damaged record must not keep the others open.
      await endLostRun(deps, { id, workflowId }, state).catch((error: unknown) =>
        deps.log.error('A run whose workflow is gone could not be ended', { runId: id, error }),
      );
    } else {
      if (seenLost.size >= LOST_KNOWN_MAX) seenLost.clear();
      seenLost.add(id);
    }
  }

  return {
    name: 'lost-runs',
    everyMs: EVERY_MS,
    async run() {
      const { queuePrefix } = deps;
      const before = instantOf(deps.clock.nowMs() - ageMsMin);
      const page = { queuePrefix, before, afterId, limit: RUNS_PER_LOOK };
      const runs = await deps.graph.read((tx) => listStartedRuns(tx, page));
      for (let from = 0; from < runs.length; from += ASKED_AT_ONCE)
        await Promise.all(runs.slice(from, from + ASKED_AT_ONCE).map(look));
      afterId = runs.length < RUNS_PER_LOOK ? '' : (runs.at(-1)?.id ?? '');
    },
  };
}

type LostState = Exclude<WorkflowState, 'open'>;

const WORDS: Readonly<Record<LostState, string>> = {
  stuck: 'failed again and again by an internal fault, which the log of the Workers names',
  gone: 'was deleted in Temporal',
  terminated: 'was terminated in Temporal',
  cancelled: 'was cancelled in Temporal and recorded no end',
  failed: 'failed in Temporal and recorded no end',
  completed: 'completed in Temporal and recorded no end',
};

async function endLostRun(
  deps: LostRunsDeps,
  { id: runId, workflowId }: StartedRun,
  state: LostState,
): Promise<void> {
  // First, so that it can not go on beside a record that has ended.
  if (state === 'stuck')
    await deps.terminate(workflowId, 'Its workflow task fails again and again.');
  const ended = await deps.graph.write((tx) => endIn(deps, tx, runId, state));
  if (!ended) return;
  deps.wake();
  deps.log.warn('A run whose workflow is gone has ended as failed', { runId, code: state });
}

async function endIn(
  deps: LostRunsDeps,
  tx: WriteTx,
  runId: string,
  state: LostState,
): Promise<boolean> {
  const summary = await sumUpRun(tx, runId, []);
  if (summary === null || !isOpen(summary.run.status)) return false;
  const { run, usage, stepIds, task } = summary;
  const snapshot = await findSnapshot(tx, run.snapshotHash);
  const steps = entryOf(snapshot?.processes ?? {}, run.processId)?.steps ?? [];
  const { cancelReason, startedAt, origin } = run;
  const message =
    `The workflow of this run ${WORDS[state]}, so the run was stopped. ` +
    'Retry the run to go on.';
  const details = { workflow: state };
  return endRunIn(deps, tx, {
    run: { ...run, runId },
    outcome:
      cancelReason === null
        ? { status: 'failed', error: { code: 'INTERNAL', message, stepId: null, details } }
        : { status: 'cancelled', error: cancelledError(cancelReason) },
    output: null,
    usage,
    startedAt,
    unreached: steps.flatMap(({ id }) => (stepIds.includes(id) ? [] : [id])),
    task,
    origin,
  });
}
