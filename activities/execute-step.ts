import { createHash } from 'node:crypto';
import { validateJson } from '../src/catalog/json-schema.ts';
import type { Operation } from '../src/catalog/operation.ts';
import { instant } from '../src/common/clock.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../src/common/json.ts';
import { STEP_TIMEOUT_SECONDS_DEFAULT } from '../src/common/limits.ts';
import type { ProcessStep } from '../src/processes/process.ts';
import { NO_USAGE, type RunError, ToolFault, type Usage } from '../src/runs/fault.ts';
import { entryValue, runEntry } from '../src/runs/run-entry.ts';
import type { ToolSnapshot } from '../src/runs/snapshot.ts';
import {
  type ClaimedStep,
  claimStep,
  endStep,
  findCachedStep,
  reserveBudget,
  type StepEnd,
} from '../src/runs/step-run.cypher.ts';
import {
  backoffMs,
  retryOf,
  type StepRetry,
  type StepRun,
  type StepStatus,
  stepKey,
} from '../src/runs/step-run.ts';
import { fitToBudget } from '../src/runs/token-budget.ts';
import { type Attempt, type AttemptEnd, watchAttempt } from './attempt.ts';
import { bindStep } from './bind.ts';
import { estimateCall } from './budget.ts';
import type { StepAnswer, StepCall } from './contract.ts';
import type { RunContext } from './deps.ts';
import { infrastructureFailure, isInfrastructure, lostFailure, stepFailure } from './failure.ts';
import { openGate } from './gate.ts';
import { createTextStream } from './text-stream.ts';

/** One step of one run, with all that does not change over its attempts. */
interface Job {
  readonly call: StepCall;
  readonly key: string;
  readonly step: ProcessStep;
  readonly tool: ToolSnapshot;
  readonly retry: StepRetry;
  readonly inputs: JsonObject;
  /** Why the inputs do not fit the Tool, or null. */
  readonly invalid: ToolFault | null;
  readonly cacheKey: string | null;
  /** Its text streams as the run's own answer. */
  readonly speaks: boolean;
}

/** Rolls the claim back: the call does not fit the budget as of `version`. */
class Unaffordable extends Error {
  readonly version: number;
  constructor(version: number) {
    super('The budget does not hold this call.');
    this.version = version;
  }
}

/**
 * One attempt of one step (S4-EXEC-01): claim, gate, call, record. Whatever happens, the attempt ends in one transaction
 * that records its output or its error, its usage and its entry; whoever repeats it later gets what is recorded.
 */
export function createExecuteStep(deps: RunContext): (call: StepCall) => Promise<StepAnswer> {
  return async (call) => {
    const attempt = watchAttempt();
    const job = await prepare(deps, call);
    const slot = deps.slots?.acquire(job.tool.operation.type) ?? null;
    try {
      return await execute(deps, job, attempt, slot?.workerId ?? null);
    } catch (error) {
      // Neo4j away: another attempt of this activity goes on where the record says, and costs the step no attempt.
      if (isInfrastructure(error)) throw infrastructureFailure();
      throw error;
    } finally {
      slot?.release();
      attempt.close();
    }
  };
}

async function prepare(deps: RunContext, call: StepCall): Promise<Job> {
  const { run, stepId, index } = call;
  const known = await deps.snapshots.get(run.snapshotHash);
  const definition = known.process(run.processId);
  const step = definition.steps.find(({ id }) => id === stepId);
  if (step === undefined || !('toolId' in step.calls))
    throw new Error(`No Tool is called by step ${stepId}.`);
  const tool = known.findTool(step.calls.toolId);
  if (tool === null) throw new Error(`The Tool of step ${stepId} is not in the snapshot.`);
  const bound = await bindStep(deps, run, step, index, call.inputs);
  const { value, problems } = validateJson(tool.inputSchema, bound, ['inputs']);
  const inputs = problems.length === 0 && isJsonObject(value) ? value : bound;
  const invalid =
    problems.length === 0
      ? null
      : new ToolFault(
          'INPUT_INVALID',
          `The inputs of step ${stepId} do not fit ${tool.name}: ${sentences(problems)}`,
          {
            details: {
              problems: problems.map(({ message, path }) => ({ message, path: [...path] })),
            },
          },
        );
  const structured = tool.operation.type === 'llm_call' && tool.operation.responseSchema;
  return {
    call,
    key: stepKey(run.runId, stepId, index),
    step,
    tool,
    retry: retryOf(step, tool.mutating ? 'mutating' : 'read-only'),
    inputs,
    invalid,
    cacheKey: step.execution.cacheSeconds ? cacheKeyOf(run.ownerId, tool, step, inputs) : null,
    speaks:
      tool.operation.type === 'llm_call' &&
      !structured &&
      known.templateNames(run.processId).has(step.output.variable),
  };
}

