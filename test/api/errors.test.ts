import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../testkit/api-server.ts';
import { client, freshName } from '../testkit/client.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
const as = (role: 'user' | 'admin' = 'user') => client(freshName(), { url: api.url, role });
const fail = (how: string) => as().ask(`{ probeFail(how: "${how}") }`);

// docs/decisions/0016: the top-level codes. Contract: a bad argument of a query is BAD_USER_INPUT
// with its path.
describe('every error carries a code', () => {
  it('a defect is INTERNAL: masked for the caller, logged by request id, no secrets', async () => {
    const { errors } = await fail('defect');
    const requestId = errors[0]?.extensions.requestId ?? '';
    expect(errors[0]?.extensions.code).toBe('INTERNAL');
    expect(JSON.stringify(errors)).not.toMatch(/hunter2|stack/);
    const line = api.logged.find((logged) => logged.includes(requestId)) ?? '';
    expect(line).not.toContain('hunter2');
    expect(JSON.parse(line)).toMatchObject({ requestId, error: { name: 'Error' } });
  });

  it('a refusal of a query is BAD_USER_INPUT with the paths of its problems', async () => {
    const { errors } = await fail('refusal');
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [{ code: 'INVALID', path: ['after'], message: 'No such place.' }],
    });
    expect(errors[0]?.path).toEqual(['probeFail']);
  });

  it('a code that is not on the list becomes BAD_USER_INPUT', async () => {
    expect((await fail('coded')).errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('a field for admins is FORBIDDEN for others', async () => {
    expect((await as().ask('{ probeAdmin }')).errors[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await as('admin').ask('{ probeAdmin }')).errors).toEqual([]);
  });

  it.each([
    ['syntax', '{ viewer '],
    ['an unknown field', '{ nothing }'],
    ['a literal that does not fit', '{ probeFail(how: 7) }'],
    ['a moment that is none', '{ probeEcho(at: "yesterday") }'],
    ['a JSONObject that is a list', '{ probeEcho(object: [1]) }'],
    ['an operation that is not there', ''],
  ])('%s is BAD_USER_INPUT', async (_what, document) => {
    const { errors } = await as().ask(document);
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('a variable that does not fit is BAD_USER_INPUT', async () => {
    const { errors } = await as().ask('query($how: String!) { probeFail(how: $how) }', { how: 7 });
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

it('a mutation that refuses answers all problems as userErrors under the input', async () => {
  const document = `{ a: __typename } mutation M { probeWrite(refuse: true) {
    user { id } userErrors { code
      message path } } }`;
  const { data, errors } = await as().ask<{ probeWrite: unknown }>(
    document.slice(document.indexOf('mutation')),
  );
  expect(errors).toEqual([]);
  expect(data?.probeWrite).toEqual({
    user: null,
    userErrors: [
      { code: 'TAKEN', message: 'Taken.', path: ['input', 'name'] },
      { code: 'INVALID', message: 'Bad.', path: ['input', 'steps', '0'] },
    ],
  });
});

it('JSON travels unchanged, keys named __proto__ too', async () => {
  const json = JSON.parse(
    '{"__proto__": {"x": 1}, "a": [1, 2.5, null, true, "é"], "n": 9007199254740991}',
  );
  const { data } = await as().ask<{ probeEcho: unknown }>(
    'query($json: JSON) { probeEcho(json: $json) }',
    { json },
  );
  expect(JSON.stringify(data?.probeEcho)).toBe(JSON.stringify(json));
  const literal = await as().ask<{ probeEcho: unknown }>(
    '{ probeEcho(json: {__proto__: {x: 1}, list: [1, A, null]}) }',
  );
  expect(JSON.stringify(literal.data?.probeEcho)).toBe('{"__proto__":{"x":1},"list":[1,"A",null]}');
});

it('moments come back in UTC with milliseconds', async () => {
  const { data } = await as().ask<{ probeEcho: unknown }>(
    '{ probeEcho(at: "2026-11-21T10:30:00+01:00") }',
  );
  expect(data?.probeEcho).toBe('2026-11-21T09:30:00.000Z');
});

describe('beside GraphQL', () => {
  it('/ready, /health and /metrics answer', async () => {
    expect(await (await fetch(`${api.url}/ready`)).json()).toEqual({ ready: true });
    expect(await (await fetch(`${api.url}/health`)).json()).toMatchObject({
      status: 'healthy',
      neo4j: 'healthy',
    });
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toMatch(
      /^aiden_graphql_operation_seconds_count\{kind="query",code="ok"\} \d+/m,
    );
    expect(metrics).toMatch(/^aiden_neo4j_statement_seconds_count\{name="mergeUser"\} \d+/m);
  });

  it('/metrics names nothing but aiden_ and carries no id of anybody', async () => {
    const viewer = await as().one<{ id: string }>('{ viewer { id } }');
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    const names = metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(names.filter((line) => !line.startsWith('aiden_'))).toEqual([]);
    expect(metrics).not.toContain(viewer.id);
    expect(metrics).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });
});
