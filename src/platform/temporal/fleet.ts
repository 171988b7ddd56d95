import {
  DefaultLogger,
  type LogEntry,
  NativeConnection,
  Runtime,
  Worker as TemporalWorker,
  type WorkerOptions,
} from '@temporalio/worker';
import { RUN_ERROR_CODES } from '../../common/tool-fault.ts';
import type { Log } from '../telemetry/log.ts';
import { activeTracing } from '../telemetry/tracing.ts';
import { connectionOptions, type TemporalSettings } from './client.ts';

export interface FleetSettings {
  readonly temporal: TemporalSettings;
  /** Where workflows run, with the activities that begin, finish and record runs. */
  readonly workflows: {
    readonly taskQueue: string;
    readonly bundle: { readonly codePath: string };
    readonly activities: object;
    readonly options?: Partial<WorkerOptions>;
  };
  /** Pools of activities, each on a queue of its own, `size` at once. */
  readonly pools: readonly {
    readonly taskQueue: string;
    /** 0: none of its activities, only workflows. */
    readonly size: number;
    readonly activities: object;
    /**
     * Workflows may live on its queue too. What they then ask of that queue comes back with the answer to their own task where the pool
     * has a place left (eager execution), and need not be fetched.
     */
    readonly hostsWorkflows?: boolean;
  }[];
  /** How long a shutdown waits for activities in work before it cancels them. */
  readonly drainMs?: number;
  readonly log: Log;
}

export interface Fleet {
  /** Settles when a worker ended by itself: the process can do its work no more. */
  readonly failed: Promise<Error>;
  /** Takes nothing new, lets what is in work end, then closes the connection. */
  stop(): Promise<void>;
}

const DRAIN_MS = 20_000;
/** Kept in memory per queue; others are replayed when something comes for them. */
const CACHED_WORKFLOWS_MAX = 500;
/** The SDK's own default. */
const POLLS_MAX = 10;

/** The Temporal workers of one process, over one connection. @throws when Temporal does not answer */
export async function startFleet(settings: FleetSettings): Promise<Fleet> {
  const { temporal, workflows, pools, log, drainMs = DRAIN_MS } = settings;
  installRuntime(log);
  const connection = await NativeConnection.connect(connectionOptions(temporal));
  const common = {
    connection,
    namespace: temporal.namespace,
    shutdownGraceTime: drainMs,
    // A cancelled activity has this long to give up, then its worker is dropped.
    shutdownForceTime: drainMs + 10_000,
    // Cancellation travels with heartbeats; it should arrive within the second.
    maxHeartbeatThrottleInterval: '1 second',
    defaultHeartbeatThrottleInterval: '1 second',
    ...activeTracing()?.workerOptions,
  };
  const hosting = {
    workflowBundle: workflows.bundle,
    maxCachedWorkflows: CACHED_WORKFLOWS_MAX,
    ...workflows.options,
  };
  const workers: TemporalWorker[] = [];
  try {
    workers.push(
      await TemporalWorker.create({
        ...common,
        ...hosting,
        taskQueue: workflows.taskQueue,
        activities: workflows.activities,
      }),
    );
    for (const { taskQueue, size, activities, hostsWorkflows = false } of pools) {
      workers.push(
        await TemporalWorker.create({
          ...common,
          taskQueue,
          activities,
          ...(hostsWorkflows ? hosting : {}),
          ...placesOf(size, hostsWorkflows),
        }),
      );
    }
  } catch (error) {
    await connection.close();
    throw error;
  }
  const running = workers.map((worker) => worker.run());
  const failed = new Promise<Error>((resolve) => {
    for (const run of running) run.catch((error: unknown) => resolve(asError(error)));
  });
  return {
    failed,
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled(running);
      await connection.close();
    },
  };
}

function placesOf(size: number, hostsWorkflows: boolean): Partial<WorkerOptions> {
  if (size === 0) return { enableNonLocalActivities: false };
  const places = { maxConcurrentActivityTaskExecutions: size };
  if (!hostsWorkflows || size === 1) return places;
  // Whoever polls holds a place meanwhile; eager execution takes one that nobody holds.
  const maximum = Math.min(POLLS_MAX, size >> 1);
  return { ...places, activityTaskPollerBehavior: { type: 'simple-maximum', maximum } };
}

let isInstalled = false;

/** The SDK has one runtime per process. It logs into our log, and leaves signals to us. */
function installRuntime(log: Log): void {
  if (isInstalled) return;
  isInstalled = true;
  const logger = new DefaultLogger('WARN', (entry) => take(log, entry));
  Runtime.install({
    logger,
    shutdownSignals: [],
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } } },
  });
}

// The pools of activities are meant to have none; saying so at every start would only alarm.
const EXPECTED = 'No workflows registered';

function take(log: Log, { level, message, meta }: LogEntry): void {
  if (message.startsWith(EXPECTED)) return;
  const text = (key: string) => (typeof meta?.[key] === 'string' ? { [key]: meta[key] } : {});
  const fields = {
    ...text('taskQueue'),
    ...(typeof meta?.['workflowId'] === 'string' ? { runId: meta['workflowId'] } : {}),
    ...(meta?.['error'] === undefined ? {} : { error: meta['error'] }),
  };
  // How an attempt or a run ended is on record where its owner reads it; here it would drown what an operator must see.
  if (/^(Activity|Workflow) failed/.test(message) && isRecorded(meta?.['error'])) return;
  if (level === 'ERROR') log.error(`Temporal: ${message}`, fields);
  else log.warn(`Temporal: ${message}`, fields);
}

/** A failure that our activities or the workflow ended with on purpose: its type is a RunErrorCode. */
function isRecorded(error: unknown): boolean {
  const type = (error as { type?: unknown } | undefined)?.type;
  const cause = (error as { cause?: unknown } | undefined)?.cause;
  return (
    (RUN_ERROR_CODES as readonly unknown[]).includes(type) ||
    (cause !== undefined && isRecorded(cause))
  );
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
