import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, describe, expect, it } from 'vitest';
import { workflowBundle } from '../../src/main/worker.ts';
import { openTemporal } from '../../src/platform/temporal/client.ts';
import { openDeployment } from '../../src/platform/temporal/deployment.ts';
import { workflowStateOf } from '../../src/platform/temporal/workflow-state.ts';
import { deploymentOf, workerBuilds } from '../../src/workers/builds.service.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { eventually, quiet } from '../testkit/outbox.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { echoTool, runsOf, step } from '../testkit/run-steps.ts';
import { tempFolder } from '../testkit/temp-folder.ts';
import { world, worldGraph } from '../testkit/world.ts';

// Workers of two builds at once: rolled forward, back and forward again.

const rest = await openRestServer();
const { ada } = await world();
const temporal = openTemporal({
  address: process.env['TEMPORAL_ADDRESS'] ?? '',
  namespace: 'default',
});
afterAll(async () => {
  await rest.close();
  await temporal.close();
});

/**
 * The workflows of a newer build: each run begins with one more timer, behind a marker. It replays
 * what the older began; the older can't replay what it began.
 */
async function newerBundle(): Promise<{ codePath: string }> {
  const { codePath } = await workflowBundle();
  const code = await readFile(codePath, 'utf8');
  const begin = /async function executeProcess\(input\) \{/;
  expect(code).toMatch(begin);
  const marked = `$&
    if ((0, _temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.patched)('newer'))
      await (0, _temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.sleep)(1);`;
  const changed = join(tempFolder('builds'), 'newer.js');
  await writeFile(changed, code.replace(begin, marked));
  return { codePath: changed };
}

const queuePrefix = `roll${Date.now() % 1e8}-`;
const deployment = openDeployment(temporal, deploymentOf(queuePrefix));
const open = (build: string, bundle?: { codePath: string }) =>
  openEngine({
    queuePrefix,
    build,
    registered: true,
    poolSize: 2,
    ...(bundle === undefined ? {} : { bundle }),
  });

describe('Workers of an older and a newer build', () => {
  it('are not looked for where Temporal knows no builds', async () => {
    const server = new Server();
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    const older = openTemporal({ address: `127.0.0.1:${port}`, namespace: 'default' });
    expect(await openDeployment(older, 'aiden').read()).toBeNull();
    await older.close();
    server.forceShutdown();
    expect(await openDeployment(temporal, `none-${queuePrefix}`).read()).toBeNull();
  });

  it('run side by side, forward, back and forward again, and each run ends', async () => {
    const newer = await newerBundle();
    const one = await open('1');
    const graph = worldGraph();
    const builds = workerBuilds({ graph, log: quiet, queuePrefix, deployment });
    const settle = async (current: string) => {
      await eventually(`build ${current} takes new runs`, async () => {
        await builds.run();
        return (await deployment.read())?.current === current;
      });
    };
    const buildOf = async (runId: string) => {
      const { raw } = await temporal.client.workflow.getHandle(runId).describe();
      return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
    };
    const { id: toolId } = await echoTool(ada, rest.origin);
    const process = await runsOf(one, ada).createProcess({
      initialContext: [],
      steps: [
        step('first', toolId, { q: 'one' }),
        step('asked', toolId, { q: '{step.first.query.q}' }, { interactionMode: 'manual' }),
        step('last', toolId, { q: '{step.asked.query.q}!' }),
      ] as never,
      outputTemplate: '{{last.query.q}}',
    });
    /** A run that waits for a decision. */
    const begin = async (engine: Engine) => {
      const run = await runsOf(engine, ada).start(process);
      await runsOf(engine, ada).wait(run.id, ['waiting']);
      return run.id;
    };
    const end = async (engine: Engine, runId: string) => {
      const own = runsOf(engine, ada);
      await own.decide(runId, 'asked', 'approve');
      expect(await own.wait(runId)).toMatchObject({ status: 'completed', output: 'one!' });
    };

    await settle('1');
    const [beside, left] = [await begin(one), await begin(one)];
    expect(await buildOf(beside)).toBe('1');

    // Forward: new runs begin on the newer build, and those of the older end on the older.
    const two = await open('2', newer);
    await settle('2');
    const held = await begin(two);
    expect(await buildOf(held)).toBe('2');
    await end(two, beside);
    expect(await buildOf(beside)).toBe('1');
    // The older Workers go: what they began goes on with the newer.
    await one.close();
    await settle('2');
    await end(two, left);
    expect(await buildOf(left)).toBe('2');

    // Back: the older can't replay what the newer began, and that run is not ended.
    const back = await open('1');
    await settle('1');
    await two.close();
    await settle('1');
    await end(back, await begin(back));
    const deciding = runsOf(back, ada)
      .decide(held, 'asked', 'approve')
      .catch(() => null);
    await eventually('the older Workers have tried the run of the newer', async () => {
      const { raw } = await temporal.client.workflow.getHandle(held).describe();
      return Number(raw.pendingWorkflowTask?.attempt ?? 0) > 1;
    });
    expect(await workflowStateOf(temporal.client, held, 1)).toBe('open');

    // Forward again.
    const again = await open('2', newer);
    await settle('2');
    await back.close();
    await settle('2');
    await deciding;
    await runsOf(again, ada)
      .decide(held, 'asked', 'approve')
      .catch(() => null);
    expect(await runsOf(again, ada).wait(held)).toMatchObject({ status: 'completed' });
    await end(again, await begin(again));
    await again.close();
  });
});
