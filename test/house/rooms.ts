import type { SourceFile } from './source.ts';

/** Where a line may run; see docs/ARCHITECTURE.md. The first pattern that fits names the room. */
const ROOMS = [
  ['common', /^src\/common\//],
  ['main', /^src\/main\//],
  ['neo4j', /^src\/platform\/neo4j\//],
  ['platform', /^src\/platform\//],
  ['generated', /\/generated\//],
  ['client', /^packages\/client\/src\/(conversation|call)-graph\//],
  ['live', /^packages\/client\/src\//],
  ['cypher', /^src\/.*\.cypher\.ts$/],
  ['mutations', /^src\/.*\.mutations\.ts$/],
  ['domain', /^src\//],
  ['schema', /^schema\//],
  ['workflows', /^workflows\//],
  ['activities', /^activities\//],
  ['cli', /^cli\//],
  ['local-llm', /^packages\/local-llm\//],
  ['stack', /^stack\//],
  ['bench', /^bench\//],
  ['examples', /^examples\//],
  ['test', /^test\//],
] as const;

/** `pure` is a domain file that asks nobody; `service` is one that does. */
export type Room = Exclude<(typeof ROOMS)[number][0], 'domain'> | 'pure' | 'service';

/** Packages that compute and do nothing else; what pure files and workflows may use. */
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

/** Tells every file its room. A domain file is pure unless it reaches, types included, for the world or for one that does. */
export function roomsOf(files: readonly SourceFile[]): Map<string, Room> {
  const rooms = new Map<string, Room | 'domain'>(
    files.map(({ path }) => [path, ROOMS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'test']),
  );
  const domain = files.filter(({ path }) => rooms.get(path) === 'domain');
  const isWorldly = (file: SourceFile): boolean =>
    file.imports.some(({ to, isLocal, isTypeOnly }) => {
      if (!isLocal) return !isTypeOnly && !PURE_PACKAGES.includes(packageOf(to));
      const room = rooms.get(to);
      return room !== undefined && room !== 'common' && room !== 'client' && room !== 'domain';
    });
  for (let changed = true; changed; ) {
    changed = false;
    for (const file of domain) {
      if (rooms.get(file.path) === 'domain' && isWorldly(file)) {
        rooms.set(file.path, 'service');
        changed = true;
      }
    }
  }
  for (const { path } of domain) if (rooms.get(path) === 'domain') rooms.set(path, 'pure');
  return rooms as Map<string, Room>;
}

/** What each room may import at run time, beside itself. Types may come from anywhere. */
export const MAY_IMPORT: Record<Room, readonly Room[] | 'all'> = {
  common: [],
  pure: ['common', 'client'],
  cypher: ['common', 'pure', 'client', 'neo4j'],
  mutations: ['common', 'pure', 'service', 'cypher', 'neo4j'],
  service: ['common', 'pure', 'cypher', 'mutations', 'neo4j', 'platform'],
  neo4j: ['common', 'pure', 'platform'],
  platform: ['common', 'pure', 'neo4j'],
  client: [],
  live: ['client', 'generated'],
  schema: ['common', 'pure', 'client', 'cypher', 'mutations', 'service', 'neo4j'],
  workflows: ['common', 'pure'],
  activities: ['common', 'pure', 'cypher', 'mutations', 'service', 'neo4j', 'platform'],
  main: 'all',
  generated: [],
  cli: ['client', 'live', 'generated', 'common'],
  'local-llm': [],
  stack: [],
  bench: 'all',
  examples: [],
  test: 'all',
};

/** Rooms that may read the environment; everything else is told. */
export const READS_ENVIRONMENT: readonly Room[] = [
  'main',
  'stack',
  'cli',
  'bench',
  'test',
  'local-llm',
  'examples',
];
