import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { countedBy } from '../testkit/counted.ts';
import { eventually } from '../testkit/outbox.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { type RunWorld, runWorld } from '../testkit/run-world.ts';

// Document 003 over the API: sentences of it as titles.
//
// Sentence of the document                   | shown by
// pending, running and aborted calls         | test/graph/call-graph.test.ts (S3-STATE-01)
// Deleting an operation, the sentinel        | test/graph/call-graph.test.ts (S3-OPS-01, S3-OPS-02)
// 11 named indexes and constraints           | test/graph/call-graph.test.ts (S3-INDEX-01, -02)
// Call graph data is retained for 90 days    | test/graph/call-graph-retention.test.ts (S3-RET-01)
// Payloads larger than 10KB are truncated    | test/pure/truncate.test.ts (S3-TRUNC-01, -02)
// FlowGraph.fromCallEvents(), addCall()      | test/pure/flow-graph.test.ts (S3-FLOW-01)

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
  // The Tool was called with all of it (S3-FLOW-04): it answered with its inputs.
  expect(await world.finishes(runId)).toEqual({ status: 'COMPLETED', output: SECRET });
});
afterAll(() => rest.close());

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
  'id requestId operationId parentRequestId status input output error identity ' +
  'callerAccountId metadata startedAt completedAt createdAt updatedAt';

/** The graph of the run, once the record has caught up with it. */
async function callGraphOf(id: string) {
  type Graph = {
    nodes: (Call & { id: string })[];
    edges: { source: string; target: string; edgeType: string }[];
  };
  let found: Graph = { nodes: [], edges: [] };
  await eventually('the call graph has the run to its end', async () => {
    const processRun = await ada.find<{ callGraph: Graph }>(
      'processRun',
      id,
      `callGraph { nodes { ${CALL} } edges { edgeId source target edgeType createdAt } }`,
    );
    found = processRun.callGraph;
    return found.nodes.some(
      ({ requestId, status, parentRequestId }) =>
        requestId === id && status === 'COMPLETED' && parentRequestId !== null,
    );
  });
  return found;
}

describe('the record of a run', () => {
  it('"Every operation invocation creates a node" (S3-NODE-02, S3-EDGE-03)', async () => {
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
    const callNode = await ada.one<Call & { triggered: Call[] }>(
      `query ($requestId: String!) { callNode(requestId: $requestId) { ${CALL} triggered {
        requestId dependsOn { requestId } requestedBy { requestId } } } }`,
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

  it('"Never store raw payloads and redact on read" (S3-RED-02, S3-RED-03)', async () => {
    const { nodes } = await callGraphOf(runId);
    expect(JSON.stringify(nodes)).not.toContain('cAnary');
    const first = nodes.find(({ requestId }) => requestId === `${runId}/first/1`);
    expect(first?.input).toEqual({ name: '[REDACTED]' });
  });

  it('is counted for its owner, and read in three statements at most', async () => {
    await callGraphOf(runId);
    const operationStats = await ada.one<
      { operationId: string; calls: number; errorRate: number; p50Ms: number }[]
    >('{ operationStats { operationId calls errorRate averageMs p50Ms p99Ms } }');
    expect(operationStats).toContainEqual(
      expect.objectContaining({ operationId: 'call_process', calls: 1, errorRate: 0 }),
    );
    const { names } = await countedBy(
      ada,
      `{ callGraph(requestId: "${runId}") { nodes { ${CALL} } edges { edgeId source target } } }`,
    );
    expect(names).toEqual(['findCallTree', 'findCallEdges', 'findCallPayloads']);
  });
});

describe('a mutation', () => {
  const listed = async (operationId: string, status: string) => {
    const callNodes = await ada.one<{ nodes: Call[]; totalCount: number }>(
      `query ($operationId: String!, $status: [CallStatus!]) {
        callNodes(operationId: $operationId, status: $status, first: 5) { totalCount nodes {
        ${CALL} } } }`,
      { operationId, status: [status] },
    );
    return callNodes;
  };

  it('that was refused is a call that failed, with its problems', async () => {
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
});
