import { describe, expect, it } from 'vitest';
import { parseBlobUri } from '../../src/common/blob-uri.ts';
import { LOG_READERS, productProjections } from '../../src/main/projections.ts';
import { blobKey } from '../../src/platform/blobs/blob-store.ts';
import { forgetExpired } from '../../src/retention/forgetting.job.ts';
import { RETENTION_KINDS } from '../../src/retention/retention.ts';
import { countDue, showRetention } from '../../src/retention/retention-report.service.ts';
import { createPayloads } from '../../src/runs/run/payloads.service.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import { SETTINGS_DEFAULT, type Settings } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import { fixedSettings } from '../testkit/fixed.ts';
import { runCypher, writeCypher } from '../testkit/graph.ts';
import { newId } from '../testkit/outbox.ts';
import { event, streamDeps } from '../testkit/streams.ts';
import { tempBlobs } from '../testkit/temp-folder.ts';
import { world, worldGraph } from '../testkit/world.ts';

const DAY_MS = 86_400_000;
// Before anything that other tests write, so that no job run of this file takes their rows, and
// no older entry of theirs without a number holds it up; and after the calls of
// call-graph-retention.test.ts, so that its sweeps leave the calls of this file.
const START_MS = Date.parse('1980-01-01T00:00:00.000Z');
const at = (day: number) => new Date(START_MS + day * DAY_MS).toISOString();
const blobs = tempBlobs();

// A log of its own: numbers below those of all other tests, which no relay of another test meets,
// and a reader that has passed them. Above its number are entries that it has not passed.
const PASSED = -50_000_000;
let seq = -1_000_000_000 + Math.floor(Math.random() * 900_000_000);
const READER = `reader-${newId()}`;
const readers = { names: [READER], queueReaders: [] };

const depsAt = (day: number, settings: Partial<Settings> = {}) => ({
  graph: worldGraph(),
  clock: { nowMs: () => START_MS + day * DAY_MS },
  settings: fixedSettings({ ...SETTINGS_DEFAULT, ...settings }),
  blobs,
  pauseShare: 0,
});
const never = new AbortController().signal;
async function forget(day: number, settings: Partial<Settings> = {}, signal = never) {
  let checkpoint = String(-2_000_000_000);
  const progress = async (done: { readonly checkpoint?: string }) => {
    checkpoint = done.checkpoint ?? checkpoint;
  };
  await forgetExpired(depsAt(day, settings), readers, { checkpoint, signal, progress });
  return checkpoint;
}

const here = await world();
await writeCypher(
  worldGraph(),
  'MATCH (o:OutboxEntry) WHERE -1000000000 <= o.seq < 0 DETACH DELETE o',
);
await writeCypher(worldGraph(), 'CREATE (:Checkpoint {name: $name, seq: $passed})', {
  name: READER,
  passed: PASSED,
});

