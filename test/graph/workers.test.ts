import { afterAll, describe, expect, it } from 'vitest';
import type { WriteTx } from '../../src/platform/neo4j/graph.ts';
import { createSlots } from '../../src/workers/slots.ts';
import {
  beatWorkers,
  findWorkers,
  forgetWorkers,
  reapWorkers,
  registerWorkers,
} from '../../src/workers/worker.cypher.ts';
import type { Worker } from '../../src/workers/worker.ts';
import { openWorkerPools } from '../../src/workers/worker-pools.service.ts';
import { readWith, testGraph, writeCypher, writeWith } from '../testkit/graph.ts';
import { clock, eventually, newId, quiet } from '../testkit/outbox.ts';

const graph = testGraph();
afterAll(() => graph.close());
const deps = { graph, clock, newId, log: quiet, wake: () => {} };
const now = () => new Date().toISOString();
const find = async (ids: readonly string[]): Promise<Worker[]> => readWith(graph, findWorkers, ids);
const idsOf = (pools: { slots: unknown }) =>
  (pools.slots as ReturnType<typeof createSlots>).list().map(({ workerId }) => workerId);

const registers = (instance: string, taskQueue: string, count = 1) =>
  writeWith(graph, registerWorkers, {
    ...{ type: 'rest_call' as const, taskQueue, instance, now: now() },
    newIds: Array.from({ length: count }, () => newId()),
  });
/** Worker pools of one type. */
const opens = (count: number, more: object = {}) =>
  openWorkerPools(deps, { sizes: { rest_call: count }, queuePrefix: `${newId()}-`, ...more });

/** Marks a Worker as the activity of a step would. */
const markIn = (tx: WriteTx, id: string, status: string, jobId: string | null) =>
  tx.run(
    `MATCH (w:Worker {id: $id})
     SET w.status = $status, w.currentJobId = $jobId, w.updatedAt = datetime($now)`,
    { id, status, jobId, now: now() },
  );
const mark = (id: string, status: string, jobId: string | null) =>
  writeWith(graph, markIn, id, status, jobId);
const setHeartbeatIn = (tx: WriteTx, id: string, secondsAgo: number) =>
  tx.run('// test\n MATCH (w:Worker {id: $id}) SET w.lastHeartbeat = datetime($at)', {
    id,
    at: new Date(Date.now() - secondsAgo * 1_000).toISOString(),
  });

