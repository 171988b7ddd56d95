import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { appendTurn } from '../../src/conversations/turn.mutations.ts';
import { deleteUserData, namesOf } from '../../src/personal-data/delete-user.service.ts';
import { findNamedHashes } from '../../src/personal-data/named-files.service.ts';
import {
  type BlobStore,
  blobFolder,
  blobKey,
  openBlobStore,
} from '../../src/platform/blobs/blob-store.ts';
import { s3Store } from '../../src/platform/blobs/s3-store.ts';
import { sweepBlobs } from '../../src/retention/blob-sweep.job.ts';
import { createPayloads } from '../../src/runs/run/payloads.service.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import { uploadFile } from '../../src/session-graph/events/file-upload.service.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import type { Viewer } from '../../src/users/user.ts';
import { runDeps } from '../testkit/conversations.ts';
import { writeCypher } from '../testkit/graph.ts';
import { newId } from '../testkit/outbox.ts';
import { createsProcess, toolStep } from '../testkit/processes.ts';
import { S3_BUCKET, S3_CREDENTIALS, startS3 } from '../testkit/s3-server.ts';
import { event } from '../testkit/streams.ts';
import { newViewer, type Person, type World, world } from '../testkit/world.ts';

const [here, server, folder] = await Promise.all([
  world(),
  startS3(),
  mkdtemp(join(tmpdir(), 'aiden-sweep-')),
]);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const never = new AbortController().signal;
const buckets = new Set<BlobStore>();
const bytes = (text: string) => new TextEncoder().encode(text);

const FILES = { session: 'uploads', others: ['exports'] };
const OF_USER = ['uploads', 'exports'];
/** So short that every file of before the sweep is old. */
const MOMENT = 1e-9;

/** A bucket dates blobs in whole seconds, and the mark has to be younger than all of them. */
async function youngerThanAll(blobs: BlobStore): Promise<void> {
  if (buckets.has(blobs)) await new Promise((resolve) => setTimeout(resolve, 1_100));
}

interface Sweep {
  readonly hours?: number;
  readonly days?: number;
  readonly findNamed?: typeof findNamedHashes;
}
/** Repeats the job as its Schedule would. The first run in a graph only marks the store. */
async function sweeps(
  blobs: BlobStore,
  { days = 90, findNamed = findNamedHashes, hours }: Sweep = {},
) {
  const checkpoints: (string | undefined)[] = [];
  const progress = async (at: { readonly checkpoint?: string }) =>
    void checkpoints.push(at.checkpoint);
  const files = { ...FILES, days, findNamed };
  const settings = { ofUser: OF_USER, files, ...(hours !== undefined && { hours }) };
  await youngerThanAll(blobs);
  for (const _day of [1, 2]) {
    const jobRun = { checkpoint: null, signal: never, progress };
    await sweepBlobs({ ...here.deps, blobs }, jobRun, settings);
  }
  return checkpoints;
}

/** One run of the job, after the one that marks the store. */
async function sweepsOnce(blobs: BlobStore, given: Sweep): Promise<void> {
  const jobRun = { checkpoint: null, signal: never, progress: async () => {} };
  const files = { ...FILES, days: 90, findNamed: findNamedHashes, ...given };
  const settings = { ofUser: OF_USER, files };
  await sweepBlobs({ ...here.deps, blobs }, jobRun, { ...settings, files: { ...files, days: 0 } });
  await youngerThanAll(blobs);
  await sweepBlobs({ ...here.deps, blobs }, jobRun, settings);
}

async function deletes(blobs: BlobStore, { userId }: Viewer): Promise<void> {
  const deps = {
    ...here.deps,
    blobs,
    queuePrefix: 'x-',
    schedules: { remove: async () => {} },
    histories: { deleteAll: async () => 0 },
  };
  await deleteUserData(deps, userId, async () => {}, never);
}

async function keysOf(blobs: BlobStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of blobs.list(null)) if (!key.startsWith('installations/')) keys.push(key);
  return keys.sort();
}

/** A user with a blob of each kind that records name, and an upload that none names yet. */
async function livesHere(blobs: BlobStore, viewer: Viewer) {
  const session = newId();
  const large = { prompt: 'x'.repeat(100_000) };
  const prompt = event(session, 'prompt:submit', large);
  await recordSessionEvents({ ...here.deps, blobs }, viewer, [prompt]);
  await uploads(blobs, viewer);
  return keysOf(blobs);
}

const inFolder = (name: string) => openBlobStore(pathToFileURL(join(folder, name)).href);
const stores: [string, (name: string) => BlobStore][] = [
  ['a folder', inFolder],
  [
    'a bucket',
    (name) => {
      const uri = `s3://${S3_BUCKET}/${name}`;
      const store = s3Store({ uri, endpoint: server.endpoint, credentials: S3_CREDENTIALS });
      buckets.add(store);
      return store;
    },
  ],
];

