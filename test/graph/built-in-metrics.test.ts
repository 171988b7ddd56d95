import { graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { BUILT_IN_METRICS, builtInId, INSTALLATION, measure } from '../../src/metrics/built-in.ts';
import { listMetricDefinitions } from '../../src/metrics/metric.cypher.ts';
import { METRIC_SCOPES } from '../../src/metrics/metric.ts';
import { metricsProjection } from '../../src/metrics/metrics.projection.ts';
import { listProcessCosts } from '../../src/metrics/process-cost.cypher.ts';
import { listInstallationNumbers } from '../../src/metrics/projection.cypher.ts';
import type { NumberedEntry } from '../../src/outbox/entry.ts';
import { openMetrics } from '../../src/platform/telemetry/metrics.ts';
import type { RunEntryPayloads } from '../../src/runs/events/run-entry.ts';
import type { Viewer } from '../../src/users/user.ts';
import { readWith } from '../testkit/graph.ts';
import { someEntry } from '../testkit/outbox.ts';
import { world, worldGraph } from '../testkit/world.ts';

const here = await world();
const ada = here.ada.viewer;

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.25, llmCalls: 1, toolCalls: 0 };

function stepEnded(
  seq: number,
  second: number,
  call: Partial<NonNullable<RunEntryPayloads['step.ended']['call']>>,
  more: object = {},
): NumberedEntry {
  const payload = {
    ...{ stepId: 's', index: null, attempt: 1, name: 'Ask', type: 'llm_call', status: 'completed' },
    ...{ output: { value: null }, outputTruncated: false, error: null, usage, cached: false },
    ...{ willRetry: false, speaks: false, childRunId: null },
    call: {
      ...{ targetId: 'tool', serviceId: 'service', processId: 'process', workerId: null },
      startedAt: at(second - 2),
      ...call,
    },
    ...more,
  };
  const entry = someEntry({ kind: 'step.ended', at: at(second), ownerId: ada.userId });
  return { ...entry, seq, payload: payload as never };
}

const QUERY = /* GraphQL */ `
  query ($id: ID!, $from: DateTime, $to: DateTime) {
    tool(id: $id) { metrics(from: $from, to: $to) { definition { name } aggregate points {
    measuredAt value } }
      service { metrics(from: $from, to: $to) { definition { name } aggregate } } }
  }
`;
async function metricsOf(toolId: string) {
  const contextValue = { ...here.deps, viewer: ada } as unknown as RequestContext;
  const variableValues = { id: toolId, from: at(0), to: at(3_600) };
  const input = { schema: buildSchema(), source: QUERY, variableValues, contextValue };
  const { data, errors } = await graphql(input);
  expect(errors).toBeUndefined();
  const { tool } = JSON.parse(JSON.stringify(data));
  const byName = (series: { definition: { name: string }; aggregate: unknown }[]) =>
    Object.fromEntries(series.map(({ definition, aggregate }) => [definition.name, aggregate]));
  const series = tool.metrics;
  return { tool: byName(series), service: byName(tool.service.metrics), series };
}

