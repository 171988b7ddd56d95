import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beating } from '../../activities/beating.ts';
import { createFireSchedule } from '../../activities/fire-schedule.ts';
import { type ActivityDeps, createActivities } from '../../activities/index.ts';
import { createMemoryGraphActivities } from '../../activities/memory.ts';
import type { LocalCallLimits } from '../../activities/run-step/quick-tools.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { JsonObject } from '../../src/common/json.ts';
import { productRunObserver } from '../../src/main/run-observer.ts';
import { stepPools, workflowBundle } from '../../src/main/worker.ts';
import type { MemoryGraphDeps } from '../../src/memory-graph/deps.ts';
import type { Embeddings } from '../../src/memory-graph/embeddings/embeddings.service.ts';
import { OPERATION_TYPES, type OperationType } from '../../src/operations/operation.ts';
import { openBlobStore } from '../../src/platform/blobs/blob-store.ts';
import { closeDrivers, openDrivers } from '../../src/platform/drivers/index.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { openRenderer } from '../../src/platform/renderer/renderer.ts';
import { openLog } from '../../src/platform/telemetry/log.ts';
import { activeTracing, currentTraceparent } from '../../src/platform/telemetry/tracing.ts';
import { openTemporal } from '../../src/platform/temporal/client.ts';
import { startFleet } from '../../src/platform/temporal/fleet.ts';
import { openPayloadCodec } from '../../src/platform/temporal/payload-codec.ts';
import { createSchedules } from '../../src/platform/temporal/schedules.ts';
import { openVault, parseKeyRing } from '../../src/platform/vault/vault.ts';
import { type CreateProcess, createProcess } from '../../src/processes/process.mutations.ts';
import type { Process } from '../../src/processes/process.ts';
import { createRunSignals } from '../../src/runs/control/run-signals.service.ts';
import { createPayloads } from '../../src/runs/run/payloads.service.ts';
import type { RunDeps } from '../../src/runs/run/ports.ts';
import { findRuns } from '../../src/runs/run/run.cypher.ts';
import { isOpen, type ProcessRun, processesQueue, type RunStatus } from '../../src/runs/run/run.ts';
import { openSnapshots } from '../../src/runs/run/snapshots.service.ts';
import type { StartProcessRun } from '../../src/runs/start/run-checks.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import { type StartDeps, startRun } from '../../src/runs/start/start-run.service.ts';
import { listStepRuns } from '../../src/runs/steps/step-run.cypher.ts';
import type { StepRun } from '../../src/runs/steps/step-run.ts';
import type { ScheduleDeps } from '../../src/schedules/schedule.mutations.ts';
import { openSettings, type SettingsSource } from '../../src/settings/settings.projection.ts';
import { openSystemTools } from '../../src/system-tools/system-tools.service.ts';
import type { Viewer } from '../../src/users/user.ts';
import { deploymentOf } from '../../src/workers/builds.service.ts';
import { openWorkerPools } from '../../src/workers/worker-pools.service.ts';
import { NO_AGENT, NO_EMBEDDINGS } from './fixed.ts';
import { readWith, runCypher, testGraph } from './graph.ts';

export const TEST_KEYS = `1:${Buffer.alloc(32, 7).toString('base64')}`;

export interface EngineOptions {
  /** Runs continue as new beyond so many events. */
  readonly continueAfterEvents?: number;
  /** Own queues unless given; a second process serves the same ones. */
  readonly queuePrefix?: string;
  /** `none` where another process does the work. */
  readonly workers?: 'here' | 'none';
  readonly blobs?: string;
  readonly maxCachedWorkflows?: number;
  /** The build of its Workers. */
  readonly build?: string;
  /** Other workflows beside ours, for comparisons. */
  readonly bundle?: { readonly codePath: string };
  /** None unless given. */
  readonly embeddings?: Embeddings;
  /** Steps at once per type. */
  readonly poolSize?: number;
  readonly poolSizes?: Partial<Record<OperationType, number>>;
  /** Whether Workers are registered for them, as a worker's main does. */
  readonly registered?: boolean;
  /** A busy machine is no slow Tool. */
  readonly localCallLimits?: LocalCallLimits;
  /** Encrypts payloads in Temporal with this key ring; absent: no codec. */
  readonly temporalKeys?: string;
  /** Called after each commit that has entries for the relay. */
  readonly wake?: () => void;
  /** Absent: runs start without search attributes. */
  readonly searchAttributes?: { isReady(): boolean };
  /** Other settings than those of the graph. */
  readonly settings?: SettingsSource;
  /** Another Temporal than that of the tests. */
  readonly temporalAddress?: string;
}

