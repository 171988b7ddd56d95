import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { cancelProcessRun, raiseRunBudget } from '../../src/runs/control/run-control.mutations.ts';
import { projectRunEvents } from '../../src/runs/events/run-event.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { find, runSteps, speakerTool, step } from '../testkit/run-steps.ts';
import { openScriptedLlm, type ScriptedLlm } from '../testkit/scripted-llm.ts';
import { type Person, refusals, world } from '../testkit/world.ts';

let engine: Engine;
let llm: ScriptedLlm;
let ada: Person;

beforeAll(async () => {
  [engine, llm] = await Promise.all([openEngine(), openScriptedLlm()]);
  ({ ada } = await world());
});
afterAll(async () => {
  expect(engine.defects).toEqual([]);
  await engine.close();
  await llm.close();
});

const speaker = (model: string, connection?: JsonObject, operation?: JsonObject) =>
  speakerTool(ada, llm.openai, model, connection, operation);

describe.concurrent('an llm step', () => {
  it('gets its rendered prompt and counts its tokens and money (S4-EXEC-04)', async () => {
    const tool = await speaker('counted', {
      pricing: { inputPerMillion: 1_000, outputPerMillion: 2_000 },
    });
    llm.script({ text: 'Bonjour', usage: { input: 30, output: 10 } }, 'counted');
    const { run, of } = await runSteps(
      engine,
      ada,
      [step('a', tool.id, { say: 'Hello {context.who}' })],
      '{{a}}',
      { who: 'Ada' },
    );
    expect(run).toMatchObject({ status: 'completed', output: 'Bonjour' });
    expect(llm.requestsOf('counted')[0]?.messages.at(-1)?.content).toBe('Hello Ada');
    expect(of('a').usage).toMatchObject({ inputTokens: 30, outputTokens: 10, llmCalls: 1 });
    expect(run.usage.inputTokens + run.usage.outputTokens).toBe(40);
    expect(run.usage.costUsd).toBeCloseTo(0.05, 5);
  });

  it('streams its text into the log while it speaks, where the output template uses it', async () => {
    const tool = await speaker('streamed');
    llm.script(
      { text: ['One ', 'two ', 'three.'], delayMs: 150, usage: { input: 5, output: 3 } },
      'streamed',
    );
    const { run } = await runSteps(engine, ada, [step('a', tool.id, { say: 'count' })], '{{a}}');
    expect(run.output).toBe('One two three.');
    const rows = await engine.graph.read((tx) =>
      tx.run(
        '// testEntries\n MATCH (o:OutboxEntry {runId: $id}) RETURN o {.*} AS o ORDER BY o.id',
        { id: run.id },
      ),
    );
    const events = rows.flatMap(({ o }) => {
      const entry = o as { payload: string };
      return projectRunEvents({
        ...(entry as object),
        payload: JSON.parse(entry.payload),
      } as never);
    });
    const texts = events.filter(({ kind }) => kind === 'text');
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.map((event) => ('content' in event ? event.content : '')).join('')).toBe(
      'One two three.',
    );
    expect(new Set(texts.map(({ id }) => id))).toEqual(new Set([`${run.id}/a/1`]));
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'text');
    expect(kinds).toEqual(['harness_start', 'usage', 'harness_end']);
  });

  it('is a tool call and its result where the output template does not use it', async () => {
    const tool = await speaker('quiet');
    const { run } = await runSteps(engine, ada, [step('a', tool.id, { say: 'x' })], 'nothing');
    const kinds = (await engine.entries(run.id)).map(({ kind }) => kind);
    expect(kinds).not.toContain('step.text');
  });

  it('holds a list under its token budget and tells the model its limit (S4-EXEC-10)', async () => {
    const tool = await speaker('limited');
    const { of } = await runSteps(
      engine,
      ada,
      [step('a', tool.id, { say: 'x' }, {}, { tokenBudget: 7 })],
      '',
    );
    const [request] = llm.requestsOf('limited');
    expect(request?.body['max_tokens'] ?? request?.body['max_completion_tokens']).toBe(7);
    expect(of('a').status).toBe('completed');
  });
});

