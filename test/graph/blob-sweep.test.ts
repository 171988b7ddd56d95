import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteUserData } from '../../src/personal-data/delete-user.service.ts';
import { type BlobStore, blobKey, openBlobStore } from '../../src/platform/blobs/blob-store.ts';
import { s3Store } from '../../src/platform/blobs/s3-store.ts';
import { sweepBlobs } from '../../src/retention/blob-sweep.job.ts';
import { startProcessRun } from '../../src/runs/run/run.mutations.ts';
import { uploadFile } from '../../src/session-graph/events/file-upload.service.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import type { Viewer } from '../../src/users/user.ts';
import { runDeps } from '../testkit/conversations.ts';
import { newId } from '../testkit/outbox.ts';
import { createsProcess } from '../testkit/processes.ts';
import { S3_BUCKET, S3_CREDENTIALS, type S3Server, startS3 } from '../testkit/s3-server.ts';
import { event } from '../testkit/streams.ts';
import { newViewer, type World, world } from '../testkit/world.ts';

let here: World;
let server: S3Server;
let folder = '';
beforeAll(async () => {
  [here, server, folder] = await Promise.all([
    world(),
    startS3(),
    mkdtemp(join(tmpdir(), 'aiden-sweep-')),
  ]);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const never = new AbortController().signal;
const bytes = (text: string) => new TextEncoder().encode(text);

/** Repeats the job as its Schedule would. The first run in a graph only marks the store. */
async function sweeps(blobs: BlobStore, more: { readonly hours?: number } = {}) {
  const checkpoints: (string | undefined)[] = [];
  const progress = async (at: { readonly checkpoint?: string }) =>
    void checkpoints.push(at.checkpoint);
  const settings = { ofUser: ['uploads', 'exports'], ...more };
  // A bucket dates blobs in whole seconds, and the mark has to be younger than all of them.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  for (const _day of [1, 2]) {
    const jobRun = { checkpoint: null, signal: never, progress };
    await sweepBlobs({ ...here.deps, blobs }, jobRun, settings);
  }
  return checkpoints;
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
  await recordSessionEvents({ ...here.deps, blobs }, viewer, [
    event(session, 'prompt:submit', large),
  ]);
  await uploadFile({ blobs }, viewer, { content: Buffer.from(newId()).toString('base64') });
  return keysOf(blobs);
}

const stores: [string, (name: string) => BlobStore][] = [
  ['a folder', (name) => openBlobStore(pathToFileURL(join(folder, name)).href)],
  [
    'a bucket',
    (name) =>
      s3Store({
        uri: `s3://${S3_BUCKET}/${name}`,
        endpoint: server.endpoint,
        credentials: S3_CREDENTIALS,
      }),
  ],
];

describe.each(stores)('blobs that no record names, in %s', (_kind, open) => {
  it('of forgotten runs are found by listing and deleted; those of runs, sessions and uploads stay', async () => {
    const blobs = open(newId());
    const { ada } = await world();
    const { workspace, userId: ownerId } = ada.viewer;
    const process = await createsProcess(here, ada);
    const run = await startProcessRun(runDeps(here), ada.viewer, {
      processId: process.id,
      context: {},
    });
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
    const deps = {
      ...here.deps,
      blobs,
      queuePrefix: 'x-',
      schedules: { remove: async () => {} },
      histories: { deleteAll: async () => 0 },
    };
    await deleteUserData(deps, leaving.userId, async () => {}, never);
    expect(await keysOf(blobs)).toEqual(named);
    const { workspace, userId: ownerId } = leaving;
    for (const session of [newId(), 'uploads'])
      await blobs.put(blobKey({ workspace, ownerId, session, key: 'late' }), bytes('late'));
    await sweeps(blobs, { hours: 0 });
    expect(await keysOf(blobs)).toEqual(named);
  });

  it('are deleted in batches; each saves its last key, and a later run goes on after it', async () => {
    const blobs = open(newId());
    const { workspace, userId: ownerId } = await newViewer(here.deps, 'ada');
    const session = newId();
    for (let from = 0; from < 1_100; from += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          blobs.put(
            blobKey({
              workspace,
              ownerId,
              session,
              key: `k${String(from + index).padStart(4, '0')}`,
            }),
            bytes('x'),
          ),
        ),
      );
    const all = await keysOf(blobs);
    const after = all[999] ?? '';
    const seen: string[] = [];
    for await (const { key } of blobs.listByAge(null, after)) seen.push(key);
    expect(seen.filter((key) => !key.startsWith('installations/'))).toEqual(all.slice(1_000));
    const checkpoints = await sweeps(blobs, { hours: 0 });
    expect(checkpoints.filter(Boolean).length).toBeGreaterThanOrEqual(2);
    expect(checkpoints.at(-1)).toBe('');
    expect(await keysOf(blobs)).toEqual([]);
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

it('a draft that a crashed writer left in a folder is deleted, too', async () => {
  const name = newId();
  const blobs = openBlobStore(pathToFileURL(join(folder, name)).href);
  const { workspace, userId: ownerId } = await newViewer(here.deps, 'ada');
  const key = blobKey({ workspace, ownerId, session: 'uploads', key: 'k' });
  await blobs.put(key, bytes('whole'));
  await writeFile(join(folder, name, `${key}.${newId()}.draft`), 'half');
  await sweeps(blobs, { hours: 0 });
  expect(await keysOf(blobs)).toEqual([key]);
  const files = await readdir(join(folder, name, workspace, ownerId, 'uploads'));
  expect(files).toEqual(['k']);
});
