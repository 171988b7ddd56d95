import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { eventually } from '../testkit/outbox.ts';
import { openRestServer, ownPath, type RestServer } from '../testkit/rest-server.ts';
import { echoTool, step } from '../testkit/run-steps.ts';
import { spawnWorker } from '../testkit/spawn-worker.ts';
import { type Person, world } from '../testkit/world.ts';

const ITEMS = 800;
const AT_ONCE = 20;
/** Numbers of called items at which the worker is killed. */
const KILLS_AT = [200, 500];
/** The list is in a blob, and its results, above 1 MB, are a reference to the record. */
const ITEM_CHARS = 1_250;
/** The run continues as new several times. */
const EVENTS = 200;

let rest: RestServer;
let ada: Person;
let engine: Engine;
let worker: ChildProcess | null = null;
beforeAll(async () => {
  rest = await openRestServer();
  ({ ada } = await world());
  engine = await openEngine({ workers: 'none', continueAfterEvents: EVENTS });
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await engine.close();
  await rest.close();
});

it('a long list is called once per item through two kills of the worker', async () => {
  const path = ownPath('/echo');
  const tool = await echoTool(ada, rest.origin, path, {
    operation: { type: 'rest_call', method: 'POST', path, body: { q: '{{q}}' } },
    mutating: true,
  });
  // A mutating call that is lost is repeated only where a step says so; the key stays the same.
  const execution = {
    forEach: 'context.list',
    maxConcurrency: AT_ONCE,
    retry: { maximumAttempts: 5, initialInterval: 1 },
  };
  const process = await engine.createProcess(ada.viewer, {
    initialContext: ['list'],
    steps: [step('every', tool.id, { q: '{item}' }, execution)],
    outputTemplate: '{{every.length}}:{{#each every}}{{this.method}} {{/each}}',
  });
  const list = Array.from({ length: ITEMS }, (_, n) => `${n}-`.padEnd(ITEM_CHARS, 'x'));
  const calls = () =>
    rest.requests
      .filter((request) => request.path === path)
      .map(({ body, headers }) => ({
        item: Number.parseInt(JSON.parse(body).q, 10),
        key: String(headers['idempotency-key']),
      }));
  const asked = () => new Set(calls().map(({ item }) => item)).size;

  worker = await spawnWorker(engine);
  const { id } = await engine.start(ada.viewer, { processId: process.id, context: { list } });
  for (const count of KILLS_AT) {
    await eventually(`${count} items are called`, () => asked() >= count);
    worker.kill('SIGKILL');
    expect(asked()).toBeLessThan(ITEMS);
    worker = await spawnWorker(engine);
  }
  const run = await engine.wait(ada.viewer, id);
  expect(run).toMatchObject({
    status: 'completed',
    error: null,
    output: `${ITEMS}:${'POST '.repeat(ITEMS)}`,
  });

  // Only the items that were under way at a kill are called again, and with the key they had.
  const made = calls();
  expect(asked()).toBe(ITEMS);
  expect(new Set(made.map(({ key }) => key)).size).toBe(ITEMS);
  expect(new Set(made.map(({ item, key }) => `${item} ${key}`)).size).toBe(ITEMS);
  expect(made.length - ITEMS).toBeLessThanOrEqual(KILLS_AT.length * AT_ONCE);
  const ended = (await engine.entries(id)).filter(({ kind }) => kind === 'step.ended');
  expect(ended).toHaveLength(ITEMS);
  const steps = await engine.steps(ada.viewer, id);
  expect(steps.map(({ index }) => index).toSorted((a, b) => Number(a) - Number(b))).toEqual(
    list.map((_, n) => n),
  );
  const { workflow } = engine.temporal.client;
  await eventually('the run continued as new', async () => {
    let executions = 0;
    for await (const _ of workflow.list({ query: `WorkflowId = "${id}"` })) executions++;
    return executions > 1;
  });
});
