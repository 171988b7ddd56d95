import type { Client } from '@temporalio/client';
import {
  DefaultLogger,
  type LogEntry,
  NativeConnection,
  Runtime,
  type WorkerOptions,
} from '@temporalio/worker';
import { RUN_ERROR_CODES } from '../../common/tool-fault.ts';
import type { EndedWorker } from '../telemetry/health.ts';
import type { Log } from '../telemetry/log.ts';
import { activeTracing } from '../telemetry/tracing.ts';
import {
  CALL_MS_MAX,
  clientOn,
  connectionOptions,
  isTemporalOutage,
  type TemporalSettings,
} from './client.ts';
import { withoutWords } from './failure-words.ts';
import { KeptWorker } from './kept-worker.ts';
import { dataConverterOf } from './payload-codec.ts';
import { writeWellFormedTexts } from './well-formed-writer.ts';

export interface FleetSettings {
  readonly temporal: TemporalSettings;
  /** The worker for workflows, with the activities that start, finish and record runs. */
  readonly workflows: {
    readonly taskQueue: string;
    readonly bundle: { readonly codePath: string };
    readonly activities: object;
    readonly options?: Partial<WorkerOptions>;
  };
  /** Pools of activities, each with its own queue and `size` concurrent activities. */
  readonly pools: readonly {
    readonly taskQueue: string;
    /** 0 = no activities, only workflows. */
    readonly size: number;
    readonly activities: object;
    /**
     * Whether workflows may be placed on this queue. Activities that they schedule on it are
     * dispatched with the response to the workflow task when the pool has a free slot (eager
     * execution).
     */
    readonly hostsWorkflows?: boolean;
  }[];
  /**
   * The build of these Workers, in a Worker Deployment of Temporal. Workflows that they begin stay
   * with Workers of this build. Absent: they take whichever workflow there is.
   */
  readonly version?: { readonly deploymentName: string; readonly buildId: string } | undefined;
  /** How long in ms a shutdown waits for running activities before it cancels them. */
  readonly drainMs?: number;
  readonly log: Log;
}

/**
 * A client on the connection of a fleet. A workflow that it starts may get its first task at once,
 * in the answer, where a worker of the fleet has room (eager start).
 */
export interface EagerClient {
  readonly client: Client;
  /**
   * False for 30 s after a call failed because Temporal was away: the connection of Workers tries
   * each call for 10 s.
   */
  isUsable(): boolean;
  /** Limits the calls of `work` to 10 s. */
  bounded<T>(work: () => Promise<T>): Promise<T>;
}
const AFTER_OUTAGE_MS = 30_000;

export interface Fleet {
  readonly eager: EagerClient;
  /** Workers that ended by themselves in the last minutes. Each was started again, or will be. */
  ended(): EndedWorker[];
  /** Takes no new work, waits for the current work, then closes the connection. */
  stop(): Promise<void>;
}

const DRAIN_MS = 20_000;
/** Maximum cached workflows per queue; others are replayed when an event arrives. */
const CACHED_WORKFLOWS_MAX = 500;
/** The SDK's own default. */
const POLLS_MAX = 10;

/**
 * Starts the Temporal workers of one process over one connection.
 * @throws Error when Temporal does not answer
 */
export async function startFleet(settings: FleetSettings): Promise<Fleet> {
  const { temporal, workflows, pools, version, log, drainMs = DRAIN_MS } = settings;
  installRuntime(log);
  writeWellFormedTexts();
  const connection = await NativeConnection.connect(connectionOptions(temporal));
  const common = {
    connection,
    namespace: temporal.namespace,
    dataConverter: dataConverterOf(temporal.codec),
    shutdownGraceTime: drainMs,
    // Time for a cancelled activity to end before its worker is dropped.
    shutdownForceTime: drainMs + 10_000,
    // Heartbeats carry cancellations, which should arrive within a second.
    maxHeartbeatThrottleInterval: 1_000,
    defaultHeartbeatThrottleInterval: 1_000,
    ...(version === undefined ? {} : { workerDeploymentOptions: pinnedTo(version) }),
    ...activeTracing()?.workerOptions,
  };
  const hosting = {
    workflowBundle: workflows.bundle,
    maxCachedWorkflows: CACHED_WORKFLOWS_MAX,
    ...workflows.options,
  };
  const wanted: WorkerOptions[] = [
    {
      ...common,
      ...hosting,
      taskQueue: workflows.taskQueue,
      activities: workflows.activities,
    },
    ...pools.map(({ taskQueue, size, activities, hostsWorkflows = false }) => ({
      ...common,
      taskQueue,
      activities,
      ...(hostsWorkflows ? hosting : {}),
      ...placesOf(size, hostsWorkflows),
    })),
  ];
  const kept: KeptWorker[] = [];
  try {
    for (const options of wanted) kept.push(await KeptWorker.open(options, log));
  } catch (error) {
    await Promise.all(kept.map((worker) => worker.stop()));
    await connection.close();
    throw error;
  }
  return {
    eager: eagerClient(connection, temporal),
    ended: () => kept.flatMap((worker) => worker.ended() ?? []),
    async stop() {
      await Promise.all(kept.map((worker) => worker.stop()));
      await connection.close();
    },
  };
}

