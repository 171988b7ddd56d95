import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { NoPlace } from '../../src/common/fair-places.ts';
import { presentError } from '../../src/platform/http/present-error.ts';
import { startApi, type TestApi } from '../testkit/api-server.ts';
import { client, freshName } from '../testkit/client.ts';
import { holdProbes, probe } from '../testkit/probe-schema.ts';

// One user's many, slow or half-sent requests must not keep other users from the API.

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(settings: Parameters<typeof startApi>[0] = {}): Promise<TestApi> {
  const api = await startApi(settings);
  ends.push(() => api.stop());
  return api;
}

/** Sends the beginning of a large body and then nothing. */
async function halfSent(api: TestApi, user: string): Promise<Socket> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  ends.push(() => socket.destroy());
  await once(socket, 'connect');
  const headers = [
    'POST /graphql HTTP/1.1',
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer dev:${user}`,
    'Content-Type: application/json',
    'Content-Length: 2000000',
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n{"query":`);
  return socket;
}
const statusOf = async (socket: Socket) => String((await once(socket, 'data'))[0]).slice(9, 12);
const IMPORT = `mutation($text: String!) { importBundle(input: { document: $text, dryRun: true }) {
    userErrors { code } } }`;
const LARGE = { text: `# ${'x'.repeat(1_500_000)}` };

describe('large bodies', () => {
  it('of other users are read while one user leaves twenty unfinished', async () => {
    const api = await open({ bodyPauseMsMax: 600_000 });
    const eve = freshName();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => halfSent(api, eve)));
    let answered = 0;
    for (const socket of sockets) socket.on('data', () => answered++);
    const { status, errors } = await client(freshName(), { url: api.url }).ask(IMPORT, LARGE);
    expect([status, errors, answered]).toEqual([200, [], 0]);
  });

  it('that are too many of one user get 429 and the time to wait, not 413', async () => {
    const api = await open({ bodyPauseMsMax: 600_000 });
    const eve = freshName();
    const sockets = await Promise.all(Array.from({ length: 30 }, () => halfSent(api, eve)));
    const [first = ''] = await Promise.race(sockets.map((socket) => once(socket, 'data')));
    expect(String(first)).toMatch(/^HTTP\/1.1 429 [\s\S]*retry-after: 5[\s\S]*"RATE_LIMITED"/i);
  });

  it('that stop arriving get 408 and give their place back', async () => {
    const api = await open({ bodyPauseMsMax: 300 });
    const eve = freshName();
    const sockets = await Promise.all(Array.from({ length: 5 }, () => halfSent(api, eve)));
    expect(await Promise.all(sockets.map(statusOf))).toEqual(sockets.map(() => '408'));
    const { status } = await client(eve, { url: api.url }).ask(IMPORT, LARGE);
    expect(status).toBe(200);
  });
});

/** The close code of a socket of this user, or null where it is signed in. */
async function signIn(api: TestApi, user: string): Promise<[WebSocket, number | null]> {
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  ends.push(() => socket.terminate());
  await once(socket, 'open');
  const payload = { authorization: `Bearer dev:${user}` };
  socket.send(JSON.stringify({ type: 'connection_init', payload }));
  const code = await Promise.race([
    once(socket, 'message').then(() => null),
    once(socket, 'close').then(([closed]) => Number(closed)),
  ]);
  return [socket, code];
}

