import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import type { DriverCall } from '../../src/platform/drivers/driver.ts';
import { graphDriver } from '../../src/platform/drivers/graph-query.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import { driverCall, driverTarget } from '../testkit/driver-calls.ts';
import { runCypher, testGraph } from '../testkit/graph.ts';

const uri = process.env['NEO4J_URI'] ?? '';
const password = process.env['NEO4J_PASSWORD'] ?? '';
const username = process.env['NEO4J_USER'] ?? 'neo4j';
const platformGraph = testGraph();
// The same server stands for a user's own database; an egress that names it as the platform's comes
// below.
const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
const driver = graphDriver({ egress, platformGraph });
const label = `DriverTest${Date.now()}`;

const target = {
  connectionParams: { endpoint: uri, username, database: 'neo4j' } as JsonObject,
  secret: { value: password, scope: null },
};
type Given = Partial<DriverCall<{ type: 'graph_query'; query: string; access: 'read' | 'write' }>>;
const call = (
  query: string,
  inputs: JsonObject = {},
  access: 'read' | 'write' = 'read',
  given: Given = {},
) => driverCall({ type: 'graph_query', query, access }, target, { inputs, ...given });
const rowsOf = async (query: string, inputs?: JsonObject, access?: 'read' | 'write') =>
  (await driver.invoke(call(query, inputs, access))).output;

/** Statements on the server whose text holds `mark`, the asking one left out. */
const running = async (mark: string) => {
  const rows = await runCypher(
    platformGraph,
    'SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery',
  );
  return rows.filter((row) => String(row['currentQuery']).includes(mark)).length;
};

beforeAll(() =>
  rowsOf(`UNWIND range(1, 20) AS n CREATE (p:${label} {n: n, name: 'p' + n})`, {}, 'write'),
);
afterAll(async () => {
  await rowsOf(`MATCH (p:${label}) DETACH DELETE p`, {}, 'write');
  await driver.close();
  await egress.close();
  await platformGraph.close();
});

