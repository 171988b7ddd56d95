import { afterAll, beforeAll, expect, it } from 'vitest';
import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import { listRuns } from '../../src/runs/run/run.cypher.ts';
import { startProcessRun } from '../../src/runs/run/run.mutations.ts';
import type { ProcessRun } from '../../src/runs/run/run.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { echoTool, step, subStep } from '../testkit/run-steps.ts';
import { type Person, world } from '../testkit/world.ts';

// docs/decisions/0024: a background run of the product carries its origin and the thing it works for.

let engine: Engine;
let rest: RestServer;
let ada: Person;
beforeAll(async () => {
  [engine, rest] = await Promise.all([openEngine(), openRestServer()]);
  ({ ada } = await world());
});
afterAll(async () => {
  expect(engine.defects).toEqual([]);
  await engine.close();
  await rest.close();
});

/** A Process that calls a Process that calls a Process that calls a Tool. */
async function threeDeep() {
  const tool = await echoTool(ada, rest.origin);
  const process = (name: string, first: object) =>
    engine.createProcess(ada.viewer, {
      name,
      initialContext: ['w'],
      steps: [first as never],
      outputTemplate: 'done',
    });
  const inputs = { w: '{context.w}' };
  const inner = await process('Inner', step('a', tool.id, { q: '{context.w}' }));
  const middle = await process('Middle', subStep('b', inner.id, inputs));
  return process('Outer', subStep('c', middle.id, inputs));
}

const workFor = { kind: 'entity', id: 'e-1', name: 'Ada' } as const;
const runs = async (includeSystem: boolean) => {
  const page = await engine.graph.read((tx) =>
    listRuns(tx, ada.viewer.userId, { includeSystem }, {}),
  );
  return page.items.map(({ item }) => item);
};
const ofTree = (all: readonly ProcessRun[], rootRunId: string) =>
  all
    .filter((run) => run.rootRunId === rootRunId)
    .map(({ depth, origin, workFor: work }) => ({ depth, origin, work }))
    .toSorted((a, b) => a.depth - b.depth);

it('a run of the product and its sub-runs at any depth are listed only when asked for (S4-EXEC-13)', async () => {
  const { id: processId } = await threeDeep();
  const input = { processId, context: { w: 'hi' } };
  const background = await startProcessRun(engine.deps, ada.viewer, input, { workFor });
  await engine.launch(background.id);
  expect(await engine.wait(ada.viewer, background.id)).toMatchObject({ status: 'completed' });
  const own = await engine.start(ada.viewer, input);
  await engine.wait(ada.viewer, own.id);

  const listed = await runs(false);
  expect(ofTree(listed, background.id)).toEqual([]);
  expect(ofTree(listed, own.id)).toEqual(
    [0, 1, 2].map((depth) => ({ depth, origin: 'user', work: null })),
  );
  expect(ofTree(await runs(true), background.id)).toEqual(
    [0, 1, 2].map((depth) => ({ depth, origin: 'system', work: workFor })),
  );

  const again = await retryProcessRun(engine.deps, ada.viewer, { runId: background.id });
  expect(again).toMatchObject({ origin: 'system', workFor });
  expect((await runs(false)).map(({ id }) => id)).not.toContain(again.id);
});
