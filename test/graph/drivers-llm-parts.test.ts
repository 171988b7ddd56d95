import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import {
  createGraph,
  defaultActive,
  projectMessages,
  type RunEvent,
  reduceEvent,
  toConversation,
} from '../../packages/client/src/conversation-graph/index.ts';
import { ATTACHMENT_BYTES_MAX } from '../../src/common/limits.ts';
import type { ToolFault } from '../../src/common/tool-fault.ts';
import { blobKey } from '../../src/platform/blobs/blob-store.ts';
import { llmDriver } from '../../src/platform/drivers/llm-call.ts';
import { type Egress, openEgress } from '../../src/platform/egress/egress.ts';
import { openRenderer } from '../../src/platform/renderer/renderer.ts';
import { driverCall } from '../testkit/driver-calls.ts';
import { openScriptedLlm } from '../testkit/scripted-llm.ts';
import { tempBlobs } from '../testkit/temp-folder.ts';
import {
  distrustTestCertificate,
  TEST_CERTIFICATE,
  TEST_KEY,
  trustTestCertificate,
} from '../testkit/tls.ts';

// Images and files in messages, as providers get them.

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from('a picture')]);
const PDF = Buffer.from('%PDF-1.7 a page');
const blobs = tempBlobs();
const renderer = openRenderer();
const web = createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (request, response) => {
  if (request.url === '/dog.png') response.end(PNG);
  else if (request.url === '/large.png') response.end(Buffer.alloc(ATTACHMENT_BYTES_MAX + 1));
  else response.writeHead(404).end();
});
let count = 0;
trustTestCertificate();
await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
const origin = `https://secure.example:${(web.address() as AddressInfo).port}`;
const llm = await openScriptedLlm();
const rules = { allow: [], platformPorts: [], systemOrigins: [] };
const lookup = async () => ['127.0.0.1'];
const egress = openEgress({ ...rules, mode: 'dev', lookup });
const guarded = openEgress({ ...rules, mode: 'production', lookup });
const put = (ownerId: string, key: string, bytes: Uint8Array) =>
  blobs.put(blobKey({ workspace: 'workspace-1', ownerId, session: 'uploads', key }), bytes);
await put('owner-1', 'dog', PNG);
await put('owner-1', 'page', PDF);
await put('owner-1', 'table', Buffer.from('name,age\nAda,36'));
await put('owner-1', 'large', Buffer.alloc(ATTACHMENT_BYTES_MAX + 1));
await put('owner-2', 'secret', PNG);
afterAll(async () => {
  distrustTestCertificate();
  await Promise.all([egress.close(), guarded.close(), renderer.close(), llm.close()]);
  web.closeAllConnections();
  await new Promise((resolve) => web.close(resolve));
});

const image = (uri: string) => ({ type: 'image', uri, mediaType: 'image/png', alt: null });
const file = (key: string, mediaType: string, name: string) => ({
  type: 'file',
  uri: `ci-blob://uploads/${key}`,
  mediaType,
  name,
});
/** The messages that the provider gets for a history. */
async function speaks(api: 'openai' | 'anthropic', history: readonly unknown[], out = egress) {
  const model = `parts-${++count}`;
  const connectionParams = { endpoint: llm[api], model, maxTokens: 100, api };
  await llmDriver({ egress: out, renderer, blobs }).invoke(
    driverCall(
      { type: 'llm_call', promptTemplate: '', messages: 'history' },
      { connectionParams },
      { inputs: { history } as never },
    ),
  );
  const [request] = llm.requestsOf(model);
  return (request?.body['messages'] as Record<string, unknown>[] | undefined) ?? [];
}
const sends = (api: 'openai' | 'anthropic', parts: unknown, out = egress) => {
  const asked = image('https://never.example/asked.png');
  const history = [
    { role: 'assistant', content: 'Yes?', parts: [asked] },
    { role: 'user', content: 'Look! [image]', parts },
  ];
  return speaks(api, history, out);
};
const fault = (parts: unknown, out?: Egress) =>
  sends('openai', parts, out).then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: ToolFault) => error,
  );

