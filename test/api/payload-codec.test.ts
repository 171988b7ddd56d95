import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CODEC_PATH } from '../../src/main/http/codec-route.ts';
import { openPayloadCodec } from '../../src/platform/temporal/payload-codec.ts';
import { startApi, type TestApi } from '../testkit/api-server.ts';

// docs/decisions/0036: Temporal's codec protocol, as its web UI and command line speak it.
const UI = 'http://temporal.example:8233';
const keys = [{ id: 3, key: Buffer.alloc(32, 3) }];
const base64 = (text: string) => Buffer.from(text).toString('base64');
const PLAIN = { metadata: { encoding: base64('json/plain') }, data: base64('"hello"') };

let api: TestApi;
beforeAll(async () => {
  const codec = openPayloadCodec({ keys, encrypts: true });
  api = await startApi({ temporalUi: UI }, undefined, { codec });
});
afterAll(() => api.stop());

const post = (work: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${CODEC_PATH}/${work}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer dev:root:admin',
      'x-namespace': 'default',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('the codec endpoint for Temporal', () => {
  it('encrypts and decrypts for an admin', async () => {
    const encoded = await (await post('encode', { payloads: [PLAIN, PLAIN] })).json();
    const [first] = (encoded as { payloads: (typeof PLAIN)[] }).payloads;
    expect(first?.metadata.encoding).toBe(base64('binary/encrypted'));
    expect(first?.data).not.toBe(PLAIN.data);
    const decoded = await post('decode', encoded);
    expect(await decoded.json()).toEqual({ payloads: [PLAIN, PLAIN] });
  });

  it('is closed to others than admins', async () => {
    const user = await post('decode', { payloads: [] }, { authorization: 'Bearer dev:ada' });
    expect(user.status).toBe(403);
    const nobody = await post('decode', { payloads: [] }, { authorization: 'Bearer nonsense' });
    expect(nobody.status).toBe(401);
  });

  it("lets browsers call it from the origin of Temporal's UI only", async () => {
    const url = `${api.url}${CODEC_PATH}/decode`;
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: UI } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(UI);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-namespace');
    const elsewhere = { origin: 'https://evil.example' };
    expect((await fetch(url, { method: 'OPTIONS', headers: elsewhere })).status).toBe(403);
    expect((await post('decode', { payloads: [] }, elsewhere)).status).toBe(403);
    const graphql = await fetch(`${api.url}/graphql`, {
      method: 'OPTIONS',
      headers: { origin: UI },
    });
    expect(graphql.status).toBe(403);
  });

  it('names the key of payloads that it cannot read', async () => {
    const other = openPayloadCodec({ keys: [{ id: 9, key: Buffer.alloc(32) }], encrypts: true });
    const [foreign] = await other.encode([{ data: Buffer.from('x') }]);
    const inJson = {
      metadata: {
        encoding: base64('binary/encrypted'),
        'encryption-key-id': base64('9'),
      },
      data: Buffer.from(foreign?.data ?? []).toString('base64'),
    };
    const answer = await post('decode', { payloads: [inJson] });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain('key 9');
  });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no payloads', '{}'],
    ['payloads of another shape', '{"payloads": [1]}'],
    ['metadata that is no object', '{"payloads": [{"metadata": 5}]}'],
    [
      'an encrypted payload without data',
      `{"payloads": [{"metadata": {"encoding": "${base64('binary/encrypted')}", ` +
        `"encryption-key-id": "${base64('3')}"}}]}`,
    ],
  ])('answers 400 to %s', async (_what, body) => {
    expect((await post('decode', body)).status).toBe(400);
  });

  it.each([
    // protobufjs copies 4e9 bytes of a value that looks like a list (issue 39).
    [
      '{"payloads":[{"metadata":{"a":{"length":4e9}}}]}',
      ['payloads[0].metadata.a is no base64 text'],
    ],
    ['{"payloads":[{"data":{"length":1e9}}]}', ['payloads[0].data is no base64 text']],
    ['{"payloads":[{"data":[1,2,3]}]}', ['payloads[0].data is no base64 text']],
    ['{"payloads":[{"data":"a b"},{"data":7},{}]}', ['payloads[0].data', 'payloads[1].data']],
    [
      '{"payloads":[{"metadata":{"__proto__":"YQ=="},"data":"%%"},[]]}',
      ['has the name __proto__', 'payloads[0].data', 'payloads[1] is no object'],
    ],
    [
      `{"payloads":[{"metadata":{${Array.from({ length: 51 }, (_, at) => `"m${at}":""`)}}}]}`,
      ['payloads[0].metadata is no object of at most 50'],
    ],
    [`{"payloads":[{"metadata":{"${'x'.repeat(39)}😀":1}}]}`, ['is no base64 text']],
    [`{"payloads":[${Array.from({ length: 30 }, () => '1')}]}`, ['payloads[19] is', '10 more']],
  ])('names all that is no base64 text: %s', async (body, problems) => {
    const answer = await post('decode', body);
    expect(answer.status).toBe(400);
    const { errors } = (await answer.json()) as { errors: { message: string }[] };
    for (const problem of problems) expect(errors[0]?.message).toContain(problem);
    expect(errors[0]?.message.isWellFormed()).toBe(true);
  });

  it('takes both alphabets of base64, with and without =', async () => {
    const encoding = base64('json/plain');
    const bytes = Buffer.from([0xfb, 0xff, 0xfe, 0x01]);
    for (const data of [bytes.toString('base64'), bytes.toString('base64url')]) {
      const answer = await post('decode', {
        payloads: [{ metadata: { encoding }, data, more: 1 }],
      });
      expect(await answer.json()).toEqual({
        payloads: [{ metadata: { encoding }, data: bytes.toString('base64') }],
      });
    }
  });

  it('reads a body of at most 16 MiB', async () => {
    const body = `{"payloads":[{"data":"${'A'.repeat(17 * 1024 * 1024)}"}]}`;
    expect((await post('decode', body)).status).toBe(413);
  });

  it('answers 415 to a form', async () => {
    const form = { 'content-type': 'text/plain' };
    expect((await post('decode', '{"payloads":[]}', form)).status).toBe(415);
  });
});
