import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../../../src/host/lock.ts';
import { freePort } from '../../../src/host/ports.ts';
import { client, freshName, type TestClient } from '../../testkit/client.ts';
import { openRestServer, type RestServer } from '../../testkit/rest-server.ts';
import { runWorld } from '../../testkit/run-world.ts';
import { isStackCached, nativeEnv, type Started, start } from '../../testkit/started.ts';

const INSTANCE = 'supervised';
const RUNS = 6;
const SERVERS = ['neo4j', 'temporal'] as const;
type ServerName = (typeof SERVERS)[number];

/** Six runs of three steps that take 400 ms each; a kill meets them at different steps. */
async function startsRuns(ada: TestClient, rest: RestServer) {
  const world = await runWorld(ada, rest, '/slow?ms=400');
  const steps = ['one', 'two', 'three'].map((stepId, index, ids) => ({
    stepId,
    dependsOn: ids.slice(0, index).slice(-1),
  }));
  const processId = await world.createsProcess(steps);
  const runIds = await Promise.all(Array.from({ length: RUNS }, () => world.starts(processId)));
  return { world, runIds };
}

async function endsOf(ada: TestClient, runIds: readonly string[]) {
  const { nodes } = await ada.query<{
    nodes: { status: string; output: string; steps: { stepId: string; status: string }[] }[];
  }>(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ProcessRun { ' +
      'status output steps { stepId status } } } }',
    { ids: runIds },
  );
  return nodes;
}

describe.skipIf(!isStackCached)(
  'npm start with servers of its own (needs java and a filled cache)',
  () => {
    let data = '';
    let rest: RestServer;
    let started: Started;
    let url = '';
    const folder = () => join(data, 'aiden', INSTANCE);
    const pidOf = async (server: ServerName) =>
      Number(await readFile(join(folder(), server, 'server.pid'), 'utf8').catch(() => '0'));
    const portsOf = (server: ServerName) => readFile(join(folder(), server, 'server.port'), 'utf8');
    const logLines = async () =>
      (await readFile(join(folder(), 'aiden.log'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { level: number; msg: string });
    const readiness = async () => {
      const response = await fetch(`${url}/ready`);
      return { status: response.status, ...((await response.json()) as object) };
    };

    beforeAll(async () => {
      data = await mkdtemp(join(tmpdir(), 'aiden-supervised-'));
      rest = await openRestServer();
      const taken = new Set<number>();
      const port = await freePort(0, taken);
      url = `http://127.0.0.1:${port}`;
      const settings = { ...nativeEnv(data), AIDEN_PORT: String(port) };
      started = start(['--no-tour', '--instance', INSTANCE], settings);
      await started.until('Ctrl-C stops everything');
    });
    afterAll(async () => {
      if (started.child.exitCode === null) started.child.kill('SIGKILL');
      await rest.close();
      await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    });

    it('starts for the first time without a warning, and names its log', async () => {
      expect(started.output()).toContain(join(folder(), 'aiden.log'));
      expect(started.output()).not.toMatch(/"level":|WARN|warn /);
      expect((await logLines()).filter(({ level }) => level >= 40)).toEqual([]);
    });

    it.each(SERVERS)(
      'starts a killed %s again on its ports; runs end right, and the log has two lines',
      async (server) => {
        const ada = client(freshName(), { url });
        const before = { pid: await pidOf(server), ports: await portsOf(server) };
        const earlier = (await logLines()).length;
        const { world, runIds } = await startsRuns(ada, rest);
        process.kill(before.pid, 'SIGKILL');
        // Temporal may be back before a probe of it has failed; a JVM takes longer.
        if (server === 'neo4j')
          await expect
            .poll(readiness, { interval: 100 })
            .toMatchObject({ status: 503, ready: false, down: [server] });
        await expect.poll(() => pidOf(server)).not.toBeOneOf([0, before.pid]);
        await expect.poll(readiness).toMatchObject({ status: 200, ready: true });
        expect(await portsOf(server)).toBe(before.ports);

        await expect
          .poll(async () => (await endsOf(ada, runIds)).map(({ status }) => status))
          .toEqual(runIds.map(() => 'COMPLETED'));
        for (const { output, steps } of await endsOf(ada, runIds)) {
          expect(output).toBe('Grace');
          expect(steps.map(({ stepId, status }) => `${stepId} ${status}`).sort()).toEqual([
            'one COMPLETED',
            'three COMPLETED',
            'two COMPLETED',
          ]);
        }
        const next = await world.starts(await world.createsProcess([{ stepId: 'after' }]));
        expect(await world.finishes(next)).toEqual({ status: 'COMPLETED', output: 'Grace' });

        const name = server === 'neo4j' ? 'Neo4j' : 'Temporal';
        const said = async () =>
          (await logLines())
            .slice(earlier)
            .filter(({ level }) => level >= 40)
            .map(({ msg }) => msg.replace(/[\d.]+ s$/, 'N s'))
            // While a JVM starts, a busy machine may keep the other server from answering in time.
            // The SDK's own warnings begin with `Temporal:`.
            .filter((msg) => msg.startsWith(`${name} `));
        await expect
          .poll(said)
          .toEqual([
            `${name} does not answer; work that needs it waits`,
            `${name} answers again after N s`,
          ]);
      },
    );

    it('ends within 10 s of Ctrl-C, also while Neo4j hangs and a step is running', async () => {
      const ada = client(freshName(), { url });
      const world = await runWorld(ada, rest, '/never');
      await world.starts(await world.createsProcess([{ stepId: 'hangs' }]));
      await expect.poll(() => rest.requests.at(-1)?.path).toBe('/never');
      const pids = await Promise.all(SERVERS.map(pidOf));
      process.kill(pids[0] ?? 0, 'SIGSTOP');
      const startedMs = performance.now();
      started.child.kill('SIGINT');
      await started.exit;
      // 9.5 s by its own clocks; the rest is for a busy machine.
      expect(performance.now() - startedMs).toBeLessThan(15_000);
      // A killed process is there until its parent has read its end.
      await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    });
  },
);
