import type { Json, JsonObject } from '../../src/common/json.ts';
import { bindInputs, referencesOf } from '../../src/expressions/interpolation.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import { loadObject } from '../../src/runs/run/payloads.service.ts';
import { findRunById } from '../../src/runs/run/run.cypher.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import type { ProcessSnapshot } from '../../src/runs/run/snapshot.ts';
import { findStepRecords } from '../../src/runs/steps/step-run.cypher.ts';
import { variableOf } from '../../src/runs/steps/step-run.ts';
import type { InputSource, ItemSource } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';

/** The inputs of a step: as the workflow bound them, or from the record where a value was too large to travel. */
export async function bindStep(
  deps: RunContext,
  run: RunHead,
  step: ProcessStep,
  index: number | null,
  source: InputSource,
): Promise<JsonObject> {
  if (source.kind === 'bound') return source.inputs;
  const { steps, context } = referencesOf(step.inputs);
  const known = await deps.snapshots.get(run.snapshotHash);
  const [variables, initial, item] = await Promise.all([
    loadVariables(deps, run, known.process(run.processId), steps),
    context.length === 0 ? {} : loadContext(deps, run),
    loadItem(deps, source.item, index),
  ]);
  const scope = { step: variables, context: initial };
  return bindInputs(step.inputs, index === null ? scope : { ...scope, item, index });
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

/** The values of variables as recorded; null where a step has none. */
export async function loadVariables(
  deps: RunContext,
  run: RunHead,
  definition: ProcessSnapshot,
  variables: readonly string[],
): Promise<JsonObject> {
  const steps = definition.steps.filter(({ output }) => variables.includes(output.variable));
  if (steps.length === 0) return {};
  const found = await deps.graph.read((tx) =>
    findStepRecords(
      tx,
      run.runId,
      steps.map(({ id }) => id),
    ),
  );
  const records = await Promise.all(
    found.map(async (record) =>
      record.outputBlob === null
        ? record
        : { ...record, output: await deps.payloads.loadBlob(record.outputBlob) },
    ),
  );
  return Object.fromEntries(steps.map((step) => [step.output.variable, variableOf(step, records)]));
}

export async function loadContext(deps: RunContext, run: RunHead): Promise<JsonObject> {
  const found = await deps.graph.read((tx) => findRunById(tx, run.runId));
  if (found === null) throw new Error(`The run ${run.runId} is gone.`);
  if (found.contextBlob !== null) return loadObject(deps.payloads, found.contextBlob);
  return found.context ?? {};
}
