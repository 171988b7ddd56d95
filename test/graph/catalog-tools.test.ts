import { afterAll, describe, expect, it } from 'vitest';
import { updateSecret } from '../../src/catalog/secrets/secret.mutations.ts';
import { updateService } from '../../src/catalog/services/service.mutations.ts';
import { findTools, listToolsWith } from '../../src/catalog/tools/tool.cypher.ts';
import { deleteTool, updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import type { CreateTool } from '../../src/catalog/tools/tool-plan.ts';
import type { JsonObject } from '../../src/common/json.ts';
import type { Viewer } from '../../src/users/user.ts';
import { ENDPOINT, ENDPOINT_SCHEMA, race, refusals, world, worldGraph } from '../testkit/world.ts';

const find = async (viewer: Viewer, id: string) =>
  (await worldGraph().read((tx) => findTools(tx, viewer, [id])))[0] ?? null;

/** The LLM Service and Tool of the specification. */
const LLM_SCHEMA: JsonObject = {
  type: 'object',
  required: ['endpoint', 'model'],
  properties: {
    endpoint: { type: 'string', format: 'uri' },
    model: { type: 'string' },
    temperature: { type: 'number', minimum: 0, maximum: 2, default: 0.7 },
    maxTokens: { type: 'integer', minimum: 1 },
  },
};
const LLM_PARAMS = {
  endpoint: 'https://api.anthropic.com',
  model: 'claude-sonnet-4-20250514',
  temperature: 0.7,
  maxTokens: 4096,
};
const PROMPT: Pick<CreateTool, 'operation' | 'inputSchema' | 'outputSchema'> = {
  operation: {
    type: 'llm_call',
    systemPrompt: 'You are a helpful assistant.',
    promptTemplate: '{{instruction}}\n\n{{content}}',
  },
  inputSchema: {
    type: 'object',
    properties: { instruction: { type: 'string' }, content: { type: 'string' } },
  },
  outputSchema: { type: 'string' },
};

describe('a Tool', () => {
  it('is stored with its three edges, connectionParams on USES_SERVICE (S4-TOOL-01, S4-TOOL-03, S4-TOOL-09, S4-TOOL-10)', async () => {
    const { ada } = await world();
    const service = await ada.createsService({ requiresSecret: true });
    const secret = await ada.createsSecret();
    const tool = await ada.createsTool({
      serviceId: service.id,
      secretId: secret.id,
      description: 'reads',
    });
    expect(tool).toMatchObject({
      ownerId: ada.viewer.userId,
      serviceId: service.id,
      secretId: secret.id,
      secretScope: 'bearer',
      description: 'reads',
      enabled: true,
      shared: false,
      mutating: false,
      status: 'down',
      lastHealthCheck: null,
      errorMessage: 'not checked yet',
      toolTemplateId: null,
    });
    const [row] = await worldGraph().read((tx) =>
      tx.run(
        `// readBack
      MATCH (t:Tool:Resource {id: $id})-[:OWNED_BY]->(u:User), (t)-[uses:USES_SERVICE]->(s:Service), (t)-[a:USES_SECRET]->(x:Secret)
      RETURN u.id AS owner, uses.connectionParams AS params, s.id AS service, a.scope AS scope, x.id AS secret, t.connectionParams AS onNode`,
        { id: tool.id },
      ),
    );
    expect(row).toEqual({
      owner: ada.viewer.userId,
      params: JSON.stringify({ endpoint: ENDPOINT }),
      service: service.id,
      scope: 'bearer',
      secret: secret.id,
      onNode: null,
    });
    // It was probed as soon as it was there, in the background.
    await expect
      .poll(() => find(ada.viewer, tool.id))
      .toMatchObject({
        ...tool,
        status: 'healthy',
        lastHealthCheck: expect.any(String),
        errorMessage: null,
      });
  });

  it('can be both examples of the specification (S4-TOOL-12, S4-SVC-16)', async () => {
    const { ada } = await world();
    const neo4j = await ada.createsService({
      type: 'neo4j_graph',
      protocol: 'bolt',
      requiresSecret: true,
      connectionSchema: {
        type: 'object',
        required: ['endpoint', 'database'],
        properties: {
          endpoint: { type: 'string', format: 'uri' },
          database: { type: 'string' },
          maxConnectionPoolSize: { type: 'integer', default: 50 },
        },
      },
    });
    const password = await ada.createsSecret({ type: 'password' });
    expect(
      await ada.createsTool({
        serviceId: neo4j.id,
        secretId: password.id,
        connectionParams: {
          endpoint: 'bolt://localhost:7687',
          database: 'graphiti',
          maxConnectionPoolSize: 100,
        },
        operation: {
          type: 'graph_query',
          query: 'MATCH (n:Entity) WHERE n.name = $name RETURN n',
          access: 'read',
        },
        inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
      }),
    ).toMatchObject({ secretScope: 'password', mutating: false });
    const llm = await ada.createsService({
      type: 'llm_provider',
      protocol: 'https',
      connectionSchema: LLM_SCHEMA,
      requiresSecret: true,
    });
    const key = await ada.createsSecret();
    const asked = { serviceId: llm.id, secretId: key.id, ...PROMPT };
    expect(await ada.createsTool({ ...asked, connectionParams: LLM_PARAMS })).toMatchObject({
      secretScope: 'header:x-api-key',
      connectionParams: LLM_PARAMS,
    });
    expect(
      await refusals(
        ada.createsTool({ ...asked, connectionParams: { ...LLM_PARAMS, temperature: 3 } }),
      ),
    ).toEqual(['SCHEMA_VIOLATION connectionParams.temperature']);
  });

  it('names everything that is wrong at once, and writes nothing', async () => {
    const { ada } = await world();
    const service = await ada.createsService({ requiresSecret: true });
    expect(
      await refusals(
        ada.createsTool({
          name: '',
          serviceId: service.id,
          connectionParams: { endpoint: 'ftp://x.org' },
          operation: { type: 'llm_call', promptTemplate: '{{unknown}} {{#bad}}' },
          inputSchema: { properties: { a: { type: 'nonsense' } } },
          outputSchema: { $ref: 'https://x.org' },
        }),
      ),
    ).toEqual([
      'REQUIRED name',
      'SCHEMA_INVALID inputSchema.properties.a.type',
      'SCHEMA_INVALID outputSchema.$ref',
      expect.stringMatching(/^TEMPLATE_INVALID operation\.llmCall\.promptTemplate/),
      'UNKNOWN_VARIABLE inputSchema.properties.a',
      'PROTOCOL_MISMATCH connectionParams.endpoint',
      'TYPE_MISMATCH operation',
      'SECRET_REQUIRED secretId',
    ]);
    expect(
      (await worldGraph().read((tx) => listToolsWith(tx, ada.viewer, { includeShared: false })))
        .page.totalCount,
    ).toBe(0);
  });

  it('needs operation and schemas, or a template (S4-TOOL-03)', async () => {
    const { ada } = await world();
    expect(
      await refusals(ada.createsTool({ operation: null, inputSchema: null, outputSchema: null })),
    ).toEqual(['REQUIRED operation', 'REQUIRED inputSchema', 'REQUIRED outputSchema']);
  });

  it.each<[string, JsonObject, string[]]>([
    ['no endpoint', {}, ['SCHEMA_VIOLATION connectionParams.endpoint']],
    [
      'another scheme',
      { endpoint: 'bolt://x.org' },
      ['PROTOCOL_MISMATCH connectionParams.endpoint'],
    ],
    [
      'credentials in the endpoint',
      { endpoint: 'http://ada:pass@x.org' },
      ['INVALID connectionParams.endpoint'],
    ],
    [
      'a query in the endpoint',
      { endpoint: 'http://x.org/?a=1' },
      ['INVALID connectionParams.endpoint'],
    ],
    [
      'prices that are none',
      { endpoint: ENDPOINT, pricing: { inputPerMillion: -1 } },
      [
        'INVALID connectionParams.pricing.inputPerMillion',
        'INVALID connectionParams.pricing.outputPerMillion',
      ],
    ],
    [
      'prices beside a strict schema',
      { endpoint: ENDPOINT, pricing: { inputPerMillion: 0, outputPerMillion: 1.5 } },
      ['done'],
    ],
    [
      'anything else beside a strict schema',
      { endpoint: ENDPOINT, other: 1 },
      ['SCHEMA_VIOLATION connectionParams.other'],
    ],
  ])('answers connectionParams with %s (S4-TOOL-04)', async (_name, connectionParams, expected) => {
    const { ada } = await world();
    const service = await ada.createsService({
      connectionSchema: { ...ENDPOINT_SCHEMA, additionalProperties: false },
    });
    expect(await refusals(ada.createsTool({ serviceId: service.id, connectionParams }))).toEqual(
      expected,
    );
  });

  it('runs a stdio server only if the operator registered it', async () => {
    const { ada } = await world();
    const service = await ada.createsService({
      type: 'mcp_server',
      protocol: 'stdio',
      connectionSchema: { type: 'object' },
    });
    const secret = await ada.createsSecret();
    const mcp: Partial<CreateTool> = {
      serviceId: service.id,
      operation: { type: 'mcp_call', tool: 'echo' },
      inputSchema: { type: 'object', properties: { message: {} } },
      outputSchema: {},
    };
    expect(
      await ada.createsTool({ ...mcp, connectionParams: { server: 'everything' } }),
    ).toMatchObject({ mutating: true });
    expect(
      await refusals(
        ada.createsTool({
          ...mcp,
          connectionParams: { server: 'sh', command: 'sh', args: ['-c', 'id'] },
        }),
      ),
    ).toEqual(['INVALID connectionParams.server']);
    expect(await refusals(ada.createsTool({ ...mcp, connectionParams: {} }))).toEqual([
      'REQUIRED connectionParams.server',
    ]);
    const bound = (secretScope: string | null) =>
      refusals(
        ada.createsTool({
          ...mcp,
          connectionParams: { server: 'everything' },
          secretId: secret.id,
          secretScope,
        }),
      );
    expect(await bound(null)).toEqual(['REQUIRED secretScope']);
    expect(await bound('env:API_KEY')).toEqual(['done']);
    for (const other of ['NODE_OPTIONS', 'PERL5OPT', 'CLASSPATH', 'GITHUB_TOKEN', 'api_key'])
      expect(await bound(`env:${other}`)).toEqual(['INVALID secretScope']);
    expect(await bound('bearer')).toEqual(['INVALID secretScope']);
  });

  it('uses a shared Service of somebody else, with a Secret of its own owner (S4-SVC-13, S4-SVC-14, S4-OWN-06)', async () => {
    const { deps, ada, bob } = await world();
    const { id: serviceId } = await ada.createsService();
    expect(await refusals(bob.createsTool({ serviceId }))).toEqual(['NOT_FOUND serviceId']);
    await updateService(deps, ada.viewer, { id: serviceId, shared: true });
    expect(await bob.createsTool({ serviceId })).toMatchObject({ ownerId: bob.viewer.userId });
    const secret = await ada.createsSecret({ shared: true });
    expect(await refusals(bob.createsTool({ serviceId, secretId: secret.id }))).toEqual([
      'NOT_FOUND secretId',
    ]);
    expect(await refusals(bob.createsTool({ serviceId, secretId: 'nothing' }))).toEqual([
      'NOT_FOUND secretId',
    ]);
    expect(await refusals(ada.createsTool({ serviceId: 'nothing' }))).toEqual([
      'NOT_FOUND serviceId',
    ]);
    const own = await bob.createsSecret();
    expect(await bob.createsTool({ serviceId, secretId: own.id })).toMatchObject({
      secretId: own.id,
    });
  });

  it('is found by others only while it is shared, and changed by its owner only (S4-OWN-04, S4-OWN-05)', async () => {
    const { deps, ada, bob } = await world();
    const { id } = await ada.createsTool();
    expect(await find(bob.viewer, id)).toBeNull();
    expect(await refusals(updateTool(deps, bob.viewer, { id, name: 'mine' }))).toEqual([
      'NOT_FOUND id',
    ]);
    expect(await refusals(deleteTool(deps, bob.viewer, { id }))).toEqual(['NOT_FOUND id']);
    await updateTool(deps, ada.viewer, { id, shared: true });
    expect(await find(bob.viewer, id)).toMatchObject({ id });
    expect(await refusals(updateTool(deps, bob.viewer, { id, name: 'mine' }))).toEqual([
      'FORBIDDEN id',
    ]);
    expect(await refusals(deleteTool(deps, bob.viewer, { id }))).toEqual(['FORBIDDEN id']);
  });

  it('is found by Service and by text', async () => {
    const { ada } = await world();
    const one = await ada.createsTool({ name: 'Weather in Paris' });
    const other = await ada.createsTool({ name: 'Other', description: 'says the WEATHER too' });
    const ids = async (filter: Parameters<typeof listToolsWith>[2]) =>
      (
        await worldGraph().read((tx) =>
          listToolsWith(tx, ada.viewer, { includeShared: false, ...filter }),
        )
      ).page.items.map(({ item }) => item.id);
    expect(await ids({ query: 'weather' })).toEqual([other.id, one.id]);
    expect(await ids({ query: 'paris' })).toEqual([one.id]);
    expect(await ids({ serviceId: other.serviceId })).toEqual([other.id]);
    expect(await ids({ query: '.*' })).toEqual([]);
  });
});

describe('a change of a Tool', () => {
  it('touches what is named and leaves the rest (S4-TOOL-07)', async () => {
    const { deps, ada } = await world();
    const tool = await ada.createsTool({ description: 'old' });
    const changed = await updateTool(deps, ada.viewer, {
      id: tool.id,
      name: 'New',
      description: null,
      enabled: false,
    });
    expect(changed).toEqual({
      ...tool,
      name: 'New',
      description: null,
      enabled: false,
      updatedAt: changed.updatedAt,
      status: changed.status,
      lastHealthCheck: changed.lastHealthCheck,
      errorMessage: changed.errorMessage,
    });
    expect(
      await refusals(
        updateTool(deps, ada.viewer, {
          id: tool.id,
          operation: { type: 'rest_call', method: 'POST', path: '/other/{{key}}' },
        }),
      ),
    ).toEqual([
      'UNKNOWN_VARIABLE operation.restCall.path',
      'UNKNOWN_VARIABLE inputSchema.properties.id',
    ]);
    expect(
      await updateTool(deps, ada.viewer, {
        id: tool.id,
        operation: { type: 'rest_call', method: 'POST', path: '/other/{{id}}' },
      }),
    ).toMatchObject({ mutating: true });
    expect(await updateTool(deps, ada.viewer, { id: tool.id, mutating: false })).toMatchObject({
      mutating: false,
    });
    expect(
      await refusals(
        updateTool(deps, ada.viewer, { id: tool.id, operation: { type: 'mcp_call', tool: 'x' } }),
      ),
    ).toEqual(['TYPE_MISMATCH operation']);
    expect(
      await refusals(
        updateTool(deps, ada.viewer, { id: tool.id, connectionParams: { endpoint: 1.5 } }),
      ),
    ).toEqual(['SCHEMA_VIOLATION connectionParams.endpoint']);
  });

  it('keeps a Cypher write mutating', async () => {
    const { ada } = await world();
    const service = await ada.createsService({ type: 'neo4j_graph', protocol: 'bolt' });
    const write: Partial<CreateTool> = {
      serviceId: service.id,
      connectionParams: { endpoint: 'bolt://x.org' },
      operation: { type: 'graph_query', query: 'CREATE (n {id: $id})', access: 'write' },
    };
    expect(await refusals(ada.createsTool({ ...write, mutating: false }))).toEqual([
      'INVALID mutating',
    ]);
    expect(await ada.createsTool(write)).toMatchObject({ mutating: true });
  });

  it('moves to another origin only with the Secret named again', async () => {
    const { deps, ada } = await world();
    const secret = await ada.createsSecret();
    const { id } = await ada.createsTool({ secretId: secret.id });
    const elsewhere = { endpoint: 'http://attacker.example' };
    expect(
      await refusals(updateTool(deps, ada.viewer, { id, connectionParams: elsewhere })),
    ).toEqual(['SECRET_REQUIRED secretId']);
    expect(
      await updateTool(deps, ada.viewer, { id, connectionParams: { endpoint: `${ENDPOINT}/v2` } }),
    ).toMatchObject({ secretId: secret.id });
    expect(
      await updateTool(deps, ada.viewer, { id, connectionParams: elsewhere, secretId: secret.id }),
    ).toMatchObject({
      secretId: secret.id,
      connectionParams: elsewhere,
      status: 'down',
      lastHealthCheck: null,
    });
    expect(
      await updateTool(deps, ada.viewer, {
        id,
        connectionParams: { endpoint: ENDPOINT },
        secretId: null,
      }),
    ).toMatchObject({ secretId: null, secretScope: null });
  });

  it('retargets, rescopes and unbinds the Secret, one edge at most (S4-TOOL-10, S4-SVC-12)', async () => {
    const { deps, ada } = await world();
    const service = await ada.createsService({ requiresSecret: true });
    const [first, second] = [await ada.createsSecret(), await ada.createsSecret()];
    const { id } = await ada.createsTool({ serviceId: service.id, secretId: first.id });
    expect(await updateTool(deps, ada.viewer, { id, secretId: second.id })).toMatchObject({
      secretId: second.id,
      secretScope: 'bearer',
    });
    expect(await updateTool(deps, ada.viewer, { id, secretScope: 'header:X-Key' })).toMatchObject({
      secretId: second.id,
      secretScope: 'header:X-Key',
    });
    expect(await updateTool(deps, ada.viewer, { id, name: 'Still' })).toMatchObject({
      secretScope: 'header:X-Key',
    });
    expect(
      await refusals(updateTool(deps, ada.viewer, { id, secretScope: 'header:Host' })),
    ).toEqual(['INVALID secretScope']);
    expect(await refusals(updateTool(deps, ada.viewer, { id, secretId: null }))).toEqual([
      'SECRET_REQUIRED secretId',
    ]);
    const [row] = await worldGraph().read((tx) =>
      tx.run(
        '// readBack\n MATCH (t:Tool {id: $id})-[a:USES_SECRET]->(x) RETURN collect([x.id, a.scope]) AS bound',
        { id },
      ),
    );
    expect(row?.['bound']).toEqual([[second.id, 'header:X-Key']]);
    await updateSecret(deps, ada.viewer, { id: second.id, value: 'another-value' });
    expect(await find(ada.viewer, id)).toMatchObject({ secretId: second.id });
  });
});

describe("the system's graph Tools", () => {
  it('run their own Cypher, whoever edits them; everything else an admin may change', async () => {
    const { deps, ada, root, system } = await world();
    const service = await system.createsService({
      type: 'neo4j_graph',
      protocol: 'bolt',
      shared: true,
    });
    const secret = await root.createsSecret();
    const graphTool: Partial<CreateTool> = {
      serviceId: service.id,
      connectionParams: { endpoint: 'bolt://127.0.0.1:7687' },
      shared: true,
      operation: {
        type: 'graph_query',
        query: 'MATCH (n {owner: $ownerId, name: $name}) RETURN n',
        access: 'read',
      },
      inputSchema: { type: 'object', properties: { name: {} } },
    };
    const { id } = await system.createsTool(graphTool);
    expect(
      await refusals(
        updateTool(deps, root.viewer, {
          id,
          operation: {
            type: 'graph_query',
            query: 'MATCH (n {name: $name}) DETACH DELETE n',
            access: 'write',
          },
          connectionParams: { endpoint: 'bolt://attacker.example' },
          secretId: secret.id,
          mutating: true,
        }),
      ),
    ).toEqual(
      expect.arrayContaining([
        'IMMUTABLE operation',
        'IMMUTABLE connectionParams',
        'IMMUTABLE secretId',
      ]),
    );
    expect(
      await updateTool(deps, root.viewer, { id, name: 'Renamed', enabled: false }),
    ).toMatchObject({ name: 'Renamed', enabled: false });
    expect(await refusals(updateTool(deps, ada.viewer, { id, name: 'mine' }))).toEqual([
      'FORBIDDEN id',
    ]);
    // The driver fills in $ownerId for the system only; as an input it would let a caller be somebody else.
    expect(
      await refusals(
        system.createsTool({
          ...graphTool,
          inputSchema: { properties: { name: {}, ownerId: {} } },
        }),
      ),
    ).toEqual(['INVALID inputSchema.properties.ownerId']);
    expect(await refusals(ada.createsTool(graphTool))).toEqual([
      'UNKNOWN_VARIABLE operation.graphQuery.query',
    ]);
    expect(
      await refusals(
        ada.createsTool({ ...graphTool, inputSchema: { properties: { name: {}, ownerId: {} } } }),
      ),
    ).toEqual(['INVALID inputSchema.properties.ownerId']);
    await deleteTool(deps, root.viewer, { id });
  });

  it('and its LLM Tools never carry a Secret of an admin', async () => {
    const { deps, root, system } = await world();
    const tool = await system.createsTool();
    const secret = await root.createsSecret();
    expect(
      await refusals(updateTool(deps, root.viewer, { id: tool.id, secretId: secret.id })),
    ).toEqual(['SECRET_OWNER secretId']);
    await deleteTool(deps, root.viewer, { id: tool.id });
  });
});

describe('a Tool that steps call', () => {
  const calledBy = (toolId: string, ownerId: string, shared: 'shared' | 'private') =>
    worldGraph().write((tx) =>
      tx.run(
        `// insertProcess
      MATCH (t:Tool {id: $toolId}), (u:User {id: $ownerId})
      CREATE (u)<-[:OWNED_BY]-(:Process {id: randomUUID(), shared: $shared})-[:DEFINES_STEP]->(:ProcessStep {id: 'a'})-[:CALLS_TOOL]->(t)`,
        { toolId, ownerId, shared: shared === 'shared' },
      ),
    );

  // These Processes are not whole; a shared one would fail everybody's list of Processes.
  afterAll(() =>
    worldGraph().write((tx) =>
      tx.run('// deleteProcesses\nMATCH (p:Process) WHERE p.createdAt IS NULL DETACH DELETE p'),
    ),
  );

  it('can not be deleted (S4-TOOL-08)', async () => {
    const { deps, ada } = await world();
    const { id } = await ada.createsTool();
    await calledBy(id, ada.viewer.userId, 'private');
    await expect(deleteTool(deps, ada.viewer, { id })).rejects.toThrow('1 step');
    expect(await refusals(deleteTool(deps, ada.viewer, { id }))).toEqual(['IN_USE id']);
  });

  it('stays shared while Processes of others, or shared ones, call it', async () => {
    const { deps, ada, bob } = await world();
    const { id } = await ada.createsTool({ shared: true });
    await calledBy(id, ada.viewer.userId, 'private');
    expect(await updateTool(deps, ada.viewer, { id, shared: false })).toMatchObject({
      shared: false,
    });
    await updateTool(deps, ada.viewer, { id, shared: true });
    await calledBy(id, bob.viewer.userId, 'private');
    await calledBy(id, ada.viewer.userId, 'shared');
    await expect(updateTool(deps, ada.viewer, { id, shared: false })).rejects.toThrow(
      '2 Processes',
    );
    expect(await updateTool(deps, ada.viewer, { id, enabled: false })).toMatchObject({
      enabled: false,
      shared: true,
    });
  });
});

describe('writers racing over a Tool', () => {
  it('keep one Secret edge, whoever comes last (S4-TOOL-10)', async () => {
    const { deps, ada } = await world();
    const secrets = await Promise.all(Array.from({ length: 6 }, () => ada.createsSecret()));
    const { id } = await ada.createsTool({ secretId: secrets[0]?.id ?? null });
    expect(
      await race(
        secrets.map((secret) => () => updateTool(deps, ada.viewer, { id, secretId: secret.id })),
      ),
    ).toEqual({ done: 6 });
    const [row] = await worldGraph().read((tx) =>
      tx.run(
        '// readBack\n MATCH (t:Tool {id: $id})-[a:USES_SECRET]->() RETURN count(a) AS bound',
        { id },
      ),
    );
    expect(row?.['bound']).toBe(1);
  });

  it('never give it a connection its Service does not allow (S4-TOOL-04)', async () => {
    const { deps, ada } = await world();
    const stricter = { ...ENDPOINT_SCHEMA, properties: { endpoint: { const: ENDPOINT } } };
    for (let round = 0; round < 10; round++) {
      const { id: serviceId } = await ada.createsService();
      const { id } = await ada.createsTool({ serviceId });
      const counts = await race([
        () => updateTool(deps, ada.viewer, { id, connectionParams: { endpoint: 'http://x.org' } }),
        () => updateService(deps, ada.viewer, { id: serviceId, connectionSchema: stricter }),
      ]);
      expect(counts['done']).toBe(1);
    }
  });
});
