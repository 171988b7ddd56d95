import { execute, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { openRunReads } from '../../src/runs/run/run-reads.service.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';

const graph = testGraph();
let rest: RestServer;
let ada: TestClient;
let userId = '';
const runIds: string[] = [];
beforeAll(async () => {
  rest = await openRestServer();
  ada = client(freshName('ada'));
  const world = await runWorld(ada, rest);
  userId = (await ada.query<{ viewer: { id: string } }>('{ viewer { id } }')).viewer.id;
  const child = await world.createsProcess([{ stepId: 'inner' }]);
  for (let index = 0; index < 4; index++) {
    const steps = [
      { stepId: 'a' },
      { stepId: 'b' },
      { stepId: 'sub', calls: { processId: child }, inputs: { name: 'x' } },
    ];
    const runId = await world.starts(await world.createsProcess(steps));
    await world.finishes(runId);
    runIds.push(runId);
  }
});
afterAll(async () => {
  await rest.close();
  await graph.close();
});

/** The names of the statements that one answer takes, in the process that gives it. */
async function statementsOf(query: string): Promise<string[]> {
  const viewer = { userId, name: 'ada', roles: ['user'], workspace: userId };
  const readRuns = openRunReads(graph);
  const contextValue = { graph, viewer, readRuns } as unknown as RequestContext;
  const { value, statements } = await graph.counting(async () =>
    execute({ schema: buildSchema(), document: parse(query), contextValue }),
  );
  expect(value.errors).toBeUndefined();
  return statements.map(({ name }) => name);
}

describe('the cost of reading runs', () => {
  it('is a handful of statements for a page of any length', async () => {
    const query = (first: number) => `{ processRuns(first: ${first}) { nodes {
      id status variables usage { toolCalls } owner { name } process { name owner { name } }
      steps { stepId status worker { type } childRun { id status } usage { toolCalls } }
      childRuns { id steps { stepId } parentRun { id } } } } }`;
    const [one, many] = [await statementsOf(query(1)), await statementsOf(query(8))];
    expect(many.length).toBeLessThanOrEqual(12);
    expect(many.length - one.length).toBeLessThanOrEqual(3);
    const twice = many.filter((name, index) => many.indexOf(name) !== index);
    // Steps of the page's runs, then those of their children; users likewise.
    expect(new Set(twice).size).toBeLessThanOrEqual(3);
  });

  it('is one statement for a run with its steps beside the run itself', async () => {
    const names = await statementsOf(
      `{ processRun(id: "${runIds[0]}") { id status steps { stepId status } } }`,
    );
    expect(names).toEqual(['findRuns', 'listStepRuns']);
  });
});
