import { activityInfo } from '@temporalio/activity';
import { instant } from '../../src/common/clock.ts';
import { entryOf } from '../../src/common/entry-of.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { cutText } from '../../src/common/token-budget.ts';
import { type RunError, ToolFault, type Usage } from '../../src/common/tool-fault.ts';
import { endRun, sumUpRun } from '../../src/runs/end/run-end.cypher.ts';
import { entryValue, runEntry } from '../../src/runs/events/run-entry.ts';
import {
  loadObject,
  loadOutputs,
  type StoredPayload,
} from '../../src/runs/run/payloads.service.ts';
import type { RunTask } from '../../src/runs/run/ports.ts';
import { isOpen, type ProcessRun, type ValueOrRef } from '../../src/runs/run/run.ts';
import type { RunOrigin } from '../../src/runs/run/run-origin.ts';
import type { ProcessSnapshot } from '../../src/runs/run/snapshot.ts';
import { recordStart } from '../../src/runs/start/record-start.service.ts';
import { toStepOutput } from '../../src/runs/steps/step-run.cypher.ts';
import { variableOf } from '../../src/runs/steps/step-run.ts';
import type { FinishCall, Finished } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { DEFECT_TRIES_MAX, isInfrastructure, isLastTry, toFailure } from '../failure.ts';
import { toValueOrRef } from '../value-or-ref.ts';
import { callerEnd, type RunResult } from './caller-end.ts';

type Outcome = FinishCall['outcome'];

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
        'The run could not be finished because of an internal fault. The log of the Workers has its cause.';
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
  const { run, inlineBytesMax } = call;
  const known = await deps.snapshots.get(run.snapshotHash);
  const definition = known.process(run.processId);
  const names = known.templateNames(run.processId);
  const wanted = definition.steps
    .filter(({ output }) => names.has(output.variable))
    .map(({ id }) => id);
  const summary = await deps.graph.read((tx) =>
    sumUpRun(tx, run.runId, call.outcome.status === 'completed' ? wanted : []),
  );
  // A sub-run that was refused before it began has no record of its own.
  if (summary === null) return finishedWith(call.outcome, null);
  if (!isOpen(summary.run.status)) return toFinished(deps, summary.run, inlineBytesMax);
  // The workflow was faster than the run starter, or the starter was killed (docs/decisions/0010).
  const startedAt =
    summary.run.status === 'pending' ? await markStarted(deps, summary.run) : summary.run.startedAt;

  const result =
    call.outcome.status === 'completed'
      ? await checkOutput(deps, summary.task, await render(deps, definition, names, summary))
      : { outcome: withReason(call.outcome, summary.run), output: null, truncated: false };
  const stored =
    result.output === null ? null : await deps.payloads.store(run, 'output', result.output);
  const unreached = definition.steps
    .map(({ id }) => id)
    .filter((id) => !summary.stepIds.includes(id));
  const caller =
    call.parent === null
      ? null
      : await callerEnd(deps, run, call.parent, definition, result, stored, summary.usage);
  const wrote = await write(deps, call, {
    definition,
    result,
    stored,
    usage: summary.usage,
    startedAt,
    unreached,
    caller,
    task: summary.task,
    origin: summary.run.origin,
  }).catch((error: unknown) => {
    // Another write was faster, so the output does not fit the graph any more.
    if (error instanceof Refusal) return error;
    throw error;
  });
  if (wrote instanceof Refusal)
    return finish(deps, {
      ...call,
      outcome: unusable(`The output can't be used: ${wrote.message}`),
    });
  deps.wake();
  if (!wrote) {
    const again = await deps.graph.read((tx) => sumUpRun(tx, run.runId, []));
    if (again !== null) return toFinished(deps, again.run, inlineBytesMax);
  }
  // The parent gets the output recorded at its calling step, which is cut to that step's token
  // budget.
  const output =
    caller === null
      ? toOutputRef(result.output, stored, inlineBytesMax)
      : toOutputRef(caller.output, caller.stored, inlineBytesMax);
  return finishedWith(result.outcome, output);
}

/** Marks the run as running. @returns its start time */
async function markStarted(deps: RunContext, run: ProcessRun): Promise<string> {
  const startedAt = instant(deps.clock);
  const temporalRunId = activityInfo().workflowExecution?.runId ?? null;
  await deps.graph.write((tx) => recordStart(tx, deps, run, temporalRunId));
  return startedAt;
}

/** Adds the reason of a cancel to the error's message. */
function withReason(outcome: Outcome, { cancelReason }: ProcessRun): Outcome {
  if (outcome.status !== 'cancelled' || cancelReason === null) return outcome;
  return {
    ...outcome,
    error: { ...outcome.error, message: `The run was cancelled: ${cancelReason}` },
  };
}

