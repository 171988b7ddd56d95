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

const KEY = 'tok-12345678';
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
      const inputs = { p: path.includes('}{') ? '.' : '..', q: '.' };
      expect(await failure({ path }, inputs), path).toMatchObject({ code: 'INPUT_INVALID' });
    }
    const elsewhere = await call({ path: '{{p}}' }, { p: '@evil.example/x' });
    expect(elsewhere).toMatchObject({ path: '/%40evil.example%2Fx' });
    expect(await call({ path: '.evil.example' })).toMatchObject({ path: '/.evil.example' });
  });

  it.each<[string | null, string, JsonObject, JsonObject?]>([
    [null, KEY, { headers: { authorization: 'Bearer [REDACTED]' } }],
    ['header:X-Key', KEY, { headers: { 'x-key': '[REDACTED]' } }],
    ['query:key', KEY, { query: { key: '[REDACTED]' } }],
    ['basic', `ada:${KEY}`, { headers: { authorization: 'Basic [REDACTED]' } }],
    ['basic', KEY, { headers: { authorization: 'Basic [REDACTED]' } }, { username: 'ada' }],
  ])('the Secret goes where its scope %s says, and does not come back', async (...given) => {
    const [scope, value, expected, params] = given;
    expect(await call({}, {}, { value, scope }, {}, params)).toMatchObject(expected);
    const sent = rest.requests.at(-1);
    const basic = String(sent?.headers.authorization).replace('Basic ', '');
    const shown = `${JSON.stringify(sent?.headers)} ${sent?.query}
      ${Buffer.from(basic, 'base64')}`;
    expect(shown).toContain(value);
  });

  it('gives parsed JSON, or text, or null where there is no body', async () => {
    expect(await call({ path: '/text' })).toBe('plain words');
    expect(await call({ path: '/empty' })).toBeNull();
    expect(await call({ path: '/echo', method: 'HEAD' })).toBeNull();
    const expected = { code: 'OUTPUT_INVALID', retryable: false };
    expect(await failure({ path: '/not-json' })).toMatchObject(expected);
  });

  const FORM = 'application/x-www-form-urlencoded';
  it.each<[Json, string, Json, JsonObject?]>([
    ['say {{n}}', 'text/plain; charset=utf-8', 'say 3'],
    ['{{all}}', 'application/json', { x: 1 }],
    [[1, '{{n}}'], 'application/json', [1, 3]],
    [{ a: 'x y', b: '{{n}}' }, FORM, 'a=x+y&b=3', { 'Content-Type': FORM }],
  ])('sends a body %j as %s', async (body, contentType, received, headers = {}) => {
    const expected = { headers: { 'content-type': contentType }, body: received };
    const sent = await call({ method: 'PUT', body, headers }, { n: 3, all: { x: 1 } });
    expect(sent).toMatchObject(expected);
  });

  it('tells by the status whether another attempt helps', async () => {
    for (const status of [408, 429, 500, 503, 400, 401, 404, 409])
      expect(await failure({ path: `/status/${status}?after=2&say=sorry` })).toMatchObject({
        code: 'TOOL_FAILED',
        retryable: [408, 429, 500, 503].includes(status),
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

  it('refuses the addresses that egress refuses, and an answer that breaks off', async () => {
    const denied = { code: 'EGRESS_DENIED', retryable: false };
    const header = { headers: { 'X-A': '{{crlf}}' } };
    expect(await failure(header, { crlf: 'a\r\nb: c' })).toMatchObject(denied);
    const at = (endpoint: string) => failure({}, {}, null, {}, { endpoint });
    expect(await at('http://10.0.0.1')).toMatchObject(denied);
    expect(await failure({ path: '/bomb' })).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    const broken = { code: 'TOOL_FAILED', retryable: true };
    expect(await at('http://127.0.0.1:1')).toMatchObject(broken);
    expect(await failure({ path: '/cut' })).toMatchObject(broken);
  });

  it('an abort ends a hanging call at once', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    const startedMs = performance.now();
    const { signal } = abort;
    const expected = { code: 'CANCELLED' };
    expect(await failure({ path: '/never' }, {}, null, { signal })).toMatchObject(expected);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });

  it('probes with a GET of the endpoint: any answer below 500 is health', async () => {
    const signal = new AbortController().signal;
    const probe = (endpoint: string) =>
      driver.probe(driverTarget('rest_call', { connectionParams: { endpoint } }), signal);
    expect(await probe(`${rest.origin}/status/404`)).toMatchObject({ status: 'healthy' });
    expect(await probe(`${rest.origin}/status/500`)).toMatchObject({ status: 'down' });
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
