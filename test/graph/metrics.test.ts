import { graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import {
  type CreateMetricDefinition,
  createMetricDefinition,
  deleteMetricDefinition,
  updateMetricDefinition,
} from '../../src/metrics/metric.mutations.ts';
import { sweepMetrics } from '../../src/metrics/metrics-retention.job.ts';
import { type RecordMetric, recordMetric } from '../../src/metrics/value.mutations.ts';
import { checkRunTimes, checkRunTimesOfAll } from '../../src/runs/run/run-times.ts';
import type { Viewer } from '../../src/users/user.ts';
import { registerWorkers } from '../../src/workers/worker.cypher.ts';
import { runDeps } from '../testkit/conversations.ts';
import { plainDriver, planOf, runCypher, writeCypher, writeWith } from '../testkit/graph.ts';
import { createsProcess } from '../testkit/processes.ts';
import { race, refuses, world, worldGraph } from '../testkit/world.ts';

const here = await world();
const { deps } = here;
const graph = worldGraph();
const [root, ada, bob] = [here.root.viewer, here.ada.viewer, here.bob.viewer];
const toolId = (await here.ada.createsTool()).id;

type Fields = Partial<CreateMetricDefinition>;
const unique = (name: string) => `${name} ${deps.newId()}`;
const defines = (more: Fields = {}, viewer = root) =>
  createMetricDefinition(deps, viewer, {
    name: unique('latency'),
    scope: 'tool',
    aggregation: 'avg',
    dataType: 'float',
    ...more,
  });
const changes = (id: string, more: object, viewer = root) =>
  updateMetricDefinition(deps, viewer, { id, ...more });
const deletes = (id: string, cascade = false, viewer = root) =>
  deleteMetricDefinition(deps, viewer, { id, cascade });
/** Records a value, of the Tool by default. */
const records = (metricId: string, value: unknown, more: object = {}, viewer = ada) =>
  recordMetric(deps, viewer, { metricId, entityId: toolId, value, ...more } as RecordMetric);
const ask = async (viewer: Viewer, source: string, variableValues = {}) => {
  const contextValue = { ...deps, viewer, requestId: 'test' } as unknown as RequestContext;
  const { value, statements } = await graph.counting(() =>
    graphql({ schema: buildSchema(), source, variableValues, contextValue }),
  );
  return {
    data: JSON.parse(JSON.stringify(value.data ?? null)),
    errors: value.errors?.map(({ message }) => message) ?? [],
    statements,
    names: statements.map(({ name }) => name),
  };
};
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const WINDOW = { from: at(0), to: at(3_600) };
const SERIES = /* GraphQL */ `
  query ($metricId: ID!, $entityId: ID!, $from: DateTime, $to: DateTime, $bucketSeconds: Float,
    $dimensions: JSONObject, $first: Int) {
    metricSeries(metricId: $metricId, entityId: $entityId, from: $from, to: $to,
      bucketSeconds: $bucketSeconds, dimensions: $dimensions) {
      entityId aggregate definition { name } points(first: $first) { measuredAt value dimensions }
    }
  }
`;
const asks = (metricId: string, more: object = {}, viewer = ada) =>
  ask(viewer, SERIES, { metricId, entityId: toolId, ...WINDOW, ...more });
const seriesOf = async (...given: Parameters<typeof asks>) =>
  (await asks(...given)).data.metricSeries;

describe('a MetricDefinition', () => {
  it('has all fields of S4-MET-01, and comes back as it was given', async () => {
    const name = unique('freshness');
    const input = {
      ...{ name, description: 'How old the answer was.', scope: 'PROCESS', retentionDays: 30 },
      ...{ aggregation: 'MAX', dataType: 'TIMESTAMP' },
    };
    const { data, errors } = await ask(
      root,
      `mutation ($input: CreateMetricDefinitionInput!) { createMetricDefinition(input: $input) {
        userErrors { code path } metricDefinition { id name description scope aggregation dataType
          retentionDays createdAt updatedAt } } }`,
      { input },
    );
    expect(errors).toEqual([]);
    const { metricDefinition } = data.createMetricDefinition;
    expect(metricDefinition).toMatchObject(input);
    const { id } = metricDefinition;
    const listed = await ask(ada, '{ metricDefinitions(scope: PROCESS) { id name } }');
    expect(listed.data.metricDefinitions).toContainEqual({ id, name });
    const source = 'query ($id: ID!) { node(id: $id) { ... on MetricDefinition { name } } }';
    expect((await ask(ada, source, { id })).data.node).toEqual({ name });
  });

  it('is defined, changed and deleted by admins only (S4-MET-02)', async () => {
    const { id } = await defines();
    await refuses(defines({}, ada), 'FORBIDDEN ');
    await refuses(changes(id, { name: 'mine' }, ada), 'FORBIDDEN ');
    await refuses(deletes(id, false, ada), 'FORBIDDEN ');
    const more = { aggregation: 'last', retentionDays: 7 };
    expect(await changes(id, more)).toMatchObject({ id, ...more, scope: 'tool' });
    expect(await deletes(id)).toBe(id);
    await refuses(deletes(id), 'NOT_FOUND id');
  });

  it('has a name of its own within its scope, also of several at once (S4-MET-03)', async () => {
    const name = unique('size');
    const { id } = await defines({ name });
    await defines({ name, scope: 'service' });
    await refuses(defines({ name }), 'TAKEN name');
    await refuses(changes((await defines()).id, { name }), 'TAKEN name');
    // Its own name is no other's.
    await changes(id, { name, description: 'in bytes' });
    const raced = { name: unique('raced') };
    const outcomes = await race(Array.from({ length: 6 }, () => () => defines(raced)));
    expect(outcomes).toEqual({ done: 1, 'TAKEN name': 5 });
  });

  it('goes with values only by cascade, and leaves none behind (S4-MET-04)', async () => {
    const left = async (id: string) => {
      const [row] = await runCypher(
        graph,
        `RETURN COUNT { MATCH (v:MetricValue {metricId: $id}) } AS values,
           COUNT { MATCH (d:MetricDefinition {id: $id}) } AS definitions`,
        { id },
      );
      return row;
    };
    const { id } = await defines();
    await records(id, 1.5);
    await refuses(deletes(id), 'IN_USE id');
    expect(await deletes(id, true)).toBe(id);
    expect(await left(id)).toEqual({ values: 0, definitions: 0 });
    // While others record.
    for (const cascade of [false, true]) {
      const { id } = await defines();
      const writers = Array.from({ length: 4 }, () => () => records(id, 1));
      const { done = 0 } = await race([() => deletes(id, cascade), ...writers]);
      const found = await left(id);
      if (found?.['definitions'] === 0) expect(found).toEqual({ values: 0, definitions: 0 });
      else expect(found).toEqual({ values: done, definitions: 1 });
      if (cascade) expect(found?.['definitions']).toBe(0);
    }
  });

  it('is refused with all its faults at once', async () => {
    const description = 'x'.repeat(3_000);
    const faulty: Fields = { name: ' ', dataType: 'timestamp', aggregation: 'sum', description };
    await refuses(
      defines({ ...faulty, retentionDays: 0 }),
      'REQUIRED name',
      'INVALID description',
      'TYPE_MISMATCH aggregation',
      'INVALID retentionDays',
    );
    await refuses(defines({ name: 'Aiden_calls' }), 'INVALID name');
  });
});

describe('a MetricValue', () => {
  it('is recorded of things of each scope that the viewer sees (S4-MVAL-01)', async () => {
    const service = await here.ada.createsService();
    const [workerId = ''] = await writeWith(graph, registerWorkers, {
      type: 'rest_call',
      taskQueue: `${deps.newId()}-rest_call`,
      instance: 'test',
      newIds: [deps.newId()],
      now: new Date().toISOString(),
    });
    for (const [scope, entityId] of [
      ['service', service.id],
      ['tool', toolId],
      ['process', (await createsProcess(here, here.ada)).id],
      ['conversation', (await createConversation(runDeps(here), ada, {})).id],
    ] as const) {
      const { id } = await defines({ scope });
      const point = await records(id, 2.5, { entityId, timestamp: at(1) });
      expect(point).toEqual({ timestamp: at(1), value: 2.5, dimensions: null });
      // No thing of others, and none of another scope.
      await refuses(records(id, 1, { entityId }, bob), 'NOT_FOUND entityId');
      const other = scope === 'tool' ? service.id : toolId;
      await refuses(records(id, 1, { entityId: other }), 'NOT_FOUND entityId');
      expect(await seriesOf(id, { entityId }, bob)).toBeNull();
    }
    // Workers belong to the admins.
    const { id } = await defines({ scope: 'worker' });
    await refuses(records(id, 1, { entityId: workerId }), 'NOT_FOUND entityId');
    await records(id, 1, { entityId: workerId }, root);
  });

  it('needs a definition, a thing and a value of its type (S4-MVAL-02)', async () => {
    const { id: metricId } = await defines({ dataType: 'integer' });
    const missing = deps.newId();
    await refuses(records(missing, 1), 'NOT_FOUND metricId');
    const timestamp = '2999-01-01T00:00:00.000Z';
    await refuses(
      records(metricId, 'many', { entityId: missing, timestamp, dimensions: { user: { id: 1 } } }),
      'NOT_FOUND entityId',
      'TYPE_MISMATCH value',
      'INVALID measuredAt',
      'INVALID dimensions.user',
    );
  });

  it('is only ever added: the API has no field that changes or deletes one (S4-MVAL-02)', () => {
    const mutations = Object.keys(buildSchema().getMutationType()?.getFields() ?? {});
    expect(mutations.filter((name) => /metric/i.test(name)).sort()).toEqual([
      'createMetricDefinition',
      'deleteMetricDefinition',
      'recordMetric',
      'updateMetricDefinition',
    ]);
  });

  it('comes back in the type of its definition', async () => {
    for (const [dataType, value] of [
      ['boolean', true],
      ['timestamp', at(7)],
      ['integer', -3],
      ['float', 0.25],
    ] as const) {
      const { id } = await defines({ dataType, aggregation: 'last' });
      await records(id, value, { timestamp: at(1) });
      expect(await seriesOf(id)).toMatchObject({ aggregate: value, points: [{ value }] });
    }
  });

  it('of the product itself is measured by the product only', async () => {
    const { data } = await ask(ada, '{ metricDefinitions(scope: TOOL) { id name } }');
    const named = ({ name }: { name: string }) => name === 'aiden_calls';
    const { id } = data.metricDefinitions.find(named);
    await refuses(records(id, 1), 'IMMUTABLE metricId');
    await refuses(deletes(id, true), 'IMMUTABLE id');
    const changed = changes(id, { name: 'mine', aggregation: 'max' });
    await refuses(changed, 'IMMUTABLE name', 'IMMUTABLE aggregation');
  });
});

describe('a series', () => {
  it('is aggregated as its definition says, over the given dimensions (S4-MVAL-03)', async () => {
    const values = [3, 1, 6, 2];
    for (const [aggregation, aggregate] of [
      ['sum', 12],
      ['avg', 3],
      ['min', 1],
      ['max', 6],
      ['count', 4],
      ['last', 2],
    ] as const) {
      const { id } = await defines({ dataType: 'integer', aggregation });
      for (const [index, value] of values.entries()) {
        const dimensions = { region: index % 2 === 0 ? 'eu' : 'us', hot: value > 2 };
        await records(id, value, { timestamp: at(index), dimensions });
      }
      const all = await seriesOf(id);
      expect(all.aggregate).toBe(aggregate);
      expect(all.points.map(({ value }: { value: number }) => value)).toEqual(values);
      const dimensions = { hot: true, region: 'eu' };
      expect((await seriesOf(id, { dimensions })).points).toEqual([
        { measuredAt: at(0), value: 3, dimensions },
        { measuredAt: at(2), value: 6, dimensions },
      ]);
    }
  });

  it('is summed up over buckets of time, at most as many points as asked for', async () => {
    const { id } = await defines({ dataType: 'integer', aggregation: 'sum' });
    for (const second of [0, 9, 10, 25, 26, 27])
      await records(id, second, { timestamp: at(second) });
    expect((await seriesOf(id, { bucketSeconds: 10 })).points).toEqual([
      { measuredAt: at(0), value: 9, dimensions: null },
      { measuredAt: at(10), value: 10, dimensions: null },
      { measuredAt: at(20), value: 78, dimensions: null },
    ]);
    expect((await seriesOf(id, { bucketSeconds: 10, first: 1 })).points).toHaveLength(1);
  });

  it('that would be without bounds is refused, with where', async () => {
    const { id } = await defines();
    for (const [more, message] of [
      [{ bucketSeconds: 0.5 }, 'A bucket lasts 1 second or longer.'],
      [{ bucketSeconds: 1 }, 'That is more than 1000 buckets'],
      [{ from: at(10), to: at(5) }, 'The window ends before it begins.'],
      [{ first: 5_000 }, 'first is a number from 0 to 1000.'],
    ] as const)
      expect((await asks(id, more)).errors).toEqual([expect.stringContaining(message)]);
  });

  it('shows a user their own values, also of a shared thing, and an admin all', async () => {
    const { id: entityId } = await here.ada.createsTool({ shared: true });
    const { id } = await defines({ dataType: 'integer', aggregation: 'sum' });
    await records(id, 1, { entityId, timestamp: at(1) });
    await records(id, 10, { entityId, timestamp: at(2) }, bob);
    for (const [viewer, aggregate] of [
      [ada, 1],
      [bob, 10],
      [root, 11],
    ] as const)
      expect((await seriesOf(id, { entityId }, viewer)).aggregate).toBe(aggregate);
  });

  it('of a page of Tools takes as many statements as of one', async () => {
    const { id: serviceId } = await here.ada.createsService();
    const metricIds = [(await defines()).id, (await defines({ aggregation: 'max' })).id];
    for (let n = 0; n < 3; n++) {
      const { id: entityId } = await here.ada.createsTool({ serviceId });
      for (const id of metricIds) await records(id, n, { entityId, timestamp: at(n) });
    }
    const page = (first: number) =>
      ask(
        ada,
        `query ($id: ID!, $first: Int, $from: DateTime, $to: DateTime) {
          tools(serviceId: $id, first: $first, includeShared: false) { nodes {
            metrics(from: $from, to: $to) { definition { name } aggregate points { value } } } } }`,
        { id: serviceId, first, ...WINDOW },
      );
    const [one, many] = [await page(1), await page(3)];
    expect(many.data.tools.nodes).toHaveLength(3);
    for (const tool of many.data.tools.nodes) expect(tool.metrics).toHaveLength(2);
    // Those that wait for nothing of each other end in any order.
    expect(many.names.toSorted()).toEqual(one.names.toSorted());
    expect(many.names.filter((name) => /Series|Metric/.test(name)).sort()).toEqual([
      'findMetricDefinitions',
      'listMeasuredSeries',
      'listSeriesPoints',
      'summariseSeries',
    ]);
  });

  it('reads its own stretch of an index and nothing beside it', async () => {
    const { id } = await defines();
    const { id: entityId } = await here.ada.createsTool({ shared: true });
    const driver = plainDriver();
    // No hint makes the planner use an index that is being populated; migrate() waits for all.
    const states = await driver.executeQuery(
      `SHOW INDEXES YIELD labelsOrTypes, state WHERE 'MetricValue' IN labelsOrTypes
       RETURN DISTINCT state`,
    );
    expect(states.records.map((record) => record.get('state'))).toEqual(['ONLINE']);
    for (const [viewer, properties] of [
      [ada, 'metricId, entityId, ownerId, at'],
      [root, 'metricId, entityId, at'],
    ] as const) {
      const { statements } = await asks(id, { entityId, bucketSeconds: 60 }, viewer);
      const series = statements.filter(({ name }) => /Series/.test(name));
      expect(series).toHaveLength(2);
      for (const { cypher } of series) {
        const plan = JSON.stringify(await planOf(driver, cypher));
        expect(plan).toContain(`MetricValue(${properties})`);
        expect(plan).not.toMatch(/LabelScan|AllNodesScan|IndexScan/);
      }
    }
    await driver.close();
  });
});

describe('the times of runs', () => {
  /** Runs of a Process that began at these seconds, and took so long; null: never began. */
  const runsFrom = (processId: string, begin = 0) => ({
    ended: (second: number, seconds: number | null, more: object = {}) => ({
      ...{ id: deps.newId(), processId, ownerId: ada.userId, status: 'completed', depth: 0 },
      origin: 'user',
      createdAt: at(begin + second),
      startedAt: seconds === null ? null : at(begin + second),
      completedAt: at(begin + second + (seconds ?? 0)),
      ...more,
    }),
  });
  const writes = (runs: readonly object[]) =>
    writeCypher(
      graph,
      `UNWIND $runs AS run CREATE (r:ProcessRun:Resource) SET r = run,
         r.createdAt = datetime(run.createdAt), r.startedAt = datetime(run.startedAt),
         r.completedAt = datetime(run.completedAt)`,
      { runs },
    );

  it("are percentiles of the viewer's own ended runs, in one statement", async () => {
    const processId = deps.newId();
    const { ended } = runsFrom(processId);
    await writes([
      ...Array.from({ length: 9 }, (_, n) => ended(n, n + 1, { inputTokens: 10 })),
      ended(70, 100, { status: 'failed', costUsd: 0.5, outputTokens: 5 }),
      ended(71, null, { status: 'timed_out' }),
      ended(72, 900, { ownerId: bob.userId, costUsd: 9 }),
      ended(73, 800, { origin: 'system' }),
      ended(74, 0, { status: 'running', completedAt: null }),
      ended(3_700, 700),
    ]);
    const { data, names } = await ask(
      ada,
      `query ($processId: ID!, $from: DateTime, $to: DateTime) {
        processRunTimes(processId: $processId, from: $from, to: $to, bucketSeconds: 60) {
          runs failedRuns p50Seconds p90Seconds p99Seconds tokens costUsd isWhole
          buckets { startedAt runs p50Seconds } } }`,
      { processId, ...WINDOW },
    );
    expect(names).toEqual(['listRunTimes']);
    expect(data.processRunTimes).toEqual({
      ...{ runs: 11, failedRuns: 2, p50Seconds: 5, p90Seconds: 9, p99Seconds: 100 },
      ...{ tokens: 95, costUsd: 0.5, isWhole: true },
      buckets: [
        { startedAt: at(0), runs: 9, p50Seconds: 5 },
        { startedAt: at(60), runs: 2, p50Seconds: 100 },
      ],
    });
    const [from, to] = [at(0), at(3_600)];
    const refusals = [
      { from: to, to: from, bucketSeconds: null },
      { from, to, bucketSeconds: 1 },
      { from: '2020-01-01T00:00:00Z', to, bucketSeconds: 60 },
    ].map((window) => checkRunTimes(window).map(({ path }) => path));
    expect(refusals).toEqual([[['to']], [['bucketSeconds']], [['bucketSeconds']]]);
  });

  it("of all Processes are the viewer's alone, and everyone's for an admin that asks", async () => {
    // A day of its own: a total counts all runs of its time.
    const day = 30 * 86_400;
    const { id: tour } = await createsProcess(here, here.ada, { name: 'tour' });
    const part = deps.newId();
    const { ended } = runsFrom(tour, day);
    const partOf = runsFrom(part, day).ended;
    await writes([
      ...Array.from({ length: 9 }, (_, n) => ended(n, n + 1, { inputTokens: 10 })),
      ended(70, 100, { status: 'failed', costUsd: 0.5, outputTokens: 5 }),
      partOf(71, 4, { depth: 1, outputTokens: 7, costUsd: 0.2 }),
      partOf(72, null, { status: 'timed_out' }),
      ended(73, 900, { ownerId: bob.userId, costUsd: 9 }),
      ended(74, 800, { origin: 'system' }),
      ended(75, 0, { status: 'running', completedAt: null }),
      ended(3_700, 700),
    ]);
    const read = async (viewer: Viewer, more: object = {}) => {
      const { data, names, errors } = await ask(
        viewer,
        `query ($from: DateTime, $to: DateTime, $first: Int, $system: Boolean, $all: Boolean) {
          runTimes(from: $from, to: $to, bucketSeconds: 60, first: $first, includeSystem: $system,
            ofEveryone: $all) { processCount
            total { ...figures buckets { startedAt runs p90Seconds } }
            processes { processId process { name } times { ...figures } } } }
        fragment figures on RunTimes { runs failedRuns p50Seconds p90Seconds p99Seconds tokens
          costUsd isWhole }`,
        { from: at(day), to: at(day + 3_600), ...more },
      );
      return { times: data?.runTimes, names, errors };
    };
    const ofTour = {
      ...{ runs: 10, failedRuns: 1, p50Seconds: 5, p90Seconds: 9, p99Seconds: 100 },
      ...{ tokens: 95, costUsd: 0.5, isWhole: true },
    };
    const ofPart = {
      ...{ runs: 2, failedRuns: 1, p50Seconds: 4, p90Seconds: 4, p99Seconds: 4 },
      ...{ tokens: 7, costUsd: 0.2, isWhole: true },
    };
    const own = await read(ada);
    expect(own.errors).toEqual([]);
    expect(own.times).toEqual({
      processCount: 2,
      // The sub-run counts within its root, so its tokens are no part of the sum.
      total: {
        ...{ ...ofTour, runs: 11, failedRuns: 2 },
        buckets: [
          { startedAt: at(day), runs: 9, p90Seconds: 9 },
          { startedAt: at(day + 60), runs: 2, p90Seconds: 100 },
        ],
      },
      processes: [
        { processId: tour, process: { name: 'tour' }, times: ofTour },
        { processId: part, process: null, times: ofPart },
      ],
    });
    // One for the figures, one for the names of all Processes.
    expect(own.names).toEqual(['listRunTimesOfAll', 'findProcesses']);
    const [first] = (await read(ada, { first: 1 })).times.processes;
    expect(first.processId).toBe(tour);
    expect((await read(ada, { system: true })).times.total).toMatchObject({
      runs: 12,
      p99Seconds: 800,
    });
    const bobs = (await read(bob)).times;
    expect(bobs.processes).toMatchObject([{ process: null, times: { runs: 1, costUsd: 9 } }]);
    expect(bobs.total.runs).toBe(1);
    expect((await read(root)).times).toMatchObject({ processCount: 0, total: { runs: 0 } });
    expect((await read(root, { all: true })).times).toMatchObject({
      processCount: 2,
      total: { runs: 12, costUsd: 9.5, p99Seconds: 900 },
    });
    expect(await read(ada, { all: true })).toMatchObject({
      errors: ['Only an admin may ask for the runs of all users.'],
      names: [],
    });
    const window = { from: at(day), to: at(day + 3_600), bucketSeconds: 1 };
    const problems = checkRunTimesOfAll({ ...window, first: 0 }).map(({ path }) => path);
    expect(problems).toEqual([['bucketSeconds'], ['first']]);
  });
});

describe('retention', () => {
  it('sweeps values that are older than their definition says, and nothing else', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const counts: Fields = { dataType: 'integer', aggregation: 'count' };
    const ids = [(await defines(counts)).id, (await defines({ ...counts, retentionDays: 2 })).id];
    const [kept = '', swept = ''] = ids;
    for (const id of ids)
      for (const days of [5, 3, 1, 0]) await records(id, days, { timestamp: ago(days) });
    const left = (id: string) =>
      seriesOf(id, { from: ago(10), to: null }).then(({ aggregate }) => aggregate);
    const controller = new AbortController();
    expect((await sweepMetrics(deps, controller.signal)).deleted).toBeGreaterThanOrEqual(2);
    expect([await left(kept), await left(swept)]).toEqual([4, 2]);
    controller.abort();
    await records(swept, 1, { timestamp: ago(9) });
    await sweepMetrics(deps, controller.signal);
    expect(await left(swept)).toBe(3);
  });
});
