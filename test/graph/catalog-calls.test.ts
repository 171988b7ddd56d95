import { afterAll, describe, expect, it } from 'vitest';
import {
  importMcpTools,
  importOpenApiTools,
} from '../../src/catalog/import/tool-import.mutations.ts';
import { updateService } from '../../src/catalog/services/service.mutations.ts';
import { testSecret } from '../../src/catalog/tools/secret-test.service.ts';
import { findOwnToolsOf, findTools } from '../../src/catalog/tools/tool.cypher.ts';
import { updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import {
  checkServiceHealth,
  probeDueTools,
  probeTools,
} from '../../src/catalog/tools/tool-health.service.ts';
import { testTool } from '../../src/catalog/tools/tool-test.service.ts';
import type { JsonObject } from '../../src/common/json.ts';
import type { RestProbe } from '../../src/operations/rest-call.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import { realCalls } from '../testkit/real-calls.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { answering, refuses, world, worldGraph } from '../testkit/world.ts';

const toolCalls = realCalls();
const graph = worldGraph();
const { deps, ada, bob } = await world({ toolCalls });
const server = await openRestServer();
afterAll(() => server.close());

const toolOf = async (id: string) => {
  const [tool] = await readWith(graph, findTools, ada.viewer, [id]);
  if (tool === undefined) throw new Error(`No Tool ${id}.`);
  return tool;
};
const checkedMsOf = async (id: string) => Date.parse((await toolOf(id)).lastHealthCheck ?? '');
const at = (endpoint = server.origin) => ({ connectionParams: { endpoint } });
const DEAD = 'http://127.0.0.1:1';

describe('health (S4-SVC-05, S4-SVC-11, S4-TOOL-02)', () => {
  const lastHealthCheck = expect.any(String);

  it('of a Tool is found by its own probe, and has an entry when it changes', async () => {
    const up = await ada.createsTool(at());
    const down = await ada.createsTool(at(DEAD));
    const checks = async () => {
      const [row] = await runCypher(
        graph,
        `MATCH (o:OutboxEntry {ownerId: $ownerId, kind: 'tool.checked'})
        WHERE o.payload CONTAINS $id RETURN count(o) AS checks`,
        { ownerId: ada.viewer.userId, id: up.id },
      );
      return row?.['checks'];
    };
    const healthy = { status: 'healthy', errorMessage: null };
    await expect.poll(() => toolOf(up.id)).toMatchObject({ ...healthy, lastHealthCheck });
    const failed = { status: 'down', errorMessage: expect.stringMatching(/./), lastHealthCheck };
    await expect.poll(() => toolOf(down.id)).toMatchObject(failed);
    const before = await checks();
    await probeTools(deps, [up.id]);
    expect(await checks()).toBe(before);
    await updateTool(deps, ada.viewer, { id: down.id, ...at() });
    await expect.poll(() => toolOf(down.id)).toMatchObject(healthy);
  });

  it("of a Service sums up its owner's own Tools; a disabled one is down", async () => {
    const { id: serviceId } = await ada.createsService({ shared: true });
    const check = ({ viewer } = ada) => checkServiceHealth(deps, viewer, { id: serviceId });
    const unused = { status: 'healthy', errorMessage: null, lastHealthCheck: null };
    expect(await check()).toMatchObject(unused);
    await bob.createsTool({ serviceId, ...at(DEAD) });
    expect(await check(bob)).toMatchObject(unused);
    await ada.createsTool({ serviceId, ...at() });
    const healthy = { status: 'healthy', errorMessage: null, lastHealthCheck };
    expect(await check()).toMatchObject(healthy);
    const dead = await ada.createsTool({ serviceId, ...at(DEAD) });
    const errorMessage = expect.stringMatching(/^1 of 2 Tools: /);
    expect(await check()).toMatchObject({ status: 'degraded', errorMessage });
    await updateTool(deps, ada.viewer, { id: dead.id, enabled: false });
    expect(await check()).toMatchObject({ status: 'healthy' });
    const disabled = { status: 'down', errorMessage: 'disabled' };
    const changes = { id: serviceId, enabled: false };
    expect(await updateService(deps, ada.viewer, changes)).toMatchObject(disabled);
    expect(await check()).toMatchObject(disabled);
    await refuses(checkServiceHealth(deps, bob.viewer, { id: 'none' }), 'NOT_FOUND id');
  });

  it('is probed by the schedule after 30 s, or where a clock ahead dated it', async () => {
    const { id } = await ada.createsTool(at());
    await expect.poll(() => checkedMsOf(id)).toBeGreaterThan(0);
    const first = await checkedMsOf(id);
    // Tools of other tests are probed by this clock too, and answer.
    const later = (ms: number) => ({
      ...deps,
      clock: { nowMs: () => Date.now() + ms },
      toolCalls: answering,
    });
    expect(await probeDueTools(later(31_000), { limit: 10_000 })).toBeGreaterThan(0);
    expect(await checkedMsOf(id)).toBeGreaterThanOrEqual(first + 30_000);
    await probeTools(later(3_600_000), [id]);
    expect(await checkedMsOf(id)).toBeGreaterThan(Date.now() + 3_500_000);
    await probeDueTools(later(0), { limit: 10_000 });
    expect(await checkedMsOf(id)).toBeLessThan(Date.now() + 1_000);
  });

  it('is probed once per Service, connection and Secret, more rarely while unused', async () => {
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
    const ids = tools.map(({ id }) => id);
    const checksOf = async () =>
      (await readWith(graph, findTools, ada.viewer, ids)).map((tool) => tool.lastHealthCheck);
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

    const { statements } = await deps.graph.counting(() =>
      probeTools({ ...deps, clock, toolCalls: counting }, ids),
    );
    // One for each connection, however many Tools share it.
    expect(statements.filter(({ name }) => name === 'recordProbe')).toHaveLength(2);
  });

  it('says why, without the Secret, where the Secret may not go there', async () => {
    const value = 'CANARY-health-1';
    const allowedOrigins = ['https://api.example.com'];
    const { id: secretId } = await ada.createsSecret({ value, allowedOrigins });
    const { id } = await ada.createsTool({ secretId, ...at() });
    await probeTools(deps, [id]);
    const errorMessage = expect.stringContaining('allowedOrigins');
    expect(await toolOf(id)).toMatchObject({ status: 'down', errorMessage });
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain(value);
  });
});

describe('testSecret', () => {
  it('tells by probes with and without the Secret, at each connection', async () => {
    const { id: secretId } = await ada.createsSecret({ value: 'right-key-1' });
    const unused = await ada.createsSecret();
    const { id: serviceId } = await ada.createsService();
    const operation = (probe: RestProbe | null) => ({
      operation: { type: 'rest_call' as const, method: 'GET' as const, path: '/echo', probe },
      inputSchema: { type: 'object', properties: {} },
    });
    const tool = (probe: RestProbe | null, endpoint = server.origin) =>
      ada.createsTool({ secretId, serviceId, ...at(endpoint), ...operation(probe) });
    const right = await tool({ path: '/key?is=right-key-1' });
    const alike = await tool({ path: '/key?is=right-key-1' });
    const wrong = await tool({ path: '/key?is=another' });
    const open = await tool(null);
    const tests = await testSecret(deps, ada.viewer, { id: secretId });
    const found = (toolId: string) => {
      const test = tests.find(({ toolIds }) => toolIds.includes(toolId));
      return [test?.toolIds.length, test?.outcome, test?.message];
    };
    expect(tests).toHaveLength(3);
    expect(found(right.id)).toEqual([2, 'accepted', null]);
    expect(found(alike.id)).toEqual(found(right.id));
    expect(found(wrong.id)).toEqual([1, 'failed', 'GET /key?is=another answered 401.']);
    expect(found(open.id)).toEqual([1, 'untold', null]);
    expect(JSON.stringify(tests)).not.toContain('right-key-1');
    expect(await testSecret(deps, ada.viewer, { id: unused.id })).toEqual([]);
    await refuses(testSecret(deps, bob.viewer, { id: secretId }), 'NOT_FOUND id');
  });
});

describe('testTool', () => {
  const getting = (path: string, query: object = {}) =>
    ({ type: 'rest_call', method: 'GET', path, query }) as never;
  const ECHO = {
    operation: getting('/echo', { q: '{{q}}' }),
    inputSchema: { type: 'object', required: ['q'], properties: { q: { type: 'integer' } } },
  };
  const tries = (id: string, inputs: JsonObject, { viewer } = ada) =>
    testTool(deps, viewer, { id, inputs });

  it('calls a read-only Tool, with inputs coerced and the Secret opened', async () => {
    const value = 'CANARY-test-tool';
    const { id: secretId } = await ada.createsSecret({ value });
    const { id } = await ada.createsTool({ ...ECHO, ...at(), secretId });
    const result = await tries(id, { q: '7' });
    expect(result).toMatchObject({ error: null, durationMs: expect.any(Number) });
    const sent = server.requests.map(({ headers, query }) => [
      headers.authorization,
      query.get('q'),
    ]);
    expect(sent).toContainEqual([`Bearer ${value}`, '7']);
    expect(JSON.stringify(result)).not.toContain(value);
  });

  // S4-EXEC-13
  it('refuses a Tool that is mutating, disabled or not visible, and bad inputs', async () => {
    const { id } = await ada.createsTool({ ...ECHO, mutating: true, enabled: false });
    await refuses(tries(id, { q: 'x' }), 'STATE id', 'DISABLED id', 'SCHEMA_VIOLATION inputs.q');
    await refuses(tries(id, { q: 1 }, bob), 'NOT_FOUND id');
  });

  it('answers with the fault of a call, or of an output that breaks its schema', async () => {
    const faultOf = async (input: object, inputs: JsonObject, person = ada) => {
      const { id } = await ada.createsTool({ ...ECHO, ...at(), ...input });
      const { output, error } = await tries(id, inputs, person);
      expect(output).toBeNull();
      return error?.code;
    };
    const missing = { operation: getting('/status/404'), inputSchema: {} };
    const bound = { shared: true, secretId: (await ada.createsSecret()).id };
    expect(await faultOf(missing, {})).toBe('TOOL_FAILED');
    expect(await faultOf({ outputSchema: { type: 'array' } }, { q: 1 })).toBe('OUTPUT_INVALID');
    expect(await faultOf(bound, { q: 1 }, bob)).toBe('SECRET_UNAVAILABLE');
  });
});

describe('importMcpTools', () => {
  it('makes Tools of those named that a real server lists', async () => {
    const connectionSchema = { type: 'object' };
    const stdio = { type: 'mcp_server', protocol: 'stdio', connectionSchema } as const;
    const { id: serviceId } = await ada.createsService(stdio);
    const from = { serviceId, connectionParams: { server: 'everything' }, names: ['echo'] };
    const imports = async (changes: object = {}) =>
      (await importMcpTools(deps, ada.viewer, { ...from, ...changes })).tools;
    const [echo, ...others] = await imports();
    expect(others).toEqual([]);
    const inputSchema = { properties: { message: { type: 'string' } } };
    expect(echo).toMatchObject({ mutating: true, serviceId, inputSchema });
    const web = await ada.createsService({ type: 'mcp_server', protocol: 'http' });
    const rest = await ada.createsService();
    for (const [changes, problem] of [
      [{ names: ['echo', 'nothing'] }, 'NOT_FOUND names.1'],
      [{ connectionParams: { server: 'sh' } }, 'INVALID connectionParams.server'],
      [{ serviceId: 'none' }, 'NOT_FOUND serviceId'],
      [{ serviceId: web.id, ...at(DEAD) }, 'UNHEALTHY connectionParams'],
      [{ serviceId: rest.id, ...at() }, 'TYPE_MISMATCH serviceId'],
    ] as const)
      await refuses(imports(changes), problem);
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
      responses: { '200': { description: ok } }
    post:
      summary: Change an item
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
      responses: { '200': { description: ok } }
components: { schemas: { Item: { type: object } } }
`;

describe('importOpenApiTools', () => {
  type Import = Parameters<typeof importOpenApiTools>[2];
  /** Imports into a Service of its own. */
  const importer = async (service: object = {}) => {
    const { id: serviceId } = await ada.createsService(service);
    return async (changes: Partial<Import> = {}, { viewer } = ada) =>
      importOpenApiTools(deps, viewer, { serviceId, document: ITEMS, ...at(), ...changes });
  };

  it('makes rest_call Tools of those named that call as the document says', async () => {
    const imports = await importer();
    const { tools } = await imports({ operationIds: ['readItem'] });
    expect(tools.map(({ name, mutating }) => [name, mutating])).toEqual([['Read an item', false]]);
    const id = tools[0]?.id ?? '';
    const tries = (inputs: JsonObject) => testTool(deps, ada.viewer, { id, inputs });
    expect(await tries({ item_id: 7 })).toMatchObject({ error: null });
    expect(server.requests.at(-1)).toMatchObject({ path: '/echo/7' });
    await refuses(tries({}), 'SCHEMA_VIOLATION inputs.item_id');
    // All faults of document, operations and target at once.
    const rest = ['NOT_FOUND secretId', 'SCHEMA_VIOLATION connectionParams.endpoint'];
    const nowhere = { connectionParams: {}, secretId: 'none' };
    await refuses(imports({ ...nowhere, document: 'hello' }), 'INVALID document', ...rest);
    const unknown = ['NOT_FOUND operationIds.0', 'NOT_FOUND operationIds.1'];
    const wrong = { ...nowhere, operationIds: ['none', 'nor this'] };
    await refuses(imports(wrong), ...unknown, ...rest);
  });

  it('compares with earlier Tools, writes nothing when dry, and updates', async () => {
    const imports = await importer({ shared: true });
    const statesOf = ({ operations }: Awaited<ReturnType<typeof imports>>) =>
      operations.map(({ call, state, changes }) =>
        [call, state, ...Object.keys(changes)].join(' '),
      );
    const both = (state: string) =>
      ['GET', 'POST'].map((one) => `${one} /echo/{{item_id}} ${state}`);
    const dryRun = true;
    const first = await imports({ dryRun });
    expect(first.tools).toEqual([]);
    expect(statesOf(first)).toEqual(both('new'));
    const { id = '', serviceId = '' } = (await imports({})).tools[0] ?? {};
    await updateTool(deps, ada.viewer, { id, name: 'My reading' });
    expect(statesOf(await imports({ dryRun }))).toEqual(both('unchanged'));

    const document = ITEMS.replace('summary: Read', 'description: By its id\n      summary: Read');
    const other = document.replace('    post:', '    put:');
    const changed = ['GET /echo/{{item_id}} changed description', 'PUT /echo/{{item_id}} new'];
    for (const isDry of [true, false])
      expect(statesOf(await imports({ document: other, dryRun: isDry }))).toEqual([
        ...changed,
        'POST /echo/{{item_id}} gone',
      ]);
    const after = await readWith(graph, findOwnToolsOf, ada.viewer, serviceId);
    expect(after).toHaveLength(3);
    const updated = { name: 'My reading', description: 'By its id' };
    expect(after.find((tool) => tool.id === id)).toMatchObject(updated);
    // Another user has no Tool of it, and a dry run makes the checks of an import.
    expect(statesOf(await imports({ dryRun }, bob))).toEqual(both('new'));
    await refuses(imports({ dryRun, secretId: 'none' }), 'NOT_FOUND secretId');
  });

  it('names an operation with a $ref to elsewhere, and fetches nothing', async () => {
    for (const ref of ['file:///etc/passwd', 'http://169.254.169.254/x.json']) {
      const document = ITEMS.replaceAll('#/components/schemas/Item', ref);
      const { operations, tools } = await (await importer())({ document });
      expect(tools.map(({ name }) => name)).toEqual(['Read an item']);
      const problem = `${ref} lies outside this document and is not fetched.`;
      expect(operations.map((one) => [one.operationId, one.call, one.state, one.problem])).toEqual([
        ['readItem', 'GET /echo/{{item_id}}', 'new', null],
        ['post_echo_item_id', 'POST /echo/{item-id}', 'unusable', problem],
      ]);
    }
  });
});
