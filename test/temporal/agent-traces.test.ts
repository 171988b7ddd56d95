import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inSpan, openTracing } from '../../src/platform/telemetry/tracing.ts';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { calls, toolResultsIn } from '../testkit/agents.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { openOtlpReceiver, type ReceivedSpan } from '../testkit/otlp-receiver.ts';
import { eventually } from '../testkit/outbox.ts';
import { echoTool, speakerTool, step } from '../testkit/run-steps.ts';

// The spans of an agent by OpenTelemetry's conventions, with texts, since they are asked for here;
// test/temporal/tracing.test.ts shows that none are sent otherwise (docs/decisions/0137).

const receiver = await openOtlpReceiver();
const { endpoint } = receiver;
const tracing = await openTracing({ endpoint, version: 'test', role: 'all', texts: true });
afterAll(() => receiver.close());
// Four slow answers hold a Worker each until their run ends. With fewer Workers, a fifth call would
// wait for one of them to time out.
const { engine, rest, llm, ada, own } = await engineWorld({ poolSize: 8 });

interface Traced {
  readonly answer: Parameters<typeof llm.answers>[1];
  readonly agent?: object;
  /** Of the agent's step, and the steps beside it. */
  readonly execution?: object;
  readonly beside?: readonly object[];
  readonly timeout?: number;
}

/** Starts an agent within a trace of its own. */
async function starts({ answer, agent = {}, execution = {}, beside = [], timeout }: Traced) {
  const model = `m-${randomUUID().slice(0, 8)}`;
  llm.answers(model, answer);
  const [echo, speaker] = await Promise.all([
    echoTool(ada, rest.origin),
    speakerTool(ada, llm.openai, model, {}, { systemPrompt: 'Be short.' }),
  ]);
  const more = { tools: [{ toolId: echo.id }], agent };
  const process = await own.createProcess({
    name: `Clerk ${model}`,
    initialContext: ['say', 'list'],
    steps: [step('answer', speaker.id, { say: '{context.say}' }, execution, {}, more), ...beside],
    outputTemplate: '{{json answer}}',
  });
  const context = { say: 'What is it?', list: ['a', 'b'] };
  const limit = timeout === undefined ? {} : { timeout };
  const { runId, traceId } = await inSpan('start', { kind: 'server' }, async (span) => ({
    runId: (await own.start(process, context, limit)).id,
    traceId: span?.spanContext().traceId,
  }));
  return {
    runId,
    model,
    process,
    spans: () => receiver.spans.filter((s) => s.traceId === traceId),
  };
}
type Started = Awaited<ReturnType<typeof starts>>;

/** A run that times out while its model is asked; on a busy machine that takes longer. */
async function startsLate(): Promise<Started> {
  for (let timeout = 4; ; timeout *= 2) {
    const one = await starts({ answer: () => slow, timeout });
    await own.wait(one.runId);
    if (llm.requestsOf(one.model).length > 0 || timeout > 60) return one;
  }
}

const slow = { text: 'Never.', delayMs: 60_000 };
/** Calls the Tool, then never answers. */
const slowAtLast: Traced['answer'] = (request) =>
  toolResultsIn(request).length > 0 ? slow : calls(['Echo', { q: 'tea' }]);
let good: Started;
let bad: Started;
let cancelled: Started;
let late: Started;
let beside: Started;
beforeAll(async () => {
  const asking = await echoTool(ada, rest.origin);
  const parallel = { mode: 'parallel' };
  [good, bad, cancelled, late, beside] = await Promise.all([
    starts({
      answer: (request) =>
        toolResultsIn(request).length > 0
          ? { text: 'It is tea.' }
          : calls(['Echo', { q: 'tea' }], ['Echo', { q: 'milk' }]),
    }),
    starts({ answer: () => calls(['Echo', { q: 'on' }]), agent: { maxRounds: 1 } }),
    starts({ answer: slowAtLast, execution: { ...parallel, forEach: 'context.list' } }),
    startsLate(),
    starts({
      answer: slowAtLast,
      execution: parallel,
      beside: [step('fails', asking.id, { q: 'x' }, { ...parallel, interactionMode: 'manual' })],
    }),
  ]);
  const asksAgain = ({ model }: Started, times: number) =>
    eventually('the agent asks again', async () => llm.requestsOf(model).length === times);
  await asksAgain(cancelled, 4);
  await cancelProcessRun(engine.deps, ada.viewer, { id: cancelled.runId });
  await asksAgain(beside, 2);
  await own.decide(beside.runId, 'fails', 'reject');
  const all = [good, bad, cancelled, late, beside];
  const runs = await Promise.all(all.map(({ runId }) => own.wait(runId)));
  const ends = ['completed', 'failed', 'cancelled', 'timed_out', 'failed'];
  expect(runs.map(({ status }) => status)).toEqual(ends);
  // A workflow ends a little after the record of its run.
  const { workflow } = engine.temporal.client;
  await Promise.allSettled(all.map(({ runId }) => workflow.getHandle(runId).result()));
  await tracing.close();
});

