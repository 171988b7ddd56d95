import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startApi, type TestApi } from '../testkit/api-server.ts';

const QUERY = JSON.stringify({ query: '{ viewer { id } }' });
const JSON_TYPE = { 'content-type': 'application/json' };
let dev: TestApi;
beforeAll(async () => {
  dev = await startApi({ origins: ['https://app.example.com'] });
});
afterAll(() => dev.stop());

/** fetch refuses to set Host; a browser after DNS rebinding does send another. */
function post(
  url: string,
  headers: Record<string, string>,
  body = QUERY,
): Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/graphql`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

// docs/decisions/0016: DNS rebinding, cross-site requests
describe('in dev', () => {
  const port = () => new URL(dev.url).port;

  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1:1',
    'localhost',
    '127.0.0.1.evil.example:PORT',
    '192.168.0.1:PORT',
  ])('a Host of %s is 403', async (host) => {
    const { status, body } = await post(dev.url, {
      ...JSON_TYPE,
      host: host.replace('PORT', port()),
    });
    expect([status, JSON.parse(body).errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
  });

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST'])(
    'a Host of %s with our port is answered',
    async (name) => {
      expect((await post(dev.url, { ...JSON_TYPE, host: `${name}:${port()}` })).status).toBe(200);
    },
  );

  it.each(['/health', '/metrics', '/ready', '/graphql?query=%7Bviewer%7Bid%7D%7D'])(
    '%s is guarded alike',
    async (path) => {
      const status = await new Promise((resolve) => {
        request(`${dev.url}${path}`, { headers: { host: 'evil.example' } }, ({ statusCode }) =>
          resolve(statusCode),
        ).end();
      });
      expect(status).toBe(403);
    },
  );
});

describe('an Origin', () => {
  it.each([
    'https://evil.example',
    'null',
    'http://app.example.com',
    'https://app.example.com.evil.example',
    'http://127.0.0.1:1',
  ])('of %s is 403 for HTTP', async (origin) => {
    const { status, headers } = await post(dev.url, { ...JSON_TYPE, origin });
    expect(status).toBe(403);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each(['https://evil.example', 'null'])(
    'of %s is 403 for a WebSocket upgrade',
    async (origin) => {
      const socket = new WebSocket(
        `${dev.url.replace('http', 'ws')}/graphql`,
        'graphql-transport-ws',
        { origin },
      );
      await expect(
        new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject)),
      ).rejects.toThrow('403');
    },
  );

  it('on the list, or our own in dev, is answered and named', async () => {
    for (const origin of ['https://app.example.com', dev.url]) {
      const { status, headers } = await post(dev.url, { ...JSON_TYPE, origin });
      expect([status, headers['access-control-allow-origin'], headers['vary']]).toEqual([
        200,
        origin,
        'Origin',
      ]);
    }
  });

  it('on the list passes its preflight', async () => {
    const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
    const response = await fetch(`${dev.url}/graphql`, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization');
  });
});

describe('outside dev', () => {
  it('our own loopback address is no origin by itself, and any Host will do', async () => {
    const auth = {
      mode: 'jwt',
      key: { secret: 'x'.repeat(32) },
      issuer: 'i',
      audience: 'a',
    } as const;
    const production = await startApi({ mode: 'production', auth });
    try {
      expect((await post(production.url, { ...JSON_TYPE, origin: production.url })).status).toBe(
        403,
      );
      const proxied = await post(production.url, { ...JSON_TYPE, host: 'aiden.example.com' });
      expect(JSON.parse(proxied.body).errors[0].extensions.code).toBe('UNAUTHENTICATED');
    } finally {
      await production.stop();
    }
  });
});

describe('a POST', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/graphql',
    'application/json; charset=utf-16',
  ])('of %s is 415', async (type) => {
    expect((await post(dev.url, { 'content-type': type })).status).toBe(415);
  });

  it.each([
    ['a batch', `[${QUERY},${QUERY}]`],
    ['a text', '"{ viewer { id } }"'],
    ['no JSON', '{"query":'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) as unknown as string],
  ])('with %s in it is 400', async (_what, body) => {
    expect((await post(dev.url, JSON_TYPE, body)).status).toBe(400);
  });
});

it('a mutation is not taken by GET', async () => {
  const response = await fetch(
    `${dev.url}/graphql?query=mutation%7BprobeWrite(refuse:true)%7BuserErrors%7Bcode%7D%7D%7D`,
  );
  expect(response.status).toBe(405);
});

it('a path that is not served is 404', async () => {
  expect((await fetch(`${dev.url}/graphql/other`)).status).toBe(404);
  expect((await fetch(`${dev.url}/__proto__`)).status).toBe(404);
});

it('GraphiQL is served in dev, from here only, and runs its own script only', async () => {
  const answer = await fetch(`${dev.url}/graphql`, { headers: { accept: 'text/html' } });
  const html = await answer.text();
  const policy = answer.headers.get('content-security-policy') ?? '';
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(script.length).toBeGreaterThan(1_000);
  expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}';`);
  expect(policy).toContain("connect-src 'self'");
  expect(html).toContain('Aiden');
  expect(html).not.toMatch(/(?:src|href)=["']?https?:/);
});
