import { describe, expect, it } from 'vitest';
import {
  BadSettings,
  type ConfigSources,
  helpText,
  readConfig,
} from '../../src/main/config/config.ts';
import { SETTINGS } from '../../src/main/config/settings.ts';

const read = (sources: Partial<ConfigSources> = {}) =>
  readConfig({ flags: [], env: {}, file: null, ...sources });
const file = (text: string) => ({ name: 'aiden.yaml', text });

function problemsOf(sources: Partial<ConfigSources>): Record<string, string> {
  try {
    read(sources);
  } catch (error) {
    if (error instanceof BadSettings) {
      return Object.fromEntries(error.problems.map(({ setting, message }) => [setting, message]));
    }
    throw error;
  }
  return {};
}

describe('settings', () => {
  it('are safe without any: loopback, dev, no other caller', () => {
    expect(read()).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      auth: 'dev',
      corsOrigins: [],
      egressAllow: [],
      platformPorts: [],
      role: 'all',
    });
  });

  it('take flags first, then the environment, then the file, then defaults', () => {
    const sources = {
      file: file('port: 1\nlogLevel: warn\nhost: localhost'),
      env: { AIDEN_PORT: '2', AIDEN_LOG_LEVEL: 'error' },
    };
    expect(read({ ...sources, flags: ['--port', '3'] })).toMatchObject({
      port: 3,
      logLevel: 'error',
      host: 'localhost',
    });
    expect(read(sources).port).toBe(2);
    expect(read({ file: sources.file }).port).toBe(1);
  });

  it('read lists, switches and the usual names of Neo4j and Temporal', () => {
    const config = read({
      flags: ['--no-tour', '--temporal-tls', '--metrics=off'],
      env: {
        NEO4J_URI: 'neo4j+s://db.example.com',
        TEMPORAL_ADDRESS: 'temporal:7233',
        AIDEN_EGRESS_ALLOW: '10.0.0.0/8, ollama:11434',
      },
    });
    expect(config).toMatchObject({
      tour: false,
      temporalTls: true,
      metrics: false,
      neo4jUri: 'neo4j+s://db.example.com',
      temporalAddress: 'temporal:7233',
      egressAllow: ['10.0.0.0/8', 'ollama:11434'],
    });
  });

  it('treat an empty variable as not set', () => {
    const config = read({ env: { AIDEN_PORT: '', NEO4J_URI: '' } });
    expect(config.port).toBe(4000);
    expect(config.neo4jUri).toBeUndefined();
  });

  it('name every bad value, its source and the allowed values, all at once', () => {
    const problems = problemsOf({
      flags: ['--role', 'boss', '--prot', '4'],
      env: {
        AIDEN_PORT: '70000',
        NEO4J_URI: 'http://x',
        AIDEN_CORS_ORIGINS: 'https://a.example/path',
        AIDEN_WORKERS_LLM_CALL: '-1',
      },
      file: file('metrics: perhaps\nprot: 1'),
    });
    expect(problems).toEqual({
      '--role': 'has to be one of all, api, worker, not "boss".',
      '--prot': 'is no setting (did you mean --port?). --help lists them.',
      AIDEN_PORT: 'has to be at most 65535, not "70000".',
      NEO4J_URI: expect.stringContaining('bolt://'),
      AIDEN_CORS_ORIGINS: expect.stringContaining('without a path'),
      AIDEN_WORKERS_LLM_CALL: expect.stringContaining('from 0 to 1000'),
      'metrics in aiden.yaml': 'has to be on or off, not "perhaps".',
      'prot in aiden.yaml': 'is no setting (did you mean port?).',
    });
  });

  it.each(['0.0.0.0', '192.168.1.5', 'api.example.com', '::', '127.0.0.1.example.com'])(
    'refuse dev on %s, where any caller could claim any name',
    (host) => {
      expect(problemsOf({ env: { AIDEN_HOST: host } })['AIDEN_AUTH']).toContain(
        `while AIDEN_HOST is ${host}`,
      );
    },
  );

  it('want a key, an issuer and an audience for tokens', () => {
    expect(Object.keys(problemsOf({ env: { AIDEN_AUTH: 'jwt' } }))).toEqual([
      'AIDEN_AUTH',
      'AIDEN_JWT_ISSUER',
      'AIDEN_JWT_AUDIENCE',
    ]);
    const env = {
      AIDEN_HOST: '0.0.0.0',
      AIDEN_JWT_SECRET: 'k'.repeat(32),
      AIDEN_JWT_ISSUER: 'us',
      AIDEN_JWT_AUDIENCE: 'aiden',
    };
    expect(read({ env }).auth).toBe('jwt');
    expect(
      Object.keys(problemsOf({ env: { ...env, AIDEN_JWKS_URL: 'https://id.example.com/keys' } })),
    ).toEqual(['AIDEN_JWT_SECRET']);
  });

  it('never show a secret: not in a problem, not in the listing, not as a flag', () => {
    const secret = 'hunter2-hunter2';
    const bad = problemsOf({
      env: { AIDEN_JWT_SECRET: secret, AIDEN_SECRET_KEYS: `1:${secret}` },
      flags: ['--llm-api-key', secret],
    });
    expect(Object.keys(bad)).toEqual(
      ['--llm-api-key', 'AIDEN_JWT_SECRET', 'AIDEN_SECRET_KEYS'].sort(),
    );
    expect(JSON.stringify(bad)).not.toContain(secret);
  });

  it('of the language model go together, and every fault is named at once', () => {
    expect(
      read({ flags: ['--llm-url', 'http://10.0.0.5:8000/v1', '--llm-model', 'qwen'] }),
    ).toMatchObject({ llmUrl: 'http://10.0.0.5:8000/v1', llmModel: 'qwen' });
    // A key alone is a Secret for Tools that an admin makes.
    expect(read({ env: { AIDEN_LLM_API_KEY: 'sk-1' } }).llmApiKey).toBe('sk-1');
    expect(problemsOf({ env: { AIDEN_LLM_URL: 'ftp://x', AIDEN_LLM_API: 'gemini' } })).toEqual({
      AIDEN_LLM_URL: 'has to be an address that begins with http:// or https://, not "ftp://x".',
      AIDEN_LLM_API: 'has to be one of openai, anthropic, not "gemini".',
      AIDEN_LLM_MODEL:
        'has to be set with AIDEN_LLM_URL: the name that the server gives its model.',
    });
    expect(Object.keys(problemsOf({ flags: ['--llm-model', 'x', '--llm-api', 'openai'] }))).toEqual(
      ['AIDEN_LLM_MODEL', 'AIDEN_LLM_API'],
    );
  });

  it('name a model that Aiden runs itself, instead of an address', () => {
    expect(
      read({ flags: ['--llm', 'gguf:/models/a.gguf'], env: { HF_ENDPOINT: 'http://mirror:8080' } }),
    ).toMatchObject({
      llm: 'gguf:/models/a.gguf',
      llmThreads: 0,
      llmContext: 8_192,
      llmQueue: 32,
      hubUrl: 'http://mirror:8080',
    });
    const bad = problemsOf({
      flags: ['--llm', '/models/a.gguf', '--embeddings', 'hf:a/b:c.gguf', '--llm-context', '9'],
      env: { AIDEN_EMBEDDINGS_URL: 'http://x/v1', AIDEN_LLM_URL: 'http://x/v1', HF_TOKEN: '' },
    });
    expect(bad).toEqual({
      '--llm': expect.stringContaining('gguf:/path/model.gguf or hf:owner/name:file.gguf'),
      '--llm-context': 'has to be at least 512, not "9".',
      AIDEN_LLM: 'and AIDEN_LLM_URL exclude one another; set one.',
      AIDEN_EMBEDDINGS: 'and AIDEN_EMBEDDINGS_URL exclude one another; set one.',
      AIDEN_LLM_MODEL: expect.stringContaining('has to be set with AIDEN_LLM_URL'),
    });
  });

  it.each([
    ['https://api.example/v1/chat/completions', 'comes before'],
    ['https://api.example/v1?x=1', 'without ?'],
    ['https://me:hunter2@api.example/v1', 'without user'],
  ])('refuse %s as the address of a model', (url, message) => {
    const { AIDEN_LLM_URL: said } = problemsOf({
      env: { AIDEN_LLM_URL: url, AIDEN_LLM_MODEL: 'm' },
    });
    expect(said).toContain(message);
    expect(said).not.toContain('hunter2');
  });

  it('are all in --help, with environment name and default', () => {
    const help = helpText();
    for (const { env, description, flag, secret } of SETTINGS) {
      expect(help).toContain(env[0]);
      expect(help).toContain(description);
      if (!secret) expect(help).toContain(flag);
    }
  });

  it('say that a file is not YAML or not settings', () => {
    expect(problemsOf({ file: file('a: [') })['aiden.yaml']).toMatch(/^is not YAML/);
    expect(problemsOf({ file: file('- a') })['aiden.yaml']).toBe('has to hold names and values.');
  });
});
