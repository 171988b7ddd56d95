import { readFileSync } from 'node:fs';
import type { ActivityDeps } from '../../activities/index.ts';
import type { ApiDeps } from '../../schema/context.ts';
import { agentMemoryJobProjection } from '../agent-memory/memory-jobs.service.ts';
import { createSummarise } from '../agent-memory/rollup/summarise.service.ts';
import { grpcAddr } from '../agent-memory/summarizer-settings.ts';
import { refuseIncompleteRestore } from '../backup/restore.cypher.ts';
import { openCallRecorder } from '../call-graph/call-recorder.service.ts';
import type { CatalogDeps, ToolCalls } from '../catalog/deps.ts';
import { countSecrets } from '../catalog/secrets/secret.cypher.ts';
import { fairToolCalls } from '../catalog/tools/fair-tool-calls.service.ts';
import { probeOpened } from '../catalog/tools/tool-health.service.ts';
import type { Clock } from '../common/clock.ts';
import { createIdSource, type NewId } from '../common/id.ts';
import type { JsonObject } from '../common/json.ts';
import { freePort } from '../host/ports.ts';
import type { Job } from '../jobs/job-definition.service.ts';
import { keepRegistering, keepTrying } from '../jobs/job-registry.service.ts';
import { performJobRun } from '../jobs/job-run.service.ts';
import { JOB_WATCH_EVERY_MS, jobWatch } from '../jobs/job-watch.service.ts';
import { stuckWorkflows } from '../jobs/stuck-workflows.service.ts';
import { ingestStuck } from '../memory-graph/extraction/extraction-run.mutations.ts';
import { alternativeOf } from '../memory-graph/extraction/start-ingest.service.ts';
import { INSTALLATION } from '../metrics/built-in.ts';
import { listInstallationNumbers } from '../metrics/projection.cypher.ts';
import { openBus } from '../outbox/local-bus.service.ts';
import type { PeriodicTask } from '../outbox/periodic-task.service.ts';
import { openRelay, type Relay } from '../outbox/relay.service.ts';
import { dataTask } from '../personal-data/data-task.service.ts';
import { closeDrivers, type Drivers, openDrivers } from '../platform/drivers/index.ts';
import { promptOf } from '../platform/drivers/llm-prompt.ts';
import type { Egress } from '../platform/egress/egress.ts';
import { type Graph, isNeo4jAway } from '../platform/neo4j/graph.ts';
import { migrate } from '../platform/neo4j/migrate.ts';
import { openRenderer, type Renderer } from '../platform/renderer/renderer.ts';
import { type EndedWorker, openHealth } from '../platform/telemetry/health.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { type Metrics, openMetrics } from '../platform/telemetry/metrics.ts';
import { openOutages } from '../platform/telemetry/outages.ts';
import { currentTraceparent, openTracing } from '../platform/telemetry/tracing.ts';
import { isTemporalAway, type TemporalClient } from '../platform/temporal/client.ts';
import { openDeployment } from '../platform/temporal/deployment.ts';
import type { EagerClient } from '../platform/temporal/fleet.ts';
import { createHistories } from '../platform/temporal/histories.ts';
import { openWorkflows } from '../platform/temporal/open-workflows.ts';
import { createSchedules } from '../platform/temporal/schedules.ts';
import { openSearchAttributes } from '../platform/temporal/search-attributes.ts';
import { workflowStateOf } from '../platform/temporal/workflow-state.ts';
import { openVault, parseKeyRing, type Vault } from '../platform/vault/vault.ts';
import type { BundleDeps } from '../processes/bundle/bundle-import.service.ts';
import { createRunSignals } from '../runs/control/run-signals.service.ts';
import { lostRuns } from '../runs/end/lost-runs.service.ts';
import { createPayloads, type Payloads } from '../runs/run/payloads.service.ts';
import type { RunDeps } from '../runs/run/ports.ts';
import { processesQueue } from '../runs/run/run.ts';
import { openRunReads } from '../runs/run/run-reads.service.ts';
import { openSnapshots } from '../runs/run/snapshots.service.ts';
import { RUN_ATTRIBUTE_NAMES } from '../runs/start/run-attributes.ts';
import { openRunStarter } from '../runs/start/run-starter.projection.ts';
import { startRun } from '../runs/start/start-run.service.ts';
import { resealSchedules } from '../schedules/reseal.service.ts';
import type { ScheduleDeps } from '../schedules/schedule.mutations.ts';
import { layerTask } from '../session-graph/layers/layer-builder.service.ts';
import { openSettings } from '../settings/settings.projection.ts';
import { openSystemTools } from '../system-tools/system-tools.service.ts';
import { openUserDirectory, type UserDirectory } from '../users/user-directory.service.ts';
import { deploymentOf, workerBuilds } from '../workers/builds.service.ts';
import { workerReaper } from '../workers/worker-pools.service.ts';
import type { Config } from './config/config.ts';
import {
  blobsOf,
  egressOf,
  embeddingsOf,
  eventTransportOf,
  graphOf,
  logOf,
  temporalOf,
  temporalUiOf,
} from './config/configured.ts';
import { type LocalConfig, withLocalData } from './config/local-data.ts';
import { readMcpServers, variablesOf } from './config/mcp-servers.ts';
import { readMemoryConfig } from './config/memory-config.ts';
import { JOBS, type ProductJobDeps } from './job-list.ts';
import { summarizerBundle } from './memory-summarizer.ts';
import { Opened } from './opened.ts';
import { LOG_READERS, productProjections } from './projections.ts';
import { productRunObserver } from './run-observer.ts';

