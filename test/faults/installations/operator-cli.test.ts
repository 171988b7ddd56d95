import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallFile } from '../../../src/call-graph/call-file.ts';
import { answers, freePort } from '../../../src/host/ports.ts';
import { type Graph, openGraph } from '../../../src/platform/neo4j/graph.ts';
import { aidenProcess } from '../../testkit/aiden.ts';
import { client, freshName, type TestClient } from '../../testkit/client.ts';
import { eventually } from '../../testkit/outbox.ts';
import { openRestServer, type RestServer } from '../../testkit/rest-server.ts';
import { runWorld } from '../../testkit/run-world.ts';
import { isStackCached, nativeEnv, type Started, start } from '../../testkit/started.ts';

// Commands of the operator beside the API, on the database that the API serves.

describe.skipIf(!isStackCached)('an installation (needs java and a filled cache)', () => {
  let graph: Graph;
  let rest: RestServer;
  let ada: TestClient;
  let folder = '';
  let started: Started;
  let runId = '';
  beforeAll(async () => {
    rest = await openRestServer();
    folder = await mkdtemp(join(tmpdir(), 'aiden-operator-'));
    const port = await freePort(0, new Set());
    started = start(['--no-tour'], { ...nativeEnv(folder), AIDEN_PORT: String(port) });
    await started.until('Ctrl-C stops everything');
    graph = await openInstalled(join(folder, 'aiden', 'default'));
    ada = client(freshName('ada'), { url: `http://127.0.0.1:${port}` });
    const world = await runWorld(ada, rest);
    runId = await world.starts(await world.createsProcess([{ stepId: 'one' }, { stepId: 'two' }]));
    await world.finishes(runId);
  });
  afterAll(async () => {
    await rest.close();
    await graph.close();
    started.child.kill('SIGINT');
    await started.exit;
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  });

  const operator = (args: readonly string[]) =>
    aidenProcess('ada', args, { env: nativeEnv(folder) });

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
      expect(await operator(['calls', 'export', file])).toMatchObject({
        code: 0,
        stdout: `The call graph is in ${file}.\n`,
      });
      expect((await stat(file)).mode & 0o077).toBe(0);
      // Only the calls of the run are imported again.
      const document = JSON.parse(await readFile(file, 'utf8')) as CallFile;
      const root = before.nodes.find(({ requestId }) => requestId === runId);
      const own = new Set([
        ...before.nodes.map(({ requestId }) => requestId),
        root?.parentRequestId,
      ]);
      const nodes = document.nodes.filter(({ requestId }) => own.has(requestId));
      expect(nodes).toHaveLength(before.nodes.length + 1);
      const edges = document.edges.filter(
        ({ source, target }) => own.has(source) && own.has(target),
      );
      await writeFile(file, JSON.stringify({ ...document, nodes, edges }));
      await graph.write((tx) =>
        tx.run('// test\n MATCH (n:CallGraphNode) WHERE n.requestId IN $ids DETACH DELETE n', {
          ids: nodes.map(({ requestId }) => requestId),
        }),
      );
      expect((await callsOf()).nodes).toEqual([]);

      for (const _ of ['once', 'again']) {
        expect(await operator(['calls', 'import', file])).toMatchObject({
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
      const wrong = await operator(['calls', 'import', file]);
      expect(wrong).toMatchObject({ code: 1, stdout: '' });
      expect(wrong.stderr).toContain('INVALID version');
      const missing = await operator(['calls', 'import', join(folder, 'not-there.json')]);
      expect(missing).toMatchObject({ code: 1, stdout: '' });
      expect(missing.stderr).toContain('not-there.json');
      const noFolder = await operator(['calls', 'export', join(folder, 'no', 'calls.json')]);
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
      const { code, stdout } = await operator(['layers', 'rebuild']);
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

  it('is checked before an upgrade, while it serves', async () => {
    const accepted = await operator(['check-upgrade', '--json']);
    expect({ code: accepted.code, ...JSON.parse(accepted.stdout) }).toMatchObject({
      code: 0,
      migrations: [],
      invalid: [],
    });
    const { process } = await ada.one<{ process: { id: string } }>(
      'query ($id: ID!) { processRun(id: $id) { process { id } } }',
      { id: runId },
    );
    const renamed = `// test
      MATCH (n:Process {id: $id}) SET n.outputTemplate = $template`;
    const set = (template: string) =>
      graph.write((tx) => tx.run(renamed, { id: process.id, template }));
    await set('{{nothing}}');
    const refused = await operator(['check-upgrade']);
    await set('');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain(`(${process.id}) of ada`);
    expect(refused.stdout).toContain('UNKNOWN_VARIABLE outputTemplate');
    expect(refused.stdout).toContain('would refuse 1 of');
  });

  it('has Workers that serve no API, but health and metrics (S4-WRK, S4-MET)', async () => {
    const port = await freePort(0, new Set());
    const workers = start(['--role', 'worker', '--worker-port', String(port)], {
      ...nativeEnv(folder),
      AIDEN_QUEUE_PREFIX: `workers-${port}-`,
    });
    const url = `http://127.0.0.1:${port}`;
    await workers.until(`${url}/health`);
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'healthy' });
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    await eventually('its heartbeats are in its metrics', async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      return /^aiden_neo4j_statement_seconds_count\{[^}]*\} [1-9]/m.test(metrics);
    });
    const other = await fetch(`${url}/graphql`);
    expect([other.status, await other.text()]).toEqual([404, expect.stringContaining('only runs')]);
    const evil = { headers: { origin: 'http://evil.example' } };
    expect((await fetch(`${url}/metrics`, evil)).status).toBe(403);
    workers.child.kill('SIGTERM');
    expect(await workers.exit).toBe(0);
    expect(await answers(port)).toBe(false);
  });
});

/** The database of an installation on this machine. */
async function openInstalled(data: string): Promise<Graph> {
  const port = await readFile(join(data, 'neo4j', 'server.port'), 'utf8');
  const password = await readFile(join(data, 'neo4j-password'), 'utf8');
  const uri = `bolt://127.0.0.1:${port.trim()}`;
  return openGraph({ uri, user: 'neo4j', password: password.trim() });
}
