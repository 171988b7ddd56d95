import type { TestClient } from './client.ts';
import { freshName } from './client.ts';
import { eventually } from './outbox.ts';
import type { RestServer } from './rest-server.ts';

interface Refused {
  readonly code: string;
  readonly path: readonly string[];
}
const ERRORS = 'userErrors { code message path }';

/**
 * A step of a Process as the API takes it; `greet` on the one Tool of this world unless it says
 * otherwise.
 */
export interface StepInput {
  readonly stepId: string;
  readonly calls?: object;
  readonly inputs?: object;
  readonly output?: object;
  readonly execution?: object;
  readonly dependsOn?: readonly string[];
  readonly tools?: readonly object[];
  readonly agent?: object;
}

/** Short ways to use runs over the public API. */
export interface RunWorld {
  readonly toolId: string;
  createsProcess(steps: readonly StepInput[], more?: object): Promise<string>;
  starts(processId: string, more?: object): Promise<string>;
  /** Waits for the end. */
  finishes(runId: string): Promise<{ status: string; output: string | null }>;
  /** Asks until `field` of the run is `value`. */
  awaits(runId: string, status: string): Promise<void>;
  /** A mutation that gives a run: the run, or the problems. */
  does(
    mutation: string,
    variables?: object,
  ): Promise<{ run: { id: string; status: string } | null; userErrors: Refused[] }>;
}

/** One Service and one Tool on `rest`, which answers `{greeting}` after `ms`. */
export async function runWorld(
  ada: TestClient,
  rest: RestServer,
  path = '/echo',
): Promise<RunWorld> {
  const { createService } = await ada.query<{ createService: { service: { id: string } } }>(
    `mutation ($input: CreateServiceInput!) { createService(input: $input) { service { id }
      ${ERRORS} } }`,
    {
      input: {
        name: freshName('rest'),
        type: 'REST_API',
        protocol: 'HTTP',
        requiresSecret: false,
        connectionSchema: {
          type: 'object',
          properties: { endpoint: { type: 'string' } },
          required: ['endpoint'],
        },
      },
    },
  );
  const { createTool } = await ada.query<{
    createTool: { tool: { id: string } | null; userErrors: Refused[] };
  }>(
    `mutation ($input: CreateToolInput!) { createTool(input: $input) { tool { id } ${ERRORS} } }`,
    {
      input: {
        name: freshName('greet'),
        serviceId: createService.service.id,
        mutating: false,
        connectionParams: { endpoint: rest.origin },
        operation: { restCall: { method: 'POST', path, body: { name: '{{name}}' } } },
        inputSchema: {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
        },
        outputSchema: {},
      },
    },
  );
  if (createTool.tool === null) throw new Error(JSON.stringify(createTool.userErrors));
  const toolId = createTool.tool.id;

  const world: RunWorld = {
    toolId,
    async createsProcess(steps, more = {}) {
      const input = {
        name: freshName('process'),
        initialContext: ['name'],
        steps: steps.map(({ stepId, ...step }) => ({
          stepId,
          calls: { toolId },
          inputs: { name: '{context.name}' },
          output: { variable: stepId },
          ...step,
        })),
        outputTemplate: '{{name}}',
        ...more,
      };
      const { createProcess } = await ada.query<{
        createProcess: { process: { id: string } | null; userErrors: Refused[] };
      }>(
        `mutation ($input: CreateProcessInput!) { createProcess(input: $input) { process { id }
          ${ERRORS} } }`,
        { input },
      );
      if (createProcess.process === null) throw new Error(JSON.stringify(createProcess.userErrors));
      return createProcess.process.id;
    },
    async starts(processId, more = {}) {
      const { run, userErrors } = await world.does(
        'mutation ($input: StartProcessRunInput!) { it: startProcessRun(input: $input) { RUN } }',
        { input: { processId, context: { name: 'Grace' }, ...more } },
      );
      if (run === null) throw new Error(JSON.stringify(userErrors));
      return run.id;
    },
    async finishes(runId) {
      const changes = ada.subscribeSse<{ processRun: { status: string; output: string | null } }>(
        'subscription ($id: ID!) { processRun(id: $id) { status output } }',
        { id: runId },
      );
      let last = { status: 'NONE', output: null as string | null };
      for await (const { processRun } of changes) last = processRun;
      return last;
    },
    async awaits(runId, status) {
      await eventually(`the run is ${status}`, async () => {
        const { processRun } = await ada.query<{ processRun: { status: string } }>(
          'query ($id: ID!) { processRun(id: $id) { status } }',
          { id: runId },
        );
        return processRun.status === status;
      });
    },
    async does(mutation, variables = {}) {
      const document = mutation.replace('RUN', `run { id status } ${ERRORS}`);
      const { it } = await ada.query<{ it: Awaited<ReturnType<RunWorld['does']>> }>(
        document,
        variables,
      );
      return it;
    },
  };
  return world;
}