/** All open resources of one process, shared by API and Workers. */
export interface Runtime {
  /** Complete settings: local folders, keys and free ports are filled in. */
  readonly config: LocalConfig;
  /** File of a key ring that this start generated; null when there was one. */
  readonly newKeyFile: string | null;
  /** Names of the migrations that this start applied. */
  readonly migrations: readonly string[];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly graph: Graph;
  readonly temporal: TemporalClient;
  readonly vault: Vault;
  readonly payloads: Payloads;
  readonly renderer: Renderer;
  readonly egress: Egress;
  readonly drivers: Drivers;
  readonly users: UserDirectory;
  /** Address of the gRPC memory API, and whether the operator set its port. */
  readonly grpc: { readonly address: string; readonly isAsked: boolean };
  /** Dependencies of the activities of runs; a Worker adds its slots. */
  readonly activities: Omit<ActivityDeps, 'slots'>;
  /** Dependencies of resolvers and mutations. */
  readonly deps: ApiDeps & BundleDeps & RunDeps & ProductJobDeps & ScheduleDeps;
  /**
   * The health warns of the workers that `ended` lists; runs start by the client of the fleet while
   * `eager` is given.
   */
  watchWorkers(fleet: { ended(): readonly EndedWorker[]; eager: EagerClient | null }): void;
  /** Logs that a service has ended, and later that it answers again. */
  noteOutage(part: 'neo4j' | 'temporal'): void;
  /** @param withinMs limit for all closing; a resource that takes longer is left behind */
  close(withinMs?: number): Promise<void>;
}

/**
 * Opens the resources of API and Workers and migrates the graph. `given` must have the addresses of
 * Neo4j and Temporal by now.
 * @param startOver resolves when the start is over: work that no person waits for begins then, so
 * that a start and the first calls have the machine; default: at once
 * @throws Error when Neo4j does not answer or a setting is invalid; then nothing stays open
 */
