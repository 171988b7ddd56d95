import { activityInfo } from '@temporalio/activity';
import { instant } from '../../src/common/clock.ts';
import { entryOf } from '../../src/common/entry-of.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { cutText } from '../../src/common/token-budget.ts';
import { type RunError, ToolFault } from '../../src/common/tool-fault.ts';
import { endRunIn, type RunEnding } from '../../src/runs/end/end-run.mutations.ts';
import { sumUpRun } from '../../src/runs/end/run-end.cypher.ts';
import type { RunOutcome } from '../../src/runs/end/run-error.ts';
import { loadObject } from '../../src/runs/run/payloads.service.ts';
import { isOpen, type ProcessRun, type ValueOrRef } from '../../src/runs/run/run.ts';
import type { ProcessSnapshot } from '../../src/runs/run/snapshot.ts';
import { recordStart } from '../../src/runs/start/record-start.service.ts';
import { toStepOutput } from '../../src/runs/steps/step-run.cypher.ts';
import { variableOf } from '../../src/runs/steps/step-run.ts';
import type { FinishCall, Finished } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { DEFECT_TRIES_MAX, isInfrastructure, isLastTry, toFailure } from '../failure.ts';
import { loadValues } from '../run-step/bind-step.ts';
import { toValueOrRef } from '../value-or-ref.ts';
import { recordCutAgents } from './agent-span.ts';
import { callerEnd } from './caller-end.ts';

type Summary = NonNullable<Awaited<ReturnType<typeof sumUpRun>>>;

/** A run that is still open, with the parts that its end is made of. */
interface OpenRun {
  readonly definition: ProcessSnapshot;
  /** Top-level names that the outputTemplate uses. */
  readonly names: ReadonlySet<string>;
  readonly summary: Summary;
}

/**
 * Ends a run (S4-EXEC-14). Renders the outputTemplate over context and recorded outputs, within the
 * token budget. One transaction records the run, its open steps, the calling step of a sub-run and
 * the entries. A repeat returns the record.
 */
export function createFinishRun(deps: RunContext): (call: FinishCall) => Promise<Finished> {
  return async (call) => {
    try {
      return await finish(deps, call);
    } catch (error) {
      // A run has to end even where its output can't be made: after DEFECT_TRIES_MAX attempts it
      // ends as failed.
      const where = `finishRun ${call.run.runId}`;
      if (isInfrastructure(error) || !isLastTry())
        throw toFailure(deps, error, where, 'are tried again');
      deps.onDefect(error, where);
      const message =
        'The run could not be finished because of an internal fault. The log of the Workers ' +
        'has its cause.';
      const failure: RunError = { code: 'INTERNAL', message, stepId: null, details: null };
      // Where that fails too, the workflow ends without a record, and the search for lost workflows
      // ends the run.
      return finish(deps, { ...call, outcome: { status: 'failed', error: failure } }).catch(
        (again: unknown) => Promise.reject(toFailure(deps, again, where)),
      );
    }
  };
}

async function finish(deps: RunContext, call: FinishCall): Promise<Finished> {
  const known = await deps.snapshots.get(call.run.snapshotHash);
  const definition = known.process(call.run.processId);
  const names = known.templateNames(call.run.processId);
  const wanted = definition.steps
    .filter(({ output }) => call.outcome.status === 'completed' && names.has(output.variable))
    .map(({ id }) => id);
  const summary = await deps.graph.read((tx) => sumUpRun(tx, call.run.runId, wanted));
  // A sub-run that was refused before it began has no record of its own.
  if (summary === null) return finishedWith(call.outcome, null);
  if (!isOpen(summary.run.status)) return toFinished(deps, summary.run, call.inlineBytesMax);
  const ending = await endingOf(deps, call, { definition, names, summary });
  return write(deps, call, definition, ending).catch((error: unknown) => {
    // Another write was faster, so the output does not fit the graph any more.
    if (!(error instanceof Refusal)) throw error;
    const outcome = unusable(`The output can't be used: ${error.message}`);
    return write(deps, call, definition, { ...ending, outcome, output: null });
  });
}

/** The end of the run: its outputTemplate is rendered if it completed. */
async function endingOf(deps: RunContext, call: FinishCall, open: OpenRun): Promise<RunEnding> {
  const { definition, summary } = open;
  const { run: record, usage, stepIds, task } = summary;
  // The workflow was faster than the run starter, or the starter was killed (docs/decisions/0010).
  const startedAt =
    record.status === 'pending' ? await markStarted(deps, record) : record.startedAt;
  const result =
    call.outcome.status === 'completed'
      ? await render(deps, open)
      : { outcome: withReason(call.outcome, record), output: null };
  return {
    run: call.run,
    ...result,
    usage,
    startedAt,
    unreached: definition.steps.flatMap(({ id }) => (stepIds.includes(id) ? [] : [id])),
    task,
    origin: record.origin,
  };
}