describe('Workers (S4-WRK)', () => {
  // S4-WRK-02, S4-WRK-04
  it("there are as many per type as the setting says, each on its type's queue", async () => {
    const queuePrefix = `${newId()}-`;
    const input = { sizes: { rest_call: 3, llm_call: 2, mcp_call: 0 }, queuePrefix };
    const pools = await openWorkerPools(deps, input);
    const workers = await find(idsOf(pools));
    const queues = workers.map(({ type, taskQueue }) => [type, taskQueue]);
    expect(queues.filter(([type]) => type === 'rest_call')).toHaveLength(3);
    expect(queues.filter(([type]) => type === 'llm_call')).toHaveLength(2);
    for (const [type, queue] of queues) expect(queue).toBe(`${queuePrefix}${type}`);
    for (const worker of workers) {
      const expected = { status: 'idle', currentJobId: null, processedCount: 0, errorCount: 0 };
      expect(worker).toMatchObject(expected);
    }
    expect(new Set(workers.map(({ build }) => build))).toEqual(new Set([null]));
    await pools.close();
    for (const worker of await find(workers.map(({ id }) => id)))
      expect(worker.status).toBe('offline');
    const named = await openWorkerPools(deps, { ...input, build: '7' });
    expect((await find(idsOf(named))).map(({ build }) => build)).toEqual(Array(5).fill('7'));
    await named.close();
  });

  it('keep their heartbeat in one statement for all of a process (S4-WRK-01)', async () => {
    const sizes = { rest_call: 4, graph_query: 4 };
    const { statements } = await graph.counting(async () => {
      const pools = await opens(0, { sizes, heartbeatMs: 20 });
      const before = (await find(idsOf(pools))).map(({ lastHeartbeat }) => lastHeartbeat);
      await eventually('all have a new heartbeat', async () =>
        (await find(idsOf(pools))).every(({ lastHeartbeat }) => !before.includes(lastHeartbeat)),
      );
      await pools.close();
    });
    const own = statements.map(({ name }) => name).filter((name) => name !== 'findWorkers');
    expect(new Set(own)).toEqual(
      new Set(['registerWorkers', 'appendEntries', 'beatWorkers', 'retireWorkers']),
    );
    expect(own.filter((name) => name === 'registerWorkers')).toHaveLength(2);
    expect(own.filter((name) => name === 'retireWorkers')).toHaveLength(1);
  });

  // S4-WRK-03
  it('go offline after 20 s of silence, and come back with the next heartbeat', async () => {
    const pools = await opens(2, { heartbeatMs: 2_000 });
    const [silent = '', alive = ''] = idsOf(pools);
    // Heartbeats wait for the end of this transaction.
    const { reaped, workers } = await graph.write(async (tx) => {
      await markIn(tx, silent, 'busy', 'run/step');
      await setHeartbeatIn(tx, silent, 21);
      await setHeartbeatIn(tx, alive, 15);
      return {
        reaped: await reapWorkers(tx, now()),
        workers: await findWorkers(tx, [silent, alive]),
      };
    });
    expect(reaped).toContain(silent);
    const seen = new Map(workers.map((worker) => [worker.id, worker]));
    expect(seen.get(silent)).toMatchObject({ status: 'offline', currentJobId: null });
    expect(seen.get(alive)).toMatchObject({ status: 'idle' });
    await eventually('it is back', async () => (await find([silent]))[0]?.status === 'idle');
    await pools.close();
  });

  it('are silent by the clock of Neo4j, however wrong that of their process is', async () => {
    const pools = await Promise.all(
      [-3_600_000, 3_600_000].map((offMs) => {
        const off = { nowMs: () => Date.now() + offMs };
        const settings = { sizes: { rest_call: 1 }, queuePrefix: `${newId()}-` };
        return openWorkerPools({ ...deps, clock: off }, settings);
      }),
    );
    const ids = pools.flatMap(idsOf);
    expect(await writeWith(graph, reapWorkers, now())).not.toContainEqual(expect.toBeOneOf(ids));
    // Neo4j's clock was set back an hour, and the process is lost.
    const [lost = ''] = ids;
    const reaped = await graph.write(async (tx) => {
      await setHeartbeatIn(tx, lost, -3_600);
      return reapWorkers(tx, now());
    });
    expect(reaped).toContain(lost);
    await Promise.all(pools.map((pool) => pool.close()));
  });

  it('that kept a job of a lost step are put right by the heartbeat', async () => {
    const pools = await opens(2, { heartbeatMs: 60 });
    const slot = await pools.slots.acquire('rest_call');
    const [lost = ''] = idsOf(pools).filter((id) => id !== slot.workerId);
    await mark(slot.workerId, 'busy', 'run/works');
    await mark(lost, 'busy', 'run/lost');
    const isIdle = async () => (await find([lost]))[0]?.status === 'idle';
    await eventually('the lost one is idle', isIdle);
    expect((await find([lost]))[0]?.currentJobId).toBeNull();
    const expected = { status: 'busy', currentJobId: 'run/works' };
    expect((await find([slot.workerId]))[0]).toMatchObject(expected);
    await pools.close();
  });

  it('of a process that ended are taken over by the next one, counts and all', async () => {
    const settings = { sizes: { llm_call: 2 }, queuePrefix: `${newId()}-` };
    const first = await openWorkerPools(deps, settings);
    const ids = idsOf(first);
    const counted = 'MATCH (w:Worker) WHERE w.id IN $ids SET w.processedCount = 7';
    await writeCypher(graph, counted, { ids });
    await first.close();
    const second = await openWorkerPools(deps, { ...settings, sizes: { llm_call: 3 } });
    const workers = await find(idsOf(second));
    expect(workers).toHaveLength(3);
    expect(workers.map(({ processedCount }) => processedCount).sort()).toEqual([0, 7, 7]);
    await second.close();
  });

  it('are never adopted twice by processes that start at once', async () => {
    const queue = `${newId()}-rest_call`;
    const old = await registers('old', queue, 4);
    const leave = "MATCH (w:Worker) WHERE w.id IN $old SET w.status = 'offline'";
    await writeCypher(graph, leave, { old });
    const groups = await Promise.all([1, 2, 3, 4, 5].map((n) => registers(`new ${n}`, queue, 3)));
    const ids = groups.flat();
    expect(ids).toHaveLength(15);
    expect(new Set(ids).size).toBe(15);
    expect(old.every((id) => ids.includes(id))).toBe(true);
  });

  it('that were lost to another process are replaced; their heartbeat is void', async () => {
    const pools = await opens(2, { heartbeatMs: 60 });
    const [stolen = '', kept = ''] = idsOf(pools);
    const steal = "MATCH (w:Worker {id: $stolen}) SET w.instance = 'another'";
    await writeCypher(graph, steal, { stolen });
    await eventually('another one stands in', () => !idsOf(pools).includes(stolen));
    expect(idsOf(pools)).toHaveLength(2);
    expect(idsOf(pools)).toContain(kept);
    const beats = [{ workerId: stolen, isBusy: false }];
    const beat = { instance: 'mine', beats, lastBeatAt: now(), now: now() };
    expect(await writeWith(graph, beatWorkers, beat)).toEqual(new Set());
    await pools.close();
  });

  it('silent for a day are decommissioned (S4-WRK-04)', async () => {
    const [id = ''] = await registers('gone', `${newId()}-rest_call`);
    await writeWith(graph, setHeartbeatIn, id, 25 * 3_600);
    await writeWith(graph, reapWorkers, now());
    await writeWith(graph, forgetWorkers);
    expect(await find([id])).toEqual([]);
  });
});

