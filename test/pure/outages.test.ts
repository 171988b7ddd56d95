import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import neo4j from 'neo4j-driver';
import { describe, expect, it } from 'vitest';
import type { HealthStatus } from '../../src/common/health.ts';
import { boundLog, type Server } from '../../src/host/child.ts';
import { answers, freePort, PortClaims } from '../../src/host/ports.ts';
import { supervise } from '../../src/host/supervise.ts';
import { answerGuarded, listen } from '../../src/main/http/watched.ts';
import { BlobStoreAway } from '../../src/platform/blobs/blob-outage.ts';
import { presentError } from '../../src/platform/http/present-error.ts';
import { isNeo4jAway } from '../../src/platform/neo4j/graph.ts';
import { openHealth, partsDown } from '../../src/platform/telemetry/health.ts';
import { type Log, openLog } from '../../src/platform/telemetry/log.ts';
import { logFile, prettyTo } from '../../src/platform/telemetry/log-destinations.ts';
import { openOutages } from '../../src/platform/telemetry/outages.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const away = new neo4j.Neo4jError('Could not connect', 'ServiceUnavailable', '', '');
const timedOut = new neo4j.Neo4jError(
  'not completed within the timeout',
  'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration',
  '',
  '',
);

describe('the log of an outage', () => {
  it('has one entry when it begins and one when it ends, and none per operation', async () => {
    let neo4jIs: HealthStatus = 'down';
    const lines: { level: number; msg: string }[] = [];
    const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
    const services = [{ name: 'Neo4j', part: 'neo4j', isAway: isNeo4jAway }] as const;
    const outages = openOutages(log, services, { lookEveryMs: 20, steadyMs: 500 });
    const parts = { temporal: 'healthy', eventBus: 'healthy', version: '1' } as const;
    outages.watch(async () => ({ status: neo4jIs, neo4j: neo4jIs, ...parts }));
    for (let operation = 0; operation < 50; operation++)
      outages.log.error('An operation failed', {
        error: new Error('outer', { cause: away }),
      });
    outages.log.error('An operation failed', { error: new TypeError('a defect') });
    neo4jIs = 'healthy';
    // A server that has just started answers a health check and still refuses an operation.
    await setTimeout(100);
    outages.log.error('An operation failed', { error: away });
    await expect.poll(() => lines.length).toBe(3);
    expect(lines.map(({ msg }) => msg.replace(/[\d.]+ s$/, 'N s'))).toEqual([
      'Neo4j does not answer; work that needs it waits',
      'An operation failed',
      'Neo4j answers again after N s',
    ]);
    outages.note('neo4j');
    expect(lines).toHaveLength(4);
    outages.close();
  });
});

describe('a process', () => {
  it('is not ready without Neo4j or Temporal, and is without the event bus', async () => {
    const fails = async () => {
      throw new Error('away');
    };
    const works = async () => {};
    const downOf = async (neo4jCheck: () => Promise<void>, temporal: () => Promise<void>) =>
      partsDown(
        await openHealth({ neo4j: neo4jCheck, temporal, eventBus: fails }, { version: '1' })(),
      );
    expect(await downOf(works, works)).toEqual([]);
    expect(await downOf(fails, works)).toEqual(['neo4j']);
    expect(await downOf(fails, fails)).toEqual(['neo4j', 'temporal']);
  });

  it('asks a service that hangs once at a time', async () => {
    let asked = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const hangs = () => {
      asked++;
      return promise;
    };
    const health = openHealth(
      { neo4j: hangs, temporal: async () => {}, eventBus: async () => {} },
      { version: '1', nowMs: () => asked * 1_000_000 },
    );
    const looks = [health(), health(), health()];
    resolve();
    await Promise.all(looks);
    expect(asked).toBe(1);
  });
});

