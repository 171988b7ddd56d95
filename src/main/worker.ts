import { createRequire } from 'node:module';
import process from 'node:process';
import { beating } from '../../activities/beating.ts';
import { createFireSchedule } from '../../activities/fire-schedule.ts';
import { type ActivityDeps, createActivities } from '../../activities/index.ts';
import { createPerformJob } from '../../activities/jobs.ts';
import { createKnowledgeActivities } from '../../activities/memory.ts';
import { cacheFolder } from '../../stack/folders.ts';
import type { RunActivities, RunNotes } from '../../workflows/interpreter/contract.ts';
import { OPERATION_TYPES, type OperationType } from '../catalog/tools/operation.ts';
import { JOBS_AT_ONCE, jobsQueue } from '../jobs/job.ts';
import { type FleetSettings, startFleet } from '../platform/temporal/fleet.ts';
import { loadWorkflowBundle } from '../platform/temporal/workflow-bundle.ts';
import { processesQueue, queueOf } from '../runs/run/run.ts';
import { HOSTING_TYPES } from '../runs/start/workflow-placement.ts';
import { openWorkerPools } from '../workers/worker-pools.service.ts';
import { BadSettings, type Config, loadConfig } from './config/config.ts';
import { startWorkerHttp } from './http/worker-http.ts';
import { openRuntime, type Runtime } from './runtime.ts';

export interface RunningWorkers {
  /** Settles when a worker ended by itself: then this process can do its work no more. */
  readonly failed: Promise<Error>;
  /** Takes nothing new, lets the steps in work end, marks the Workers as offline. */
  stop(): Promise<void>;
}

const ROOT = new URL('../../', import.meta.url);

const TRACING_INTERCEPTORS = createRequire(import.meta.url).resolve(
  '@temporalio/interceptors-opentelemetry-v2/lib/workflow-interceptors',
);

/** Whether this process's workflows are traced. */
export function tracingOf({ otlpEndpoint }: Pick<Config, 'otlpEndpoint'>): 'traced' | 'untraced' {
  return otlpEndpoint === undefined ? 'untraced' : 'traced';
}

/** Workers per type, as the settings have it. */
export function poolSizes(config: Config): Record<OperationType, number> {
  return {
    graph_query: config.workersGraphQuery,
    rest_call: config.workersRestCall,
    llm_call: config.workersLlmCall,
    mcp_call: config.workersMcpCall,
  };
}

/**
 * The workflows as one script; built once per content, kept in the cache folder.
 * @param tracing `traced` = with what tells OpenTelemetry of workflows, which changes no command of theirs
 */
export function workflowBundle(
  tracing: 'traced' | 'untraced' = 'untraced',
): Promise<{ codePath: string }> {
  return loadWorkflowBundle({
    entry: new URL('workflows/index.ts', ROOT),
    preload: new URL('workflows/preload.ts', ROOT),
    madeOf: ['workflows/', 'activities/', 'src/', 'package-lock.json'].map(
      (path) => new URL(path, ROOT),
    ),
    cacheFolder: `${cacheFolder()}/workflows`,
    ...(tracing === 'traced' ? { interceptors: [TRACING_INTERCEPTORS] } : {}),
  });
}

/**
 * The Workers of this process: one Temporal worker for workflows and the activities around runs, and one per type (`stepPools`).
 */
export async function startWorkers(
  runtime: Pick<Runtime, 'config' | 'graph' | 'log' | 'deps'> & {
    readonly activities: Omit<ActivityDeps, 'slots'>;
  },
): Promise<RunningWorkers> {
  const { config, graph, log, deps } = runtime;
  const { queuePrefix } = config;
  const sizes = poolSizes(config);
  const bundle = await workflowBundle(tracingOf(config));
  const pools = await openWorkerPools({ ...deps, graph, log }, { sizes, queuePrefix });
  const activities = createActivities({ ...runtime.activities, slots: pools.slots });
  const { executeStep: _, ...aroundRuns } = activities;
  const fleet = await startFleet({
    log,
    temporal: temporalSettings(config),
    workflows: {
      taskQueue: processesQueue(queuePrefix),
      bundle,
      activities: {
        ...beating(aroundRuns),
        ...beating(createKnowledgeActivities(deps)),
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
  return {
    failed: fleet.failed,
    async stop() {
      await fleet.stop();
      await pools.close();
    },
  };
}

export function temporalSettings(config: Config) {
  return {
    address: config.temporalAddress ?? '',
    namespace: config.temporalNamespace,
    tls: config.temporalTls,
    ...(config.temporalApiKey === undefined ? {} : { apiKey: config.temporalApiKey }),
  };
}

/** `node src/main/worker.ts`: Workers alone, against the Neo4j and Temporal that the settings name. */
async function main(): Promise<void> {
  const runtime = await openRuntime(loadConfig([...process.argv.slice(2), '--role', 'worker']));
  const workers = await startWorkers(runtime);
  const http = await startWorkerHttp(runtime);
  console.log('Workers take steps; Ctrl-C lets those in work end.');
  if (http !== null) console.log(`Health and metrics: ${http.url}/health, /ready, /metrics`);
  const told = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const failure = await Promise.race([told, workers.failed]);
  if (failure instanceof Error) {
    runtime.log.error('A worker ended', { error: failure });
    process.exitCode = 1;
  }
  await workers.stop();
  await http?.stop();
  await runtime.close();
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof BadSettings ? error.message : error);
    process.exit(1);
  });
}

/**
 * One pool per operation type, with as many steps at once as the type has Workers (S4-WRK-02, S4-WRK-04). Those that host workflows are there
 * without any Worker of the type too, so that a run that lives there can always be cancelled and come to its end.
 * @param sizes Workers per type
 */
export function stepPools(
  queuePrefix: string,
  sizes: Readonly<Record<OperationType, number>>,
  {
    executeStep,
    recordSteps,
    reserveItems,
    waitForBudget,
  }: Pick<RunActivities, 'executeStep'> & RunNotes,
): FleetSettings['pools'] {
  const notes = beating({ recordSteps, reserveItems, waitForBudget });
  return OPERATION_TYPES.flatMap((type) => {
    const hostsWorkflows = HOSTING_TYPES.includes(type);
    if (sizes[type] === 0 && !hostsWorkflows) return [];
    return [
      {
        taskQueue: queueOf(queuePrefix, type),
        size: sizes[type],
        // A workflow's notes are taken where it lives.
        activities: hostsWorkflows ? { ...notes, executeStep } : { executeStep },
        hostsWorkflows,
      },
    ];
  });
}
