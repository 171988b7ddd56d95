import { expect, it } from 'vitest';
import { listTocWork } from '../../src/agent-memory/rollup/rollup.cypher.ts';
import { findWork } from '../../src/background/work.cypher.ts';
import type { WriteTx } from '../../src/platform/neo4j/graph.ts';
import { loadMigrations } from '../../src/platform/neo4j/migrate.ts';
import { newId } from '../testkit/outbox.ts';
import { worldGraph } from '../testkit/world.ts';

// docs/decisions/0105: the records of waiting work of older versions become one kind of record.

const graph = worldGraph();
const shipped = (await loadMigrations()).find(({ version }) => version === '200');
const changes = shipped?.statements.filter((statement) => statement.includes('$after')) ?? [];

const OLD = /* cypher */ `
  // oldWork
  CREATE (:BackgroundWait {key: $ownerId + '/enrich entity/e', ownerId: $ownerId,
    processName: 'enrich entity',
      itemId: 'e', since: datetime('2026-01-01'), attempt: 3, reason: 'fault',
      notBefore: datetime('2126-01-01T00:00:00Z'), setAt: datetime('2026-01-01')}),
    (:BackgroundWait {key: $ownerId + '/extract memories/a', ownerId: $ownerId,
      processName: 'extract memories',
      itemId: 'a', since: datetime('2026-01-01'), attempt: 1, reason: 'running',
      notBefore: datetime('2026-01-01'), setAt: datetime('2026-01-01')}),
    (:BackgroundWait {key: $ownerId + '/summarise memory/toc:week:2024-W03', ownerId: $ownerId,
      processName: 'summarise memory', itemId: 'toc:week:2024-W03', since: datetime(), attempt: 0,
      reason: 'budget', notBefore: datetime('2126-01-01'), setAt: datetime()}),
    (:MemoryTask:FailedTask {id: $ownerId, kind: 'introspection', attempt: 4})
      -[:TASK_OF]->(:Conversation {id: $ownerId, ownerId: $ownerId})
  WITH 1 AS made
  UNWIND [['day:2024-01-15', '2026-01-01T00:00:00.000Z', null],
    ['month:2024-01', '2126-01-01T00:00:00.000Z', null],
    ['week:2024-W03', '2026-01-01T00:00:00.000Z', '2126-01-01T00:00:00.000Z']] AS old
  CREATE (:TocWork {store: $store, nodeId: 'toc:' + old[0], level: split(old[0], ':')[0],
    since: old[1],
    notBefore: old[2], startMs: 1705276800000, revision: 2, attempts: 1})
`;

async function migrateIn(tx: WriteTx): Promise<void> {
  for (const statement of changes)
    for (let after: unknown = ''; typeof after === 'string'; )
      [{ after } = { after: null }] = await tx.run(`// migrate\n${statement}`, { after });
}

// One transaction, undone at its end: the jobs of other test files would take due work.
it('old waits, nodes to sum up and failed tasks become work, each once', async () => {
  const ownerId = newId();
  const store = `${ownerId}/my "work" space#agent`;
  const undone = new Error('undone');
  const changed = graph.write(async (tx) => {
    await tx.run(OLD, { ownerId, store });
    const find = (kind: string, itemId: string) => findWork(tx, { ownerId, kind, itemId });
    const node = (nodeId: string, level: string) =>
      find(`summarise memory/${level}`, `${store} ${nodeId}`);
    for (let times = 0; times < 2; times++) {
      await migrateIn(tx);
      const failed = { reason: 'fault', attempts: 3 };
      expect(await find('enrich entity', 'e')).toMatchObject(failed);
      expect(await find('extract memories', 'a')).toMatchObject({ reason: 'running', runAt: null });
      expect(await find('introspect', ownerId)).toMatchObject({ reason: 'fault', attempts: 5 });
      expect(await node('toc:month:2024-01', 'month')).toMatchObject({ reason: 'quiet' });
      expect(await node('toc:week:2024-W03', 'week')).toMatchObject({ reason: 'budget' });
      const due = { nowMs: Date.now(), isAsked: false, limit: 10, ownerId };
      const day = { store, nodeId: 'toc:day:2024-01-15', startMs: 1705276800000 };
      const work = { ...day, attempts: 1, revision: 2 };
      expect(await listTocWork(tx, 'day', due)).toMatchObject([work]);
    }
    const [left] = await tx.run(
      `// oldRecords
      OPTIONAL MATCH (w:Work {ownerId: $ownerId})
      WITH count(w) AS work
      OPTIONAL MATCH (old:TocWork|BackgroundWait|FailedTask)
      WHERE old.ownerId = $ownerId OR old.store = $store OR old.id = $ownerId
      RETURN work, count(old) AS old`,
      { ownerId, store },
    );
    expect(left).toEqual({ work: 6, old: 0 });
    throw undone;
  });
  await expect(changed).rejects.toBe(undone);
});