interface Wanted {
  readonly day: number;
  readonly status?: string;
  readonly origin?: string;
  readonly blob?: string;
}
/** A root run with a sub-run, a step each, an approval, a call, two entries and a snapshot. */
async function aRun(viewer: Viewer, { day, status = 'completed', origin = 'user', blob }: Wanted) {
  const [id, child] = [newId(), newId()];
  seq += 2;
  const { userId: ownerId, workspace } = viewer;
  const root = { rootRunId: id, origin, status, ownerId, snapshotHash: id };
  const run = { ...root, id, depth: 0, workspace, context: '{"a":1}', runPath: [id] };
  const sub = { ...root, id: child, depth: 1, context: '{}', runPath: [id, child] };
  const entry = { rootRunId: id, runId: id, ownerId, payload: '{}' };
  await writeCypher(
    worldGraph(),
    `MATCH (owner:User {id: $ownerId})
     WITH owner, datetime($at) AS at
     MERGE (snapshot:RunSnapshot {hash: $id}) SET snapshot.body = '{}', snapshot.createdAt = at
     CREATE (run:ProcessRun:Resource)-[:OWNED_BY]->(owner) SET run = $run
     SET run.completedAt = CASE WHEN $isOver THEN at END
     CREATE (sub:ProcessRun:Resource)-[:CHILD_RUN_OF]->(run) SET sub = $sub, sub.completedAt = at
     CREATE (run)-[:HAS_STEP_RUN]->(s:StepRun {key: $id + '/a', runId: $id, rootRunId: $id,
       inputs: '{"q":1}', outputBlob: $blob})
     CREATE (sub)-[:HAS_STEP_RUN]->(:StepRun {key: $child + '/a', runId: $child, rootRunId: $id,
       inputs: '{}'})
     CREATE (run)-[:HAS_APPROVAL]->(:Approval:Resource {id: randomUUID()})-[:ABOUT]->(s)
     CREATE (:CallGraphNode {id: $id, requestId: $id, operationId: $id, rootRunId: $id,
       ownerId: $ownerId, origin: $run.origin, status: 'completed', createdAt: at, updatedAt: at,
       startedAt: at, completedAt: at})
     CREATE (asked:OutboxEntry) SET asked = $entry, asked += {id: randomUUID(), at: at, seq: $seq,
       kind: 'run.requested'}
     CREATE (ended:OutboxEntry) SET ended = $entry, ended += {id: randomUUID(), at: at,
       seq: $seq + 1, kind: 'run.ended'}`,
    {
      ...{ id, child, ownerId, run, sub, entry, seq },
      at: at(day),
      isOver: ['completed', 'failed', 'cancelled'].includes(status),
      blob: blob ?? null,
    },
  );
  return id;
}
/** Number of nodes of each label that the trees of these runs have. */
async function treesOf(ids: readonly string[]): Promise<Record<string, number>> {
  const rows = await runCypher(
    worldGraph(),
    `UNWIND $ids AS id
       CALL (id) {
         MATCH (n:ProcessRun {rootRunId: id}) RETURN n
         UNION MATCH (:ProcessRun {rootRunId: id})-[:HAS_STEP_RUN]->(n) RETURN n
         UNION MATCH (n:StepRun {runId: id}) RETURN n
         UNION MATCH (n:OutboxEntry {rootRunId: id}) WHERE n.seq IS NOT NULL RETURN n
         UNION MATCH (n:RunSnapshot {hash: id}) RETURN n
       }
       RETURN head([l IN labels(n) WHERE l <> 'Resource']) AS label, count(*) AS count`,
    { ids },
  );
  return Object.fromEntries(rows.map(({ label, count }) => [String(label), Number(count)]));
}
const treeOf = (id: string) => treesOf([id]);
const WHOLE = { ProcessRun: 2, StepRun: 2, OutboxEntry: 2, RunSnapshot: 1 };
const runs = (cypher: string, params: object) => writeCypher(worldGraph(), `${cypher}`, params);

const RUN = 'MATCH (r:ProcessRun {id: $id})';
const ENTRY = 'MATCH (o:OutboxEntry {rootRunId: $id}) WITH o LIMIT 1';

