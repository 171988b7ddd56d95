import { graphql } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
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
import type { Viewer } from '../../src/users/user.ts';
import { registerWorkers } from '../../src/workers/worker.cypher.ts';
import { runDeps } from '../testkit/conversations.ts';
import { plainDriver, planOf } from '../testkit/graph.ts';
import { createsProcess } from '../testkit/processes.ts';
import { race, refusals, type World, world, worldGraph } from '../testkit/world.ts';

let here: World;
let root: Viewer;
let ada: Viewer;
let bob: Viewer;
let toolId: string;
beforeAll(async () => {
  here = await world();
  root = here.root.viewer;
  ada = here.ada.viewer;
  bob = here.bob.viewer;
  toolId = (await here.ada.createsTool()).id;
});

const unique = (name: string) => `${name} ${here.deps.newId()}`;
const defines = (more: Partial<CreateMetricDefinition> = {}) =>
  createMetricDefinition(here.deps, root, {
    name: unique('latency'),
    scope: 'tool',
    aggregation: 'avg',
    dataType: 'float',
    ...more,
  });
const records = (viewer: Viewer, input: RecordMetric) => recordMetric(here.deps, viewer, input);
const ask = async (viewer: Viewer, source: string, variableValues = {}) => {
  const contextValue = { ...here.deps, viewer, requestId: 'test' } as unknown as RequestContext;
  const { value, statements } = await worldGraph().counting(() =>
    graphql({ schema: buildSchema(), source, variableValues, contextValue }),
  );
  return {
    data: JSON.parse(JSON.stringify(value.data ?? null)),
    errors: value.errors?.map(({ message }) => message) ?? [],
    statements,
    names: statements.map(({ name }) => name),
  };
};
const SERIES = /* GraphQL */ `
  query ($metricId: ID!, $entityId: ID!, $from: DateTime, $to: DateTime, $bucketSeconds: Float, $dimensions: JSONObject, $first: Int) {
    metricSeries(metricId: $metricId, entityId: $entityId, from: $from, to: $to, bucketSeconds: $bucketSeconds, dimensions: $dimensions) {
      entityId aggregate definition { name } points(first: $first) { measuredAt value dimensions }
    }
  }
`;
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const WINDOW = { from: at(0), to: at(3_600) };

