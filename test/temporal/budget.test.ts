import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { cancelProcessRun, raiseRunBudget } from '../../src/runs/control/run-control.mutations.ts';
import { projectRunEvents } from '../../src/runs/events/run-event.ts';
import type { StartProcessRun } from '../../src/runs/start/run-checks.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { runCypher } from '../testkit/graph.ts';
import { find, speakerTool, step } from '../testkit/run-steps.ts';
import { refuses } from '../testkit/world.ts';

const { engine, llm, ada, own } = await engineWorld();

type RunBudget = StartProcessRun['budget'];
const speaker = (model: string, connection?: JsonObject, operation?: JsonObject) =>
  speakerTool(ada, llm.openai, model, connection, operation);

describe.concurrent('an llm step', () => {
  it('gets its rendered prompt and counts its tokens and money (S4-EXEC-04)', async () => {
    const tool = await speaker('counted', {
      pricing: { inputPerMillion: 1_000, outputPerMillion: 2_000 },
    });
    llm.script({ text: 'Bonjour', usage: { input: 30, output: 10 } }, 'counted');
    const { run, of } = await own.runSteps(
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

  it('streams its text into the log where the output template uses it', async () => {
    const tool = await speaker('streamed');
    llm.script(
      { text: ['One ', 'two ', 'three.'], delayMs: 150, usage: { input: 5, output: 3 } },
      'streamed',
    );
    const { run } = await own.runSteps([step('a', tool.id, { say: 'count' })], '{{a}}');
    expect(run.output).toBe('One two three.');
    const rows = await runCypher(
      engine.graph,
      'MATCH (o:OutboxEntry {runId: $id}) RETURN o {.*} AS o ORDER BY o.id',
      { id: run.id },
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
    const { run } = await own.runSteps([step('a', tool.id, { say: 'x' })], 'nothing');
    const kinds = (await engine.entries(run.id)).map(({ kind }) => kind);
    expect(kinds).not.toContain('step.text');
  });

  it('holds a list under its token budget and tells the model its limit (S4-EXEC-10)', async () => {
    const tool = await speaker('limited');
    const { of } = await own.runSteps(
      [step('a', tool.id, { say: 'x' }, {}, { tokenBudget: 7 })],
      '',
    );
    const [request] = llm.requestsOf('limited');
    expect(request?.body['max_tokens'] ?? request?.body['max_completion_tokens']).toBe(7);
    expect(of('a').status).toBe('completed');
  });
});

describe.concurrent('a budget', () => {
  const usage = { input: 60, output: 60 };
  /** Starts a run of LLM steps with a budget; answers its id. */
  const starts = async (steps: ReturnType<typeof step>[], budget: RunBudget) => {
    const outputTemplate = steps.map(({ id }) => `{{${id}}}`).join(' ');
    const process = await own.createProcess({ steps, outputTemplate });
    return (await own.start(process, {}, { budget })).id;
  };
  const raise = (runId: string, tokens: number) =>
    raiseRunBudget(engine.deps, ada.viewer, { runId, budget: { tokens } });

  it('is reserved before each call: a call above it waits until it is raised', async () => {
    const tool = await speaker('waiting');
    llm.script(
      ['first', 'second'].map((text) => ({ text, usage })),
      'waiting',
    );
    const steps = [step('a', tool.id, { say: '1' }), step('b', tool.id, { say: '2' })];
    const id = await starts(steps, { tokens: 250 });
    expect(await own.wait(id, ['waiting', 'completed', 'failed'])).toMatchObject({
      status: 'waiting',
      error: { code: 'BUDGET_EXCEEDED', stepId: 'b' },
      budget: { tokens: 250, tokensUsed: 120 },
    });
    expect(llm.requestsOf('waiting')).toHaveLength(1);
    expect(await raise(id, 1_000)).toMatchObject({ error: null });
    const budget = { tokens: 1_000, tokensUsed: 240 };
    const expected = { status: 'completed', output: 'first second', budget };
    expect(await own.wait(id)).toMatchObject(expected);
  });

  it('holds for parallel calls together: no two of them reserve the same tokens', async () => {
    const tool = await speaker('parallel');
    const reply = { text: 'x', delayMs: 200, usage: { input: 20, output: 20 } };
    llm.script(new Array(6).fill(reply), 'parallel');
    const steps = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) =>
      step(id, tool.id, { say: '1' }, { mode: 'parallel' }),
    );
    // Each call reserves about 170 tokens and costs 40: three fit at once.
    const id = await starts(steps, { tokens: 220 });
    const run = await own.wait(id, ['waiting', 'completed']);
    expect(run.budget?.tokensUsed).toBeLessThanOrEqual(220);
    await raise(id, 10_000);
    const expected = { status: 'completed', budget: { tokensUsed: 240 } };
    expect(await own.wait(id)).toMatchObject(expected);
  });

  it('can be given up: a waiting run is cancelled', async () => {
    const tool = await speaker('given-up');
    const id = await starts([step('a', tool.id, { say: '1' })], { tokens: 10 });
    await own.wait(id, ['waiting']);
    await cancelProcessRun(engine.deps, ada.viewer, { id });
    expect((await own.wait(id)).status).toBe('cancelled');
    expect(llm.requestsOf('given-up')).toEqual([]);
  });

  it('counts calls that failed too', async () => {
    const responseSchema = { type: 'object', required: ['x'] };
    const tool = await speaker('failing', {}, { responseSchema });
    llm.script(
      [
        { text: 'no json', usage: { input: 10, output: 5 } },
        { text: 'still none', usage: { input: 20, output: 5 } },
      ],
      'failing',
    );
    const id = await starts([step('a', tool.id, { say: '1' })], { tokens: 100_000 });
    const run = await own.wait(id);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'OUTPUT_INVALID' } });
    expect(run.budget?.tokensUsed).toBe(40);
    expect(find(await own.steps(id), 'a').usage.llmCalls).toBe(2);
  });

  it('of money needs a price on every LLM Tool', async () => {
    const { id } = await speaker('unpriced');
    const started = starts([step('a', id, { say: '1' })], { costUsd: 1 });
    await refuses(started, 'INVALID budget.costUsd');
  });
});
