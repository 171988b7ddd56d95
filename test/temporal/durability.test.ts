import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import type { StepAnswer, StepCall } from '../../workflows/interpreter/contract.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { openRestServer, ownPath } from '../testkit/rest-server.ts';
import { echoTool, find, runsOf, step, subStep } from '../testkit/run-steps.ts';
import { world } from '../testkit/world.ts';

const rest = await openRestServer();
const { ada } = await world();
afterAll(() => rest.close());

async function withEngine(
  options: Parameters<typeof openEngine>[0],
  work: (engine: Engine, own: ReturnType<typeof runsOf>) => Promise<void>,
) {
  const engine = await openEngine(options);
  try {
    await work(engine, runsOf(engine, ada));
    expect(engine.defects).toEqual([]);
  } finally {
    await engine.close();
  }
}

/** How many generations the run's workflow had. */
async function generations(engine: Engine, runId: string): Promise<number> {
  let count = 0;
  const { workflow } = engine.temporal.client;
  for await (const _ of workflow.list({ query: `WorkflowId = "${runId}"` })) count++;
  return count;
}

describe('a long run', () => {
  it('continues as new at a barrier and keeps its variables, items and waits', async () => {
    await withEngine({ continueAfterEvents: 25 }, async (engine, own) => {
      const tool = await echoTool(ada, rest.origin);
      const inner = await own.createProcess({
        name: 'Inner',
        initialContext: ['x'],
        outputTemplate: '({{b.query.q}})',
        steps: [
          step('a', tool.id, { q: '{context.x}' }),
          step('b', tool.id, { q: '{step.a.query.q}' }),
        ],
      });
      const { run } = await own.runSteps(
        [
          step('first', tool.id, { q: 'one' }),
          ...Array.from({ length: 6 }, (_, n) =>
            step(`s${n}`, tool.id, { q: `{step.${n === 0 ? 'first' : `s${n - 1}`}.query.q}+` }),
          ),
          step('items', tool.id, { q: '{item}' }, { forEach: 'context.list', maxConcurrency: 2 }),
          subStep('sub', inner.id, { x: '{step.s5.query.q}' }),
          step('last', tool.id, { q: '{step.sub}' }),
        ],
        '{{last.query.q}} {{#each items}}{{this.query.q}}{{/each}} {{first.query.q}}',
        { list: Array.from({ length: 20 }, (_, n) => n) },
      );
      expect(run).toMatchObject({
        error: null,
        status: 'completed',
        output: `(one++++++) ${Array.from({ length: 20 }, (_, n) => n).join('')} one`,
      });
      const ended = (await engine.entries(run.id)).filter(({ kind }) => kind === 'step.ended');
      // Ten steps, twenty of them items of one; each recorded once over all generations.
      expect(ended).toHaveLength(9 + 20);
      await expect.poll(() => generations(engine, run.id)).toBeGreaterThan(3);
    });
  });

  it('keeps waiting for a person over generations', async () => {
    await withEngine({ continueAfterEvents: 12 }, async (engine, own) => {
      const tool = await echoTool(ada, rest.origin);
      const process = await own.createProcess({
        steps: [
          step('ask', tool.id, { q: 'asked' }, { mode: 'parallel', interactionMode: 'manual' }),
          step(
            'items',
            tool.id,
            { q: '{item}' },
            { mode: 'parallel', forEach: '[1, 2, 3, 4, 5, 6, 7, 8]', maxConcurrency: 1 },
          ),
        ],
        outputTemplate: '{{ask.query.q}} {{#each items}}{{this.query.q}}{{/each}}',
      });
      const { id } = await own.start(process);
      const done = async () =>
        (await own.steps(id)).filter(({ status }) => status === 'completed').length;
      await expect.poll(done).toBe(8);
      expect(find(await own.steps(id), 'ask').status).toBe('waiting');
      await own.decide(id, 'ask', 'approve');
      const expected = { status: 'completed', output: 'asked 12345678' };
      expect(await own.wait(id)).toMatchObject(expected);
      const asked = (await engine.entries(id)).filter(({ kind }) => kind === 'step.waiting');
      expect(asked).toHaveLength(1);
    });
  });

  it('gives the same output where every workflow task replays from the start', async () => {
    await withEngine({ maxCachedWorkflows: 0 }, async (_engine, own) => {
      const tool = await echoTool(ada, rest.origin);
      const { run } = await own.runSteps(
        [
          step('a', tool.id, { q: 'x' }, { mode: 'parallel' }),
          step('b', tool.id, { q: 'y' }, { mode: 'parallel' }),
          step('c', tool.id, { q: '{item}' }, { forEach: '[1, 2, 3]' }),
        ],
        '{{a.query.q}}{{b.query.q}}{{#each c}}{{this.query.q}}{{/each}}',
      );
      expect(run).toMatchObject({ status: 'completed', output: 'xy123' });
    });
  });
});