describe('retention of runs', () => {
  it('deletes a finished run with all of its tree, after its days and not before', async () => {
    const id = await aRun(here.ada.viewer, { day: 0 });
    // Days of 0 keep it for ever.
    await forget(3_000, { runRetentionDays: 0, callGraphRetentionDays: 3_650 });
    await forget(90);
    expect(await treeOf(id)).toEqual(WHOLE);
    await forget(90.5);
    expect(await treeOf(id)).toEqual({});
  });

  it("deletes the product's own runs sooner, and lets their calls expire", async () => {
    const own = await aRun(here.ada.viewer, { day: 0 });
    const system = await aRun(here.ada.viewer, { day: 0, origin: 'system' });
    await forget(8);
    expect([await treeOf(own), await treeOf(system)]).toEqual([WHOLE, {}]);
    const [call] = await runs(
      'MATCH (n:CallGraphNode {id: $system}) RETURN n._retentionExpiresAt AS at',
      { system },
    );
    expect(call?.['at']).toBe(at(8));
    await forget(91);
  });

  it.each([
    ['answers a turn', 'CREATE (:Alternative {id: randomUUID(), runId: $id})'],
    [
      'has an open sub-run',
      "MATCH (r:ProcessRun {rootRunId: $id, depth: 1}) SET r.status = 'running'",
    ],
    ['has a retry', 'CREATE (:ProcessRun {id: randomUUID(), retryOfId: $id})'],
    [
      'has an extraction that waits for it',
      `${RUN} SET r.workId = $id CREATE (:EpisodeIngest:OpenIngest {episodeUuid: $id})`,
    ],
    [
      'has an entry that could not be delivered',
      `${ENTRY} CREATE (:DeadLetter {id: randomUUID()})-[:OF_ENTRY]->(o)`,
    ],
    [
      'has an entry that a reader has not passed',
      `${ENTRY} SET o.seq = -1 - toInteger(rand() * 49000000)`,
    ],
  ])('keeps a run that %s, at any age', async (_why, cypher) => {
    const id = await aRun(here.ada.viewer, { day: 0 });
    await runs(cypher, { id });
    await forget(400, { callGraphRetentionDays: 3_650 });
    expect(await treeOf(id)).toEqual(WHOLE);
    await runs(
      `OPTIONAL MATCH (r:ProcessRun) WHERE r.rootRunId = $id OR r.retryOfId = $id
       OPTIONAL MATCH (r)-[:HAS_STEP_RUN]->(s)
       OPTIONAL MATCH (o:OutboxEntry {rootRunId: $id}) WHERE o.seq IS NOT NULL
       OPTIONAL MATCH (o)<-[:OF_ENTRY]-(d)
       OPTIONAL MATCH (a:Alternative {runId: $id})
       OPTIONAL MATCH (i:EpisodeIngest {episodeUuid: $id})
       DETACH DELETE r, s, o, d, a, i`,
      { id },
    );
  });

  it('clears inputs and events of a kept run when its calls expire, not outputs', async () => {
    const id = await aRun(here.ada.viewer, { day: 0 });
    await runs('CREATE (:Alternative {id: randomUUID(), runId: $id})', { id });
    await runs("MATCH (s:StepRun {rootRunId: $id}) SET s.output = '5'", { id });
    await forget(91);
    expect(await treeOf(id)).toEqual({ ProcessRun: 2, StepRun: 2, RunSnapshot: 1 });
    const rows = await runs(
      `MATCH (r:ProcessRun {rootRunId: $id})-[:HAS_STEP_RUN]->(s)
       RETURN DISTINCT r.context AS context, s.inputs AS inputs, s.output AS output`,
      { id },
    );
    expect(rows).toEqual([{ context: '{}', inputs: null, output: '5' }]);
  });

  it('deletes the files of a run', async () => {
    const { viewer } = here.ada;
    const [id, other] = [await aRun(viewer, { day: 0 }), await aRun(viewer, { day: 3 })];
    const payloads = createPayloads(blobs);
    const owner = { workspace: viewer.workspace, ownerId: viewer.userId };
    const store = (runId: string) =>
      payloads.storeFile({ ...owner, rootRunId: runId, runId }, 'step.1.png', Buffer.from('1'));
    const sizeOf = (uri: string) => {
      const parts = parseBlobUri(uri);
      if (parts === null) throw new Error(`${uri} is no blob.`);
      return blobs.size(blobKey({ ...owner, ...parts }));
    };
    const uris = [await store(id), await store(other)];
    expect(await Promise.all(uris.map(sizeOf))).toEqual([1, 1]);
    await forget(92);
    expect(await Promise.all(uris.map(sizeOf))).toEqual([null, 1]);
  });

  it('deletes the blobs of a run, but none that another run uses', async () => {
    const id = newId();
    const own = `w/o/${id}/x`;
    await blobs.put(own, Buffer.from('1'));
    const first = await aRun(here.ada.viewer, { day: 0 });
    const named = `w/o/${first}/x`;
    await blobs.put(named, Buffer.from('1'));
    const step = { key: `${first}/a`, named };
    await runs('MATCH (s:StepRun {key: $key}) SET s.outputBlob = $named', step);
    // Its step was copied from another run.
    const second = await aRun(here.ada.viewer, { day: 0, blob: own });
    await forget(91);
    expect([await treeOf(first), await treeOf(second)]).toEqual([{}, {}]);
    expect([await blobs.size(named), await blobs.size(own)]).toEqual([null, 1]);
  });

  it('goes on where it was stopped', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 30; count++) ids.push(await aRun(here.ada.viewer, { day: 0 }));
    await forget(91, {}, AbortSignal.abort());
    expect((await treesOf(ids))['ProcessRun']).toBe(60);
    await forget(91);
    expect(await treesOf(ids)).toEqual({});
  });
});

