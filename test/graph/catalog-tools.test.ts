import { describe, expect, it } from 'vitest';
import { updateSecret } from '../../src/catalog/secrets/secret.mutations.ts';
import { updateService } from '../../src/catalog/services/service.mutations.ts';
import { findTools, listToolsWith } from '../../src/catalog/tools/tool.cypher.ts';
import { deleteTool, updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import type { CreateTool } from '../../src/catalog/tools/tool-plan.ts';
import type { JsonObject } from '../../src/common/json.ts';
import type { Viewer } from '../../src/users/user.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import {
  ENDPOINT,
  ENDPOINT_SCHEMA,
  type Person,
  race,
  refusals,
  refuses,
  world,
  worldGraph,
} from '../testkit/world.ts';

const graph = worldGraph();
const { deps, ada, bob, root, system } = await world();
const find = async (viewer: Viewer, id: string) =>
  (await readWith(graph, findTools, viewer, [id]))[0] ?? null;
const update = (id: string, changes: object, { viewer }: Person = ada) =>
  updateTool(deps, viewer, { id, ...changes });
const remove = (id: string, { viewer }: Person = ada) => deleteTool(deps, viewer, { id });
const listed = async ({ viewer }: Person, filter: Parameters<typeof listToolsWith>[2] = {}) =>
  (
    await readWith(graph, listToolsWith, viewer, { includeShared: false, ...filter })
  ).page.items.map(({ item }) => item.id);