/**
 * Everything a run needs, real: workers on queues of their own, drivers, Neo4j, Temporal. The
 * starter is called directly.
 */
export interface Engine {
  readonly deps: RunDeps & ScheduleDeps & Pick<StartDeps, 'snapshots'>;
  readonly graph: Graph;
  readonly activityDeps: ActivityDeps;
  readonly knowledge: MemoryGraphDeps;
  readonly queuePrefix: string;
  readonly blobs: string;
  readonly temporal: ReturnType<typeof openTemporal>;
  readonly defects: string[];
  createProcess(viewer: Viewer, input: Partial<CreateProcess>): Promise<Process>;
  /** Accepts a run and starts nothing. */
  accept(viewer: Viewer, input: StartProcessRun): Promise<ProcessRun>;
  /** Accepts and starts a run; does not wait for its end. */
  start(viewer: Viewer, input: StartProcessRun): Promise<ProcessRun>;
  /** Starts an accepted run, as the run starter does. */
  launch(runId: string): Promise<void>;
  /** Until the run is over, or has one of these statuses. */
  wait(viewer: Viewer, runId: string, until?: readonly RunStatus[]): Promise<ProcessRun>;
  run(
    viewer: Viewer,
    process: Process,
    context?: JsonObject,
    more?: Partial<StartProcessRun>,
  ): Promise<ProcessRun>;
  steps(viewer: Viewer, runId: string): Promise<StepRun[]>;
  entries(runId: string): Promise<{ kind: string; payload: JsonObject }[]>;
  historyEvents(runId: string): Promise<string[]>;
  close(): Promise<void>;
}

const WAIT_MS_MAX = 200_000;