describe('retention of records', () => {
  const anEntry = async (day: number) => {
    const id = newId();
    seq += 2;
    await runs(
      `CREATE (:OutboxEntry {id: $id, seq: $seq, kind: 'tool.updated', at: datetime($at),
        ownerId: 'x', payload: '{}'})`,
      { id, seq, at: at(day) },
    );
    return id;
  };
  const exists = async (id: string) =>
    (await runs('MATCH (o:OutboxEntry {id: $id}) RETURN o.id AS id', { id })).length === 1;
  const drops = (...ids: readonly string[]) =>
    runs('MATCH (o:OutboxEntry) WHERE o.id IN $ids DETACH DELETE o', { ids });

  it('deletes delivered entries after their days, and goes on after the last one', async () => {
    const [old, dead, young] = [await anEntry(0), await anEntry(0), await anEntry(20)];
    const letter = 'CREATE (:DeadLetter {id: $dead})-[:OF_ENTRY]->(o)';
    await runs(`MATCH (o:OutboxEntry {id: $dead}) ${letter}`, { dead });
    const checkpoint = await forget(31);
    expect(await Promise.all([old, dead, young].map(exists))).toEqual([false, true, true]);
    expect(Number(checkpoint)).toBe(seq - 2);
    await drops(dead, young);
  });

  it('deletes an entry of agent memory when all have read it (S2-OUT-03)', async () => {
    const [read, young, unread] = [await anEntry(0), await anEntry(1), await anEntry(0)];
    await runs('MATCH (o:OutboxEntry) WHERE o.id IN $ids SET o:MemoryIngest', {
      ids: [read, young, unread],
    });
    // A projection is not there yet.
    await runs('MATCH (o:OutboxEntry {id: $unread}) SET o.seq = $seq', {
      unread,
      seq: PASSED + 1_000 + Math.floor(Math.random() * 1_000_000),
    });
    await forget(1);
    expect(await Promise.all([read, young, unread].map(exists))).toEqual([false, true, true]);
    await drops(young, unread);
  });

  it('deletes nothing of the log while an entry waits for its number', async () => {
    const old = await anEntry(0);
    const pending = newId();
    // A relay of another test may number it, so it has all fields.
    await runs(
      `CREATE (:OutboxEntry:PendingEntry {id: $pending, kind: 'x', at: datetime($at), ownerId: 'x',
         workspace: 'x', runPath: [], payload: '{}'})`,
      { pending, at: at(0) },
    );
    await forget(31);
    expect(await exists(old)).toBe(true);
    await runs('MATCH (o:OutboxEntry {id: $pending}) DELETE o', { pending });
    await forget(31);
    expect(await exists(old)).toBe(false);
  });

  it('deletes idempotency keys after their days', async () => {
    const key = newId();
    const input = { key, at: at(0) };
    await runs('CREATE (:IdempotencyRecord {key: $key, createdAt: datetime($at) })', input);
    const count = () =>
      runs('MATCH (r:IdempotencyRecord {key: $key}) RETURN r.key AS key', { key });
    await forget(7);
    expect(await count()).toHaveLength(1);
    await forget(7.5);
    expect(await count()).toHaveLength(0);
  });

  it('deletes sessions after their last event, with calls, layers and blobs', async () => {
    const { viewer } = here.bob;
    const deps = { ...streamDeps(), blobs, clock: depsAt(0.1).clock };
    const [old, young] = [newId(), newId()];
    const large = 'x'.repeat(100_000);
    const early = (id: string, name: string, data = {}) => ({
      ...event(id, name, data),
      timestamp: at(0.1),
    });
    await recordSessionEvents(deps, viewer, [
      early(old, 'session:start'),
      early(old, 'tool:pre', { tool_name: 'a', tool_call_id: 'c' }),
      early(old, 'prompt:submit', { prompt: large }),
      { ...early(young, 'session:start'), timestamp: at(50) },
    ]);
    const left = (id: string) =>
      runs(
        `MATCH (n) WHERE (n:Session AND n.node_id = $id) OR ((n:Event OR n:ToolCall OR n:LayerNode)
          AND n.session_id = $id) RETURN labels(n) AS labels`,
        { id },
      );
    expect((await left(old)).length).toBeGreaterThanOrEqual(5);
    await forget(89);
    expect((await left(old)).length).toBeGreaterThanOrEqual(5);
    await forget(91);
    expect(await left(old)).toEqual([]);
    expect(await left(young)).toHaveLength(2);
    await forget(141);
  });

  it('keeps a session that was recorded late for its days after the recording', async () => {
    const deps = { ...streamDeps(), clock: depsAt(300).clock };
    const imported = newId();
    const started = { ...event(imported, 'session:start'), timestamp: at(0.1) };
    await recordSessionEvents(deps, here.bob.viewer, [started]);
    const left = () => runs('MATCH (s:Session {node_id: $imported}) RETURN 1 AS one', { imported });
    await forget(389);
    expect(await left()).toHaveLength(1);
    await forget(391);
    expect(await left()).toEqual([]);
  });
});

describe('the report of retention', () => {
  it('counts due rows without deleting them, and tells the last deletion', async () => {
    const id = await aRun(here.ada.viewer, { day: 0, origin: 'system' });
    const deps = depsAt(8);
    expect(await countDue(deps, readers, 'systemRuns')).toBe(1);
    for (const kind of RETENTION_KINDS)
      expect(await countDue(deps, readers, kind)).toBeGreaterThanOrEqual(0);
    expect(await treeOf(id)).toEqual(WHOLE);
    await forget(8);
    expect(await countDue(deps, readers, 'systemRuns')).toBe(0);
    const states = await showRetention(deps);
    expect(states.find(({ kind }) => kind === 'systemRuns')).toMatchObject({
      setting: 'systemRunRetentionDays',
      days: 7,
      last: { deleted: 1, at: at(8) },
    });
  });

  it('waits for all projections of the product', () => {
    const names = productProjections({
      starter: { name: 'run-starter' },
      agentMemoryJobs: { name: 'memory-trigger' },
      temporal: { client: {} },
    } as never).map(({ name }) => name);
    expect(names.toSorted()).toEqual([...LOG_READERS.names].toSorted());
  });
});
