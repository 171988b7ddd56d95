import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startApi, type TestApi } from '../testkit/api-server.ts';
import { client, freshName } from '../testkit/client.ts';
import { probe } from '../testkit/probe-schema.ts';

interface Tick {
  probeTicks: number;
}
let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.stop());
const user = () => client(freshName(), { url: api.url });

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 3_000 && !holds(); tries++) await wait(20);
  expect(holds()).toBe(true);
}

// decisions.md, Live updates: SSE on /graphql, graphql-ws on the same path
describe.each(['subscribeSse', 'subscribeWs'] as const)('%s', (subscribe) => {
  it('hands on what comes, then completes', async () => {
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
    const broken = collect(
      user()[subscribe]<Tick>('subscription { probeTicks(count: 1, fail: true) }'),
    );
    const message = await broken.then(
      () => 'no error',
      (error: unknown) => String(error instanceof Error ? error.message : JSON.stringify(error)),
    );
    expect(message).not.toContain('the source broke');
    await until(() => probe.listeners === 0);
  });

  it('refuses what does not validate with a code', async () => {
    const refused = collect(user()[subscribe]('subscription { nothing }'));
    const shown = await refused.then(
      () => 'no error',
      (error: unknown) => (error instanceof Error ? error.message : '') + JSON.stringify(error),
    );
    expect(shown).toMatch(/BAD_USER_INPUT|400/);
  });
});

it('queries work over the socket, as whoever signed in there', async () => {
  const name = freshName('ada');
  const answers = await collect(
    client(name, { url: api.url }).subscribeWs<{ viewer: { name: string } }>('{ viewer { name } }'),
  );
  expect(answers).toEqual([{ viewer: { name } }]);
});

it('limits hold over the socket', async () => {
  const tooMany = `{ viewer { ${Array.from({ length: 60 }, (_, i) => `a${i}: id`).join(' ')} } }`;
  const refused = collect(user().subscribeWs(tooMany));
  expect(JSON.stringify(await refused.catch((error: unknown) => error))).toContain('COMPLEXITY');
});

it('a socket with a bad token is closed with 4401', async () => {
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  socket.once('open', () =>
    socket.send(
      JSON.stringify({ type: 'connection_init', payload: { authorization: 'Bearer dev:system' } }),
    ),
  );
  const code = await new Promise((resolve) => socket.once('close', resolve));
  expect(code).toBe(4401);
});

it('stopping lets a request at work finish, and hangs up on streams without saying that they are complete', async () => {
  const slow = user().query<{ probeSlow: boolean }>('{ probeSlow(ms: 500) }');
  const ticks = user().subscribeSse<Tick>('subscription { probeTicks(count: 1, quiet: true) }');
  await ticks.next();
  const rest = ticks.next().then(
    ({ done }) => (done === true ? 'completed' : 'more'),
    () => 'cut off',
  );
  await wait(100);
  const stopped = api.stop();
  expect(await slow).toEqual({ probeSlow: true });
  expect(await rest).toBe('cut off');
  await stopped;
  await expect(fetch(`${api.url}/ready`)).rejects.toThrow();
  await until(() => probe.listeners === 0);
  api = await startApi();
});
