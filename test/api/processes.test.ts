import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';

interface UserError {
  readonly code: string;
  readonly path: readonly string[];
}
type Refused = { readonly userErrors: readonly UserError[] };

const ERRORS = 'userErrors { code path message }';
const DEFINITION = `
  id name description version enabled shared initialContext outputTemplate tokenBudget maxRecursionDepth
  owner { name }
  steps {
    stepId description inputs dependsOn
    target { __typename ... on Tool { id name } ... on Process { id name } }
    output { variable tokenBudget required }
    execution {
      mode condition timeout interactionMode forEach maxConcurrency onFailure fallback cacheSeconds
      retry { maximumAttempts initialInterval backoffCoefficient maximumInterval nonRetryableErrors }
    }
  }`;
const CREATE = `mutation($input: CreateProcessInput!) { createProcess(input: $input) { process { ${DEFINITION} } ${ERRORS} } }`;
const UPDATE = `mutation($input: UpdateProcessInput!) { updateProcess(input: $input) { process { ${DEFINITION} } ${ERRORS} } }`;

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
  const { createTool } = await who.query<{ createTool: { tool: { id: string } } & Refused }>(
    `mutation($input: CreateToolInput!) { createTool(input: $input) { tool { id } ${ERRORS} } }`,
    {
      input: {
        name: freshName('read item'),
        serviceId: made.createService.service.id,
        connectionParams: { endpoint: 'http://127.0.0.1:9' },
        operation: { restCall: { method: 'GET', path: '/items/{{id}}' } },
        inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        outputSchema: {},
        shared,
      },
    },
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
  const { createProcess } = await who.query<{ createProcess: { process: Made } & Refused }>(
    CREATE,
    { input: draft(more) },
  );
  expect(createProcess.userErrors).toEqual([]);
  return createProcess.process;
}
const codes = ({ userErrors }: Refused) =>
  userErrors.map(({ code, path }) => `${code} ${path.join('.')}`);

