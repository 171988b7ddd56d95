import { afterAll, describe, expect, it } from 'vitest';
import { Outage } from '../../src/outbox/projector.service.ts';
import {
  openRunStarter,
  type StarterSettings,
} from '../../src/runs/start/run-starter.projection.ts';
import { testGraph, writeCypher } from '../testkit/graph.ts';
import { eventually, newId, quiet, someEntry } from '../testkit/outbox.ts';

const graph = testGraph();
const made: string[] = [];
afterAll(async () => {
  // A run that can never start would be tried for ever by each relay of this database.
  await writeCypher(graph, 'MATCH (r:ProcessRun) WHERE r.id IN $made DELETE r', { made });
  await graph.close();
});

/** Runs as the mutation leaves them, and a Temporal that follows the test. */
async function world(count: number, settings: Partial<StarterSettings> = {}) {
  const runIds = Array.from({ length: count }, () => newId());
  await writeCypher(graph, 'UNWIND $runIds AS id CREATE (:ProcessRun:PendingStart {id: id})', {
    runIds,
  });
  made.push(...runIds);
  const attempts: string[] = [];
  const started: string[] = [];
  const temporal = {
    isAway: false,
    delayMs: 0,
    answers: Promise.resolve(),
    refuses: new Set<string>(),
    atOnce: 0,
    atOnceMost: 0,
  };
  const starter = openRunStarter({
    graph,
    log: quiet,
    settings: { retryMs: 10, retryMsMax: 100, ...settings },
    start: async (runId) => {
      // Other tests' runs are theirs to start.
      if (!runIds.includes(runId)) return;
      attempts.push(runId);
      temporal.atOnce += 1;
      temporal.atOnceMost = Math.max(temporal.atOnceMost, temporal.atOnce);
      await new Promise((resolve) => setTimeout(resolve, temporal.delayMs));
      await temporal.answers;
      temporal.atOnce -= 1;
      if (temporal.refuses.has(runId)) throw new Error('can never start');
      if (temporal.isAway) throw new Outage('Temporal is away');
      started.push(runId);
      await writeCypher(graph, 'MATCH (r:PendingStart {id: $runId}) REMOVE r:PendingStart', {
        runId,
      });
    },
  });
  const request = (ids: readonly string[]) =>
    starter.projection.handle(
      ids.map((runId, index) => ({
        ...someEntry({ rootRunId: runId, kind: 'run.requested' }),
        seq: index + 1,
      })),
    );
  return { starter, runIds, attempts, started, temporal, request };
}

describe('the run starter', () => {
  it('starts a requested run at once, and the projection does not wait for it', async () => {
    const { starter, runIds, started, temporal, request } = await world(3);
    const { promise, resolve } = Promise.withResolvers<void>();
    temporal.answers = promise;
    await request(runIds);
    expect(started).toEqual([]);
    resolve();
    await eventually('all are started', () => started.length === 3);
    await starter.close();
  });

  it('starts a run that its writer offers, and not again when the relay tells of it', async () => {
    const { starter, runIds, attempts, started, request } = await world(2);
    const [offered = '', other = ''] = runIds;
    starter.offer(offered);
    starter.offer(offered);
    await eventually('it is started', () => started.includes(offered));
    await request(runIds);
    await eventually('so is the other', () => started.includes(other));
    expect(attempts).toEqual([offered, other]);
    await starter.close();
  });

  it('finds in its sweep a run whose process was killed before it was told', async () => {
    const { starter, runIds, started } = await world(5);
    await starter.sweep.run();
    await eventually('all are started', () => started.length === 5);
    expect(new Set(started)).toEqual(new Set(runIds));
    await starter.close();
  });

  it('lets no run wait behind many that can not be started', async () => {
    const { starter, runIds, started, attempts, temporal, request } = await world(40, {
      atOnceMax: 10,
    });
    temporal.delayMs = 20;
    for (const runId of runIds.slice(0, 20)) temporal.refuses.add(runId);
    await request(runIds.slice(0, 20));
    await eventually('all of them failed', () => new Set(attempts).size === 20);
    await request(runIds.slice(20));
    await eventually('the others are started', () => started.length === 20);
    // They were not taken for an outage, which would have let one in at a time.
    expect(temporal.atOnceMost).toBe(10);
    await starter.close();
  });

  it('knocks gently while Temporal is away, and starts all when it is back', async () => {
    const { starter, runIds, started, attempts, temporal, request } = await world(30);
    temporal.isAway = true;
    await request(runIds);
    await eventually('all were tried once', () => new Set(attempts).size === 30);
    const before = attempts.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    // One at a time, every 10 ms at the most.
    expect(attempts.length - before).toBeLessThan(40);
    temporal.isAway = false;
    await eventually('all are started', () => started.length === 30);
    expect(new Set(started).size).toBe(30);
    await starter.close();
  });

  it('never tries one run twice at the same time, and not more at once than it may', async () => {
    const { starter, runIds, attempts, started, temporal, request } = await world(40, {
      atOnceMax: 5,
    });
    temporal.delayMs = 20;
    await Promise.all([request(runIds), starter.sweep.run(), request(runIds)]);
    await eventually('all are started', () => started.length === 40);
    expect(attempts).toHaveLength(40);
    expect(temporal.atOnceMost).toBe(5);
    await starter.close();
  });

  it('gives up on a run that was cancelled before it could start', async () => {
    const input = { retryMs: 2_000, retryMsMax: 2_000 };
    const { starter, runIds, attempts, temporal, request } = await world(1, input);
    const { promise, resolve } = Promise.withResolvers<void>();
    temporal.answers = promise;
    temporal.isAway = true;
    await request(runIds);
    await eventually('it is tried', () => attempts.length === 1);
    const cancels = 'MATCH (r:PendingStart) WHERE r.id IN $runIds REMOVE r:PendingStart';
    await writeCypher(graph, cancels, { runIds });
    resolve();
    await eventually('it has failed', () => temporal.atOnce === 0);
    await starter.sweep.run();
    await new Promise((wait) => setTimeout(wait, 2_500));
    expect(attempts).toHaveLength(1);
    await starter.close();
  });
});
