import type { ReadFile } from './source.ts';

/**
 * The role of a file by its path; see docs/ARCHITECTURE.md. The first pattern that fits names the
 * role.
 */
const ROLES = [
  ['main', /^src\/main\//],
  ['host', /^src\/host\//],
  ['neo4j', /^src\/platform\/neo4j\//],
  ['platform', /^src\/platform\//],
  ['cypher', /^src\/.*\.cypher\.ts$/],
  ['mutations', /^src\/.*\.mutations\.ts$/],
  ['service', /^src\/.*(\.(service|projection|job)|\/(deps|ports))\.ts$/],
  ['pure', /^src\//],
  ['schema', /^schema\//],
  ['workflows', /^workflows\//],
  ['activities', /^activities\//],
  ['client', /^packages\/client\//],
  ['local-llm', /^packages\/local-llm\//],
  ['gguf-llm', /^packages\/gguf-llm\//],
  ['cli', /^cli\//],
  ['console', /^console\//],
  ['stack', /^stack\//],
  ['bench', /^bench\//],
  ['examples', /^examples\//],
  ['test', /^test\//],
] as const;

export type Role = (typeof ROLES)[number][0];

/** Packages that only compute; pure files and workflows may use them. */
export const PURE_PACKAGES = [
  'zod',
  'handlebars',
  '@marcbachmann/cel-js',
  'ajv',
  'ajv-formats',
  're2js',
  'gpt-tokenizer',
  'lru-cache',
  'ipaddr.js',
  'ulid',
  'smol-toml',
  'yaml',
  'fast-check',
  '@dagrejs/dagre',
];

export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

export function roleOf(path: string): Role {
  return ROLES.find(([, pattern]) => pattern.test(path))?.[0] ?? 'test';
}

/** Packages that the client library uses beside the pure ones. */
export const CLIENT_PACKAGES = ['graphql', 'graphql-sse', 'graphql-ws'];

/** Roles of code that is no part of the product. */
const DEVELOPERS: readonly Role[] = ['stack', 'bench', 'test'];

/** The roles that each role may import at run time, beside itself. */
export const MAY_IMPORT: Record<Role, readonly Role[] | 'all'> = {
  pure: ['client'],
  cypher: ['pure', 'neo4j'],
  mutations: ['pure', 'service', 'cypher', 'neo4j'],
  service: ['pure', 'cypher', 'mutations', 'neo4j', 'platform'],
  neo4j: ['pure', 'platform'],
  platform: ['pure', 'neo4j'],
  schema: ['pure', 'client', 'cypher', 'mutations', 'service', 'neo4j'],
  workflows: ['pure'],
  activities: ['pure', 'workflows', 'cypher', 'mutations', 'service', 'neo4j', 'platform'],
  main: ROLES.map(([role]) => role).filter((role) => !DEVELOPERS.includes(role)),
  host: ['pure'],
  client: [],
  'local-llm': [],
  // Errors and HTTP in OpenAI's form.
  'gguf-llm': ['local-llm'],
  cli: ['client', 'pure'],
  // The console is a frontend like any other: the API and the client library are all it has.
  console: ['client'],
  // The commands of developers may use the product's own; the product uses none of theirs.
  stack: ['host'],
  bench: 'all',
  examples: [],
  test: 'all',
};

/** Roles that may read the environment; other files receive settings as arguments. */
export const READS_ENVIRONMENT: readonly Role[] = [
  'main',
  'host',
  'stack',
  'cli',
  'bench',
  'test',
  'local-llm',
  'gguf-llm',
  'examples',
];

const GROUND = ['common', 'text', 'json-schema', 'expressions', 'operations'];
const BASE = [...GROUND, 'platform', 'users', 'outbox'];
const RECORD = [...BASE, 'settings', 'catalog', 'processes', 'runs', 'background', 'conversations'];
/** The rooms with jobs of their own. */
const WITH_JOBS = [...RECORD, 'jobs'];

/**
 * The rooms of src that each room may import, types too, beside itself. No two rooms may import
 * each other.
 */
export const ROOMS: Record<string, readonly string[]> = {
  common: [],
  text: ['common'],
  'json-schema': ['common'],
  expressions: ['common', 'json-schema'],
  operations: ['common', 'json-schema', 'expressions'],
  platform: GROUND,
  users: [...GROUND, 'platform'],
  outbox: [...GROUND, 'platform', 'users'],
  idempotency: [...GROUND, 'platform', 'users'],
  catalog: BASE,
  // Memory settings name a Tool.
  settings: [...BASE, 'catalog'],
  processes: [...BASE, 'settings', 'catalog'],
  runs: [...BASE, 'idempotency', 'catalog', 'processes'],
  // The product's own runs for users.
  background: [...BASE, 'idempotency', 'settings', 'catalog', 'processes', 'runs', 'jobs'],
  conversations: [...BASE, 'idempotency', 'settings', 'catalog', 'processes', 'runs'],
  'agent-memory': WITH_JOBS,
  'memory-graph': [...WITH_JOBS, 'agent-memory'],
  'working-memory': [...WITH_JOBS, 'agent-memory', 'memory-graph'],
  'session-graph': RECORD,
  'call-graph': RECORD,
  // The table of all labels; the two graphs name some of them.
  ownership: [...RECORD, 'memory-graph', 'session-graph'],
  // Queries of users over their own graph: the labels and tenancies of the rooms that it shows.
  'own-graph': [...RECORD, 'agent-memory', 'memory-graph', 'ownership'],
  // Tools of the system that agents call: the API's functions over all memory of one user.
  'system-tools': [...RECORD, 'agent-memory', 'memory-graph', 'working-memory', 'own-graph'],
  metrics: RECORD,
  retention: [...WITH_JOBS, 'ownership'],
  // All of the graph, as it is stored.
  backup: [...GROUND, 'platform'],
  // Folders, ports, processes and servers of the machine. Only main imports it.
  host: ['common'],
  'personal-data': [...RECORD, 'memory-graph', 'call-graph', 'schedules', 'ownership'],
  workers: [...BASE, 'catalog', 'processes', 'runs'],
  jobs: [...BASE, 'settings', 'catalog', 'processes', 'runs'],
  schedules: [...BASE, 'idempotency', 'catalog', 'processes', 'runs'],
};

/**
 * The room of a file in src: its first folder; null elsewhere, and for main, which may import
 * everything.
 */
export function roomOf(path: string): string | null {
  const [top, room] = path.split('/');
  return top === 'src' && room !== undefined && room !== 'main' ? room : null;
}

/** Imports that remain when the types are stripped. */
export function runtimeImports({ imports }: ReadFile): ReadFile['imports'] {
  return imports.filter(({ isTypeOnly }) => !isTypeOnly);
}
