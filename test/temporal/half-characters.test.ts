import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, describe, expect, it } from 'vitest';
import { engineWorld } from '../testkit/engine-world.ts';
import { fleetWorld } from '../testkit/fleet-world.ts';
import { newId } from '../testkit/outbox.ts';
import { echoTool, speakerTool, step } from '../testkit/run-steps.ts';

const HALF = '\ud83d';
const SHOWN = '\ufffd';
const { temporal, opens, starts } = fleetWorld();
const { rest, llm, ada, own } = await engineWorld();

describe('half of a character does not end a Temporal worker', () => {
  const queue = `test-${newId()}`;
  const thrown: Record<string, () => unknown> = {
    'in a message': () => new Error(`cut ${HALF}`),
    'in a type and in details': () =>
      ApplicationFailure.nonRetryable('whole', `TYPE ${HALF}`, { [HALF]: HALF }),
    'in the message of a cause': () => new Error('whole', { cause: new Error(`cause ${HALF}`) }),
    'as what is thrown': () => HALF,
    'in a message of 1 MB': () => new Error(`${HALF}${'x'.repeat(1_000_000)}${HALF}`),
    'in a heartbeat': () => {
      Context.current().heartbeat({ [HALF]: `${HALF}\0` });
      return new Error('whole');
    },
  };
  const names = Object.keys(thrown);
  const work = async (which: number) => {
    const name = names[which];
    if (name === undefined) return 'done';
    throw thrown[name]?.();
  };
  const fleet = opens(queue, work, { drainMs: 300 });
  afterAll(async () => (await fleet).stop());
  const start = (which: number, workflowId = newId()) => starts(queue, which, { workflowId });

  it.each(names.map((name, which) => [name, which] as const))('%s', async (_, which) => {
    const failed = await start(which);
    await expect(failed.result()).rejects.toThrow();
    expect(await (await start(-1)).result()).toBe('done');
  });

  it('in the id of a workflow, and in the reason that ends it', async () => {
    const id = newId();
    const handle = await start(-1, `${id}-${HALF}`);
    expect(await handle.result()).toBe('done');
    const { workflowExecutionInfo } = await temporal.client.workflow
      .getHandle(`${id}-${SHOWN}`)
      .describe()
      .then(({ raw }) => raw);
    expect(workflowExecutionInfo?.execution?.workflowId).toBe(`${id}-${SHOWN}`);
    const other = await starts(`${queue}-none`, 0);
    await other.terminate(`because ${HALF}`);
    await expect(other.result()).rejects.toThrow();
  });
});

describe('a run with half of a character', () => {
  const ran = (steps: object[], template = '{{a.query.q}}', context = {}) =>
    own.runSteps(steps, template, context);

  it('in a condition fails with a message that quotes it', async () => {
    const tool = await echoTool(ada, rest.origin);
    const { run } = await ran([
      step('o', tool.id, { q: 'x' }),
      step('a', tool.id, { q: 'x' }, { condition: `step.o["${HALF}"] + 1 == 1` }),
    ]);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'CONDITION_FAILED' } });
    expect(run.error?.message.isWellFormed()).toBe(true);
  });

  it('in a template has an end', async () => {
    const tool = await echoTool(ada, rest.origin);
    const { run } = await ran([step('a', tool.id, { q: 'x' })], `{{a.[${HALF}]}}`);
    expect(['failed', 'completed']).toContain(run.status);
  });

  it('in the error text of a provider fails with that text', async () => {
    const model = `half-${newId()}`;
    llm.answers(model, () => ({ status: 400, errorMessage: `cut emoji ${HALF}` }));
    const speaker = await speakerTool(ada, llm.openai, model);
    const { run } = await ran([step('a', speaker.id, { say: 'hi' })], '{{a}}');
    expect(run.status).toBe('failed');
    expect(run.error?.message).toContain(`cut emoji ${SHOWN}`);
  });

  it('in a context that does not fit the Tool fails, and its inputs are told', async () => {
    const tool = await echoTool(ada, rest.origin, '/echo', {
      inputSchema: {
        type: 'object',
        properties: { q: { type: 'object', additionalProperties: false } },
      },
    });
    const { run } = await ran([step('a', tool.id, { q: '{context.q}' })], '', {
      q: { [HALF]: HALF },
    });
    expect(run).toMatchObject({ status: 'failed', error: { code: 'INPUT_INVALID' } });
    expect(run.error?.message.isWellFormed()).toBe(true);
  });

  it('in the note of a decision is rejected with that note', async () => {
    const tool = await echoTool(ada, rest.origin);
    const process = await own.createProcess({
      steps: [step('a', tool.id, { q: 'asked' }, { interactionMode: 'manual' })],
    });
    const { id } = await own.start(process);
    await own.wait(id, ['waiting']);
    await own.decide(id, 'a', 'reject', { note: HALF });
    const run = await own.wait(id);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'REJECTED' } });
    expect(run.error?.message).toContain(SHOWN);
  });

  it('leaves all Workers at work', async () => {
    const tool = await echoTool(ada, rest.origin);
    const { run } = await ran([step('a', tool.id, { q: 'still here 🌍' })]);
    expect(run).toMatchObject({ status: 'completed', output: 'still here 🌍' });
  });
});
