import { type Clock, instantOf } from '../common/clock.ts';
import { entryOf } from '../common/entry-of.ts';
import type { PeriodicTask } from '../outbox/periodic-task.service.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { OpenWorkflow } from '../platform/temporal/open-workflows.ts';
import type { WorkflowState } from '../platform/temporal/workflow-state.ts';

export interface StuckWorkflowsDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Open workflows of this installation, of these types. */
  listOpen(types: readonly string[], before: string): AsyncIterator<OpenWorkflow>;
  stateOf(workflowId: string): Promise<WorkflowState>;
  /** Ends a workflow in Temporal, without its code. */
  terminate(workflowId: string, reason: string): Promise<unknown>;
  /** Lets the work of an `ingestTurn` wait for another workflow. */
  ingestStuck(workflowId: string): Promise<void>;
}

/** The consequence of an end by type, for the log. Runs have their own search in src/runs/end. */
const TYPES: Readonly<Record<string, string>> = {
  ingestTurn: 'its text is read later',
  enrichEntity: 'its entity keeps the summary that it has',
  fireSchedule: 'the schedule fires again at its next time',
  runJob: 'the job runs again at its next time',
};

const EVERY_MS = 60_000;
/** Workflows of one look. The next look goes on behind them. */
const WORKFLOWS_PER_LOOK = 200;
const ASKED_AT_ONCE = 10;
/** Younger workflows have not been tried often enough. */
const AGE_MS_MIN = 5 * 60_000;

/**
 * Ends the workflows beside those of runs whose task fails again and again
 * (docs/decisions/0088). Temporal would repeat the task for ever, and a Schedule starts nothing
 * while its last workflow is open.
 */
export function stuckWorkflows(deps: StuckWorkflowsDeps, ageMsMin = AGE_MS_MIN): PeriodicTask {
  let open: AsyncIterator<OpenWorkflow> | null = null;

  async function nextPage(): Promise<OpenWorkflow[]> {
    open ??= deps.listOpen(Object.keys(TYPES), instantOf(deps.clock.nowMs() - ageMsMin));
    const page: OpenWorkflow[] = [];
    try {
      while (page.length < WORKFLOWS_PER_LOOK) {
        const { value, done } = await open.next();
        if (done === true) {
          open = null;
          break;
        }
        page.push(value);
      }
    } catch (error) {
      open = null;
      throw error;
    }
    return page;
  }

  async function look({ workflowId, type }: OpenWorkflow): Promise<void> {
    if ((await deps.stateOf(workflowId)) !== 'stuck') return;
    if (type === 'ingestTurn') await deps.ingestStuck(workflowId);
    await deps.terminate(workflowId, 'Its workflow task fails again and again.');
    deps.log.error(
      `A workflow whose task failed again and again was ended: ${entryOf(TYPES, type)}`,
      { operation: `${type} ${workflowId}` },
    );
  }

  return {
    name: 'stuck-workflows',
    everyMs: EVERY_MS,
    async run() {
      const page = await nextPage();
      for (let from = 0; from < page.length; from += ASKED_AT_ONCE)
        await Promise.all(page.slice(from, from + ASKED_AT_ONCE).map(look));
    },
  };
}
