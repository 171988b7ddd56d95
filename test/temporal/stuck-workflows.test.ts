import { afterAll, describe, expect, it } from 'vitest';
import { stuckWorkflows } from '../../src/jobs/stuck-workflows.service.ts';
import { ingestStuck } from '../../src/memory-graph/extraction/extraction-run.mutations.ts';
import { alternativeOf } from '../../src/memory-graph/extraction/start-ingest.service.ts';
import { type OpenWorkflow, openWorkflows } from '../../src/platform/temporal/open-workflows.ts';
import { loadWorkflowBundle } from '../../src/platform/temporal/workflow-bundle.ts';
import { workflowStateOf } from '../../src/platform/temporal/workflow-state.ts';
import { processesQueue } from '../../src/runs/run/run.ts';
import { bundleOf } from '../testkit/fleet-world.ts';
import { openMemoryWorld } from '../testkit/memory-world.ts';
import { quiet } from '../testkit/outbox.ts';

const bundle = await loadWorkflowBundle(bundleOf('stuck-workflow.ts'));
const here = await openMemoryWorld({ bundle });
afterAll(() => here.close());

describe('a workflow beside those of runs whose task fails again and again', () => {
  it('is ended: a schedule starts its next one, and a text waits to be read', async () => {
    const { temporal, queuePrefix, deps, activityDeps } = here.engine;
    const { client } = temporal;
    const taskQueue = processesQueue(queuePrefix);
    const ada = await here.person();
    const alternativeId = await ada.says(await ada.starts(), 'Grace saw Harbour A.');
    const id = `${queuePrefix}stuck`;
    await deps.schedules.ensure({
      ...{ id, cron: '@yearly', timezone: 'UTC', workflow: 'runJob', argument: {}, taskQueue },
      ...{ paused: false, catchUpSeconds: 60 },
    });
    await deps.schedules.trigger(id);
    const find = async () => {
      const open = openWorkflows(client, {
        taskQueue,
        types: ['ingestTurn', 'runJob', 'executeProcess'],
        before: new Date().toISOString(),
      });
      const all: OpenWorkflow[] = [];
      for await (const one of open) all.push(one);
      return all.toSorted((a, b) => a.type.localeCompare(b.type));
    };
    await expect
      .poll(async () => (await find()).map(({ type }) => type), { timeout: 20_000 })
      .toEqual(['ingestTurn', 'runJob']);
    const found = await find();
    for (const { workflowId } of found)
      await expect.poll(() => workflowStateOf(client, workflowId, 2)).toBe('stuck');

    const search = (taskTriesMax: number) =>
      stuckWorkflows(
        {
          clock: activityDeps.clock,
          log: quiet,
          listOpen: (types, before) => openWorkflows(client, { taskQueue, types, before }),
          stateOf: (workflowId) => workflowStateOf(client, workflowId, taskTriesMax),
          terminate: (workflowId, why) => client.workflow.getHandle(workflowId).terminate(why),
          ingestStuck: (workflowId) =>
            ingestStuck(here.engine.knowledge, alternativeOf(workflowId)),
        },
        0,
      ).run();
    await search(1_000);
    for (const { workflowId } of found)
      expect(await workflowStateOf(client, workflowId)).toBe('open');
    await search(2);
    for (const { workflowId } of found)
      expect(await workflowStateOf(client, workflowId)).toBe('terminated');
    const waits = await here.asked(
      'MATCH (w:Work {itemId: $alternativeId}) RETURN w.reason AS reason',
      { alternativeId },
    );
    expect(waits).toEqual([{ reason: 'fault' }]);
    await deps.schedules.remove(id);
  });
});
