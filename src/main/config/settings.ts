import { z } from 'zod';
import {
  address,
  egress,
  hostPort,
  isSecretKey,
  list,
  llmAddress,
  modelSource,
  oneOf,
  onOff,
  origin,
  type SettingMeta,
  setting,
  text,
  whole,
} from './setting-kinds.ts';

const workers = (operationType: string, places: number) =>
  setting(
    whole(0, 1_000).default(places),
    `Number of ${operationType} Workers in this process, each for one call at a time; 0 = none.`,
  );

/** All settings. Flags, environment, file and defaults are read by this table. */
export const Settings = z.strictObject({
  host: setting(text.default('127.0.0.1'), 'Host name or IP address that the API listens on.'),
  port: setting(whole(0, 65_535).default(4000), 'Port that the API listens on; 0 = any free port.'),
  drainSeconds: setting(
    whole(0, 20).default(0),
    'Seconds between the signal to stop and the end of serving, for balancers: meanwhile /ready ' +
      'answers 503, and requests are served.',
  ),
  workerPort: setting(
    whole(0, 65_535).optional(),
    'Port for /health, /ready and /metrics of a process that only runs Workers; 0 = any free port.',
    { otherwise: 'not served' },
  ),
  role: setting(
    oneOf(['all', 'api', 'worker']).default('all'),
    'Role of this process: api, worker, or all (both).',
  ),
  tour: setting(onOff.optional(), 'Run the bundled tour Process at the start.', {
    otherwise: 'at the first start, and when an upgrade has changed it',
  }),
  instance: setting(
    text
      .regex(/^[a-z0-9][a-z0-9-]{0,40}$/, 'has to be lower-case letters, digits and -')
      .default('default'),
    'Name of the installation; its local data has a folder of this name.',
  ),
  dataDir: setting(text.optional(), 'Folder for local keys and blobs.', {
    otherwise: '~/.local/share/aiden/<instance>',
  }),

  auth: setting(
    oneOf(['dev', 'jwt']).optional(),
    'How callers sign in: jwt checks tokens; dev does not, and is limited to loopback.',
    {
      otherwise: 'jwt when a key for it is set, else dev on loopback',
    },
  ),
  jwtSecret: setting(
    z
      .string()
      .refine((value) => Buffer.byteLength(value) >= 32, 'has to have 32 bytes or more')
      .optional(),
    'Shared secret that signs the tokens (HS256); at least 32 bytes.',
    { secret: true },
  ),
  jwksUrl: setting(
    address(['https', 'http']).optional(),
    'URL of the public keys of the tokens (RS256, PS256, ES256, EdDSA).',
  ),
  jwtIssuer: setting(text.optional(), 'Required `iss` claim of the tokens.'),
  jwtAudience: setting(text.optional(), 'Required `aud` claim of the tokens.'),
  oidcClientId: setting(
    text.optional(),
    'Client id of the console at the OpenID provider whose address is AIDEN_JWT_ISSUER; a ' +
      'public client with PKCE.',
    { otherwise: 'the console asks for a token' },
  ),
  oidcScope: setting(
    text.default('openid profile'),
    'Scopes that the console asks the OpenID provider for, separated by spaces.',
  ),
  corsOrigins: setting(
    list.pipe(z.array(origin)).default([]),
    'Browser origins that may call the API, separated by commas.',
  ),
  trustedDocuments: setting(
    list.default([]),
    'Documents that callers may run, others are refused: folders of .graphql files or JSON ' +
      'manifests, separated by commas.',
    { otherwise: 'all documents may run' },
  ),

  neo4jUri: setting(
    address(['bolt', 'neo4j', 'bolt+s', 'neo4j+s', 'bolt+ssc', 'neo4j+ssc']).optional(),
    'Address of the Neo4j server.',
    {
      env: ['NEO4J_URI', 'AIDEN_NEO4J_URI'],
      otherwise: 'a server found or started on this machine',
    },
  ),
  neo4jUser: setting(text.default('neo4j'), 'User name in Neo4j.', {
    env: ['NEO4J_USER', 'AIDEN_NEO4J_USER'],
  }),
  neo4jPassword: setting(z.string().optional(), 'Password of that user in Neo4j.', {
    env: ['NEO4J_PASSWORD', 'AIDEN_NEO4J_PASSWORD'],
    secret: true,
    otherwise: 'generated at the first start',
  }),
  neo4jDatabase: setting(text.default('neo4j'), 'Name of the Neo4j database.', {
    env: ['NEO4J_DATABASE', 'AIDEN_NEO4J_DATABASE'],
  }),
  neo4jPoolSize: setting(
    whole(1, 1_000).default(100),
    'Maximum number of connections of this process to Neo4j.',
  ),

  uploadsMbMax: setting(
    whole(1, 10_000_000).default(1_000),
    'Maximum size in MB of all files that one user has uploaded (uploadFile).',
  ),

  temporalAddress: setting(hostPort.optional(), 'Address of the Temporal frontend, as host:port.', {
    env: ['TEMPORAL_ADDRESS', 'AIDEN_TEMPORAL_ADDRESS'],
    otherwise: 'a server found or started on this machine',
  }),
  temporalUi: setting(
    address(['http', 'https']).optional(),
    'URL of the Temporal web UI, for the links at the start and on runs (ProcessRun.temporalUrl).',
    {
      env: ['TEMPORAL_UI', 'AIDEN_TEMPORAL_UI'],
      otherwise: 'that of a Temporal server found or started',
    },
  ),
  temporalNamespace: setting(text.default('default'), 'Temporal namespace.', {
    env: ['TEMPORAL_NAMESPACE', 'AIDEN_TEMPORAL_NAMESPACE'],
  }),
  temporalTls: setting(
    onOff.default(false),
    'Use TLS for the connection to Temporal; an API key turns it on.',
    { env: ['TEMPORAL_TLS', 'AIDEN_TEMPORAL_TLS'] },
  ),
  temporalApiKey: setting(text.optional(), 'API key for Temporal Cloud.', {
    env: ['TEMPORAL_API_KEY', 'AIDEN_TEMPORAL_API_KEY'],
    secret: true,
  }),

  temporalEncryption: setting(
    onOff.optional(),
    'Encrypt what Temporal stores of runs with the first key of AIDEN_SECRET_KEYS. Set it ' +
      'alike for all processes.',
    { otherwise: 'on, in dev off' },
  ),

  workersGraphQuery: workers('graph_query', 16),
  workersRestCall: workers('rest_call', 32),
  workersLlmCall: workers('llm_call', 32),
  workersMcpCall: workers('mcp_call', 24),
  queuePrefix: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{0,40}$/, 'has to be at most 40 letters, digits, - and _')
      .default(''),
    'Prefix of the Temporal task queues, for installations that share a namespace.',
  ),
  workerBuild: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,60}$/, 'has to be 1 to 60 letters, digits, ., _ and -')
      .optional(),
    'Build of these Workers, for upgrades without a pause (docs/operations.md); auto: the code.',
    { otherwise: 'none; stop the older Workers before newer ones start' },
  ),

  secretKeys: setting(
    list
      .pipe(
        z.array(
          z
            .string()
            .refine(
              isSecretKey,
              'has to hold id:base64, each id a whole number and each key 32 bytes',
            ),
        ),
      )
      .optional(),
    'Keys that encrypt stored Secrets, as id:base64; the first is used for encryption.',
    { secret: true, otherwise: 'a key file generated in dataDir at the first start' },
  ),
  blobs: setting(
    address(['file', 's3']).optional(),
    'Store of large payloads (over 256 KiB in runs, over 64 KiB in events): file:///a/folder ' +
      'or s3://bucket/prefix.',
    { otherwise: 'file://<dataDir>/blobs' },
  ),
  s3Endpoint: setting(
    address(['http', 'https']).optional(),
    'URL of an S3-compatible server; not needed for AWS.',
  ),
  s3Region: setting(text.default('us-east-1'), 'Region of the S3 bucket.', {
    env: ['AIDEN_S3_REGION', 'AWS_REGION'],
  }),
  s3AccessKeyId: setting(text.optional(), 'Access key id for S3.', {
    env: ['AIDEN_S3_ACCESS_KEY_ID', 'AWS_ACCESS_KEY_ID'],
    otherwise: 'the credentials that AWS tools would use',
  }),
  s3SecretAccessKey: setting(text.optional(), 'Secret access key for S3.', {
    env: ['AIDEN_S3_SECRET_ACCESS_KEY', 'AWS_SECRET_ACCESS_KEY'],
    secret: true,
  }),
  eventBus: setting(
    text
      .refine(
        (value) => value === 'memory' || /^rediss?:\/\/./.test(value),
        'has to be memory or redis://host:port',
      )
      .default('memory'),
    'How processes share events: redis://… = Redis Streams; memory = each process polls ' +
      'Neo4j, with a small delay.',
  ),
  egressAllow: setting(
    list.pipe(z.array(egress)).default([]),
    'Private addresses that Tools may call, as CIDR or host:port, separated by commas.',
  ),
  platformPorts: setting(
    list.pipe(z.array(hostPort)).default([]),
    'More ports of the servers behind Aiden that no Tool may call, as host:port.',
    { otherwise: 'those of a Temporal server found or started' },
  ),
  mcpServers: setting(
    text.default('examples/mcp-servers.yaml'),
    'File that lists the stdio MCP servers that Tools may use.',
  ),

  localLlm: setting(onOff.default(true), 'Run the bundled extractive model server (local-llm).'),
  localLlmPort: setting(whole(1, 65_535).default(11_500), 'Loopback port of local-llm.'),
  embeddingsUrl: setting(
    address(['http', 'https']).optional(),
    'OpenAI-compatible base URL (with /v1) of the embedding model for memories.',
    { otherwise: 'local-llm if it runs, else none: memories are searched by words only' },
  ),
  embeddingsModel: setting(
    text.optional(),
    'Name of the embedding model; a change embeds all memories again.',
    {
      otherwise: 'local-embedding-512 of local-llm',
    },
  ),
  embeddingsApiKey: setting(text.optional(), 'API key of the embedding model.', { secret: true }),
  extractionQuietSeconds: setting(
    whole(0, 3_600).default(60),
    'Seconds of silence after which the new turns of a conversation are read into the memory ' +
      'graph, by one model call. 0 = each turn at once.',
  ),
  llmUrl: setting(
    llmAddress.optional(),
    'Base URL of the language model of all shipped Tools, such as http://127.0.0.1:11434/v1.',
    { otherwise: 'local-llm, which only quotes' },
  ),
  llmModel: setting(text.optional(), 'Name of the model at AIDEN_LLM_URL, as its server calls it.'),
  llmApi: setting(oneOf(['openai', 'anthropic']).optional(), 'API that the model server has.', {
    otherwise: "anthropic for Anthropic's own hosts, else openai",
  }),
  llm: setting(
    modelSource.optional(),
    'Model that Aiden runs itself by llama.cpp, instead of AIDEN_LLM_URL: ' +
      'gguf:/path/model.gguf or hf:owner/name:file.gguf.',
  ),
  embeddings: setting(
    modelSource.optional(),
    'Embedding model that Aiden runs itself, instead of AIDEN_EMBEDDINGS_URL; forms as of ' +
      'AIDEN_LLM.',
  ),
  llmThreads: setting(
    whole(0, 1_024).default(0),
    'CPU threads of the model of AIDEN_LLM; 0 = all cores but one.',
  ),
  llmContext: setting(
    whole(512, 1_048_576).default(8_192),
    'Maximum tokens of a request to the model of AIDEN_LLM, with its answer; more needs more ' +
      'memory.',
  ),
  llmQueue: setting(
    whole(0, 10_000).default(32),
    'Maximum requests that wait for the model of AIDEN_LLM; further ones are told to come again.',
  ),
  ggufPort: setting(
    whole(1, 65_535).default(11_530),
    'Loopback port of the model server of AIDEN_LLM (gguf-llm).',
  ),
  hubUrl: setting(
    address(['http', 'https']).default('https://huggingface.co'),
    'Base URL of the model hub of hf: models; a mirror works too.',
    { env: ['AIDEN_HUB_URL', 'HF_ENDPOINT'] },
  ),
  hubToken: setting(text.optional(), 'Access token of the model hub.', {
    env: ['AIDEN_HUB_TOKEN', 'HF_TOKEN'],
    secret: true,
  }),
  llmApiKey: setting(text.optional(), 'API key of that model, kept as an encrypted Secret.', {
    secret: true,
  }),

  grpcPort: setting(
    whole(0, 65_535).optional(),
    'gRPC port of the agent memory (proto/memory.proto); 0 = any free port.',
    { env: ['MEMORY_GRPC_PORT', 'AIDEN_GRPC_PORT'], otherwise: '50051' },
  ),
  grpcHost: setting(
    text.optional(),
    'Host name or IP address that gRPC listens on; in dev only loopback.',
    {
      env: ['MEMORY_GRPC_HOST', 'AIDEN_GRPC_HOST'],
      otherwise: '0.0.0.0, in dev 127.0.0.1',
    },
  ),
  multiAgentMode: setting(
    oneOf(['separate', 'unified']).optional(),
    'How agents share memory: separate = one store per project; unified = one store with ' +
      'agent ids.',
    { env: ['MEMORY_MULTI_AGENT_MODE'], otherwise: 'separate' },
  ),
  agentId: setting(text.optional(), 'Agent id of events that have none.', {
    env: ['MEMORY_AGENT_ID'],
  }),
  memoryConfig: setting(text.optional(), 'TOML file with the settings of the agent memory.', {
    env: ['MEMORY_CONFIG'],
    otherwise: '~/.config/agent-memory/config.toml',
  }),

  logLevel: setting(
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
    'Lowest level of the log entries that are written.',
    { env: ['AIDEN_LOG_LEVEL', 'MEMORY_LOG_LEVEL'], otherwise: 'warn in dev, else info' },
  ),
  clockOffsetSeconds: setting(
    z.coerce
      .number('has to be a number')
      .min(-86_400, 'has to be at least -86400')
      .max(86_400, 'has to be at most 86400')
      .default(0),
    "Seconds that this process's clock is ahead of the machine's; for tests of clock jumps only.",
  ),
  logFile: setting(
    text.optional(),
    'File that also gets the log, as JSON, from level info on; none = no file.',
    { otherwise: '<dataDir>/aiden.log' },
  ),
  metrics: setting(onOff.default(true), 'Serve /metrics for Prometheus.'),
  metricsToken: setting(
    text.refine((value) => value.length >= 16, 'has to have at least 16 characters').optional(),
    'Token that the API asks for at /metrics, as `Authorization: Bearer`. Without one ' +
      '/metrics is served in dev only, and on workerPort.',
    { secret: true },
  ),
  otlpEndpoint: setting(
    address(['http', 'https']).optional(),
    'URL of the OpenTelemetry collector for traces (OTLP over HTTP), without /v1/traces.',
    { env: ['AIDEN_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'], otherwise: 'no traces' },
  ),
  traceTexts: setting(
    onOff.default(false),
    'Send texts of users in traces: messages, answers, and the inputs and outputs of Tools.',
  ),
});
export type Settings = z.output<typeof Settings>;
export type SettingName = keyof Settings;

export interface SettingInfo extends SettingMeta {
  readonly name: SettingName;
  readonly env: readonly string[];
  readonly flag: string;
  readonly isSwitch: boolean;
  readonly defaultText: string;
}

const SWITCHES: readonly SettingName[] = [
  'tour',
  'temporalTls',
  'temporalEncryption',
  'localLlm',
  'metrics',
];

/** The table used for --help, flags and the environment. */
export const SETTINGS: readonly SettingInfo[] = Object.entries(Settings.shape).map(
  ([name, schema]) => {
    const meta = schema.meta() as unknown as SettingMeta;
    const fallback =
      schema instanceof z.ZodDefault ? (schema.def.defaultValue as unknown) : undefined;
    return {
      ...meta,
      name: name as SettingName,
      env: meta.env ?? [`AIDEN_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`],
      flag: `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      isSwitch: SWITCHES.includes(name as SettingName),
      defaultText: meta.otherwise ?? shown(fallback),
    };
  },
);

function shown(value: unknown): string {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return 'none';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}
