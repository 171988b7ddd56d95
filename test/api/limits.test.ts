import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATION_LIMITS } from '../../src/platform/http/operation-limits.ts';
import { startApi, type TestApi } from '../testkit/api-server.ts';
import { client, freshName } from '../testkit/client.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
const ask = (document: string, variables?: object) =>
  client(freshName(), { url: api.url }).ask(document, variables);

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');
const { aliasesMax, rootFieldsMax, tokensMax, costMax } = OPERATION_LIMITS;

// Issue 3: limits on depth, aliases, tokens and cost
const MANY = repeat(14, () => 'id name roles workspace ');

describe('an operation beyond a limit is COMPLEXITY and resolves nothing', () => {
  // Nothing of ours is recursive yet by plain types, so depth is reached through the introspection
  // types.
  const deep = (levels: number) =>
    `{ probeUsers { ${'... on User { '.repeat(levels)} id ${'}'.repeat(levels)} } }`;

  it.each([
    ['aliases', `{ viewer { ${repeat(aliasesMax + 1, (i) => `a${i}: id`)} } }`],
    [
      'aliases through a fragment',
      `{ viewer { ...F } } fragment F on User { ${repeat(aliasesMax + 1, (i) => `a${i}: id`)} }`,
    ],
    ['root fields', `{ ${repeat(rootFieldsMax + 1, (i) => `a${i}: __typename`)} }`],
    [
      'root fields through a fragment',
      `{ ...R ...R } fragment R on Query {
        ${repeat(rootFieldsMax / 2 + 1, () => 'viewer { id }')} }`,
    ],
    ['tokens', `{ viewer { ${repeat(tokensMax, () => 'id')} } }`],
    ['cost', `{ ${repeat(rootFieldsMax, (i) => `a${i}: probeUsers(first: 200) { ${MANY} }`)} }`],
  ])('in %s', async (_what, document) => {
    const { errors, data } = await ask(document);
    expect(errors.map(({ extensions }) => extensions.code)).toContain('COMPLEXITY');
    expect(data).toBeNull();
  });

  it('in cost by a variable', async () => {
    const document = `query($n: Int) { probeUsers(first: $n) {
      ${repeat(100, () => 'id name roles ')} } }`;
    expect((await ask(document, { n: 1 })).errors).toEqual([]);
    expect((await ask(document, { n: 200 })).errors[0]?.extensions.code).toBe('COMPLEXITY');
  });

  it('in cost of the operation that is named, not of the first', async () => {
    const costly = `{ probeUsers(first: 200) { ${repeat(100, () => 'id name roles ')} } }`;
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `query Cheap { viewer { id } } query Costly ${costly}`,
        operationName: 'Costly',
      }),
    });
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'COMPLEXITY' } }],
    });
  });

  it('but inline fragments alone do not make an operation deep', async () => {
    expect((await ask(deep(20))).errors).toEqual([]);
  });

  it('and a fragment that spreads itself is refused, not followed', async () => {
    const { errors } = await ask('{ viewer { ...F } } fragment F on User { id ...F }');
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('and fragments that double at each of sixty levels are measured at once', async () => {
    const fragments = repeat(60, (i) => `fragment F${i} on User { ...F${i + 1} ...F${i + 1} }`);
    const startedMs = performance.now();
    await ask(`{ viewer { ...F0 } } ${fragments} fragment F60 on User { id }`);
    expect(performance.now() - startedMs).toBeLessThan(60_000);
  });

  it(`while ${costMax} is far above a full page with its nested things`, async () => {
    expect(
      (await ask('{ probeUsers(first: 200) { id name roles workspace createdAt } }')).errors,
    ).toEqual([]);
  });
});

