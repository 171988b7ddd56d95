import { beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';

interface UserError {
  readonly code: string;
  readonly path: readonly string[];
}
type Refused = { readonly userErrors: readonly UserError[] };

const ERRORS = 'userErrors { code path message }';
const DEFINITION = `
  id name description version enabled shared initialContext outputTemplate
  tokenBudget maxRecursionDepth
  owner { name }
  steps {
    stepId description inputs dependsOn
    target { __typename ... on Tool { id name } ... on Process { id name } }
    output { variable tokenBudget required }
    execution {
      mode condition timeout interactionMode forEach maxConcurrency onFailure fallback cacheSeconds
      retry { maximumAttempts initialInterval backoffCoefficient maximumInterval
        nonRetryableErrors }
    }
  }`;
const CREATE = `mutation($input: CreateProcessInput!) { createProcess(input: $input) { process {
  ${DEFINITION} } ${ERRORS} } }`;

let ada: TestClient;
let eve: TestClient;
let toolId: string;
beforeAll(async () => {
  [ada, eve] = [client(freshName('ada')), client(freshName('eve'))];
  toolId = await createTool(ada);
});

async function createTool(who: TestClient, shared = false): Promise<string> {
  const made = await who.query<{ createService: { service: { id: string } } }>(
    `mutation($input: CreateServiceInput!) { createService(input: $input) { service { id } } }`,
    {
      input: {
        name: freshName('items'),
        type: 'REST_API',
        protocol: 'HTTP',
        connectionSchema: { type: 'object' },
        requiresSecret: false,
      },
    },
  );
  const createTool = await who.mutate<{ tool: { id: string } } & Refused>(
    'createTool',
    {
      name: freshName('read item'),
      serviceId: made.createService.service.id,
      connectionParams: { endpoint: 'http://127.0.0.1:9' },
      operation: { restCall: { method: 'GET', path: '/items/{{id}}' } },
      inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      outputSchema: {},
      shared,
    },
    `tool { id }`,
  );
  expect(createTool.userErrors).toEqual([]);
  return createTool.tool.id;
}

const step = (stepId: string, more: Record<string, unknown> = {}) => ({
  stepId,
  calls: { toolId },
  inputs: { id: 'x' },
  output: { variable: stepId },
  ...more,
});
const draft = (more: Record<string, unknown> = {}) => ({
  name: freshName('process'),
  initialContext: [],
  steps: [step('a')],
  outputTemplate: '{{a}}',
  ...more,
});

interface Made {
  readonly id: string;
  readonly version: number;
  readonly steps: readonly Record<string, unknown>[];
}
async function create(who: TestClient, more: Record<string, unknown> = {}): Promise<Made> {
  const createProcess = await who.one<{ process: Made } & Refused>(CREATE, { input: draft(more) });
  expect(createProcess.userErrors).toEqual([]);
  return createProcess.process;
}
const codes = ({ userErrors }: Refused) =>
  userErrors.map(({ code, path }) => `${code} ${path.join('.')}`);

describe('a Process over the API', () => {
  it('gives back every given field, and defaults (S4-PROC-01, S4-STEP-01)', async () => {
    const execution = {
      mode: 'PARALLEL',
      condition: 'context.q != ""',
      timeout: 1.5,
      interactionMode: 'MANUAL',
      retry: { maximumAttempts: 2, nonRetryableErrors: ['TOOL_FAILED'] },
      forEach: 'context.list',
      maxConcurrency: 4,
      onFailure: 'FALLBACK',
      fallback: { a: [1, null] },
      cacheSeconds: 60,
    };
    const steps = [
      step('first', {
        description: 'all of it',
        inputs: { id: '{item.id} {context.q}' },
        output: { variable: 'one', tokenBudget: 9, required: false },
        execution,
      }),
      step('second', { dependsOn: ['first'] }),
    ];
    const made = await create(ada, {
      description: 'd',
      initialContext: ['q', 'list'],
      steps,
      outputTemplate: '{{second}}',
      tokenBudget: 100,
      maxRecursionDepth: 0,
    });
    expect(made).toMatchObject({
      version: 1,
      enabled: true,
      shared: false,
      description: 'd',
      initialContext: ['q', 'list'],
      tokenBudget: 100,
      maxRecursionDepth: 0,
      steps: [
        {
          stepId: 'first',
          description: 'all of it',
          inputs: { id: '{item.id} {context.q}' },
          target: { __typename: 'Tool', id: toolId },
          output: { variable: 'one', tokenBudget: 9, required: false },
          execution: {
            ...execution,
            retry: {
              maximumAttempts: 2,
              initialInterval: 1,
              backoffCoefficient: 2,
              maximumInterval: 100,
              nonRetryableErrors: ['TOOL_FAILED'],
            },
          },
          dependsOn: [],
        },
        {
          stepId: 'second',
          description: null,
          output: { variable: 'second', tokenBudget: null, required: true },
          execution: {
            mode: 'SEQUENTIAL',
            condition: null,
            timeout: null,
            interactionMode: 'AUTO',
            retry: null,
            forEach: null,
            maxConcurrency: null,
            onFailure: 'FAIL',
            fallback: null,
            cacheSeconds: null,
          },
          dependsOn: ['first'],
        },
      ],
    });
    const process = await ada.one<Made>(
      `query($id: ID!) { process(id: $id) { ${DEFINITION} } }`,
      made,
    );
    expect(process).toEqual(made);
  });

  it('calls exactly one target: the schema refuses none and both (S4-STEP-03)', async () => {
    for (const calls of [{}, { toolId, processId: toolId }, { toolId: null }]) {
      const { errors } = await ada.ask(CREATE, { input: draft({ steps: [step('a', { calls })] }) });
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
  });

  it('is the only way to its steps: no mutation changes one by itself (S4-STEP-02)', async () => {
    const __schema = await ada.one<{
      mutationType: {
        fields: {
          name: string;
          args: { type: { name: string | null; ofType: { name: string } | null } }[];
        }[];
      };
    }>('{ __schema { mutationType { fields { name args { type { name ofType { name } } } } } } }');
    const takesSteps = __schema.mutationType.fields.filter(
      ({ name, args }) =>
        /step/i.test(name) ||
        args.some(({ type }) => /Step/.test(type.ofType?.name ?? type.name ?? '')),
    );
    // A decision on a waiting step of a run, which is no step of a definition.
    expect(takesSteps.map(({ name }) => name)).toEqual(['resolveStep']);
  });

  it('shows the users of a Tool, and keeps the Tool while it has any (S4-TOOL-08)', async () => {
    const [own, shared] = [await createTool(ada, true), await createTool(ada)];
    const { id } = await create(ada, {
      steps: [step('a', { calls: { toolId: own } })],
      shared: true,
    });
    await create(ada, { steps: [step('a', { calls: { toolId: own } })] });
    const usedBy = 'query($id: ID!) { tool(id: $id) { usedBy { totalCount nodes { id } } } }';
    expect(await ada.query(usedBy, { id: own })).toMatchObject({
      tool: { usedBy: { totalCount: 2 } },
    });
    expect(await eve.query(usedBy, { id: own })).toEqual({
      tool: { usedBy: { totalCount: 1, nodes: [{ id }] } },
    });
    expect(await ada.query(usedBy, { id: shared })).toEqual({
      tool: { usedBy: { totalCount: 0, nodes: [] } },
    });
    const deleteTool = await ada.one<Refused>(
      `mutation($id: ID!) { deleteTool(input: { id: $id }) { deletedId ${ERRORS} } }`,
      { id: own },
    );
    expect(codes(deleteTool)).toEqual(['IN_USE input.id']);
  });
});