describe('the metrics of the product itself', () => {
  // S4-MET-01
  it('has a definition in each scope, with the id that the code counts on', async () => {
    const definitions = await readWith(worldGraph(), listMetricDefinitions, null);
    for (const scope of METRIC_SCOPES)
      for (const name of BUILT_IN_METRICS)
        expect(definitions).toContainEqual(
          expect.objectContaining({ id: builtInId(scope, name), scope, name, builtIn: true }),
        );
  });

  // S4-MVAL-03
  it('sums up the attempts of steps by Tool and Service, each of them once', async () => {
    const tool = await here.ada.createsTool();
    const call = { targetId: tool.id, serviceId: tool.serviceId };
    const entries = [
      stepEnded(1, 10, call),
      stepEnded(2, 20, call, { status: 'failed', attempt: 1 }),
      stepEnded(3, 70, call, { attempt: 2 }),
      // An answer out of the cache makes no call.
      stepEnded(4, 80, call, { cached: true }),
    ];
    const projection = metricsProjection(here.deps, `test-${here.deps.newId()}`);
    await projection.handle(entries.slice(0, 2));
    // After a crash some come again, with new ones; and two holders of a lease may meet.
    await projection.handle(entries.slice(1, 4));
    await Promise.all([projection.handle(entries), projection.handle(entries)]);
    const expected = {
      ...{ aiden_calls: 3, aiden_duration_seconds: 2, aiden_tokens: 45, aiden_cost_usd: 0.75 },
      ...{ aiden_errors: 1, aiden_retries: 1 },
    };
    const { tool: ofTool, service, series } = await metricsOf(tool.id);
    expect(ofTool).toEqual(expected);
    expect(service).toEqual(expected);
    // By the minute.
    const expectedPoints = [
      { measuredAt: at(0), value: 2 },
      { measuredAt: at(60), value: 1 },
    ];
    expect(series[0].points).toEqual(expectedPoints);
  });

  it('takes a few statements per batch, whatever is in it', async () => {
    const entries = Array.from({ length: 50 }, (_, index) =>
      stepEnded(index + 1, index, { targetId: `tool ${index % 10}`, workerId: 'w' }),
    );
    const projection = metricsProjection(here.deps, `test-${here.deps.newId()}`);
    const { statements } = await worldGraph().counting(() => projection.handle(entries));
    const expected = ['lockMetricProgress', 'findSystemRuns', 'addMeasurements'];
    expect(statements.map(({ name }) => name)).toEqual(expected);
  });

  it('measures runs by Process, and by Conversation for its owner only', () => {
    const whole = { output: { value: null }, outputTruncated: false, error: null };
    const ended = (runPath: string[]) =>
      measure({
        ...someEntry({ kind: 'run.ended', at: at(10), runPath, conversationId: 'talk' }),
        payload: { ...whole, processId: 'p', status: 'failed', startedAt: at(4), usage } as never,
      }).measurements.map(({ scope, metric, entityId, value }) => [scope, metric, entityId, value]);
    const ofProcess = [
      ['process', 'aiden_calls', 'p', 1],
      ['process', 'aiden_duration_seconds', 'p', 6],
      ['process', 'aiden_tokens', 'p', 15],
      ['process', 'aiden_cost_usd', 'p', 0.25],
      ['process', 'aiden_errors', 'p', 1],
    ];
    const ofTalk = ofProcess.map(([, metric, , value]) => ['conversation', metric, 'talk', value]);
    expect(ended(['root'])).toEqual([...ofProcess, ...ofTalk]);
    expect(ended(['root', 'sub'])).toEqual(ofProcess);
  });

  it('lists the Processes whose runs cost most: own ones, for an admin those of all', async () => {
    const { ada: eve, bob, root } = await world();
    const [dear, cheap] = [here.deps.newId(), here.deps.newId()];
    const ended = (seq: number, ownerId: string, processId: string, more: object = {}) => {
      const payload = {
        ...{ output: { value: null }, outputTruncated: false, error: null, usage },
        ...{ processId, status: 'completed', startedAt: at(seq) },
        ...more,
      };
      const entry = someEntry({ kind: 'run.ended', at: at(seq), ownerId });
      return { ...entry, seq, payload: payload as never };
    };
    const free = { usage: { ...usage, costUsd: null, outputTokens: 90 }, status: 'failed' };
    await metricsProjection(here.deps, `test-${here.deps.newId()}`).handle([
      ended(1, eve.viewer.userId, dear),
      ended(2, eve.viewer.userId, dear),
      ended(3, eve.viewer.userId, cheap, free),
      ended(4, bob.viewer.userId, cheap),
    ]);
    const costsOf = async (viewer: Viewer, from = at(0)) => {
      const window = { from, to: at(3_600), includeSystem: false, first: 200 };
      const costs = await readWith(worldGraph(), listProcessCosts, viewer, window);
      return costs?.filter(({ processId }) => [dear, cheap].includes(processId));
    };
    expect(await costsOf(eve.viewer)).toEqual([
      { processId: dear, runs: 2, failedRuns: 0, tokens: 30, costUsd: 0.5 },
      { processId: cheap, runs: 1, failedRuns: 1, tokens: 100, costUsd: null },
    ]);
    expect(await costsOf(bob.viewer)).toEqual([
      { processId: cheap, runs: 1, failedRuns: 0, tokens: 15, costUsd: 0.25 },
    ]);
    expect(await costsOf(root.viewer)).toEqual([
      { processId: dear, runs: 2, failedRuns: 0, tokens: 30, costUsd: 0.5 },
      { processId: cheap, runs: 2, failedRuns: 1, tokens: 115, costUsd: 0.25 },
    ]);
    expect(await costsOf(eve.viewer, at(60))).toEqual([]);
  });
});

describe('/metrics', () => {
  const numberAt = (text: string, start: string) => {
    const line = text.split('\n').find((one) => one.startsWith(start));
    return Number(line?.split(' ').at(-1));
  };

  it('says the same of the installation in every process, and of itself only its own', async () => {
    // A type of its own, because other tests count beside this one.
    const type = `test_${here.deps.newId()}`;
    const graph = worldGraph();
    const instances = [openMetrics(), openMetrics()];
    for (const metrics of instances)
      metrics.readInstallation(INSTALLATION, () => graph.read(listInstallationNumbers));
    instances[0]?.operationEnded({ kind: 'query', code: 'ok', seconds: 0.1 });
    const entries = [1, 2, 3].map((seq) => stepEnded(seq, seq, {}, { type }));
    const projection = metricsProjection(here.deps, `test-${here.deps.newId()}`);
    await projection.handle(entries);
    const texts = await Promise.all(instances.map(({ registry }) => registry.metrics()));
    for (const text of texts) {
      const line = `aiden_installation_steps_total{type="${type}",status="completed"}`;
      expect(numberAt(text, line)).toBe(3);
      expect(numberAt(text, `aiden_installation_step_seconds_total{type="${type}"}`)).toBe(6);
    }
    const own = texts.map((text) => numberAt(text, 'aiden_graphql_operation_seconds_count'));
    expect(own[0]).toBe(1);
    expect(own[1]).toBeNaN();
  });

  it('still shows the numbers of the process where Neo4j does not answer', async () => {
    const metrics = openMetrics();
    metrics.readInstallation(INSTALLATION, () => Promise.reject(new Error('away')));
    const text = await metrics.registry.metrics();
    expect(text).toContain('aiden_process_cpu_seconds_total');
    expect(text).not.toMatch(/^aiden_installation_steps_total\{/m);
  });
});
