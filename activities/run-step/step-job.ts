import { createHash } from 'node:crypto';
import { instant } from '../../src/common/clock.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../../src/common/json.ts';
import type { Problem } from '../../src/common/refusal.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { validateJson } from '../../src/json-schema/json-schema.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import type { ProcessSnapshot, ToolSnapshot } from '../../src/runs/run/snapshot.ts';
import { retryOf, type StepRetry, stepKey } from '../../src/runs/steps/step-run.ts';
import type { StepCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { bindStep } from './bind.ts';

/** One step of one run, with all that does not change over its attempts. */
export interface StepJob {
  readonly call: StepCall;
  readonly key: string;
  readonly definition: ProcessSnapshot;
  readonly step: ProcessStep;
  readonly tool: ToolSnapshot;
  readonly retry: StepRetry;
  readonly inputs: JsonObject;
  /** Why the inputs do not fit the Tool, or null. */
  readonly invalid: ToolFault | null;
  readonly cacheKey: string | null;
  /** Its text streams as the run's own answer. */
  readonly speaks: boolean;
  /** When this attempt began, and the Worker that makes it; null where none is registered. */
  readonly startedAt: string;
  readonly workerId: string | null;
}

/** Binds and checks the inputs, before anything is claimed. */
export async function prepareJob(deps: RunContext, call: StepCall): Promise<StepJob> {
  const { run, stepId, index } = call;
  const startedAt = instant(deps.clock);
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
          `The inputs of step ${stepId} do not fit ${tool.name}: ${wordsOf(problems)}`,
          {
            details: detailsOf(problems),
          },
        );
  const structured = tool.operation.type === 'llm_call' && tool.operation.responseSchema;
  return {
    call,
    key: stepKey(run.runId, stepId, index),
    definition,
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
    startedAt,
    workerId: null,
  };
}

/** What does not fit, with its path, in one text. */
export function wordsOf(problems: readonly { message: string; path: readonly string[] }[]): string {
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

export function detailsOf(problems: readonly Problem[]): JsonObject {
  return { problems: problems.map(({ message, path }) => ({ message, path: [...path] })) };
}

/** The place of one attempt, as entries name it. */
export function placeOf(job: StepJob, attempt: number) {
  return { stepId: job.call.stepId, index: job.call.index, attempt };
}