async function render(
  deps: RunContext,
  definition: ProcessSnapshot,
  names: ReadonlySet<string>,
  summary: NonNullable<Awaited<ReturnType<typeof sumUpRun>>>,
): Promise<RunResult> {
  try {
    const scope = await scopeOf(deps, definition, names, summary);
    const { ownerId } = summary.run;
    const text = await deps.renderer.of(ownerId).render(definition.outputTemplate, scope);
    const budget = definition.tokenBudget ?? null;
    const { text: output, truncated } =
      budget === null ? { text, truncated: false } : cutText(text, budget);
    const hasCutPart = summary.records.some((record) => record['outputTruncated'] === true);
    return { outcome: { status: 'completed' }, output, truncated: truncated || hasCutPart };
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    if (error.retryable && activityInfo().attempt < DEFECT_TRIES_MAX) throw error;
    const { code, message, details } = error;
    return {
      outcome: {
        status: 'failed',
        error: {
          code,
          message: `The outputTemplate can't be rendered: ${message}`,
          stepId: null,
          details,
        },
      },
      output: null,
      truncated: false,
    };
  }
}

/** Turns a completed run into a failed one where its task can't use the output. */
async function checkOutput(
  deps: RunContext,
  task: RunTask | null,
  result: RunResult,
): Promise<RunResult> {
  if (result.outcome.status !== 'completed') return result;
  const fault = await deps.runObserver.findFault(task, result.output);
  return fault === null ? result : { outcome: unusable(fault), output: null, truncated: false };
}

function unusable(message: string): Outcome {
  return {
    status: 'failed',
    error: { code: 'OUTPUT_INVALID', message, stepId: null, details: null },
  };
}

async function scopeOf(
  deps: RunContext,
  definition: ProcessSnapshot,
  names: ReadonlySet<string>,
  { run, records: rows }: NonNullable<Awaited<ReturnType<typeof sumUpRun>>>,
): Promise<JsonObject> {
  const records = await loadOutputs(deps.payloads, rows.map(toStepOutput));
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
    if (names.has(step.output.variable)) scope[step.output.variable] = variableOf(step, records);
  }
  return scope;
}

interface Writing {
  readonly definition: ProcessSnapshot;
  readonly result: RunResult;
  readonly stored: StoredPayload | null;
  readonly usage: Usage;
  readonly startedAt: string | null;
  readonly unreached: readonly string[];
  readonly caller: Awaited<ReturnType<typeof callerEnd>> | null;
  readonly task: RunTask | null;
  readonly origin: RunOrigin;
}

async function write(
  deps: RunContext,
  { run }: FinishCall,
  { definition, result, stored, usage, startedAt, unreached, caller, task, origin }: Writing,
): Promise<boolean> {
  const { outcome, truncated } = result;
  const error = outcome.status === 'completed' ? null : outcome.error;
  const now = instant(deps.clock);
  const end = runEntry(deps, run, 'run.ended', {
    processId: definition.id,
    status: outcome.status,
    output:
      result.output === null ? { value: null } : entryValue(result.output, stored?.bytes ?? 0),
    outputTruncated: truncated,
    error,
    usage,
    startedAt,
  });
  return deps.graph.write(async (tx) => {
    const ended = await endRun(tx, {
      runId: run.runId,
      status: outcome.status,
      // Stored as plain text, so that it is readable in Neo4j; only a blob holds JSON.
      output: stored?.blob === null ? result.output : null,
      outputBlob: stored?.blob ?? null,
      outputBytes: stored?.bytes ?? 0,
      outputTruncated: truncated,
      error,
      usage,
      unreached,
      unreachedStatus:
        outcome.status === 'cancelled' || outcome.status === 'timed_out' ? 'cancelled' : 'skipped',
      now,
      entries: caller === null ? [end] : [end, caller.entry],
      callingStep: caller === null ? null : { key: caller.key, props: caller.props },
    });
    const { status } = outcome;
    const { output } = result;
    if (ended) await deps.runObserver.ended(tx, { run, status, output, now, task, origin });
    return ended;
  });
}

function toOutputRef(
  output: string | null,
  stored: StoredPayload | null,
  inlineBytesMax: number,
): ValueOrRef | null {
  if (output === null || stored === null) return null;
  return toValueOrRef(output, stored.bytes, inlineBytesMax);
}

function finishedWith(outcome: Outcome, output: ValueOrRef | null): Finished {
  return outcome.status === 'completed'
    ? { status: 'completed', output, error: null }
    : { status: outcome.status, output: null, error: outcome.error };
}

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
