import { afterAll } from 'vitest';
import { openTemporal } from '../../src/platform/temporal/client.ts';
import { startFleet } from '../../src/platform/temporal/fleet.ts';
import { loadWorkflowBundle } from '../../src/platform/temporal/workflow-bundle.ts';
import { newId, quiet } from './outbox.ts';
import { tempFolder } from './temp-folder.ts';

const settings = { address: process.env['TEMPORAL_ADDRESS'] ?? '', namespace: 'default' };

/** A bundle of the workflows of one file of this folder, in `cacheFolder`. */
export function bundleOf(file: string, cacheFolder = tempFolder('bundles')) {
  const entry = new URL(file, import.meta.url);
  return { entry, madeOf: [entry], cacheFolder };
}

/** The tests' Temporal, and Workers of the smallest workflows. It closes after the file. */
export function fleetWorld() {
  const temporal = openTemporal(settings);
  afterAll(() => temporal.close());
  const source = bundleOf('fleet-workflow.ts');
  return {
    temporal,
    settings,
    source,
    /** Workers of `queue`, with `work` on each of its pools. */
    async opens(
      queue: string,
      work: (given: number) => Promise<unknown>,
      {
        pools = ['pool'],
        size = 4,
        drainMs,
      }: { pools?: string[]; size?: number; drainMs?: number },
    ) {
      return startFleet({
        temporal: settings,
        log: quiet,
        workflows: { taskQueue: queue, bundle: await loadWorkflowBundle(source), activities: {} },
        pools: pools.map((pool) => ({
          ...{ taskQueue: `${queue}-${pool}`, size, activities: { work } },
        })),
        ...(drainMs === undefined ? {} : { drainMs }),
      });
    },
    /** Starts a workflow of `queue` that calls `work` of a pool with `given`. */
    starts: (
      queue: string,
      given: number,
      { type = 'callOnce', pool = 'pool', workflowId = newId() } = {},
    ) =>
      temporal.client.workflow.start(type, {
        workflowId,
        taskQueue: queue,
        args: [`${queue}-${pool}`, given],
      }),
  };
}
