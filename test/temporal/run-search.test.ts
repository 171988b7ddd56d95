import { afterAll, describe, expect, it } from 'vitest';
import { openSearchAttributes } from '../../src/platform/temporal/search-attributes.ts';
import { RUN_ATTRIBUTE_NAMES } from '../../src/runs/start/run-attributes.ts';
import { openEngine } from '../testkit/engine.ts';
import { eventually } from '../testkit/outbox.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { echoTool, runsOf, step, subStep } from '../testkit/run-steps.ts';
import { world } from '../testkit/world.ts';

const missing: string[] = [];

const isReady = () => attributes?.isReady() ?? false;
const [engine, rest] = await Promise.all([
  openEngine({ searchAttributes: { isReady }, continueAfterEvents: 20 }),
  openRestServer(),
]);
const attributes = openSearchAttributes(engine.temporal, RUN_ATTRIBUTE_NAMES, (reason) =>
  missing.push(reason),
);
const { ada } = await world();
const own = runsOf(engine, ada);
await eventually('Temporal has the search attributes', () => attributes.isReady());
afterAll(async () => {
  await attributes.close();
  await engine.close();
  await rest.close();
});

async function found(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of engine.temporal.client.workflow.list({ query })) {
    if (!ids.includes(workflowId)) ids.push(workflowId);
  }
  return ids.sort();
}

describe('runs in Temporal', () => {
  it('are found by owner, process and origin, also after continue-as-new', async () => {
    const tool = await echoTool(ada, rest.origin);
    const inner = await own.createProcess({
      name: 'Inner',
      initialContext: ['word'],
      steps: [step('a', tool.id, { q: '{context.word}' })],
      outputTemplate: '{{a.query.q}}',
    });
    const outer = await own.createProcess({
      name: 'Outer',
      initialContext: ['words'],
      steps: [
        subStep('every', inner.id, { word: '{item}' }, { forEach: 'context.words' }),
        step('last', tool.id, { q: 'end' }),
      ],
      outputTemplate: '{{every.length}}',
    });
    const runOuter = async () => {
      const { id } = await own.start(outer, { words: ['one', 'two', 'three'] });
      await own.wait(id);
      return id;
    };
    const describeRun = (id: string) => engine.temporal.client.workflow.getHandle(id).describe();
    // Servers learn of new attributes some seconds after their registration.
    let id = '';
    await expect
      .poll(async () => {
        id = await runOuter();
        return (await describeRun(id)).typedSearchAttributes.getAll().map(({ key }) => key.name);
      })
      .toEqual(expect.arrayContaining(['AidenOwnerId', 'AidenProcessId', 'AidenOrigin']));

    const owner = `AidenOwnerId = "${ada.viewer.userId}"`;
    await expect
      .poll(() => found(`${owner} AND AidenProcessId = "${outer.id}" AND AidenOrigin = "user"`))
      .toEqual([id]);
    await expect
      .poll(async () => (await found(`${owner} AND AidenProcessId = "${inner.id}"`)).length)
      .toBe(3);
    expect(await found(`AidenOwnerId = "nobody"`)).toEqual([]);

    expect((await describeRun(id)).memo).toMatchObject({ process: 'Outer', version: 1 });
    const children = await found(`${owner} AND AidenProcessId = "${inner.id}"`);
    const memos = await Promise.all(children.map(async (one) => (await describeRun(one)).memo));
    expect(memos.map((memo) => memo?.['index']).sort()).toEqual([0, 1, 2]);
    expect(memos[0]).toMatchObject({ parentRunId: id, stepId: 'every' });
    // In the id of the workflow too, so that a list of them shows it.
    expect(children.map((one) => one.split('/')[1]).sort()).toEqual(['0', '1', '2']);
    expect(missing).toEqual([]);
  });
});