const object = (properties: JsonObject, more: object = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

describe('a Tool', () => {
  // S4-TOOL-01, -03, S4-TOOL-09, S4-TOOL-10
  it('has three edges, with connectionParams on one', async () => {
    const service = await ada.createsService({ requiresSecret: true });
    const secret = await ada.createsSecret();
    const given = { serviceId: service.id, secretId: secret.id, description: 'reads' };
    const tool = await ada.createsTool(given);
    const { userId } = ada.viewer;
    expect(tool).toMatchObject({
      ...{ ...given, ownerId: userId, secretScope: 'bearer', toolTemplateId: null },
      ...{ enabled: true, shared: false, mutating: false },
      ...{ status: 'down', lastHealthCheck: null, errorMessage: 'not checked yet' },
    });
    const [row] = await runCypher(
      graph,
      `MATCH (t:Tool:Resource {id: $id})-[:OWNED_BY]->(u:User),
        (t)-[uses:USES_SERVICE]->(s:Service), (t)-[a:USES_SECRET]->(x:Secret)
      RETURN [u.id, s.id, a.scope, x.id, uses.connectionParams, t.connectionParams] AS stored`,
      { id: tool.id },
    );
    const params = JSON.stringify({ endpoint: ENDPOINT });
    expect(row?.['stored']).toEqual([userId, service.id, 'bearer', secret.id, params, null]);
    // It was probed as soon as it was there, in the background.
    const probed = { status: 'healthy', lastHealthCheck: expect.any(String), errorMessage: null };
    await expect.poll(() => find(ada.viewer, tool.id)).toMatchObject({ ...tool, ...probed });
  });

  it('can be both examples of the specification (S4-TOOL-03, S4-TOOL-12, S4-SVC-16)', async () => {
    const uri = { type: 'string', format: 'uri' };
    const text = { type: 'string' };
    const pool = { type: 'integer', default: 50 };
    const neo4j = await ada.createsService({
      ...{ type: 'neo4j_graph', protocol: 'bolt', requiresSecret: true },
      connectionSchema: object(
        { endpoint: uri, database: text, maxConnectionPoolSize: pool },
        { required: ['endpoint', 'database'] },
      ),
    });
    const query = 'MATCH (n:Entity) WHERE n.name = $name RETURN n';
    const endpoint = 'bolt://localhost:7687';
    const reads: Partial<CreateTool> = {
      serviceId: neo4j.id,
      secretId: (await ada.createsSecret({ type: 'password' })).id,
      connectionParams: { endpoint, database: 'graphiti', maxConnectionPoolSize: 100 },
      operation: { type: 'graph_query', query, access: 'read' },
      inputSchema: object({ name: text }),
    };
    const expected = { secretScope: 'password', mutating: false };
    expect(await ada.createsTool(reads)).toMatchObject(expected);
    const operation = { type: 'graph_query', query, access: 'write' } as const;
    const writes = { ...reads, operation };
    await refuses(ada.createsTool({ ...writes, mutating: false }), 'INVALID mutating');
    expect(await ada.createsTool(writes)).toMatchObject({ mutating: true });
    const temperature = { type: 'number', minimum: 0, maximum: 2, default: 0.7 };
    const llm = await ada.createsService({
      ...{ type: 'llm_provider', protocol: 'https', requiresSecret: true },
      connectionSchema: object({ endpoint: uri, model: text, temperature }),
    });
    const params = { endpoint: 'https://api.anthropic.com', model: 'claude', temperature: 0.7 };
    const asks: Partial<CreateTool> = {
      serviceId: llm.id,
      secretId: (await ada.createsSecret()).id,
      connectionParams: params,
      operation: { type: 'llm_call', promptTemplate: '{{instruction}}\n\n{{content}}' },
      inputSchema: object({ instruction: text, content: text }),
      outputSchema: text,
    };
    const made = { secretScope: 'header:x-api-key', connectionParams: params };
    expect(await ada.createsTool(asks)).toMatchObject(made);
    const hot = { ...asks, connectionParams: { ...params, temperature: 3 } };
    await refuses(ada.createsTool(hot), 'SCHEMA_VIOLATION connectionParams.temperature');
    await refuses(
      ada.createsTool({ operation: null, inputSchema: null, outputSchema: null }),
      'REQUIRED operation',
      'REQUIRED inputSchema',
      'REQUIRED outputSchema',
    );
  });

  it('names everything that is wrong at once, and writes nothing', async () => {
    const { ada } = await world();
    const { id: serviceId } = await ada.createsService({ requiresSecret: true });
    const wrong: Partial<CreateTool> = {
      ...{ name: '', serviceId, connectionParams: { endpoint: 'ftp://x.org' } },
      operation: { type: 'llm_call', promptTemplate: '{{unknown}} {{#bad}}' },
      inputSchema: { properties: { a: { type: 'nonsense' } } },
      outputSchema: { $ref: 'https://x.org' },
    };
    expect(await refusals(ada.createsTool(wrong))).toEqual([
      'REQUIRED name',
      'SCHEMA_INVALID inputSchema.properties.a.type',
      'SCHEMA_INVALID outputSchema.$ref',
      expect.stringMatching(/^TEMPLATE_INVALID operation\.llmCall\.promptTemplate/),
      'UNKNOWN_VARIABLE inputSchema.properties.a',
      'PROTOCOL_MISMATCH connectionParams.endpoint',
      'TYPE_MISMATCH operation',
      'SECRET_REQUIRED secretId',
    ]);
    expect(await listed(ada)).toEqual([]);
    const nothing = { operation: null, inputSchema: null, outputSchema: null };
    const required = Object.keys(nothing).map((name) => `REQUIRED ${name}`);
    await refuses(ada.createsTool(nothing), ...required);
  });

  const at = (endpoint: string, more: object = {}) => ({ endpoint, ...more });
  const costs = (pricing: JsonObject) => at(ENDPOINT, { pricing });
  const bothPrices = ['inputPerMillion', 'outputPerMillion'].map(
    (name) => `INVALID connectionParams.pricing.${name}`,
  );
  it.each<[string, JsonObject, string[]]>([
    ['no endpoint', {}, ['SCHEMA_VIOLATION connectionParams.endpoint']],
    ['another scheme', at('bolt://x.org'), ['PROTOCOL_MISMATCH connectionParams.endpoint']],
    ['credentials in it', at('http://ada:pass@x.org'), ['INVALID connectionParams.endpoint']],
    ['a query in it', at('http://x.org/?a=1'), ['INVALID connectionParams.endpoint']],
    ['prices that are none', costs({ inputPerMillion: -1 }), bothPrices],
    ['prices beside a schema', costs({ inputPerMillion: 0, outputPerMillion: 1.5 }), ['done']],
    ['more than a schema', at(ENDPOINT, { other: 1 }), ['SCHEMA_VIOLATION connectionParams.other']],
  ])('answers connectionParams with %s (S4-TOOL-04)', async (_, connectionParams, expected) => {
    const connectionSchema = { ...ENDPOINT_SCHEMA, additionalProperties: false };
    const { id: serviceId } = await ada.createsService({ connectionSchema });
    expect(await refusals(ada.createsTool({ serviceId, connectionParams }))).toEqual(expected);
  });

  it('runs a stdio server only if the operator registered it', async () => {
    const connectionSchema = { type: 'object' };
    const stdio = { type: 'mcp_server', protocol: 'stdio', connectionSchema } as const;
    const { id: serviceId } = await ada.createsService(stdio);
    const { id: secretId } = await ada.createsSecret();
    const creates = (connectionParams: JsonObject, more: object = {}) =>
      ada.createsTool({
        serviceId,
        operation: { type: 'mcp_call', tool: 'echo' },
        inputSchema: object({ message: {} }),
        outputSchema: {},
        connectionParams,
        ...more,
      });
    const server = 'everything';
    expect(await creates({ server })).toMatchObject({ mutating: true });
    const shell = { server: 'sh', command: 'sh', args: ['-c', 'id'] };
    await refuses(creates(shell), 'INVALID connectionParams.server');
    await refuses(creates({}), 'REQUIRED connectionParams.server');
    await refuses(creates({ server }, { secretId, secretScope: null }), 'REQUIRED secretScope');
    await creates({ server }, { secretId, secretScope: 'env:API_KEY' });
    const variables = ['NODE_OPTIONS', 'PERL5OPT', 'CLASSPATH', 'GITHUB_TOKEN', 'api_key'];
    for (const secretScope of [...variables.map((name) => `env:${name}`), 'bearer'])
      await refuses(creates({ server }, { secretId, secretScope }), 'INVALID secretScope');
  });

  // S4-SVC-13, S4-SVC-14, S4-OWN-06
  it('may use a shared Service, with a Secret of its owner', async () => {
    const { id: serviceId } = await ada.createsService();
    await refuses(bob.createsTool({ serviceId }), 'NOT_FOUND serviceId');
    await updateService(deps, ada.viewer, { id: serviceId, shared: true });
    expect(await bob.createsTool({ serviceId })).toMatchObject({ ownerId: bob.viewer.userId });
    const { id: foreign } = await ada.createsSecret({ shared: true });
    for (const secretId of [foreign, 'nothing'])
      await refuses(bob.createsTool({ serviceId, secretId }), 'NOT_FOUND secretId');
    await refuses(ada.createsTool({ serviceId: 'nothing' }), 'NOT_FOUND serviceId');
    const { id: secretId } = await bob.createsSecret();
    expect(await bob.createsTool({ serviceId, secretId })).toMatchObject({ secretId });
  });

  // S4-OWN-04, -05
  it('is found by others only while shared, and changed by its owner only', async () => {
    const { id } = await ada.createsTool();
    expect(await find(bob.viewer, id)).toBeNull();
    for (const problem of ['NOT_FOUND id', 'FORBIDDEN id']) {
      await refuses(update(id, { name: 'mine' }, bob), problem);
      await refuses(remove(id, bob), problem);
      await update(id, { shared: true });
    }
    expect(await find(bob.viewer, id)).toMatchObject({ id });
  });

  it('is found by Service and by text', async () => {
    const { ada } = await world();
    const one = await ada.createsTool({ name: 'Weather in Paris' });
    const other = await ada.createsTool({ name: 'Other', description: 'says the WEATHER too' });
    expect(await listed(ada, { query: 'weather' })).toEqual([other.id, one.id]);
    expect(await listed(ada, { query: 'paris' })).toEqual([one.id]);
    expect(await listed(ada, { serviceId: other.serviceId })).toEqual([other.id]);
    expect(await listed(ada, { query: '.*' })).toEqual([]);
  });
});

describe('a change of a Tool', () => {
  it('touches the named fields and leaves the rest (S4-TOOL-07)', async () => {
    const tool = await ada.createsTool({ description: 'old' });
    const changes = { name: 'New', description: null, enabled: false };
    const changed = await update(tool.id, changes);
    const { updatedAt, status, lastHealthCheck, errorMessage } = changed;
    const checked = { updatedAt, status, lastHealthCheck, errorMessage };
    expect(changed).toEqual({ ...tool, ...changes, ...checked });
    const posting = (path: string) => ({ operation: { type: 'rest_call', method: 'POST', path } });
    await refuses(
      update(tool.id, posting('/other/{{key}}')),
      'UNKNOWN_VARIABLE operation.restCall.path',
      'UNKNOWN_VARIABLE inputSchema.properties.id',
    );
    expect(await update(tool.id, posting('/other/{{id}}'))).toMatchObject({ mutating: true });
    expect(await update(tool.id, { mutating: false })).toMatchObject({ mutating: false });
    const mcp = { operation: { type: 'mcp_call', tool: 'x' } };
    await refuses(update(tool.id, mcp), 'TYPE_MISMATCH operation');
    await refuses(
      update(tool.id, { connectionParams: { endpoint: 1.5 } }),
      'SCHEMA_VIOLATION connectionParams.endpoint',
    );
  });

  it('moves to another origin only with the Secret named again', async () => {
    const { id: secretId } = await ada.createsSecret();
    const { id } = await ada.createsTool({ secretId });
    const to = (endpoint: string, more: object = {}) =>
      update(id, { connectionParams: { endpoint }, ...more });
    const endpoint = 'http://attacker.example';
    await refuses(to(endpoint), 'SECRET_REQUIRED secretId');
    expect(await to(`${ENDPOINT}/v2`)).toMatchObject({ secretId });
    const unchecked = { status: 'down', lastHealthCheck: null };
    const moved = { secretId, connectionParams: { endpoint }, ...unchecked };
    expect(await to(endpoint, { secretId })).toMatchObject(moved);
    const unbound = { secretId: null, secretScope: null };
    expect(await to(ENDPOINT, { secretId: null })).toMatchObject(unbound);
  });

  // S4-TOOL-10, S4-SVC-12
  it('retargets, rescopes and unbinds the Secret, one edge at most', async () => {
    const { id: serviceId } = await ada.createsService({ requiresSecret: true });
    const [first, second] = [await ada.createsSecret(), await ada.createsSecret()];
    const { id } = await ada.createsTool({ serviceId, secretId: first.id });
    const secretId = second.id;
    expect(await update(id, { secretId })).toMatchObject({ secretId, secretScope: 'bearer' });
    const rescoped = { secretId, secretScope: 'header:X-Key' };
    expect(await update(id, { secretScope: 'header:X-Key' })).toMatchObject(rescoped);
    expect(await update(id, { name: 'Still' })).toMatchObject(rescoped);
    await refuses(update(id, { secretScope: 'header:Host' }), 'INVALID secretScope');
    await refuses(update(id, { secretId: null }), 'SECRET_REQUIRED secretId');
    const bound = `MATCH (t:Tool {id: $id})-[a:USES_SECRET]->(x)
      RETURN collect([x.id, a.scope]) AS bound`;
    expect(await runCypher(graph, bound, { id })).toEqual([
      { bound: [[secretId, 'header:X-Key']] },
    ]);
    await updateSecret(deps, ada.viewer, { id: secretId, value: 'another-value' });
    expect(await find(ada.viewer, id)).toMatchObject({ secretId });
  });
});

describe('Tools of the system', () => {
  it('run their own Cypher; everything else an admin may change', async () => {
    const input = { type: 'neo4j_graph', protocol: 'bolt', shared: true } as const;
    const service = await system.createsService(input);
    const { id: secretId } = await root.createsSecret();
    const query = (text: string, access: 'read' | 'write') =>
      ({ type: 'graph_query', query: text, access }) as const;
    const graphTool: Partial<CreateTool> = {
      serviceId: service.id,
      connectionParams: { endpoint: 'bolt://127.0.0.1:7687' },
      shared: true,
      operation: query('MATCH (n {owner: $ownerId, name: $name}) RETURN n', 'read'),
      inputSchema: object({ name: {} }),
    };
    const { id } = await system.createsTool(graphTool);
    const changes = {
      operation: query('MATCH (n {name: $name}) DETACH DELETE n', 'write'),
      connectionParams: { endpoint: 'bolt://attacker.example' },
      secretId,
    };
    expect(await refusals(update(id, { ...changes, mutating: true }, root))).toEqual(
      expect.arrayContaining(Object.keys(changes).map((name) => `IMMUTABLE ${name}`)),
    );
    const renamed = { name: 'Renamed', enabled: false };
    expect(await update(id, renamed, root)).toMatchObject(renamed);
    await refuses(update(id, { name: 'mine' }), 'FORBIDDEN id');
    // The driver fills in $ownerId for the system only; as an input it would forge the caller.
    const forging = { ...graphTool, inputSchema: { properties: { name: {}, ownerId: {} } } };
    for (const person of [system, ada])
      await refuses(person.createsTool(forging), 'INVALID inputSchema.properties.ownerId');
    await refuses(ada.createsTool(graphTool), 'UNKNOWN_VARIABLE operation.graphQuery.query');
    await remove(id, root);
  });

  it('never carry a Secret of an admin', async () => {
    const { id } = await system.createsTool();
    const { id: secretId } = await root.createsSecret();
    await refuses(update(id, { secretId }, root), 'SECRET_OWNER secretId');
    await remove(id, root);
  });
});

describe('writers racing over a Tool', () => {
  it('write over no change that they have not seen, where they say what they saw', async () => {
    const tool = await ada.createsTool();
    const service = await ada.createsService();
    const racing = (
      { updatedAt: expectedUpdatedAt }: { readonly updatedAt: string },
      write: (change: object) => Promise<unknown>,
    ) => race([1, 2, 3, 4].map((n) => () => write({ name: `name ${n}`, expectedUpdatedAt })));
    const one = { done: 1, 'CONFLICT expectedUpdatedAt': 3 };
    expect(await racing(tool, (change) => update(tool.id, change))).toEqual(one);
    expect(
      await racing(service, (change) =>
        updateService(deps, ada.viewer, { id: service.id, ...change }),
      ),
    ).toEqual(one);
    const now = await find(ada.viewer, tool.id);
    await update(tool.id, { name: 'seen', expectedUpdatedAt: now?.updatedAt });
    expect(await find(ada.viewer, tool.id)).toMatchObject({ name: 'seen' });
  });

  it('keep one Secret edge, in any order (S4-TOOL-10)', async () => {
    const secrets = await Promise.all(Array.from({ length: 6 }, () => ada.createsSecret()));
    const { id } = await ada.createsTool({ secretId: secrets[0]?.id ?? null });
    const writers = secrets.map(
      ({ id: secretId }) =>
        () =>
          update(id, { secretId }),
    );
    expect(await race(writers)).toEqual({ done: 6 });
    const bound = 'MATCH (t:Tool {id: $id})-[a:USES_SECRET]->() RETURN count(a) AS bound';
    expect(await runCypher(graph, bound, { id })).toEqual([{ bound: 1 }]);
  });

  it('never give it a connection its Service does not allow (S4-TOOL-04)', async () => {
    const stricter = { ...ENDPOINT_SCHEMA, properties: { endpoint: { const: ENDPOINT } } };
    for (let round = 0; round < 4; round++) {
      const { id: serviceId } = await ada.createsService();
      const { id } = await ada.createsTool({ serviceId });
      const { done } = await race([
        () => update(id, { connectionParams: { endpoint: 'http://x.org' } }),
        () => updateService(deps, ada.viewer, { id: serviceId, connectionSchema: stricter }),
      ]);
      expect(done).toBe(1);
    }
  });
});
