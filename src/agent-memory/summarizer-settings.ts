import { parse } from 'smol-toml';
import { z } from 'zod';
import { MULTI_AGENT_MODES } from './store.ts';

const text = z.string().trim().min(1, 'has to be a text that is not empty');
const port = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], 'has to be a port')
  .pipe(z.number().int().min(0).max(65_535, 'has to be a port, from 0 to 65535'));
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.enum(values, `has to be one of ${values.join(', ')}`),
  );

/** Which model sums up, as the document names it (S2-CFG-02); in Aiden a Tool of the system's is made of it (src/main/memory-summarizer.ts). */
export const SummarizerSettings = z.strictObject({
  provider: oneOf(['openai', 'anthropic', 'local']).default('openai'),
  model: text.default('gpt-4o-mini'),
  /** From the environment only. */
  api_key: text.nullable().default(null),
  api_base_url: text.nullable().default(null),
});
export type SummarizerSettings = z.infer<typeof SummarizerSettings>;

/** The settings of the agent memory under the document's names (S2-CFG-01). */
export const AgentMemorySettings = z.strictObject({
  /** Kept for other tools; Aiden's memory is in Neo4j. */
  db_path: text,
  /** 0 = any free one. */
  grpc_port: port.default(50_051),
  grpc_host: text.default('0.0.0.0'),
  multi_agent_mode: oneOf(MULTI_AGENT_MODES).default('separate'),
  agent_id: text.nullable().default(null),
  summarizer: SummarizerSettings,
  log_level: oneOf(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
});
export type AgentMemorySettings = z.infer<typeof AgentMemorySettings>;
type Name = keyof AgentMemorySettings;

/** Whatever names settings: flags, the environment, files. */
export interface AgentMemorySettingsSources {
  /** Applied by the caller, by the document's names. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** TOML: the file that was asked for, and the one that is there anyway. */
  readonly givenFile?: string | null;
  readonly defaultFile?: string | null;
  readonly home: string;
  readonly platform: string;
}

export interface LoadedAgentMemorySettings {
  readonly settings: AgentMemorySettings;
  /** What somebody said, rather than the built-in defaults. */
  readonly given: ReadonlySet<Name>;
}

/** Where the default file is, below the home folder. */
export const DEFAULT_FILE = '.config/agent-memory/config.toml';

/**
 * Flags, then `MEMORY_*`, then the given file, then the default file, then what is built in (S2-CFG-03). A key of the
 * summarizer in a file is passed over: keys come from the environment. @throws Error naming each setting that can't be used
 */
export function loadAgentMemorySettings(
  sources: AgentMemorySettingsSources,
): LoadedAgentMemorySettings {
  const { flags = {}, env, givenFile, defaultFile, home, platform } = sources;
  const layers = [
    readFile(defaultFile, DEFAULT_FILE),
    readFile(givenFile, 'the given file'),
    readEnv(env),
    flags,
  ];
  const merged: Record<string, unknown> = {};
  const summarizer: Record<string, unknown> = {};
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer)) {
      if (value === undefined) continue;
      if (name === 'summarizer' && typeof value === 'object') Object.assign(summarizer, value);
      else merged[name] = value;
    }
  const parsed = AgentMemorySettings.safeParse({
    db_path: defaultDbPath(home, platform),
    ...merged,
    summarizer,
  });
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new Error(`Settings of the memory: ${faults.join('; ')}.`);
  }
  const given = [
    ...Object.keys(merged),
    ...(Object.keys(summarizer).length > 0 ? ['summarizer'] : []),
  ];
  return { settings: parsed.data, given: new Set(given as Name[]) };
}

/** `host:port`, as clients dial it. */
export function grpcAddr({
  grpc_host,
  grpc_port,
}: Pick<AgentMemorySettings, 'grpc_host' | 'grpc_port'>) {
  return `${grpc_host.includes(':') ? `[${grpc_host}]` : grpc_host}:${grpc_port}`;
}

function defaultDbPath(home: string, platform: string): string {
  if (platform === 'darwin') return `${home}/Library/Application Support/agent-memory/db`;
  if (platform === 'win32') return `${home}\\AppData\\Roaming\\agent-memory\\db`;
  return `${home}/.local/share/agent-memory/db`;
}

function readFile(toml: string | null | undefined, name: string): Record<string, unknown> {
  if (toml == null) return {};
  let read: Record<string, unknown>;
  try {
    read = parse(toml);
  } catch (error) {
    throw new Error(
      `Settings of the memory: ${name} is no TOML (${String(error).split('\n')[0]}).`,
    );
  }
  const { summarizer, ...rest } = read;
  if (typeof summarizer !== 'object' || summarizer === null) return rest;
  const { api_key: _passedOver, ...known } = summarizer as Record<string, unknown>;
  return { ...rest, summarizer: known };
}

function readEnv(env: AgentMemorySettingsSources['env']): Record<string, unknown> {
  const of = (name: string) => env[`MEMORY_${name.toUpperCase()}`] || undefined;
  const summarizer = Object.keys(SummarizerSettings.shape).map((name) => [
    name,
    of(`summarizer_${name}`),
  ]);
  const own = Object.keys(AgentMemorySettings.shape).filter((name) => name !== 'summarizer');
  return {
    ...Object.fromEntries(own.map((name) => [name, of(name)])),
    summarizer: Object.fromEntries(summarizer.filter(([, value]) => value !== undefined)),
  };
}
