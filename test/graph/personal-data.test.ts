import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { listAlternatives } from '../../src/conversations/alternative.cypher.ts';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { rateAlternative } from '../../src/conversations/rating.mutations.ts';
import { appendTurn } from '../../src/conversations/turn.mutations.ts';
import {
  insertDataRequest,
  listDataRequests,
} from '../../src/personal-data/data-request.cypher.ts';
import {
  deleteMyData,
  deleteUser,
  exportMyData,
} from '../../src/personal-data/data-request.mutations.ts';
import { dataTask } from '../../src/personal-data/data-task.service.ts';
import { deleteUserData, namesOf, subjectOf } from '../../src/personal-data/delete-user.service.ts';
import { listOwned, OWNED } from '../../src/personal-data/owned.cypher.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import { readBlob } from '../../src/session-graph/events/blob.service.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import { AccountLeaving, openUserDirectory } from '../../src/users/user-directory.service.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, runCypher, writeCypher, writeWith } from '../testkit/graph.ts';
import { newId, quiet } from '../testkit/outbox.ts';
import { createsProcess, toolStep } from '../testkit/processes.ts';
import { event } from '../testkit/streams.ts';
import { tempBlobs } from '../testkit/temp-folder.ts';
import { type Person, refuses, world, worldGraph } from '../testkit/world.ts';

// docs/decisions/0038
const blobs = tempBlobs();
const never = new AbortController().signal;
const removed: string[] = [];
const workflows: string[] = [];
const here = await world();
const deps = {
  ...here.deps,
  blobs,
  log: quiet,
  queuePrefix: 'x-',
  schedules: { remove: async (id: string) => void removed.push(id) },
  histories: {
    deleteAll: async (ids: readonly string[]) => {
      workflows.push(...ids);
      return ids.length;
    },
  },
};

// Below the entries of test/graph/forgetting, which are deleted by that file.
const LAST_SEQ = -2_000_000_000;
// Half-made records would disturb jobs of other tests.
const lived: string[] = [];
afterAll(async () => {
  for (const userId of lived) await deleteUserData(deps, userId, async () => {}, never);
  await writeCypher(
    worldGraph(),
    "MATCH (n) WHERE n.ownerId = 'another' OR (n:OutboxEntry AND n.seq < $first) DETACH DELETE n",
    { first: LAST_SEQ },
  );
});

