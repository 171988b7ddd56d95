import type { Protocol, ServiceType } from '../generated/documents.ts';

const ENDPOINT = {
  type: 'string',
  format: 'uri',
  title: 'Address',
  description: 'Where the calls go, with its protocol. The path of each call follows it.',
  minLength: 1,
} as const;

/** The kinds of Services in words, with the connection that their Tools have to give. */
export const SERVICE_KINDS = {
  REST_API: {
    label: 'HTTP API (REST)',
    protocols: ['HTTPS', 'HTTP'],
    required: ['endpoint'],
    properties: { endpoint: ENDPOINT },
    example: 'https://api.example.com/v1',
  },
  LLM_PROVIDER: {
    label: 'Language model',
    protocols: ['HTTPS', 'HTTP'],
    required: ['endpoint', 'model'],
    properties: {
      endpoint: ENDPOINT,
      model: {
        type: 'string',
        title: 'Model',
        description: 'Its name at that server, such as qwen3:8b.',
        minLength: 1,
      },
      temperature: {
        type: 'number',
        title: 'Temperature',
        description:
          'From 0 for even answers to 2 for varied ones. The server decides if left out.',
        minimum: 0,
        maximum: 2,
      },
      maxTokens: {
        type: 'integer',
        title: 'Most tokens of an answer',
        description: 'A whole number. A longer answer ends there; the server decides if left out.',
        minimum: 1,
      },
    },
    example: 'https://api.openai.com/v1',
  },
  MCP_SERVER: {
    label: 'MCP server',
    protocols: ['HTTPS', 'HTTP', 'SSE', 'STDIO'],
    required: ['endpoint'],
    properties: { endpoint: ENDPOINT },
    example: 'https://mcp.example.com/mcp',
  },
  NEO4J_GRAPH: {
    label: 'Neo4j database',
    protocols: ['BOLT_S', 'BOLT'],
    required: ['endpoint'],
    properties: {
      endpoint: ENDPOINT,
      database: {
        type: 'string',
        title: 'Database',
        description: 'Its name. The usual one of the server if left out.',
      },
      username: {
        type: 'string',
        title: 'User',
        description: 'The password is the Secret of the Tool.',
      },
    },
    example: 'bolt+s://graph.example.com:7687',
  },
} as const satisfies Record<
  ServiceType,
  {
    readonly label: string;
    /** The usual one first. */
    readonly protocols: readonly Protocol[];
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, object>>;
    readonly example: string;
  }
>;

export const PROTOCOL_WORDS: Readonly<Record<Protocol, string>> = {
  HTTPS: 'HTTPS',
  HTTP: 'HTTP, not encrypted',
  SSE: 'Server-sent events',
  STDIO: 'A process that the operator registered',
  BOLT_S: 'Bolt over TLS',
  BOLT: 'Bolt, not encrypted',
};

/** The protocol that an address names; null where it names none of these. */
export function protocolOf(address: string, type: ServiceType): Protocol | null {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address.trim())?.[1]?.toUpperCase();
  const known: readonly Protocol[] = SERVICE_KINDS[type].protocols;
  return known.find((one) => one.replace('_', '+') === scheme) ?? null;
}

/** Schema of the connection of a new Service's Tools. The address is the default of each Tool. */
export function connectionSchemaOf(
  type: ServiceType,
  protocol: Protocol,
  address: string,
): Record<string, unknown> {
  if (protocol === 'STDIO')
    return {
      type: 'object',
      required: ['server'],
      properties: {
        server: {
          type: 'string',
          title: 'Name of the server, as the operator registered it',
          ...(address.trim() === '' ? {} : { default: address.trim() }),
        },
      },
    };
  const { required, properties } = SERVICE_KINDS[type];
  const endpoint = address.trim() === '' ? ENDPOINT : { ...ENDPOINT, default: address.trim() };
  return { type: 'object', required, properties: { ...properties, endpoint } };
}
