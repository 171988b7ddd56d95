import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/host/folders.ts';
import { installOnce } from '../../src/host/install.ts';
import { answers, freePort } from '../../src/host/ports.ts';
import { eventually } from './outbox.ts';
import { folderOf, type PythonPackages, pythonMissing } from './python.ts';

// OpenAI-compatible servers by other people. They are installed into the cache folder, because
// only the conformance test needs them.

/** The answer of each server to a question without a schema, and to one that says "as JSON". */
export const SAID = 'Rome is the capital of Italy.';
export const SAID_JSON = '{"capital":"Rome"}';
export const FOREIGN_KEY = 'sk-conformance-0123456789';

export interface ForeignLlm {
  /** With /v1. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The folder of an npm package of an exact version; null when it can not be installed here.
 * @param name with its version, such as `a@1.0.0`
 */
async function installed(name: string): Promise<string | null> {
  const at = name.lastIndexOf('@');
  const folder = join(cacheFolder(), 'test-servers', name.replaceAll('/', '+'));
  try {
    await installOnce(
      folder,
      { say: () => {}, work: `installing ${name}`, title: `Installing ${name}` },
      async (parts) => {
        const target = join(parts, basename(folder));
        await mkdir(target);
        await writeFile(join(target, 'package.json'), '{"private":true}');
        const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
        const input = { cwd: target, timeout: 300_000 };
        await promisify(execFile)('npm', ['install', ...flags, name], input);
      },
    );
  } catch {
    return null;
  }
  const path = join(folder, 'node_modules', name.slice(0, at));
  return existsSync(path) ? path : null;
}

interface AimockModule {
  readonly LLMock: new (
    options: object,
  ) => {
    readonly url: string;
    onMessage(pattern: RegExp, response: object, options?: object): void;
    onEmbedding(pattern: RegExp, response: object): void;
    start(): Promise<unknown>;
    stop(): Promise<void>;
  };
}

/** aimock of CopilotKit, in this process; null when it can not be installed. */
export async function openAimock(): Promise<ForeignLlm | null> {
  const folder = await installed('@copilotkit/aimock@1.43.0');
  if (folder === null) return null;
  const entry = pathToFileURL(join(folder, 'dist', 'index.js')).href;
  const { LLMock } = (await import(entry)) as AimockModule;
  const mock = new LLMock({ port: 0, logLevel: 'silent', auth: { apiKeys: [FOREIGN_KEY] } });
  mock.onMessage(/as JSON/, { content: SAID_JSON });
  mock.onMessage(/Italy/, { content: SAID });
  mock.onEmbedding(/.*/, { embedding: [0.6, 0.8] });
  await mock.start();
  return { url: `${mock.url}/v1`, close: () => mock.stop() };
}

/** openai-mock-api of patrickjm, in a process of its own; null as openAimock. */
export async function openMockApi(): Promise<ForeignLlm | null> {
  const folder = await installed('openai-mock-api@0.4.0');
  if (folder === null) return null;
  const port = await freePort(0, new Set());
  const flow = (id: string, content: string, said: string) => ({
    id,
    messages: [
      { role: 'system', matcher: 'any' },
      { role: 'user', content, matcher: 'contains' },
      { role: 'assistant', content: said },
    ],
  });
  const config = JSON.stringify({
    apiKey: FOREIGN_KEY,
    port,
    responses: [flow('json', 'as JSON', SAID_JSON), flow('text', 'Italy', SAID)],
  });
  const child: ChildProcess = spawn(
    process.execPath,
    [join(folder, 'dist', 'cli.js'), '--config', '-', '--port', String(port)],
    { stdio: ['pipe', 'ignore', 'ignore'], cwd: dirname(folder) },
  );
  child.stdin?.end(config);
  await eventually('openai-mock-api listens', () => answers(port));
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

const LLMOCK: PythonPackages = { name: 'python-llmock-0.2.2', packages: ['llmock==0.2.2'] };

/**
 * llmock of Julien Rabault (PyPI), in a process of its own. It judges how a client took its faults.
 */
export interface Llmock {
  readonly openai: string;
  readonly anthropic: string;
  /** Queues behaviours, of which each request takes those that match it. */
  plays(...behaviors: readonly object[]): Promise<void>;
  verdict(): Promise<LlmockVerdict>;
  /** Forgets requests and behaviours. */
  reset(): Promise<void>;
  close(): Promise<void>;
}
export interface LlmockVerdict {
  readonly passed: boolean;
  readonly calls: number;
  readonly attempts: number;
  readonly faults_injected: number;
  readonly findings: readonly { readonly code: string; readonly title: string }[];
}

/** Why llmock can not be had here; null when it is there, installed just now if need be. */
export const llmockMissing = () => pythonMissing(LLMOCK);

// Slow enough that a client which stops reading is seen to stop.
const CHUNK_DELAY_MS = 20;

export async function openLlmock(): Promise<Llmock> {
  const port = await freePort(0, new Set());
  const folder = folderOf(LLMOCK);
  const flags = ['--port', port, '--log-level', 'warning', '--stream-chunk-delay-ms'];
  const child = spawn(
    'python3',
    [join(folder, 'bin', 'llmock'), 'serve', ...flags.map(String), String(CHUNK_DELAY_MS)],
    { stdio: 'ignore', env: { ...process.env, PYTHONPATH: folder } },
  );
  await eventually('llmock listens', () => answers(port));
  const origin = `http://127.0.0.1:${port}`;
  const admin = async (path: string, init: RequestInit = {}) => {
    const input = { headers: { 'content-type': 'application/json' }, ...init };
    const response = await fetch(`${origin}/_llmock/${path}`, input);
    if (!response.ok) throw new Error(`llmock: ${response.status} ${await response.text()}`);
    return response.json() as Promise<unknown>;
  };
  return {
    openai: `${origin}/v1`,
    anthropic: `${origin}/anthropic/v1`,
    async plays(...behaviors) {
      await admin('scenario', { method: 'POST', body: JSON.stringify({ behaviors }) });
    },
    verdict: async () => (await admin('verdict')) as LlmockVerdict,
    async reset() {
      await admin('reset', { method: 'POST' });
    },
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}