describe.concurrent('a budget', () => {
  it('is reserved before each call: what would not fit waits until it is raised', async () => {
    const tool = await speaker('waiting');
    const usage = { input: 60, output: 60 };
    llm.script(
      [
        { text: 'first', usage },
        { text: 'second', usage },
      ],
      'waiting',
    );
    const process = await engine.createProcess(ada.viewer, {
      steps: [step('a', tool.id, { say: '1' }), step('b', tool.id, { say: '2' })],
      outputTemplate: '{{a}} {{b}}',
    });
    const { id } = await engine.start(ada.viewer, {
      processId: process.id,
      context: {},
      budget: { tokens: 250 },
    });
    const waiting = await engine.wait(ada.viewer, id, ['waiting', 'completed', 'failed']);
    expect(waiting).toMatchObject({
      status: 'waiting',
      error: { code: 'BUDGET_EXCEEDED', stepId: 'b' },
      budget: { tokens: 250, tokensUsed: 120 },
    });
    expect(llm.requestsOf('waiting')).toHaveLength(1);
    expect(
      await raiseRunBudget(engine.deps, ada.viewer, { runId: id, budget: { tokens: 1_000 } }),
    ).toMatchObject({ error: null });
    expect(await engine.wait(ada.viewer, id)).toMatchObject({
      status: 'completed',
      output: 'first second',
      budget: { tokens: 1_000, tokensUsed: 240 },
    });
  });

  it('holds for parallel calls together: no two of them reserve the same tokens', async () => {
    const tool = await speaker('parallel');
    llm.script(
      Array.from({ length: 6 }, () => ({
        text: 'x',
        delayMs: 200,
        usage: { input: 20, output: 20 },
      })),
      'parallel',
    );
    const process = await engine.createProcess(ada.viewer, {
      steps: Array.from({ length: 6 }, (_, n) =>
        step(`s${n}`, tool.id, { say: '1' }, { mode: 'parallel' }),
      ),
    });
    // Each call reserves about 170 tokens and costs 40: three fit at once.
    const { id } = await engine.start(ada.viewer, {
      processId: process.id,
      context: {},
      budget: { tokens: 220 },
    });
    const run = await engine.wait(ada.viewer, id, ['waiting', 'completed']);
    expect(run.budget?.tokensUsed).toBeLessThanOrEqual(220);
    await raiseRunBudget(engine.deps, ada.viewer, { runId: id, budget: { tokens: 10_000 } });
    const end = await engine.wait(ada.viewer, id);
    expect(end).toMatchObject({ status: 'completed', budget: { tokensUsed: 240 } });
  });

  it('can be given up: a waiting run is cancelled', async () => {
    const tool = await speaker('given-up');
    const process = await engine.createProcess(ada.viewer, {
      steps: [step('a', tool.id, { say: '1' })],
    });
    const { id } = await engine.start(ada.viewer, {
      processId: process.id,
      context: {},
      budget: { tokens: 10 },
    });
    await engine.wait(ada.viewer, id, ['waiting']);
    await cancelProcessRun(engine.deps, ada.viewer, { id });
    expect((await engine.wait(ada.viewer, id)).status).toBe('cancelled');
    expect(llm.requestsOf('given-up')).toEqual([]);
  });

  it('counts calls that failed too', async () => {
    const tool = await speaker(
      'failing',
      {},
      { responseSchema: { type: 'object', required: ['x'] } },
    );
    llm.script(
      [
        { text: 'no json', usage: { input: 10, output: 5 } },
        { text: 'still none', usage: { input: 20, output: 5 } },
      ],
      'failing',
    );
    const process = await engine.createProcess(ada.viewer, {
      steps: [step('a', tool.id, { say: '1' })],
    });
    const run = await engine.run(ada.viewer, process, {}, { budget: { tokens: 100_000 } });
    expect(run).toMatchObject({ status: 'failed', error: { code: 'OUTPUT_INVALID' } });
    expect(run.budget?.tokensUsed).toBe(40);
    expect(find(await engine.steps(ada.viewer, run.id), 'a').usage.llmCalls).toBe(2);
  });

  it('of money needs a price on every LLM Tool', async () => {
    const unpriced = await speaker('unpriced');
    const process = await engine.createProcess(ada.viewer, {
      steps: [step('a', unpriced.id, { say: '1' })],
    });
    const start = startProcessRun(engine.deps, ada.viewer, {
      processId: process.id,
      context: {},
      budget: { costUsd: 1 },
    });
    expect(await refusals(start)).toEqual(['INVALID budget.costUsd']);
  });
});
