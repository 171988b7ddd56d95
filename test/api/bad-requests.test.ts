import { describe, expect, it } from 'vitest';
import { freshName } from '../testkit/client.ts';

const url = `${process.env['AIDEN_TEST_URL']}/graphql`;
const headers = {
  authorization: `Bearer dev:${freshName('ada')}`,
  'content-type': 'application/json',
  accept: 'application/graphql-response+json',
};

interface Answered {
  readonly data?: unknown;
  readonly errors?: { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function post(body: object): Promise<{ status: number; code: unknown; data: unknown }> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data, errors } = (await response.json()) as Answered;
  return { status: response.status, code: errors?.[0]?.extensions.code, data };
}

describe('requests that are their sender’s fault are never INTERNAL', () => {
  it.each([
    ['lists', 7_900, `{viewer(a:${'['.repeat(7_900)}){id}}`],
    ['closed lists', 3_000, `{viewer(a:${'['.repeat(3_000)}1${']'.repeat(3_000)}){id}}`],
    ['selections', 900, `{viewer${'{owner'.repeat(900)}{id}${'}'.repeat(901)}`],
  ])('a document of %s nested %i deep is 400', async (_what, _depth, query) => {
    const { status, code } = await post({ query });
    expect([status, code]).toEqual([400, expect.stringMatching(/COMPLEXITY|BAD_USER_INPUT/)]);
  });

  it.each(['variables=x', 'extensions=[1]', 'variables=%22text%22'])(
    'a GET with %s is 400',
    async (parameter) => {
      const response = await fetch(`${url}?query=%7B__typename%7D&${parameter}`, { headers });
      const { errors } = (await response.json()) as Answered;
      expect([response.status, errors?.[0]?.extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
    },
  );

  it('a GET with variables is answered', async () => {
    const query = encodeURIComponent('query ($n: Int) { processes(first: $n) { totalCount } }');
    const response = await fetch(`${url}?query=${query}&variables={"n":1}&extensions=null`, {
      headers,
    });
    expect(response.status).toBe(200);
  });

  it('a blob URI with half of a surrogate pair names no blob (S0-BLOB-02)', async () => {
    const query = 'query ($uri: String!) { blob(uri: $uri) { size } }';
    for (const uri of ['ci-blob://\ud800/x', 'ci-blob://x/\udfff', 'ci-blob://%ED%A0%80/x']) {
      const { code, data } = await post({ query, variables: { uri } });
      expect(code, uri).not.toBe('INTERNAL');
      expect(JSON.stringify(data ?? { blob: null }), uri).toBe('{"blob":null}');
    }
  });
});
