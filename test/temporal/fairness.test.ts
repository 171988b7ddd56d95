import { describe, expect, it } from 'vitest';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { echoTool, find, step } from '../testkit/run-steps.ts';

// docs/decisions/0044: steps wait in turn by owner, and a target that is away holds nothing up.

const { engine, rest, ada, bob, own } = await engineWorld({ poolSize: 2 });

const WAITS = {
  type: 'rest_call' as const,
  method: 'GET' as const,
  path: '/slow',
  query: { ms: '150', of: '{{q}}' },
};

describe('steps that wait for a place', () => {
  // S4-WRK-04
  it('are taken in turn by owner: one step does not wait for 80 of another owner', async () => {
    const [many, one] = await Promise.all(
      [ada, bob].map((person) =>
        echoTool(person, rest.origin, '/slow', { operation: WAITS, outputSchema: {} }),
      ),
    );
    const items = Array.from({ length: 80 }, (_, index) => index);
    const execution = { forEach: 'context.items', mode: 'parallel', maxConcurrency: 80 };
    const crowd = await own.createProcess({
      initialContext: ['items'],
      steps: [step('crowd', many?.id ?? '', { q: 'ada' }, execution)],
      outputTemplate: 'done',
    });
    const input = { steps: [step('only', one?.id ?? '', { q: 'bob' })], outputTemplate: 'done' };
    const single = await engine.createProcess(bob.viewer, input);
    const long = await own.start(crowd, { items });
    const askers = () =>
      rest.requests.flatMap(({ path, query }) => (path === '/slow' ? [query.get('of')] : []));
    await expect.poll(() => askers().length).toBeGreaterThan(5);
    expect((await engine.run(bob.viewer, single)).status).toBe('completed');
    expect((await own.wait(long.id)).status).toBe('completed');
    // In the order of their queueing, the single step would be the last.
    const order = askers();
    expect(order).toContain('bob');
    expect(order.length - order.indexOf('bob')).toBeGreaterThan(10);
  });
});

describe('a target that is away', () => {
  it('is called less and less, says so on the steps, and does not delay other owners', async () => {
    const gone = await openRestServer();
    const tool = await echoTool(ada, gone.origin);
    await gone.close();
    const dead = await own.createProcess({
      steps: [
        step('call', tool.id, { q: 1 }, { retry: { maximumAttempts: 3, initialInterval: 0.1 } }),
      ],
      outputTemplate: '{{call}}',
    });
    const well = await echoTool(bob, rest.origin);
    const input = { steps: [step('call', well.id, { q: 'still here' })], outputTemplate: 'done' };
    const alive = await engine.createProcess(bob.viewer, input);
    const runs = await Promise.all(Array.from({ length: 12 }, () => own.start(dead)));
    const errorOf = async (id: string) => find(await own.steps(id), 'call').error;
    const messages = async () =>
      (await Promise.all(runs.map(({ id }) => errorOf(id)))).map((error) => error?.message ?? '');
    await expect
      .poll(async () => (await messages()).filter((text) => text.includes('pause until')).length)
      .toBeGreaterThan(3);
    const open = async () => {
      const all = await Promise.all(runs.map(({ id }) => own.steps(id)));
      return all.filter((steps) => find(steps, 'call').status === 'pending').length;
    };
    expect((await engine.run(bob.viewer, alive)).status).toBe('completed');
    expect(await open()).toBeGreaterThan(0);
    // Runs that ended meanwhile refuse it.
    await Promise.allSettled(
      runs.map(({ id }) => cancelProcessRun(engine.deps, ada.viewer, { id })),
    );
  });
});
