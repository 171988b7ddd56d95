import { readFileSync } from 'node:fs';
import type { ActivityDeps } from '../../activities/index.ts';
import type { ApiDeps } from '../../schema/context.ts';
import { freePort } from '../../stack/ports.ts';
import { memoryJobProjection } from '../agent-memory/memory-jobs.service.ts';
import { grpcAddr } from '../agent-memory/summarizer-settings.ts';
import { createSummarise } from '../agent-memory/toc/summarise.service.ts';
import { openCallRecorder } from '../call-graph/call-recorder.service.ts';
import type { CatalogDeps, ToolCalls } from '../catalog/deps.ts';
import { probeOpened } from '../catalog/tools/tool-health.service.ts';
import type { Clock } from '../common/clock.ts';
import { createIdSource, type NewId } from '../common/id.ts';
import { keepRegistering } from '../jobs/job-registry.service.ts';
import { performJobRun } from '../jobs/job-run.service.ts';
import { INSTALLATION } from '../metrics/built-in.ts';
import { listInstallationNumbers } from '../metrics/projection.cypher.ts';
import { openBus } from '../outbox/local-bus.service.ts';
import { openRelay, type Relay } from '../outbox/relay.service.ts';
import { closeDrivers, type Drivers, openDrivers } from '../platform/drivers/index.ts';
import type { Egress } from '../platform/egress/egress.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { migrate } from '../platform/neo4j/migrate.ts';
import { openRenderer, type Renderer } from '../platform/renderer/renderer.ts';
import { openHealth } from '../platform/telemetry/health.ts';
import { type Log, openLog } from '../platform/telemetry/log.ts';
import { type Metrics, openMetrics } from '../platform/telemetry/metrics.ts';
import { currentTraceparent, openTracing } from '../platform/telemetry/tracing.ts';
import type { TemporalClient } from '../platform/temporal/client.ts';
import { createRunSignals } from '../platform/temporal/run-signals.ts';
import { createSchedules } from '../platform/temporal/schedules.ts';
import { openVault, parseKeyRing, type Vault } from '../platform/vault/vault.ts';
import type { BundleDeps } from '../processes/bundle/bundle-import.service.ts';
import { createPayloads, type Payloads } from '../runs/run/payloads.service.ts';
import type { RunDeps } from '../runs/run/run.mutations.ts';
import { openRunStarter } from '../runs/start/run-starter.projection.ts';
import { startRun } from '../runs/start/start-run.service.ts';
import type { ScheduleDeps } from '../schedules/schedule.mutations.ts';
import { layerTask } from '../session-graph/layers/layer-builder.service.ts';
import { openSettings } from '../settings/settings.projection.ts';
import { openUserDirectory, type UserDirectory } from '../users/user-directory.service.ts';
import { workerReaper } from '../workers/worker-pools.service.ts';
import type { Config } from './config/config.ts';
import {
  blobsOf,
  egressOf,
  embeddingsOf,
  eventTransportOf,
  graphOf,
  temporalOf,
} from './config/configured.ts';
import { type LocalConfig, withLocalData } from './config/local-data.ts';
import { readMcpServers } from './config/mcp-servers.ts';
import { readMemoryConfig } from './config/memory-config.ts';
import { JOBS, type ProductJobDeps } from './job-list.ts';
import { summarizerBundle } from './memory-summarizer.ts';
import { productProjections } from './projections.ts';
import { productRunObserver } from './run-observer.ts';

/** Everything one process holds open: made here, in one order, and closed in the other. API and Workers share it. */
export interface Runtime {
  /** Complete: local folders, keys and a free port are filled in. */
  readonly config: LocalConfig;
  /** The file of a key ring that was made just now, because none was given. */
  readonly newKeyFile: string | null;
  /** Migrations that were applied just now. */
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
  /** Where the memory is served over gRPC, and whether somebody asked for just this port. */
  readonly grpc: { readonly address: string; readonly isAsked: boolean };
  /** What the activities of runs get; a Worker adds its slots. */
  readonly activities: Omit<ActivityDeps, 'slots'>;
  /** What resolvers and mutations get. */
  readonly deps: ApiDeps & BundleDeps & RunDeps & ProductJobDeps & ScheduleDeps;
  close(): Promise<void>;
}

