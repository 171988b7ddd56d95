import { getNamedType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildSchema } from '../../schema/index.ts';
import { client, freshName } from '../testkit/client.ts';
import { restService } from '../testkit/run-world.ts';

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

const ada = client(freshName('ada'));
let toolId: string;
beforeAll(async () => {
  toolId = await ada.creates('tool', {
    serviceId: await ada.creates('service', restService()),
    connectionParams: { endpoint: 'http://127.0.0.1:9' },
    operation: { restCall: { method: 'GET', path: '/items/{{id}}' } },
    inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    outputSchema: {},
  });
});

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
}
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
    const input = draft({
      description: 'd',
      initialContext: ['q', 'list'],
      steps,
      outputTemplate: '{{second}}',
      tokenBudget: 100,
      maxRecursionDepth: 0,
    });
    const { process: made, userErrors } = await ada.one<{ process: Made; userErrors: object[] }>(
      CREATE,
      { input },
    );
    expect(userErrors).toEqual([]);
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
    const shown = await ada.query(
      `query($id: ID!, $toolId: ID!) { process(id: $id) { ${DEFINITION} }
        tool(id: $toolId) { usedBy { nodes { id } } } }`,
      { id: made.id, toolId },
    );
    expect(shown).toEqual({ process: made, tool: { usedBy: { nodes: [{ id: made.id }] } } });
  });

  it('calls exactly one target: the schema refuses none and both (S4-STEP-03)', async () => {
    for (const calls of [{}, { toolId, processId: toolId }, { toolId: null }]) {
      const { errors } = await ada.ask(CREATE, { input: draft({ steps: [step('a', { calls })] }) });
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
  });

  it('is the only way to its steps: no mutation changes one by itself (S4-STEP-02)', async () => {
    const mutations = Object.values(buildSchema().getMutationType()?.getFields() ?? {});
    const takesSteps = mutations.filter(
      ({ name, args }) =>
        /step/i.test(name) || args.some(({ type }) => /Step/.test(getNamedType(type).name)),
    );
    // They decide and run a step of a run; none changes a definition.
    expect(takesSteps.map(({ name }) => name)).toEqual([
      'resolveStep',
      'setStepConcurrency',
      'tryStep',
    ]);
  });
});
