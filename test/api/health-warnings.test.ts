import { afterAll, describe, expect, it } from 'vitest';
import { openWorkerPools } from '../../src/workers/worker-pools.service.ts';
import { client, freshName } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { clock, eventually, newId, quiet } from '../testkit/outbox.ts';

const graph = testGraph();
afterAll(() => graph.close());

describe('health', () => {
  it('warns of a Temporal worker that ended, until its process ends', async () => {
    const ada = client(freshName('ada'));
    const taskQueue = `${newId()}-llm_call`;
    const sinceMs = Date.now();
    const deps = { graph, clock, newId, log: quiet, wake: () => {} };
    const pools = await openWorkerPools(deps, {
      sizes: { llm_call: 2 },
      queuePrefix: `${newId()}-`,
      heartbeatMs: 50,
    });
    const warnings = async () => {
      const health = await ada.one<{
        warnings: { subject: string; message: string; startedAt: string }[];
      }>('{ health { warnings { subject message startedAt } } }');
      return health.warnings.filter(({ subject }) => subject === `worker ${taskQueue}`);
    };
    expect(await warnings()).toEqual([]);
    pools.tellEnded(() => [{ taskQueue, ends: 2, sinceMs, isRunning: true }]);
    await eventually('the warning', async () => (await warnings()).length > 0);
    // Once, though both of its Workers tell it.
    expect(await warnings()).toEqual([
      {
        subject: `worker ${taskQueue}`,
        message:
          `The Temporal worker of ${taskQueue} ended by itself 2 times. ` + 'It was started again.',
        startedAt: new Date(sinceMs).toISOString(),
      },
    ]);
    await pools.close();
    expect(await warnings()).toEqual([]);
  });
});
