import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { readTrustedDocuments } from '../../src/main/config/trusted-documents.ts';
import { startApi, type TestApi } from '../testkit/api-server.ts';
import { freshName } from '../testkit/client.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

// docs/decisions/0055
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const authorization = `Bearer dev:${freshName('ada')}`;

interface Sent {
  readonly status: number;
  readonly body: {
    readonly data?: { readonly viewer?: { readonly name: string } } | null;
    readonly errors?: { message: string; extensions: { code: string } }[];
  };
}
async function send(url: string, init: RequestInit = {}): Promise<Sent> {
  const headers = { 'content-type': 'application/json', authorization };
  const response = await fetch(url, { headers, ...init });
  return { status: response.status, body: (await response.json()) as Sent['body'] };
}
const post = (api: TestApi, body: object) =>
  send(`${api.url}/graphql`, { method: 'POST', body: JSON.stringify(body) });
const get = (api: TestApi, params: Record<string, string>) =>
  send(`${api.url}/graphql?${new URLSearchParams(params)}`);
const persisted = (sha256Hash: unknown, version = 1) => ({
  persistedQuery: { version, sha256Hash },
});
const code = ({ status, body }: Sent) => [status, body.errors?.[0]?.extensions.code];

/** The first answer over graphql-ws, or the errors that it was refused with. */
function overSocket(api: TestApi, payload: { query: string; extensions?: object }) {
  const ws = createWsClient({
    url: `${api.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization },
    retryAttempts: 0,
  });
  return new Promise((resolve) => {
    ws.subscribe(payload as { query: string; extensions?: Record<string, unknown> }, {
      next: resolve,
      error: resolve,
      complete() {},
    });
  }).finally(() => void ws.dispose());
}

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('automatic persisted queries', () => {
  it('are asked for once, kept, and run by their hash, over POST and GET', async () => {
    const query = `query ${freshName('q').replaceAll('-', '_')} { viewer { name } }`;
    const extensions = persisted(sha256(query));
    const first = await post(api, { extensions });
    const message = 'PersistedQueryNotFound';
    const errors = [{ message, extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }];
    expect(first).toEqual({ status: 200, body: { errors } });
    expect((await post(api, { query, extensions })).body.data?.viewer?.name).toMatch(/^ada/);
    expect((await post(api, { extensions })).body.data?.viewer?.name).toMatch(/^ada/);
    const byGet = await get(api, { extensions: JSON.stringify(extensions) });
    expect(byGet.body.data?.viewer?.name).toMatch(/^ada/);
    const socket = await overSocket(api, { query: '', extensions });
    expect(socket).toMatchObject({ data: { viewer: { name: expect.stringMatching(/^ada/) } } });
  });

  it('are not kept under a hash that is not theirs, and no mutation runs by GET', async () => {
    const query = '{ viewer { id name } }';
    const wrong = persisted(sha256('{ viewer { id } }'));
    expect(code(await post(api, { query, extensions: wrong }))).toEqual([400, 'BAD_USER_INPUT']);
    expect(code(await post(api, { extensions: wrong }))).toEqual([
      200,
      'PERSISTED_QUERY_NOT_FOUND',
    ]);
    const mutation = 'mutation { probeWrite(refuse: true) { user { id } } }';
    const extensions = persisted(sha256(mutation));
    await post(api, { query: mutation, extensions });
    expect((await get(api, { extensions: JSON.stringify(extensions) })).status).toBe(405);
  });

  it.each([persisted('x', 2), persisted(7), persisted(''), { persistedQuery: 'x' }])(
    'refuse %j',
    async (extensions) => {
      expect(code(await post(api, { extensions }))).toEqual([400, 'BAD_USER_INPUT']);
    },
  );

  it('over a socket: an unknown hash is an error in the terms of the protocol', async () => {
    expect(
      await overSocket(api, { query: '', extensions: persisted('0'.repeat(64)) }),
    ).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
  });
});

describe('trusted documents', () => {
  let strict: TestApi;
  const folder = tempFolder('documents');
  const NAME = 'query Name { viewer { name } }';
  beforeAll(async () => {
    await writeFile(
      join(folder, 'viewer.graphql'),
      'query Who { viewer { ...Names } }\nquery Ids { viewer { id } }',
    );
    await writeFile(join(folder, 'names.gql'), 'fragment Names on User { name roles }');
    await writeFile(join(folder, 'relay.json'), JSON.stringify({ a1b2: NAME }));
    const operations = [{ id: 'x9', name: 'Roles', type: 'query', body: '{ viewer { roles } }' }];
    const apollo = { format: 'apollo-persisted-query-manifest', version: 1, operations };
    await writeFile(join(folder, 'apollo.json'), JSON.stringify(apollo));
    const paths = [folder, join(folder, 'relay.json'), join(folder, 'apollo.json')];
    strict = await startApi({ trustedDocuments: readTrustedDocuments(paths) });
  });
  afterAll(() => strict.stop());

  it('run by their id, as each client names it', async () => {
    for (const params of [
      { extensions: persisted('a1b2') },
      { documentId: 'a1b2' },
      { documentId: 'x9' },
      { query: NAME },
    ])
      expect((await post(strict, params)).body.data?.viewer).toBeTruthy();
    expect((await get(strict, { documentId: 'a1b2' })).body.data?.viewer?.name).toMatch(/^ada/);
    const socket = await overSocket(strict, { query: '', extensions: persisted('a1b2') });
    expect(socket).toMatchObject({ data: { viewer: { name: expect.stringMatching(/^ada/) } } });
  });

  it('run by their text in any formatting, with fragments and __typename', async () => {
    const query = `fragment Names on User { name, roles, __typename } query Who { viewer { ...Names
        __typename } }`;
    expect((await post(strict, { query })).body.data?.viewer?.name).toMatch(/^ada/);
  });

  it.each([
    '{ viewer { name } }',
    'query Name { viewer { name id } }',
    'query Name { viewer { name } } query More { viewer { id } }',
    '{ __schema { queryType { name } } }',
    '{ viewer {',
  ])('are the only ones: "%s" is refused', async (query) => {
    expect(code(await post(strict, { query }))).toEqual([403, 'FORBIDDEN']);
    expect(code(await get(strict, { query }))).toEqual([403, 'FORBIDDEN']);
    expect(await overSocket(strict, { query })).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  it('are no longer taught by clients: an unknown hash stays unknown', async () => {
    const query = '{ viewer { id workspace } }';
    const extensions = persisted(sha256(query));
    expect(code(await post(strict, { query, extensions }))).toEqual([403, 'FORBIDDEN']);
    expect(code(await post(strict, { extensions }))).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
  });

  it('are named where they can not be read', async () => {
    const list = join(folder, 'list.json');
    await writeFile(list, '["{ viewer { id } }"]');
    expect(() => readTrustedDocuments([list])).toThrow(/AIDEN_TRUSTED_DOCUMENTS: .*list\.json/);
    const none = join(folder, 'none');
    expect(() => readTrustedDocuments([none])).toThrow(/none can't be read/);
    const half = join(folder, 'half.graphql');
    await writeFile(half, 'query Half { viewer { ...Missing } }');
    expect(() => readTrustedDocuments([half])).toThrow(/no fragment Missing/);
    await rm(half);
  });
});

describe('subscriptions over HTTP', () => {
  const multipart = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0", application/json';

  const asks = (query: string) =>
    fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: multipart, authorization },
      body: JSON.stringify({ query }),
    });

  it('come as parts of one response where Apollo Client asks for it', async () => {
    const response = await asks('subscription { probeTicks(count: 3) }');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(
      'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
    );
    const parts = (await response.text()).split('\r\n--graphql');
    expect([parts.at(0), parts.at(-1)]).toEqual(['', '--\r\n']);
    const values = parts.slice(1, -1).map((part) => {
      const [head = '', body = ''] = part.split('\r\n\r\n');
      expect(head.trim()).toBe('Content-Type: application/json');
      return JSON.parse(body);
    });
    expect(values.map(({ payload }) => payload.data.probeTicks)).toEqual([0, 1, 2]);
    // One that is refused comes as JSON, also to a client that reads parts.
    const refused = await asks('subscription { nothing }');
    expect(refused.headers.get('content-type')).toContain('application/json');
    expect(await refused.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
  });

  it('in the single connection mode of graphql-sse are refused with the way to do it', async () => {
    const refused = await fetch(`${api.url}/graphql`, {
      method: 'PUT',
      headers: { authorization },
    });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
    expect(await refused.json()).toMatchObject({
      errors: [{ message: expect.stringMatching(/singleConnection.*graphql-ws/) }],
    });
    const sse = createSseClient({
      url: `${api.url}/graphql`,
      singleConnection: true,
      headers: { authorization },
      retryAttempts: 0,
    });
    const error = await new Promise((resolve) => {
      sse.subscribe(
        { query: '{ viewer { id } }' },
        { next: resolve, error: resolve, complete() {} },
      );
    });
    expect(String(error)).toContain('405');
    sse.dispose();
  });
});