/** A record of each row of the table of labels, most with the canary in it. */
async function livesHere(person: Person): Promise<string> {
  const canary = `canary-${randomUUID()}`;
  const { viewer } = person;
  lived.push(viewer.userId);
  const all = runDeps(here);
  const secret = await person.createsSecret({ name: canary, value: canary });
  const service = await person.createsService({ name: canary });
  const input = { name: canary, serviceId: service.id, secretId: secret.id };
  const tool = await person.createsTool(input);
  const steps = [toolStep('a', tool.id, { inputs: { id: canary } })];
  const work = { name: canary, initialContext: ['id'], steps, outputTemplate: canary };
  const process = await createsProcess(here, person, work);
  const context = { id: canary };
  const idempotencyKey = canary;
  await startProcessRun(all, viewer, { processId: process.id, context, idempotencyKey });
  const { id: conversationId } = await createConversation(all, viewer, { title: canary });
  await appendTurn(all, viewer, { conversationId, content: `I am ${canary}.` });
  const hello = { conversationId, speaker: 'agent', content: `Hello ${canary}.` } as const;
  const told = await appendTurn(all, viewer, hello);
  const [answer] = await readWith(worldGraph(), listAlternatives, viewer.userId, [told.id]);
  await rateAlternative(all, viewer, { id: answer?.id ?? '', value: 'up', comment: canary });
  const sessions = { ...here.deps, blobs };
  await recordSessionEvents(sessions, viewer, [
    event(newId(), 'session:start', { note: canary }),
    event(newId(), 'prompt:submit', { prompt: `${canary} ${'x'.repeat(100_000)}` }),
  ]);
  // Records that background work of other rooms derives.
  await writeCypher(
    worldGraph(),
    `MATCH (u:User {id: $id}), (c:Conversation {id: $conversationId}), (run:ProcessRun {ownerId:
      $id}) WHERE run.id > ''
       MATCH (process:Process {id: $processId}), (session:Session {owner_id: $id})
       WITH u, c, run, process, session LIMIT 1
       CREATE (ep:Episodic {uuid: randomUUID(), group_id: c.id, content:
         $canary})<-[:INGEST_OF]-(:EpisodeIngest {episodeUuid: randomUUID(), note: $canary})
       CREATE (ep)-[:HAS_CHUNK]->(:Episodic:EpisodeChunk {uuid: randomUUID(), content: $canary})
       CREATE (:EpisodeText {key: randomUUID(), owner: $group, text: $canary})-[:TEXT_OF]->(ep)
       CREATE (:EpisodeText {key: randomUUID(), owner: 'n', text: $canary})-[:TEXT_OF]->(ep)
       CREATE (:EpisodeStretch {key: randomUUID(), owner: $group, text: $canary})
       CREATE (one:Entity {uuid: randomUUID(), group_id: $group, name:
         $canary})-[:HAS_PROFILE]->(p:EntityProfile {entityUuid: randomUUID(), owner: $group})
       CREATE (p)-[:HAS_SOURCE]->(:EntitySource {key: randomUUID(), note: $canary})
       CREATE (p)-[:HAS_ENTITY_SUMMARY]->(:EntitySummary {id: randomUUID(), text: $canary})
       CREATE (:MergeRecord {uuid: randomUUID(), name: $canary})-[:MERGED_INTO]->(one)
       CREATE (ep)-[:MENTIONS {uuid: $edge, group_id: c.id}]->(one)
       CREATE (one)-[:RELATES_TO {uuid: $edge, group_id: $group, fact: $canary}]->(one)
       CREATE (:FactRef {edgeUuid: $edge, owner: $group}), (:FactRevision {edgeUuid: $edge, note:
         $canary})
       CREATE (:TemporalFact {uuid: randomUUID(), owner: $group, text: $canary})
       CREATE (:ForgottenMemory {uuid: randomUUID(), owner: $group, note: $canary})
       CREATE (:Community {uuid: randomUUID(), group_id: c.id, summary: $canary}), (:Saga {uuid:
         randomUUID(), group_id: $group, name: $canary})
       CREATE (:Introspection:Resource {id: randomUUID(), note: $canary})-[:OWNED_BY]->(u)
       CREATE (session)-[:HAS_TOOL_CALL]->(:ToolCall {node_id: randomUUID(), owner_id: $id, note:
         $canary})
       CREATE (:MemoryAgreement {key: randomUUID(), ownerId: $id, note: $canary})-[:OWNED_BY]->(u),
         (:ProcessAdoption {key: randomUUID(), ownerId: $id, note: $canary})-[:OWNED_BY]->(u)
       CREATE (:MemoryAgreement {key: randomUUID(), ownerId: 'another', note:
         $canary})-[:AGREES_TO]->(process), (:ProcessAdoption {key: randomUUID(), ownerId:
         'another', note: $canary})-[:ADOPTS]->(process)
       CREATE (:ServiceTemplate {id: randomUUID(), ownerId: $id, note: $canary}), (:ToolTemplate
         {id: randomUUID(), ownerId: $id, note: $canary})
       CREATE (c)-[:HAS_SUMMARY]->(:Summary:Resource {id: randomUUID(), note: $canary})
       CREATE (:MemoryTask {id: randomUUID(), note: $canary})-[:TASK_OF]->(c)
       CREATE (:MemoryEvent {realm: $id + '/w', store: $id + '/w#a', eventId: $canary, key: '1',
         text: $canary})
       CREATE (:Segment {store: $id + '/w', startKey: '1', note: $canary}), (:Grip {realm: $id,
         gripId: $canary, excerpt: $canary})
       CREATE (:TocNode {store: $id, key: '1', title: $canary}), (:TocLatest {store: $id, nodeId:
         '1', words: $canary})
       CREATE (:LayerNode {node_id: randomUUID(), layer_workspace: 'w', owner_id: $id, note:
         $canary})
       CREATE (:CallGraphNode {id: randomUUID(), requestId: randomUUID(), ownerId: $id,
         callerAccountId: $id, createdAt: datetime(), input: $canary})
       CREATE (:Operation {id: $edge, name: $canary}), (:CallGraphNode {id: $edge, requestId:
         $schedule + 'o', ownerId: $id, operationId: $edge, createdAt: datetime()})
       MERGE (shared:Operation {id: 'shared-operation'}) SET shared.name = 'of all'
       CREATE (:CallGraphNode {id: $edge + 's', requestId: $schedule + 's', ownerId: $id,
         operationId: 'shared-operation', createdAt: datetime()})
       CREATE (:Operation {id: $toolId, name: $canary}), (:CallGraphNode {id: $edge + 't',
         requestId: $schedule + 't', ownerId: 'another', operationId: $toolId, createdAt:
         datetime()})
       CREATE (:CallStats {key: $id + $canary, ownerId: $id}), (:MetricValue {key: $canary,
         ownerId: $id})
       CREATE (:BackgroundDay {key: $id + '/2026-01-01', ownerId: $id}), (:Work {key:
         $id + '/x', note: $canary}), (:BackgroundFault {key: $id + '/x', note: $canary})
       CREATE (run)-[:HAS_STEP_RUN]->(:StepRun {key: randomUUID(), output: $canary})
       CREATE (run)-[:HAS_APPROVAL]->(:Approval:Resource {id: randomUUID(), note:
         $canary})-[:OWNED_BY]->(u)
       CREATE (:ProcessSchedule:Resource {id: $schedule, ownerId: $id, context:
         $canary})-[:OWNED_BY]->(u)
       CREATE (:OutboxEntry {id: randomUUID(), seq: $seq, kind: 'x', ownerId: $id, payload:
         $canary})<-[:OF_ENTRY]-(:DeadLetter {id: $canary, error: $canary})
       // Records of others that name the user (S3-NODE-06).
       CREATE (:CallGraphNode {id: $schedule, requestId: $edge, ownerId: 'another',
         callerAccountId: $id})
       CREATE (:OutboxEntry {id: randomUUID(), seq: $seq + 1, kind: 'settings.updated', ownerId:
         'system', payload: '{"by":"' + $id + '"}'})`,
    {
      ...{ id: viewer.userId, conversationId, toolId: tool.id, processId: process.id, canary },
      ...{ group: namesOf(viewer.userId)[1], edge: newId(), schedule: newId() },
      seq: -3_000_000_000 - Math.floor(Math.random() * 1e9) * 2,
    },
  );
  return canary;
}