describe('a Process over the API', () => {
  it('gives back everything that was said, and what was left unsaid (S4-PROC-01, S4-STEP-01)', async () => {
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
    const { process } = await ada.query<{ process: Made }>(
      `query($id: ID!) { process(id: $id) { ${DEFINITION} } }`,
      made,
    );
    expect(process).toEqual(made);
  });

  it('is answered with every fault at once, under input, and nothing is written', async () => {
    const input = draft({
      steps: [
        step('a', { inputs: { wrong: '{step.b}' }, dependsOn: ['b'] }),
        step('b', {
          calls: { processId: toolId },
          dependsOn: ['a'],
          execution: { condition: 'step.', timeout: -1 },
        }),
      ],
      outputTemplate: '{{#each a}}',
    });
    const { createProcess } = await ada.query<{ createProcess: { process: null } & Refused }>(
      CREATE,
      { input },
    );
    expect(createProcess.process).toBeNull();
    expect(codes(createProcess)).toEqual([
      'FORWARD_DEPENDENCY input.steps.0.dependsOn.0',
      'CYCLE input.steps.0.dependsOn.0',
      'UNKNOWN_VARIABLE input.steps.0.inputs.wrong',
      'SCHEMA_VIOLATION input.steps.0.inputs.id',
      'SCHEMA_VIOLATION input.steps.0.inputs.wrong',
      'INVALID input.steps.1.execution.timeout',
      'CONDITION_INVALID input.steps.1.execution.condition',
      'NOT_FOUND input.steps.1.calls.processId',
      'TEMPLATE_INVALID input.outputTemplate',
    ]);
    const { processes } = await ada.query<{ processes: { totalCount: number } }>(
      'query($q: String) { processes(query: $q) { totalCount } }',
      { q: input.name },
    );
    expect(processes.totalCount).toBe(0);
  });

  it('calls exactly one target: the schema refuses none and both (S4-STEP-03)', async () => {
    for (const calls of [{}, { toolId, processId: toolId }, { toolId: null }]) {
      const { errors } = await ada.ask(CREATE, { input: draft({ steps: [step('a', { calls })] }) });
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
  });

  it('is the only way to its steps: no mutation changes one by itself (S4-STEP-02)', async () => {
    const { __schema } = await ada.query<{
      __schema: {
        mutationType: {
          fields: {
            name: string;
            args: { type: { name: string | null; ofType: { name: string } | null } }[];
          }[];
        };
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

  it('has versions that are never lost, and is seen as it was at any of them', async () => {
    const { id } = await create(ada, { outputTemplate: 'one' });
    const change = (input: Record<string, unknown>) =>
      ada.query<{ updateProcess: { process: Made } & Refused }>(UPDATE, {
        input: { id, ...input },
      });
    expect(
      (await change({ outputTemplate: 'two', expectedVersion: 1 })).updateProcess.process.version,
    ).toBe(2);
    expect(
      codes((await change({ outputTemplate: 'three', expectedVersion: 1 })).updateProcess),
    ).toEqual(['CONFLICT input.expectedVersion']);

    const seen = await ada.query(
      `query($id: ID!) {
        old: process(id: $id, version: 1) { version outputTemplate }
        now: process(id: $id) { version outputTemplate versions(first: 1) { totalCount pageInfo { hasNextPage } nodes { version definition createdBy { name } } } }
        never: process(id: $id, version: 7) { version }
      }`,
      { id },
    );
    expect(seen).toMatchObject({
      old: { version: 1, outputTemplate: 'one' },
      now: {
        version: 2,
        outputTemplate: 'two',
        versions: {
          totalCount: 2,
          pageInfo: { hasNextPage: true },
          nodes: [{ version: 2, definition: { outputTemplate: 'two' } }],
        },
      },
      never: null,
    });

    const { restoreProcessVersion } = await ada.query<{
      restoreProcessVersion: { process: Made } & Refused;
    }>(
      `mutation($id: ID!) { restoreProcessVersion(input: { id: $id, version: 1 }) { process { version outputTemplate } ${ERRORS} } }`,
      { id },
    );
    expect(restoreProcessVersion.process).toEqual({ version: 3, outputTemplate: 'one' });
  });

  it('shows what uses a Tool, and keeps the Tool while anything does (S4-TOOL-08)', async () => {
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
    const { deleteTool } = await ada.query<{ deleteTool: Refused }>(
      `mutation($id: ID!) { deleteTool(input: { id: $id }) { deletedId ${ERRORS} } }`,
      { id: own },
    );
    expect(codes(deleteTool)).toEqual(['IN_USE input.id']);
  });

  it('is not there for others, and while shared only its owner changes it (S4-OWN-05)', async () => {
    const sharedTool = await createTool(ada, true);
    const { id } = await create(ada, { steps: [step('a', { calls: { toolId: sharedTool } })] });
    const read = `query($id: ID!) { process(id: $id) { id } node(id: $id) { id __typename } }`;
    const remove = `mutation($id: ID!) { deleteProcess(input: { id: $id }) { deletedId ${ERRORS} } }`;
    expect(await eve.query(read, { id })).toEqual({ process: null, node: null });
    expect(
      codes((await eve.query<{ deleteProcess: Refused }>(remove, { id })).deleteProcess),
    ).toEqual(['NOT_FOUND input.id']);
    await ada.query(UPDATE, { input: { id, shared: true } });
    expect(await eve.query(read, { id })).toEqual({
      process: { id },
      node: { id, __typename: 'Process' },
    });
    expect(
      codes((await eve.query<{ deleteProcess: Refused }>(remove, { id })).deleteProcess),
    ).toEqual(['FORBIDDEN input.id']);
    expect(await ada.query(remove, { id })).toEqual({
      deleteProcess: { deletedId: id, userErrors: [] },
    });
    expect(await ada.query(read, { id })).toEqual({ process: null, node: null });
  });

  it('is checked and planned without being written (validateProcess)', async () => {
    const inner = await create(ada);
    const VALIDATE = `query($input: CreateProcessInput!) { validateProcess(input: $input) { plan { stages maxDepth estimatedSteps tools { id } worstCase { stepExecutions stepExecutionsLimit answerTokens unboundedStepIds itemsLimit } } ${ERRORS} } }`;
    const parallel = { execution: { mode: 'PARALLEL' } };
    const steps = [
      step('a', parallel),
      step('b', parallel),
      step('c', { calls: { processId: inner.id }, inputs: {} }),
    ];
    expect(await ada.query(VALIDATE, { input: draft({ steps }) })).toEqual({
      validateProcess: {
        plan: {
          stages: [['a', 'b'], ['c']],
          maxDepth: 1,
          estimatedSteps: 4,
          tools: [{ id: toolId }],
          worstCase: {
            stepExecutions: 4,
            stepExecutionsLimit: 10_000,
            answerTokens: 0,
            unboundedStepIds: [],
            itemsLimit: 1_000,
          },
        },
        userErrors: [],
      },
    });
    const bad = await ada.query<{ validateProcess: { plan: null } & Refused }>(VALIDATE, {
      input: draft({ steps: [] }),
    });
    expect(bad.validateProcess.plan).toBeNull();
    expect(codes(bad.validateProcess)).toEqual([
      'REQUIRED input.steps',
      'UNKNOWN_VARIABLE input.outputTemplate',
    ]);
  });

  it('with a cursor that is none is a BAD_USER_INPUT', async () => {
    const { errors } = await ada.ask('{ processes(after: "nonsense") { totalCount } }');
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [{ path: ['after'] }],
    });
  });
});

describe('bundles over the API', () => {
  const IMPORT = `mutation($document: String!, $dryRun: Boolean) { importBundle(input: { document: $document, dryRun: $dryRun }) { created updated unchanged ${ERRORS} } }`;
  interface Imported {
    readonly importBundle: { created: string[]; updated: string[]; unchanged: string[] } & Refused;
  }
  const tour = readFileSync(new URL('../../examples/tour.yaml', import.meta.url), 'utf8');

  it('come in once, go out again, and come in elsewhere', async () => {
    const [bob, cat] = [client(freshName('bob')), client(freshName('cat'))];
    const dry = await bob.query<Imported>(IMPORT, { document: tour, dryRun: true });
    const first = await bob.query<Imported>(IMPORT, { document: tour });
    const again = await bob.query<Imported>(IMPORT, { document: tour });
    expect(dry.importBundle.created).toHaveLength(2);
    expect(first.importBundle).toMatchObject({ updated: [], unchanged: [], userErrors: [] });
    expect(again.importBundle).toEqual({
      created: [],
      updated: [],
      unchanged: first.importBundle.created,
      userErrors: [],
    });

    const { exportBundle } = await bob.query<{ exportBundle: string }>('{ exportBundle }');
    const elsewhere = await cat.query<Imported>(IMPORT, { document: exportBundle });
    expect(elsewhere.importBundle).toMatchObject({ updated: [], unchanged: [], userErrors: [] });
    expect(elsewhere.importBundle.created).toHaveLength(2);
  });

  it('with faults say where in the document, and write nothing', async () => {
    const bob = client(freshName('bob'));
    const broken = tour
      .replace('{{gist}}', '{{gisst}}')
      .replace('tool: list models', 'tool: list modells');
    const { importBundle } = await bob.query<Imported>(IMPORT, { document: broken });
    expect(importBundle.created).toEqual([]);
    expect(codes(importBundle)).toEqual([
      'NOT_FOUND input.document.processes.1.steps.3.calls.tool',
      'UNKNOWN_VARIABLE input.document.processes.1.outputTemplate',
    ]);
    expect(await bob.query('{ processes(includeShared: false) { totalCount } }')).toEqual({
      processes: { totalCount: 0 },
    });
    for (const document of ['', '{', 'aiden: 2', 'aiden: 1\nscripts: []', 'a: !!js/function "x"']) {
      const refused = await bob.query<Imported>(IMPORT, { document });
      expect(refused.importBundle.userErrors.length).toBeGreaterThan(0);
    }
  });

  it('of somebody else’s Processes are not to be had', async () => {
    const { id } = await create(ada);
    const { errors } = await eve.ask('query($ids: [ID!]) { exportBundle(processIds: $ids) }', {
      ids: [id],
    });
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [{ code: 'NOT_FOUND', path: ['processIds', '0'] }],
    });
  });
});