describe('a MetricDefinition', () => {
  it('has all that S4-MET-01 names, and comes back as it was given', async () => {
    const name = unique('freshness');
    const { data, errors } = await ask(
      root,
      `mutation ($input: CreateMetricDefinitionInput!) { createMetricDefinition(input: $input) { userErrors { code path }
        metricDefinition { id name description scope aggregation dataType retentionDays createdAt updatedAt } } }`,
      {
        input: {
          name,
          description: 'How old the answer was.',
          scope: 'PROCESS',
          aggregation: 'MAX',
          dataType: 'TIMESTAMP',
          retentionDays: 30,
        },
      },
    );
    expect(errors).toEqual([]);
    const { metricDefinition } = data.createMetricDefinition;
    expect(metricDefinition).toMatchObject({
      name,
      description: 'How old the answer was.',
      scope: 'PROCESS',
      aggregation: 'MAX',
      dataType: 'TIMESTAMP',
      retentionDays: 30,
    });
    const listed = await ask(ada, '{ metricDefinitions(scope: PROCESS) { id name } }');
    expect(listed.data.metricDefinitions).toContainEqual({ id: metricDefinition.id, name });
    const node = await ask(
      ada,
      'query ($id: ID!) { node(id: $id) { ... on MetricDefinition { name } } }',
      {
        id: metricDefinition.id,
      },
    );
    expect(node.data.node).toEqual({ name });
  });

  it('is defined, changed and deleted by admins only (S4-MET-02)', async () => {
    const { id } = await defines();
    expect(
      await refusals(
        createMetricDefinition(here.deps, ada, {
          name: unique('mine'),
          scope: 'tool',
          aggregation: 'sum',
          dataType: 'integer',
        }),
      ),
    ).toEqual(['FORBIDDEN ']);
    expect(await refusals(updateMetricDefinition(here.deps, ada, { id, name: 'mine' }))).toEqual([
      'FORBIDDEN ',
    ]);
    expect(await refusals(deleteMetricDefinition(here.deps, ada, { id }))).toEqual(['FORBIDDEN ']);
    const { data } = await ask(
      ada,
      `mutation { deleteMetricDefinition(input: { id: "${id}" }) { deletedId userErrors { code message } } }`,
    );
    expect(data).toEqual({
      deleteMetricDefinition: {
        deletedId: null,
        userErrors: [{ code: 'FORBIDDEN', message: 'Only an admin may do this.' }],
      },
    });
    const changed = await updateMetricDefinition(here.deps, root, {
      id,
      aggregation: 'last',
      retentionDays: 7,
    });
    expect(changed).toMatchObject({ id, aggregation: 'last', retentionDays: 7, scope: 'tool' });
    expect(await deleteMetricDefinition(here.deps, root, { id })).toBe(id);
    expect(await refusals(deleteMetricDefinition(here.deps, root, { id }))).toEqual([
      'NOT_FOUND id',
    ]);
  });

  it('has a name of its own within its scope, and may share it with another scope (S4-MET-03)', async () => {
    const name = unique('size');
    const { id } = await defines({ name });
    await defines({ name, scope: 'service' });
    expect(await refusals(defines({ name }))).toEqual(['TAKEN name']);
    const other = await defines();
    expect(await refusals(updateMetricDefinition(here.deps, root, { id: other.id, name }))).toEqual(
      ['TAKEN name'],
    );
    // Its own name is no other's.
    await updateMetricDefinition(here.deps, root, { id, name, description: 'in bytes' });
  });

  it('gets its name once, however many ask for it at once (S4-MET-03)', async () => {
    const name = unique('raced');
    const outcomes = await race(Array.from({ length: 6 }, () => () => defines({ name })));
    expect(outcomes).toEqual({ done: 1, 'TAKEN name': 5 });
  });

  it('with values goes only where cascade is said, and its values with it (S4-MET-04)', async () => {
    const { id } = await defines();
    await records(ada, { metricId: id, entityId: toolId, value: 1.5 });
    expect(await refusals(deleteMetricDefinition(here.deps, root, { id }))).toEqual(['IN_USE id']);
    expect(await deleteMetricDefinition(here.deps, root, { id, cascade: true })).toBe(id);
    const rows = await worldGraph().read((tx) =>
      tx.run('// test\n MATCH (v:MetricValue {metricId: $id}) RETURN v', { id }),
    );
    expect(rows).toEqual([]);
  });

  it('never leaves a value behind, whoever records while it is deleted (S4-MET-04)', async () => {
    for (const cascade of [false, true]) {
      const { id } = await defines();
      const outcomes = await race([
        () => deleteMetricDefinition(here.deps, root, { id, cascade }),
        ...Array.from(
          { length: 4 },
          () => () => records(ada, { metricId: id, entityId: toolId, value: 1 }),
        ),
      ]);
      const [left] = await worldGraph().read((tx) =>
        tx.run(
          `// test\n RETURN COUNT { MATCH (v:MetricValue {metricId: $id}) } AS values,
           COUNT { MATCH (d:MetricDefinition {id: $id}) } AS definitions`,
          { id },
        ),
      );
      const recorded = (outcomes['done'] ?? 0) - (left?.['definitions'] === 0 ? 1 : 0);
      if (left?.['definitions'] === 0) expect(left).toEqual({ values: 0, definitions: 0 });
      else expect(left).toEqual({ values: recorded, definitions: 1 });
      if (cascade) expect(left?.['definitions']).toBe(0);
    }
  });

  it('says all that is wrong with it at once', async () => {
    expect(
      await refusals(
        defines({
          name: ' ',
          dataType: 'timestamp',
          aggregation: 'sum',
          retentionDays: 0,
          description: 'x'.repeat(3_000),
        }),
      ),
    ).toEqual([
      'REQUIRED name',
      'INVALID description',
      'TYPE_MISMATCH aggregation',
      'INVALID retentionDays',
    ]);
    expect(await refusals(defines({ name: 'Aiden_calls' }))).toEqual(['INVALID name']);
  });
});