describe('a body', () => {
  const large = (bytes: number) => 'x'.repeat(bytes);
  const importing = (more = '') =>
    `mutation($text: String!) { importBundle(input: { document: $text, dryRun: true }) {
      userErrors { code } } ${more} }`;

  it('above 1 MiB is 413 PAYLOAD_TOO_LARGE', async () => {
    const write =
      'mutation($text: String) { probeWrite(refuse: true, size: $text) { userErrors { code } } }';
    expect((await ask(write, { text: large(900_000) })).status).toBe(200);
    const { status, errors } = await ask(write, { text: large(1_100_000) });
    expect([status, errors[0]?.extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('may be larger where its only root field takes things in', async () => {
    const { status, errors } = await ask(importing(), {
      text: large(3_000_000),
    });
    expect([status, errors]).toEqual([200, []]);
  });

  it('may be larger where it is an OpenAPI document', async () => {
    const document = `mutation($text: String!) {
        importOpenApiTools(input: {
          serviceId: "none", connectionParams: {}, document: $text, dryRun: true })
        { userErrors { code } } }`;
    const { status, errors } = await ask(document, { text: large(1_100_000) });
    expect([status, errors]).toEqual([200, []]);
  });

  it('is not taken for an intake because of an alias, a second field or a fragment', async () => {
    for (const document of [
      `mutation($text: String) { importBundle: probeWrite(refuse: true, size: $text) {
        userErrors { code } } }`,
      importing('probeWrite(refuse: true) { userErrors { code } }'),
      `mutation($text: String!) { ...F } fragment F on Mutation {
        importBundle(input: { document: $text }) { userErrors { code } } }`,
    ]) {
      expect((await ask(document, { text: large(1_100_000) })).status).toBe(413);
    }
  });

  it('above 64 MiB is refused by its declared length, unread', async () => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: large(65 * 1024 * 1024),
    }).catch((error: Error) => error);
    // The server hangs up while the client still sends; either it reads the answer or it sees that.
    if (response instanceof Response) expect(response.status).toBe(413);
    else expect(response.message).toMatch(/fetch failed/);
    expect((await ask('{ viewer { id } }')).status).toBe(200);
  });

  it('with JSON nested beyond a hundred levels is BAD_USER_INPUT', async () => {
    const nested = JSON.parse('['.repeat(200) + ']'.repeat(200));
    const { errors } = await ask('query($json: JSON) { probeEcho(json: $json) }', { json: nested });
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

it('a caller that sends without pause is RATE_LIMITED with 429, and others are not', async () => {
  const narrow = await startApi({ rateLimit: { perSecond: 0.5, burst: 5 } });
  try {
    const ada = client(freshName('ada'), { url: narrow.url });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ada.ask('{ viewer { id } }')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBe(5);
    expect(refused[0]?.errors[0]?.extensions.code).toBe('RATE_LIMITED');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(
      (await client(freshName('bob'), { url: narrow.url }).ask('{ viewer { id } }')).status,
    ).toBe(200);
  } finally {
    await narrow.stop();
  }
});

describe('introspection', () => {
  it('is asked in dev, with suggestions', async () => {
    const whole = getIntrospectionQuery({ descriptions: true, oneOf: true } as never);
    expect((await ask(whole)).errors).toEqual([]);
    expect(JSON.stringify((await ask('{ viewer { nam } }')).errors)).toContain('Did you mean');
  });

  it('is nothing outside dev: no introspection, no suggestions, no GraphiQL', async () => {
    const key = { secret: 'x'.repeat(32) };
    const auth = { mode: 'jwt', key, issuer: 'i', audience: 'a' } as const;
    const production = await startApi({ mode: 'production', auth });
    try {
      const post = (query: string) =>
        fetch(`${production.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        }).then((response) => response.text());
      expect(await post('{ __schema { types { name } } }')).toContain('introspection');
      expect(await post('{ __type(name: "User") { name } }')).not.toContain('"data"');
      for (const query of [
        '{ viewer { nam } }',
        '{ viewr { id } }',
        '{ viewer { id(x: 1) } }',
        '{ probeUsers(frist: 1) { id } }',
        'query($x: Usr) { viewer { id } }',
      ]) {
        const text = await post(query);
        expect(text).toContain('"errors"');
        expect(text).not.toContain('Did you mean');
      }
      const page = await fetch(`${production.url}/graphql`, { headers: { accept: 'text/html' } });
      expect(await page.text()).not.toContain('<html');
    } finally {
      await production.stop();
    }
  });
});
