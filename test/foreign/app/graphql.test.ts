import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { startApi } from '../../testkit/api-server.ts';
import { freshName, client as signsIn } from '../../testkit/client.ts';
import { POSTED, type Posted, SOCKETS } from '../graphql.cases.ts';

// Requests of GraphQL clients as they reach /graphql.

const { url, authorization } = signsIn(freshName('ada'));

function sends({ method = 'POST', path = '/graphql', search, headers, body, isGzip }: Posted) {
  const query = search === undefined ? '' : `?${new URLSearchParams(search)}`;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${new URL(url).origin}${path}${query}`, {
    method,
    headers: {
      authorization,
      accept: 'application/graphql-response+json, application/json;q=0.9',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isGzip === true ? { 'content-encoding': 'gzip' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isGzip === true ? gzipSync(text) : text }),
  });
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { message: string; extensions: { code: string } }[];
}

describe('a request of a GraphQL client', () => {
  it.each(POSTED)('$title', async ({ input, right }) => {
    const startedMs = performance.now();
    const response = await sends(input);
    const text = await response.text();
    const shown = `${response.status} ${text.slice(0, 300)}`;
    expect(response.status, shown).toBe(right.status);
    const { data, errors } = JSON.parse(text) as Answer;
    if (right.data !== undefined) expect(data, shown).toMatchObject(right.data as object);
    expect(errors?.[0]?.extensions.code, shown).toBe(right.code);
    if (right.words !== undefined) expect(errors?.[0]?.message).toMatch(right.words);
    if (right.type !== undefined) expect(response.headers.get('content-type')).toMatch(right.type);
    // Others wait while a document is checked.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });
});

describe('a peer of a GraphQL socket', () => {
  it.each(SOCKETS)('$title', async ({ input, right }) => {
    const { protocols = ['graphql-transport-ws'], path = '/graphql', writes } = input;
    const address = `${new URL(url).origin.replace('http', 'ws')}${path}`;
    const socket = new WebSocket(address, [...protocols], { headers: { authorization } });
    const heard: object[] = [];
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    // The peer waits for the answer to its first sign-in.
    const signIn = writes.findIndex((one) => (one as { type?: string }).type === 'connection_init');
    const early = signIn < 0 ? writes : writes.slice(0, signIn + 1);
    const write = (some: readonly unknown[]) => {
      for (const one of some) socket.send(typeof one === 'string' ? one : JSON.stringify(one));
    };
    socket.on('open', () => write(early));
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { readonly type: string };
      heard.push(message);
      if (message.type === 'connection_ack') write(writes.slice(early.length));
    });
    if ('close' in right) {
      const [code, reason] = await closed;
      expect([code, String(reason)]).toEqual([
        right.close,
        expect.stringMatching(right.words ?? /./),
      ]);
      return;
    }
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(right.hears.length);
    expect(heard).toMatchObject(right.hears);
    socket.close();
    await closed;
  });
});

// enisdenjo/graphql-ws#126: clients never connect again after 4401.
it('a socket that signs in while a service is away is told to connect again', async () => {
  vi.stubEnv('NEO4J_URI', 'bolt://127.0.0.1:1');
  const api = await startApi();
  vi.unstubAllEnvs();
  const headers = { authorization: `Bearer dev:${freshName('ada')}` };
  const address = `${api.url.replace('http', 'ws')}/graphql`;
  const socket = new WebSocket(address, 'graphql-transport-ws', { headers });
  const closed = once(socket, 'close');
  await once(socket, 'open');
  socket.send('{"type":"connection_init"}');
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([1013, expect.stringContaining('Connect again')]);
  await api.stop();
});

// An error of a socket without a listener ends the process.
it.each(['graphql-ws', 'unknown'])(
  'a peer of the subprotocol "%s" may send what is no frame',
  async (protocol) => {
    const { hostname, port } = new URL(url);
    const peer = connect(Number(port), hostname);
    peer.on('error', () => {});
    const lines = [
      ...['GET /graphql HTTP/1.1', `Host: ${hostname}:${port}`, 'Connection: Upgrade'],
      ...['Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      ...['Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', `Sec-WebSocket-Protocol: ${protocol}`],
    ];
    peer.write(
      Buffer.concat([
        Buffer.from(`${lines.join('\r\n')}\r\n\r\n`),
        Buffer.from([0xf1, 0x80, 0, 0, 0, 0]),
      ]),
    );
    await once(peer.resume(), 'close');
    expect((await sends({ body: { query: '{ viewer { name } }' } })).status).toBe(200);
  },
);

// SAP-docs/btp-integration-suite#245, oomol-lab/open-connector#188
it.each(['bearer', 'BEARER', 'Bearer '])(
  'a token of the scheme "%s" is a token',
  async (scheme) => {
    const own = authorization.replace('Bearer', scheme);
    const response = await sends({
      headers: { authorization: own },
      body: { query: '{ viewer { name } }' },
    });
    const { data } = (await response.json()) as { data: { viewer: { name: string } } };
    expect(data.viewer.name).toBe(authorization.replace('Bearer dev:', ''));
  },
);