describe('a MetricValue', () => {
  it('is recorded of things of each scope, as far as one sees them (S4-MVAL-01)', async () => {
    const service = await here.ada.createsService();
    const process = await createsProcess(here, here.ada);
    const conversation = await createConversation(runDeps(here), ada, {});
    const [workerId = ''] = await worldGraph().write((tx) =>
      registerWorkers(tx, {
        type: 'rest_call',
        taskQueue: `${here.deps.newId()}-rest_call`,
        instance: 'test',
        newIds: [here.deps.newId()],
        now: new Date().toISOString(),
      }),
    );
    const things = {
      service: service.id,
      tool: toolId,
      process: process.id,
      conversation: conversation.id,
    } as const;
    for (const [scope, entityId] of Object.entries(things)) {
      const { id } = await defines({ scope: scope as keyof typeof things });
      const point = await records(ada, { metricId: id, entityId, value: 2.5, timestamp: at(1) });
      expect(point).toEqual({ timestamp: at(1), value: 2.5, dimensions: null });
      // Nobody else's, and nothing of another scope.
      expect(await refusals(records(bob, { metricId: id, entityId, value: 1 }))).toEqual([
        'NOT_FOUND entityId',
      ]);
      const other = scope === 'tool' ? service.id : toolId;
      expect(await refusals(records(ada, { metricId: id, entityId: other, value: 1 }))).toEqual([
        'NOT_FOUND entityId',
      ]);
      expect(
        (await ask(bob, SERIES, { metricId: id, entityId, ...WINDOW })).data.metricSeries,
      ).toBeNull();
    }
    // Workers are the admins'.
    const { id } = await defines({ scope: 'worker' });
    const value = { metricId: id, entityId: workerId, value: 1 };
    expect(await refusals(records(ada, value))).toEqual(['NOT_FOUND entityId']);
    expect(await refusals(records(root, value))).toEqual(['done']);
  });

  it('needs a definition, a thing and a value of its type (S4-MVAL-02)', async () => {
    const integer = await defines({ dataType: 'integer' });
    const missing = here.deps.newId();
    expect(await refusals(records(ada, { metricId: missing, entityId: toolId, value: 1 }))).toEqual(
      ['NOT_FOUND metricId'],
    );
    const wrong = {
      metricId: integer.id,
      entityId: missing,
      value: 'many',
      timestamp: '2999-01-01T00:00:00.000Z',
      dimensions: { user: { id: 1 } },
    };
    expect(await refusals(records(ada, wrong))).toEqual([
      'NOT_FOUND entityId',
      'TYPE_MISMATCH value',
      'INVALID measuredAt',
      'INVALID dimensions.user',
    ]);
    const { data } = await ask(
      ada,
      `mutation ($input: RecordMetricInput!) { recordMetric(input: $input) { point { value } userErrors { code path } } }`,
      { input: { metricId: integer.id, entityId: toolId, value: 1.5 } },
    );
    expect(data.recordMetric).toEqual({
      point: null,
      userErrors: [{ code: 'TYPE_MISMATCH', path: ['input', 'value'] }],
    });
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
    const given = { boolean: true, timestamp: at(7), integer: -3, float: 0.25 } as const;
    for (const [dataType, value] of Object.entries(given)) {
      const { id } = await defines({
        dataType: dataType as keyof typeof given,
        aggregation: 'last',
      });
      await records(ada, { metricId: id, entityId: toolId, value, timestamp: at(1) });
      const { data } = await ask(ada, SERIES, { metricId: id, entityId: toolId, ...WINDOW });
      expect(data.metricSeries).toMatchObject({ aggregate: value, points: [{ value }] });
    }
  });

  it('of the product itself is measured by nobody else', async () => {
    const listed = await ask(ada, '{ metricDefinitions(scope: TOOL) { id name } }');
    const own = listed.data.metricDefinitions.find(
      ({ name }: { name: string }) => name === 'aiden_calls',
    );
    expect(await refusals(records(ada, { metricId: own.id, entityId: toolId, value: 1 }))).toEqual([
      'IMMUTABLE metricId',
    ]);
    expect(
      await refusals(deleteMetricDefinition(here.deps, root, { id: own.id, cascade: true })),
    ).toEqual(['IMMUTABLE id']);
    expect(
      await refusals(
        updateMetricDefinition(here.deps, root, { id: own.id, name: 'mine', aggregation: 'max' }),
      ),
    ).toEqual(['IMMUTABLE name', 'IMMUTABLE aggregation']);
  });
});