function pinnedTo(
  version: NonNullable<FleetSettings['version']>,
): NonNullable<WorkerOptions['workerDeploymentOptions']> {
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' };
}

function eagerClient(connection: NativeConnection, temporal: TemporalSettings): EagerClient {
  let restsUntilMs = 0;
  return {
    client: clientOn(connection, temporal),
    isUsable: () => performance.now() >= restsUntilMs,
    async bounded(work) {
      try {
        return await connection.withDeadline(Date.now() + CALL_MS_MAX, work);
      } catch (error) {
        if (isTemporalOutage(error)) restsUntilMs = performance.now() + AFTER_OUTAGE_MS;
        throw error;
      }
    },
  };
}

function placesOf(size: number, hostsWorkflows: boolean): Partial<WorkerOptions> {
  if (size === 0) return { enableNonLocalActivities: false };
  const places = { maxConcurrentActivityTaskExecutions: size };
  if (!hostsWorkflows || size === 1) return places;
  // A poller reserves a slot; eager execution needs a slot that no poller has reserved.
  const maximum = Math.min(POLLS_MAX, size >> 1);
  return { ...places, activityTaskPollerBehavior: { type: 'simple-maximum', maximum } };
}

let isInstalled = false;

/** Installs the SDK's runtime, one per process. It logs to our log and leaves signals to us. */
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

// Pools of activities have no workflows; a warning at every start would be misleading.
const EXPECTED = 'No workflows registered';
// The SDK calls it an error when Temporal sends a workflow task again before the first, which has
// timed out, has ended here. The run goes on with the second; the result of the first is refused.
const SENT_AGAIN = 'Trying to send a new WFT for a run which already has one';

function take(log: Log, { level, message, meta }: LogEntry): void {
  if (message.startsWith(EXPECTED)) return;
  const text = (key: string) => (typeof meta?.[key] === 'string' ? { [key]: meta[key] } : {});
  const fields = {
    ...text('taskQueue'),
    // The workflow of an item has the index behind the run's id (docs/decisions/0071).
    ...(typeof meta?.['workflowId'] === 'string'
      ? { runId: meta['workflowId'].replace(/\/\d+$/, '') }
      : {}),
    ...(meta?.['error'] === undefined ? {} : { error: withoutWords(meta['error']) }),
  };
  // Failures of steps and runs are recorded for their owner; in the log they would hide real
  // problems.
  if (/^(Activity|Workflow) failed/.test(message) && isExpected(meta?.['error'])) return;
  if (level === 'ERROR' && !message.startsWith(SENT_AGAIN))
    log.error(`Temporal: ${message}`, fields);
  else log.warn(`Temporal: ${message}`, fields);
}

/**
 * Whether an activity or a workflow failed on purpose: the type is a RunErrorCode; or because
 * Neo4j was away, which the log says once (telemetry/outages.ts).
 */
function isExpected(error: unknown): boolean {
  const type = (error as { type?: unknown } | undefined)?.type;
  const cause = (error as { cause?: unknown } | undefined)?.cause;
  return (
    type === 'INFRASTRUCTURE' ||
    (RUN_ERROR_CODES as readonly unknown[]).includes(type) ||
    (cause !== undefined && isExpected(cause))
  );
}
