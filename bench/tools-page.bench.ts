import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import neo4j from 'neo4j-driver';
import { request } from 'undici';
import { createSecret } from '../src/catalog/secrets/secret.mutations.ts';
import { createService } from '../src/catalog/services/service.mutations.ts';
import { createTool } from '../src/catalog/tools/tool.mutations.ts';
import { startApi } from '../src/main/api.ts';
import { readConfig } from '../src/main/config/config.ts';
import { openRuntime } from '../src/main/runtime.ts';
import { holds, interleave, median, pairedRatio, printFigure } from './report.ts';

// The cost of the API over the database: a page of 50 Tools with Service, owner and Secret, over
// HTTP, against one hand-written Cypher for the same data through the driver.

const PAGE = 50;
const QUERY = /* GraphQL */ `
  {
    tools(first: ${PAGE}, includeShared: false) {
      totalCount
      nodes {
        id name description enabled shared mutating status connectionParams inputSchema
        createdAt updatedAt
        service { id name type protocol enabled }
        owner { id name }
        secret { id name type }
      }
    }
  }
`;
const CYPHER = /* cypher */ `
  // benchToolsPage
  MATCH (o:User {id: $ownerId})<-[:OWNED_BY]-(t:Tool)-[uses:USES_SERVICE]->(s:Service)
  OPTIONAL MATCH (t)-[:USES_SECRET]->(x:Secret)
  WITH * ORDER BY t.createdAt DESC, t.id DESC
  WITH count(t) AS totalCount, collect(t {.id, .name, .description, .enabled, .shared, .mutating,
    .status, .inputSchema,
    .createdAt, .updatedAt, connectionParams: uses.connectionParams, service: s {.id, .name, .type,
      .protocol, .enabled},
    owner: o {.id, .name}, secret: x {.id, .name, .type}})[..$limit] AS nodes
  RETURN totalCount, nodes
`;

const { env } = process;
const dataDir = await mkdtemp(join(tmpdir(), 'aiden-bench-'));
const runtime = await openRuntime(
  readConfig({
    flags: [],
    env: {
      ...env,
      AIDEN_PORT: '0',
      AIDEN_AUTH: 'dev',
      AIDEN_LOG_LEVEL: 'error',
      AIDEN_DATA_DIR: dataDir,
    },
    file: null,
  }),
);
const api = await startApi(runtime);
const driver = neo4j.driver(
  String(env['NEO4J_URI']),
  neo4j.auth.basic(env['NEO4J_USER'] ?? 'neo4j', env['NEO4J_PASSWORD'] ?? ''),
  { disableLosslessIntegers: true },
);
let kept = true;
try {
  const name = `bench-${Date.now()}`;
  const headers = { 'content-type': 'application/json', authorization: `Bearer dev:${name}` };
  const ask = async (query: string) => {
    const { body } = await request(`${api.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    return (await body.json()) as {
      data: { viewer?: { id: string }; tools?: { nodes: unknown[] } };
      errors?: unknown;
    };
  };
  const userId = (await ask('{ viewer { id } }')).data.viewer?.id ?? '';
  const viewer = { userId, name, roles: ['user' as const], workspace: userId };
  const secret = await createSecret(runtime.deps, viewer, {
    name: 'key',
    type: 'api_key',
    value: 'bench-value',
  });
  for (let index = 0; index < PAGE; index++) {
    const service = await createService(runtime.deps, viewer, {
      name: `Service ${index}`,
      type: 'rest_api',
      protocol: 'http',
      connectionSchema: {
        type: 'object',
        required: ['endpoint'],
        properties: { endpoint: { type: 'string' } },
      },
    });
    await createTool(runtime.deps, viewer, {
      name: `Tool ${index}`,
      serviceId: service.id,
      secretId: secret.id,
      connectionParams: { endpoint: 'http://127.0.0.1:9' },
      operation: { type: 'rest_call', method: 'GET', path: '/items/{{id}}' },
      inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
      outputSchema: {},
    });
  }
  const overHttp = async () => {
    const { data, errors } = await ask(QUERY);
    if (data?.tools?.nodes.length !== PAGE)
      throw new Error(`The API answered ${JSON.stringify(errors).slice(0, 300)}`);
  };
  const byHand = async () => {
    const { records } = await driver.executeQuery(
      CYPHER,
      { ownerId: userId, limit: neo4j.int(PAGE) },
      { routing: 'READ', database: 'neo4j' },
    );
    if (((records[0]?.get('nodes') ?? []) as unknown[]).length !== PAGE)
      throw new Error('The hand-written Cypher found something else.');
  };
  // Warmed up for long: both sides are code that has been at it for a while, as it is in a server.
  const times = await interleave({ overHttp, byHand }, { rounds: 200, warmUp: 400 });
  let statements = 0;
  const stop = runtime.graph.onStatement(() => statements++);
  await overHttp();
  stop();
  const [api_, floor] = [median(times.overHttp), median(times.byHand)];
  const figure = {
    name: `GraphQL page of ${PAGE} tools against one hand-written Cypher`,
    value: pairedRatio(times.overHttp, times.byHand),
    unit: 'x' as const,
    bound: 2,
    keep: 'at most' as const,
    detail:
      `${api_.toFixed(1)} ms over HTTP, ${floor.toFixed(1)} ms by hand (${statements} ` +
      'statements)',
  };
  printFigure(figure);
  kept = holds(figure);
} finally {
  await driver.close();
  await api.stop();
  await runtime.close();
  await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = kept ? 0 : 1;
