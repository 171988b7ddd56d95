import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/host/ports.ts';
import { client } from '../../test/testkit/client.ts';
import type { RestServer } from '../../test/testkit/rest-server.ts';
import { runWorld } from '../../test/testkit/run-world.ts';
import { openInstallation } from '../installation.ts';
import { pidOn } from '../processes.ts';
import { ended, serves } from './child.ts';
import { openPostgres } from './postgres.ts';

/** An engine that runs three REST steps one after the other. */
export interface Subject {
  /** Process ids; the processor time of each is counted with that of its children. */
  readonly pids: Readonly<Record<string, number>>;
  /** Opens a client: a function that starts the run `key` and settles when it has ended. */
  client(): Promise<(key: string) => Promise<void>>;
  close(): Promise<void>;
}
export type OpenSubject = (restOrigin: string) => Promise<Subject>;

async function posts(url: string, body: string | null = null): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
}

/** Repeats `work` while it fails, for the 20 s that a server may take to start. */
async function retried(work: () => Promise<void>): Promise<void> {
  for (let looks = 0; ; looks++) {
    try {
      await work();
      return;
    } catch (error) {
      if (looks > 100) throw error;
      await sleep(200);
    }
  }
}

async function aiden(restOrigin: string): Promise<Subject> {
  const installation = await openInstallation();
  const { product, Neo4j, Temporal } = await installation.pids();
  return {
    pids: { product, Neo4j, Temporal },
    async client() {
      const user = client(`peer-${randomUUID().slice(0, 8)}`, { url: installation.url });
      const rest = { origin: restOrigin } as RestServer;
      const world = await runWorld(user, rest, '/work');
      const steps = ['a', 'b', 'c'].map((stepId) => ({ stepId }));
      const processId = await world.createsProcess(steps);
      return async (key) => {
        const runId = await world.starts(processId, { context: { name: key } });
        const { status } = await world.finishes(runId);
        if (status !== 'COMPLETED') throw new Error(`A run ended as ${status}.`);
      };
    },
    close: () => installation.close(),
  };
}

const temporal =
  (workflow: string): OpenSubject =>
  async (restOrigin) => {
    const served = await serves('temporal.ts', { REST_ORIGIN: restOrigin, WORKFLOW: workflow });
    const port = Number(process.env['TEMPORAL_ADDRESS']?.split(':').at(-1));
    return {
      pids: { worker: served.pid, Temporal: await pidOn(port) },
      client: async () => (key) => posts(`http://127.0.0.1:${served.port}/${key}`),
      close: () => served.close(),
    };
  };

const onPostgres =
  (file: string, database: string): OpenSubject =>
  async (restOrigin) => {
    await using opening = new AsyncDisposableStack();
    const postgres = await openPostgres([database]);
    opening.defer(() => postgres.close());
    const served = await serves(file, { REST_ORIGIN: restOrigin, POSTGRES_URL: postgres.url });
    opening.defer(() => served.close());
    const opened = opening.move();
    return {
      pids: { app: served.pid, Postgres: postgres.pid },
      client: async () => (key) => posts(`http://127.0.0.1:${served.port}/${key}`),
      close: () => opened.disposeAsync(),
    };
  };

async function restate(restOrigin: string): Promise<Subject> {
  await using opening = new AsyncDisposableStack();
  const taken = new Set<number>();
  const service = await freePort(0, taken);
  const ingress = await freePort(0, taken);
  const admin = await freePort(0, taken);
  const node = await freePort(0, taken);
  const served = await serves('restate.ts', {
    REST_ORIGIN: restOrigin,
    SERVICE_PORT: String(service),
  });
  opening.defer(() => served.close());
  const folder = await mkdtemp(join(tmpdir(), 'aiden-peers-restate-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const { resolve } = createRequire(new URL('package.json', import.meta.url));
  const { platform, arch } = process;
  const program = resolve(`@restatedev/restate-server-${platform}-${arch}/bin/restate-server`);
  const server = spawn(program, ['--base-dir', folder, '--node-name', 'bench'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_DISABLE_TELEMETRY: 'true',
    },
  });
  opening.defer(async () => {
    server.kill('SIGTERM');
    await ended(server).catch(() => {});
  });
  const deployment = JSON.stringify({ uri: `http://127.0.0.1:${service}` });
  await retried(() => posts(`http://127.0.0.1:${admin}/deployments`, deployment));
  // The ingress learns of the service a moment later.
  const run = `http://127.0.0.1:${ingress}/threeSteps/run`;
  await retried(() => posts(run, '"first"'));
  const opened = opening.move();
  return {
    pids: { service: served.pid, server: server.pid ?? 0 },
    client: async () => (key) => posts(run, JSON.stringify(key)),
    close: () => opened.disposeAsync(),
  };
}

export const SUBJECTS = {
  Aiden: aiden,
  'Temporal by hand': temporal('byActivities'),
  'Temporal local activities': temporal('byLocalActivities'),
  LangGraph: onPostgres('langgraph.ts', 'langgraph'),
  Restate: restate,
  DBOS: onPostgres('dbos.ts', 'dbos'),
} as const satisfies Record<string, OpenSubject>;
