import { randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { afterAll, describe, expect, it } from 'vitest';
import type { ApiDeps } from '../../schema/context.ts';
import { startServer } from '../../src/main/http/server.ts';
import { workflowBundle } from '../../src/main/worker.ts';
import { openMetrics } from '../../src/platform/telemetry/metrics.ts';
import { activeTracing, openTracing } from '../../src/platform/telemetry/tracing.ts';
import type { Vault } from '../../src/platform/vault/vault.ts';
import { startRun } from '../../src/runs/start/start-run.service.ts';
import { openUserDirectory } from '../../src/users/user-directory.service.ts';
import { openEngine } from '../testkit/engine.ts';
import { openOtlpReceiver } from '../testkit/otlp-receiver.ts';
import { quiet } from '../testkit/outbox.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { echoTool, speakerTool, step } from '../testkit/run-steps.ts';
import { openScriptedLlm } from '../testkit/scripted-llm.ts';
import { personOf, worldDeps } from '../testkit/world.ts';

const receiver = await openOtlpReceiver();
const tracing = await openTracing({
  endpoint: `${receiver.endpoint}/`,
  version: 'test',
  role: 'all',
});
const rest = await openRestServer();
const llm = await openScriptedLlm();
const engine = await openEngine({ poolSize: 2 });
const { clock, newId, vault } = { ...worldDeps(), vault: engine.activityDeps.vault };
const deps = { ...worldDeps(), ...engine.deps, vault, clock, newId } as unknown as ApiDeps;
const server = await startServer(
  { host: '127.0.0.1', port: 0, mode: 'dev', auth: { mode: 'dev' }, origins: [] },
  { deps, users: openUserDirectory(deps), log: quiet, metrics: openMetrics() },
);
afterAll(async () => {
  await server.stop();
  await rest.close();
  await llm.close();
  await receiver.close();
});

const CALLER = { trace: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', span: 'bbbbbbbbbbbbbbbb' };

async function ask(query: string, variables: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer dev:${ADA}`, ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as { data: never; errors?: unknown };
}
const ADA = `ada-${randomUUID()}`;

describe('a trace', () => {
  it('runs from the mutation to the request of the step, and holds no secret', async () => {
    const canaries = Array.from({ length: 4 }, () => `CANARY-${randomUUID()}`);
    const [secretValue = '', inLiteral = '', inContext = '', inPath = ''] = canaries;
    const { data } = await ask('{ viewer { id } }', {});
    const viewer = {
      userId: (data as { viewer: { id: string } }).viewer.id,
      name: ADA,
      roles: ['user'] as const,
      workspace: (data as { viewer: { id: string } }).viewer.id,
    };
    // As a literal in the document, where a recorder of documents would keep it.
    const made = await ask(
      `mutation canaryOp { createSecret(input: { name: "x", type: API_KEY, value: "${inLiteral}" })
        { secret { id } userErrors { message } } }`,
      {},
    );
    expect(made.errors).toBeUndefined();
    const vault = engine.activityDeps.vault as Vault;
    const person = personOf({ ...worldDeps(), vault }, viewer);
    const secret = await person.createsSecret({ value: secretValue });
    const tool = await echoTool(person, rest.origin, '/echo', { secretId: secret.id });
    const broken = await echoTool(person, rest.origin, '/status/400');
    const model = `m-${randomUUID().slice(0, 8)}`;
    llm.script({ text: 'A word.', usage: { input: 7, output: 3 } }, model);
    const speaker = await speakerTool(person, llm.openai, model);
    const process = await engine.createProcess(viewer, {
      initialContext: ['q'],
      steps: [
        step('broken', broken.id, { q: inPath }, {}, { required: false }),
        step('say', speaker.id, { say: '{context.q}' }),
        step('one', tool.id, { q: '{context.q}' }),
      ],
      outputTemplate: 'done',
    });
    const started = await ask(
      `mutation ($input: StartProcessRunInput!) { startProcessRun(input: $input) { run { id }
        userErrors { code message } } }`,
      { input: { processId: process.id, context: { q: inContext } } },
      { traceparent: `00-${CALLER.trace}-${CALLER.span}-01` },
    );
    expect(started.errors).toBeUndefined();
    const { run } = (started.data as { startProcessRun: { run: { id: string } } }).startProcessRun;
    // As the relay's starter does it: later, and not in the request.
    await startRun({ ...engine.deps, temporal: engine.temporal.client }, run.id);
    expect(await engine.wait(viewer, run.id)).toMatchObject({ status: 'completed' });
    // The workflow itself ends, and says so, a little after its record.
    const handle = engine.temporal.client.workflow.getHandle(run.id);
    await handle.result();
    const history = await handle.fetchHistory();
    await engine.close();
    await tracing.close();
    expect(activeTracing()).toBeNull();

    // A run that was traced may go on where it is not, and the other way round.
    for (const how of ['traced', 'untraced'] as const)
      for await (const { error } of Worker.runReplayHistories(
        { workflowBundle: await workflowBundle(how), sinks: { exporter: { export: { fn() {} } } } },
        [{ history, workflowId: run.id }],
      ))
        expect(error).toBeUndefined();

    const mine = receiver.spans.filter(({ traceId }) => traceId === CALLER.trace);
    const byId = new Map(mine.map((span) => [span.spanId, span]));
    const http = mine.filter(({ name }) => name === 'HTTP GET');
    expect(http.length).toBeGreaterThan(0);
    const path: string[] = [];
    for (let span = http.at(-1); span !== undefined; span = byId.get(span.parentSpanId ?? '')) {
      path.unshift(span.name);
      if (span.parentSpanId === CALLER.span) path.unshift('caller');
    }
    expect(path).toEqual([
      'caller',
      'mutation startProcessRun',
      'StartWorkflow:executeProcess',
      'RunWorkflow:executeProcess',
      'StartActivity:executeStep',
      'RunActivity:executeStep',
      `execute_tool ${tool.name}`,
      'HTTP GET',
    ]);
    const names = new Set(mine.map(({ name }) => name));
    for (const name of [
      'cypher insertRootRun',
      'cypher findStepStates',
      'cypher writeFirstAttempts',
    ])
      expect(names).toContain(name);
    const attributesOf = (name: string) => mine.find((span) => span.name === name)?.attributes;
    expect(attributesOf(`execute_tool ${tool.name}`)).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool.name,
      'aiden.run_id': run.id,
    });
    expect(attributesOf(`chat ${model}`)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 3,
    });
    // The Tool was told the trace, so its own work can be part of it.
    const [refused, called] = rest.requests;
    const told = called?.headers['traceparent'];
    expect(told).toMatch(new RegExp(`^00-${CALLER.trace}-[0-9a-f]{16}-01$`));

    // They were all under way, and none of them arrived at the collector.
    expect(refused?.query.get('q')).toBe(inPath);
    expect(called?.query.get('q')).toBe(inContext);
    expect(called?.headers.authorization).toBe(`Bearer ${secretValue}`);
    const text = receiver.text();
    for (const canary of canaries) expect(text).not.toContain(canary);
    expect(text).not.toContain('canaryOp');
    expect(text).not.toContain('exception.message');
  });
});
