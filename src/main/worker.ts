import { createRequire } from 'node:module';
import { basename } from 'node:path';
import process from 'node:process';
import { beating } from '../../activities/beating.ts';
import { createFireSchedule } from '../../activities/fire-schedule.ts';
import { type ActivityDeps, createActivities } from '../../activities/index.ts';
import { createPerformJob } from '../../activities/jobs.ts';
import { createMemoryGraphActivities } from '../../activities/memory.ts';
import { paced } from '../../activities/paced.ts';
import type { RunActivities, RunNotes } from '../../workflows/interpreter/contract.ts';
import { cacheFolder } from '../host/folders.ts';
import { JOBS_AT_ONCE, jobsQueue } from '../jobs/job.ts';
import { OPERATION_TYPES, type OperationType } from '../operations/operation.ts';
import { type FleetSettings, startFleet } from '../platform/temporal/fleet.ts';
import { failureConverterPath, type PayloadCrypt } from '../platform/temporal/payload-codec.ts';
import { loadWorkflowBundle } from '../platform/temporal/workflow-bundle.ts';
import { processesQueue, queueOf } from '../runs/run/run.ts';
import { HOSTING_TYPES } from '../runs/start/workflow-placement.ts';
import { deploymentOf } from '../workers/builds.service.ts';
import { openWorkerPools } from '../workers/worker-pools.service.ts';
import { BadSettings, type Config, loadConfig } from './config/config.ts';
import { encryptsTemporal, temporalSettings } from './config/configured.ts';
import { startWorkerHttp } from './http/worker-http.ts';
import { openRuntime, type Runtime } from './runtime.ts';

export interface RunningWorkers {
  /** Takes no new work, lets current steps end, and marks the Workers as offline. */
  stop(): Promise<void>;
}

const ROOT = new URL('../../', import.meta.url);

const TRACING_INTERCEPTORS = createRequire(import.meta.url).resolve(
  '@temporalio/interceptors-opentelemetry-v2/lib/workflow-interceptors',
);

/** Whether workflows of this process are traced. */
export function tracingOf({ otlpEndpoint }: Pick<Config, 'otlpEndpoint'>): 'traced' | 'untraced' {
  return otlpEndpoint === undefined ? 'untraced' : 'traced';
}

/** The bundle of the workflows that the settings ask for. */
export function bundleOf(
  config: Pick<Config, 'otlpEndpoint' | 'temporalEncryption' | 'auth'>,
): Promise<{ codePath: string }> {
  return workflowBundle(tracingOf(config), { encrypts: encryptsTemporal(config) });
}

/** Name of a build by its code: the file of its workflows has the hash of all of it. */
const buildOf = ({ codePath }: { readonly codePath: string }): string =>
  basename(codePath, '.js').replace('workflows-', '').slice(0, 12);

/** Number of Workers per operation type, from the settings. */
export function poolSizes(config: Config): Record<OperationType, number> {
  return {
    graph_query: config.workersGraphQuery,
    rest_call: config.workersRestCall,
    llm_call: config.workersLlmCall,
    mcp_call: config.workersMcpCall,
  };
}

/**
 * Builds the workflows into one script. The result is cached on disk by content.
 * @param tracing `traced` adds OpenTelemetry interceptors, which do not change the workflows'
 * commands
 * @param codec with `encrypts` failures are converted to payloads, which the codec encrypts
 */
export function workflowBundle(
  tracing: 'traced' | 'untraced' = 'untraced',
  codec: Pick<PayloadCrypt, 'encrypts'> = { encrypts: false },
): Promise<{ codePath: string }> {
  return loadWorkflowBundle({
    entry: new URL('workflows/index.ts', ROOT),
    preload: new URL('workflows/preload.ts', ROOT),
    madeOf: ['workflows/', 'activities/', 'src/', 'package-lock.json'].map(
      (path) => new URL(path, ROOT),
    ),
    cacheFolder: `${cacheFolder()}/workflows`,
    failureConverter: failureConverterPath(codec),
    ...(tracing === 'traced' ? { interceptors: [TRACING_INTERCEPTORS] } : {}),
  });
}