function sentences(problems: readonly { message: string; path: readonly string[] }[]): string {
  return problems
    .map(({ message, path }) => `${path.slice(1).join('.') || 'inputs'}: ${message}`)
    .join(' ');
}

/** Equal calls: the same owner, the same Tool as it was, the same inputs and bound on the output. */
function cacheKeyOf(
  ownerId: string,
  tool: ToolSnapshot,
  step: ProcessStep,
  inputs: JsonObject,
): string {
  const call = { ownerId, tool, inputs, tokenBudget: step.output.tokenBudget ?? null };
  return createHash('sha256').update(canonicalJson(call)).digest('hex');
}

async function execute(
  deps: RunContext,
  job: Job,
  attempt: Attempt,
  workerId: string | null,
): Promise<StepAnswer> {
  const claim = await claimAttempt(deps, job, workerId);
  if ('unaffordable' in claim) return { status: 'unaffordable', budgetVersion: claim.unaffordable };
  if (!claim.claimed) return answerUnclaimed(deps, job, claim);

  const text = job.speaks ? createTextStream(deps, job.call.run, place(job, claim.attempt)) : null;
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
      end = await callTool(deps, job, claim, attempt, text);
    }
  } catch (error) {
    if (isInfrastructure(error)) throw error;
    if (attempt.wasShutDown()) {
      await text?.close();
      return endShutDown(deps, job, claim.attempt);
    }
    await text?.close();
    return endFailed(deps, job, claim.attempt, toFault(deps, error, job));
  }
  await text?.close();
  return endCompleted(deps, job, claim.attempt, end, cachedFrom === null ? 'called' : 'cached');
}

function place(job: Job, attempt: number) {
  return { stepId: job.call.stepId, index: job.call.index, attempt };
}

async function claimAttempt(
  deps: RunContext,
  job: Job,
  workerId: string | null,
): Promise<ClaimedStep | { unaffordable: number }> {
  const { call, key, tool, inputs, retry } = job;
  const { run, stepId, index } = call;
  const stored = await deps.payloads.store(run, `${stepId}/${index ?? ''}/inputs`, inputs);
  const now = instant(deps.clock);
  const entry = runEntry(deps, run, 'step.started', {
    ...place(job, 0),
    name: tool.name,
    type: tool.operation.type,
    targetId: tool.id,
    inputs: entryValue(inputs, stored.bytes),
    speaks: job.speaks,
  });
  try {
    const claim = await deps.graph.write(async (tx) => {
      const claimed = await claimStep(tx, {
        runId: run.runId,
        rootRunId: run.rootRunId,
        ownerId: run.ownerId,
        key,
        stepId,
        index,
        toolId: tool.id,
        workerId,
        attemptsMax: retry.maximumAttempts,
        inputs: stored.text,
        inputsBlob: stored.blob,
        now,
        entry,
      });
      if (
        claimed?.claimed &&
        run.budgeted &&
        tool.operation.type === 'llm_call' &&
        job.invalid === null
      ) {
        const estimate = estimateCall(tool, inputs, job.step.output.tokenBudget ?? null);
        const { fits, budgetVersion } = await reserveBudget(tx, {
          key,
          rootRunId: run.rootRunId,
          ...estimate,
          now,
        });
        if (!fits) throw new Unaffordable(budgetVersion);
      }
      return claimed;
    });
    if (claim === null)
      throw stepFailure(
        { code: 'CANCELLED', message: 'The run is gone.', stepId, details: null },
        'final',
      );
    if (claim.claimed) deps.wake();
    return claim;
  } catch (error) {
    if (error instanceof Unaffordable) return { unaffordable: error.version };
    throw error;
  }
}

/** Nothing to claim: it is done, it failed for good, the run is over, or its last attempt was lost with its worker. */
async function answerUnclaimed(
  deps: RunContext,
  job: Job,
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
  { cacheKey, step, call }: Job,
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
  job: Job,
  claim: ClaimedStep,
  attempt: Attempt,
  text: ReturnType<typeof createTextStream> | null,
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
      ...(text === null
        ? {}
        : { onText: text.text, onReasoning: text.reasoning, onReset: text.reset }),
    }),
  );
  return checkOutput(job, output, usage);
}

function checkOutput({ tool, step, call }: Job, output: Json, usage: Usage): AttemptEnd {
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
      `The output of ${tool.name} breaks its outputSchema: ${sentences(problems)}`,
      {
        usage,
        details: { problems: problems.map(({ message, path }) => ({ message, path: [...path] })) },
      },
    );
  }
  const fitted = fitToBudget(value, step.output.tokenBudget);
  return { output: fitted.output, usage, truncated: fitted.truncated };
}

