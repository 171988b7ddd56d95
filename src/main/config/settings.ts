import { z } from 'zod';
import {
  address,
  egress,
  hostPort,
  isSecretKey,
  list,
  oneOf,
  onOff,
  origin,
  type SettingMeta,
  setting,
  text,
  whole,
} from './setting-kinds.ts';

const workers = (what: string) =>
  setting(whole(0, 1_000).default(4), `Workers for ${what} in this process; 0 = none.`);

/** Every setting there is. Flags, the environment, the file and the defaults all meet here. */
export const Settings = z.strictObject({
  host: setting(text.default('127.0.0.1'), 'Address the API listens on.'),
  port: setting(whole(0, 65_535).default(4000), 'Port the API listens on; 0 = any free one.'),
  workerPort: setting(
    whole(0, 65_535).optional(),
    'Port where a process that only runs Workers serves /health, /ready and /metrics; 0 = any free one.',
    { otherwise: 'not served' },
  ),
  role: setting(
    oneOf(['all', 'api', 'worker']).default('all'),
    'What this process does: the API, Workers, or both.',
  ),
  tour: setting(
    onOff.default(true),
    'Whether the start runs the bundled tour Process once (--no-tour).',
  ),
  instance: setting(
    text
      .regex(/^[a-z0-9][a-z0-9-]{0,40}$/, 'has to be lower-case letters, digits and -')
      .default('default'),
    'Name of the local data this start works on.',
  ),
  dataDir: setting(text.optional(), 'Folder for keys and blobs.', {
    otherwise: '~/.local/share/aiden/<instance>',
  }),

  auth: setting(
    oneOf(['dev', 'jwt']).optional(),
    'How callers sign in; dev believes them and works on loopback only.',
    {
      otherwise: 'jwt when a key for it is set, else dev on loopback',
    },
  ),
  jwtSecret: setting(
    z
      .string()
      .refine((value) => Buffer.byteLength(value) >= 32, 'has to have 32 bytes or more')
      .optional(),
    'HS256 secret of the tokens.',
    { secret: true },
  ),
  jwksUrl: setting(
    address(['https', 'http']).optional(),
    'Where the public keys of the tokens are (RS256, PS256, ES256, EdDSA).',
  ),
  jwtIssuer: setting(text.optional(), 'The iss that tokens must carry.'),
  jwtAudience: setting(text.optional(), 'The aud that tokens must carry.'),
  corsOrigins: setting(
    list.pipe(z.array(origin)).default([]),
    'Origins of pages that may call the API.',
  ),

  neo4jUri: setting(
    address(['bolt', 'neo4j', 'bolt+s', 'neo4j+s', 'bolt+ssc', 'neo4j+ssc']).optional(),
    'The Neo4j database.',
    { env: ['NEO4J_URI', 'AIDEN_NEO4J_URI'], otherwise: 'found or started' },
  ),
  neo4jUser: setting(text.default('neo4j'), 'Its user.', {
    env: ['NEO4J_USER', 'AIDEN_NEO4J_USER'],
  }),
  neo4jPassword: setting(z.string().optional(), 'Its password.', {
    env: ['NEO4J_PASSWORD', 'AIDEN_NEO4J_PASSWORD'],
    secret: true,
    otherwise: 'made at the first start',
  }),
  neo4jDatabase: setting(text.default('neo4j'), 'The name of the database in it.', {
    env: ['NEO4J_DATABASE', 'AIDEN_NEO4J_DATABASE'],
  }),
  neo4jPoolSize: setting(whole(1, 1_000).default(100), 'Most connections of this process to it.'),

  temporalAddress: setting(hostPort.optional(), 'The Temporal frontend.', {
    env: ['TEMPORAL_ADDRESS', 'AIDEN_TEMPORAL_ADDRESS'],
    otherwise: 'found or started',
  }),
  temporalUi: setting(
    address(['http', 'https']).optional(),
    'Its web UI, for the links printed at the start.',
    {
      env: ['TEMPORAL_UI', 'AIDEN_TEMPORAL_UI'],
      otherwise: 'known when the start found or started it',
    },
  ),
  temporalNamespace: setting(text.default('default'), 'The namespace there.', {
    env: ['TEMPORAL_NAMESPACE', 'AIDEN_TEMPORAL_NAMESPACE'],
  }),
  temporalTls: setting(
    onOff.default(false),
    'Whether to speak TLS with it; an API key turns it on.',
    { env: ['TEMPORAL_TLS', 'AIDEN_TEMPORAL_TLS'] },
  ),
  temporalApiKey: setting(text.optional(), 'API key, as Temporal Cloud wants it.', {
    env: ['TEMPORAL_API_KEY', 'AIDEN_TEMPORAL_API_KEY'],
    secret: true,
  }),

  workersGraphQuery: workers('graph_query'),
  workersRestCall: workers('rest_call'),
  workersLlmCall: workers('llm_call'),
  workersMcpCall: workers('mcp_call'),
  queuePrefix: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{0,40}$/, 'has to be at most 40 letters, digits, - and _')
      .default(''),
    'Put before the names of the Temporal task queues, where installations share a namespace.',
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
    'Keys that encrypt stored Secrets, as id:base64; the first is the current one.',
    { secret: true, otherwise: 'a key file made in dataDir at the first start' },
  ),
  blobs: setting(
    address(['file', 's3']).optional(),
    'Where payloads too large for a property are kept (values of runs over 256 KiB, of events over 64 KiB): file:///a/folder or s3://bucket/prefix.',
    { otherwise: 'file://<dataDir>/blobs' },
  ),
  s3Endpoint: setting(
    address(['http', 'https']).optional(),
    'Where an S3-compatible server is; AWS itself needs none.',
  ),
  s3Region: setting(text.default('us-east-1'), 'Region of the bucket.', {
    env: ['AIDEN_S3_REGION', 'AWS_REGION'],
  }),
  s3AccessKeyId: setting(text.optional(), 'Who we are to S3.', {
    env: ['AIDEN_S3_ACCESS_KEY_ID', 'AWS_ACCESS_KEY_ID'],
    otherwise: "as AWS's own tools find it",
  }),
  s3SecretAccessKey: setting(text.optional(), 'The key to that.', {
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
    'How processes share live updates: redis://… = Redis Streams; memory = each follows the event log in Neo4j, a little later.',
  ),
  egressAllow: setting(
    list.pipe(z.array(egress)).default([]),
    'Private addresses that Tools may call: CIDR or host:port.',
  ),
  platformPorts: setting(
    list.pipe(z.array(hostPort)).default([]),
    'More ports that no Tool may call, as host:port: what else the servers behind Aiden listen on.',
    { otherwise: 'those of the Temporal that the start found or started' },
  ),
  mcpServers: setting(
    text.default('examples/mcp-servers.yaml'),
    'File with the stdio MCP servers that Tools may name.',
  ),

  localLlm: setting(onOff.default(true), 'Whether to run the bundled extractive model server.'),
  localLlmPort: setting(whole(1, 65_535).default(11_500), 'Its port on loopback.'),
  embeddingsUrl: setting(
    address(['http', 'https']).optional(),
    'OpenAI-compatible base address (with /v1) of the model that turns memories into vectors.',
    { otherwise: 'local-llm where it runs, else none: memories are searched by words alone' },
  ),
  embeddingsModel: setting(text.optional(), 'The model there; another one embeds all anew.', {
    otherwise: 'local-embedding-100 of local-llm',
  }),
  embeddingsApiKey: setting(text.optional(), 'Its key.', { secret: true }),
  llmApiKey: setting(text.optional(), "Key of the system's own LLM Tools.", { secret: true }),

  grpcPort: setting(
    whole(0, 65_535).optional(),
    'Port the agent memory is served on over gRPC (proto/memory.proto); 0 = any free one.',
    { env: ['MEMORY_GRPC_PORT', 'AIDEN_GRPC_PORT'], otherwise: '50051' },
  ),
  grpcHost: setting(text.optional(), 'Address it listens on; in dev this machine only.', {
    env: ['MEMORY_GRPC_HOST', 'AIDEN_GRPC_HOST'],
    otherwise: '0.0.0.0, in dev 127.0.0.1',
  }),
  multiAgentMode: setting(
    oneOf(['separate', 'unified']).optional(),
    'How agents share a memory: one store per project, or one with agent ids.',
    { env: ['MEMORY_MULTI_AGENT_MODE'], otherwise: 'separate' },
  ),
  agentId: setting(text.optional(), 'The agent of events that name none.', {
    env: ['MEMORY_AGENT_ID'],
  }),
  memoryConfig: setting(text.optional(), 'TOML file with settings of the agent memory.', {
    env: ['MEMORY_CONFIG'],
    otherwise: '~/.config/agent-memory/config.toml',
  }),

  logLevel: setting(
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
    'How much is logged.',
    { otherwise: 'warn in dev, else info' },
  ),
  metrics: setting(onOff.default(true), 'Whether /metrics answers (Prometheus).'),
  otlpEndpoint: setting(
    address(['http', 'https']).optional(),
    'OpenTelemetry collector (OTLP over HTTP, without /v1/traces) that traces are sent to.',
    { env: ['AIDEN_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'], otherwise: 'no traces' },
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

const SWITCHES: readonly SettingName[] = ['tour', 'temporalTls', 'localLlm', 'metrics'];

/** The table behind --help, flags and environment. */
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