describe('live connections', () => {
  it('are bounded per user and in all, and a closed one makes room', async () => {
    const api = await open({ sockets: { places: 4, placesPerOwner: 3 } });
    const [eve, ann, bob] = [freshName(), freshName(), freshName()];
    const ofEve = await Promise.all([1, 2, 3].map(() => signIn(api, eve)));
    expect(ofEve.map(([, code]) => code)).toEqual([null, null, null]);
    expect((await signIn(api, eve))[1]).toBe(1013);
    expect((await signIn(api, ann))[1]).toBeNull();
    expect((await signIn(api, bob))[1]).toBe(1013);
    ofEve[0]?.[0].close();
    await expect.poll(async () => (await signIn(api, bob))[1]).toBeNull();
  });

  it.each(['subscribeSse', 'subscribeWs'] as const)(
    'of %s hold at most so many open operations per user',
    async (subscribe) => {
      const api = await open({ openOperations: { places: 5, placesPerOwner: 2 } });
      const quiet = 'subscription { probeTicks(count: 1, quiet: true) }';
      const listen = async (user: string) => {
        const ticks = client(user, { url: api.url })[subscribe](quiet);
        ends.push(() => ticks.return(undefined));
        await ticks.next();
        return ticks;
      };
      const [eve, ann] = [freshName(), freshName()];
      const [first] = await Promise.all([listen(eve), listen(eve)]);
      const refused = await listen(eve).then(
        () => 'listening',
        (error: unknown) => JSON.stringify(error) + String(error),
      );
      expect(refused).toMatch(/RATE_LIMITED|429|Too Many Requests/);
      await listen(ann);
      await first?.return(undefined);
      await expect
        .poll(() =>
          listen(eve).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      expect(probe.listeners).toBe(3);
    },
  );
});

describe('connections that say nothing', () => {
  const COUNT = 300;
  it('of one machine keep no user from the API, and are closed after a while', async () => {
    const api = await open({ headersMsMax: 1_000 });
    const { hostname, port } = new URL(api.url);
    let closed = 0;
    const silent = await Promise.all(
      Array.from({ length: COUNT }, async (_, index) => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => {});
        socket.on('close', () => closed++);
        socket.resume();
        ends.push(() => socket.destroy());
        await once(socket, 'connect');
        // Half of them begin a request.
        if (index % 2 === 0) socket.write('POST /graphql HTTP/1.1\r\nHost: ');
        return socket;
      }),
    );
    expect((await client(freshName(), { url: api.url }).ask('{ viewer { name } }')).status).toBe(
      200,
    );
    await expect.poll(() => closed).toBe(silent.length);
  });

  it('over WebSocket are closed unless they sign in', async () => {
    const api = await open();
    const url = `${api.url.replace('http', 'ws')}/graphql`;
    const sockets = Array.from({ length: 50 }, () => new WebSocket(url, 'graphql-transport-ws'));
    for (const socket of sockets) ends.push(() => socket.terminate());
    const codes = await Promise.all(
      sockets.map(async (socket) => (await once(socket, 'close'))[0]),
    );
    expect([...new Set(codes)]).toEqual([4408]);
  });
});

