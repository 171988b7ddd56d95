import { afterEach, expect, it } from 'vitest';
import { metricsAccess } from '../../src/main/http/watched.ts';
import { startApi, type TestApi } from '../testkit/api-server.ts';

// /metrics shows the work of an installation, so outside dev it needs a token or a port of its own.

let api: TestApi | null = null;
async function open(settings: Parameters<typeof startApi>[0]): Promise<void> {
  await api?.stop();
  api = null;
  api = await startApi(settings);
}
afterEach(async () => {
  await api?.stop();
  api = null;
});

const TOKEN = 'a-token-for-prometheus';
const key = { secret: 'x'.repeat(32) };
const JWT = { mode: 'jwt', key, issuer: 'i', audience: 'a' } as const;
async function ask(authorization?: string): Promise<[number, string | null]> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const response = await fetch(`${api?.url}/metrics`, { headers });
  if (response.ok) return [response.status, null];
  const { errors } = (await response.json()) as { errors: [{ extensions: { code: string } }] };
  return [response.status, errors[0].extensions.code];
}

it('is open in dev, and closed outside dev where no token is set', async () => {
  await open({ metrics: metricsAccess({ metrics: true }, 'open') });
  expect(await ask()).toEqual([200, null]);
  const metrics = metricsAccess({ metrics: true }, 'closed');
  await open({ mode: 'production', auth: JWT, metrics });
  expect(await ask()).toEqual([404, 'BAD_USER_INPUT']);
  expect(await ask(`Bearer ${TOKEN}`)).toEqual([404, 'BAD_USER_INPUT']);
});

it('is served to the token, and to nothing else', async () => {
  const config = { metrics: true, metricsToken: TOKEN };
  await open({ mode: 'production', auth: JWT, metrics: metricsAccess(config, 'closed') });
  expect(await ask(`Bearer ${TOKEN}`)).toEqual([200, null]);
  for (const wrong of [undefined, 'Bearer x', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN])
    expect(await ask(wrong)).toEqual([401, 'UNAUTHENTICATED']);
});

it('is off where the operator turned it off, token or not', async () => {
  const config = { metrics: false, metricsToken: TOKEN };
  await open({ metrics: metricsAccess(config, 'open') });
  expect(await ask(`Bearer ${TOKEN}`)).toEqual([404, 'BAD_USER_INPUT']);
});