/**
 * Opens what API and Workers need and migrates the graph. `given` has to name Neo4j and Temporal by now: given, or found or
 * started by the stack. @throws when Neo4j does not answer or a setting can't be used; nothing stays open then
 */
export async function openRuntime(given: Config): Promise<Runtime> {
  const { config, newKeyFile } = await withLocalData({
    ...given,
    // What Tools may not call has to be known before the API listens.
    port: given.port === 0 ? await freePort(0, new Set()) : given.port,
  });
  const opened = new Opened((what, error) => log.warn(`Closing ${what} failed`, { error }));
  const log = openLog(config.logLevel);
  try {
    return await openAll(config, newKeyFile, log, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openAll(
  config: LocalConfig,
  newKeyFile: string | null,
  log: Log,
  opened: Opened,
): Promise<Runtime> {
  const clock: Clock = { nowMs: () => Date.now() };
  const newId = createIdSource({ nowMs: () => Date.now(), random: () => Math.random() });
  const { settings: memory, given } = readMemoryConfig(config);
  const grpcPort = memory.grpc_port === 0 ? await freePort(0, new Set()) : memory.grpc_port;
  const grpcAddress = grpcAddr({ ...memory, grpc_port: grpcPort });
  const memoryMode = { mode: memory.multi_agent_mode, agentId: memory.agent_id };
  const metrics = openMetrics();
  const vault = openVault(parseKeyRing(config.secretKeys.join(',')));
  const blobs = await blobsOf(config);
  const payloads = createPayloads(blobs);

  if (config.otlpEndpoint !== undefined) {
    const { otlpEndpoint: endpoint, role } = config;
    const tracing = await openTracing({ endpoint, role, version: VERSION });
    opened.add('tracing', () => tracing.close());
  }

  const graph = graphOf(config);
  opened.add('Neo4j', () => graph.close());
  const migrations = await migrate(graph);

  const temporal = temporalOf(config);
  opened.add('Temporal', () => temporal.close());

  const egress = egressOf(config, grpcAddress);
  opened.add('egress', () => egress.close());
  const renderer = openRenderer();
  opened.add('the renderer', () => renderer.close());

  const mcpServers = readMcpServers(config.mcpServers);
  const embeddings = embeddingsOf(config, { graph, log, egress });
  const { embed } = embeddings;
  const drivers = openDrivers({ egress, renderer, platformGraph: graph, embed, mcpServers });
  opened.add('the drivers', () => closeDrivers(drivers));

  const bus = openBus({ graph });
  opened.add('the bus', async () => bus.close());
  const transport = eventTransportOf(config, graph, log);
  opened.add('the line', async () => transport?.close());
  // Chores are given to the relay when it is opened, and they wake it.
  const relay: { current: Relay | null } = { current: null };
  const wake = () => {
    relay.current?.wake();
    if (relay.current?.isHolder !== true) transport?.wake();
  };
  const settings = openSettings({ graph });
  const observed = { graph, clock, newId, wake, settings };
  const base = { ...observed, vault, runObserver: productRunObserver(observed) };
  const catalog: CatalogDeps = {
    ...base,
    toolCalls: toolCallsOf(drivers),
    mcpServerNames: Object.keys(mcpServers),
  };
  const schedules = createSchedules(temporal);
  const starter = openRunStarter({
    graph,
    log,
    start: (runId) =>
      temporal.bounded(() => startRun({ ...base, temporal: temporal.client }, runId)),
  });
  opened.add('the run starter', () => starter.close());
  const ending = new AbortController();
  const turns: { take: ((job: string) => Promise<unknown>) | null } = { take: null };
  const recallTrigger = memoryJobProjection({ log, take: async (job) => turns.take?.(job) });
  opened.add('turns of memory jobs', async () => {
    ending.abort();
    recallTrigger.close();
  });
  // The relay belongs to the API, whose writers wake it; Workers elsewhere wake it by the line, or it finds what they left by looking.
  if (config.role !== 'worker') {
    metrics.readInstallation(INSTALLATION, () => graph.read(listInstallationNumbers));
    const onDeadLetter = (projection: string) => metrics.deadLettered(projection);
    relay.current = openRelay(
      { graph, clock, newId, bus, log, onDeadLetter, ...(transport && { transport: transport }) },
      {
        projections: productProjections({
          ...base,
          payloads,
          blobs,
          temporal,
          schedules,
          queuePrefix: config.queuePrefix,
          memoryMode,
          random: Math.random,
          starter: starter.projection,
          recallTrigger,
        }),
        periodicTasks: [
          starter.sweep,
          workerReaper({ graph, clock, newId, wake }),
          layerTask({ graph, clock }),
        ],
      },
    );
  }
  opened.add('the relay', async () => relay.current?.close());
  await relay.current?.ready;
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
    { version: VERSION, clock },
  );
  const signals = createRunSignals(temporal.client);
  const deps = {
    ...catalog,
    settings,
    calls,
    embeddings,
    payloads,
    blobs,
    traceparent: currentTraceparent,
    signals,
    runObserver: base.runObserver,
    summarise: createSummarise(
      { ...base, payloads, signals, queuePrefix: config.queuePrefix },
      { hasSummarizer: summarizerBundle({ settings: memory, given }) !== null },
    ),
    queuePrefix: config.queuePrefix,
    startSoon: (runId: string) => starter.offer(runId),
    bus,
    health,
    log,
    schedules,
    jobs: { list: JOBS, schedules },
    memoryMode,
    random: () => Math.random(),
  };
  turns.take = async (name) => {
    const job = JOBS.find((one) => one.name === name);
    if (job !== undefined)
      await performJobRun(deps, job, { turnId: newId(), signal: ending.signal });
  };
  if (config.role !== 'worker') {
    const registering = keepRegistering(deps, JOBS);
    opened.add('the jobs', () => registering.close());
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
      health: { probe: ({ id, target }) => probeOpened(catalog, { toolId: id, target }) },
      onDefect: (error, where) => log.error('A step met a defect', { error, operation: where }),
    },
    users: openUserDirectory(deps),
    grpc: { address: grpcAddress, isAsked: given.has('grpc_port') && memory.grpc_port !== 0 },
    close: () => opened.close(),
  };
}

/** The drivers as the catalog asks for them. */
function toolCallsOf(drivers: Drivers): ToolCalls {
  return {
    probe: (type, target, signal) => drivers[type].probe(target, signal),
    invoke: (call) => drivers[call.operation.type].invoke(call as never),
    listMcpTools: (target, signal) => drivers.mcp_call.listTools(target, signal),
  };
}

export const VERSION = String(
  (
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    }
  ).version,
);

/** What was opened, closed in the other order; each once, and one that fails does not keep the others open. */
export class Opened {
  readonly #closers: { readonly what: string; close(): Promise<void> }[] = [];
  readonly #failed: (what: string, error: unknown) => void;

  constructor(failed: (what: string, error: unknown) => void) {
    this.#failed = failed;
  }

  add(what: string, close: () => Promise<void>): void {
    this.#closers.push({ what, close });
  }

  async close(): Promise<void> {
    for (let opened = this.#closers.pop(); opened !== undefined; opened = this.#closers.pop()) {
      try {
        await opened.close();
      } catch (error) {
        this.#failed(opened.what, error);
      }
    }
  }
}
