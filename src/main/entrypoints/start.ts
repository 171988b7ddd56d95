import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { MissingTool } from '../../../stack/child.ts';
import { ensureStack } from '../../../stack/ensure.ts';
import { dataFolder } from '../../../stack/folders.ts';
import { startApi } from '../api.ts';
import { BadSettings, type Config, helpText, loadConfig } from '../config/config.ts';
import { findTour, loadExamples } from '../examples.ts';
import { startGgufProcess, wantsGguf, withGguf } from '../gguf-llm-process.ts';
import { startWorkerHttp } from '../http/worker-http.ts';
import { switchedModel } from '../language-model-switch.ts';
import { startLocalLlmProcess } from '../local-llm-process.ts';
import { Opened } from '../opened.ts';
import { openRuntime } from '../runtime.ts';
import { bundleOf, startWorkers } from '../worker.ts';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const startedMs = performance.now();

function say(line: string): void {
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1).padStart(6);
  for (const part of line.split('\n')) console.log(`${seconds} s  ${part}`);
}

/**
 * `npm start`: finds or starts Neo4j and Temporal, migrates the graph, loads the system's Tools and
 * the tour, starts the API and the Workers, runs the tour once and serves until Ctrl-C. It then
 * stops the servers that it started; the data stays.
 */
async function start(given: Config, opened: Opened, stopping: AbortSignal): Promise<void> {
  const servesWorkers = given.role !== 'api';
  const servesApi = given.role !== 'worker';
  const dataDir = resolve(given.dataDir ?? dataFolder(given.instance));
  // Slow steps run in parallel. Each is registered as it opens, so that a failure closes the
  // others.
  const [stack, localLlmPort, ggufUrl] = await together(
    ensureStack({ instance: given.instance, onProgress: say, settings: given }).then((found) => {
      opened.add('Neo4j and Temporal', () => found.stop());
      return found;
    }),
    given.localLlm ? openLocalLlm(given, dataDir, opened) : given.localLlmPort,
    wantsGguf(given) ? openGguf(given, dataDir, opened) : null,
    servesWorkers ? bundleOf(given) : null,
  );
  if (stopping.aborted) return;

  const runtime = await openRuntime({
    ...(ggufUrl === null ? given : withGguf(given, ggufUrl)),
    dataDir,
    localLlmPort,
    neo4jUri: stack.env.NEO4J_URI,
    neo4jUser: stack.env.NEO4J_USER,
    neo4jPassword: stack.env.NEO4J_PASSWORD,
    temporalAddress: stack.env.TEMPORAL_ADDRESS,
    temporalUi: stack.env.TEMPORAL_UI ?? given.temporalUi,
    platformPorts: [...given.platformPorts, ...(stack.env.AIDEN_PLATFORM_PORTS?.split(',') ?? [])],
  });
  opened.add('the connections', () => runtime.close());
  const { config, migrations, newKeyFile } = runtime;
  if (newKeyFile !== null)
    say(
      `Generated a key for stored Secrets: ${newKeyFile}. Back it up with the data: without it the Secrets are lost.`,
    );
  if (migrations.length > 0)
    say(`Applied ${migrations.length} migrations to the graph, up to ${migrations.at(-1)}`);
  if (servesApi) {
    const { names, kept } = await loadExamples(runtime.deps, config);
    if (names.length > 0)
      say(`Loaded ${names.map((name) => `examples/${name}.yaml`).join(' and ')}`);
    if (kept.length > 0) say(`Kept as an admin edited them: ${kept.join(', ')}`);
    say(modelLine(config));
  }
  if (stopping.aborted) return;

  if (servesWorkers) {
    const workers = await startWorkers(runtime);
    opened.add('the Workers', () => workers.stop());
    say('The Workers are running.');
    void workers.failed.then((error) => {
      console.error(`A Worker ended: ${messageOf(error)}`);
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    });
  }
  if (!servesApi) {
    const http = await startWorkerHttp(runtime);
    if (http !== null) {
      opened.add("the Workers' HTTP", () => http.stop());
      say(`Health and metrics of these Workers: ${http.url}/health, /ready, /metrics`);
    }
  }
  if (stopping.aborted || !servesApi) return;
  const api = await startApi(runtime);
  opened.add('the API', () => api.stop());
  say(`The API serves ${api.url}/graphql`);

  const tourId =
    config.tour && config.auth === 'dev' && servesWorkers ? await findTour(runtime) : null;
  if (tourId !== null) {
    say(
      'Running the tour: a Process with four parallel Tools, a sub-process per paragraph, and a condition',
    );
    await runTour(api.url, tourId, stopping);
  }
  if (!stopping.aborted) console.log(whatNext(api.url, config));
}

