import { WORKER_HEARTBEAT_SECONDS } from '../common/limits.ts';
import { OPERATION_TYPES } from '../operations/operation.ts';
import type { PeriodicTask } from '../outbox/periodic-task.service.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Deployment } from '../platform/temporal/deployment.ts';
import { queueOf } from '../runs/run/run.ts';
import { servingBuilds } from './builds.ts';
import { listBuilds } from './worker.cypher.ts';

/** Temporal's name of the builds of an installation. */
export function deploymentOf(queuePrefix: string): string {
  return `${queuePrefix}aiden`;
}

export interface BuildsDeps {
  readonly graph: Graph;
  readonly log: Log;
  readonly queuePrefix: string;
  readonly deployment: Deployment;
  /** The build of the Workers, by the settings of this process: a first run waits for its task. */
  readonly build?: string | undefined;
}

/** Where nothing changes, Temporal is asked again after so long. */
const AGAIN_MS = 30_000;

/**
 * Tells Temporal which build of the Workers takes new runs, and lets the runs of a build that is
 * gone go on with it (docs/decisions/0125). A periodic task of the process that holds the relay, so
 * that one process decides.
 */
export function workerBuilds({
  graph,
  log,
  queuePrefix,
  deployment,
  build,
}: BuildsDeps): PeriodicTask {
  const taskQueues = OPERATION_TYPES.map((type) => queueOf(queuePrefix, type));
  let settled = '';
  let settledAtMs = 0;
  return {
    name: 'worker-builds',
    ...(build === undefined ? {} : { isUrgent: true }),
    everyMs: WORKER_HEARTBEAT_SECONDS * 1_000,
    async run() {
      const serving = servingBuilds(await graph.read((tx) => listBuilds(tx, taskQueues)));
      if (serving === null) return;
      const { current, whole } = serving;
      const key = JSON.stringify([current, [...whole].sort()]);
      const isNamed = whole.some((build) => build !== null);
      // Without named builds nothing can become stale.
      if (key === settled && (!isNamed || performance.now() < settledAtMs + AGAIN_MS)) return;
      const known = await deployment.read();
      if (known === null && isNamed) return;
      if (known !== null) {
        if (known.current !== current) {
          await deployment.makeCurrent(current);
          log.info('Runs start with another build of the Workers', { operation: current ?? '' });
        }
        for (const build of known.builds.filter((one) => !whole.includes(one))) {
          const count = await deployment.release(build);
          if (count > 0)
            log.info('Open runs of a build without Workers go on with the current one', {
              operation: build,
              count,
            });
        }
      }
      settled = key;
      settledAtMs = performance.now();
    },
  };
}