/** Each once: an activity that is repeated sends its span again, with the same id. */
const named = (spans: readonly ReceivedSpan[], start: string) => [
  ...new Map(
    spans.filter(({ name }) => name.startsWith(start)).map((span) => [span.spanId, span]),
  ).values(),
];
const jsonOf = (span: ReceivedSpan | undefined, name: string): unknown =>
  JSON.parse(String(span?.attributes[name]));
const text = (content: unknown) => [{ type: 'text', content }];

it('an agent is a span over its rounds and calls, also where it fails', () => {
  const [agent, ...others] = named(good.spans(), 'invoke_agent');
  if (agent === undefined) throw new Error('The agent has no span.');
  expect([agent.name, others]).toEqual([`invoke_agent Clerk ${good.model}`, []]);
  expect(agent.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': good.process.id,
    'gen_ai.agent.name': `Clerk ${good.model}`,
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': good.model,
    'aiden.run_id': good.runId,
  });
  // A receiver adds the tokens of all spans up.
  expect(agent.attributes).not.toHaveProperty('gen_ai.usage.input_tokens');
  const below = good.spans().filter(({ parentSpanId }) => parentSpanId === agent.spanId);
  const inOrder = below.toSorted((one, other) => one.startMs - other.startMs);
  expect(inOrder.map(({ name }) => name)).toEqual([
    `chat ${good.model}`,
    'execute_tool Echo',
    'execute_tool Echo',
    `chat ${good.model}`,
  ]);
  for (const { startMs, endMs } of inOrder) {
    expect(startMs).toBeGreaterThanOrEqual(Math.floor(agent.startMs));
    expect(endMs).toBeLessThanOrEqual(agent.endMs + 1);
  }
  const [asks, call, , answers] = inOrder;
  const asked = [{ role: 'user', parts: text('What is it?') }];
  const requested = { type: 'tool_call', id: expect.any(String) as string, name: 'Echo' };
  expect(jsonOf(asks, 'gen_ai.system_instructions')).toEqual(text('Be short.'));
  expect(jsonOf(asks, 'gen_ai.input.messages')).toEqual(asked);
  expect(jsonOf(asks, 'gen_ai.output.messages')).toEqual([
    {
      role: 'assistant',
      finish_reason: 'tool_call',
      parts: ['tea', 'milk'].map((q) => ({ ...requested, arguments: { q } })),
    },
  ]);
  const { q } = jsonOf(call, 'gen_ai.tool.call.arguments') as { q: string };
  expect(String(call?.attributes['gen_ai.tool.call.result'])).toContain(q);
  expect(jsonOf(answers, 'gen_ai.input.messages')).toMatchObject([
    ...asked,
    { role: 'assistant', parts: [requested, requested] },
    { role: 'tool', parts: [{ type: 'tool_call_response' }] },
    { role: 'tool', parts: [{ type: 'tool_call_response' }] },
  ]);
  const answer = [{ role: 'assistant', parts: text('It is tea.'), finish_reason: 'stop' }];
  expect(jsonOf(answers, 'gen_ai.output.messages')).toEqual(answer);
  expect(jsonOf(agent, 'gen_ai.output.messages')).toEqual(answer);

  const failed = named(bad.spans(), 'invoke_agent').map(({ attributes }) => attributes);
  expect(failed).toMatchObject([{ 'error.type': 'AGENT_STOPPED' }]);
  const round = named(bad.spans(), 'chat')[0]?.attributes;
  expect(round).toMatchObject({ 'error.type': 'AGENT_STOPPED' });
});

it('an agent that the end of its run cuts off has its span, with the reason', () => {
  const parts = ['chat', 'execute_tool', 'chat'];
  const cut = [
    { one: cancelled, errorType: 'CANCELLED', agents: 2, parts },
    { one: late, errorType: 'RUN_TIMEOUT', agents: 1, parts: ['chat'] },
    // Another step failed, so this one was cancelled.
    { one: beside, errorType: 'CANCELLED', agents: 1, parts },
  ];
  for (const { one, errorType, agents, parts: expected } of cut) {
    const found = named(one.spans(), 'invoke_agent');
    expect(found.map(({ name }) => name)).toEqual(
      Array(agents).fill(`invoke_agent Clerk ${one.model}`),
    );
    for (const agent of found) {
      expect(agent.isError).toBe(true);
      expect(agent.attributes).toMatchObject({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': one.process.id,
        'gen_ai.request.model': one.model,
        'error.type': errorType,
        'aiden.run_id': one.runId,
      });
      expect(agent.attributes).not.toHaveProperty('gen_ai.output.messages');
      const below = one.spans().filter(({ parentSpanId }) => parentSpanId === agent.spanId);
      const inOrder = below.toSorted((left, right) => left.startMs - right.startMs);
      expect(inOrder.map(({ name }) => name.split(' ')[0])).toEqual(expected);
      const last = inOrder.at(-1);
      expect(inOrder[0]?.startMs).toBeGreaterThanOrEqual(Math.floor(agent.startMs));
      expect(last?.attributes).toMatchObject({ 'error.type': 'CANCELLED' });
      expect(last?.endMs).toBeLessThanOrEqual(agent.endMs + 1);
    }
  }
});
