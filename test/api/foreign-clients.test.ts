import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { ApolloClient, type ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { Client, fetchExchange, gql as urqlGql } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { getIntrospectionQuery } from 'graphql';
import { createClient as createWsClient } from 'graphql-ws';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { startRun } from '../browser/tour-data.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { type PythonPackages, pythonMissing, runPython } from '../testkit/python.ts';
import { shipped } from '../testkit/shipped.ts';

// Issue 20: clients that the API's authors did not write, on the real server.
const PYTHON_GQL: PythonPackages = {
  name: 'python-gql-4.4.0',
  packages: ['gql[httpx,websockets]==4.4.0'],
};
const GQL_CLIENT = fileURLToPath(new URL('../testkit/gql-client.py', import.meta.url));

interface Run {
  readonly processRun: { readonly status: string; readonly output: string | null };
}

let ada: TestClient;
/** Two Processes whose only steps have one stepId, and different descriptions. */
let processIds: string[] = [];
beforeAll(async () => {
  ada = client(freshName('ada'));
  const { toolId: idOf } = await shipped(ada);
  const toolId = idOf('summarise text');
  const create = (description: string) =>
    ada.creates('process', {
      initialContext: ['text'],
      steps: [
        {
          stepId: 'summarise',
          description,
          calls: { toolId },
          inputs: { text: '{context.text}', sentences: 1 },
          output: { variable: 'summary' },
        },
      ],
      outputTemplate: '{{summary}}',
    });
  processIds = [await create('first'), await create('second')];
});

const start = () => startRun(ada, processIds[0] ?? '', { text: 'Ada lives in Turin. It rains.' });

const PROCESSES = `query Processes($ids: [ID!]!) {
  nodes(ids: $ids) { __typename id ... on Process { steps { stepId description } } }
}`;
const WATCH = 'subscription Watch($id: ID!) { processRun(id: $id) { id status output } }';
const VIEWER = 'query Viewer { viewer { id name } }';

describe('Apollo Client', () => {
  const headers = () => ({ authorization: ada.authorization });
  const open = (link: ApolloLink) => new ApolloClient({ link, cache: new InMemoryCache() });

  it('keeps each step with its Process', async () => {
    const apollo = open(new HttpLink({ uri: ada.url, headers: headers() }));
    const ask = (fetchPolicy: 'network-only' | 'cache-only') =>
      apollo.query({ query: gql(PROCESSES), variables: { ids: processIds }, fetchPolicy });
    await ask('network-only');
    const { data } = await ask('cache-only');
    const nodes = (data as { nodes: { steps: { description: string }[] }[] }).nodes;
    expect(nodes.map(({ steps }) => steps[0]?.description)).toEqual(['first', 'second']);
  });

  it('sends a document once, then its hash', async () => {
    const bodies: { query?: string }[] = [];
    const link = () =>
      new PersistedQueryLink({
        sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
      }).concat(
        new HttpLink({
          uri: ada.url,
          headers: headers(),
          fetch: (url, init) => {
            bodies.push(JSON.parse(String(init?.body)));
            return fetch(url, init);
          },
        }),
      );
    const query = gql(VIEWER.replace('Viewer', freshName('Viewer').replaceAll('-', '_')));
    for (const apollo of [open(link()), open(link())])
      expect((await apollo.query({ query })).data).toMatchObject({
        viewer: { name: expect.stringMatching(/^ada/) },
      });
    expect(bodies.map((body) => body.query !== undefined)).toEqual([false, true, false]);
  });

  it.each(['multipart', 'graphql-ws'] as const)('watches a run by %s', async (transport) => {
    const ws = createWsClient({
      url: ada.url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      lazy: true,
      connectionParams: { Authorization: ada.authorization },
    });
    const apollo = open(
      transport === 'multipart'
        ? new HttpLink({ uri: ada.url, headers: headers() })
        : new GraphQLWsLink(ws),
    );
    const id = await start();
    const last = await new Promise<Run | undefined>((resolve, reject) => {
      let seen: Run | undefined;
      apollo.subscribe<Run>({ query: gql(WATCH), variables: { id } }).subscribe({
        next({ data, error }) {
          if (error !== undefined) reject(error);
          seen = data ?? seen;
        },
        error: reject,
        complete: () => resolve(seen),
      });
    });
    await ws.dispose();
    expect(last?.processRun).toMatchObject({ status: 'COMPLETED', output: 'Ada lives in Turin.' });
  });
});

describe('urql with graphcache', () => {
  it('keeps each step with its Process, and warns of nothing', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const schema = await ada.query<never>(getIntrospectionQuery());
    const urql = new Client({
      url: ada.url,
      exchanges: [cacheExchange({ schema, keys: { ProcessStep: () => null } }), fetchExchange],
      fetchOptions: { headers: { authorization: ada.authorization } },
      preferGetMethod: 'within-url-limit',
    });
    const ask = (requestPolicy: 'network-only' | 'cache-only') =>
      urql.query(urqlGql(PROCESSES), { ids: processIds }, { requestPolicy }).toPromise();
    expect((await ask('network-only')).error).toBeUndefined();
    const { data } = await ask('cache-only');
    const { nodes } = data as { nodes: { steps: { description: string }[] }[] };
    expect(nodes.map(({ steps }) => steps[0]?.description)).toEqual(['first', 'second']);
    expect(warned.mock.calls).toEqual([]);
    warned.mockRestore();
  });
});

const missing = pythonMissing(PYTHON_GQL);
describe("Python's gql", () => {
  it.skipIf(missing !== null)(
    `is its own user, and none with a wrong token${missing === null ? '' : `: ${missing}`}`,
    async () => {
      const args = [GQL_CLIENT, ada.url, ada.authorization, await start()];
      const name = ada.authorization.replace('Bearer dev:', '');
      expect(await runPython(PYTHON_GQL, args)).toEqual({
        http: { viewer: { name, roles: ['USER'] } },
        socket: { viewer: { name, roles: ['USER'] } },
        'no token': { viewer: { name: 'dev', roles: ['USER'] } },
        'wrong over http': expect.stringContaining('UNAUTHENTICATED'),
        'wrong over a socket': expect.stringContaining('4401'),
        states: expect.arrayContaining([
          { processRun: { status: 'COMPLETED', output: 'Ada lives in Turin.' } },
        ]),
      });
    },
  );
});
