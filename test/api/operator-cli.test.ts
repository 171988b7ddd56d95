import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallFile } from '../../src/call-graph/call-file.ts';
import { aidenProcess } from '../testkit/aiden.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';

// Commands of the operator beside the API, on the database that the API serves.

const graph = testGraph();
let rest: RestServer;
let ada: TestClient;
let folder = '';
let runId = '';
beforeAll(async () => {
  rest = await openRestServer();
  folder = await mkdtemp(join(tmpdir(), 'aiden-operator-'));
  ada = client(freshName('ada'));
  const world = await runWorld(ada, rest);
  runId = await world.starts(await world.createsProcess([{ stepId: 'one' }, { stepId: 'two' }]));
  await world.finishes(runId);
});
afterAll(async () => {
  await rest.close();
  await graph.close();
  await rm(folder, { recursive: true, force: true });
});

describe('calls export and import', () => {
  const GRAPH = `query ($id: ID!) { processRun(id: $id) { callGraph {
    nodes { id requestId parentRequestId status input output } edges { id: edgeId source target
    edgeType } } } }`;
  interface Calls {
    nodes: { id: string; requestId: string; parentRequestId: string | null; status: string }[];
    edges: { id: string }[];
  }
  const callsOf = async () => {
    const processRun = await ada.one<{ callGraph: Calls }>(GRAPH, {
      id: runId,
    });
    const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1);
    const { nodes, edges } = processRun.callGraph;
    return { nodes: nodes.toSorted(byId), edges: edges.toSorted(byId) };
  };

  it('write all calls to a private file, and bring back lost ones (S3-FLOW-01)', async () => {
    let before: Calls = { nodes: [], edges: [] };
    await eventually('the record has the run to its end', async () => {
      before = await callsOf();
      const root = before.nodes.find(({ requestId }) => requestId === runId);
      return root?.status === 'COMPLETED' && root.parentRequestId !== null;
    });
    const file = join(folder, 'calls.json');
    expect(await aidenProcess('ada', ['calls', 'export', file])).toMatchObject({
      code: 0,
      stdout: `The call graph is in ${file}.\n`,
    });
    expect((await stat(file)).mode & 0o077).toBe(0);
    // Other tests add calls all the time; only those of the run are imported again.
    const document = JSON.parse(await readFile(file, 'utf8')) as CallFile;
    const root = before.nodes.find(({ requestId }) => requestId === runId);
    const own = new Set([...before.nodes.map(({ requestId }) => requestId), root?.parentRequestId]);
    const nodes = document.nodes.filter(({ requestId }) => own.has(requestId));
    expect(nodes).toHaveLength(before.nodes.length + 1);
    const edges = document.edges.filter(({ source, target }) => own.has(source) && own.has(target));
    await writeFile(file, JSON.stringify({ ...document, nodes, edges }));
    await graph.write((tx) =>
      tx.run('// test\n MATCH (n:CallGraphNode) WHERE n.requestId IN $ids DETACH DELETE n', {
        ids: nodes.map(({ requestId }) => requestId),
      }),
    );
    expect((await callsOf()).nodes).toEqual([]);

    for (const _ of ['once', 'again']) {
      expect(await aidenProcess('ada', ['calls', 'import', file])).toMatchObject({
        code: 0,
        stdout: `${nodes.length} calls are stored now.\n`,
      });
      expect(await callsOf()).toEqual(before);
    }
  });

  it('name the fault of a file, and exit with 1', async () => {
    const file = join(folder, 'wrong.json');
    await writeFile(
      file,
      '{"format":"aiden-calls","version":2,"operations":[],"nodes":[],"edges":[]}',
    );
    const wrong = await aidenProcess('ada', ['calls', 'import', file]);
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('INVALID version');
    const missing = await aidenProcess('ada', ['calls', 'import', join(folder, 'not-there.json')]);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('not-there.json');
    const noFolder = await aidenProcess('ada', [
      'calls',
      'export',
      join(folder, 'no', 'calls.json'),
    ]);
    expect(noFolder).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('layers rebuild', () => {
  const layersOf = () =>
    graph.read((tx) =>
      tx.run(
        `// testLayers
        MATCH (n:LayerNode {session_id: $runId})
        RETURN n.node_id AS id, labels(n) AS labels, COUNT { (n)--() } AS edges ORDER BY id`,
        { runId },
      ),
    );

  it('drops the layers of all sessions and derives them anew (S0-LAYER-01)', async () => {
    await eventually('the layers have the run to its end', async () => {
      const session = await ada.one<{ status: string; runs: { status: string }[] } | null>(
        'query ($id: ID!) { session(nodeId: $id) { status runs } }',
        { id: runId },
      );
      return session?.status === 'completed' && session.runs[0]?.status === 'completed';
    });
    const before = await layersOf();
    expect(before.length).toBeGreaterThan(3);
    // One that belongs to nothing, and one that is lost.
    const stray = freshName('stray');
    await graph.write((tx) =>
      tx.run(
        `// test
        CREATE (:LayerNode {node_id: $stray, layer_workspace: $stray, session_id: $stray})
        WITH 1 AS one MATCH (n:LayerNode {node_id: $id}) DETACH DELETE n`,
        { stray, id: before[0]?.['id'] },
      ),
    );
    expect(await layersOf()).not.toEqual(before);
    const { code, stdout } = await aidenProcess('ada', ['layers', 'rebuild']);
    expect(code).toBe(0);
    expect(
      Number(/^The semantic layers of (\d+) sessions were built anew\.\n$/.exec(stdout)?.[1]),
    ).toBeGreaterThan(0);
    expect(await layersOf()).toEqual(before);
    const strays = await graph.read((tx) =>
      tx.run('// test\n MATCH (n:LayerNode {node_id: $stray}) RETURN n.node_id AS id', { stray }),
    );
    expect(strays).toEqual([]);
  });
});
