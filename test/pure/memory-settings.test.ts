import { describe, expect, it } from 'vitest';
import {
  type AgentMemorySettingsSources,
  grpcAddr,
  loadAgentMemorySettings,
} from '../../src/agent-memory/summarizer-settings.ts';
import { BadSettings, readConfig } from '../../src/main/config/config.ts';
import { readMemoryConfig } from '../../src/main/config/memory-config.ts';
import { summarizerBundle } from '../../src/main/memory-summarizer.ts';

const load = (sources: Partial<AgentMemorySettingsSources> = {}) =>
  loadAgentMemorySettings({ env: {}, home: '/home/ada', platform: 'linux', ...sources });

describe('the settings of the memory', () => {
  it('are those of the document by default (S2-CFG-01, S2-CFG-02)', () => {
    const { settings, given } = load();
    expect(settings).toEqual({
      db_path: '/home/ada/.local/share/agent-memory/db',
      grpc_port: 50_051,
      grpc_host: '0.0.0.0',
      multi_agent_mode: 'separate',
      agent_id: null,
      log_level: 'info',
      summarizer: { provider: 'openai', model: 'gpt-4o-mini', api_key: null, api_base_url: null },
    });
    expect(given.size).toBe(0);
    expect(grpcAddr(settings)).toBe('0.0.0.0:50051');
    expect(load({ platform: 'darwin' }).settings.db_path).toContain('Application Support');
  });

  it('are taken from flags, MEMORY_*, the given file, the default file (S2-CFG-03)', () => {
    const sources = {
      flags: { grpc_port: 1 },
      env: { MEMORY_GRPC_PORT: '2' },
      givenFile: 'grpc_port = 3',
      defaultFile: 'grpc_port = 4\nagent_id = "kept"',
    };
    const layers = ['flags', 'env', 'givenFile', 'defaultFile'] as const;
    const ports = layers.map((_layer, from) => {
      const without = Object.fromEntries(layers.slice(0, from).map((name) => [name, undefined]));
      const { settings } = load({ ...sources, ...without, ...(from > 1 ? { env: {} } : {}) });
      return [settings.grpc_port, settings.agent_id];
    });
    expect(ports).toEqual([1, 2, 3, 4].map((port) => [port, 'kept']));
  });

  it('take the key of the summarizer from the environment and from no file (S2-CFG-02)', () => {
    const givenFile = '[summarizer]\nprovider = "Anthropic"\napi_key = "in the file"';
    expect(load({ givenFile }).settings.summarizer).toMatchObject({
      provider: 'anthropic',
      api_key: null,
    });
    const env = { MEMORY_SUMMARIZER_API_KEY: 'k', MEMORY_SUMMARIZER_MODEL: 'small' };
    expect(load({ givenFile, env }).settings.summarizer).toMatchObject({
      provider: 'anthropic',
      model: 'small',
      api_key: 'k',
    });
  });

  it('make a Tool of the summarizer where one is given, without its key (S2-CFG-02)', () => {
    const bundle = (env: Record<string, string>) => {
      const made = summarizerBundle(load({ env }));
      return made === null ? null : JSON.parse(made.document);
    };
    expect(bundle({})).toBeNull();
    expect(bundle({ MEMORY_SUMMARIZER_PROVIDER: 'local' })).toBeNull();
    const connected = (env: Record<string, string>) => bundle(env).tools[0].connectionParams;
    expect(connected({ MEMORY_SUMMARIZER_MODEL: 'gpt-5' })).toEqual({
      endpoint: 'https://api.openai.com/v1',
      model: 'gpt-5',
      api: 'openai',
    });
    expect(connected({ MEMORY_SUMMARIZER_PROVIDER: 'Anthropic' })).toMatchObject({
      endpoint: 'https://api.anthropic.com/v1',
      api: 'anthropic',
    });
    const own = {
      MEMORY_SUMMARIZER_PROVIDER: 'local',
      MEMORY_SUMMARIZER_API_BASE_URL: 'http://127.0.0.1:11434/v1',
      MEMORY_SUMMARIZER_API_KEY: 'sk-1',
    };
    expect(connected(own)).toMatchObject({ endpoint: 'http://127.0.0.1:11434/v1', api: 'openai' });
    expect(bundle(own).tools[0].secret).toBe('MEMORY_SUMMARIZER_API_KEY');
    expect(JSON.stringify(bundle(own))).not.toContain('sk-1');
  });

  it('tell unusable values by name', () => {
    expect(() => load({ env: { MEMORY_GRPC_PORT: 'x' } })).toThrow(/grpc_port/);
    expect(() => load({ givenFile: 'multi_agent_mode = "many"' })).toThrow(/multi_agent_mode/);
    expect(() => load({ givenFile: 'colour = "red"' })).toThrow(/colour/);
    expect(() => load({ defaultFile: 'not toml' })).toThrow(/no TOML/);
  });
});

describe('the memory of a start', () => {
  const config = (env: Record<string, string>) => readConfig({ flags: [], env, file: null });
  const JWT = {
    AIDEN_JWT_SECRET: 'x'.repeat(32),
    AIDEN_JWT_ISSUER: 'us',
    AIDEN_JWT_AUDIENCE: 'us',
  };

  it('listens on this machine only where tokens are believed without proof', () => {
    expect(readMemoryConfig(config({}), {}).settings.grpc_host).toBe('127.0.0.1');
    expect(() => readMemoryConfig(config({ MEMORY_GRPC_HOST: '0.0.0.0' }), {})).toThrow(
      BadSettings,
    );
    expect(readMemoryConfig(config(JWT), {}).settings.grpc_host).toBe('0.0.0.0');
  });

  it('has the log level of MEMORY_LOG_LEVEL, unless Aiden has its own (S2-CFG-01)', () => {
    expect(config({ MEMORY_LOG_LEVEL: 'debug' }).logLevel).toBe('debug');
    const both = { MEMORY_LOG_LEVEL: 'debug', AIDEN_LOG_LEVEL: 'error' };
    expect(config(both).logLevel).toBe('error');
    expect(() => config({ MEMORY_LOG_LEVEL: 'loud' })).toThrow(/LOG_LEVEL/);
  });

  it('follows flags before the environment (S2-CFG-03)', () => {
    const flagged = readConfig({
      flags: ['--grpc-port', '7', '--multi-agent-mode', 'unified', '--agent-id', 'A'],
      env: { MEMORY_GRPC_PORT: '8' },
      file: null,
    });
    expect(readMemoryConfig(flagged, { MEMORY_GRPC_PORT: '8' }).settings).toMatchObject({
      grpc_port: 7,
      multi_agent_mode: 'unified',
      agent_id: 'A',
    });
    expect(() => readMemoryConfig(config({ MEMORY_CONFIG: '/no/such/file' }), {})).toThrow(
      BadSettings,
    );
  });
});
