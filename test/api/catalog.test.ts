import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';

let server: RestServer;
beforeAll(async () => {
  server = await openRestServer();
});
afterAll(() => server.close());

interface Problem {
  readonly code: string;
  readonly path: readonly string[];
}
interface Made {
  readonly id: string;
}

const ERRORS = 'userErrors { code path message }';
const CREATE_SERVICE = `mutation ($input: CreateServiceInput!) { made:
  createService(input: $input) { it: service { id status protocol schemaVersion owner { name } }
  ${ERRORS} } }`;
const CREATE_SECRET = `mutation ($input: CreateSecretInput!) { made: createSecret(input: $input)
  { it: secret { id keyVersion allowedOrigins } ${ERRORS} } }`;
const CREATE_TOOL = `mutation ($input: CreateToolInput!) { made: createTool(input: $input) { it:
  tool { id mutating secret { id } operation { __typename ... on RestCallOperation { type method
  path query } } } ${ERRORS} } }`;
const SCHEMA = {
  type: 'object',
  required: ['endpoint'],
  properties: { endpoint: { type: 'string', format: 'uri' } },
};

async function make<It extends Made>(
  who: TestClient,
  document: string,
  input: object,
): Promise<{ it: It | null; userErrors: Problem[] }> {
  const made = await who.one<{ it: It | null; userErrors: Problem[] }>(document, {
    input,
  });
  return made;
}

async function made<It extends Made>(
  who: TestClient,
  document: string,
  input: object,
): Promise<It> {
  const { it: thing, userErrors } = await make<It>(who, document, input);
  if (thing === null) throw new Error(JSON.stringify(userErrors));
  return thing;
}

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
    const { id: serviceId, ...rest } = await made<Made>(ada, CREATE_SERVICE, service);
    expect(rest).toEqual({
      status: 'HEALTHY',
      protocol: 'HTTP',
      schemaVersion: 1,
      owner: { name },
    });
    const secret = await made<Made>(ada, CREATE_SECRET, {
      name: 'Key',
      type: 'API_KEY',
      value: 'CANARY-over-http',
      allowedOrigins: [server.origin],
    });
    expect(secret).toEqual({
      id: secret.id,
      keyVersion: expect.any(Number),
      allowedOrigins: [server.origin],
    });
    const made1 = await made<Made>(ada, CREATE_TOOL, tool(serviceId, { secretId: secret.id }));
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

    const tried = await ada.query<{
      testTool: { output: unknown; error: unknown; durationMs: number };
    }>(
      `mutation ($id: ID!) { testTool(input: { id: $id, inputs: { q: "hello" } }) { output
        durationMs error { code } ${ERRORS} } }`,
      { id: made1.id },
    );
    expect(tried.testTool).toMatchObject({ error: null, durationMs: expect.any(Number) });
    expect(JSON.stringify(tried)).not.toContain('CANARY-over-http');
    expect(
      server.requests.some(({ headers }) => headers.authorization === 'Bearer CANARY-over-http'),
    ).toBe(true);

    const checked = await ada.query(
      `mutation ($id: ID!) { checkServiceHealth(input: { id: $id }) { service { status
        lastHealthCheckAt errorMessage tools { totalCount nodes { status } } } ${ERRORS} } }`,
      { id: serviceId },
    );
    expect(checked).toEqual({
      checkServiceHealth: {
        service: {
          status: 'HEALTHY',
          lastHealthCheckAt: expect.any(String),
          errorMessage: null,
          tools: { totalCount: 1, nodes: [{ status: 'HEALTHY' }] },
        },
        userErrors: [],
      },
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
    const { it: none, userErrors } = await make(
      ada,
      CREATE_TOOL,
      tool('nothing', {
        name: '',
        secretId: 'nothing',
        operation: { restCall: { method: 'GET', path: '/{{a}}', headers: { Host: 'x' } } },
        inputSchema: { type: 'nonsense' },
      }),
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
    const deleted = await ada.query(
      `mutation { deleteService(input: { id: "nothing" }) { deletedId ${ERRORS} } }`,
    );
    expect(deleted).toMatchObject({
      deleteService: {
        deletedId: null,
        userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }],
      },
    });
  });

  it('comes back as an edge of its list, with its cursor (docs/decisions/0051)', async () => {
    const ada = client(freshName('ada'));
    const create = `mutation ($input: CreateServiceInput!) { createService(input: $input) {
      service { id } serviceEdge { cursor node { id name } } ${ERRORS} } }`;
    const made = async (name: string) => {
      const createService = await ada.one<{
        service: Made;
        serviceEdge: { cursor: string; node: { id: string; name: string } };
      }>(create, { input: { ...service, name, requiresSecret: false } });
      return createService;
    };
    const older = await made('Older');
    const newer = await made('Newer');
    expect(newer.serviceEdge.node).toEqual({ id: newer.service.id, name: 'Newer' });
    const services = await ada.one<{ nodes: Made[] }>(
      `query ($after: String) { services(first: 1, after: $after, includeShared: false) { nodes
        { id } } }`,
      { after: newer.serviceEdge.cursor },
    );
    expect(services.nodes).toEqual([{ id: older.service.id }]);
    const refused = await ada.query<{ createService: { serviceEdge: null } }>(create, {
      input: { ...service, name: '', requiresSecret: false },
    });
    expect(refused.createService.serviceEdge).toBeNull();
  });

  it('takes exactly one operation', async () => {
    const ada = client(freshName('ada'));
    const { id: serviceId } = await made<Made>(ada, CREATE_SERVICE, {
      ...service,
      requiresSecret: false,
    });
    const operation = { restCall: { method: 'GET', path: '/' }, mcpCall: { tool: 'x' } };
    const { errors } = await ada.ask(CREATE_TOOL, { input: tool(serviceId, { operation }) });
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('has no field that would give a Secret away', async () => {
    const { data } = await client(freshName('ada')).ask<{ __type: { fields: { name: string }[] } }>(
      '{ __type(name: "Secret") { fields { name } } }',
    );
    expect(data?.__type.fields.map(({ name }) => name).sort()).toEqual([
      'allowedOrigins',
      'createdAt',
      'id',
      'keyVersion',
      'name',
      'owner',
      'rotatedAt',
      'shared',
      'tools',
      'type',
      'updatedAt',
    ]);
  });
});
