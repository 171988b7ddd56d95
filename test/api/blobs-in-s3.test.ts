import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { s3Store } from '../../src/platform/blobs/s3-store.ts';
import { client, freshName } from '../testkit/client.ts';
import { S3_BUCKET, S3_CREDENTIALS, type S3Server, startS3 } from '../testkit/s3-server.ts';
import { event, records } from '../testkit/streams.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const FILE = fileURLToPath(new URL('../testkit/api-process.ts', import.meta.url));
const URI = `s3://${S3_BUCKET}/aiden`;

let bucket: S3Server;
let api: ChildProcess;
let url = '';
const dataDir = tempFolder('s3-api');
beforeAll(async () => {
  bucket = await startS3();
  api = fork(FILE, {
    execArgv: [],
    env: {
      ...process.env,
      AIDEN_DATA_DIR: dataDir,
      AIDEN_BLOBS: URI,
      AIDEN_S3_ENDPOINT: bucket.endpoint,
      AIDEN_S3_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
      AIDEN_S3_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
    },
  });
  [{ url }] = (await once(api, 'message')) as [{ url: string }];
});
afterAll(async () => {
  const ended = once(api, 'exit');
  api.disconnect();
  await ended;
  await bucket.stop();
});

const BLOB = `query ($uri: String!, $offset: Int, $length: Int) {
  blob(uri: $uri, offset: $offset, length: $length) { size content nextOffset } }`;

it('S0-BLOB-01, -02: AIDEN_BLOBS=s3://… keeps payloads in a bucket, for their owner', async () => {
  const ada = client(freshName('ada'), { url });
  const session = freshName('session');
  const prompt = `${'ä'.repeat(50_000)}${'z'.repeat(20_000)}`;
  const recorded = await records(ada, [event(session, 'prompt:submit', { prompt })]);
  expect(recorded).toMatchObject({ recorded: 1, userErrors: [] });

  const sessionEvents = await ada.one<{ nodes: { data: { $blob_ref: string } }[] }>(
    '{ sessionEvents { nodes { data } } }',
  );
  const uri = sessionEvents.nodes[0]?.data.$blob_ref ?? '';
  expect(uri).toMatch(new RegExp(`^ci-blob://${session}/`));

  const whole = JSON.stringify({ prompt });
  const size = Buffer.byteLength(whole);
  const parts: Buffer[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const { blob }: { blob: { size: number; content: string; nextOffset: number | null } } =
      await ada.query(BLOB, { uri, offset, length: 50_001 });
    expect(blob.size).toBe(size);
    parts.push(Buffer.from(blob.content, 'base64'));
    offset = blob.nextOffset;
  }
  expect(parts.map(({ length }) => length)).toEqual([50_001, 50_001, size - 100_002]);
  expect(Buffer.concat(parts).toString()).toBe(whole);
  expect(await client(freshName('bob'), { url }).query(BLOB, { uri })).toEqual({ blob: null });

  // In the bucket under the owner's place, and nowhere on this machine.
  const viewer = await ada.one<{ id: string; workspace: string }>('{ viewer { id workspace } }');
  const store = s3Store({ uri: URI, endpoint: bucket.endpoint, credentials: S3_CREDENTIALS });
  const key = `${viewer.workspace}/${viewer.id}/${uri.slice('ci-blob://'.length)}`;
  expect(await store.size(key)).toBe(size);
  const kept = await readdir(dataDir, { recursive: true });
  expect(kept.filter((name) => name.includes(session))).toEqual([]);
});
