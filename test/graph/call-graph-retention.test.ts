import { describe, expect, it } from 'vitest';
import { findCall } from '../../src/call-graph/call-read.cypher.ts';
import { operationStats } from '../../src/call-graph/operation-stats.service.ts';
import { deleteExpiredCalls } from '../../src/call-graph/retention.job.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import { fixedSettings } from '../testkit/fixed.ts';
import { readWith, writeCypher } from '../testkit/graph.ts';
import { newId } from '../testkit/outbox.ts';
import { world, worldGraph } from '../testkit/world.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
// Long before anything that other tests write, so that no sweep of this file takes their calls.
const START_MS = Date.parse('1972-01-01T00:00:00.000Z');

/** Calls of one operation that took `ms` each and ended on `day` (0 = START_MS). */
async function called(
  viewer: Viewer,
  operationId: string,
  calls: { status: string; ms: number; day: number }[],
) {
  const rows = calls.map(({ status, ms, day }) => {
    const startedMs = START_MS + day * DAY_MS;
    const isOver = !['pending', 'running'].includes(status);
    return {
      id: newId(),
      status,
      startedAt: new Date(startedMs).toISOString(),
      completedAt: isOver ? new Date(startedMs + ms).toISOString() : null,
    };
  });
  await writeCypher(
    worldGraph(),
    `UNWIND $rows AS row
       CREATE (n:CallGraphNode {id: row.id, requestId: row.id, operationId: $operationId,
         ownerId: $ownerId, origin: 'user', status: row.status,
         createdAt: datetime(row.startedAt), updatedAt: datetime(row.startedAt),
         startedAt: datetime(row.startedAt)})
       SET n.completedAt = datetime(row.completedAt),
         n._retentionExpiresAt = datetime(row.completedAt) + duration({days: 90})`,
    { rows, operationId, ownerId: viewer.userId },
  );
  return rows.map(({ id }) => id);
}

const sweepAt = (day: number, days = 90, signal?: AbortSignal) =>
  deleteExpiredCalls(
    {
      graph: worldGraph(),
      clock: { nowMs: () => START_MS + day * DAY_MS },
      settings: fixedSettings({ ...SETTINGS_DEFAULT, callGraphRetentionDays: days }),
      pauseShare: 0,
    },
    signal,
  );
const left = async (viewer: Viewer, ids: readonly string[]) => {
  const found = await Promise.all(ids.map((id) => readWith(worldGraph(), findCall, viewer, id)));
  return found.map((call) => call !== null);
};

describe('retention', () => {
  // S3-RET-01, S3-RET-02
  it('takes calls that ended 90 days ago, and never pending or running ones', async () => {
    const { ada } = await world();
    const ids = await called(ada.viewer, newId(), [
      { status: 'completed', ms: 0, day: 0 },
      { status: 'failed', ms: 0, day: 0 },
      { status: 'aborted', ms: 0, day: 0 },
      { status: 'pending', ms: 0, day: 0 },
      { status: 'running', ms: 0, day: 0 },
      { status: 'completed', ms: 0, day: 5 },
    ]);
    await sweepAt(89);
    expect(await left(ada.viewer, ids)).toEqual([true, true, true, true, true, true]);
    await sweepAt(90);
    expect(await left(ada.viewer, ids)).toEqual([false, false, false, true, true, true]);
    await sweepAt(400);
    expect(await left(ada.viewer, ids)).toEqual([false, false, false, true, true, false]);
  });

  it('keeps the statistics of deleted calls, for the owner alone', async () => {
    const { ada, bob } = await world();
    const operationId = newId();
    const calls = [
      ...Array.from({ length: 90 }, (_, index) => ({
        status: 'completed',
        ms: index * 10,
        day: index % 3,
      })),
      ...Array.from({ length: 10 }, () => ({ status: 'failed', ms: 30_000, day: 2 })),
    ];
    await called(ada.viewer, operationId, calls);
    await called(bob.viewer, operationId, [{ status: 'failed', ms: 1, day: 0 }]);
    const statsOf = async (viewer: Viewer, range = {}) =>
      (await operationStats({ graph: worldGraph() }, viewer, range)).filter(
        (stats) => stats.operationId === operationId,
      );
    const before = await statsOf(ada.viewer);
    expect(before).toMatchObject([{ calls: 100, errorRate: 0.1, p50Ms: 490 }]);
    expect(before[0]?.p99Ms).toBeGreaterThanOrEqual(30_000);
    expect(before[0]?.p99Ms).toBeLessThanOrEqual(30_300);
    // Half of them gone, then all.
    await sweepAt(90.5);
    expect(await statsOf(ada.viewer)).toEqual(before);
    await sweepAt(100);
    expect(await statsOf(ada.viewer)).toEqual(before);
    const from = new Date(START_MS + 2 * DAY_MS).toISOString();
    expect(await statsOf(ada.viewer, { from })).toMatchObject([{ calls: 40 }]);
    expect(await statsOf(ada.viewer, { to: from })).toMatchObject([{ calls: 60, errorRate: 0 }]);
    expect(await statsOf(bob.viewer)).toMatchObject([{ calls: 1, errorRate: 1 }]);
  });

  it('counts every call once when two sweep at the same time', async () => {
    const { ada } = await world();
    const operationId = newId();
    await called(
      ada.viewer,
      operationId,
      Array.from({ length: 1_300 }, () => ({ status: 'completed', ms: 5, day: 0 })),
    );
    const swept = await Promise.all([sweepAt(200), sweepAt(200), sweepAt(200)]);
    expect(swept.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1_300);
    const stats = await operationStats({ graph: worldGraph() }, ada.viewer, {});
    expect(stats).toMatchObject([{ operationId, calls: 1_300, p99Ms: 5 }]);
  });

  it('follows the setting: kept calls expire anew when it changes (S3-RET-01)', async () => {
    const { ada } = await world();
    const ids = await called(ada.viewer, newId(), [{ status: 'completed', ms: 0, day: 0 }]);
    // Other files' calls are decades younger, and are stamped back below.
    await sweepAt(9, 10);
    expect(await left(ada.viewer, ids)).toEqual([true]);
    await sweepAt(10, 10);
    expect(await left(ada.viewer, ids)).toEqual([false]);
    await sweepAt(0, 90);
  });

  it('stops between two batches when it is told to', async () => {
    const { ada } = await world();
    const ids = await called(
      ada.viewer,
      newId(),
      Array.from({ length: 1_200 }, () => ({ status: 'completed', ms: 5, day: 0 })),
    );
    const stopping = new AbortController();
    stopping.abort();
    expect(await sweepAt(200, 90, stopping.signal)).toBe(0);
    expect(await sweepAt(200)).toBeGreaterThanOrEqual(1_200);
    expect(new Set(await left(ada.viewer, ids.slice(0, 20)))).toEqual(new Set([false]));
  });
});
