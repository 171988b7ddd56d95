import { join } from 'node:path';
import process from 'node:process';
import { entryOf } from '../../common/entry-of.ts';
import {
  type Embeddings,
  openEmbeddings,
} from '../../memory-graph/embeddings/embeddings.service.ts';
import { lookAtOutbox } from '../../outbox/entry.cypher.ts';
import type { EventTransport } from '../../outbox/event-transport.ts';
import { openRedisTransport } from '../../outbox/redis-transport.service.ts';
import { withOutages } from '../../platform/blobs/blob-outage.ts';
import { type BlobStore, openBlobStore } from '../../platform/blobs/blob-store.ts';
import { type Egress, openEgress } from '../../platform/egress/egress.ts';
import { type EmbedderSettings, openEmbedder } from '../../platform/embeddings/embedder.ts';
import { type Graph, openGraph } from '../../platform/neo4j/graph.ts';
import { type Log, openLog } from '../../platform/telemetry/log.ts';
import { logFile, prettyTo } from '../../platform/telemetry/log-destinations.ts';
import {
  openTemporal,
  type TemporalClient,
  type TemporalSettings,
} from '../../platform/temporal/client.ts';
import { openPayloadCodec } from '../../platform/temporal/payload-codec.ts';
import { parseKeyRing } from '../../platform/vault/vault.ts';
import type { Config } from './config.ts';
import type { LocalConfig } from './local-data.ts';

// Opens each resource as the settings say. The caller closes it (runtime.ts).

/** The log: short lines on a terminal, else JSON; and JSON in a file of the data folder. */
export function logOf(config: LocalConfig): Log {
  const path = logPathOf(config);
  const terminal = process.stderr.isTTY ? prettyTo(process.stderr) : undefined;
  return openLog(config.logLevel, terminal, path === null ? undefined : logFile(path));
}

/** Path of the log file; null = none. */
export function logPathOf(config: Pick<LocalConfig, 'logFile' | 'dataDir'>): string | null {
  if (config.logFile === 'none') return null;
  return config.logFile ?? join(config.dataDir, 'aiden.log');
}

/**
 * The Neo4j database.
 * @throws Error before its address is known
 */
export function graphOf(config: LocalConfig): Graph {
  return openGraph({
    uri: known(config.neo4jUri, 'NEO4J_URI'),
    user: config.neo4jUser,
    password: config.neo4jPassword ?? '',
    database: config.neo4jDatabase,
    poolSize: config.neo4jPoolSize,
  });
}

/**
 * The Temporal frontend, and the codec of its payloads. Clients and Workers of a process share it.
 * @throws Error before its address is known
 */
export function temporalSettings(config: LocalConfig): TemporalSettings {
  return {
    address: known(config.temporalAddress, 'TEMPORAL_ADDRESS'),
    namespace: config.temporalNamespace,
    tls: config.temporalTls,
    ...(config.temporalApiKey === undefined ? {} : { apiKey: config.temporalApiKey }),
    codec: openPayloadCodec({
      keys: parseKeyRing(config.secretKeys.join(',')),
      encrypts: encryptsTemporal(config),
    }),
  };
}

/** Whether payloads in Temporal are encrypted: by default outside dev. */
export function encryptsTemporal({
  temporalEncryption,
  auth,
}: Pick<Config, 'temporalEncryption' | 'auth'>): boolean {
  return temporalEncryption ?? auth !== 'dev';
}

/** @throws Error before the address of the Temporal frontend is known */
export function temporalOf(config: LocalConfig): TemporalClient {
  return openTemporal(temporalSettings(config));
}

/**
 * Guards outgoing calls of Tools and refuses the platform's own ports.
 * @param grpcAddress `host:port` of the agent memory
 */
export function egressOf(config: LocalConfig, grpcAddress: string): Egress {
  return openEgress({
    mode: config.auth === 'dev' ? 'dev' : 'production',
    allow: config.egressAllow,
    platformPorts: [...platformPorts(config), grpcAddress],
    systemOrigins: [
      ...(config.localLlm ? [`http://127.0.0.1:${config.localLlmPort}`] : []),
      ...[config.llmUrl, config.embeddingsUrl].flatMap((url) =>
        url === undefined ? [] : [new URL(url).origin],
      ),
    ],
  });
}

