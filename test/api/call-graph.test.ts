import { execute, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { type RunWorld, runWorld } from '../testkit/run-world.ts';

const graph = testGraph();
const SECRET = 'Bearer cAnary-7f3A9b21-whole';
let rest: RestServer;
let ada: TestClient;
let world: RunWorld;
let runId = '';
beforeAll(async () => {
  rest = await openRestServer();
  ada = client(freshName('ada'));
  world = await runWorld(ada, rest);
  const child = await world.createsProcess(
    [{ stepId: 'inner', inputs: { name: '{context.name}' } }],
    {
      outputTemplate: 'done',
    },
  );
  const processId = await world.createsProcess(
    [
      { stepId: 'first', inputs: { name: SECRET } },
      { stepId: 'sub', calls: { processId: child }, inputs: { name: 'x' }, dependsOn: ['first'] },
    ],
    { outputTemplate: '{{first.body.name}}' },
  );
  runId = await world.starts(processId);
  // The Tool was called with all of it (S3-FLOW-04): it answered with what it was given.
  expect(await world.finishes(runId)).toEqual({ status: 'COMPLETED', output: SECRET });
});
afterAll(async () => {
  await rest.close();
  await graph.close();
});

interface Call {
  requestId: string;
  operationId: string;
  parentRequestId: string | null;
  status: string;
  input: unknown;
  output: unknown;
  identity: { id: string; scopes: string[] };
  metadata: Record<string, string>;
  startedAt: string;
  completedAt: string;
}
const CALL =
  'id requestId operationId parentRequestId status input output error identity callerAccountId metadata startedAt completedAt createdAt updatedAt';

/** The graph of the run, once the record has caught up with it. */
async function callGraphOf(id: string) {
  type Graph = {
    nodes: (Call & { id: string })[];
    edges: { source: string; target: string; edgeType: string }[];
  };
  let found: Graph = { nodes: [], edges: [] };
  await eventually('the call graph has the run to its end', async () => {
    const { processRun } = await ada.query<{ processRun: { callGraph: Graph } }>(
      `query ($id: ID!) { processRun(id: $id) { callGraph { nodes { ${CALL} } edges { edgeId source target edgeType createdAt } } } }`,
      { id },
    );
    found = processRun.callGraph;
    return found.nodes.some(
      ({ requestId, status, parentRequestId }) =>
        requestId === id && status === 'COMPLETED' && parentRequestId !== null,
    );
  });
  return found;
}

describe('what a run did', () => {
  it('is a graph of calls under the mutation that asked for it (S3-NODE-02, S3-NODE-04, S3-NODE-05, S3-NODE-08, S3-EDGE-03)', async () => {
    const { nodes, edges } = await callGraphOf(runId);
    const names = new Map(
      nodes.map(({ id, requestId }) => [id, requestId.replaceAll(runId, 'run')]),
    );
    const child = nodes.find(({ parentRequestId }) => parentRequestId === `${runId}/sub/1`);
    const short = (text: string | undefined) => text?.replaceAll(child?.requestId ?? '-', 'child');
    expect(nodes.map(({ requestId }) => short(requestId.replaceAll(runId, 'run'))).sort()).toEqual([
      'child',
      'child/inner/1',
      'run',
      'run/first/1',
      'run/sub/1',
    ]);
    expect(
      edges
        .map(({ source, edgeType, target }) =>
          [short(names.get(source)), edgeType, short(names.get(target))].join(' '),
        )
        .sort(),
    ).toEqual([
      'child triggered child/inner/1',
      'run requested_by child',
      'run triggered run/first/1',
      'run triggered run/sub/1',
      'run/sub/1 depends_on run/first/1',
      'run/sub/1 triggered child',
    ]);
    for (const { status, metadata, identity } of nodes) {
      expect(status).toBe('COMPLETED');
      expect(Object.keys(metadata)).toEqual(['_retentionExpiresAt']);
      expect(identity.scopes).toEqual(['user']);
    }
    const root = nodes.find(({ requestId }) => requestId === runId);
    const { callNode } = await ada.query<{ callNode: Call & { triggered: Call[] } }>(
      `query ($requestId: String!) { callNode(requestId: $requestId) { ${CALL} triggered { requestId dependsOn { requestId } requestedBy { requestId } } } }`,
      { requestId: root?.parentRequestId },
    );
    expect(callNode).toMatchObject({
      operationId: 'mutation:startProcessRun',
      status: 'COMPLETED',
      parentRequestId: null,
      output: { run: runId },
      triggered: [{ requestId: runId, dependsOn: [], requestedBy: [] }],
    });
  });

  it('shows no secret, neither in what was given nor in what came of it (S3-RED-02, S3-RED-03)', async () => {
    const { nodes } = await callGraphOf(runId);
    expect(JSON.stringify(nodes)).not.toContain('cAnary');
    const first = nodes.find(({ requestId }) => requestId === `${runId}/first/1`);
    expect(first?.input).toEqual({ name: '[REDACTED]' });
  });

  it('is nobody else’s to see, but an admin’s', async () => {
    const { nodes } = await callGraphOf(runId);
    const mutation = nodes.find(({ requestId }) => requestId === runId)?.parentRequestId;
    const query = `query ($a: String!, $b: String!) { callNode(requestId: $a) { status } callGraph(requestId: $b) { nodes { status } } }`;
    const asks = (who: TestClient) => who.query(query, { a: runId, b: mutation });
    expect(await asks(client(freshName('bob')))).toEqual({ callNode: null, callGraph: null });
    expect(await asks(client(`${freshName('root')}:admin`))).toMatchObject({
      callNode: { status: 'COMPLETED' },
      callGraph: { nodes: expect.arrayContaining([{ status: 'COMPLETED' }]) },
    });
  });

  it('is counted for its owner, and read in three statements at most', async () => {
    await callGraphOf(runId);
    const { operationStats } = await ada.query<{
      operationStats: { operationId: string; calls: number; errorRate: number; p50Ms: number }[];
    }>('{ operationStats { operationId calls errorRate averageMs p50Ms p99Ms } }');
    expect(operationStats).toContainEqual(
      expect.objectContaining({ operationId: 'call_process', calls: 1, errorRate: 0 }),
    );
    const { viewer } = await ada.query<{ viewer: { id: string } }>('{ viewer { id } }');
    const contextValue = {
      graph,
      viewer: { userId: viewer.id, name: 'ada', roles: ['user'], workspace: viewer.id },
    } as unknown as RequestContext;
    const document = parse(
      `{ callGraph(requestId: "${runId}") { nodes { ${CALL} } edges { edgeType source target } } }`,
    );
    const { value, statements } = await graph.counting(async () =>
      execute({ schema: buildSchema(), document, contextValue }),
    );
    expect(value.errors).toBeUndefined();
    expect(statements.map(({ name }) => name)).toEqual([
      'findCallTree',
      'findCallEdges',
      'findCallPayloads',
    ]);
  });
});

describe('a mutation', () => {
  const listed = async (operationId: string, status: string) => {
    const { callNodes } = await ada.query<{ callNodes: { nodes: Call[]; totalCount: number } }>(
      `query ($operationId: String!, $status: [CallStatus!]) { callNodes(operationId: $operationId, status: $status, first: 5) { totalCount nodes { ${CALL} } } }`,
      { operationId, status: [status] },
    );
    return callNodes;
  };

  it('that was refused is a call that failed, with what was wrong', async () => {
    await ada.query('mutation { deleteTool(input: { id: "nothing" }) { userErrors { code } } }');
    const operationId = 'mutation:deleteTool';
    await eventually(
      'it is recorded',
      async () => (await listed(operationId, 'FAILED')).totalCount === 1,
    );
    const [call] = (await listed(operationId, 'FAILED')).nodes;
    expect(call).toMatchObject({
      input: { input: { id: 'nothing' } },
      output: null,
      error: {
        code: 'NOT_FOUND',
        details: { userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }] },
      },
    });
  });

  it('that makes a Secret is recorded without its value', async () => {
    const value = `plain-${freshName('value')}`;
    await ada.query(
      'mutation ($value: String!) { createSecret(input: {name: "k", type: API_KEY, value: $value}) { userErrors { code } } }',
      { value },
    );
    const operationId = 'mutation:createSecret';
    await eventually(
      'it is recorded',
      async () => (await listed(operationId, 'COMPLETED')).totalCount >= 1,
    );
    const [call] = (await listed(operationId, 'COMPLETED')).nodes;
    expect(call?.input).toMatchObject({ input: { name: 'k', value: '[REDACTED]' } });
    const rows = await graph.read((tx) =>
      tx.run(
        '// test\n MATCH (o:OutboxEntry) WHERE o.payload CONTAINS $value RETURN o.kind AS kind',
        {
          value,
        },
      ),
    );
    expect(rows).toEqual([]);
  });
});