/** Labels and types of everything in the database that contains one of the texts. */
async function found(texts: readonly string[]): Promise<unknown[]> {
  const rows = await runCypher(
    worldGraph(),
    `CALL () {
         MATCH (n) WHERE NOT n:DataRequest UNWIND keys(n) AS key
         WITH labels(n) AS place, key, n[key] AS value
         WHERE any(text IN $texts WHERE CASE WHEN value IS :: STRING THEN value CONTAINS text
           WHEN value IS :: LIST<STRING NOT NULL> THEN any(one IN value WHERE one CONTAINS text)
           ELSE false END)
         RETURN place, key
         UNION
         MATCH ()-[r]->() UNWIND keys(r) AS key
         WITH [type(r)] AS place, key, r[key] AS value
         WHERE any(text IN $texts WHERE CASE WHEN value IS :: STRING THEN value CONTAINS text ELSE
         false END)
         RETURN place, key
       }
       RETURN DISTINCT place, key LIMIT 50`,
    { texts },
  );
  return rows.map(({ place, key }) => `${String(place)}.${String(key)}`);
}
const blobsOf = async (person: Person) => {
  const keys: string[] = [];
  const { workspace, userId } = person.viewer;
  for await (const key of blobs.list(`${workspace}/${userId}`)) keys.push(key);
  return keys;
};

/** Kinds of the table of labels of which a user has no record. */
async function kindsWithout({ viewer }: Person): Promise<string[]> {
  const subject = await subjectOf(here.deps.graph, viewer.userId);
  const page = { after: -1, limit: 1 };
  const missing: string[] = [];
  for (const owned of OWNED) {
    const rows = await readWith(here.deps.graph, listOwned, owned, subject, page);
    if (rows.length === 0) missing.push(owned.kind);
  }
  return missing;
}