async function openLocalLlm(config: Config, dataDir: string, opened: Opened): Promise<number> {
  const localLlm = await startLocalLlmProcess(dataDir, config.localLlmPort);
  opened.add('local-llm', () => localLlm.stop());
  say(`local-llm ${localLlm.isOurs ? 'listens' : 'already listens'} on ${localLlm.url}`);
  return localLlm.port;
}

async function openGguf(config: Config, dataDir: string, opened: Opened): Promise<string> {
  const server = await startGgufProcess(dataDir, config, say);
  opened.add('gguf-llm', () => server.stop());
  say(`gguf-llm ${server.isOurs ? 'listens' : 'already listens'} on ${server.url}`);
  return server.url;
}

/** Waits for all, then throws the first failure if there was one. */
async function together<T extends readonly unknown[]>(
  ...work: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(work);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}

/** Runs the tour as a user would: from the terminal, over the public API. */
function runTour(url: string, id: string, stopping: AbortSignal): Promise<void> {
  const args = [
    'cli/aiden.js',
    '--url',
    url,
    'run',
    id,
    '--context',
    '@examples/tour-context.json',
    '--watch',
  ];
  return new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: CHECKOUT,
      stdio: ['ignore', 'inherit', 'inherit'],
      signal: stopping,
    });
    child.once('error', (error) => {
      if (!stopping.aborted) say(`The tour could not be run: ${error.message}`);
      done();
    });
    child.once('exit', (code) => {
      if (code !== 0 && !stopping.aborted)
        say(`The tour did not complete (${code}); everything else is running.`);
      done();
    });
  });
}

function whatNext(url: string, config: Config): string {
  const curl = `curl -s ${url}/graphql -H 'content-type: application/json' -d '{"query":"{ viewer { name } processes { nodes { name } } }"}'`;
  return [
    '',
    ...(config.auth === 'dev'
      ? [`  GraphiQL        ${url}/graphql`]
      : [`  GraphQL         ${url}/graphql`]),
    ...(config.temporalUi === undefined ? [] : [`  Temporal's UI   ${config.temporalUi}`]),
    `  Neo4j           ${config.neo4jUri} (user ${config.neo4jUser})`,
    `  Again           npx aiden --url ${url} run tour --context @examples/tour-context.json --watch`,
    `  Or              ${curl}`,
    '',
    '  Ctrl-C stops everything this started; the data stays.',
    '',
  ].join('\n');
}

/** The model of the shipped Tools, and without one how to get a better one. */
function modelLine(config: Config): string {
  const model = switchedModel(config);
  return model === null
    ? 'The shipped Tools quote with local-llm. For a real model: npm start -- --llm-url URL --llm-model NAME, or --llm gguf:/path/model.gguf (docs/models.md)'
    : `The shipped Tools ask ${model.model} at ${model.endpoint}; "npx aiden doctor" tries it`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
  const flags = process.argv.slice(2);
  if (flags.includes('--help') || flags.includes('-h')) return void console.log(helpText());
  const opened = new Opened((name, error) =>
    console.error(`Stopping ${name} failed: ${messageOf(error)}`),
  );
  const stopping = new AbortController();
  const stopped = new Promise<void>((done) => {
    let times = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // A second signal exits at once. Servers that we started end with this process anyway.
        if (++times > 1) process.exit(130);
        console.log('\nStopping …');
        stopping.abort();
        done();
      });
    }
  });
  // Keeps the process alive while it only waits for a signal.
  const alive = setInterval(() => {}, 60_000);
  try {
    await start(loadConfig(flags), opened, stopping.signal);
    await stopped;
  } catch (error) {
    if (!stopping.signal.aborted) {
      const isPlain = error instanceof BadSettings || error instanceof MissingTool;
      console.error(isPlain ? error.message : `The start failed. ${messageOf(error)}`);
      if (!isPlain && process.env['AIDEN_LOG_LEVEL'] === 'debug') console.error(error);
      process.exitCode = 1;
    }
  } finally {
    await opened.close();
    clearInterval(alive);
  }
  // A library's open timer must not keep the process alive.
  process.exit();
}

await main();
