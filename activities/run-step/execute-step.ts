import type { Operation } from '../../src/catalog/tools/operation.ts';
import type { Json } from '../../src/common/json.ts';
import { STEP_TIMEOUT_SECONDS_DEFAULT } from '../../src/common/limits.ts';
import { fitToBudget } from '../../src/common/token-budget.ts';
import { NO_USAGE, ToolFault, type Usage } from '../../src/common/tool-fault.ts';
import { validateJson } from '../../src/json-schema/json-schema.ts';
import type { ClaimedStep } from '../../src/runs/steps/step-claim.cypher.ts';
import { findCachedStep } from '../../src/runs/steps/step-run.cypher.ts';
import type { StepRun } from '../../src/runs/steps/step-run.ts';
import type { WorkerSlot } from '../../src/workers/slots.ts';
import type { StepAnswer, StepCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { isInfrastructure, stepFailure, toFailure } from '../failure.ts';
import { type Attempt, type AttemptEnd, watchAttempt } from './attempt.ts';
import { openGate } from './gate.ts';
import { claimAttempt } from './step-claim.ts';
import { completed, endCompleted, endFailed, endShutDown } from './step-end.ts';
import { detailsOf, placeOf, prepareJob, type StepJob, wordsOf } from './step-job.ts';
import { createStepStream, type StepStream } from './step-stream.ts';

/**
 * One attempt of one step (S4-EXEC-01): claim, gate, call, record. Whatever happens, the attempt ends in one transaction
 * that records its output or its error, its usage and its entry; whoever repeats it later gets what is recorded.
 */
export function createExecuteStep(deps: RunContext): (call: StepCall) => Promise<StepAnswer> {
  return async (call) => {
    const attempt = watchAttempt();
    let slot: WorkerSlot | null = null;
    try {
      const job = await prepareJob(deps, call);
      slot = deps.slots?.acquire(job.tool.operation.type) ?? null;
      return await execute(deps, { ...job, workerId: slot?.workerId ?? null }, attempt);
    } catch (error) {
      throw toFailure(deps, error, `executeStep ${call.stepId} of ${call.run.runId}`);
    } finally {
      slot?.release();
      attempt.close();
    }
  };
}

async function execute(deps: RunContext, job: StepJob, attempt: Attempt): Promise<StepAnswer> {
  const claim = await claimAttempt(deps, job);
  if ('unaffordable' in claim) return { status: 'unaffordable', budgetVersion: claim.unaffordable };
  if (!claim.claimed) return answerUnclaimed(deps, job, claim);

  const stream = createStepStream(deps, job.call.run, placeOf(job, claim.attempt));
  let end: AttemptEnd;
  let cachedFrom: StepRun | null = null;
  try {
    if (job.invalid !== null) throw job.invalid;
    cachedFrom = await findCached(deps, job);
    if (cachedFrom !== null) {
      const output = await deps.payloads.load({
        text: JSON.stringify(cachedFrom.output),
        blob: cachedFrom.outputBlob,
      });
      end = { output, usage: NO_USAGE, truncated: cachedFrom.outputTruncated };
    } else {
      end = await callTool(deps, job, claim, attempt, stream);
    }
  } catch (error) {
    if (isInfrastructure(error)) throw error;
    await stream.close();
    if (attempt.wasShutDown()) return endShutDown(deps, job, claim.attempt);
    return endFailed(deps, job, claim.attempt, toFault(deps, error, job));
  }
  await stream.close();
  return endCompleted(deps, job, claim.attempt, end, cachedFrom === null ? 'called' : 'cached');
}

/** Nothing to claim: it is done, it failed for good, the run is over, or its last attempt was lost with its worker. */
async function answerUnclaimed(
  deps: RunContext,
  job: StepJob,
  { was, record, runOpen, attempt }: ClaimedStep,
): Promise<StepAnswer> {
  const { stepId } = job.call;
  if (was === 'completed') {
    const stored = { text: JSON.stringify(record.output), blob: record.outputBlob };
    const output =
      record.outputBytes <= job.call.inlineBytesMax ? await deps.payloads.load(stored) : null;
    return completed(job, output, record.outputBytes);
  }
  if (record.error !== null && was !== 'running' && was !== 'pending')
    throw stepFailure(record.error, 'final');
  if (!runOpen || was === 'cancelled') {
    throw stepFailure(
      { code: 'CANCELLED', message: 'The run is over.', stepId, details: null },
      'final',
    );
  }
  if (was === 'running') {
    const fault = job.tool.mutating
      ? new ToolFault(
          'TOOL_FAILED',
          'The worker was lost while the Tool was called: outcome unknown. Check the target before running it again.',
        )
      : new ToolFault(
          'TOOL_FAILED',
          'The worker was lost while the Tool was called, in every attempt.',
        );
    return endFailed(deps, job, attempt, fault, 'no more');
  }
  throw new Error(`Step ${job.key} is ${was} and can't be run.`);
}

async function findCached(
  deps: RunContext,
  { cacheKey, step, call }: StepJob,
): Promise<StepRun | null> {
  const seconds = step.execution.cacheSeconds;
  if (cacheKey === null || seconds === null || seconds === undefined) return null;
  const since = new Date(deps.clock.nowMs() - seconds * 1_000).toISOString();
  return deps.graph.read((tx) =>
    findCachedStep(tx, { cacheKey, ownerId: call.run.ownerId, since }),
  );
}

async function callTool(
  deps: RunContext,
  job: StepJob,
  claim: ClaimedStep,
  attempt: Attempt,
  stream: StepStream,
): Promise<AttemptEnd> {
  const { call, tool, step, inputs, key } = job;
  const target = await openGate(deps, { tool, live: claim.tool, ownerId: call.run.ownerId });
  const timeoutMs = (step.execution.timeout ?? STEP_TIMEOUT_SECONDS_DEFAULT) * 1_000;
  const driver = deps.drivers[tool.operation.type];
  const invoke = driver.invoke as (
    call: Parameters<typeof driver.invoke>[0] & { operation: Operation },
  ) => ReturnType<typeof driver.invoke>;
  const { output, usage } = await attempt.within(timeoutMs, (signal) =>
    invoke.call(driver, {
      target,
      operation: tool.operation as never,
      inputs,
      ownerId: call.run.ownerId,
      workspace: call.run.workspace,
      idempotencyKey: key,
      maxOutputTokens: step.output.tokenBudget ?? null,
      timeoutMs,
      signal,
      onProgress: stream.progress,
      ...(job.speaks
        ? { onText: stream.text, onReasoning: stream.reasoning, onReset: stream.reset }
        : {}),
    }),
  );
  return checkOutput(job, output, usage);
}

function checkOutput({ tool, step, call }: StepJob, output: Json, usage: Usage): AttemptEnd {
  if (output === null && step.output.required) {
    throw new ToolFault(
      'OUTPUT_INVALID',
      `${tool.name} gave no output, but step ${call.stepId} requires one.`,
      { usage },
    );
  }
  const { value, problems } =
    output === null && !step.output.required
      ? { value: null, problems: [] }
      : validateJson(tool.outputSchema, output, ['output']);
  if (problems.length > 0) {
    throw new ToolFault(
      'OUTPUT_INVALID',
      `The output of ${tool.name} breaks its outputSchema: ${wordsOf(problems)}`,
      {
        usage,
        details: detailsOf(problems),
      },
    );
  }
  const fitted = fitToBudget(value, step.output.tokenBudget);
  return { output: fitted.output, usage, truncated: fitted.truncated };
}

function toFault(deps: RunContext, error: unknown, { key, tool }: StepJob): ToolFault {
  if (error instanceof ToolFault) return error;
  deps.onDefect(error, `executeStep ${key}`);
  return new ToolFault(
    'TOOL_FAILED',
    `${tool.name} could not be called because of an internal fault. It is in the worker's log.`,
  );
}
