import { activityInfo } from '@temporalio/activity';
import { instant } from '../../src/common/clock.ts';
import { NO_USAGE, ToolFault } from '../../src/common/tool-fault.ts';
import type { LiveTool, StepState, StepWrite } from '../../src/runs/attempts/attempt.cypher.ts';
import { decideClaim } from '../../src/runs/attempts/decide-claim.ts';
import { entryValue, runEntry } from '../../src/runs/events/run-entry.ts';
import { findRunById } from '../../src/runs/run/run.cypher.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';
import { startOf } from '../../src/runs/start/record-start.service.ts';
import type { RunStart } from '../../src/runs/start/start.cypher.ts';
import type { StepRun } from '../../src/runs/steps/step-run.ts';
import type { StepAnswer } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { stepFailure } from '../failure.ts';
import type { Attempt } from './attempt.ts';
import { AttemptRecord } from './attempt-record.ts';
import { modelOf } from './model-of.ts';
import { completedAnswer } from './step-end.ts';
import type { StepJob } from './step-job.ts';

/**
 * `claimed`: this activity has to end the attempt. With a `fault` it ends as failed and the Tool is
 * not called. `answered`: there is nothing to do, and `answer` is the activity's result.
 */
export type StepClaim = ClaimedAttempt | { readonly kind: 'answered'; readonly answer: StepAnswer };

export interface ClaimedAttempt {
  readonly kind: 'claimed';
  readonly record: AttemptRecord;
  readonly tool: LiveTool | null;
  readonly fault: ToolFault | null;
}

/**
 * Claims the next attempt of the step. The claim is recorded before a call that must not be
 * repeated, before an LLM call, and with the start of the run; else while the call is at work, or
 * with its end. That of a local attempt is recorded with its end.
 * @throws the recorded failure where the step failed for good; CANCELLED where the run is over or
 * gone
 */
export async function claimAttempt(
  deps: RunContext,
  job: StepJob,
  { isLocal }: Pick<Attempt, 'isLocal'>,
  trust: () => void,
): Promise<StepClaim> {
  const { call, key, tool, retry } = job;
  const { run, stepId } = call;
  for (;;) {
    const look = { runId: run.runId, key, toolId: tool.id };
    const state = await deps.steps.look(run.ownerId, look);
    if (state === null) throw cancelled('The run is gone.', stepId);
    const decision = decideClaim(state, retry.maximumAttempts);
    if (decision.kind === 'over') throw cancelled('The run is over.', stepId);
    if (decision.kind === 'ended')
      return { kind: 'answered', answer: await answerOf(deps, job, decision.record) };
    const { attempt } = decision;
    const start = await startWrite(deps, job, state, attempt);
    if (decision.kind === 'lost') {
      trust();
      const record = new AttemptRecord(deps, job, { ...start, start: null }, trust);
      return { kind: 'claimed', record, tool: null, fault: lostFault(tool) };
    }
    const record = new AttemptRecord(deps, job, start, trust);
    const claimed: StepClaim = { kind: 'claimed', record, tool: state.tool, fault: job.invalid };
    if (isLocal) return claimed;
    // No entry of a step may come before that of the run's start.
    const mayWait = start.start?.runStart === null;
    if (mayWait && !tool.mutating && tool.operation.type !== 'llm_call') {
      record.beginLate();
      return claimed;
    }
    const written = await record.begin();
    if (written === 'done') return claimed;
    if (written !== 'changed')
      return { kind: 'answered', answer: { status: 'unaffordable', ...written } };
  }
}

/** The write of the attempt's start, with its entry. */
async function startWrite(
  deps: RunContext,
  job: StepJob,
  { runStatus, record }: StepState,
  attempt: number,
): Promise<StepWrite> {
  const { call, step, tool, workerId, round } = job;
  const { run, stepId, index } = call;
  // The step that offers the tools records the inputs of all its rounds.
  const inputs = round === null ? job.inputs : { round: round.round };
  const stored = await deps.payloads.store(run, `${stepId}/${index ?? ''}/inputs`, inputs);
  // Ids order the events of a run.
  const runStart = runStatus === 'pending' ? await findStart(deps, run.runId) : null;
  const entry = runEntry(deps, run, 'step.started', {
    stepId,
    index,
    attempt,
    name: tool.name,
    type: tool.operation.type,
    targetId: tool.id,
    inputs: entryValue(inputs, stored.bytes),
    speaks: job.speaks,
    dependsOn: step.dependsOn,
    model: modelOf(tool),
    parallelGroupId: job.parallelGroupId,
  });
  const now = instant(deps.clock);
  return {
    ...{ run, stepId, index, attempt, workerId, now },
    from: {
      status: record?.status ?? 'pending',
      attempt: record?.attempt ?? 0,
      usage: record?.usage ?? NO_USAGE,
    },
    startedAt: record?.startedAt ?? now,
    start: { inputs: stored.text, inputsBlob: stored.blob, toolId: tool.id, runStart },
    end: null,
    entries: [entry],
  };
}

/**
 * The start of a run whose workflow was faster than the run starter, or whose starter was killed
 * (docs/decisions/0010).
 */
async function findStart(deps: RunContext, runId: string): Promise<RunStart | null> {
  const pending = await deps.graph.read((tx) => findRunById(tx, runId));
  if (pending === null) return null;
  return startOf(deps, pending, activityInfo().workflowExecution?.runId ?? null);
}

/** @throws the recorded failure where the step failed */
async function answerOf(deps: RunContext, job: StepJob, record: StepRun): Promise<StepAnswer> {
  const { call } = job;
  const { status, error, outputBytes: bytes, outputBlob: blob } = record;
  if (status !== 'completed') {
    if (error !== null) throw stepFailure(error, 'final');
    throw new Error(`Step ${call.stepId} of ${call.run.runId} is ${status} and can't be run.`);
  }
  const isInline = job.round !== null || bytes <= call.inlineBytesMax;
  const text = JSON.stringify(record.output);
  const value = isInline ? await deps.payloads.load({ text, blob }) : null;
  return completedAnswer(job, value, bytes);
}

const cancelled = (message: string, stepId: string): Error =>
  stepFailure({ code: 'CANCELLED', message, stepId, details: null }, 'final');

const lostFault = ({ mutating }: ToolSnapshot): ToolFault =>
  new ToolFault(
    'TOOL_FAILED',
    mutating
      ? 'The worker was lost while the Tool was called: outcome unknown. Check the target ' +
          'before running it again.'
      : 'The worker was lost while the Tool was called, in every attempt.',
  );