describe('deleting a user', () => {
  // S2-EVT-06, S4-CONV-04, S4-TURN-06, S4-EPI-02
  it('leaves nothing of the user in the database, and everything of others', async () => {
    const { ada, bob } = await world();
    const [canary, other] = [await livesHere(ada), await livesHere(bob)];
    expect(await kindsWithout(ada)).toEqual([]);
    const kept = (await found([bob.viewer.userId, other])).length;
    expect((await found([canary])).length).toBeGreaterThan(30);
    expect(await blobsOf(ada)).toHaveLength(1);
    // The relay numbers entries; here no relay runs.
    await writeCypher(worldGraph(), 'MATCH (o:PendingEntry {ownerId: $id}) REMOVE o:PendingEntry', {
      id: ada.viewer.userId,
    });
    await deleteUserData(deps, ada.viewer.userId, async () => {}, never);
    expect(await found([...namesOf(ada.viewer.userId), canary])).toEqual([]);
    const calls = await runCypher(
      worldGraph(),
      `MATCH (n:CallGraphNode {ownerId: 'another'}) RETURN n.callerAccountId AS caller ORDER BY
        n.id DESC LIMIT 2`,
    );
    const callers = [bob.viewer.userId, null];
    expect(calls.map(({ caller }) => caller).toSorted()).toEqual(callers.toSorted());
    const shared = "MATCH (o:Operation {id: 'shared-operation'}) RETURN o.name AS name";
    expect(await runCypher(worldGraph(), shared)).toEqual([{ name: 'of all' }]);
    expect(await blobsOf(ada)).toEqual([]);
    expect((await found([bob.viewer.userId, other])).length).toBe(kept);
    expect(await blobsOf(bob)).toHaveLength(1);
    expect(removed.some((id) => id.startsWith('x-'))).toBe(true);
    expect(workflows.length).toBeGreaterThan(2);
  });

  it('goes on after it was killed, at any step', async () => {
    const { ada } = await world();
    const canary = await livesHere(ada);
    let steps = 0;
    for (let isDone = false; !isDone; ) {
      const killing = new AbortController();
      // Each try gets further by some steps and is then killed.
      steps += 9;
      const limit = steps;
      let taken = 0;
      isDone = await deleteUserData(
        deps,
        ada.viewer.userId,
        async () => {
          if (++taken >= limit) killing.abort();
        },
        killing.signal,
      ).then(
        () => true,
        () => false,
      );
    }
    expect(steps).toBeGreaterThan(20);
    expect(await found([...namesOf(ada.viewer.userId), canary])).toEqual([]);
  });

  it('needs its phrase, and for others an admin', async () => {
    const { ada, bob, root } = await world();
    const { userId } = ada.viewer;
    const graph = { ...here.deps };
    await refuses(deleteMyData(graph, ada.viewer, { confirm: 'yes' }), 'INVALID confirm');
    const confirm = `delete ${userId}`;
    await refuses(deleteUser(graph, bob.viewer, { userId, confirm }), 'FORBIDDEN ');
    await refuses(deleteUser(graph, root.viewer, { userId, confirm: 'delete' }), 'INVALID confirm');
    const nobody = newId();
    const missing = { userId: nobody, confirm: `delete ${nobody}` };
    await refuses(deleteUser(graph, root.viewer, missing), 'NOT_FOUND userId');
    expect((await deleteUser(graph, root.viewer, { userId, confirm })).status).toBe('waiting');
    await refuses(deleteUser(graph, root.viewer, { userId, confirm }), 'STATE ');
  });

  it('is refused while Processes of others call a shared thing of the user', async () => {
    const { ada, bob } = await world();
    const service = await ada.createsService({ shared: true });
    const tool = await ada.createsTool({ serviceId: service.id, shared: true });
    const process = await createsProcess(here, bob, { steps: [toolStep('a', tool.id)] });
    const work = () => deleteMyData(here.deps, ada.viewer, { confirm: 'delete all my data' });
    await expect(work()).rejects.toThrow(/1 × step of a Process/);
    const steps = 'MATCH (p:Process {id: $id})-[:DEFINES_STEP]->(s) DETACH DELETE s';
    await writeCypher(worldGraph(), steps, { id: process.id });
    expect((await work()).kind).toBe('deletion');
  });

  it('begins after its grace, however wrong the clock was that dated the request', async ({
    expect,
  }) => {
    const { ada, bob } = await world();
    for (const [who, offMs] of [
      [ada, 3_600_000],
      [bob, -3_600_000],
    ] as const) {
      const dated = { ...here.deps, clock: { nowMs: () => Date.now() + offMs } };
      await deleteMyData(dated, who.viewer, { confirm: 'delete all my data' });
    }
    const users = () =>
      runCypher(worldGraph(), 'MATCH (u:User) WHERE u.id IN $ids RETURN u.id', {
        ids: [ada.viewer.userId, bob.viewer.userId],
      });
    const patient = dataTask(deps, { graceMs: 3_600_000 });
    await patient.run();
    expect(await users()).toHaveLength(2);
    const task = dataTask(deps, { graceMs: 300 });
    await expect
      .poll(async () => {
        await task.run();
        return (await users()).length;
      })
      .toBe(0);
  });

  it('ends the sign-in at once, and frees it when all is gone', async () => {
    const identity = {
      ...{ issuer: 'test', sub: randomUUID(), name: 'Ada', roles: ['user' as const] },
      ...{ workspace: null, expiresAtMs: null },
    };
    const signsIn = () => openUserDirectory(here.deps).viewerOf(identity);
    const viewer = await signsIn();
    await exportMyData(here.deps, viewer);
    await dataTask(deps, { graceMs: 0 }).run();
    await deleteMyData(here.deps, viewer, { confirm: 'delete all my data' });
    await expect(signsIn()).rejects.toBeInstanceOf(AccountLeaving);
    await dataTask(deps, { graceMs: 0 }).run();
    expect((await signsIn()).userId).not.toBe(viewer.userId);
    const all = await readWith(worldGraph(), listDataRequests, null);
    expect(all.filter(({ userId }) => userId === viewer.userId)).toEqual([]);
    expect(all.some(({ status, userId }) => status === 'done' && userId === null)).toBe(true);
  });
});

