import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';

let server: RestServer;
beforeAll(async () => {
  server = await openRestServer();
});
afterAll(() => server.close());

interface Made {
  readonly id: string;
}

const SCHEMA = {
  type: 'object',
  required: ['endpoint'],
  properties: { endpoint: { type: 'string', format: 'uri' } },
};

const TOOL = `tool { id mutating secret { id } operation { __typename ... on RestCallOperation {
  type method path query } } }`;

const service = {
  name: 'Web',
  type: 'REST_API',
  protocol: 'HTTP',
  connectionSchema: SCHEMA,
  requiresSecret: true,
};
const tool = (serviceId: string, changes: object = {}) => ({
  name: 'Echo',
  serviceId,
  connectionParams: { endpoint: server.origin },
  operation: { restCall: { method: 'GET', path: '/echo', query: { q: '{{q}}' } } },
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  outputSchema: {},
  ...changes,
});

describe('the catalog over GraphQL', () => {
  it('goes from a Service and a Secret to a Tool that is tried, probed and listed', async () => {
    const name = freshName('ada');
    const ada = client(name);
    const created = await ada.mutate<{ service: Made }>(
      'createService',
      service,
      'service { id status protocol schemaVersion owner { name } }',
    );
    const { id: serviceId, ...rest } = created.service;
    expect(rest).toEqual({
      status: 'HEALTHY',
      protocol: 'HTTP',
      schemaVersion: 1,
      owner: { name },
    });
    const input = { type: 'API_KEY', value: 'CANARY-over-http', allowedOrigins: [server.origin] };
    const { secret } = await ada.mutate<{ secret: Made }>(
      'createSecret',
      { name: 'Key', ...input },
      'secret { id keyVersion allowedOrigins }',
    );
    const keyVersion = expect.any(Number);
    expect(secret).toEqual({ id: secret.id, keyVersion, allowedOrigins: [server.origin] });
    const { tool: made1 } = await ada.mutate<{ tool: Made }>(
      'createTool',
      tool(serviceId, { secretId: secret.id }),
      TOOL,
    );
    expect(made1).toEqual({
      id: made1.id,
      mutating: false,
      secret: { id: secret.id },
      operation: {
        __typename: 'RestCallOperation',
        type: 'REST_CALL',
        method: 'GET',
        path: '/echo',
        query: { q: '{{q}}' },
      },
    });

    const tried = await ada.mutate(
      'testTool',
      { id: made1.id, inputs: { q: 'hello' } },
      'output durationMs error { code }',
    );
    expect(tried).toMatchObject({ error: null, durationMs: expect.any(Number) });
    expect(JSON.stringify(tried)).not.toContain('CANARY-over-http');
    expect(
      server.requests.some(({ headers }) => headers.authorization === 'Bearer CANARY-over-http'),
    ).toBe(true);

    const checked = await ada.mutate(
      'checkServiceHealth',
      { id: serviceId },
      `service { status lastHealthCheckAt errorMessage
        tools { totalCount nodes { status healthTells } } }`,
    );
    expect(checked).toEqual({
      service: {
        status: 'HEALTHY',
        lastHealthCheckAt: expect.any(String),
        errorMessage: null,
        tools: { totalCount: 1, nodes: [{ status: 'HEALTHY', healthTells: 'ANSWER' }] },
      },
      userErrors: [],
    });
    // Without a probe, no one knows whether the path exists; with one, its answer counts.
    const probing = async (path: string) =>
      ada.mutate(
        'updateTool',
        {
          id: made1.id,
          operation: { restCall: { ...tool(serviceId).operation.restCall, probe: { path } } },
        },
        'tool { status healthTells }',
      );
    expect(await probing('/echo')).toMatchObject({
      tool: { status: 'HEALTHY', healthTells: 'CALL' },
    });

    const listed = await ada.query(
      `query ($serviceId: ID!, $secretId: ID!) { tools(serviceId: $serviceId) { nodes { id
        usedBy { totalCount } } } secret(id: $secretId) { tools { nodes { id } } }
        node(id: $secretId) { __typename } }`,
      { serviceId, secretId: secret.id },
    );
    expect(listed).toEqual({
      tools: { nodes: [{ id: made1.id, usedBy: { totalCount: 0 } }] },
      secret: { tools: { nodes: [{ id: made1.id }] } },
      node: { __typename: 'Secret' },
    });
  });

  it('answers all problems at once, each with its code and its path into the input', async () => {
    const ada = client(freshName('ada'));
    const { tool: none, userErrors } = await ada.mutate<{ tool: Made | null }>(
      'createTool',
      tool('nothing', {
        name: '',
        secretId: 'nothing',
        operation: { restCall: { method: 'GET', path: '/{{a}}', headers: { Host: 'x' } } },
        inputSchema: { type: 'nonsense' },
      }),
      TOOL,
    );
    expect(none).toBeNull();
    expect(userErrors.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([
      'REQUIRED input.name',
      'SCHEMA_INVALID input.inputSchema.type',
      'INVALID input.operation.restCall.headers.Host',
      'UNKNOWN_VARIABLE input.operation.restCall.path',
      'NOT_FOUND input.serviceId',
      'NOT_FOUND input.secretId',
    ]);
    const deleted = await ada.mutate('deleteService', { id: 'nothing' }, 'deletedId');
    expect(deleted).toMatchObject({
      deletedId: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }],
    });
  });

  it('comes back as an edge of its list, with its cursor (docs/decisions/0051)', async () => {
    const ada = client(freshName('ada'));
    const made = (name: string) =>
      ada.mutate<{
        service: Made;
        serviceEdge: { cursor: string; node: { id: string; name: string } } | null;
      }>(
        'createService',
        { ...service, name, requiresSecret: false },
        'service { id } serviceEdge { cursor node { id name } }',
      );
    const older = await made('Older');
    const newer = await made('Newer');
    expect(newer.serviceEdge?.node).toEqual({ id: newer.service.id, name: 'Newer' });
    const services = await ada.one<{ nodes: Made[] }>(
      `query ($after: String) { services(first: 1, after: $after, includeShared: false) { nodes
        { id } } }`,
      { after: newer.serviceEdge?.cursor },
    );
    expect(services.nodes).toEqual([{ id: older.service.id }]);
    expect((await made('')).serviceEdge).toBeNull();
  });

  it('takes exactly one operation', async () => {
    const ada = client(freshName('ada'));
    const serviceId = await ada.creates('service', { ...service, requiresSecret: false });
    const operation = { restCall: { method: 'GET', path: '/' }, mcpCall: { tool: 'x' } };
    const { errors } = await ada.ask(
      'mutation ($input: CreateToolInput!) { createTool(input: $input) { tool { id } } }',
      { input: tool(serviceId, { operation }) },
    );
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('has no field that would give a Secret away', async () => {
    const { data } = await client(freshName('ada')).ask<{ __type: { fields: { name: string }[] } }>(
      '{ __type(name: "Secret") { fields { name } } }',
    );
    const fields = `allowedOrigins createdAt id keyVersion name owner rotatedAt shared tools type
      updatedAt`.split(/\s+/);
    expect(data?.__type.fields.map(({ name }) => name).sort()).toEqual(fields);
  });
});