/** Stores a file. Its URI, and its hash. */
async function uploads(blobs: BlobStore, viewer: Viewer, text: string = newId()) {
  const content = Buffer.from(text).toString('base64');
  const { uri } = await uploadFile({ ...here.deps, blobs }, viewer, { content });
  return { uri, text, hash: uri.split('/').at(-1) ?? '' };
}

async function says(viewer: Viewer, content: string, more: object = {}): Promise<void> {
  const { id } = await createConversation(runDeps(here), viewer, { title: 'Files' });
  await appendTurn(runDeps(here), viewer, { conversationId: id, content, ...more });
}

/** The texts of the files that are still there. */
async function filesOf(blobs: BlobStore, { workspace, userId: ownerId }: Viewer) {
  const texts: string[] = [];
  for await (const key of blobs.list(blobFolder({ workspace, ownerId, session: 'uploads' })))
    texts.push(Buffer.from((await blobs.get(key)) ?? []).toString());
  return texts.sort();
}

const writes = (cypher: string, params: Record<string, unknown>) =>
  writeCypher(here.deps.graph, `${cypher}`, params);

/** Things that name a file, each by itself. */
const NAMES: Record<string, (blobs: BlobStore, person: Person, uri: string) => Promise<unknown>> = {
  'a turn': (_, { viewer }, uri) => says(viewer, `See ${uri}.`),
  'a part of a turn': async (_, { viewer }, uri) => {
    const parts = [{ type: 'image', uri, mediaType: 'image/png', alt: null }];
    await says(viewer, '', { parts });
  },
  'an input of a step': async (_, person, uri) => {
    const tool = await person.createsTool();
    const steps = [toolStep('a', tool.id, { inputs: { id: uri } })];
    await createsProcess(here, person, { steps });
  },
  'the template of a Process': (_, person, uri) =>
    createsProcess(here, person, { outputTemplate: uri }),
  'a Tool': (_, person, uri) => person.createsTool({ description: uri }),
  'what another user shares': async (_, _person, uri) =>
    (await world()).bob.createsTool({ description: uri, shared: true }),
  'the context of a run': async (_, person, uri) => {
    const process = await createsProcess(here, person, { initialContext: ['file'] });
    const context = { file: uri };
    await startProcessRun(runDeps(here), person.viewer, { processId: process.id, context });
  },
  'a payload of a run in the blob store': async (blobs, person, uri) => {
    const process = await createsProcess(here, person, { initialContext: ['file'] });
    const context = { file: `${'x'.repeat(300_000)} ${uri}` };
    const deps = { ...runDeps(here), payloads: createPayloads(blobs) };
    await startProcessRun(deps, person.viewer, { processId: process.id, context });
  },
  'the output of a step, with its slashes escaped': async (_, person, uri) => {
    const process = await createsProcess(here, person);
    const input = { processId: process.id, context: {} };
    const run = await startProcessRun(runDeps(here), person.viewer, input);
    await writes(
      `MATCH (run:ProcessRun {id: $id}) CREATE (run)-[:HAS_STEP_RUN]->(:StepRun {key: $key,
        output: $text})`,
      { id: run.id, key: newId(), text: JSON.stringify({ body: uri.replaceAll('/', '\\/') }) },
    );
  },
  'an event of a session': (blobs, { viewer }, uri) =>
    recordSessionEvents({ ...here.deps, blobs }, viewer, [
      event(newId(), 'prompt:submit', { prompt: uri }),
    ]),
  'an event of a session in the blob store': (blobs, { viewer }, uri) =>
    recordSessionEvents({ ...here.deps, blobs }, viewer, [
      event(newId(), 'prompt:submit', { prompt: `${'x'.repeat(100_000)} ${uri}` }),
    ]),
  'the context of a schedule': (_, { viewer }, uri) =>
    writes(
      `MATCH (u:User {id: $id}) CREATE (:ProcessSchedule:Resource {id: $key, ownerId: $id,
        context: $uri})-[:OWNED_BY]->(u)`,
      { id: viewer.userId, key: newId(), uri },
    ),
  'a Summary': async (_, { viewer }, uri) => {
    const { id } = await createConversation(runDeps(here), viewer, { title: 'Files' });
    const summary = '(:Summary:Resource {id: $key, content: $uri})';
    const input = { id, key: newId(), uri };
    await writes(`MATCH (c:Conversation {id: $id}) CREATE (c)-[:HAS_SUMMARY]->${summary}`, input);
  },
  'a fact': (_, { viewer }, uri) =>
    writes(
      `CREATE (a:Entity {uuid: $key, group_id: $group})-[:RELATES_TO {uuid: $key, group_id: $group,
        fact: $uri}]->(a) CREATE (:FactRef {edgeUuid: $key, owner: $group})`,
      { group: namesOf(viewer.userId)[1], key: newId(), uri },
    ),
};