describe('exporting the data of a user', () => {
  it('gives one archive with each kind and the blobs, for its owner, for a time', async () => {
    const { ada, bob } = await world();
    const canary = await livesHere(ada);
    const other = await livesHere(bob);
    const request = await exportMyData(here.deps, ada.viewer);
    await dataTask(deps, { graceMs: 3_600_000 }).run();
    const done = (await readWith(worldGraph(), listDataRequests, ada.viewer.userId)).find(
      ({ id }) => id === request.id,
    );
    expect(done).toMatchObject({ status: 'done', error: null, phase: null });
    const uri = done?.archive ?? '';
    const range = { uri, offset: 0, length: 1_048_576 };
    const piece = await readBlob({ blobs }, ada.viewer, range);
    const text = gunzipSync(Buffer.from(piece?.content ?? '', 'base64')).toString();
    const lines = text.trim().split('\n');
    const kinds = new Set(lines.map((line) => (JSON.parse(line) as { kind: string }).kind));
    const exported =
      'processes tools runs turns alternatives ratings sessionEvents entities facts memoryEvents ' +
      'calls blob';
    for (const kind of exported.split(' ')) expect(kinds).toContain(kind);
    expect(text).toContain(canary);
    expect(text).not.toContain(other);
    expect(text).not.toContain('encryptedValue');
    expect(await readBlob({ blobs }, bob.viewer, range)).toBeNull();

    const later = { nowMs: () => Date.now() + 8 * 86_400_000 };
    await dataTask({ ...deps, clock: later }, { graceMs: 1e12 }).run();
    expect(await readBlob({ blobs }, ada.viewer, range)).toBeNull();
    const [after] = await readWith(worldGraph(), listDataRequests, ada.viewer.userId);
    expect(after?.archive).toBeNull();
  });

  it('is refused while another request of the user is open', async () => {
    const { ada } = await world();
    const now = new Date().toISOString();
    const { userId } = ada.viewer;
    await writeWith(worldGraph(), insertDataRequest, { id: newId(), kind: 'export', userId, now });
    await refuses(exportMyData(here.deps, ada.viewer), 'STATE ');
  });
});
