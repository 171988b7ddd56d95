import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { inSpan, openTracing } from '../../src/platform/telemetry/tracing.ts';
import { calls } from '../testkit/agents.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { openOtlpReceiver, type ReceivedSpan } from '../testkit/otlp-receiver.ts';
import { echoTool, speakerTool, step } from '../testkit/run-steps.ts';

// The spans of an agent by OpenTelemetry's conventions, with texts, since they are asked for here;
// test/temporal/tracing.test.ts shows that none are sent otherwise (docs/decisions/0137).

const receiver = await openOtlpReceiver();
const { endpoint } = receiver;
const tracing = await openTracing({ endpoint, version: 'test', role: 'all', texts: true });
afterAll(() => receiver.close());
const { rest, llm, ada, own } = await engineWorld({ poolSize: 2 });

/** Runs an agent within a trace of its own. */
async function traced(agent: object, script: Parameters<typeof llm.script>[0]) {
  const model = `m-${randomUUID().slice(0, 8)}`;
  llm.script(script, model);
  const [echo, speaker] = await Promise.all([
    echoTool(ada, rest.origin),
    speakerTool(ada, llm.openai, model, {}, { systemPrompt: 'Be short.' }),
  ]);
  const tools = [{ toolId: echo.id }];
  const process = await own.createProcess({
    name: `Clerk ${model}`,
    initialContext: ['say'],
    steps: [step('answer', speaker.id, { say: '{context.say}' }, {}, {}, { tools, agent })],
    outputTemplate: '{{answer}}',
  });
  const { run, traceId } = await inSpan('start', { kind: 'server' }, async (span) => ({
    run: await own.run(process, { say: 'What is it?' }),
    traceId: span?.spanContext().traceId,
  }));
  return { run, model, process, spans: () => receiver.spans.filter((s) => s.traceId === traceId) };
}

const named = (spans: readonly ReceivedSpan[], start: string) =>
  spans.filter(({ name }) => name.startsWith(start));
const jsonOf = (span: ReceivedSpan | undefined, name: string): unknown =>
  JSON.parse(String(span?.attributes[name]));
const text = (content: unknown) => [{ type: 'text', content }];

it('an agent is a span over its rounds and calls, also where it fails', async () => {
  const good = await traced({}, [
    calls(['Echo', { q: 'tea' }], ['Echo', { q: 'milk' }]),
    { text: 'It is tea.' },
  ]);
  const bad = await traced({ maxRounds: 1 }, calls(['Echo', { q: 'on' }]));
  expect([good.run.status, bad.run.status]).toEqual(['completed', 'failed']);
  await tracing.close();

  const [agent, ...others] = named(good.spans(), 'invoke_agent');
  if (agent === undefined) throw new Error('The agent has no span.');
  expect([agent.name, others]).toEqual([`invoke_agent Clerk ${good.model}`, []]);
  expect(agent.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': good.process.id,
    'gen_ai.agent.name': `Clerk ${good.model}`,
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': good.model,
    'aiden.run_id': good.run.id,
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
