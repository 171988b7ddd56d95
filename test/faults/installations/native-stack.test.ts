import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import neo4j from 'neo4j-driver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StackEnv } from '../../../src/host/ensure.ts';
import { isAlive } from '../../../src/host/lock.ts';
import { answers, PortClaims } from '../../../src/host/ports.ts';
import { startTemporal, temporalBinary } from '../../../src/host/temporal/native.ts';
import { hold } from '../../testkit/held-stack.ts';
import { isStackCached } from '../../testkit/started.ts';

const isBuilt = existsSync(temporalBinary());
const ANY_PORTS = { port: 0, uiPort: 0, httpPort: 0, metricsPort: 0 };

/** The driver of before was beyond help after 1 to 3 s of this. */
const IMPATIENT_MS = 6_000;

const portOf = (address: string) => Number(address.split(':').at(-1));

async function query(env: StackEnv, statement: string): Promise<unknown[]> {
  const driver = neo4j.driver(env.NEO4J_URI, neo4j.auth.basic(env.NEO4J_USER, env.NEO4J_PASSWORD));
  try {
    return (await driver.executeQuery(statement)).records.map((record) => record.get(0));
  } finally {
    await driver.close();
  }
}

async function gone(port: number): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    if (!(await answers(port))) return true;
    await sleep(150);
  }
  return false;
}

describe.skipIf(!isStackCached)('the native stack (needs java and a filled cache)', () => {
  let data = '';
  const held: ChildProcess[] = [];
  const start = () => {
    const holder = hold(data);
    held.push(holder.child);
    return holder;
  };
  // A second try finds nothing of the first.
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'aiden-held-'));
  });
  afterEach(async () => {
    for (const child of held.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
    await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  });

  it('is started once by two starts at once, dies with its starter, and keeps data and password', {
    // It starts a server twice, while all the others of the suite are at work.
    timeout: 600_000,
  }, async () => {
    const [first, second] = [start(), start()];
    const [one, other] = await Promise.all([first.ready, second.ready]);
    expect(other.env).toEqual(one.env);
    expect(one.way).toBe('native');
    const [starter, guest] = first.lines.some((line) => line.includes('already runs'))
      ? [second, first]
      : [first, second];
    expect(guest.lines.join('\n')).toContain('already runs');
    expect(starter.lines.join('\n')).not.toContain('already runs');

    // Stopping who only joined in leaves it running.
    guest.child.send('stop');
    await new Promise((resolve) => guest.child.once('exit', resolve));
    expect(await query(one.env, 'CREATE (n:Kept {at: 1}) RETURN n.at')).toHaveLength(1);

    expect((await stat(join(one.folder, 'neo4j-password'))).mode & 0o777).toBe(0o600);
    expect((await stat(one.folder)).mode & 0o077).toBe(0);
    const pid = Number(await readFile(join(one.folder, 'neo4j', 'server.pid'), 'utf8'));
    expect(isAlive(pid)).toBe(true);

    starter.child.kill('SIGKILL');
    expect(await gone(portOf(one.env.NEO4J_URI))).toBe(true);
    expect(await gone(portOf(one.env.TEMPORAL_ADDRESS))).toBe(true);

    const again = start();
    const { env } = await again.ready;
    expect(env.NEO4J_PASSWORD).toBe(one.env.NEO4J_PASSWORD);
    expect(await query(env, 'MATCH (n:Kept) RETURN n.at')).toHaveLength(1);
    // Cypher on it reads neither files nor the network.
    await expect(
      query(env, "LOAD CSV FROM 'file:///etc/hostname' AS row RETURN row"),
    ).rejects.toThrow(/allow_csv_import_from_file_urls. is false/);
    await expect(
      query(
        env,
        `LOAD CSV FROM 'http://127.0.0.1:${portOf(env.TEMPORAL_ADDRESS)}/' AS row RETURN row`,
      ),
    ).rejects.toThrow(/blocked|access to/i);
    again.child.send('stop');
    await new Promise((resolve) => again.child.once('exit', resolve));
    expect(await answers(portOf(env.NEO4J_URI))).toBe(false);
    expect(await answers(portOf(env.TEMPORAL_ADDRESS))).toBe(false);
  });
});

describe.skipIf(!isBuilt)('Temporal as we build it', () => {
  it('goes on when callers give up in the middle of a query (docs/decisions/0013)', {
    timeout: 240_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aiden-impatient-'));
    const { address, server } = await startTemporal(folder, ANY_PORTS, new PortClaims(), () => {});
    const connection = await Connection.connect({ address, connectTimeout: 60_000 });
    const ask = (ms: number) =>
      connection.withDeadline(Date.now() + ms, () =>
        connection.workflowService.describeNamespace({ namespace: 'default' }),
      );
    try {
      const endMs = performance.now() + IMPATIENT_MS;
      let givenUp = 0;
      const impatient = async () => {
        for (let calls = 0; performance.now() < endMs; calls++) {
          // From less than a query takes to more.
          await ask(2 + (calls % 8)).catch(() => givenUp++);
          await sleep(1);
        }
      };
      await Promise.all(Array.from({ length: 16 }, impatient));
      expect(givenUp).toBeGreaterThan(0);
      await expect
        .poll(async () => (await ask(20_000).catch(() => null))?.namespaceInfo?.name)
        .toBe('default');
    } finally {
      await connection.close();
      await server?.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    }
  });
});