describe('llm_call with images and files (S1-NODE-03)', () => {
  const base64 = PNG.toString('base64');

  it('sends an image of a blob or an address to an OpenAI-compatible model as bytes', async () => {
    const parts = [
      { type: 'text', text: 'Look!' },
      image('ci-blob://uploads/dog'),
      image(`${origin}/dog.png`),
      file('page', 'application/pdf', 'page.pdf'),
      file('table', 'text/csv', 'people.csv'),
    ];
    const url = `data:image/png;base64,${base64}`;
    expect(await sends('openai', parts)).toEqual([
      { role: 'assistant', content: 'Yes?' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look!' },
          { type: 'image_url', image_url: { url } },
          { type: 'image_url', image_url: { url } },
          {
            type: 'file',
            file: {
              filename: 'page.pdf',
              file_data: `data:application/pdf;base64,${PDF.toString('base64')}`,
            },
          },
          { type: 'text', text: 'File people.csv:\nname,age\nAda,36' },
        ],
      },
    ]);
  });

  it('sends them to Anthropic in its own form', async () => {
    const parts = [image('ci-blob://uploads/dog'), file('page', 'application/pdf', 'page.pdf')];
    const [, said] = await sends('anthropic', parts);
    expect(said?.['content']).toMatchObject([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf' } },
    ]);
  });

  it('reads no blob of others, no private address, and no part of a wrong type', async () => {
    const denied = await fault([image(`${origin}/dog.png`)], guarded);
    expect(denied.code).toBe('EGRESS_DENIED');
    const codes = async (parts: unknown) => {
      const { code, message } = await fault(parts);
      return `${code}: ${message}`;
    };
    expect(await codes([image('ci-blob://uploads/secret')])).toMatch(/^INPUT_INVALID: .*no blob/);
    expect(await codes([image('ci-blob://uploads/page')])).toMatch(/^INPUT_INVALID: .*image\/png/);
    expect(await codes([image('http://secure.example/dog.png')])).toMatch(/^INPUT_INVALID/);
    expect(await codes([image('file:///etc/passwd')])).toMatch(/^INPUT_INVALID/);
    expect(await codes([image(`${origin}/gone.png?signature=x`)])).toMatch(
      /^TOOL_FAILED: [^?]*answered 404/,
    );
    expect(await codes([image('ci-blob://uploads/large')])).toMatch(/^PAYLOAD_TOO_LARGE/);
    expect(await codes([image(`${origin}/large.png`)])).toMatch(/^PAYLOAD_TOO_LARGE/);
    expect(await codes([{ type: 'video', uri: `${origin}/a`, mediaType: 'video/mp4' }])).toMatch(
      /^INPUT_INVALID/,
    );
    expect(await codes('parts')).toMatch(/^INPUT_INVALID/);
    expect(await codes([null])).toMatch(/^INPUT_INVALID/);
    expect(await codes(Array.from({ length: 21 }, () => ({ type: 'text', text: 'x' })))).toMatch(
      /^INPUT_INVALID/,
    );
  });
});

describe('llm_call with a projected conversation (S1-PROJ-02)', () => {
  const events: readonly RunEvent[] = [
    {
      kind: 'user',
      runId: 'q',
      content: [{ type: 'text', text: 'Which towns?' }, image('ci-blob://uploads/dog')],
    },
    { kind: 'harness_start', runId: 'r', agentId: 'p', parentId: 'q:user' },
    { kind: 'text', id: 't1', runId: 'r', content: 'I look.' },
    { kind: 'tool_call', id: 'c1', runId: 'r', name: 'find', input: { near: 'Trier' } },
    { kind: 'tool_call', id: 'c2', runId: 'r', name: 'lost', input: {} },
    { kind: 'tool_result', id: 'c1', runId: 'r', name: 'find', output: ['Konz'] },
    { kind: 'text', id: 't2', runId: 'r', content: 'Konz.' },
    { kind: 'harness_end', runId: 'r', agentId: 'p' },
    { kind: 'user', runId: 'q2', content: 'Thanks. And then?', parentId: 'r:harness_end' },
  ];
  const talk = toConversation(events.reduce(reduceEvent, createGraph()));
  const messages = projectMessages(talk, defaultActive(talk));

  it('takes it as it is, with calls of tools, their results and parts', async () => {
    const [asked, calling, result, ...rest] = await speaks('openai', messages);
    expect(asked?.['content']).toMatchObject([{ text: 'Which towns?' }, { type: 'image_url' }]);
    expect(calling).toMatchObject({
      role: 'assistant',
      tool_calls: [{ id: 'c1', function: { name: 'find', arguments: '{"near":"Trier"}' } }],
    });
    expect(result).toMatchObject({ role: 'tool', tool_call_id: 'c1', content: '["Konz"]' });
    expect(rest).toEqual([
      { role: 'assistant', content: 'Konz.' },
      { role: 'user', content: 'Thanks. And then?' },
    ]);
    expect((await speaks('anthropic', messages)).length).toBeGreaterThan(3);
  });

  it('leaves out a call without a result and a result without a call', async () => {
    const call = { id: 'c9', name: 'find', input: null };
    const lonely = { role: 'tool', toolCallId: 'c8', name: 'find', content: null };
    const said = await speaks('openai', [
      lonely,
      { role: 'user', content: 'Hello?' },
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'assistant', content: 'Hm.', toolCalls: [call] },
      { role: 'user', content: 'Well?' },
    ]);
    expect(said.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: Hello?',
      'assistant: Hm.',
      'user: Well?',
    ]);
  });

  it('names the message that is none', async () => {
    for (const [wrong, words] of [
      [7, 'an object'],
      [{ role: 'robot', content: 'x' }, 'the role'],
      [{ role: 'user', content: 7 }, 'a text'],
      [{ role: 'user', content: 'x', toolCalls: [{ id: 'c', name: 'n' }] }, 'toolCalls'],
      [{ role: 'assistant', content: 'x', toolCalls: [{ name: 'n' }] }, 'toolCalls'],
      [{ role: 'tool', content: 'x' }, 'toolCallId'],
    ] as const)
      await expect(speaks('openai', [{ role: 'user', content: 'x' }, wrong])).rejects.toThrow(
        new RegExp(`"history\\.1" .*${words}`),
      );
  });
});