describe('the slots of a process', () => {
  it('give each step a Worker of its own, and take it back once', async () => {
    const slots = createSlots();
    slots.place('rest_call', ['a', 'b']);
    const [first, second] = [await slots.acquire('rest_call'), await slots.acquire('rest_call')];
    expect(new Set([first.workerId, second.workerId])).toEqual(new Set(['a', 'b']));
    await expect(slots.acquire('rest_call')).rejects.toThrow('No free worker');
    await expect(slots.acquire('llm_call')).rejects.toThrow('No free worker');
    first.release();
    first.release();
    expect((await slots.acquire('rest_call')).workerId).toBe(first.workerId);
    await expect(slots.acquire('rest_call')).rejects.toThrow('No free worker');
    // One that was replaced while busy does not come back.
    slots.place('rest_call', ['c']);
    second.release();
    expect((await slots.acquire('rest_call')).workerId).toBe('c');
    await expect(slots.acquire('rest_call')).rejects.toThrow('No free worker');
  });

  it('are left to steps of the queue: half at most goes to others', async () => {
    const slots = createSlots();
    expect(slots.spare('rest_call')).toBeNull();
    slots.place('rest_call', ['a', 'b', 'c', 'd']);
    const spares = [1, 2, 3].map(() => slots.spare('rest_call'));
    expect(spares.map((slot) => slot?.workerId)).toEqual(['a', 'b', undefined]);
    const own = [await slots.acquire('rest_call'), await slots.acquire('rest_call')];
    expect(own.map(({ workerId }) => workerId)).toEqual(['c', 'd']);
    const next = slots.acquire('rest_call');
    spares[1]?.release();
    expect((await next).workerId).toBe('b');
    spares[0]?.release();
    expect((await slots.acquire('rest_call')).workerId).toBe('a');
    await expect(slots.acquire('rest_call')).rejects.toThrow('No free worker');
  });
});