describe('settings', () => {
  it('are for admins, who see all problems of a change at once (S3-RED-05, S3-TRUNC-03)', async () => {
    const root = client(`${freshName('root')}:admin`);
    const denied = await ada.ask('{ viewer { name } settings { callGraphRetentionDays } }');
    expect(denied.errors[0]?.extensions.code).toBe('FORBIDDEN');
    expect(denied.data).toEqual({ viewer: { name: expect.any(String) }, settings: null });
    const changes = await ada.query(
      'mutation { updateSettings(input: {segmentGapMinutes: 3}) { settings { runRetentionDays } userErrors { code } } }',
    );
    expect(changes).toEqual({
      updateSettings: { settings: null, userErrors: [{ code: 'FORBIDDEN' }] },
    });
    expect(
      await root.query(
        '{ settings { callGraphRetentionDays payloadTruncationThreshold redactedFields dedupSimilarityThreshold } }',
      ),
    ).toMatchObject({
      settings: { callGraphRetentionDays: 90, payloadTruncationThreshold: 10_240 },
    });
    const { updateSettings } = await root.query<{
      updateSettings: { settings: null; userErrors: { code: string; path: string[] }[] };
    }>(
      `mutation { updateSettings(input: {callGraphRetentionDays: 0, redactedPatterns: ["ok", "(?=no)"]}) {
         settings { callGraphRetentionDays } userErrors { code path } } }`,
    );
    expect(updateSettings).toEqual({
      settings: null,
      userErrors: [
        { code: 'INVALID', path: ['input', 'callGraphRetentionDays'] },
        { code: 'INVALID', path: ['input', 'redactedPatterns', '1'] },
      ],
    });
  });
});