describe('graph_query (S4-TOOL-05)', () => {
  it('gives rows as JSON, whole numbers being integers both ways', async () => {
    const query = `MATCH (p:${label}) WHERE p.n > $above RETURN p.name AS name, p.n AS n ORDER BY n
      LIMIT $most`;
    const expected = [
      { name: 'p4', n: 4 },
      { name: 'p5', n: 5 },
    ];
    expect(await rowsOf(query, { above: 3, most: 2 })).toEqual(expected);
  });

  it('turns every kind of Neo4j value into JSON', async () => {
    const query = `MATCH path = (p:${label} {n: 1}) RETURN p AS node, nodes(path) AS list, path
      AS path, null AS nothing,
      9007199254740993 AS large, 1.5 AS half, datetime('2026-01-02T03:04:05Z') AS at,
      date('2026-01-02') AS day,
      duration('P1DT2H') AS span, point({x: 1, y: 2}) AS place, {deep: [1, {a: true}]} AS map`;
    expect(await rowsOf(query)).toEqual([
      {
        node: { n: 1, name: 'p1' },
        list: [{ n: 1, name: 'p1' }],
        path: { nodes: [{ n: 1, name: 'p1' }], relationships: [] },
        nothing: null,
        large: '9007199254740993',
        half: 1.5,
        at: '2026-01-02T03:04:05.000Z',
        day: '2026-01-02',
        span: 'P1DT2H',
        place: { srid: 7203, x: 1, y: 2 },
        map: { deep: [1, { a: true }] },
      },
    ]);
  });

  it('values are parameters only: Cypher in an input stays text', async () => {
    const name = `x'}) MATCH (n) DETACH DELETE n //`;
    await rowsOf(`CREATE (:${label} {name: $name})`, { name }, 'write');
    expect(
      await rowsOf(`MATCH (p:${label} {name: $name}) RETURN count(p) AS found`, { name }),
    ).toEqual([{ found: 1 }]);
  });

  it('the server enforces the access mode', async () => {
    await expect(rowsOf(`CREATE (:${label} {name: 'sneaky'})`)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: false,
      details: { code: 'Neo.ClientError.Statement.AccessMode' },
    });
    expect(await rowsOf(`MATCH (p:${label} {name: 'sneaky'}) RETURN p`)).toEqual([]);
  });

  it('names the fault of a statement, and that another attempt will not help', async () => {
    await expect(rowsOf('RETRUN 1')).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: false,
    });
    await expect(rowsOf('RETURN $absent')).rejects.toThrow(/absent/);
  });

  it('stops at 10,000 rows and at 8 MiB, and rolls back the write', async () => {
    const tooLarge = { code: 'PAYLOAD_TOO_LARGE', retryable: false };
    await expect(rowsOf('UNWIND range(1, 20000) AS n RETURN n')).rejects.toMatchObject(tooLarge);
    await expect(
      rowsOf(
        `UNWIND range(1, 9000) AS n RETURN reduce(t = '', i IN range(1, 200) | t + 'ten bytes!')
          AS text`,
      ),
    ).rejects.toMatchObject(tooLarge);
    await expect(
      rowsOf(`UNWIND range(1, 20000) AS n CREATE (p:${label} {flood: n}) RETURN n`, {}, 'write'),
    ).rejects.toMatchObject(tooLarge);
    expect(await rowsOf(`MATCH (p:${label}) WHERE p.flood > 0 RETURN count(p) AS left`)).toEqual([
      { left: 0 },
    ]);
  });

  it('an abort answers at once and ends the query on the server within 2 s', async () => {
    const abort = new AbortController();
    const mark = `running${Date.now()}`;
    const query = `UNWIND range(1, 100000000) AS a UNWIND range(1, 100000000) AS b WITH a + b AS c
      WHERE c < 0 RETURN c AS ${mark}`;
    const invoked = driver.invoke(call(query, {}, 'read', { signal: abort.signal }));
    invoked.catch(() => {});
    await expect.poll(() => running(mark)).toBe(1);
    const startedMs = performance.now();
    abort.abort();
    await expect(invoked).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    await expect.poll(() => running(mark)).toBe(0);
  });

  it("the step's own limit ends the query on the server", async () => {
    const query = `UNWIND range(1, 100000000) AS a UNWIND range(1, 100000000) AS b WITH a + b AS c
      WHERE c < 0
        RETURN c`;
    await expect(driver.invoke(call(query, {}, 'read', { timeoutMs: 300 }))).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: true,
    });
  });

  it('a system Tool gets $ownerId and $workspace of the caller, whatever its inputs', async () => {
    const system = driverCall(
      {
        type: 'graph_query',
        query: 'RETURN $ownerId AS ownerId, $workspace AS workspace, $n AS n',
        access: 'read',
      },
      { connectionParams: {}, system: true },
      { inputs: { n: 1, ownerId: 'somebody else' }, ownerId: 'ada', workspace: 'lab' },
    );
    expect((await driver.invoke(system)).output).toEqual([
      { ownerId: 'ada', workspace: 'lab', n: 1 },
    ]);
  });

  it('a user’s Tool never reaches the database of the platform', async () => {
    const port = new URL(uri.replace('bolt', 'http')).port;
    const guarded = openEgress({
      mode: 'dev',
      allow: ['0.0.0.0/0'],
      platformPorts: [`127.0.0.1:${port}`],
      systemOrigins: [],
    });
    const user = graphDriver({ egress: guarded, platformGraph });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '0.0.0.0']) {
      const sneaky = {
        ...target,
        connectionParams: { ...target.connectionParams, endpoint: `bolt://${host}:${port}` },
      };
      const operation = {
        type: 'graph_query' as const,
        query: 'RETURN 1',
        access: 'read' as const,
      };
      await expect(user.invoke(driverCall(operation, sneaky)), host).rejects.toMatchObject({
        code: 'EGRESS_DENIED',
      });
    }
    await user.close();
    await guarded.close();
  });

  it('a wrong password is final, a dead endpoint retryable, both without the secret', async () => {
    const wrong = { ...target, secret: { value: 'CANARY-wrong-password', scope: 'password' } };
    const operation = { type: 'graph_query' as const, query: 'RETURN 1', access: 'read' as const };
    const failure = await driver
      .invoke(driverCall(operation, wrong))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'TOOL_FAILED', retryable: false });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('CANARY');
    const dead = { connectionParams: { endpoint: 'bolt://127.0.0.1:1' } };
    await expect(driver.invoke(driverCall(operation, dead))).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: true,
    });
  });

  it('a value of the Secret in a row is redacted', async () => {
    expect(await rowsOf('RETURN $word AS word', { word: `so ${password} it is` })).toEqual([
      { word: 'so [REDACTED] it is' },
    ]);
  });

  it('probes by shaking hands, and gives up after 10 s', async () => {
    const signal = new AbortController().signal;
    const expected = { status: 'healthy', errorMessage: null };
    expect(await driver.probe(driverTarget('graph_query', target), signal)).toEqual(expected);
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const startedMs = performance.now();
    const probe = await driver.probe(
      driverTarget('graph_query', { connectionParams: { endpoint: `bolt://127.0.0.1:${port}` } }),
      signal,
    );
    expect(probe).toMatchObject({ status: 'down', errorMessage: expect.stringMatching(/10 s/) });
    expect(performance.now() - startedMs).toBeLessThan(60_000);
    silent.close();
  });
});