it('an old upload stays while something of its owner names it, whatever names it', async () => {
  const blobs = inFolder(newId());
  const { ada } = await world();
  await uploads(blobs, ada.viewer);
  const kept = await Promise.all(
    Object.entries(NAMES).map(async ([kind, names]) => {
      const { uri, text } = await uploads(blobs, ada.viewer);
      await names(blobs, ada, uri);
      return [text, kind] as const;
    }),
  );
  await sweeps(blobs, { days: MOMENT });
  const kinds = new Map(kept);
  const found = (await filesOf(blobs, ada.viewer)).map((text) => kinds.get(text));
  expect(found.sort()).toEqual(Object.keys(NAMES).sort());
});

describe.each(stores)('old uploads in %s', (_kind, open) => {
  it('get young by a repeat, also while they are deleted', async () => {
    const blobs = open(newId());
    const ada = await newViewer(here.deps, 'ada');
    const { text, hash } = await uploads(blobs, ada);
    const again = async (...look: Parameters<typeof findNamedHashes>) => {
      const named = await findNamedHashes(...look);
      await uploads(blobs, ada, text);
      return named;
    };
    await sweeps(blobs, { days: MOMENT, findNamed: again });
    expect(await filesOf(blobs, ada)).toEqual([text]);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('old uploads', () => {
  it('are deleted when they are old and only other users name them; each for itself', async () => {
    const blobs = inFolder(newId());
    const ada = await newViewer(here.deps, 'ada');
    const bob = await newViewer(here.deps, 'bob');
    const both = await uploads(blobs, ada);
    await uploads(blobs, bob, both.text);
    await says(bob, both.uri);
    await sweeps(blobs);
    expect(await filesOf(blobs, ada)).toEqual([both.text]);
    await sweeps(blobs, { days: 0 });
    expect(await filesOf(blobs, ada)).toEqual([both.text]);
    await sweeps(blobs, { days: MOMENT });
    expect(await filesOf(blobs, ada)).toEqual([]);
    expect(await filesOf(blobs, bob)).toEqual([both.text]);
    // For a day a late name could have brought it back.
    expect(await keysOf(blobs)).toHaveLength(2);
    await sweeps(blobs, { hours: 0 });
    expect(await keysOf(blobs)).toHaveLength(1);
  });

  it('stay when named after the look, and come back when named a day later', async () => {
    const blobs = inFolder(newId());
    const ada = await newViewer(here.deps, 'ada');
    const [one, late] = [await uploads(blobs, ada), await uploads(blobs, ada)];
    let looks = 0;
    const findNamed = async (...look: Parameters<typeof findNamedHashes>) => {
      const named = await findNamedHashes(...look);
      looks++;
      if (looks === 1) await says(ada, one.uri);
      if (looks === 2) await says(ada, late.uri);
      return named;
    };
    await sweepsOnce(blobs, { days: MOMENT, findNamed });
    expect(looks).toBe(2);
    expect(await filesOf(blobs, ada)).toEqual([one.text]);
    await sweeps(blobs, { days: MOMENT, hours: 0 });
    expect(await filesOf(blobs, ada)).toEqual([one.text, late.text].sort());
    expect(await keysOf(blobs)).toHaveLength(2);
  });

  it('of a user deleted during the sweep do not come back', async () => {
    const blobs = inFolder(newId());
    const leaving = await newViewer(here.deps, 'leaving');
    const { uri } = await uploads(blobs, leaving);
    await uploads(blobs, leaving);
    await says(leaving, uri);
    const findNamed = async (...look: Parameters<typeof findNamedHashes>) => {
      const named = await findNamedHashes(...look);
      await deletes(blobs, leaving);
      return named;
    };
    await sweeps(blobs, { days: MOMENT, findNamed });
    await sweeps(blobs, { hours: 0 });
    expect(await keysOf(blobs)).toEqual([]);
  });
});

it('the sweep looks once for all files of an owner, and not at all where none is old', async () => {
  const blobs = inFolder(newId());
  const ada = await newViewer(here.deps, 'ada');
  const named = await uploads(blobs, ada);
  await says(ada, named.uri);
  const countOf = async (days: number) => {
    const { statements } = await here.deps.graph.counting(() => sweepsOnce(blobs, { days }));
    return statements.filter(({ name }) => name === 'listTextsAfter').length;
  };
  expect(await countOf(90)).toBe(0);
  const once = await countOf(MOMENT);
  expect(once).toBeGreaterThan(40);
  const { workspace, userId: ownerId } = ada;
  await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const text = `${named.uri} ${index}`;
      const key = createHash('sha256').update(text).digest('hex');
      await blobs.put(blobKey({ workspace, ownerId, session: 'uploads', key }), bytes(text));
    }),
  );
  // Before the deletion, and after it.
  expect(await countOf(MOMENT)).toBe(2 * once);
  expect(await filesOf(blobs, ada)).toEqual([named.text]);
});

it('all files stay where the look is ended by the time limit', async () => {
  const blobs = inFolder(newId());
  const ada = await newViewer(here.deps, 'ada');
  const { text } = await uploads(blobs, ada);
  const findNamed = async (graph: World['deps']['graph'], userId: string) =>
    findNamedHashes(graph, userId, AbortSignal.abort());
  await sweeps(blobs, { days: MOMENT, findNamed });
  expect(await filesOf(blobs, ada)).toEqual([text]);
});

describe.each(stores)('blobs that no record names, in %s', (_kind, open) => {
  it('of forgotten runs are deleted; those of runs, sessions and uploads stay', async () => {
    const blobs = open(newId());
    const { ada } = await world();
    const { workspace, userId: ownerId } = ada.viewer;
    const process = await createsProcess(here, ada);
    const input = { processId: process.id, context: {} };
    const run = await startProcessRun(runDeps(here), ada.viewer, input);
    const named = await livesHere(blobs, ada.viewer);
    const at = (session: string, key: string) => blobKey({ workspace, ownerId, session, key });
    const kept = [at(run.id, `${run.id}/a/output`), at(`files-${run.id}`, 'picture.png')];
    const forgotten = newId();
    const gone = [
      at(forgotten, `${forgotten}/a/output`),
      at(`files-${forgotten}`, 'picture.png'),
      at(newId(), 'prompt_submit__1__h.json'),
    ];
    for (const key of [...kept, ...gone]) await blobs.put(key, bytes('x'));
    // Young ones may belong to a transaction that has not committed yet.
    await sweeps(blobs);
    expect(await keysOf(blobs)).toEqual([...named, ...kept, ...gone].sort());
    await sweeps(blobs, { hours: 0 });
    expect(await keysOf(blobs)).toEqual([...named, ...kept].sort());
  });

  it('of a deleted user are deleted, also one that a late step wrote afterwards', async () => {
    const blobs = open(newId());
    const leaving = await newViewer(here.deps, 'leaving');
    const staying = await newViewer(here.deps, 'staying');
    const named = await livesHere(blobs, staying);
    await livesHere(blobs, leaving);
    await deletes(blobs, leaving);
    expect(await keysOf(blobs)).toEqual(named);
    const { workspace, userId: ownerId } = leaving;
    for (const session of [newId(), 'uploads'])
      await blobs.put(blobKey({ workspace, ownerId, session, key: 'late' }), bytes('late'));
    await sweeps(blobs, { hours: 0 });
    expect(await keysOf(blobs)).toEqual(named);
  });

  it('stay where the store holds blobs of another installation', async () => {
    const blobs = open(newId());
    const key = blobKey({ workspace: 'w', ownerId: 'theirs', session: 's', key: 'k' });
    await blobs.put(key, bytes('theirs'));
    await blobs.put(`installations/marks/${newId()}`, new Uint8Array());
    await expect(sweeps(blobs, { hours: 0 })).rejects.toThrow('blobs of another installation');
    expect(await keysOf(blobs)).toEqual([key]);
  });
});

it('blobs are deleted in batches, and each saves its last key', async () => {
  const blobs = inFolder(newId());
  const { workspace, userId: ownerId } = await newViewer(here.deps, 'ada');
  const session = newId();
  const puts = (n: number) => {
    const key = `k${String(n).padStart(4, '0')}`;
    return blobs.put(blobKey({ workspace, ownerId, session, key }), bytes('x'));
  };
  for (let from = 0; from < 1_100; from += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => puts(from + index)));
  const checkpoints = await sweeps(blobs, { hours: 0 });
  expect(checkpoints.filter(Boolean).length).toBeGreaterThanOrEqual(2);
  expect(checkpoints.at(-1)).toBe('');
  expect(await keysOf(blobs)).toEqual([]);
});

it('a draft that a crashed writer left in a folder is deleted, too', async () => {
  const name = newId();
  const blobs = inFolder(name);
  const { workspace, userId: ownerId } = await newViewer(here.deps, 'ada');
  const key = blobKey({ workspace, ownerId, session: 'uploads', key: 'k' });
  await blobs.put(key, bytes('whole'));
  await writeFile(join(folder, name, `${key}.${newId()}.draft`), 'half');
  await sweeps(blobs, { hours: 0 });
  expect(await keysOf(blobs)).toEqual([key]);
  const files = await readdir(join(folder, name, workspace, ownerId, 'uploads'));
  expect(files).toEqual(['k']);
});