describe('a request', () => {
  it('that fails by an outage before its GraphQL begins is UNAVAILABLE', async () => {
    const failures: unknown[] = [away, timedOut, new TypeError('a defect')];
    const levels: string[] = [];
    const log = {
      warn: () => void levels.push('warn'),
      error: () => void levels.push('error'),
    } as unknown as Log;
    const guard = { check: () => null } as never;
    const server = createServer((request, response) => {
      void answerGuarded({ guard, log, newId: () => 'r1' }, request, response, async () => {
        throw failures.shift();
      });
    });
    const url = await listen(server, '127.0.0.1', 0);
    const answers = [];
    while (failures.length > 0) {
      const response = await fetch(url);
      const { errors } = (await response.json()) as { errors: { extensions: object }[] };
      answers.push([response.status, errors[0]?.extensions]);
    }
    expect(answers).toMatchObject([
      [503, { code: 'UNAVAILABLE' }],
      [503, { code: 'UNAVAILABLE' }],
      [500, { code: 'INTERNAL' }],
    ]);
    // The log of `openOutages` leaves out the first. A transaction that took too long is no defect.
    expect(levels).toEqual(['error', 'warn', 'error']);
    server.close();
  });

  it('that meets an outage of the blob store is UNAVAILABLE, and not logged', () => {
    const defects: unknown[] = [];
    const parts = { requestId: 'r1', onDefect: (defect: unknown) => void defects.push(defect) };
    const { extensions } = presentError(new BlobStoreAway('Its disk is full.'), parts);
    expect(extensions['code']).toBe('UNAVAILABLE');
    expect(defects).toEqual([]);
    presentError(new TypeError('a defect'), parts);
    expect(defects).toHaveLength(1);
  });

  it('can be tried again when Neo4j ended its transaction for its length', () => {
    const parts = { requestId: 'r1', onDefect: () => {} };
    expect(presentError(timedOut, parts)).toMatchObject({
      message: 'The database did not finish this in time. Try again in a moment.',
      extensions: { code: 'UNAVAILABLE' },
    });
  });

  it('fails by an outage too when the database of Neo4j has stopped', () => {
    const errorOf = (code: string) => new neo4j.Neo4jError('needs to be restarted', code, '', '');
    for (const name of ['StartFailed', 'CommitFailed', 'LogError'])
      expect(isNeo4jAway(errorOf(`Neo.DatabaseError.Transaction.Transaction${name}`))).toBe(true);
    expect(isNeo4jAway(errorOf('Neo.ClientError.Statement.SyntaxError'))).toBe(false);
    const cutOff = new neo4j.Neo4jError('Connection was closed by server', 'ProtocolError', '', '');
    const wrongValue = new neo4j.Neo4jError(
      'It is not allowed to pass nodes',
      'ProtocolError',
      '',
      '',
    );
    expect([isNeo4jAway(cutOff), isNeo4jAway(wrongValue)]).toEqual([true, false]);
  });
});

describe('the log', () => {
  it('is a short line on a terminal, and in the file JSON from level info on', async () => {
    const folder = tempFolder('log');
    const path = join(folder, 'aiden.log');
    const shown: string[] = [];
    const terminal = prettyTo({ write: (text: string) => shown.push(text) });
    const log = openLog('warn', terminal, logFile(path));
    log.info('Only for the file');
    log.warn('A projection failed', { operation: 'metrics', error: new Error('one\ntwo') });
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(
      /^\S*\d\d:\d\d:\d\d warn .*A projection failed: one {2}operation=metrics\n$/,
    );
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'Only for the file',
      'A projection failed',
    ]);
    expect(JSON.parse(lines[1] ?? '').error.stack).toContain('outages.test.ts');
  });

  it('and the logs of servers begin anew at 10 MB and keep the text before', async () => {
    const folder = tempFolder('log');
    const old = 'x'.repeat(10 * 1024 ** 2);
    const own = join(folder, 'aiden.log');
    const servers = join(folder, 'neo4j.log');
    await writeFile(own, old);
    await writeFile(servers, old);
    logFile(own).write('next\n');
    await boundLog(servers);
    expect(await readFile(own, 'utf8')).toBe('next\n');
    expect(await readFile(servers, 'utf8')).toBe('');
    for (const file of [own, servers]) expect(await readFile(`${file}.1`, 'utf8')).toBe(old);
  });
});