describe('a series', () => {
  it('is aggregated as its definition says, over what the dimensions let through (S4-MVAL-03)', async () => {
    const expected = { sum: 12, avg: 3, min: 1, max: 6, count: 4, last: 2 } as const;
    for (const [aggregation, aggregate] of Object.entries(expected)) {
      const { id } = await defines({
        dataType: 'integer',
        aggregation: aggregation as keyof typeof expected,
      });
      for (const [index, value] of [3, 1, 6, 2].entries()) {
        const dimensions = { region: index % 2 === 0 ? 'eu' : 'us', hot: value > 2 };
        await records(ada, {
          metricId: id,
          entityId: toolId,
          value,
          timestamp: at(index),
          dimensions,
        });
      }
      const all = await ask(ada, SERIES, { metricId: id, entityId: toolId, ...WINDOW });
      expect(all.data.metricSeries.aggregate).toBe(aggregate);
      expect(all.data.metricSeries.points.map(({ value }: { value: number }) => value)).toEqual([
        3, 1, 6, 2,
      ]);
      const some = await ask(ada, SERIES, {
        metricId: id,
        entityId: toolId,
        ...WINDOW,
        dimensions: { region: 'eu', hot: true },
      });
      expect(some.data.metricSeries.points).toEqual([
        { measuredAt: at(0), value: 3, dimensions: { hot: true, region: 'eu' } },
        { measuredAt: at(2), value: 6, dimensions: { hot: true, region: 'eu' } },
      ]);
    }
  });

  it('is summed up over buckets of time, and shows as many points as were asked for', async () => {
    const { id } = await defines({ dataType: 'integer', aggregation: 'sum' });
    for (const second of [0, 9, 10, 25, 26, 27])
      await records(ada, { metricId: id, entityId: toolId, value: second, timestamp: at(second) });
    const series = { metricId: id, entityId: toolId, ...WINDOW, bucketSeconds: 10 };
    const { data } = await ask(ada, SERIES, series);
    expect(data.metricSeries.points).toEqual([
      { measuredAt: at(0), value: 9, dimensions: null },
      { measuredAt: at(10), value: 10, dimensions: null },
      { measuredAt: at(20), value: 78, dimensions: null },
    ]);
    const first = await ask(ada, SERIES, { ...series, first: 1 });
    expect(first.data.metricSeries.points).toHaveLength(1);
  });

  it('that would be without bounds is refused, with where', async () => {
    const { id } = await defines();
    const series = { metricId: id, entityId: toolId };
    const wrong = [
      [{ ...WINDOW, bucketSeconds: 0.5 }, 'A bucket lasts 1 second or longer.'],
      [{ ...WINDOW, bucketSeconds: 1 }, 'That is more than 1000 buckets'],
      [{ from: at(10), to: at(5) }, 'The window ends before it begins.'],
      [{ first: 5_000 }, 'first is a number from 0 to 1000.'],
    ] as const;
    for (const [more, message] of wrong) {
      const { errors } = await ask(ada, SERIES, { ...series, ...more });
      expect(errors).toEqual([expect.stringContaining(message)]);
    }
  });

  it("shows what one has recorded oneself, also of a shared thing; an admin sees everybody's", async () => {
    const tool = await here.ada.createsTool({ shared: true });
    const { id } = await defines({ dataType: 'integer', aggregation: 'sum' });
    await records(ada, { metricId: id, entityId: tool.id, value: 1, timestamp: at(1) });
    await records(bob, { metricId: id, entityId: tool.id, value: 10, timestamp: at(2) });
    const sees = async (viewer: Viewer) =>
      (await ask(viewer, SERIES, { metricId: id, entityId: tool.id, ...WINDOW })).data.metricSeries
        .aggregate;
    expect(await sees(ada)).toBe(1);
    expect(await sees(bob)).toBe(10);
    expect(await sees(root)).toBe(11);
  });

  it('of a page of Tools takes as many statements as of one', async () => {
    const service = await here.ada.createsService();
    const { id } = await defines();
    const second = await defines({ aggregation: 'max' });
    for (let index = 0; index < 6; index++) {
      const tool = await here.ada.createsTool({ serviceId: service.id });
      for (const metricId of [id, second.id])
        await records(ada, { metricId, entityId: tool.id, value: index, timestamp: at(index) });
    }
    const query = `query ($id: ID!, $first: Int, $from: DateTime, $to: DateTime) { tools(serviceId: $id, first: $first, includeShared: false) {
      nodes { metrics(from: $from, to: $to) { definition { name } aggregate points { value } } } } }`;
    const one = await ask(ada, query, { id: service.id, first: 1, ...WINDOW });
    const many = await ask(ada, query, { id: service.id, first: 6, ...WINDOW });
    expect(many.data.tools.nodes).toHaveLength(6);
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
    const shared = await here.ada.createsTool({ shared: true });
    const driver = plainDriver();
    // No hint makes the planner use an index that is still being populated; migrate() waits for all of them.
    const { records } = await driver.executeQuery(
      "SHOW INDEXES YIELD labelsOrTypes, state WHERE 'MetricValue' IN labelsOrTypes RETURN DISTINCT state",
    );
    expect(records.map((record) => record.get('state'))).toEqual(['ONLINE']);
    for (const [viewer, properties] of [
      [ada, 'metricId, entityId, ownerId, at'],
      [root, 'metricId, entityId, at'],
    ] as const) {
      const { statements } = await ask(viewer, SERIES, {
        metricId: id,
        entityId: shared.id,
        ...WINDOW,
        bucketSeconds: 60,
      });
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

describe('retention', () => {
  it('sweeps what is older than its definition says, and nothing else', async () => {
    const day = 24 * 60 * 60 * 1_000;
    const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
    const kept = await defines({ dataType: 'integer', aggregation: 'count' });
    const swept = await defines({ dataType: 'integer', aggregation: 'count', retentionDays: 2 });
    for (const { id } of [kept, swept])
      for (const days of [5, 3, 1, 0])
        await records(ada, { metricId: id, entityId: toolId, value: days, timestamp: ago(days) });
    const controller = new AbortController();
    const { deleted } = await sweepMetrics(here.deps, controller.signal);
    expect(deleted).toBeGreaterThanOrEqual(2);
    const left = async (metricId: string) =>
      (await ask(ada, SERIES, { metricId, entityId: toolId, from: ago(10) })).data.metricSeries
        .aggregate;
    expect(await left(swept.id)).toBe(2);
    expect(await left(kept.id)).toBe(4);
    controller.abort();
    await records(ada, { metricId: swept.id, entityId: toolId, value: 1, timestamp: ago(9) });
    await sweepMetrics(here.deps, controller.signal);
    expect(await left(swept.id)).toBe(3);
  });
});