export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const queuePrefix = options.queuePrefix ?? `t${randomUUID().slice(0, 8)}-`;
  const blobs = options.blobs ?? pathToFileURL(mkdtempSync(join(tmpdir(), 'aiden-blobs-'))).href;
  const clock = { nowMs: () => Date.now(), random: Math.random };
  const newId = createIdSource(clock);
  const graph = testGraph();
  const { temporalKeys: ring } = options;
  const codec = ring && openPayloadCodec({ keys: parseKeyRing(ring), encrypts: true });
  const temporalSettings = {
    address: options.temporalAddress ?? process.env['TEMPORAL_ADDRESS'] ?? '',
    namespace: 'default',
    ...(codec ? { codec } : {}),
  };
  const temporal = openTemporal(temporalSettings);
  const egress = openEgress({
    mode: 'dev',
    allow: [],
    platformPorts: [temporalSettings.address],
    systemOrigins: [],
  });
  const renderer = openRenderer();
  const embeddings = options.embeddings ?? NO_EMBEDDINGS;
  const store = openBlobStore(blobs);
  const systemTools = openSystemTools({ graph });
  const { operations } = systemTools;
  const parts = { egress, renderer, platformGraph: graph, operations, blobs: store };
  const drivers = openDrivers({ ...parts, mcpServers: {} });
  const payloads = createPayloads(store);
  const defects: string[] = [];
  const settings = options.settings ?? openSettings({ graph });
  const observed = { graph, clock, newId, wake: options.wake ?? (() => {}), settings };
  const base = {
    ...observed,
    runObserver: productRunObserver({ ...observed, memoryMode: NO_AGENT }),
  };
  const activityDeps: ActivityDeps = {
    ...base,
    drivers,
    renderer,
    payloads,
    snapshots: openSnapshots(graph),
    vault: openVault(parseKeyRing(TEST_KEYS)),
    health: {
      probe: ({ type, target }) => drivers[type].probe(target, AbortSignal.timeout(5_000)),
    },
    onDefect: (error, where) =>
      defects.push(`${where}: ${error instanceof Error ? error.stack : String(error)}`),
  };
  const knowledge: MemoryGraphDeps = {
    ...activityDeps,
    embeddings,
    signals: createRunSignals(temporal.client),
    queuePrefix,
  };
  systemTools.performWith({ ...knowledge, memoryMode: NO_AGENT });
  const sizes = {
    ...(Object.fromEntries(OPERATION_TYPES.map((type) => [type, options.poolSize ?? 20])) as Record<
      OperationType,
      number
    >),
    ...options.poolSizes,
  };
  const pools =
    options.registered === true
      ? await openWorkerPools(
          { ...base, log: openLog('error') },
          {
            sizes,
            queuePrefix,
            build: options.build,
            heartbeatMs: 500,
          },
        )
      : null;
  const { localCallLimits } = options;
  const given = {
    ...activityDeps,
    ...(pools === null ? {} : { slots: pools.slots }),
    ...(localCallLimits === undefined ? {} : { localCallLimits }),
  };
  const activities = createActivities(given);
  const { executeStep, ...aroundRuns } = activities;
  const deps: RunDeps & ScheduleDeps & Pick<StartDeps, 'snapshots'> = {
    ...base,
    payloads,
    signals: createRunSignals(temporal.client),
    queuePrefix,
    traceparent: currentTraceparent,
    schedules: createSchedules(temporal),
    snapshots: activityDeps.snapshots,
  };
  const fleet =
    options.workers === 'none'
      ? null
      : await startFleet({
          temporal: temporalSettings,
          log: openLog('error'),
          drainMs: 500,
          version:
            options.build === undefined
              ? undefined
              : { deploymentName: deploymentOf(queuePrefix), buildId: options.build },
          workflows: {
            taskQueue: processesQueue(queuePrefix),
            bundle:
              options.bundle ??
              (await workflowBundle(
                activeTracing() === null ? 'untraced' : 'traced',
                codec || undefined,
              )),
            activities: {
              ...beating(aroundRuns),
              executeStep,
              ...beating(createMemoryGraphActivities(knowledge)),
              ...createFireSchedule({ ...deps, log: openLog('error') }),
            },
            options: { maxCachedWorkflows: options.maxCachedWorkflows ?? 200 },
          },
          pools: stepPools(queuePrefix, sizes, activities),
        });

  const engine: Engine = {
    deps,
    graph,
    activityDeps,
    knowledge,
    queuePrefix,
    blobs,
    temporal,
    defects,
    createProcess: (viewer, input) =>
      createProcess(deps, viewer, {
        name: 'A process',
        initialContext: [],
        steps: [],
        outputTemplate: '',
        ...input,
      }),
    accept: (viewer, input) => startProcessRun(deps, viewer, input),
    async start(viewer, input) {
      const run = await engine.accept(viewer, input);
      await engine.launch(run.id);
      return run;
    },
    async launch(runId) {
      const { continueAfterEvents, searchAttributes } = options;
      await startRun(
        {
          ...deps,
          temporal: temporal.client,
          eager: () => fleet?.eager ?? null,
          ...(continueAfterEvents === undefined ? {} : { continueAfterEvents }),
          ...(searchAttributes === undefined ? {} : { searchAttributes }),
        },
        runId,
      );
    },
    async wait(viewer, runId, until) {
      const endMs = Date.now() + WAIT_MS_MAX;
      for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, 150)) {
        const [run] = await readWith(graph, findRuns, viewer.userId, [runId]);
        if (
          run !== undefined &&
          (until === undefined ? !isOpen(run.status) : until.includes(run.status))
        )
          return run;
        if (Date.now() > endMs)
          throw new Error(
            `The run is still ${run?.status} after ${WAIT_MS_MAX / 1_000} s. ${defects.join('\n')}`,
          );
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
    async run(viewer, process, context = {}, more = {}) {
      const { id } = await engine.start(viewer, { processId: process.id, context, ...more });
      return engine.wait(viewer, id);
    },
    steps: (viewer, runId) => readWith(graph, listStepRuns, viewer.userId, [runId]),
    async entries(runId) {
      const rows = await runCypher(
        graph,
        `MATCH (o:OutboxEntry {runId: $runId}) RETURN o.kind AS kind, o.payload AS payload ORDER BY
          o.id`,
        { runId },
      );
      return rows.map((row) => ({
        kind: String(row['kind']),
        payload: JSON.parse(String(row['payload'])) as JsonObject,
      }));
    },
    async historyEvents(runId) {
      const { events } = await temporal.client.workflow.getHandle(runId).fetchHistory();
      return (events ?? []).map(({ eventType }) => String(eventType));
    },
    async close() {
      await fleet?.stop();
      await pools?.close();
      await closeDrivers(drivers);
      await Promise.all([renderer.close(), egress.close(), temporal.close()]);
      await graph.close();
      if (options.blobs === undefined)
        await rm(fileURLToPath(blobs), { recursive: true, force: true });
    },
  };
  return engine;
}
