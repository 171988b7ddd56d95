import { createHash } from 'node:crypto';
import { aheadOf, instant, instantOf } from '../../src/common/clock.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../src/common/json.ts';
import type { Problem } from '../../src/common/refusal.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { bindInputs, InputsTooLarge, referencesOf } from '../../src/expressions/interpolation.ts';
import { validateJson } from '../../src/json-schema/json-schema.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import { readPart } from '../../src/runs/agent/agent-step.ts';
import { loadObject, loadOutputs } from '../../src/runs/run/payloads.service.ts';
import { findRunById } from '../../src/runs/run/run.cypher.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import type { ProcessSnapshot, ToolSnapshot } from '../../src/runs/run/snapshot.ts';
import { findStepRecords } from '../../src/runs/steps/step-run.cypher.ts';
import { retryOf, type StepRetry, stepKey, variableOf } from '../../src/runs/steps/step-run.ts';
import type { InputSource, ItemSource, StepCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { loadArguments, prepareRound, type RoundJob } from './round-job.ts';

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
  /** Null for a step that is no round. */
  readonly round: RoundJob | null;
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
 * Finds the step and its Tool in the run's snapshot, binds the inputs and checks them. Writes
 * nothing.
 * @throws Error where the snapshot lacks the step or its Tool: a defect
 */
export async function prepareJob(
  deps: RunContext,
  call: StepCall,
): Promise<Omit<StepJob, 'workerId'>> {
  const { run, stepId, index } = call;
  const startedAt = instant(deps.clock);
  const known = await deps.snapshots.get(run.snapshotHash);
  const step = known.findStep(run.processId, stepId);
  if (step === null || !('toolId' in step.calls))
    throw new Error(`No Tool is called by step ${stepId}.`);
  const tool = known.findTool(step.calls.toolId);
  if (tool === null) throw new Error(`The Tool of step ${stepId} is not in the snapshot.`);
  const part = readPart(stepId);
  const round = part !== null && part.call === null ? await prepareRound(deps, call, part) : null;
  const source = round === null ? call.inputs : { kind: 'bound' as const, inputs: round.inputs };
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
    round: round?.job ?? null,
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

/**
 * The inputs of a step or item: as the workflow bound them, or bound from the record where a value
 * was too large for the workflow's history.
 * @throws ToolFault PAYLOAD_TOO_LARGE
 */
export async function bindStep(
  deps: RunContext,
  run: RunHead,
  step: ProcessStep,
  index: number | null,
  source: InputSource,
): Promise<JsonObject> {
  if (source.kind === 'bound') return source.inputs;
  const part = readPart(step.id);
  if (part !== null) return loadArguments(deps, run, index, part);
  const { steps, context } = referencesOf(step.inputs);
  const known = await deps.snapshots.get(run.snapshotHash);
  const [variables, initial, item] = await Promise.all([
    loadVariables(deps, run, known.process(run.processId), steps),
    context.length === 0 ? {} : loadContext(deps, run),
    loadItem(deps, source.item, index),
  ]);
  const scope = { step: variables, context: initial };
  try {
    return bindInputs(step.inputs, index === null ? scope : { ...scope, item, index });
  } catch (error) {
    if (!(error instanceof InputsTooLarge)) throw error;
    throw new ToolFault('PAYLOAD_TOO_LARGE', error.message);
  }
}

async function loadItem(
  deps: RunContext,
  item: ItemSource | null,
  index: number | null,
): Promise<Json> {
  if (item === null) return null;
  if ('value' in item) return item.value;
  const list = await deps.payloads.loadBlob(item.blob);
  return Array.isArray(list) && index !== null ? (list[index] ?? null) : null;
}

/** The recorded values of these variables; null for a variable whose step has no record. */
export async function loadVariables(
  deps: RunContext,
  run: RunHead,
  definition: ProcessSnapshot,
  variables: readonly string[],
): Promise<JsonObject> {
  const steps = definition.steps.filter(({ output }) => variables.includes(output.variable));
  if (steps.length === 0) return {};
  const stepIds = steps.map(({ id }) => id);
  const found = await deps.graph.read((tx) => findStepRecords(tx, run.runId, stepIds));
  const records = await loadOutputs(deps.payloads, found);
  return Object.fromEntries(steps.map((step) => [step.output.variable, variableOf(step, records)]));
}

/** The run's initial context, inline or from its blob. */
export async function loadContext(deps: RunContext, run: RunHead): Promise<JsonObject> {
  const found = await deps.graph.read((tx) => findRunById(tx, run.runId));
  if (found === null) throw new Error(`The run ${run.runId} is gone.`);
  if (found.contextBlob !== null) return loadObject(deps.payloads, found.contextBlob);
  return found.context ?? {};
}
