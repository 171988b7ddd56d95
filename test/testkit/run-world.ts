import { freshName, type TestClient } from './client.ts';
import { eventually } from './outbox.ts';
import type { RestServer } from './rest-server.ts';

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
}

/** A Service of REST that needs an endpoint and no Secret. */
export const restService = (more: object = {}) => ({
  type: 'REST_API',
  protocol: 'HTTP',
  requiresSecret: false,
  connectionSchema: {
    type: 'object',
    properties: { endpoint: { type: 'string' } },
    required: ['endpoint'],
  },
  ...more,
});

/** One Service and one Tool on `rest`, which answers `{greeting}` after `ms`. */
export async function runWorld(
  ada: TestClient,
  rest: RestServer,
  path = '/echo',
): Promise<RunWorld> {
  const serviceId = await ada.creates('service', restService());
  const toolId = await ada.creates('tool', {
    name: freshName('greet'),
    serviceId,
    mutating: false,
    connectionParams: { endpoint: rest.origin },
    operation: { restCall: { method: 'POST', path, body: { name: '{{name}}' } } },
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    outputSchema: {},
  });

  const world: RunWorld = {
    toolId,
    createsProcess: (steps, more = {}) =>
      ada.creates('process', {
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
      }),
    async starts(processId, more = {}) {
      const { run, userErrors } = await ada.mutate<{ run: { id: string } | null }>(
        'startProcessRun',
        { processId, context: { name: 'Grace' }, ...more },
        'run { id }',
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
  };
  return world;
}
