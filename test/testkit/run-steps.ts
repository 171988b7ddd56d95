import type { JsonObject } from '../../src/common/json.ts';
import type { Process } from '../../src/processes/process.ts';
import type { StartProcessRun } from '../../src/runs/start/run-checks.ts';
import type { StepRun } from '../../src/runs/steps/step-run.ts';
import type { Engine } from './engine.ts';
import type { Person } from './world.ts';

/** A step with the usual defaults: `step('a', tool.id, { q: 1 }, { mode: 'parallel' })` gives variable `a`. */
export function step(
  id: string,
  toolId: string,
  inputs: JsonObject,
  execution: object = {},
  output: object = {},
  more: object = {},
) {
  return { id, calls: { toolId }, inputs, execution, output: { variable: id, ...output }, ...more };
}

/** The same, calling a Process. */
export function subStep(
  id: string,
  processId: string,
  inputs: JsonObject,
  execution: object = {},
  output: object = {},
) {
  return { id, calls: { processId }, inputs, execution, output: { variable: id, ...output } };
}

/** GET of a path of the test's server with `{{q}}` in its query. */
export function echoTool(person: Person, origin: string, path = '/echo', more: object = {}) {
  return person.createsTool({
    name: 'Echo',
    connectionParams: { endpoint: origin },
    operation: { type: 'rest_call', method: 'GET', path, query: { q: '{{q}}' } },
    inputSchema: { type: 'object', required: ['q'], properties: { q: {} } },
    outputSchema: {},
    ...more,
  });
}

/** A completion of `{{say}}` by the LLM at this endpoint; each test names a model of its own, so that it may be scripted apart. */
export async function speakerTool(
  person: Person,
  endpoint: string,
  model: string,
  connection: JsonObject = {},
  operation: JsonObject = {},
) {
  const service = await person.createsService({
    name: 'LLM',
    type: 'llm_provider',
    protocol: 'http',
  });
  return person.createsTool({
    name: 'Speaker',
    serviceId: service.id,
    connectionParams: { endpoint, model, maxTokens: 100, ...connection },
    operation: { type: 'llm_call', promptTemplate: '{{say}}', ...operation } as never,
    inputSchema: { type: 'object', required: ['say'], properties: { say: { type: 'string' } } },
    outputSchema: {},
  });
}

/** Stores a Process of these steps, runs it to its end, and answers with its records. */
export async function runSteps(
  engine: Engine,
  person: Person,
  steps: object[],
  outputTemplate: string,
  context: JsonObject = {},
  more: Partial<StartProcessRun> = {},
) {
  const process: Process = await engine.createProcess(person.viewer, {
    initialContext: Object.keys(context),
    steps,
    outputTemplate,
  });
  const run = await engine.run(person.viewer, process, context, more);
  const records = await engine.steps(person.viewer, run.id);
  return {
    run,
    process,
    steps: records,
    of: (id: string, index: number | null = null) => find(records, id, index),
  };
}

export function find(steps: StepRun[], id: string, index: number | null = null): StepRun {
  const found = steps.find((one) => one.stepId === id && one.index === index);
  if (found === undefined) throw new Error(`No record of ${id} ${index}`);
  return found;
}
