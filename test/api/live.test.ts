import { setTimeout as wait } from 'node:timers/promises';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { openClient } from '../../packages/client/src/live/client.ts';
import { startApi, type TestApi } from '../testkit/api-server.ts';
import { client, freshName } from '../testkit/client.ts';
import { holdProbes, probe } from '../testkit/probe-schema.ts';

interface Tick {
  probeTicks: number;
}
let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.stop());
const user = () => client(freshName(), { url: api.url });

const post = (query: string) =>
  fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer dev:${freshName()}` },
    body: JSON.stringify({ query }),
  });

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 3_000 && !holds(); tries++) await wait(20);
  expect(holds()).toBe(true);
}

it.each(['sse', 'ws'] as const)(
  'the client library leaves a quiet stream at once (%s)',
  async (transport) => {
    const live = openClient({ url: api.url, token: `dev:${freshName()}`, transport });
    const document: TypedDocumentNode<Tick, Record<string, never>> = parse(
      'subscription { probeTicks(count: 1, quiet: true) }',
    );
    const ticks = live.subscribe(document, {});
    await ticks.next();
    const pending = ticks.next();
    expect(probe.listeners).toBe(1);
    await ticks.return(undefined);
    await until(() => probe.listeners === 0);
    expect((await pending).done).toBe(true);
    live.close();
  },
);

// docs/decisions/0015: SSE on /graphql, graphql-ws on the same path
describe.each(['subscribeSse', 'subscribeWs'] as const)('%s', (subscribe) => {
  /** The words of the error that a stream ends with. */
  const failure = (document: string) =>
    collect(user()[subscribe](document)).then(
      () => 'no error',
      (error: unknown) => (error instanceof Error ? error.message : '') + JSON.stringify(error),
    );

  it('hands on each tick, then completes', async () => {
    const ticks = await collect(user()[subscribe]<Tick>('subscription { probeTicks(count: 3) }'));
    expect(ticks.map(({ probeTicks }) => probeTicks)).toEqual([0, 1, 2]);
    await until(() => probe.listeners === 0);
  });

  it('ends at the source when a listener leaves a stream that is quiet', async () => {
    const ticks = user()[subscribe]<Tick>('subscription { probeTicks(count: 1, quiet: true) }');
    await ticks.next();
    expect(probe.listeners).toBe(1);
    await ticks.return(undefined);
    await until(() => probe.listeners === 0);
  });

  it('masks a source that breaks', async () => {
    const shown = await failure('subscription { probeTicks(count: 1, fail: true) }');
    expect(shown).not.toContain('the source broke');
    await until(() => probe.listeners === 0);
  });

  it('refuses an invalid document with a code', async () => {
    expect(await failure('subscription { nothing }')).toMatch(/BAD_USER_INPUT|400/);
  });
});

it('queries work over the socket, as its signed-in user, and limits hold', async () => {
  const name = freshName('ada');
  const answers = client(name, { url: api.url }).subscribeWs('{ viewer { name } }');
  expect(await collect(answers)).toEqual([{ viewer: { name } }]);
  const tooMany = `{ viewer { ${Array.from({ length: 60 }, (_, i) => `a${i}: id`).join(' ')} } }`;
  const refused = collect(user().subscribeWs(tooMany));
  expect(JSON.stringify(await refused.catch((error: unknown) => error))).toContain('COMPLEXITY');
});

/**
 * The name of the viewer of a socket with these connectionParams, or the code it is closed with.
 */
function signInWith(
  url: string,
  payload?: object,
  headers = {},
  query = '{ viewer { name } }',
): Promise<string | number> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers,
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', resolve);
    socket.once('open', () => send({ type: 'connection_init', ...(payload && { payload }) }));
    socket.on('message', (text) => {
      const { type, payload: result } = JSON.parse(String(text));
      if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query } });
      if (type !== 'next') return;
      const { name, roles = [] } = result.data?.viewer ?? {};
      resolve(name === undefined ? result.errors[0].extensions.code : [name, ...roles].join(' '));
      socket.close();
    });
  });
}

describe('the Authorization of a socket', () => {
  it.each(['authorization', 'Authorization', 'AUTHORIZATION', 'aUTHORIZATION'])(
    'is read from connectionParams as %s, before the header of the upgrade',
    async (key) => {
      const name = freshName('ada');
      const params = { [key]: `Bearer dev:${name}` };
      expect(await signInWith(api.url, params)).toBe(name);
      const headers = { authorization: `Bearer dev:${freshName('bob')}` };
      expect(await signInWith(api.url, params, headers)).toBe(name);
    },
  );

  it('comes from the header of the upgrade where connectionParams have none', async () => {
    const name = freshName('ada');
    const headers = { authorization: `Bearer dev:${name}` };
    expect(await signInWith(api.url, undefined, headers)).toBe(name);
    expect(await signInWith(api.url, { Authorization: null, trace: 'x' }, headers)).toBe(name);
  });

  it.each([
    { authorization: 'Bearer dev:system' },
    { Authorization: 'Bearer somebody' },
    { Authorization: 'dev:ada' },
    { AUTHORIZATION: '' },
    { Authorization: 7 },
    { Authorization: ['Bearer dev:ada'] },
    { Authorization: { token: 'Bearer dev:ada' } },
    { Authorization: false },
    { Authorization: 'Bearer dev:ada', authorization: 'Bearer dev:bob' },
    { Authorization: 'Bearer somebody', authorization: 'Bearer dev:bob' },
  ])('%j closes the socket with 4401, also beside a good header', async (params) => {
    expect(await signInWith(api.url, params)).toBe(4401);
    const headers = { authorization: `Bearer dev:${freshName()}` };
    expect(await signInWith(api.url, params, headers)).toBe(4401);
  });

  it('is that of the user dev where there is none, as an admin on our own page only', async () => {
    const rolesOf = (headers: object) =>
      signInWith(api.url, undefined, headers, '{ viewer { name roles } }');
    expect(await rolesOf({})).toBe('dev USER');
    expect(await rolesOf({ origin: api.url })).toBe('dev USER ADMIN');
    expect(await rolesOf({ 'sec-fetch-site': 'same-origin' })).toBe('dev USER ADMIN');
    expect(await rolesOf({ origin: api.url, 'sec-fetch-site': 'same-site' })).toBe('dev USER');
  });

  it('is a JSON Web Token beyond dev; a wrong one never becomes an anonymous caller', async () => {
    const secret = 'a secret of more than thirty-two bytes';
    const [issuer, audience] = ['https://issuer.example', 'aiden'];
    const strict = await startApi({
      mode: 'production',
      auth: { mode: 'jwt', key: { secret }, issuer, audience },
    });
    const sign = (key: string) =>
      new SignJWT({ name: 'Ada' })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(freshName())
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime('5m')
        .sign(new TextEncoder().encode(key));
    try {
      const [good, forged] = [await sign(secret), await sign(`${secret}!`)];
      for (const key of ['authorization', 'Authorization', 'AUTHORIZATION']) {
        expect(await signInWith(strict.url, { [key]: `Bearer ${good}` })).toBe('Ada');
        for (const wrong of [`Bearer ${forged}`, 'Bearer dev:ada', `Basic ${good}`, good])
          expect(await signInWith(strict.url, { [key]: wrong })).toBe(4401);
      }
      expect(await signInWith(strict.url)).toBe('UNAUTHENTICATED');
    } finally {
      await strict.stop();
    }
  });
});

it('draining serves on, and tells balancers and clients to go elsewhere', async () => {
  const ready = await fetch(`${api.url}/ready`);
  // Longer than a balancer keeps its connection, which else sends a request into a closing one.
  expect(ready.headers.get('keep-alive')).toBe('timeout=95');
  holdProbes();
  const held = post('{ probeHeld }');
  await until(() => probe.held === 1);
  api.drain();
  probe.release();
  // The answer of a request from before says it too.
  for (const answer of [await held, await post('{ __typename }')]) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
  }
  const draining = await fetch(`${api.url}/ready`);
  expect([draining.status, await draining.json()]).toEqual([
    503,
    { ready: false, isStopping: true },
  ]);
});

it('stopping lets a request finish, and cuts streams off without completing them', async () => {
  holdProbes();
  const held = user().query('{ probeHeld }');
  const ticks = user().subscribeSse<Tick>('subscription { probeTicks(count: 1, quiet: true) }');
  await ticks.next();
  const rest = ticks.next().then(
    ({ done }) => (done === true ? 'completed' : 'more'),
    () => 'cut off',
  );
  await until(() => probe.held === 1);
  const stopped = api.stop();
  probe.release();
  expect(await held).toEqual({ probeHeld: true });
  expect(await rest).toBe('cut off');
  await stopped;
  await expect(fetch(`${api.url}/ready`)).rejects.toThrow();
  await until(() => probe.listeners === 0);
  api = await startApi();
});
