import { createHash } from 'node:crypto';
import { aheadOf, instant, instantOf } from '../../src/common/clock.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../src/common/json.ts';
import type { Problem } from '../../src/common/refusal.ts';
import { ToolFault, type Usage } from '../../src/common/tool-fault.ts';
import { validateJson } from '../../src/json-schema/json-schema.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import { parallelGroupOf } from '../../src/runs/agent/parallel-group.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';
import { retryOf, type StepRetry, stepKey } from '../../src/runs/steps/step-run.ts';
import type { InputSource, StepCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import type { Attempt } from './attempt.ts';
import { bindStep } from './bind-step.ts';
import type { Round } from './round-job.ts';

/**
 * One attempt of one step. All fields but `startedAt` and `workerId` are the same in every attempt.
 */
export interface StepJob {
  readonly call: StepCall;
  /** Key of the StepRun; also the idempotency key that the Tool gets. */
  readonly key: string;
  readonly step: ProcessStep;
  readonly tool: ToolSnapshot;
  readonly retry: StepRetry;
  readonly inputs: JsonObject;
  /**
   * INPUT_INVALID where the inputs do not fit the Tool's inputSchema, PAYLOAD_TOO_LARGE where they
   * are too large, else null.
   */
  readonly invalid: ToolFault | null;
  /** Where an equal call's output may be reused from; null where the step has no `cacheSeconds`. */
  readonly cache: CacheLookup | null;
  /** Whether the step's text streams as the run's own answer. */
  readonly speaks: boolean;
  /** Start of this attempt. */
  readonly startedAt: string;
  /** The Worker that makes this attempt; null where none is registered. */
  readonly workerId: string | null;
  readonly parallelGroupId: string | null;
  /** Null for a step that is no round. */
  readonly round: Round | null;
}

/** The output of a successful call, within the step's token budget. */
export interface ToolResult {
  readonly output: Json;
  readonly usage: Usage;
  /** The output was cut to the token budget, or is a text that the model could not end. */
  readonly truncated: boolean;
}

export interface CacheLookup {
  readonly cacheKey: string;
  readonly ownerId: string;
  /** Outputs that were completed before this instant are too old. */
  readonly since: string;
  /** `aheadOf` now. */
  readonly ahead: string;
}

/**
 * Finds the step and its Tool in the run's snapshot, binds the inputs and checks them, and takes a
 * Worker. Writes nothing.
 * @throws Elsewhere; Error where the snapshot lacks the step or its Tool: a defect
 */
export async function prepareJob(
  deps: RunContext,
  call: StepCall,
  round: Round | null,
  attempt: Attempt,
): Promise<StepJob> {
  const { run, stepId, index } = call;
  const startedAt = instant(deps.clock);
  const known = await deps.snapshots.get(run.snapshotHash);
  const step = known.findStep(run.processId, stepId);
  if (step === null || !('toolId' in step.calls))
    throw new Error(`No Tool is called by step ${stepId}.`);
  const tool = known.findTool(step.calls.toolId);
  if (tool === null) throw new Error(`The Tool of step ${stepId} is not in the snapshot.`);
  const workerId = await attempt.takeSlot(tool);
  const source: InputSource =
    round === null ? call.inputs : { kind: 'bound', inputs: round.inputs };
  const { inputs, invalid } = await inputsOf(deps, { ...call, inputs: source }, step, tool);
  const isStructured = tool.operation.type === 'llm_call' && tool.operation.responseSchema;
  return {
    call,
    key: stepKey(run.runId, stepId, index),
    step,
    tool,
    retry: retryOf(step, tool.mutating ? 'mutating' : 'read-only'),
    inputs,
    invalid,
    cache: cacheLookupOf(deps, run, tool, step, inputs),
    speaks:
      tool.operation.type === 'llm_call' &&
      !isStructured &&
      known.templateNames(run.processId).has(step.output.variable),
    startedAt,
    parallelGroupId: parallelGroupOf(known.stages(run.processId), run.runId, { stepId, index }),
    workerId,
    round,
  };
}

/** The inputs, with the Tool's defaults and types; `invalid` where they can't be used. */
async function inputsOf(
  deps: RunContext,
  { run, stepId, index, inputs: source }: StepCall,
  step: ProcessStep,
  tool: ToolSnapshot,
): Promise<Pick<StepJob, 'inputs' | 'invalid'>> {
  let bound: JsonObject;
  try {
    bound = await bindStep(deps, run, step, index, source);
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    return { inputs: {}, invalid: error };
  }
  const { value, problems } = validateJson(tool.inputSchema, bound, ['inputs']);
  if (problems.length === 0) return { inputs: isJsonObject(value) ? value : bound, invalid: null };
  const invalid = new ToolFault(
    'INPUT_INVALID',
    `The inputs of step ${stepId} do not fit ${tool.name}: ${problemText(problems)}`,
    { details: problemDetails(problems) },
  );
  return { inputs: bound, invalid };
}

/**
 * Equal calls have the same owner, the same Tool as it was at the start, the same inputs and the
 * same bound on the output.
 */
function cacheLookupOf(
  deps: RunContext,
  { ownerId }: RunHead,
  tool: ToolSnapshot,
  step: ProcessStep,
  inputs: JsonObject,
): CacheLookup | null {
  const seconds = step.execution.cacheSeconds;
  if (!seconds) return null;
  const equal = { ownerId, tool, inputs, tokenBudget: step.output.tokenBudget ?? null };
  const cacheKey = createHash('sha256').update(canonicalJson(equal)).digest('hex');
  const nowMs = deps.clock.nowMs();
  const since = instantOf(nowMs - seconds * 1_000);
  return { cacheKey, ownerId, since, ahead: aheadOf(nowMs) };
}

/** The problems of a value with their paths, as one text. */
export function problemText(problems: readonly Pick<Problem, 'message' | 'path'>[]): string {
  return problems
    .map(({ message, path }) => `${path.slice(1).join('.') || (path[0] ?? 'inputs')}: ${message}`)
    .join(' ');
}

export function problemDetails(problems: readonly Problem[]): JsonObject {
  return { problems: problems.map(({ message, path }) => ({ message, path: [...path] })) };
}