async function endCompleted(
  deps: RunContext,
  job: Job,
  attempt: number,
  { output, usage, truncated }: AttemptEnd,
  how: 'called' | 'cached',
): Promise<StepAnswer> {
  const { run, stepId, index } = job.call;
  const stored = await deps.payloads.store(
    run,
    `${stepId}/${index ?? ''}/output/${attempt}`,
    output,
  );
  const recorded = await record(
    deps,
    job,
    attempt,
    {
      status: 'completed',
      output: stored.text,
      outputBlob: stored.blob,
      outputBytes: stored.bytes,
      outputTruncated: truncated,
      error: null,
      usage,
      cached: how === 'cached',
      cacheKey: how === 'cached' ? null : job.cacheKey,
    },
    { output: entryValue(output, stored.bytes), willRetry: false },
  );
  if (!recorded) throw lostFailure();
  return completed(job, output, stored.bytes);
}

function completed({ call }: Job, output: Json, bytes: number): StepAnswer {
  const isSmall = bytes <= call.inlineBytesMax;
  return { status: 'completed', output: isSmall ? { inline: output } : { ref: true, bytes } };
}

/** Records the failure, and says to Temporal whether and when another attempt follows. Never returns. */
async function endFailed(
  deps: RunContext,
  job: Job,
  attempt: number,
  fault: ToolFault,
  more: 'by policy' | 'no more' = 'by policy',
): Promise<never> {
  const { retry, call } = job;
  const willRetry =
    more === 'by policy' &&
    fault.retryable &&
    !retry.nonRetryable.includes(fault.code) &&
    attempt < retry.maximumAttempts;
  const error: RunError = {
    code: fault.code,
    message: fault.message,
    stepId: call.stepId,
    details: fault.details,
  };
  const recorded = await record(
    deps,
    job,
    attempt,
    {
      ...NO_OUTPUT,
      status: willRetry ? 'pending' : statusOf(fault),
      error,
      usage: fault.usage ?? NO_USAGE,
    },
    { output: { value: null }, willRetry },
  );
  if (!recorded) throw lostFailure();
  const delayMs = fault.retryAfterMs ?? backoffMs(retry, attempt);
  throw stepFailure(
    error,
    willRetry
      ? { retryInMs: Math.min(Math.max(delayMs, RETRY_AFTER_MS_MIN), MAX_RETRY_AFTER_MS) }
      : 'final',
  );
}

// A server may ask for a pause, but not for a day.
// Temporal takes a pause of 0 for the end of all attempts.
const RETRY_AFTER_MS_MIN = 10;
const MAX_RETRY_AFTER_MS = 10 * 60 * 1_000;

/** The worker goes away in good order: another one takes over what can be repeated. */
async function endShutDown(deps: RunContext, job: Job, attempt: number): Promise<never> {
  const fault = job.tool.mutating
    ? new ToolFault(
        'TOOL_FAILED',
        'The worker was stopped while the Tool was called: outcome unknown.',
        { retryable: true },
      )
    : new ToolFault('TOOL_FAILED', 'The worker was stopped while the Tool was called.', {
        retryable: true,
      });
  return endFailed(deps, job, attempt, fault);
}

const NO_OUTPUT = {
  output: null,
  outputBlob: null,
  outputBytes: 0,
  outputTruncated: false,
  cached: false,
  cacheKey: null,
} as const;

function statusOf({ code }: ToolFault): StepStatus {
  if (code === 'STEP_TIMEOUT') return 'timed_out';
  return code === 'CANCELLED' ? 'cancelled' : 'failed';
}

type Ending = Omit<StepEnd, 'key' | 'attempt' | 'now' | 'entry' | 'settle'>;
type EndFacts = { output: ReturnType<typeof entryValue>; willRetry: boolean };

async function record(
  deps: RunContext,
  job: Job,
  attempt: number,
  ending: Ending,
  facts: EndFacts,
): Promise<boolean> {
  const { call, tool, key } = job;
  const now = instant(deps.clock);
  const entry = runEntry(deps, call.run, 'step.ended', {
    ...place(job, attempt),
    ...facts,
    name: tool.name,
    type: tool.operation.type,
    status: ending.status === 'pending' ? 'failed' : ending.status,
    outputTruncated: ending.outputTruncated,
    error: ending.error,
    usage: ending.usage,
    cached: ending.cached,
    speaks: job.speaks,
    childRunId: null,
  });
  const settles = call.run.budgeted && tool.operation.type === 'llm_call';
  const end: StepEnd = {
    ...ending,
    key,
    attempt,
    now,
    entry,
    settle: settles ? { rootRunId: call.run.rootRunId } : null,
  };
  const recorded = await deps.graph.write((tx) => endStep(tx, end));
  deps.wake();
  return recorded;
}

function toFault(deps: RunContext, error: unknown, { key, tool }: Job): ToolFault {
  if (error instanceof ToolFault) return error;
  deps.onDefect(error, `executeStep ${key}`);
  return new ToolFault(
    'TOOL_FAILED',
    `${tool.name} could not be called because of an internal fault. It is in the worker's log.`,
  );
}
