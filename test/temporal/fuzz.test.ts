import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/common/json.ts';
import { bindInputs } from '../../src/expressions/interpolation.ts';
import { planStages } from '../../src/processes/definition/plan.ts';
import { ProcessStep } from '../../src/processes/process.ts';
import { failedValue, failurePolicy } from '../../src/runs/steps/step-run.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { echoTool } from '../testkit/run-steps.ts';

// Random Processes with random faults, run for real and by a few lines without any of the
// machinery.

const { engine, rest, ada } = await engineWorld({ continueAfterEvents: 40 });
const idOf = async (path: string) => (await echoTool(ada, rest.origin, path)).id;
const tools = {
  echo: await idOf('/echo'),
  bad: await idOf('/status/400'),
  empty: await idOf('/empty'),
};

interface Draft {
  readonly tool: keyof typeof tools;
  readonly mode: 'sequential' | 'parallel';
  readonly reads: number;
  readonly depends: boolean;
  readonly required: boolean;
  readonly onFailure: 'continue' | 'fallback' | null;
  readonly condition: 'none' | 'true' | 'false' | 'of another';
  readonly forEach: boolean;
}

const draft = fc.record<Draft>({
  tool: fc.constantFrom('echo', 'echo', 'echo', 'echo', 'bad', 'empty'),
  mode: fc.constantFrom('sequential', 'parallel'),
  reads: fc.nat(9),
  depends: fc.boolean(),
  required: fc.constantFrom(true, false, false),
  onFailure: fc.constantFrom('continue', 'fallback', null),
  condition: fc.constantFrom('none', 'none', 'true', 'false', 'of another'),
  forEach: fc.constantFrom(false, false, true),
});

/** Draws become a valid definition: a step reads and depends on steps of earlier stages only. */
function stepsOf(drafts: readonly Draft[]): ProcessStep[] {
  const steps: ProcessStep[] = [];
  let groupStart = 0;
  for (const [n, one] of drafts.entries()) {
    const inGroup = one.mode === 'parallel' && drafts[n - 1]?.mode === 'parallel';
    if (!inGroup) groupStart = n;
    const earlier = groupStart === 0 ? null : `s${one.reads % groupStart}`;
    const onFailure = one.required && one.onFailure === 'continue' ? null : one.onFailure;
    const conditions = {
      none: null,
      true: 'context.n == 1',
      false: 'context.n == 2',
      'of another': earlier === null ? null : `step.${earlier} != null`,
    };
    const text = earlier === null ? 'root' : `{step.${earlier}.query.q}`;
    steps.push(
      ProcessStep.parse({
        id: `s${n}`,
        calls: { toolId: tools[one.tool] },
        output: { variable: `s${n}`, required: one.required },
        inputs: { q: one.forEach ? `${n}:{item}` : `${n}.${text.slice(0, 40)}` },
        dependsOn: one.depends && earlier !== null ? [earlier] : [],
        execution: {
          mode: one.mode,
          condition: conditions[one.condition],
          forEach: one.forEach ? 'context.list' : null,
          onFailure,
          ...(onFailure === 'fallback' ? { fallback: { query: { q: 'fell' } } } : {}),
          ...(one.forEach ? { maxConcurrency: 2 } : {}),
          retry: { maximumAttempts: 1 },
        },
      }),
    );
  }
  return steps;
}

type Ended = { status: 'completed' | 'failed' | 'skipped'; value: Json };
const CONTEXT: JsonObject = { n: 1, list: ['x', 'y', 'z'] };

/**
 * The semantics of docs/decisions/0019 as a plain loop. Null where the run fails.
 */
function interpret(steps: readonly ProcessStep[]): JsonObject | null {
  const ended = new Map<string, Ended>();
  for (const stage of planStages(steps)) {
    let fails = false;
    for (const id of stage) {
      const step = steps.find((one) => one.id === id);
      if (step === undefined) throw new Error(id);
      const end = interpretStep(step, ended, steps);
      if (end === 'fails') fails = true;
      else ended.set(id, end);
    }
    if (fails) return null;
  }
  return Object.fromEntries([...ended].map(([id, { value }]) => [id, value]));
}

function interpretStep(
  step: ProcessStep,
  ended: ReadonlyMap<string, Ended>,
  steps: readonly ProcessStep[],
): Ended | 'fails' {
  const requires = (id: string) => steps.find((one) => one.id === id)?.output.required === true;
  for (const id of step.dependsOn) {
    const before = ended.get(id);
    if (before?.status === 'failed')
      return step.output.required ? 'fails' : { status: 'skipped', value: null };
    if (before?.status === 'skipped' && requires(id)) return { status: 'skipped', value: null };
  }
  const variables = Object.fromEntries([...ended].map(([id, { value }]) => [id, value]));
  const { condition } = step.execution;
  if (condition === 'context.n == 2') return { status: 'skipped', value: null };
  const asked = /^step\.(\w+) != null$/.exec(condition ?? '')?.[1];
  if (asked !== undefined && (variables[asked] ?? null) === null)
    return { status: 'skipped', value: null };
  const items = step.execution.forEach ? (CONTEXT['list'] as Json[]) : [null];
  const values: Json[] = [];
  for (const [index, item] of items.entries()) {
    const scope = {
      step: variables,
      context: CONTEXT,
      ...(step.execution.forEach ? { item, index } : {}),
    };
    const answer = call(step, bindInputs(step.inputs, scope)['q'] ?? null);
    if (answer !== 'failed') values.push(answer);
    else if (failurePolicy(step) === 'fail') return 'fails';
    else if (!step.execution.forEach)
      return {
        status: failurePolicy(step) === 'fallback' ? 'completed' : 'failed',
        value: failedValue(step),
      };
    else values.push(failedValue(step));
  }
  return { status: 'completed', value: step.execution.forEach ? values : (values[0] ?? null) };
}

function call(step: ProcessStep, q: Json): Json | 'failed' {
  const tool = Object.entries(tools).find(
    ([, id]) => 'toolId' in step.calls && id === step.calls.toolId,
  )?.[0];
  if (tool === 'bad') return 'failed';
  if (tool === 'empty') return step.output.required ? 'failed' : null;
  return { query: { q: String(q) } };
}

/** The question of an echo. */
function reduced(value: Json): Json {
  if (Array.isArray(value)) return value.map(reduced);
  if (!isJsonObject(value)) return value;
  return { query: value['query'] ?? null };
}

describe('any Process', () => {
  it('ends as a few lines of plain code say it does, whatever fails in it (SX-04)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(draft, { minLength: 1, maxLength: 9 }), async (drafts) => {
        const steps = stepsOf(drafts);
        const used = steps.map(({ id }) => `"${id}": {{json ${id}}} `).join(',');
        const process = await engine.createProcess(ada.viewer, {
          initialContext: ['n', 'list'],
          steps,
          outputTemplate: `{ ${used} }`,
        });
        const run = await engine.run(ada.viewer, process, CONTEXT);
        const expected = interpret(steps);
        expect(run.status).toBe(expected === null ? 'failed' : 'completed');
        if (expected === null) return;
        const output = JSON.parse(run.output ?? '') as JsonObject;
        expect(
          Object.fromEntries(Object.entries(output).map(([id, value]) => [id, reduced(value)])),
        ).toEqual(expected);
      }),
      {
        numRuns: Number(process.env['FUZZ_RUNS'] ?? 12),
        seed: Number(process.env['FUZZ_SEED'] ?? 20_261_121),
        endOnFailure: true,
      },
    );
  }, 900_000);
});