describe('the ports of an instance', () => {
  it('are claimed, so that two starts at one moment take different ones', async () => {
    const wished = await freePort(0, new Set());
    const [one, other] = [new PortClaims(), new PortClaims()];
    const ports = await Promise.all([one.take(wished), other.take(wished)]);
    expect(new Set(ports).size).toBe(2);
    expect(ports).toContain(wished);
    // No server listens yet: the claim alone keeps the other away.
    expect(await answers(wished)).toBe(false);
    await Promise.all([one.release(), other.release()]);
    const later = new PortClaims();
    expect(await later.take(wished)).toBe(wished);
    await later.release();
  });

  it('are those of its last start, and not those of another instance', async () => {
    const [kept, wished] = [await freePort(0, new Set()), await freePort(0, new Set())];
    const claims = new PortClaims(new Set([wished]));
    expect(await claims.take(wished, kept)).toBe(kept);
    expect(await claims.take(wished)).not.toBe(wished);
    await claims.release();
  });
});

/** A server that ends when `crash` is called. */
function fakeServer(): Server & { crash(): void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return {
    pid: 0,
    ended: promise,
    crash: () => resolve('its last line'),
    stop: async () => resolve(''),
    endRemains: () => {},
  };
}

describe('a supervised server', () => {
  const setup = (crashesAtOnce: boolean) => {
    const said: string[] = [];
    const spawned = [fakeServer()];
    const first = spawned[0] as Server;
    const supervised = supervise(first, {
      name: 'Neo4j',
      log: '/tmp/absent.log',
      firstWaitMs: 1,
      say: (line) => void said.push(line),
      async spawn() {
        const next = fakeServer();
        spawned.push(next);
        if (crashesAtOnce) next.crash();
        return next;
      },
      untilReady: async () => {},
    });
    return { said, spawned, supervised };
  };

  it('is started again, and not after it was stopped', async () => {
    const { said, spawned, supervised } = setup(false);
    let ends = 0;
    supervised.onEnded(() => ends++);
    spawned[0]?.crash();
    await expect.poll(() => spawned.length).toBe(2);
    expect(said).toEqual(['Neo4j ended by itself; it is started again.']);
    await supervised.stop();
    expect([spawned.length, ends]).toEqual([2, 1]);
  });

  it('that refuses all work is killed and started again as soon as its disk has room', async () => {
    const said: string[] = [];
    let [isBroken, hasRoom] = [false, false];
    const spawned: (Server & { crash(): void })[] = [];
    const spawn = async () => {
      const server = fakeServer();
      const next = { ...server, endRemains: () => server.crash() };
      spawned.push(next);
      return next;
    };
    const supervised = supervise(await spawn(), {
      name: 'Neo4j',
      log: '/tmp/absent.log',
      lookEveryMs: 5,
      say: (line) => void said.push(line),
      spawn,
      untilReady: async () => {
        isBroken = false;
      },
      isBroken: async () => isBroken,
      hasRoom: async () => hasRoom,
    });
    await setTimeout(50);
    expect(said).toEqual([]);
    isBroken = true;
    await expect.poll(() => said.length).toBe(2);
    await setTimeout(50);
    expect(spawned).toHaveLength(1);
    hasRoom = true;
    await expect.poll(() => spawned.length).toBe(2);
    expect(said).toEqual([
      'Neo4j refuses all work until it is started again.',
      'The disk of Neo4j is full; it is started when there is room.',
      'Neo4j ended by itself; it is started again.',
    ]);
    await supervised.stop();
    expect(spawned).toHaveLength(2);
  });

  it('that ends again and again is given up with the end of its log', async () => {
    const { said, spawned, supervised } = setup(true);
    spawned[0]?.crash();
    const { message } = await supervised.failed;
    expect(message).toMatch(/^Neo4j ended 8 times and is not started again\. Its log is \/tmp/);
    expect(message).toContain('its last line');
    expect(spawned).toHaveLength(8);
    expect(said).toHaveLength(7);
    await supervised.stop();
  });
});
