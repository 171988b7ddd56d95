import { readFileSync } from 'node:fs';
import type { ApiDeps } from '../../schema/context.ts';
import type { Clock } from '../common/clock.ts';
import { createIdSource } from '../common/id.ts';
import { openBus } from '../outbox/local-bus.ts';
import { openRelay } from '../outbox/relay.ts';
import { type Graph, openGraph } from '../platform/neo4j/graph.ts';
import { openHealth } from '../platform/telemetry/health.ts';
import { type Log, openLog } from '../platform/telemetry/log.ts';
import { type Metrics, openMetrics } from '../platform/telemetry/metrics.ts';
import { openTemporal, type TemporalClient } from '../platform/temporal/client.ts';
import { openUserDirectory, type UserDirectory } from '../users/directory.ts';
import type { Config } from './config.ts';

/** Everything one process holds open: made here, in one order, and closed in the other. API and workers share it. */
export interface Runtime {
  readonly config: Config;
  readonly graph: Graph;
  readonly temporal: TemporalClient;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly users: UserDirectory;
  /** What resolvers and mutations get. */
  readonly deps: ApiDeps;
  close(): Promise<void>;
}

/** `config` has to name Neo4j and Temporal by now: given, or found or started by the stack. */
export async function openRuntime(config: Config): Promise<Runtime> {
  const clock: Clock = { nowMs: () => Date.now() };
  const newId = createIdSource({ nowMs: () => Date.now(), random: () => Math.random() });
  const log = openLog(config.logLevel);
  const metrics = openMetrics();
  const graph = openGraph({
    uri: known(config.neo4jUri, 'NEO4J_URI'),
    user: config.neo4jUser,
    password: config.neo4jPassword ?? '',
    database: config.neo4jDatabase,
    poolSize: config.neo4jPoolSize,
  });
  const temporal = openTemporal({
    address: known(config.temporalAddress, 'TEMPORAL_ADDRESS'),
    namespace: config.temporalNamespace,
    tls: config.temporalTls,
    ...(config.temporalApiKey === undefined ? {} : { apiKey: config.temporalApiKey }),
  });
  const bus = openBus({ graph });
  const relay = openRelay({ graph, clock, newId, bus, log });
  const health = openHealth(
    { neo4j: () => graph.verify(), temporal: () => temporal.verify(), eventBus: async () => {} },
    { version: VERSION, clock },
  );
  const deps: ApiDeps = { graph, clock, newId, wake: () => relay.wake(), health };

  return {
    config,
    graph,
    temporal,
    log,
    metrics,
    users: openUserDirectory(deps),
    deps,
    async close() {
      await relay.close();
      bus.close();
      await temporal.close();
      await graph.close();
    },
  };
}

export const VERSION = String(
  (
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    }
  ).version,
);

function known(value: string | undefined, name: string): string {
  if (value === undefined)
    throw new Error(`${name} is not known yet; the stack has to be found or started first.`);
  return value;
}
