import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  importMcpTools,
  importOpenApiTools,
} from '../../src/catalog/import/tool-import.mutations.ts';
import { updateService } from '../../src/catalog/services/service.mutations.ts';
import { findOwnToolsOf, findTools } from '../../src/catalog/tools/tool.cypher.ts';
import { updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import {
  checkServiceHealth,
  probeDueTools,
  probeTools,
} from '../../src/catalog/tools/tool-health.service.ts';
import { testTool } from '../../src/catalog/tools/tool-test.service.ts';
import { realCalls } from '../testkit/real-calls.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { answering, ENDPOINT_SCHEMA, refusals, world, worldGraph } from '../testkit/world.ts';

const toolCalls = realCalls();
let server: RestServer;
beforeAll(async () => {
  server = await openRestServer();
});
afterAll(() => server.close());

const kindsOf = async (ownerId: string) => {
  const [row] = await worldGraph().read((tx) =>
    tx.run(
      '// readBack\n MATCH (o:OutboxEntry {ownerId: $ownerId}) RETURN collect(o.kind) AS kinds',
      { ownerId },
    ),
  );
  return row?.['kinds'] as string[];
};

describe('health (S4-SVC-05, S4-SVC-11, S4-TOOL-02)', () => {
  it('of a Tool is what its own probe finds, and is written down with an entry when it changes', async () => {
    const { deps, ada } = await world({ toolCalls });
    const up = await ada.createsTool({ connectionParams: { endpoint: server.origin } });
    const down = await ada.createsTool({ connectionParams: { endpoint: 'http://127.0.0.1:1' } });
    const statusOf = async (id: string) =>
      (await worldGraph().read((tx) => findTools(tx, ada.viewer, [id])))[0];
    await expect
      .poll(() => statusOf(up.id))
      .toMatchObject({
        status: 'healthy',
        errorMessage: null,
        lastHealthCheck: expect.any(String),
      });
    await expect
      .poll(() => statusOf(down.id))
      .toMatchObject({
        status: 'down',
        errorMessage: expect.stringMatching(/./),
        lastHealthCheck: expect.any(String),
      });
    const before = (await kindsOf(ada.viewer.userId)).filter(
      (kind) => kind === 'tool.checked',
    ).length;
    await probeTools(deps, [up.id]);
    expect(
      (await kindsOf(ada.viewer.userId)).filter((kind) => kind === 'tool.checked'),
    ).toHaveLength(before);
    await updateTool(deps, ada.viewer, {
      id: down.id,
      connectionParams: { endpoint: server.origin },
    });
    await expect
      .poll(() => statusOf(down.id))
      .toMatchObject({ status: 'healthy', errorMessage: null });
  });

  it("of a Service sums up its owner's own Tools, and a disabled one is down whatever its Tools say", async () => {
    const { deps, ada, bob } = await world({ toolCalls });
    const service = await ada.createsService({ shared: true });
    const check = (viewer = ada.viewer) => checkServiceHealth(deps, viewer, { id: service.id });
    expect(await check()).toMatchObject({ status: 'degraded', errorMessage: 'not checked yet' });
    await bob.createsTool({
      serviceId: service.id,
      connectionParams: { endpoint: 'http://127.0.0.1:1' },
    });
    expect(await check(bob.viewer)).toMatchObject({
      status: 'degraded',
      errorMessage: 'not checked yet',
    });
    await ada.createsTool({ serviceId: service.id, connectionParams: { endpoint: server.origin } });
    expect(await check()).toMatchObject({
      status: 'healthy',
      errorMessage: null,
      lastHealthCheck: expect.any(String),
    });
    const dead = await ada.createsTool({
      serviceId: service.id,
      connectionParams: { endpoint: 'http://127.0.0.1:1' },
    });
    expect(await check()).toMatchObject({
      status: 'degraded',
      errorMessage: expect.stringMatching(/^1 of 2 Tools: /),
    });
    await updateTool(deps, ada.viewer, { id: dead.id, enabled: false });
    expect(await check()).toMatchObject({ status: 'healthy' });
    expect(await updateService(deps, ada.viewer, { id: service.id, enabled: false })).toMatchObject(
      { status: 'down', errorMessage: 'disabled' },
    );
    expect(await check()).toMatchObject({ status: 'down', errorMessage: 'disabled' });
    expect(await refusals(checkServiceHealth(deps, bob.viewer, { id: 'none' }))).toEqual([
      'NOT_FOUND id',
    ]);
  });

  it('is probed again by the schedule once it is 30 s old', async () => {
    const { deps, ada } = await world();
    const tool = await ada.createsTool();
    const checkedAt = async () =>
      (await worldGraph().read((tx) => findTools(tx, ada.viewer, [tool.id])))[0]?.lastHealthCheck ??
      null;
    await expect.poll(checkedAt).not.toBeNull();
    const first = await checkedAt();
    // Half a minute later, as far as these deps know; other tests' Tools are probed with it, and answer.
    const later = { ...deps, clock: { nowMs: () => Date.now() + 31_000 }, toolCalls: answering };
    expect(await probeDueTools(later, { limit: 10_000 })).toBeGreaterThan(0);
    expect(Date.parse((await checkedAt()) ?? '')).toBeGreaterThanOrEqual(
      Date.parse(first ?? '') + 30_000,
    );
  });

  it('is probed at once where a clock that was an hour ahead dated its last check', async () => {
    const { deps, ada } = await world();
    const tool = await ada.createsTool();
    const checkedMs = async () => {
      const [found] = await worldGraph().read((tx) => findTools(tx, ada.viewer, [tool.id]));
      return Date.parse(found?.lastHealthCheck ?? '');
    };
    await expect.poll(checkedMs).toBeGreaterThan(0);
    const ahead = { ...deps, clock: { nowMs: () => Date.now() + 3_600_000 }, toolCalls: answering };
    await probeTools(ahead, [tool.id]);
    expect(await checkedMs()).toBeGreaterThan(Date.now() + 3_500_000);
    await probeDueTools({ ...deps, toolCalls: answering }, { limit: 10_000 });
    expect(await checkedMs()).toBeLessThan(Date.now() + 1_000);
  });

  it('is probed once per Service, connection and Secret, ever more rarely while no one uses them', async () => {
    const probes: unknown[] = [];
    const counting = {
      ...answering,
      probe: async (...[, target]: Parameters<typeof answering.probe>) => {
        if (target.connectionParams['endpoint'] === endpoint) probes.push(target.secret?.value);
        return { status: 'healthy' as const, errorMessage: null };
      },
    };
    const { deps, ada } = await world();
    // No other test's Tools have this endpoint, so probes of theirs do not count.
    const endpoint = `https://${ada.viewer.userId}.example`.toLowerCase();
    const service = await ada.createsService();
    const secret = await ada.createsSecret({ value: 'of-one-tool-only' });
    const tools: { readonly id: string }[] = [];
    for (const secretId of [undefined, undefined, undefined, secret.id]) {
      const given = { serviceId: service.id, connectionParams: { endpoint } };
      tools.push(await ada.createsTool({ ...given, ...(secretId && { secretId }) }));
    }
    const [last] = tools.slice(-1);
    const checksOf = async () =>
      (
        await worldGraph().read((tx) =>
          findTools(
            tx,
            ada.viewer,
            tools.map(({ id }) => id),
          ),
        )
      ).map(({ lastHealthCheck }) => lastHealthCheck);
    await expect.poll(checksOf).not.toContain(null);
    const roundAt = async (aheadMs: number) => {
      probes.length = 0;
      const clock = { nowMs: () => startMs + aheadMs };
      await probeDueTools({ ...deps, clock, toolCalls: counting }, { limit: 10_000 });
      return probes.length;
    };
    const startMs = Date.now();
    // Four Tools, two connections. The wait begins at 15 s and is 30 s after the first round.
    expect(await roundAt(20_000)).toBe(2);
    expect(probes.sort()).toEqual(['of-one-tool-only', undefined]);
    expect(new Set(await checksOf()).size).toBeLessThanOrEqual(2);
    expect(await roundAt(45_000)).toBe(0);
    expect(await roundAt(51_000)).toBe(2);
    expect(await roundAt(100_000)).toBe(0);
    // A check that a user asks for makes the next wait short again.
    const clock = { nowMs: () => startMs + 101_000 };
    await probeTools({ ...deps, clock, toolCalls: counting }, [last?.id ?? '']);
    expect(await roundAt(117_000)).toBe(2);

    const ids = tools.map(({ id }) => id);
    const { statements } = await deps.graph.counting(() =>
      probeTools({ ...deps, clock, toolCalls: counting }, ids),
    );
    // One for each connection, however many Tools share it.
    expect(statements.filter(({ name }) => name === 'recordProbe')).toHaveLength(2);
  });

  it('says why, without the Secret, where the Secret may not go there', async () => {
    const { deps, ada } = await world({ toolCalls });
    const secret = await ada.createsSecret({
      value: 'CANARY-health-1',
      allowedOrigins: ['https://api.example.com'],
    });
    const tool = await ada.createsTool({
      secretId: secret.id,
      connectionParams: { endpoint: server.origin },
    });
    await probeTools(deps, [tool.id]);
    const [probed] = await worldGraph().read((tx) => findTools(tx, ada.viewer, [tool.id]));
    expect(probed).toMatchObject({
      status: 'down',
      errorMessage: expect.stringContaining('allowedOrigins'),
    });
    expect(
      server.requests.some(({ headers }) => JSON.stringify(headers).includes('CANARY-health-1')),
    ).toBe(false);
  });
});

describe('testTool', () => {
  const ECHO = {
    operation: { type: 'rest_call', method: 'GET', path: '/echo', query: { q: '{{q}}' } } as const,
    inputSchema: { type: 'object', required: ['q'], properties: { q: { type: 'integer' } } },
  };

  it('survives templates that want all memory, and says so to their author', async () => {
    const { deps, ada } = await world({ toolCalls });
    const properties = { list: { type: 'array' }, text: { type: 'string' } };
    const list = Array.from({ length: 4_000 }, (_, index) => index);
    // Every input has to be used.
    const query = { list: '{{list.length}}', text: '{{text.length}}' };
    const templates = [
      '{{join list text}}',
      '{{truncate (join list text) 10}}',
      `${'{{json '}${'(json '.repeat(16)}text${')'.repeat(16)}}}`,
      '{{#each list}}{{#each @root.list}}{{#each @root.list}}{{/each}}{{/each}}{{/each}}',
    ];
    for (const path of templates) {
      const { id } = await ada.createsTool({
        operation: { type: 'rest_call', method: 'GET', path: `/echo/${path}`, query },
        inputSchema: { type: 'object', properties },
        connectionParams: { endpoint: server.origin },
      });
      const inputs = { list, text: '"'.repeat(100_000) };
      const { error } = await testTool(deps, ada.viewer, { id, inputs });
      expect([path, error?.code]).toEqual([path, 'TEMPLATE_FAILED']);
      expect(error?.message).toMatch(/KiB|memory|1 s/);
    }
  });

  it('calls a read-only Tool, with inputs coerced and the Secret opened', async () => {
    const { deps, ada } = await world({ toolCalls });
    const secret = await ada.createsSecret({ value: 'CANARY-test-tool' });
    const tool = await ada.createsTool({
      ...ECHO,
      connectionParams: { endpoint: server.origin },
      secretId: secret.id,
    });
    const result = await testTool(deps, ada.viewer, { id: tool.id, inputs: { q: '7' } });
    expect(result).toMatchObject({ error: null, durationMs: expect.any(Number) });
    expect(
      server.requests.some(
        ({ headers, query }) =>
          headers.authorization === 'Bearer CANARY-test-tool' && query.get('q') === '7',
      ),
    ).toBe(true);
    expect(JSON.stringify(result)).not.toContain('CANARY-test-tool');
  });

  it('refuses what is mutating (only a Worker may), disabled, ill-typed or not visible (S4-EXEC-13)', async () => {
    const { deps, ada, bob } = await world({ toolCalls });
    const tool = await ada.createsTool({ ...ECHO, mutating: true, enabled: false });
    expect(await refusals(testTool(deps, ada.viewer, { id: tool.id, inputs: { q: 'x' } }))).toEqual(
      ['STATE id', 'DISABLED id', 'SCHEMA_VIOLATION inputs.q'],
    );
    expect(await refusals(testTool(deps, bob.viewer, { id: tool.id, inputs: { q: 1 } }))).toEqual([
      'NOT_FOUND id',
    ]);
  });

  it('answers with the fault of a call that failed, or whose output breaks its schema', async () => {
    const { deps, ada, bob } = await world({ toolCalls });
    const fails = await ada.createsTool({
      operation: { type: 'rest_call', method: 'GET', path: '/status/404' },
      inputSchema: {},
      connectionParams: { endpoint: server.origin },
    });
    expect(await testTool(deps, ada.viewer, { id: fails.id, inputs: {} })).toMatchObject({
      output: null,
      error: { code: 'TOOL_FAILED' },
    });
    const breaks = await ada.createsTool({
      ...ECHO,
      outputSchema: { type: 'array' },
      connectionParams: { endpoint: server.origin },
    });
    expect(await testTool(deps, ada.viewer, { id: breaks.id, inputs: { q: 1 } })).toMatchObject({
      output: null,
      error: { code: 'OUTPUT_INVALID' },
    });
    const bound = await ada.createsTool({
      ...ECHO,
      shared: true,
      secretId: (await ada.createsSecret()).id,
      connectionParams: { endpoint: server.origin },
    });
    expect(await testTool(deps, bob.viewer, { id: bound.id, inputs: { q: 1 } })).toMatchObject({
      output: null,
      error: { code: 'SECRET_UNAVAILABLE' },
    });
  });
});

describe('importMcpTools', () => {
  const mcpService = async (ada: Awaited<ReturnType<typeof world>>['ada']) =>
    ada.createsService({
      type: 'mcp_server',
      protocol: 'stdio',
      connectionSchema: { type: 'object' },
    });

  it('makes a Tool of each that a real server lists', async () => {
    const { deps, ada } = await world({ toolCalls });
    const service = await mcpService(ada);
    const { tools } = await importMcpTools(deps, ada.viewer, {
      serviceId: service.id,
      connectionParams: { server: 'everything' },
    });
    const echo = tools.find(
      ({ operation }) => operation.type === 'mcp_call' && operation.tool === 'echo',
    );
    expect(echo).toMatchObject({
      mutating: true,
      serviceId: service.id,
      inputSchema: { properties: { message: { type: 'string' } } },
    });
    expect(tools.length).toBeGreaterThan(3);
    if (echo === undefined) throw new Error('no echo');
    await updateTool(deps, ada.viewer, { id: echo.id, mutating: false });
    expect(
      await testTool(deps, ada.viewer, { id: echo.id, inputs: { message: 'hello' } }),
    ).toMatchObject({ error: null, output: expect.stringContaining('hello') });
  });

  it('imports those named, or says which are not there, or why the server can not be asked', async () => {
    const { deps, ada } = await world({ toolCalls });
    const service = await mcpService(ada);
    const from = { serviceId: service.id, connectionParams: { server: 'everything' } };
    const { tools } = await importMcpTools(deps, ada.viewer, { ...from, names: ['echo'] });
    expect(tools).toHaveLength(1);
    expect(
      await refusals(importMcpTools(deps, ada.viewer, { ...from, names: ['echo', 'nothing'] })),
    ).toEqual(['NOT_FOUND names.1']);
    expect(
      await refusals(
        importMcpTools(deps, ada.viewer, { ...from, connectionParams: { server: 'sh' } }),
      ),
    ).toEqual(['INVALID connectionParams.server']);
    expect(
      await refusals(importMcpTools(deps, ada.viewer, { ...from, serviceId: 'none' })),
    ).toEqual(['NOT_FOUND serviceId']);
    const web = await ada.createsService({ type: 'mcp_server', protocol: 'http' });
    expect(
      await refusals(
        importMcpTools(deps, ada.viewer, {
          serviceId: web.id,
          connectionParams: { endpoint: 'http://127.0.0.1:1' },
        }),
      ),
    ).toEqual(['UNHEALTHY connectionParams']);
    expect(
      await refusals(
        importMcpTools(deps, ada.viewer, {
          serviceId: (await ada.createsService()).id,
          connectionParams: { endpoint: server.origin },
        }),
      ),
    ).toEqual(['TYPE_MISMATCH serviceId']);
  });
});

const ITEMS = `
openapi: 3.0.3
info: { title: Items, version: '1' }
paths:
  /echo/{item-id}:
    parameters:
      - { name: item-id, in: path, required: true, schema: { type: integer } }
    get:
      operationId: readItem
      summary: Read an item
      parameters:
        - { name: json, in: query, schema: { type: string, nullable: true } }
        - { name: X-Trace, in: header, schema: { type: string } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object } } } }
    post:
      summary: Change an item
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
components:
  schemas:
    Item:
      type: object
      required: [name]
      properties:
        name: { type: string, example: x }
        price: { type: number, minimum: 0, exclusiveMinimum: true }
        parts: { type: array, items: { $ref: '#/components/schemas/Item' } }
`;

describe('importOpenApiTools', () => {
  it('makes rest_call Tools that call what the document says', async () => {
    const { deps, ada } = await world({ toolCalls });
    const service = await ada.createsService();
    const { tools } = await importOpenApiTools(deps, ada.viewer, {
      serviceId: service.id,
      document: ITEMS,
      connectionParams: { endpoint: server.origin },
    });
    expect(
      tools.map(({ name, mutating, operation, inputSchema }) => ({
        name,
        mutating,
        operation,
        names: Object.keys((inputSchema['properties'] ?? {}) as object),
      })),
    ).toEqual([
      {
        name: 'Read an item',
        mutating: false,
        names: ['item_id', 'p_json', 'X_Trace'],
        operation: {
          type: 'rest_call',
          method: 'GET',
          path: '/echo/{{item_id}}',
          query: { json: '{{p_json}}' },
          headers: { 'X-Trace': '{{X_Trace}}' },
          body: null,
        },
      },
      {
        name: 'Change an item',
        mutating: true,
        names: ['item_id', 'body'],
        operation: {
          type: 'rest_call',
          method: 'POST',
          path: '/echo/{{item_id}}',
          query: null,
          headers: null,
          body: '{{body}}',
        },
      },
    ]);
    expect(tools[1]?.outputSchema).toMatchObject({
      $ref: '#/$defs/Item',
      $defs: { Item: { properties: { price: { exclusiveMinimum: 0 } } } },
    });
    const [read] = tools;
    if (read === undefined) throw new Error('no Tool');
    expect(
      await testTool(deps, ada.viewer, { id: read.id, inputs: { item_id: 7, p_json: 'a b' } }),
    ).toMatchObject({ error: null });
    expect(server.requests.at(-1)).toMatchObject({ path: '/echo/7' });
    expect(server.requests.at(-1)?.query.get('json')).toBe('a b');
    expect(await refusals(testTool(deps, ada.viewer, { id: read.id, inputs: {} }))).toEqual([
      'SCHEMA_VIOLATION inputs.item_id',
    ]);
  });

  it('imports those named, all or none', async () => {
    const { deps, ada } = await world({ toolCalls });
    const from = {
      serviceId: (await ada.createsService()).id,
      document: ITEMS,
      connectionParams: { endpoint: server.origin },
    };
    const { tools } = await importOpenApiTools(deps, ada.viewer, {
      ...from,
      operationIds: ['readItem'],
    });
    expect(tools.map(({ name }) => name)).toEqual(['Read an item']);
    expect(
      await refusals(
        importOpenApiTools(deps, ada.viewer, { ...from, operationIds: ['readItem', 'none'] }),
      ),
    ).toEqual(['NOT_FOUND operationIds.1']);
    expect(
      await refusals(importOpenApiTools(deps, ada.viewer, { ...from, connectionParams: {} })),
    ).toEqual(['SCHEMA_VIOLATION connectionParams.endpoint']);
  });

  it('compares with the Tools of an earlier import, writes nothing when dry, and updates', async () => {
    const { deps, ada, bob } = await world({ toolCalls });
    const service = await ada.createsService({ shared: true });
    const from = { serviceId: service.id, connectionParams: { endpoint: server.origin } };
    const own = async () =>
      (await deps.graph.read((tx) => findOwnToolsOf(tx, ada.viewer, service.id))).map(
        ({ id, name, description, updatedAt }) => ({ id, name, description, updatedAt }),
      );
    const statesOf = (imported: Awaited<ReturnType<typeof importOpenApiTools>>) =>
      imported.operations.map(({ call, state, changes }) => [call, state, Object.keys(changes)]);
    const dry = { ...from, document: ITEMS, dryRun: true };
    const first = await importOpenApiTools(deps, ada.viewer, dry);
    expect(first.tools).toEqual([]);
    expect(statesOf(first)).toEqual([
      ['GET /echo/{{item_id}}', 'new', []],
      ['POST /echo/{{item_id}}', 'new', []],
    ]);
    expect(await own()).toEqual([]);

    const { tools } = await importOpenApiTools(deps, ada.viewer, { ...from, document: ITEMS });
    const [read] = tools;
    if (read === undefined) throw new Error('no Tool');
    await updateTool(deps, ada.viewer, { id: read.id, name: 'My reading' });
    const before = await own();
    expect(statesOf(await importOpenApiTools(deps, ada.viewer, dry))).toEqual([
      ['GET /echo/{{item_id}}', 'unchanged', []],
      ['POST /echo/{{item_id}}', 'unchanged', []],
    ]);

    const document = ITEMS.replace(
      'operationId: readItem',
      'operationId: readItem\n      description: By its id',
    ).replace('    post:', '    put:');
    const changed = [
      ['GET /echo/{{item_id}}', 'changed', ['description']],
      ['PUT /echo/{{item_id}}', 'new', []],
      ['POST /echo/{{item_id}}', 'gone', []],
    ];
    expect(statesOf(await importOpenApiTools(deps, ada.viewer, { ...dry, document }))).toEqual(
      changed,
    );
    expect(await own()).toEqual(before);
    const again = await importOpenApiTools(deps, ada.viewer, { ...from, document });
    expect(statesOf(again)).toEqual(changed);
    expect(await own()).toHaveLength(3);
    expect((await own()).find(({ id }) => id === read.id)).toMatchObject({
      name: 'My reading',
      description: 'By its id',
    });
    // Another user has no Tool of it, and a dry run makes the checks of an import.
    expect(statesOf(await importOpenApiTools(deps, bob.viewer, dry))).toEqual(statesOf(first));
    expect(
      await refusals(importOpenApiTools(deps, ada.viewer, { ...dry, secretId: 'none' })),
    ).toEqual(['NOT_FOUND secretId']);
  });

  it('says all at once what is wrong with the document, its operations and where they go', async () => {
    const { deps, ada } = await world({ toolCalls });
    const from = {
      serviceId: (await ada.createsService()).id,
      connectionParams: {},
      secretId: 'nobody',
    };
    const rest = ['NOT_FOUND secretId', 'SCHEMA_VIOLATION connectionParams.endpoint'];
    expect(
      await refusals(importOpenApiTools(deps, ada.viewer, { ...from, document: 'hello' })),
    ).toEqual(['INVALID document', ...rest]);
    expect(
      await refusals(
        importOpenApiTools(deps, ada.viewer, {
          ...from,
          document: ITEMS,
          operationIds: ['none', 'nor this'],
        }),
      ),
    ).toEqual(['NOT_FOUND operationIds.0', 'NOT_FOUND operationIds.1', ...rest]);
  });

  it.each(['file:///etc/passwd', 'http://169.254.169.254/x.json'])(
    'leaves out an operation with a $ref to %s, fetches nothing, and names the operation',
    async (ref) => {
      const { deps, ada } = await world({ toolCalls });
      const { operations, tools } = await importOpenApiTools(deps, ada.viewer, {
        serviceId: (await ada.createsService()).id,
        document: ITEMS.replaceAll('#/components/schemas/Item', ref),
        connectionParams: { endpoint: server.origin },
      });
      expect(tools.map(({ name }) => name)).toEqual(['Read an item']);
      expect(
        operations.map(({ operationId, call, state, problem }) => [
          operationId,
          call,
          state,
          problem,
        ]),
      ).toEqual([
        ['readItem', 'GET /echo/{{item_id}}', 'new', null],
        [
          'post_echo_item_id',
          'POST /echo/{item-id}',
          'unusable',
          `${ref} lies outside this document and is not fetched.`,
        ],
      ]);
    },
  );

  it.each([
    ['no document', 'hello'],
    ['a Swagger 2 document without paths', 'swagger: "2.0"'],
    ['a broken document', 'openapi: 3.0.3\ninfo: {}\npaths: {}'],
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefghij', (name, index) => `${name}: &${name} [${new Array(9).fill(`*${'abcdefghi'[index]}`).join(',')}]`).join('\n')}`,
    ],
  ])('refuses %s, and fetches nothing', async (_name, document) => {
    const { deps, ada } = await world({ toolCalls });
    const service = await ada.createsService({ connectionSchema: ENDPOINT_SCHEMA });
    const start = performance.now();
    const found = await refusals(
      importOpenApiTools(deps, ada.viewer, {
        serviceId: service.id,
        document,
        connectionParams: { endpoint: server.origin },
      }),
    );
    expect(found[0]).toMatch(/^(INVALID|TOO_LARGE) document$/);
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});
