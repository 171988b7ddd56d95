import { afterAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import type { RestProbe } from '../../src/operations/rest-call.ts';
import type { DriverCall } from '../../src/platform/drivers/driver.ts';
import { restDriver } from '../../src/platform/drivers/rest-call.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import { openRenderer } from '../../src/platform/renderer/renderer.ts';
import { driverCall, driverTarget } from '../testkit/driver-calls.ts';
import { openRestServer, ownPath } from '../testkit/rest-server.ts';

type RestOperation = Extract<DriverCall['operation'], { type: 'rest_call' }>;

const renderer = openRenderer();

const rest = await openRestServer();
const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
const driver = restDriver({ egress, renderer });
afterAll(async () => {
  await Promise.all([egress.close(), renderer.close()]);
  await rest.close();
});

type Secret = { value: string; scope: string | null } | null;
async function call(
  operation: Partial<RestOperation>,
  inputs: JsonObject = {},
  secret: Secret = null,
  given: Partial<DriverCall<RestOperation>> = {},
  params: JsonObject = {},
): Promise<JsonObject> {
  const target = { connectionParams: { endpoint: rest.origin, ...params }, secret };
  const whole = { type: 'rest_call', method: 'GET', path: '/echo', ...operation } as RestOperation;
  return (await driver.invoke(driverCall(whole, target, { inputs, ...given })))
    .output as JsonObject;
}
const failure = (...args: Parameters<typeof call>) =>
  call(...args).then(
    (output) => Promise.reject(new Error(`It gave ${JSON.stringify(output)}.`)),
    (error: unknown) => error,
  );

describe('rest_call', () => {
  it('renders path, query, headers and body, and encodes values in the URL', async () => {
    const operation: Partial<RestOperation> = {
      method: 'POST',
      path: '/items/{{id}}?fixed=1&word={{word}}',
      query: { n: '{{n}}', tags: '{{tags}}', gone: '{{absent}}', filter: '{{filter}}' },
      headers: { 'X-Word': 'w-{{n}}' },
      body: { n: '{{n}}', tags: '{{tags}}', text: 'n={{n}}', none: '{{absent}}' },
    };
    const inputs: JsonObject = {
      id: 'a/b?c',
      word: 'x&y',
      n: 3,
      tags: ['p', 'q r'],
      filter: { deep: true },
    };
    const sent = await call(operation, inputs);
    expect(sent).toMatchObject({
      path: '/items/a%2Fb%3Fc',
      query: { fixed: '1', word: 'x&y', n: '3', tags: 'q r', filter: '{"deep":true}' },
      headers: {
        'x-word': 'w-3',
        'content-type': 'application/json',
        'idempotency-key': 'run-1/step-1',
      },
    });
    // An input that was not given is not sent.
    expect(sent).toHaveProperty('body', { n: 3, tags: ['p', 'q r'], text: 'n=3' });
    expect(rest.requests.at(-1)?.query.getAll('tags')).toEqual(['p', 'q r']);
  });

  it('keeps the path and query of the endpoint, and the value inside them', async () => {
    const endpoint = `${rest.origin}/base/?key=1`;
    const expected = { path: '/base/x', query: { key: '1' } };
    expect(await call({ path: '/x' }, {}, null, {}, { endpoint })).toMatchObject(expected);
    expect(await call({ path: '' }, {}, null, {}, { endpoint })).toMatchObject({ path: '/base/' });
    for (const path of ['{{p}}', '/{{p}}/x', '/a/{{p}}{{p}}', '/../x', '/%2e%2e/x', '/.{{q}}']) {
      expect(
        await failure({ path }, { p: path.includes('}{') ? '.' : '..', q: '.' }),
        path,
      ).toMatchObject({ code: 'INPUT_INVALID' });
    }
    expect(await call({ path: '{{p}}' }, { p: '@evil.example/x' })).toMatchObject({
      path: '/%40evil.example%2Fx',
    });
    expect(await call({ path: '.evil.example' })).toMatchObject({ path: '/.evil.example' });
  });

  it.each<[string, Secret, JsonObject, JsonObject]>([
    [
      'bearer by default',
      { value: 'tok-12345678', scope: null },
      { headers: { authorization: 'Bearer [REDACTED]' } },
      {},
    ],
    [
      'a header',
      { value: 'tok-12345678', scope: 'header:X-Key' },
      { headers: { 'x-key': '[REDACTED]' } },
      {},
    ],
    [
      'a query parameter',
      { value: 'tok-12345678', scope: 'query:key' },
      { query: { key: '[REDACTED]' } },
      {},
    ],
    [
      'basic',
      { value: 'ada:tok-12345678', scope: 'basic' },
      { headers: { authorization: 'Basic [REDACTED]' } },
      {},
    ],
    [
      'basic with a user name',
      { value: 'tok-12345678', scope: 'basic' },
      { headers: { authorization: 'Basic [REDACTED]' } },
      { username: 'ada' },
    ],
  ])(
    'the Secret goes where its scope says, and does not come back: %s',
    async (_name, secret, expected, params) => {
      expect(await call({}, {}, secret, {}, params)).toMatchObject(expected);
      const sent = rest.requests.at(-1);
      const plain = secret?.value ?? '';
      const shown = `${JSON.stringify(sent?.headers)} ${sent?.query}
        ${Buffer.from(String(sent?.headers.authorization).replace('Basic ', ''), 'base64')}`;
      expect(shown).toContain(plain);
    },
  );

  it('gives parsed JSON, or text, or null where there is no body', async () => {
    expect(await call({ path: '/text' })).toBe('plain words');
    expect(await call({ path: '/empty' })).toBeNull();
    expect(await call({ path: '/echo', method: 'HEAD' })).toBeNull();
    const expected = { code: 'OUTPUT_INVALID', retryable: false };
    expect(await failure({ path: '/not-json' })).toMatchObject(expected);
  });

  it.each<[Json, string, Json]>([
    ['say {{n}}', 'text/plain; charset=utf-8', 'say 3'],
    ['{{all}}', 'application/json', { x: 1 }],
    [[1, '{{n}}'], 'application/json', [1, 3]],
  ])('sends a body %j as %s', async (body, contentType, received) => {
    const expected = { headers: { 'content-type': contentType }, body: received };
    expect(await call({ method: 'PUT', body }, { n: 3, all: { x: 1 } })).toMatchObject(expected);
  });

  it('sends a form where the headers ask for one', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(
      await call({ method: 'POST', headers, body: { a: 'x y', b: '{{n}}' } }, { n: 3 }),
    ).toMatchObject({ body: 'a=x+y&b=3' });
  });

  it.each([
    [408, true],
    [429, true],
    [500, true],
    [503, true],
    [400, false],
    [401, false],
    [404, false],
    [409, false],
  ])('status %i: another attempt helps = %s', async (status, retryable) => {
    expect(await failure({ path: `/status/${status}?after=2&say=sorry` })).toMatchObject({
      code: 'TOOL_FAILED',
      retryable,
      retryAfterMs: 2_000,
      details: { status, body: '{"error":"sorry"}' },
      usage: { toolCalls: 1 },
    });
  });

  it('an error that echoes the Secret is redacted before it is cut', async () => {
    const secret = { value: 'CANARY-abcdefgh', scope: 'header:x-key' };
    const say = `${'x'.repeat(495 - '{"error":"'.length)}CANARY-abcdefgh`;
    const fault = (await failure({ path: `/status/400?say=${say}` }, {}, secret)) as Error;
    expect(`${fault.message} ${JSON.stringify(fault)}`).not.toContain('CANARY');
  });

  it.each<JsonObject>([{ Host: 'x' }, { 'X-A': '{{crlf}}' }, { 'Transfer-Encoding': 'chunked' }])(
    'refuses the headers %j',
    async (headers) => {
      expect(await failure({ headers }, { crlf: 'a\r\nb: c' })).toMatchObject({
        code: 'EGRESS_DENIED',
      });
    },
  );

  it('refuses addresses and answers that are too large, private or no HTTP', async () => {
    expect(await failure({ path: '/bomb' })).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(await failure({ path: '/endless' })).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    for (const endpoint of [
      'http://169.254.169.254',
      'http://10.0.0.1',
      'file:///etc',
      'http://u:p@127.0.0.1',
    ]) {
      const expected = { code: 'EGRESS_DENIED', retryable: false };
      expect(await failure({}, {}, null, {}, { endpoint })).toMatchObject(expected);
    }
    expect(await failure({}, {}, null, {}, { endpoint: 'http://127.0.0.1:1' })).toMatchObject({
      code: 'TOOL_FAILED',
      retryable: true,
    });
    expect(await failure({ path: '/cut' })).toMatchObject({ code: 'TOOL_FAILED', retryable: true });
  });

  it('an abort ends a hanging and a dripping call at once and closes the socket', async () => {
    const server = await openRestServer();
    for (const path of ['/never', '/drip']) {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 100);
      const startedMs = performance.now();
      expect(
        await failure({ path }, {}, null, { signal: abort.signal }, { endpoint: server.origin }),
      ).toMatchObject({ code: 'CANCELLED' });
      expect(performance.now() - startedMs).toBeLessThan(30_000);
    }
    await expect.poll(() => server.openSockets()).toBe(0);
    await server.close();
  });

  it('probes with a GET of the endpoint: any answer below 500 is health', async () => {
    const signal = new AbortController().signal;
    const probe = (endpoint: string) =>
      driver.probe(driverTarget('rest_call', { connectionParams: { endpoint } }), signal);
    expect(await probe(`${rest.origin}/status/404`)).toMatchObject({ status: 'healthy' });
    expect(await probe(`${rest.origin}/status/500`)).toMatchObject({ status: 'down' });
    const expected = { status: 'down', errorMessage: expect.stringMatching(/10 s/) };
    expect(await probe(`${rest.origin}/never`)).toMatchObject(expected);
    expect(await probe('http://10.0.0.1')).toMatchObject({ status: 'down' });
  });

  it('probes as its operation says, with the Secret and without a body', async () => {
    const place = ownPath('/echo');
    const probe = (probe: RestProbe, endpoint = rest.origin) =>
      driver.probe(
        driverTarget('rest_call', {
          connectionParams: { endpoint },
          secret: { value: 'the key', scope: 'query:key' },
          probe,
        }),
        new AbortController().signal,
      );
    const chosen: RestProbe = { method: 'HEAD', path: `${place}?limit=1` };
    expect(await probe(chosen)).toEqual({ status: 'healthy', errorMessage: null });
    const [sent] = rest.requests.filter(({ path }) => path === place);
    expect(sent).toMatchObject({ method: 'HEAD', body: '' });
    expect(Object.fromEntries(sent?.query ?? [])).toEqual({ limit: '1', key: 'the key' });
    expect(await probe({ path: '/404' }, `${rest.origin}/status`)).toEqual({
      status: 'down',
      errorMessage: 'GET /404 answered 404.',
    });
  });
});
