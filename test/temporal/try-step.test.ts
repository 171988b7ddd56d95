import { afterAll, expect, it } from 'vitest';
import { tryStep } from '../../src/runs/control/try-step.mutations.ts';
import { openEngine } from '../testkit/engine.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { echoTool, runsOf, step } from '../testkit/run-steps.ts';
import { refusals, world } from '../testkit/world.ts';

const rest = await openRestServer();
const { ada, bob } = await world();
const engine = await openEngine();
const own = runsOf(engine, ada);
afterAll(async () => {
  await engine.close();
  await rest.close();
});

const good = await echoTool(ada, rest.origin);
const bad = await echoTool(ada, rest.origin, '/status/400');

/** Steps a to d; b fails and may, d reads the others. */
const stepsWith = (last: object) => [
  step('a', good.id, { q: '{context.word}' }),
  step('b', bad.id, { q: '1' }, {}, { required: false }),
  step('c', good.id, { q: '1' }, { condition: "context.word == 'never'" }),
  step('d', good.id, { q: '{step.a.query.q} again', ...last }, {}, {}, { dependsOn: ['a'] }),
  step('e', bad.id, { q: '1' }),
];
const definition = (last: object) => ({
  initialContext: ['word'],
  steps: stepsWith(last),
  outputTemplate: 'unused',
});

it('runs one step alone, as it is defined now, with the values of an ended run', async () => {
  const process = await own.createProcess(definition({}));
  const { id: runId, status } = await own.run(process, { word: 'hello' });
  expect(status).toBe('failed');
  const before = rest.requests.length;
  const { id } = await tryStep(engine.deps, ada.viewer, { runId, stepId: 'd' });
  await engine.launch(id);
  const run = await own.wait(id);
  expect(run).toMatchObject({ status: 'completed', error: null, conversationId: null });
  expect(JSON.parse(String(run.output))).toMatchObject({ query: { q: 'hello again' } });
  expect(rest.requests.length - before).toBe(1);
  expect(run.usage.toolCalls).toBe(1);

  const draft = await own.createProcess({ ...definition({}), steps: stepsWith({ q: 'changed' }) });
  const input = { runId, stepId: 'd', processId: draft.id };
  const { id: tried } = await tryStep(engine.deps, ada.viewer, input);
  await engine.launch(tried);
  const { output } = await own.wait(tried);
  expect(JSON.parse(String(output))).toMatchObject({ query: { q: 'changed' } });
});

it('refuses a step, a Process or a run that is not there, or is another user’s', async () => {
  const process = await own.createProcess(definition({}));
  const { id: runId } = await own.run(process, { word: 'hello' });
  const paths = (viewer: typeof ada.viewer, input: object) =>
    refusals(tryStep(engine.deps, viewer, { runId, stepId: 'd', ...input }));
  expect(await paths(ada.viewer, { stepId: 'x' })).toEqual(['NOT_FOUND stepId']);
  expect(await paths(ada.viewer, { processId: runId })).toEqual(['NOT_FOUND processId']);
  // A shared Process that Ada may run gets nothing that another one's run recorded.
  const tool = await echoTool(bob, rest.origin, '/echo', { shared: true });
  const steps = [step('d', tool.id, { q: '1' })];
  const shared = await runsOf(engine, bob).createProcess({ steps, shared: true });
  expect((await own.run(shared)).status).toBe('completed');
  expect(await paths(ada.viewer, { processId: shared.id })).toEqual(['NOT_FOUND processId']);
  expect(await paths(bob.viewer, {})).toEqual(['NOT_FOUND runId']);
});