/** @throws Refusal where the output does not fit the graph any more */
async function write(
  deps: RunContext,
  { run, parent, inlineBytesMax }: FinishCall,
  { name }: ProcessSnapshot,
  ending: RunEnding,
): Promise<Finished> {
  const caller = parent === null ? null : await callerEnd(deps, parent, name, ending);
  const wrote = await deps.graph.write((tx) => endRunIn(deps, tx, ending, caller));
  deps.wake();
  // The run has ended; a fault of its traces must not end it again.
  if (wrote) await recordCutAgents(deps, run, ending.outcome).catch(() => {});
  else {
    const again = await deps.graph.read((tx) => sumUpRun(tx, run.runId, []));
    if (again !== null) return toFinished(deps, again.run, inlineBytesMax);
  }
  const { outcome, output } = ending;
  // The parent gets the output recorded at its calling step, which is cut to that step's token
  // budget.
  const { output: text, stored } = caller ?? {
    output: output?.text ?? null,
    stored: output?.stored ?? null,
  };
  const isThere = text !== null && stored !== null;
  return finishedWith(outcome, isThere ? toValueOrRef(text, stored.bytes, inlineBytesMax) : null);
}

/** Marks the run as running. @returns its start time */
async function markStarted(deps: RunContext, run: ProcessRun): Promise<string> {
  const startedAt = instant(deps.clock);
  const temporalRunId = activityInfo().workflowExecution?.runId ?? null;
  await deps.graph.write((tx) => recordStart(tx, deps, run, temporalRunId));
  return startedAt;
}

/** Adds the reason of a cancel to the error's message. */
function withReason(outcome: RunOutcome, { cancelReason }: ProcessRun): RunOutcome {
  if (outcome.status !== 'cancelled' || cancelReason === null) return outcome;
  return {
    ...outcome,
    error: { ...outcome.error, message: `The run was cancelled: ${cancelReason}` },
  };
}

type Result = Pick<RunEnding, 'outcome' | 'output'>;

/** The output, stored; a run whose output can't be made, or not used by its task, fails. */
async function render(deps: RunContext, open: OpenRun): Promise<Result> {
  const { definition, summary } = open;
  const { run, task, records } = summary;
  const made = await renderText(deps, open);
  if ('outcome' in made) return made;
  const budget = definition.tokenBudget ?? null;
  const { text, truncated } =
    budget === null ? { text: made.text, truncated: false } : cutText(made.text, budget);
  const fault = await deps.runObserver.findFault(task, text);
  if (fault !== null) return { outcome: unusable(fault), output: null };
  const hasCutPart = records.some((record) => record['outputTruncated'] === true);
  const stored = await deps.payloads.store({ ...run, runId: run.id }, 'output', text);
  return {
    outcome: { status: 'completed' },
    output: { text, truncated: truncated || hasCutPart, stored },
  };
}

async function renderText(
  deps: RunContext,
  open: OpenRun,
): Promise<{ readonly text: string } | Result> {
  try {
    const scope = await scopeOf(deps, open);
    const renderer = deps.renderer.of(open.summary.run.ownerId);
    return { text: await renderer.render(open.definition.outputTemplate, scope) };
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    if (error.retryable && activityInfo().attempt < DEFECT_TRIES_MAX) throw error;
    const { code, details } = error;
    const message = `The outputTemplate can't be rendered: ${error.message}`;
    const fault: RunError = { code, message, stepId: null, details };
    return { outcome: { status: 'failed', error: fault }, output: null };
  }
}

const unusable = (message: string): RunOutcome => ({
  status: 'failed',
  error: { code: 'OUTPUT_INVALID', message, stepId: null, details: null },
});

async function scopeOf(
  deps: RunContext,
  { definition, names, summary }: OpenRun,
): Promise<JsonObject> {
  const { run, records: rows } = summary;
  const records = await loadValues(deps.payloads, definition.steps, rows.map(toStepOutput));
  const usesContext = definition.initialContext.some((name) => names.has(name));
  const context = !usesContext
    ? {}
    : run.contextBlob === null
      ? (run.context ?? {})
      : await loadObject(deps.payloads, run.contextBlob);
  const scope: Record<string, Json> = {};
  for (const name of definition.initialContext)
    if (names.has(name)) scope[name] = entryOf(context, name) ?? null;
  for (const step of definition.steps) {
    if (names.has(step.output.variable))
      scope[step.output.variable] = variableOf(step, records, { ...run, runId: run.id });
  }
  return scope;
}

const finishedWith = (outcome: RunOutcome, output: ValueOrRef | null): Finished =>
  outcome.status === 'completed'
    ? { status: 'completed', output, error: null }
    : { status: outcome.status, output: null, error: outcome.error };

async function toFinished(
  deps: RunContext,
  run: ProcessRun,
  inlineBytesMax: number,
): Promise<Finished> {
  if (run.status !== 'completed') {
    const error = run.error ?? {
      code: 'CANCELLED',
      message: 'The run is over.',
      stepId: null,
      details: null,
    };
    return { status: run.status as Finished['status'], output: null, error };
  }
  const output =
    run.outputBlob === null ? run.output : await deps.payloads.loadBlob(run.outputBlob);
  const bytes = JSON.stringify(output).length;
  return {
    status: 'completed',
    output: toValueOrRef(output, bytes, inlineBytesMax),
    error: null,
  };
}
