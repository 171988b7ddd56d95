import { afterAll, describe, expect, it } from 'vitest';
import { openEgress } from '../../src/platform/egress/egress.ts';
import { openRestServer } from '../testkit/rest-server.ts';

// Sockets on loopback only; the names are answered by a scripted lookup, as a hostile DNS server
// would.
let answers: Record<string, (string | string[])[]> = {};

const lookup = async (host: string) => {
  const list = answers[host] ?? [];
  const next = list.length > 1 ? list.shift() : list[0];
  if (next === undefined) throw new Error('ENOTFOUND');
  return [next].flat();
};

const open = await openRestServer();
const secret = await openRestServer();
const settings = {
  allow: [],
  platformPorts: [`127.0.0.1:${secret.port}`],
  systemOrigins: [open.origin],
  lookup,
  connectMs: 4_000,
};
const egress = openEgress({ ...settings, mode: 'dev' });
const production = openEgress({ ...settings, mode: 'production' });
afterAll(async () => {
  await Promise.all([egress.close(), production.close()]);
  await Promise.all([open.close(), secret.close()]);
});

const denied = { code: 'EGRESS_DENIED', retryable: false };

describe('egress', () => {
  it('reaches loopback in dev, in production for system Tools at their origin only', async () => {
    expect((await egress.fetch(`${open.origin}/text`)).status).toBe(200);
    await expect(production.fetch(`${open.origin}/text`)).rejects.toMatchObject(denied);
    expect(await (await production.fetch(`${open.origin}/text`, { system: true })).text()).toBe(
      'plain words',
    );
    // The socket the system's call opened serves no other caller.
    await expect(production.fetch(`${open.origin}/text`)).rejects.toMatchObject(denied);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '127。0。0。1',
    '①②⑦.⓪.⓪.①',
    '0.0.0.0',
    '[::]',
  ])(
    "never connects to the platform's port, nor in production to loopback, written as %s",
    async (host) => {
      const before = secret.requests.length + open.requests.length;
      await expect(egress.fetch(`http://${host}:${secret.port}/`)).rejects.toMatchObject(denied);
      await expect(production.fetch(`http://${host}:${open.port}/`)).rejects.toMatchObject(denied);
      expect(secret.requests.length + open.requests.length).toBe(before);
    },
  );

  it('judges the address it connects to, also of a rebinding name', async () => {
    answers = { 'rebind.example': ['93.184.216.34', '127.0.0.1'] };
    const before = secret.requests.length;
    for (let round = 0; round < 3; round++) {
      await expect(
        egress.fetch(`http://rebind.example:${secret.port}/`, { signal: AbortSignal.timeout(300) }),
      ).rejects.toBeDefined();
    }
    expect(secret.requests.length).toBe(before);
  });

  it('refuses a name with one public and one private address', async () => {
    answers = { 'dual.example': [['93.184.216.34', '10.0.0.5']] };
    await expect(egress.fetch('http://dual.example/')).rejects.toMatchObject(denied);
  });

  it('tries the next address of a name, and says why none of them answered', async () => {
    answers = { 'two.example': [['::1', '127.0.0.1']], 'none.example': [['::1', '127.0.0.2']] };
    expect((await egress.fetch(`http://two.example:${open.port}/text`)).status).toBe(200);
    await expect(egress.fetch(`http://none.example:${open.port}/text`)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: true,
      message: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  it('calls a name without address a retryable failure', async () => {
    await expect(egress.fetch('http://nobody.example/')).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: true,
    });
  });

  it.each([302, 307, 308])('checks every hop of a %i redirect', async (status) => {
    const to = (target: string) =>
      `${open.origin}/redirect?status=${status}&to=${encodeURIComponent(target)}`;
    await expect(egress.fetch(to(`${secret.origin}/`))).rejects.toMatchObject(denied);
    await expect(egress.fetch(to('http://169.254.169.254/latest/meta-data'))).rejects.toMatchObject(
      denied,
    );
    await expect(egress.fetch(to('file:///etc/passwd'))).rejects.toMatchObject(denied);
    await expect(egress.fetch(to('http://user:pass@127.0.0.1/'))).rejects.toMatchObject(denied);
    expect(await (await egress.fetch(to('/text'))).text()).toBe('plain words');
    expect(secret.requests).toHaveLength(0);
  });

  it('follows three redirects and no more', async () => {
    const chain = (n: number): string =>
      n === 0 ? '/text' : `/redirect?to=${encodeURIComponent(chain(n - 1))}`;
    expect((await egress.fetch(open.origin + chain(3))).status).toBe(200);
    await expect(egress.fetch(open.origin + chain(4))).rejects.toMatchObject(denied);
  });

  it('leaves credentials behind when a redirect changes the origin', async () => {
    const other = await openRestServer();
    const headers = {
      authorization: 'Bearer hush',
      'x-api-key': 'hush',
      accept: 'application/json',
    };
    const away = await egress.fetch(`${open.origin}/redirect?status=307&to=${other.origin}/echo`, {
      headers,
    });
    expect(JSON.stringify(await away.json())).not.toContain('hush');
    const stays = await egress.fetch(`${open.origin}/redirect?status=307&to=/echo`, { headers });
    expect(JSON.stringify(await stays.json())).toContain('Bearer hush');
    await other.close();
  });

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'data:text/plain,hi',
    'ftp://example.com/',
    'not a url',
    'http://u:p@example.com/',
  ])('does not call %s', async (url) => {
    await expect(egress.fetch(url)).rejects.toMatchObject(denied);
  });

  it.each<Record<string, string>>([
    { Host: 'other' },
    { 'transfer-encoding': 'chunked' },
    { 'Content-Length': '3' },
    { 'x-a': 'b\r\nx-c: d' },
    { 'x-a\r\nb': 'c' },
  ])('refuses the headers %j', async (headers) => {
    await expect(egress.fetch(`${open.origin}/echo`, { headers })).rejects.toMatchObject(denied);
  });

  it('counts bytes after decompression, and stops an endless answer', async () => {
    const limits = { bytesMax: 1024 * 1024 };
    for (const path of ['/bomb', '/endless']) {
      const response = await egress.fetch(open.origin + path, { limits });
      await expect(response.text(), path).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        retryable: false,
      });
    }
    await expect(egress.fetch(`${open.origin}/huge-headers`)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  it('gives up on silence, before and inside an answer', async () => {
    await expect(
      egress.fetch(`${open.origin}/never`, { limits: { headersMs: 100 } }),
    ).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: true,
    });
    const response = await egress.fetch(`${open.origin}/drip?ms=1000`, { limits: { idleMs: 100 } });
    await expect(response.text()).rejects.toMatchObject({ code: 'TOOL_FAILED', retryable: true });
  });

  it('an abort ends a byte-per-second answer at once and closes its socket', async () => {
    const server = await openRestServer();
    const abort = new AbortController();
    const response = await egress.fetch(`${server.origin}/drip`, { signal: abort.signal });
    const reading = response.text();
    setTimeout(() => abort.abort(new Error('cancelled')), 50);
    await expect(reading).rejects.toThrow();
    await expect.poll(() => server.openSockets()).toBe(0);
    await server.close();
  });

  it('Bolt goes to the checked address; routing schemes and the platform are refused', async () => {
    answers = { 'graph.example': ['93.184.216.34'], 'inside.example': ['127.0.0.1'] };
    expect(await egress.resolveBolt('bolt://graph.example:7687')).toBe('bolt://93.184.216.34:7687');
    expect(await egress.resolveBolt('bolt+s://graph.example')).toBe('bolt+s://graph.example:7687');
    for (const bad of [
      'neo4j://graph.example',
      'neo4j+s://graph.example',
      'bolt://u:p@graph.example',
      'bolt://graph.example/x?y',
      'bolt://',
      `bolt://localhost:${secret.port}`,
      `bolt://0x7f.1:${secret.port}`,
      `bolt://[::1]:${secret.port}`,
      `bolt://inside.example:${secret.port}`,
      `bolt+s://127.1:${secret.port}`,
    ]) {
      answers['localhost'] = ['127.0.0.1'];
      await expect(egress.resolveBolt(bad), bad).rejects.toMatchObject(denied);
    }
  });
});
