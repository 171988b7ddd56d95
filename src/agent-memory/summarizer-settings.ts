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

/**
 * Model for summaries, under the names of the specification (S2-CFG-02).
 * src/main/memory-summarizer.ts makes a Tool of the system user from it.
 */
export const SummarizerSettings = z.strictObject({
  provider: oneOf(['openai', 'anthropic', 'local']).default('openai'),
  model: text.default('gpt-4o-mini'),
  /** Read from the environment and flags; ignored in files. */
  api_key: text.nullable().default(null),
  api_base_url: text.nullable().default(null),
});
export type SummarizerSettings = z.infer<typeof SummarizerSettings>;

/** Settings of the agent memory, under the names of the specification (S2-CFG-01). */
export const AgentMemorySettings = z.strictObject({
  /** For other tools. Aiden stores the agent memory in Neo4j and ignores it. */
  db_path: text,
  /** 0 = any free port. */
  grpc_port: port.default(50_051),
  grpc_host: text.default('0.0.0.0'),
  multi_agent_mode: oneOf(MULTI_AGENT_MODES).default('separate'),
  agent_id: text.nullable().default(null),
  summarizer: SummarizerSettings,
  log_level: oneOf(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
});
export type AgentMemorySettings = z.infer<typeof AgentMemorySettings>;
type Name = keyof AgentMemorySettings;

/** Sources of settings: flags, environment, files. */
export interface AgentMemorySettingsSources {
  /** Given by the caller, under the names of the specification. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Contents of TOML files: the one named by the caller, and the default one. */
  readonly givenFile?: string | null;
  readonly defaultFile?: string | null;
  readonly home: string;
  readonly platform: string;
}

export interface LoadedAgentMemorySettings {
  readonly settings: AgentMemorySettings;
  /** Names of settings that a source gave; the others have their built-in defaults. */
  readonly given: ReadonlySet<Name>;
}

/** Path of the default file, relative to the home folder. */
export const DEFAULT_FILE = '.config/agent-memory/config.toml';

/**
 * Loads the settings. Precedence: flags, `MEMORY_*`, the given file, the default file, built-in
 * defaults (S2-CFG-03). `api_key` of the summarizer is ignored in files.
 * @throws Error that names each invalid setting
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
  const values: Record<string, unknown> = {};
  const summarizer: Record<string, unknown> = {};
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer)) {
      if (value === undefined) continue;
      if (name === 'summarizer' && typeof value === 'object') Object.assign(summarizer, value);
      else values[name] = value;
    }
  const parsed = AgentMemorySettings.safeParse({
    db_path: defaultDbPath(home, platform),
    ...values,
    summarizer,
  });
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new Error(`Settings of the memory: ${faults.join('; ')}.`);
  }
  const given = [
    ...Object.keys(values),
    ...(Object.keys(summarizer).length > 0 ? ['summarizer'] : []),
  ];
  return { settings: parsed.data, given: new Set(given as Name[]) };
}

/** `host:port`; an IPv6 host is in brackets. */
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
  const { api_key: _ignored, ...known } = summarizer as Record<string, unknown>;
  return { ...rest, summarizer: known };
}

function readEnv(env: AgentMemorySettingsSources['env']): Record<string, unknown> {
  const of = (name: string) => {
    const variable = `MEMORY_${name.toUpperCase()}`;
    return env[variable] || undefined;
  };
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
