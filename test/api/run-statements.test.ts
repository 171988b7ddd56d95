import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { countedBy } from '../testkit/counted.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';

let rest: RestServer;
let ada: TestClient;
const runIds: string[] = [];
beforeAll(async () => {
  rest = await openRestServer();
  ada = client(freshName('ada'));
  const world = await runWorld(ada, rest);
  const child = await world.createsProcess([{ stepId: 'inner' }]);
  const sub = { stepId: 'sub', calls: { processId: child }, inputs: { name: 'x' } };
  const steps = [{ stepId: 'a' }, { stepId: 'b' }, sub];
  for (let index = 0; index < 4; index++) {
    const runId = await world.starts(await world.createsProcess(steps));
    await world.finishes(runId);
    runIds.push(runId);
  }
});
afterAll(() => rest.close());

const statementsOf = async (query: string) => (await countedBy(ada, query)).names;

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
