import { describe, expect, it } from 'vitest';
import { deleteTool, updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import { updateProcess } from '../../src/processes/process.mutations.ts';
import { cancelProcessRun, resolveStep } from '../../src/runs/control/run-control.mutations.ts';
import { calls, toolResultsIn, toolsIn } from '../testkit/agents.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { echoTool, find, speakerTool, step } from '../testkit/run-steps.ts';

// Tools that change while an agent works, models without tools, and retries of agents
// (docs/decisions/0070).

let models = 0;
const { engine, rest, llm, ada, bob, deps: catalog, own } = await engineWorld();

interface Agent {
  readonly tools: object[];
  readonly connection?: object;
}

async function storesAgent({ tools, connection = {} }: Agent) {
  const model = `changing-${++models}`;
  const speaker = await speakerTool(ada, llm.openai, model, connection as never);
  const more = { tools };
  const asked = step('answer', speaker.id, { say: '{context.say}' }, {}, {}, more);
  const process = await own.createProcess({
    initialContext: ['say'],
    steps: [asked],
    outputTemplate: '{{answer}}',
  });
  return { model, process, asked };
}

describe('a tool that changes between two rounds', () => {
  const changes = {
    deleted: async ({ toolId, processId }: { toolId: string; processId: string }) => {
      // A Process that offers the Tool keeps it from being deleted; the run's snapshot does not.
      const { steps } = await withoutTools(processId);
      await updateProcess(catalog, ada.viewer, { id: processId, steps });
      await deleteTool(catalog, bob.viewer, { id: toolId });
    },
    disabled: async ({ toolId }: { toolId: string }) => {
      await updateTool(catalog, bob.viewer, { id: toolId, enabled: false });
    },
    'not shared with you any more': async (of: { toolId: string; processId: string }) => {
      const { steps } = await withoutTools(of.processId);
      await updateProcess(catalog, ada.viewer, { id: of.processId, steps });
      await updateTool(catalog, bob.viewer, { id: of.toolId, shared: false });
    },
  };
  async function withoutTools(processId: string) {
    const stored = stores.get(processId);
    if (stored === undefined) throw new Error('No such Process.');
    return { steps: [{ ...stored, tools: null, agent: null }] };
  }
  const stores = new Map<string, ReturnType<typeof step>>();

  it.each(Object.keys(changes) as (keyof typeof changes)[])(
    'is %s: the model reads that, and answers',
    async (change) => {
      const borrower = await echoTool(ada, rest.origin);
      const service = await bob.createsService({ shared: true });
      const input = { name: 'Borrowed', serviceId: service.id, shared: true };
      const borrowed = await echoTool(bob, rest.origin, '/echo', input);
      const tools = [{ toolId: borrower.id, permission: 'ask' }, { toolId: borrowed.id }];
      const { model, process, asked } = await storesAgent({ tools });
      stores.set(process.id, asked);
      llm.script(
        [calls(['Echo', { q: '1' }]), calls(['Borrowed', { q: '2' }]), { text: 'Without it.' }],
        model,
      );
      const context = { say: 'Go.' };
      const { id } = await own.start(process, context);
      await own.wait(id, ['waiting']);
      const before = rest.requests.length;
      await changes[change]({ toolId: borrowed.id, processId: process.id });
      const approved = { runId: id, stepId: 'answer~1.0.Echo', decision: 'approve' } as const;
      await resolveStep(engine.deps, ada.viewer, approved);
      const expected = { status: 'completed', output: 'Without it.' };
      expect(await own.wait(id)).toMatchObject(expected);
      const results = toolResultsIn(llm.requestsOf(model).at(-1) ?? never());
      expect(results[1]).toContain('The Tool Borrowed');
      expect(results[1]).toContain(change);
      const called = find(await own.steps(id), 'answer~2.0.Borrowed');
      expect(called).toMatchObject({ status: 'failed', error: { code: 'TARGET_DISABLED' } });
      const made = rest.requests.slice(before).map(({ query }) => query.get('q'));
      expect(made).not.toContain('2');
    },
  );
});

function never(): never {
  throw new Error('The model was not asked.');
}

describe('a model that calls no tools', () => {
  const messages = { promptTemplate: '', messages: 'say' };

  it('is offered none by toolCalls: false', async () => {
    const echo = await echoTool(ada, rest.origin);
    const input = { tools: [{ toolId: echo.id }], connection: { toolCalls: false } };
    const { model, process } = await storesAgent(input);
    llm.script({ text: 'By heart.' }, model);
    const run = await own.run(process, { say: 'Go.' });
    // A prompt is no conversation, so the answer says nothing of it.
    expect(run).toMatchObject({ status: 'completed', output: 'By heart.' });
    expect(toolsIn(llm.requestsOf(model)[0] ?? never())).toEqual([]);
  });

  it.each([
    'registry.example/tiny:1b does not support tools',
    'tools param requires --jinja flag',
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    'This server does not call tools.',
  ])('is asked again without them where its server says: %s', async (errorMessage) => {
    const echo = await echoTool(ada, rest.origin);
    const { model, process } = await storesAgent({ tools: [{ toolId: echo.id }] });
    llm.answers(model, (request) =>
      toolsIn(request).length > 0 ? { status: 400, errorMessage } : { text: 'By heart.' },
    );
    for (const _again of [1, 2])
      expect(await own.run(process, { say: 'Go.' })).toMatchObject({
        status: 'completed',
        output: 'By heart.',
      });
    // Asked with tools once, and not again.
    expect(llm.requestsOf(model).map((request) => toolsIn(request).length)).toEqual([1, 0, 0]);
  });

  it('says so once in a conversation, also in the stream', async () => {
    const echo = await echoTool(ada, rest.origin);
    const model = `changing-${++models}`;
    const connection = { toolCalls: false };
    const speaker = await speakerTool(ada, llm.openai, model, connection, messages, {
      type: 'array',
    });
    const more = { tools: [{ toolId: echo.id }] };
    const process = await own.createProcess({
      initialContext: ['say'],
      steps: [step('answer', speaker.id, { say: '{context.say}' }, {}, {}, more)],
      outputTemplate: '{{answer}}',
    });
    llm.answers(model, () => ({ text: 'Hello.' }));
    const hello = { role: 'user', content: 'Hello?' };
    const first = await own.run(process, { say: [hello] });
    expect(first.output).toMatch(/^\(This model calls no tools, .*\)\n\nHello\.$/);
    const told = (await engine.entries(first.id))
      .filter(({ kind }) => kind === 'step.text')
      .map(({ payload }) => payload['text'])
      .join('');
    expect(told).toBe(first.output);
    const said = { role: 'assistant', content: first.output };
    const next = await own.run(process, { say: [hello, said, hello] });
    expect(next.output).toBe('Hello.');
  });
});

describe('the retry of a run from an agent step', () => {
  /** Two rounds of calls, one of which asks; then the model fails until `repair`. */
  async function failing() {
    const echo = await echoTool(ada, rest.origin);
    const tools = [
      { toolId: echo.id, name: 'free' },
      { toolId: echo.id, name: 'asking', permission: 'ask' },
    ];
    const { model, process } = await storesAgent({ tools });
    let isBroken = true;
    const mark = `m${models}`;
    llm.answers(model, (request) => {
      const round = toolResultsIn(request).length / 2;
      if (round === 2)
        return isBroken ? { status: 401, errorMessage: 'Key expired.' } : { text: 'Done.' };
      return calls(['free', { q: `${mark}-${round}` }], ['asking', { q: `${mark}-${round}!` }]);
    });
    const context = { say: 'Go.' };
    const { id } = await own.start(process, context);
    const decides = async (runId: string, round: number) => {
      const stepId = `answer~${round}.1.asking`;
      const asked = expect.objectContaining({ stepId, status: 'waiting' });
      await expect.poll(() => own.steps(runId)).toContainEqual(asked);
      await own.decide(runId, stepId, 'approve');
    };
    await decides(id, 1);
    await decides(id, 2);
    expect(await own.wait(id)).toMatchObject({ status: 'failed' });
    const made = () => rest.requests.filter(({ query }) => query.get('q')?.startsWith(mark)).length;
    const repair = () => {
      isBroken = false;
    };
    return { id, model, made, decides, repair };
  }

  it('keeps finished rounds where asked to: no question and no call is repeated', async () => {
    const { id, model, made, repair } = await failing();
    repair();
    const [asked, called] = [llm.requestsOf(model).length, made()];
    const again = await own.retry(id, { keepRounds: true });
    const run = await own.wait(again);
    expect(run).toMatchObject({ status: 'completed', output: 'Done.' });
    expect(llm.requestsOf(model)).toHaveLength(asked + 1);
    expect(made()).toBe(called);
    expect(toolResultsIn(llm.requestsOf(model).at(-1) ?? never())).toHaveLength(4);
    expect(run.usage).toMatchObject({ llmCalls: 1, toolCalls: 0 });
    const steps = await own.steps(again);
    expect(steps.map(({ stepId }) => stepId).sort()).toEqual([
      ...'answer answer~1 answer~1.0.free answer~1.1.asking answer~2'.split(' '),
      ...'answer~2.0.free answer~2.1.asking answer~3'.split(' '),
    ]);
  });

  it('begins anew otherwise', async () => {
    const { id, model, made, decides, repair } = await failing();
    repair();
    const [asked, called] = [llm.requestsOf(model).length, made()];
    const again = await own.retry(id);
    await decides(again, 1);
    await decides(again, 2);
    expect(await own.wait(again)).toMatchObject({ status: 'completed' });
    expect(llm.requestsOf(model)).toHaveLength(asked + 3);
    expect(made()).toBe(called + 4);
  });

  it('keeps the calls of a round in which one was cut off, and makes that one', async () => {
    const echo = await echoTool(ada, rest.origin);
    const tools = [
      { toolId: echo.id, name: 'quick' },
      { toolId: echo.id, name: 'asking', permission: 'ask' },
    ];
    const { model, process } = await storesAgent({ tools });
    const mark = `c${models}`;
    llm.answers(model, (request) =>
      toolResultsIn(request).length > 0
        ? { text: 'Both.' }
        : calls(['quick', { q: mark }], ['asking', { q: `${mark}!` }]),
    );
    const { id } = await own.start(process, { say: 'Go.' });
    await own.wait(id, ['waiting']);
    await cancelProcessRun(engine.deps, ada.viewer, { id });
    expect(await own.wait(id)).toMatchObject({ status: 'cancelled' });
    const again = await own.retry(id, { keepRounds: true });
    await own.wait(again, ['waiting']);
    await own.decide(again, 'answer~1.1.asking', 'approve');
    const expected = { status: 'completed', output: 'Both.' };
    expect(await own.wait(again)).toMatchObject(expected);
    // One question of each run's last round, and one call of each.
    expect(llm.requestsOf(model)).toHaveLength(2);
    const made = rest.requests.map(({ query }) => query.get('q'));
    expect(made.filter((q) => q === mark)).toHaveLength(1);
    expect(made.filter((q) => q === `${mark}!`)).toHaveLength(1);
  });
});
