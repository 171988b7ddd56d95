import type { JsonObject } from '../../src/common/json.ts';
import type { CreateProcess } from '../../src/processes/process.mutations.ts';
import type { Process } from '../../src/processes/process.ts';
import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import { resolveStep } from '../../src/runs/control/run-control.mutations.ts';
import type { RunStatus } from '../../src/runs/run/run.ts';
import type { StartProcessRun } from '../../src/runs/start/run-checks.ts';
import type { StepRun } from '../../src/runs/steps/step-run.ts';
import type { Engine } from './engine.ts';
import type { Person } from './world.ts';

/**
 * A step with the usual defaults: `step('a', tool.id, { q: 1 }, { mode: 'parallel' })` gives
 * variable `a`.
 */
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
export function subStep(id: string, processId: string, ...given: StepRest) {
  return { ...step(id, '', ...given), calls: { processId } };
}
type StepRest = Parameters<typeof step> extends [string, string, ...infer Rest] ? Rest : never;

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

/**
 * A completion of `{{say}}` by the LLM at this endpoint; each test names a model of its own, so
 * that it may be scripted apart.
 */
export async function speakerTool(
  person: Person,
  endpoint: string,
  model: string,
  connection: JsonObject = {},
  operation: JsonObject = {},
  say: JsonObject = { type: 'string' },
) {
  const input = { name: 'LLM', type: 'llm_provider', protocol: 'http' } as const;
  const service = await person.createsService(input);
  return person.createsTool({
    name: 'Speaker',
    serviceId: service.id,
    connectionParams: { endpoint, model, maxTokens: 100, ...connection },
    operation: { type: 'llm_call', promptTemplate: '{{say}}', ...operation } as never,
    inputSchema: { type: 'object', required: ['say'], properties: { say } },
    outputSchema: {},
  });
}

/** The Engine as one person uses it: Processes and runs of their own. */
export function runsOf(engine: Engine, { viewer }: Person) {
  const own = {
    createProcess: (input: Partial<CreateProcess>) => engine.createProcess(viewer, input),
    accept: (input: StartProcessRun) => engine.accept(viewer, input),
    /** Starts a run and does not wait for its end. */
    start: ({ id }: Pick<Process, 'id'>, context: JsonObject = {}, more: StartMore = {}) =>
      engine.start(viewer, { processId: id, context, ...more }),
    wait: (runId: string, until?: readonly RunStatus[]) => engine.wait(viewer, runId, until),
    run: (process: Process, context: JsonObject = {}, more: StartMore = {}) =>
      engine.run(viewer, process, context, more),
    steps: (runId: string) => engine.steps(viewer, runId),
    /** Starts the retry of a run; answers its id. */
    async retry(runId: string, more: object = {}) {
      const { id } = await retryProcessRun(engine.deps, viewer, { runId, ...more });
      await engine.launch(id);
      return id;
    },
    decide: (runId: string, stepId: string, decision: Decision, more: object = {}) =>
      resolveStep(engine.deps, viewer, { runId, stepId, decision, ...more }),
    /** Stores a Process of these steps, runs it to its end, and answers with its records. */
    async runSteps(
      steps: object[],
      outputTemplate: string,
      context: JsonObject = {},
      more: StartMore = {},
    ) {
      const initialContext = Object.keys(context);
      const process = await own.createProcess({ initialContext, steps, outputTemplate });
      const run = await own.run(process, context, more);
      const records = await own.steps(run.id);
      const of = (id: string, index: number | null = null) => find(records, id, index);
      return { run, process, steps: records, of };
    },
  };
  return own;
}
type StartMore = Partial<StartProcessRun>;
type Decision = Parameters<typeof resolveStep>[2]['decision'];

export function find(steps: StepRun[], id: string, index: number | null = null): StepRun {
  const found = steps.find((one) => one.stepId === id && one.index === index);
  if (found === undefined) throw new Error(`No record of ${id} ${index}`);
  return found;
}