describe('a subscriber that reads nothing', () => {
  const COUNT = 1_000_000;
  const query = `subscription { probeTicks(count: ${COUNT}) }`;

  /** Subscribes over WebSocket, and stops reading. */
  async function idleWebSocket(api: TestApi, user: string): Promise<WebSocket> {
    const [socket] = await signIn(api, user);
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
    await once(socket, 'message');
    socket.pause();
    return socket;
  }
  /** Subscribes over SSE, and stops reading. */
  async function idleStream(api: TestApi, user: string): Promise<void> {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    ends.push(() => socket.destroy());
    const body = JSON.stringify({ query });
    const headers = [
      'POST /graphql HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer dev:${user}`,
      'Content-Type: application/json',
      'Accept: text/event-stream',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`);
    await once(socket, 'data');
    socket.pause();
  }

  it.each([
    ['WebSocket', idleWebSocket],
    ['SSE', idleStream],
  ])('over %s makes the source wait, and delays no other user', async (_name, listenIdly) => {
    const api = await open();
    probe.taken = 0;
    await listenIdly(api, freshName());
    const ann = client(freshName(), { url: api.url });
    // Sent ticks fill the buffers of the machine; then the source waits.
    let taken = -1;
    await expect
      .poll(async () => {
        const before = taken;
        for await (const _tick of ann.subscribeWs('subscription { probeTicks(count: 3) }'));
        taken = probe.taken;
        return taken - before;
      })
      .toBe(3);
    expect(taken).toBeLessThan(COUNT);
  });

  it('over WebSocket is closed with a code to come back by, behind its unread ticks', async () => {
    const api = await open({ stalledMsMax: 400 });
    const socket = await idleWebSocket(api, freshName());
    const closed = once(socket, 'close');
    expect(probe.listeners).toBe(1);
    await expect.poll(() => probe.listeners).toBe(0);
    socket.resume();
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([
      1013,
      'You read too slowly. Subscribe again with your last cursor as after.',
    ]);
  });

  it('over SSE is closed, and its source ends', async () => {
    const api = await open({ stalledMsMax: 400 });
    await idleStream(api, freshName());
    expect(probe.listeners).toBe(1);
    await expect.poll(() => probe.listeners).toBe(0);
  });

  it('but has nothing to read for longer than that stays open', async () => {
    const api = await open({ stalledMsMax: 400 });
    const quiet = 'subscription { probeTicks(count: 1, quiet: true) }';
    const user = client(freshName(), { url: api.url });
    const streams = [user.subscribeSse(quiet), user.subscribeWs(quiet)];
    for (const stream of streams) ends.push(() => stream.return(undefined));
    await Promise.all(streams.map((stream) => stream.next()));
    await setTimeout(1_200);
    expect(probe.listeners).toBe(2);
  });

  it('over WebSocket and asks on is not read, so its answers do not pile up', async () => {
    const api = await open({ stalledMsMax: 600_000 });
    const [socket] = await signIn(api, freshName());
    socket.pause();
    const ping = JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(10_000) } });
    // These 40 MB do not fit into the machine's buffers, so the sender keeps the bytes that the
    // server does not read.
    for (let index = 0; index < 4_000; index++) socket.send(ping);
    let waiting = -1;
    await expect
      .poll(async () => {
        const before = waiting;
        await setTimeout(500);
        waiting = socket.bufferedAmount;
        return waiting - before;
      })
      .toBe(0);
    expect(waiting).toBeGreaterThan(10_000_000);
  });
});

describe('queries and mutations', () => {
  const turns = { places: 8, placesPerOwner: 1, waiting: 8, waitingPerOwner: 2 };
  const noQueue = { ...turns, waiting: 0, waitingPerOwner: 0 };
  const HELD = '{ probeHeld }';
  beforeEach(holdProbes);
  afterEach(() => probe.release());

  it('that fill their queue get 429 and the time to wait', async () => {
    const api = await open({ turns: noQueue });
    const eve = client(freshName(), { url: api.url });
    const refused: Awaited<ReturnType<typeof eve.ask>>[] = [];
    const asked = [1, 2, 3].map(async () => {
      const answer = await eve.ask(HELD);
      if (answer.status === 429) refused.push(answer);
      return answer.status;
    });
    await expect.poll(() => refused.length).toBe(2);
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
    expect(refused[0]?.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    probe.release();
    expect((await Promise.all(asked)).toSorted()).toEqual([200, 429, 429]);
  });

  it('over WebSocket wait too, and one too many leaves the socket open', async () => {
    const api = await open({ turns: noQueue });
    const socket = createClient({
      url: api.url.replace('http', 'ws').concat('/graphql'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer dev:${freshName()}` },
    });
    ends.push(() => socket.dispose());
    const first = socket.iterate({ query: HELD }).next();
    const asks = async () => (await socket.iterate({ query: '{ __typename }' }).next()).value;
    expect((await asks())?.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    probe.release();
    expect((await first).value?.data).toEqual({ probeHeld: true });
    expect((await asks())?.errors).toBeUndefined();
  });

  it('that wait for something else for long keep no turn', async () => {
    const api = await open({ turns });
    const eve = client(freshName(), { url: api.url });
    const long = eve.query(HELD);
    await eve.query('{ __typename }');
    expect(probe.held).toBe(1);
    probe.release();
    await long;
  });
});

describe('testTool', () => {
  it('with too many calls is RATE_LIMITED and says to try again', () => {
    const parts = { requestId: 'r1', onDefect: () => expect.unreachable() };
    const { message, extensions } = presentError(new NoPlace(true), parts);
    expect(extensions['code']).toBe('RATE_LIMITED');
    expect(message).toMatch(/Try again/);
  });
});
