import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { type Person, world } from '../testkit/world.ts';

let engine: Engine;
let rest: RestServer;
let ada: Person;

beforeAll(async () => {
  [engine, rest] = await Promise.all([openEngine(), openRestServer()]);
  ({ ada } = await world());
});
afterAll(async () => {
  await engine.close();
  await rest.close();
});

/** GET a path of the test's server with `{{q}}` in its query; answers what it got. */
async function echoTool(path = '/echo', more: object = {}) {
  return ada.createsTool({
    name: 'Echo',
    connectionParams: { endpoint: rest.origin },
    operation: { type: 'rest_call', method: 'GET', path, query: { q: '{{q}}' } },
    inputSchema: { type: 'object', required: ['q'], properties: { q: {} } },
    outputSchema: {},
    ...more,
  });
}

describe('a run', () => {
  it('executes its steps in order, binds their outputs and renders the result (S4-EXEC-01, S4-EXEC-04, S4-EXEC-14)', async () => {
    const tool = await echoTool();
    const process = await engine.createProcess(ada.viewer, {
      initialContext: ['name'],
      steps: [
        {
          id: 'first',
          calls: { toolId: tool.id },
          inputs: { q: 'Hello {context.name}' },
          output: { variable: 'a' },
        },
        {
          id: 'second',
          calls: { toolId: tool.id },
          inputs: { q: '{step.a.query.q}!' },
          output: { variable: 'b' },
        },
      ],
      outputTemplate: '{{b.query.q}} from {{name}}',
    });
    const run = await engine.run(ada.viewer, process, { name: 'Ada' });
    expect(run.error).toBeNull();
    expect(run).toMatchObject({ status: 'completed', output: 'Hello Ada! from Ada' });
    const steps = await engine.steps(ada.viewer, run.id);
    expect(steps.map(({ stepId, status, attempt }) => [stepId, status, attempt])).toEqual([
      ['first', 'completed', 1],
      ['second', 'completed', 1],
    ]);
    expect((await engine.entries(run.id)).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        'run.requested',
        'run.started',
        'step.started',
        'step.ended',
        'run.ended',
      ]),
    );
    expect(engine.defects).toEqual([]);
  });
});