describe('a large value', () => {
  it('travels by reference: outputs of 3 MB, conditions, forEach and templates', async () => {
    await withEngine({}, async (engine, own) => {
      // Echoed: the request's body comes back, so the answer is as large as the request.
      const [body, properties] = [{ rows: '{{rows}}' }, { rows: { type: 'array' } }];
      const big = await ada.createsTool({
        name: 'Big',
        connectionParams: { endpoint: rest.origin },
        operation: { type: 'rest_call', method: 'POST', path: '/echo', body } as never,
        inputSchema: { type: 'object', required: ['rows'], properties },
        outputSchema: {},
      });
      const echo = await echoTool(ada, rest.origin);
      // 800 KB of context, by blob; its echo holds the rows.
      const rows = Array.from({ length: 8 }, (_, n) => ({ n, text: 'x'.repeat(100_000) }));
      const { run, of } = await own.runSteps(
        [
          step('big', big.id, { rows: '{context.rows}' }),
          step('skip', echo.id, { q: 1 }, { condition: 'size(step.big.body.rows) == 0' }),
          step('sizes', echo.id, { q: '{item.n}' }, { forEach: 'step.big.body.rows' }),
          step('again', big.id, { rows: '{step.big.body.rows}' }),
        ],
        '{{#each sizes}}{{this.query.q}}{{/each}} {{again.body.rows.7.n}}',
        { rows },
      );
      expect(run).toMatchObject({ error: null, status: 'completed', output: '01234567 7' });
      expect(run.contextBlob).not.toBeNull();
      expect(of('big').outputBlob).not.toBeNull();
      expect(of('skip').status).toBe('skipped');
      const { events } = await engine.temporal.client.workflow.getHandle(run.id).fetchHistory();
      expect(JSON.stringify(events).length).toBeLessThan(200_000);
    });
  });

  it('is no danger in numbers: 300 parallel steps with 10 KB outputs each', async () => {
    await withEngine({ poolSize: 40 }, async (engine, own) => {
      const echo = await echoTool(ada, rest.origin);
      const steps = Array.from({ length: 300 }, (_, n) =>
        step(`s${n}`, echo.id, { q: `{context.text}${n}` }, { mode: 'parallel' }),
      );
      const { run } = await own.runSteps(steps, '{{s299.path}}', {
        text: 'y'.repeat(5_000),
      });
      expect(run).toMatchObject({ status: 'completed', output: '/echo' });
      const failed = (await engine.historyEvents(run.id)).filter((type) =>
        /^8$|TASK_FAILED/.test(type),
      );
      expect(failed).toEqual([]);
    });
  });
});

describe('a repeated activity', () => {
  it('answers its record, and calls and records nothing again', async () => {
    await withEngine({}, async (engine, own) => {
      const path = ownPath('/repeated');
      const tool = await echoTool(ada, rest.origin, path);
      const { run } = await own.runSteps([step('a', tool.id, { q: '1' })], '{{a.query.q}}');
      const before = (await engine.entries(run.id)).length;
      const { id: runId, ownerId, workspace, processId, snapshotHash } = run;
      const { queuePrefix } = engine;
      const head: RunHead = {
        ...{ runId, ownerId, workspace, processId, snapshotHash, queuePrefix },
        rootRunId: runId,
        runPath: [runId],
        depth: 0,
        depthMax: 5,
        conversationId: null,
        timeoutSeconds: null,
        budgeted: false,
      };
      const call: StepCall = {
        run: head,
        stepId: 'a',
        index: null,
        inputs: { kind: 'bound', inputs: { q: '1' } },
        inlineBytesMax: 100_000,
      };
      const { executeStep, finishRun } = createActivities(engine.activityDeps);
      const answer = (await new MockActivityEnvironment().run(executeStep, call)) as StepAnswer;
      const expected = { status: 'completed', output: { inline: { path } } };
      expect(answer).toMatchObject(expected);
      const finished = await new MockActivityEnvironment().run(finishRun, {
        run: head,
        parent: null,
        outcome: { status: 'completed' as const },
        inlineBytesMax: 100_000,
      });
      expect(finished).toMatchObject({ status: 'completed', output: { inline: '1' } });
      expect(rest.requests.filter((request) => request.path === path)).toHaveLength(1);
      expect(await engine.entries(run.id)).toHaveLength(before);
    });
  });
});