/**
 * Starts the Workers of this process: one Temporal worker for workflows and the activities around
 * runs, and one per operation type (`stepPools`).
 * @param startOver as of `openRuntime`
 */
export async function startWorkers(
  runtime: Pick<Runtime, 'config' | 'graph' | 'log' | 'deps' | 'watchWorkers'> & {
    readonly activities: Omit<ActivityDeps, 'slots'>;
  },
  startOver: Promise<void> = Promise.resolve(),
): Promise<RunningWorkers> {
  const { config, graph, log, deps } = runtime;
  const { queuePrefix } = config;
  const sizes = poolSizes(config);
  const bundle = await bundleOf(config);
  const build = config.workerBuild === 'auto' ? buildOf(bundle) : config.workerBuild;
  const pools = await openWorkerPools({ ...deps, graph, log }, { sizes, queuePrefix, build });
  const activities = createActivities({ ...runtime.activities, slots: pools.slots });
  const { executeStep, ...aroundRuns } = activities;
  // It waits for a model, so its time says nothing of the database.
  const { embedNew, ...memoryGraph } = createMemoryGraphActivities(deps);
  const fleet = await startFleet({
    log,
    temporal: temporalSettings(config),
    version:
      build === undefined
        ? undefined
        : { deploymentName: deploymentOf(queuePrefix), buildId: build },
    workflows: {
      taskQueue: processesQueue(queuePrefix),
      bundle,
      activities: {
        ...beating(aroundRuns),
        // Workflows make quick calls themselves.
        executeStep,
        ...beating({ ...paced(memoryGraph, startOver), embedNew }),
        ...createFireSchedule(deps),
      },
    },
    pools: [
      ...stepPools(queuePrefix, sizes, activities),
      {
        taskQueue: jobsQueue(queuePrefix),
        size: JOBS_AT_ONCE,
        activities: createPerformJob(deps, deps.jobs.list),
      },
    ],
  }).catch(async (error: unknown) => {
    await pools.close();
    throw error;
  });
  runtime.watchWorkers(fleet);
  pools.tellEnded(fleet.ended);
  return {
    async stop() {
      runtime.watchWorkers({ ended: fleet.ended, eager: null });
      await fleet.stop();
      await pools.close();
    },
  };
}

/** `node src/main/worker.ts`: Workers only, with the Neo4j and Temporal of the settings. */
async function main(): Promise<void> {
  const runtime = await openRuntime(loadConfig([...process.argv.slice(2), '--role', 'worker']));
  const workers = await startWorkers(runtime);
  const http = await startWorkerHttp(runtime);
  console.log('The Workers are running. Ctrl-C stops them after their current steps.');
  if (http !== null) console.log(`Health and metrics: ${http.url}/health, /ready, /metrics`);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await stopped;
  await workers.stop();
  await http?.stop();
  await runtime.close();
}

if (import.meta.main)
  await main().catch((error: unknown) => {
    console.error(error instanceof BadSettings ? error.message : error);
    process.exit(1);
  });

/**
 * One pool per operation type, with one concurrent step per Worker (S4-WRK-02, S4-WRK-04). Pools
 * that host workflows exist even without Workers of their type, so that a run placed there can
 * always be cancelled and finished.
 * @param sizes Workers per operation type
 */
export function stepPools(
  queuePrefix: string,
  sizes: Readonly<Record<OperationType, number>>,
  {
    executeStep,
    finishRun,
    recordSteps,
    reserveItems,
    waitForBudget,
    beginAgent,
    endAgent,
  }: Pick<RunActivities, 'executeStep' | 'finishRun'> & RunNotes,
): FleetSettings['pools'] {
  const hosted = beating({
    finishRun,
    recordSteps,
    reserveItems,
    waitForBudget,
    beginAgent,
    endAgent,
  });
  return OPERATION_TYPES.flatMap((type) => {
    const hostsWorkflows = HOSTING_TYPES.includes(type);
    if (sizes[type] === 0 && !hostsWorkflows) return [];
    return [
      {
        taskQueue: queueOf(queuePrefix, type),
        size: sizes[type],
        // The local activities of a workflow run in the worker that hosts it.
        activities: hostsWorkflows ? { ...hosted, executeStep } : { executeStep },
        hostsWorkflows,
      },
    ];
  });
}
