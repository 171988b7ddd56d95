import type { Json, JsonObject } from '../../src/common/json.ts';
import { parseStored } from '../../src/common/stored.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { bindInputs, InputsTooLarge, referencesOf } from '../../src/expressions/interpolation.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import { type AgentPart, readPart, roundId } from '../../src/runs/agent/agent-step.ts';
import { RoundRecord } from '../../src/runs/agent/round.ts';
import { loadObject, loadOutputs } from '../../src/runs/run/payloads.service.ts';
import { findRunById } from '../../src/runs/run/run.cypher.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import type { ProcessSnapshot } from '../../src/runs/run/snapshot.ts';
import {
  findStepRecords,
  findStepRuns,
  type StepOutput,
} from '../../src/runs/steps/step-run.cypher.ts';
import { filedSteps, stepKey, variableOf } from '../../src/runs/steps/step-run.ts';
import type { InputSource, ItemSource } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';

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
  const records = await loadValues(deps.payloads, steps, found);
  return Object.fromEntries(
    steps.map((step) => [step.output.variable, variableOf(step, records, run)]),
  );
}

/** The records with their outputs, but for steps whose variable is a file. */
export async function loadValues(
  payloads: RunContext['payloads'],
  steps: readonly ProcessStep[],
  found: readonly StepOutput[],
): Promise<StepOutput[]> {
  const filed = filedSteps(steps);
  const isFiled = ({ stepId }: StepOutput) => filed.has(stepId);
  const others = found.filter((one) => !isFiled(one));
  return [...found.filter(isFiled), ...(await loadOutputs(payloads, others))];
}

/** The run's initial context, inline or from its blob. */
export async function loadContext(deps: RunContext, run: RunHead): Promise<JsonObject> {
  const found = await deps.graph.read((tx) => findRunById(tx, run.runId));
  if (found === null) throw new Error(`The run ${run.runId} is gone.`);
  if (found.contextBlob !== null) return loadObject(deps.payloads, found.contextBlob);
  return found.context ?? {};
}

/** The arguments of a requested call, from the record of its round. */
async function loadArguments(
  deps: RunContext,
  run: RunHead,
  index: number | null,
  { stepId, round, call }: AgentPart,
): Promise<JsonObject> {
  const key = stepKey(run.runId, roundId(stepId, round), index);
  const found = await deps.graph.read((tx) => findStepRuns(tx, run.ownerId, [key]));
  const [loaded] = await loadOutputs(deps.payloads, found);
  const record = parseStored(RoundRecord, loaded?.output ?? null, () => `Round ${key}`);
  return record.toolCalls[call?.index ?? -1]?.arguments ?? {};
}