export async function openRuntime(
  given: Config,
  startOver: Promise<void> = Promise.resolve(),
): Promise<Runtime> {
  const { config, newKeyFile } = await withLocalData({
    ...given,
    // The egress guard refuses this port to Tools, so it is chosen before the API listens.
    port: given.port === 0 ? await freePort(0, new Set()) : given.port,
  });
  const opened = new Opened((name, error) => log.warn(`Closing ${name} failed`, { error }));
  const outages = openOutages(logOf(config), [
    { name: 'Neo4j', part: 'neo4j', isAway: isNeo4jAway },
    { name: 'Temporal', part: 'temporal', isAway: isTemporalAway },
  ]);
  const { log } = outages;
  opened.add('the watch over outages', async () => outages.close());
  try {
    const runtime = await openAll({ config, newKeyFile, startOver }, log, opened);
    outages.watch(runtime.deps.health);
    return { ...runtime, noteOutage: outages.note };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * A key ring that was lost is made anew, under the id of the old one: no stored Secret opens with
 * it.
 */
async function warnOfLostKeys(graph: Graph, log: Log): Promise<void> {
  const count = await graph.read(countSecrets);
  if (count > 0)
    log.warn(
      'The key ring, secret-keys in the data folder, was missing and is new, but Secrets are ' +
        'stored: those of the old one fail with SECRET_UNAVAILABLE. Stop, put the old file ' +
        'back, and start again',
      { count },
    );
}

/** The order matters: resources are closed in reverse. */
async function openAll(
  {
    config,
    newKeyFile,
    startOver,
  }: {
    readonly config: LocalConfig;
    readonly newKeyFile: string | null;
    readonly startOver: Promise<void>;
  },
  log: Log,
  opened: Opened,
): Promise<Omit<Runtime, 'noteOutage'>> {
  const memory = await memoryOf(config, log);
  const stores = await openStores(config, log, opened);
  if (newKeyFile !== null) await warnOfLostKeys(stores.graph, log);
  const { clock, newId, metrics, vault, blobs, payloads, graph, temporal, migrations } = stores;
  const toolSide = openToolSide(stores, memory.grpcAddress, opened);
  const { egress, renderer, mcpServers, embeddings, drivers } = toolSide;
  const events = openEvents(stores, opened);
  const { bus, transport, wake, settings } = events;
  const observed = { graph, clock, newId, wake, settings };
  const { memoryMode } = memory;
  const runObserver = productRunObserver({ ...observed, memoryMode });
  const base: Base = { ...observed, vault, runObserver };
  const catalog: CatalogDeps = {
    ...base,
    toolCalls: toolCallsOf(drivers),
    mcpServers: variablesOf(mcpServers),
  };
  const schedules = createSchedules(temporal);
  const searchAttributes = openSearchAttributes(temporal, RUN_ATTRIBUTE_NAMES, (reason) =>
    log.warn('Temporal has no search attributes for runs; they start without', { error: reason }),
  );
  opened.add('the search attributes', () => searchAttributes.close());
  const workers: Parameters<Runtime['watchWorkers']>[0] = { ended: () => [], eager: null };
  const eager = () => workers.eager;
  const snapshots = openSnapshots(graph);
  const starter = openRunStarter({
    graph,
    log,
    start: (runId) =>
      temporal.bounded(() =>
        startRun({ ...base, temporal: temporal.client, eager, snapshots, searchAttributes }, runId),
      ),
  });
  opened.add('the run starter', () => starter.close());
  const memoryJobs = openMemoryJobs(log, opened);
  // The relay runs with the API, whose writers wake it. Worker processes wake it over the event
  // transport, or it finds their entries by polling.
  if (config.role !== 'worker') {
    metrics.readInstallation(INSTALLATION, () => graph.read(listInstallationNumbers));
    const { agentMemoryJobs, watch: watchJobs } = memoryJobs;
    const forRelay = { memory, base, schedules, starter, agentMemoryJobs };
    const parts = { ...forRelay, jobWatch: watchJobs, startOver };
    events.relay.current = startRelay(stores, events, parts, opened);
  }
  opened.add('the relay', async () => events.relay.current?.close());
  await events.relay.current?.ready;
  const calls = openCallRecorder({
    ...base,
    onLost: (error, count) => log.error('Mutations were not recorded as calls', { error, count }),
  });
  opened.add('the recorder of calls', () => calls.close());
  const health = openHealth(
    {
      neo4j: () => graph.verify(),
      temporal: () => temporal.verify(),
      eventBus: async () => transport?.verify(),
    },
    { version: VERSION, endedWorkers: () => workers.ended() },
  );
  const signals = createRunSignals(temporal.client);
  const deps = {
    ...catalog,
    settings,
    calls,
    embeddings,
    extractionQuietSeconds: config.extractionQuietSeconds,
    payloads,
    readRuns: openRunReads(graph),
    blobs,
    uploadsBytesMax: config.uploadsMbMax * 1_000_000,
    traceparent: currentTraceparent,
    signals,
    runObserver: base.runObserver,
    summarise: createSummarise(
      { ...base, payloads, signals, queuePrefix: config.queuePrefix },
      { hasSummarizer: summarizerBundle(memory) !== null },
    ),
    ...temporalUiOf(config),
    promptOf: (ownerId: string, operation: Parameters<typeof promptOf>[0], inputs: JsonObject) =>
      promptOf(operation, inputs, renderer.of(ownerId)),
    queuePrefix: config.queuePrefix,
    startSoon: (runId: string) => starter.offer(runId),
    bus,
    health,
    log,
    schedules,
    jobs: { list: JOBS, schedules },
    logReaders: LOG_READERS,
    memoryMode: memory.memoryMode,
    random: () => Math.random(),
  };
  memoryJobs.performWith(deps);
  toolSide.systemTools.performWith(deps);
  if (config.role !== 'worker') {
    const registering = keepRegistering(deps, JOBS, startOver);
    opened.add('the jobs', () => registering.close());
    const complaint = 'Schedules are not under the current key yet; trying again';
    const resealing = keepTrying(log, complaint, () => resealSchedules(deps), startOver);
    opened.add('the keys of schedules', () => resealing.close());
  }

  return {
    config,
    newKeyFile,
    migrations,
    clock,
    newId,
    log,
    metrics,
    graph,
    temporal,
    vault,
    payloads,
    renderer,
    egress,
    drivers,
    deps,
    activities: {
      ...base,
      drivers,
      renderer,
      payloads,
      snapshots,
      health: { probe: ({ id, target }) => probeOpened(catalog, { toolId: id, target }) },
      onDefect: (error, where) => log.error('A step met a defect', { error, operation: where }),
      onGroup: metrics.groupWritten,
    },
    users: openUserDirectory(deps),
    watchWorkers: (fleet) => Object.assign(workers, fleet),
    grpc: { address: memory.grpcAddress, isAsked: memory.isPortAsked },
    close: (withinMs) => opened.close(withinMs),
  };
}

type Stores = Awaited<ReturnType<typeof openStores>>;
type Events = ReturnType<typeof openEvents>;

/** Dependencies of every mutation, in API and Workers. */
type Base = Pick<Stores, 'graph' | 'clock' | 'newId' | 'vault'> &
  Pick<Events, 'wake' | 'settings'> & {
    readonly runObserver: ReturnType<typeof productRunObserver>;
  };

/** The settings of the agent memory, with the address of its gRPC API. */
async function memoryOf(config: LocalConfig, log: Log) {
  const { settings, given } = readMemoryConfig(config);
  if (given.has('db_path'))
    log.warn('db_path has no effect: the agent memory is stored in Neo4j (NEO4J_URI)');
  if (given.has('log_level') && settings.log_level !== config.logLevel)
    log.warn('log_level of a memory file has no effect: AIDEN_LOG_LEVEL sets the log');
  const isFree = settings.grpc_port === 0;
  const grpcPort = isFree ? await freePort(0, new Set()) : settings.grpc_port;
  return {
    settings,
    given,
    grpcAddress: grpcAddr({ ...settings, grpc_port: grpcPort }),
    isPortAsked: given.has('grpc_port') && !isFree,
    memoryMode: { mode: settings.multi_agent_mode, agentId: settings.agent_id },
  };
}

/** Clock, ids, keys, blobs, and the connections to Neo4j (migrated) and Temporal. */
async function openStores(config: LocalConfig, log: Log, opened: Opened) {
  const clock: Clock = { nowMs: () => Date.now() + config.clockOffsetSeconds * 1_000 };
  const newId = createIdSource({ nowMs: () => clock.nowMs(), random: () => Math.random() });
  const metrics = openMetrics();
  const vault = openVault(parseKeyRing(config.secretKeys.join(',')));
  const blobs = await blobsOf(config, log);
  const payloads = createPayloads(blobs);
  if (config.otlpEndpoint !== undefined) {
    const { otlpEndpoint: endpoint, role, traceTexts: texts } = config;
    const tracing = await openTracing({ endpoint, role, texts, version: VERSION });
    opened.add('tracing', () => tracing.close());
  }
  const graph = graphOf(config);
  opened.add('Neo4j', () => graph.close());
  await graph.read(refuseIncompleteRestore);
  const migrations = await migrate(graph);
  const temporal = temporalOf(config);
  opened.add('Temporal', () => temporal.close());
  return {
    config,
    log,
    clock,
    newId,
    metrics,
    vault,
    blobs,
    payloads,
    graph,
    migrations,
    temporal,
  };
}

/** The resources that Tools are called with. */
function openToolSide({ config, graph, log, blobs }: Stores, grpcAddress: string, opened: Opened) {
  const egress = egressOf(config, grpcAddress);
  opened.add('egress', () => egress.close());
  const renderer = openRenderer();
  opened.add('the renderer', () => renderer.close());
  const mcpServers = readMcpServers(config.mcpServers);
  const embeddings = embeddingsOf(config, { graph, log, egress });
  const systemTools = openSystemTools({ graph });
  const { operations } = systemTools;
  const drivers = openDrivers({
    ...{ egress, renderer, platformGraph: graph, operations, mcpServers, blobs },
  });
  opened.add('the drivers', () => closeDrivers(drivers));
  return { egress, renderer, mcpServers, embeddings, drivers, systemTools };
}

/** The bus, the event transport, and the function that wakes the relay. */
function openEvents({ config, graph, log }: Stores, opened: Opened) {
  const bus = openBus({ graph });
  opened.add('the bus', async () => bus.close());
  const transport = eventTransportOf(config, graph, log);
  opened.add('the event transport', async () => transport?.close());
  // Set later: the relay needs periodic tasks and projections, and those wake the relay.
  const relay: { current: Relay | null } = { current: null };
  const wake = () => {
    relay.current?.wake();
    if (relay.current?.isHolder !== true) transport?.wake();
  };
  return { bus, transport, relay, wake, settings: openSettings({ graph }) };
}

/** Job runs that a projection requests. Requests before `performWith` do nothing. */
function openMemoryJobs(log: Log, opened: Opened) {
  const ending = new AbortController();
  let perform: ((name: string) => Promise<void>) | null = null;
  let watch: PeriodicTask | null = null;
  const agentMemoryJobs = agentMemoryJobProjection({ log, take: async (name) => perform?.(name) });
  opened.add('requested job runs', async () => {
    ending.abort();
    agentMemoryJobs.close();
  });
  return {
    agentMemoryJobs,
    /** Runs the jobs that wait for work. */
    watch: { name: 'job-watch', everyMs: JOB_WATCH_EVERY_MS, run: async () => watch?.run() },
    performWith(deps: ProductJobDeps): void {
      const take = (job: Job<ProductJobDeps>) =>
        performJobRun(deps, job, { jobRunId: deps.newId(), signal: ending.signal });
      watch = jobWatch(deps, JOBS, take);
      perform = async (name) => {
        const job = JOBS.find((one) => one.name === name);
        if (job !== undefined) await take(job);
      };
    },
  };
}

/** Starts the relay with all projections and periodic tasks of the product. */
function startRelay(
  { config, graph, clock, newId, metrics, blobs, payloads, temporal, log }: Stores,
  { bus, transport, wake }: Events,
  {
    memory,
    base,
    schedules,
    starter,
    agentMemoryJobs,
    jobWatch: watchJobs,
    startOver,
  }: {
    readonly memory: Awaited<ReturnType<typeof memoryOf>>;
    readonly base: Base;
    readonly schedules: ReturnType<typeof createSchedules>;
    readonly starter: ReturnType<typeof openRunStarter>;
    readonly agentMemoryJobs: ReturnType<typeof agentMemoryJobProjection>;
    readonly jobWatch: PeriodicTask;
    readonly startOver: Promise<void>;
  },
  opened: Opened,
): Relay {
  const { queuePrefix } = config;
  const histories = createHistories(temporal);
  const dataRequests = dataTask({ graph, clock, log, blobs, schedules, histories, queuePrefix });
  opened.add('data requests', async () => dataRequests.close());
  const onDeadLetter = (projection: string) => metrics.deadLettered(projection);
  return openRelay(
    { graph, clock, newId, bus, log, onDeadLetter, ...(transport && { transport }) },
    {
      projections: productProjections({
        ...base,
        payloads,
        blobs,
        temporal,
        schedules,
        queuePrefix: config.queuePrefix,
        memoryMode: memory.memoryMode,
        random: Math.random,
        starter: starter.projection,
        agentMemoryJobs,
      }),
      periodicTasks: [
        starter.sweep,
        workerReaper({ graph, clock, newId, wake }),
        workerBuilds({
          ...{ graph, log, queuePrefix, build: config.workerBuild },
          deployment: openDeployment(temporal, deploymentOf(queuePrefix)),
        }),
        lostRuns({
          ...{ graph, clock, newId, wake, log, queuePrefix },
          runObserver: base.runObserver,
          stateOf: (id) => temporal.bounded(() => workflowStateOf(temporal.client, id)),
          terminate: (id, reason) =>
            temporal.bounded(() => temporal.client.workflow.getHandle(id).terminate(reason)),
        }),
        stuckWorkflows({
          ...{ clock, log },
          listOpen: (types, before) =>
            openWorkflows(temporal.client, {
              taskQueue: processesQueue(queuePrefix),
              types,
              before,
            }),
          stateOf: (id) => temporal.bounded(() => workflowStateOf(temporal.client, id)),
          terminate: (id, reason) =>
            temporal.bounded(() => temporal.client.workflow.getHandle(id).terminate(reason)),
          ingestStuck: (id) => ingestStuck({ ...base, graph }, alternativeOf(id)),
        }),
        layerTask({ graph, clock }),
        watchJobs,
        dataRequests,
      ],
      startOver,
    },
  );
}

/** The drivers in the form that the catalog needs. */
const toolCallsOf = (drivers: Drivers): ToolCalls =>
  fairToolCalls({
    probe: (type, target, signal) => drivers[type].probe(target, signal),
    invoke: (call) => drivers[call.operation.type].invoke(call as never),
    listMcpTools: (target, signal) => drivers.mcp_call.listTools(target, signal),
  });

export const VERSION = String(
  (
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    }
  ).version,
);