/** The operator's embedding model, else local-llm's; null: none. */
export function embedderSettings({
  embeddingsUrl,
  embeddingsModel,
  embeddingsApiKey: apiKey,
  localLlm,
  localLlmPort,
}: Pick<
  Config,
  'embeddingsUrl' | 'embeddingsModel' | 'embeddingsApiKey' | 'localLlm' | 'localLlmPort'
>): EmbedderSettings | null {
  const local = localLlm ? `http://127.0.0.1:${localLlmPort}/v1` : null;
  const url = embeddingsUrl ?? local;
  const model = embeddingsModel ?? (embeddingsUrl === undefined ? 'local-embedding-512' : null);
  return url === null || model === null ? null : { url, model, apiKey };
}

/** Vectors of memories by the model of embedderSettings. */
export function embeddingsOf(
  config: LocalConfig,
  { graph, log, egress }: { readonly graph: Graph; readonly log: Log; readonly egress: Egress },
): Embeddings {
  const settings = embedderSettings(config);
  const { embeddingsUrl, embeddingsApiKey: apiKey } = config;
  if (settings === null && embeddingsUrl !== undefined)
    log.warn(
      'AIDEN_EMBEDDINGS_URL is set without AIDEN_EMBEDDINGS_MODEL; memories have no vectors',
    );
  return openEmbeddings({
    graph,
    log,
    embedder: settings === null ? null : openEmbedder(egress, settings),
    openFormer: (space) => openEmbedder(egress, { ...space, apiKey }),
  });
}

/** Opens the operator's blob store. The S3 client is loaded only when it is used. */
export async function blobsOf(config: LocalConfig, log: Log): Promise<BlobStore> {
  return withOutages(await openBlobs(config), log);
}

async function openBlobs(config: LocalConfig): Promise<BlobStore> {
  if (!config.blobs.startsWith('s3:')) return openBlobStore(config.blobs);
  const { s3Store } = await import('../../platform/blobs/s3-store.ts');
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : { accessKeyId, secretAccessKey };
  const { blobs: uri, s3Endpoint: endpoint, s3Region: region } = config;
  return s3Store({ uri, endpoint, region, credentials });
}

/** Opens the transport of events between processes; undefined when the setting is `memory`. */
export function eventTransportOf(
  { eventBus, queuePrefix }: LocalConfig,
  graph: Graph,
  log: Log,
): EventTransport | undefined {
  if (eventBus === 'memory') return undefined;
  const lastSeq = async () => (await graph.read((tx) => lookAtOutbox(tx))).lastSeq;
  return openRedisTransport({ url: eventBus, prefix: queuePrefix, log, lastSeq });
}

/** Address of the namespace in Temporal's web UI; without the key if no UI is known. */
export function temporalUiOf({ temporalUi, temporalNamespace }: LocalConfig): {
  readonly temporalUi?: string;
} {
  if (temporalUi === undefined) return {};
  const namespace = encodeURIComponent(temporalNamespace);
  return { temporalUi: `${temporalUi.replace(/\/+$/, '')}/namespaces/${namespace}` };
}

/** `host:port` of the platform's servers, which no Tool may call (docs/decisions/0018). */
function platformPorts(config: LocalConfig): string[] {
  const addresses = [
    config.neo4jUri,
    config.temporalUi,
    config.otlpEndpoint,
    config.s3Endpoint,
    config.eventBus === 'memory' ? undefined : config.eventBus,
  ]
    .flatMap((address) => (address === undefined ? [] : [new URL(address)]))
    .map(
      ({ protocol, hostname, port }) =>
        `${hostname}:${port || entryOf(DEFAULT_PORTS, protocol) || '80'}`,
    );
  return [
    `${config.host}:${config.port}`,
    ...(config.temporalAddress === undefined ? [] : [config.temporalAddress]),
    ...config.platformPorts,
    ...addresses,
  ];
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'bolt:': '7687',
  'bolt+s:': '7687',
  'bolt+ssc:': '7687',
  'neo4j:': '7687',
  'neo4j+s:': '7687',
  'neo4j+ssc:': '7687',
  'redis:': '6379',
  'rediss:': '6379',
  'https:': '443',
};

function known(value: string | undefined, name: string): string {
  if (value === undefined)
    throw new Error(`${name} is not known yet; the stack has to be found or started first.`);
  return value;
}
