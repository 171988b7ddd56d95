import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MissingTool } from '../../host/child.ts';
import { buildConsole } from '../../host/console.ts';
import { ensureStack, type Stack } from '../../host/ensure.ts';
import { dataFolder } from '../../host/folders.ts';
import { startApi } from '../api.ts';
import { BadSettings, type Config, helpText, loadConfig } from '../config/config.ts';
import { logPathOf } from '../config/configured.ts';
import type { LocalConfig } from '../config/local-data.ts';
import { findTour, loadExamples } from '../examples.ts';
import { planAhead } from '../first-use.ts';
import { startGgufProcess, wantsGguf, withGguf } from '../gguf-llm-process.ts';
import { startWorkerHttp } from '../http/worker-http.ts';
import { switchedModel } from '../language-model-switch.ts';
import { startLocalLlmProcess } from '../local-llm-process.ts';
import { type Terminal, withChosenModel } from '../model-offer.ts';
import { Opened } from '../opened.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { bundleOf, startWorkers } from '../worker.ts';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const startedMs = performance.now();
/** Work that no person waits for begins at the latest this time after the API serves. */
const START_MS_MAX = 60_000;
/** The longest wait for the model of vectors before statements are planned. */
const PREPARE_MS_MAX = 15_000;

function say(line: string): void {
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1).padStart(6);
  for (const part of line.split('\n')) console.log(`${seconds} s  ${part}`);
}

interface Starting {
  readonly opened: Opened;
  /** Stop the servers that this process started; after the product, which needs them to close. */
  readonly servers: ((graceMs: number) => Promise<void>)[];
  /** Aborts when the process has been told to stop. */
  readonly stopping: AbortSignal;
  /** Ends the process: it can not continue without the part that failed. */
  endWith(error: Error): void;
}

/**
 * `npm start`: finds or starts Neo4j and Temporal, migrates the graph, loads the system's Tools and
 * the tour, starts the API and the Workers, runs the tour when it is new and serves until Ctrl-C.
 * It then stops the servers that it started; the data stays.
 */
async function start(
  loaded: Config,
  { opened, servers, stopping, endWith }: Starting,
): Promise<void> {
  const dataDir = resolve(loaded.dataDir ?? dataFolder(loaded.instance));
  const given = await withChosenModel(loaded, dataDir, terminal(), stopping);
  if (stopping.aborted) return;
  const servesWorkers = given.role !== 'api';
  const servesApi = given.role !== 'worker';
  // Slow steps run in parallel. Each is registered as it opens, so that a failure closes the
  // others.
  const [stack, localLlmPort, ggufUrl] = await together(
    ensureStack({ instance: given.instance, onProgress: say, settings: given }).then((found) => {
      if (found.way !== 'given') servers.push((graceMs) => found.stop(graceMs));
      void found.failed.then(endWith);
      return found;
    }),
    given.localLlm ? openLocalLlm(given, dataDir, servers) : given.localLlmPort,
    wantsGguf(given) ? openGguf(given, dataDir, servers) : null,
    servesWorkers ? bundleOf(given) : null,
    servesApi ? buildConsoleIfPossible() : null,
  );
  if (stopping.aborted) return;

  const { promise: startOver, resolve: endStart } = Promise.withResolvers<void>();
  const settings: Config = {
    ...(ggufUrl === null ? given : withGguf(given, ggufUrl)),
    dataDir,
    localLlmPort,
    neo4jUri: stack.env.NEO4J_URI,
    neo4jUser: stack.env.NEO4J_USER,
    neo4jPassword: stack.env.NEO4J_PASSWORD,
    temporalAddress: stack.env.TEMPORAL_ADDRESS,
    temporalUi: stack.env.TEMPORAL_UI ?? given.temporalUi,
    platformPorts: [...given.platformPorts, ...(stack.env.AIDEN_PLATFORM_PORTS?.split(',') ?? [])],
  };
  const runtime = await openRuntime(settings, startOver);
  opened.add('the connections', (withinMs) => runtime.close(withinMs));
  stack.onEnded((server) => runtime.noteOutage(server));
  stack.onPlatformPorts((ports) => runtime.egress.closePorts(ports));
  const { config, migrations, newKeyFile } = runtime;
  if (newKeyFile !== null)
    say(
      `Generated a key for stored Secrets: ${newKeyFile}. Back it up with the data: without ` +
        'it the Secrets are lost.',
    );
  if (migrations.length > 0)
    say(`Applied ${migrations.length} migrations to the graph, up to ${migrations.at(-1)}`);
  let hasNewTour = false;
  if (servesApi) {
    const { names, kept } = await loadExamples(runtime.deps, config);
    hasNewTour = names.includes('tour');
    if (names.length > 0)
      say(`Loaded ${names.map((name) => `examples/${name}.yaml`).join(' and ')}`);
    if (kept.length > 0) say(`Kept as an admin edited them: ${kept.join(', ')}`);
    say(modelLine(config));
  }
  if (stopping.aborted) return;

  if (servesApi) keepPlanned(runtime, stack, stopping, endStart);
  if (servesWorkers) {
    const workers = await startWorkers(runtime, servesApi ? startOver : undefined);
    opened.add('the Workers', () => workers.stop());
    say('The Workers are running.');
  }
  if (!servesApi) {
    const http = await startWorkerHttp(runtime);
    if (http !== null) {
      opened.add("the Workers' HTTP", () => http.stop());
      say(`Health and metrics of these Workers: ${http.url}/health, /ready, /metrics`);
    }
  }
  if (stopping.aborted || !servesApi) return;
  setTimeout(endStart, START_MS_MAX).unref();
  const api = await startApi(runtime);
  opened.add('the API', (withinMs) => api.stop(withinMs));
  say(`The API serves ${api.url}/graphql`);
  const tourId =
    (config.tour ?? hasNewTour) && config.auth === 'dev' && servesWorkers
      ? await findTour(runtime)
      : null;
  if (tourId !== null) {
    say(
      'Running the tour: a Process with four parallel Tools, a sub-process per paragraph, and ' +
        'a condition',
    );
    await runTour(api.url, tourId, stopping);
  }
  if (!stopping.aborted) console.log(whatNext(api.url, config));
}

/**
 * Lets Neo4j plan the first statements, now and after each start of Neo4j. The indexes of vectors
 * are made before: a new index throws all plans away (docs/decisions/0139).
 */
function keepPlanned(
  { graph, log, deps: { embeddings } }: Pick<Runtime, 'graph' | 'log' | 'deps'>,
  stack: Stack,
  stopping: AbortSignal,
  onPlanned: () => void,
): void {
  let planning = new AbortController();
  const plan = () => {
    planning.abort();
    planning = new AbortController();
    const ending = AbortSignal.any([stopping, planning.signal]);
    let isPlanning = false;
    const prepared = embeddings.prepare().catch((error: unknown) => {
      log.debug('The indexes of vectors wait for their model', { error });
      return false;
    });
    void Promise.race([prepared, sleep(PREPARE_MS_MAX, undefined, { ref: false })])
      .then(() => {
        isPlanning = true;
        return planAhead(graph, log, ending);
      })
      .finally(onPlanned);
    // The model came late, and its indexes threw the plans away.
    void prepared.then((hasMade) => {
      if (hasMade && isPlanning && !ending.aborted) plan();
    });
  };
  plan();
  // Neo4j keeps plans in memory alone.
  stack.onEnded((server) => {
    if (server === 'neo4j') plan();
  });
}

/**
 * Builds the console unless it is up to date. Without Vite (an image without development packages)
 * the API serves the console of the image, or none.
 */
async function buildConsoleIfPossible(): Promise<void> {
  try {
    await buildConsole(say);
  } catch (error) {
    say(`The console could not be built, so the last build is served: ${messageOf(error)}`);
  }
}

async function openLocalLlm(
  config: Config,
  dataDir: string,
  servers: Starting['servers'],
): Promise<number> {
  const localLlm = await startLocalLlmProcess(dataDir, config.localLlmPort, say);
  servers.push((graceMs) => localLlm.stop(graceMs));
  say(`local-llm ${localLlm.isOurs ? 'listens' : 'already listens'} on ${localLlm.url}`);
  return localLlm.port;
}

async function openGguf(
  config: Config,
  dataDir: string,
  servers: Starting['servers'],
): Promise<string> {
  const server = await startGgufProcess(dataDir, config, say);
  servers.push((graceMs) => server.stop(graceMs));
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
      env: { ...process.env, AIDEN_TOKEN: 'dev:dev:admin' },
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

function whatNext(url: string, config: LocalConfig): string {
  const logPath = logPathOf(config);
  const curl =
    `curl -s ${url}/graphql -H 'content-type: application/json' -d '{"query":"{ viewer { name } ` +
    `processes { nodes { name } } }"}'`;
  return [
    '',
    `  Open            ${url}/console/`,
    ...(config.auth === 'dev'
      ? [`  GraphiQL        ${url}/graphql`]
      : [`  GraphQL         ${url}/graphql`]),
    ...(config.temporalUi === undefined ? [] : [`  Temporal's UI   ${config.temporalUi}`]),
    `  Neo4j           ${config.neo4jUri} (user ${config.neo4jUser})`,
    ...(logPath === null ? [] : [`  Log             ${logPath}`]),
    `  Again           npx aiden --url ${url} run tour --context @examples/tour-context.json ` +
      '--watch',
    `  Or              ${curl}`,
    '',
    '  Ctrl-C stops everything this started; the data stays.',
    '',
  ].join('\n');
}

/** Null where no person can answer: in a pipe, a service or CI. */
function terminal(): Terminal | null {
  const { stdin: input, stdout: output, env } = process;
  return input.isTTY && output.isTTY && !env['CI'] ? { input, output } : null;
}

/** The model of the shipped Tools, and without one how to get a better one. */
function modelLine(config: Config): string {
  const model = switchedModel(config);
  return model === null
    ? 'The shipped Tools quote with local-llm. For a real model: npm start -- --llm-url URL ' +
        '--llm-model NAME, or --llm gguf:/path/model.gguf (docs/models.md)'
    : `The shipped Tools ask ${model.model} at ${model.endpoint}; "npx aiden doctor" tries it`;
}

function messageOf(error: unknown): string {
  if (isPortTaken(error))
    return (
      `Port ${error.port} of ${error.address} is taken, perhaps by another start: end that ` +
      'program, or choose another port (--port).'
    );
  return error instanceof Error ? error.message : String(error);
}

const isPortTaken = (error: unknown): error is Error & { port: number; address: string } =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** Time from Ctrl-C, or the end of the terminal, to the end of all processes. */
const INTERRUPTED_MS_MAX = 8_500;
/** The same from SIGTERM, which service managers send: steps get time to end. */
const TERMINATED_MS_MAX = 28_000;
/** The part of this time that the product may take where it started servers, which get the rest. */
const PRODUCT_SHARE = 0.5;

/** Closes the product, then the servers that were started for it. */
async function closeAll(
  { opened, servers }: Pick<Starting, 'opened' | 'servers'>,
  withinMs: number,
): Promise<void> {
  const endMs = performance.now() + withinMs;
  await opened.close(servers.length === 0 ? withinMs : withinMs * PRODUCT_SHARE);
  const graceMs = Math.max(1_000, endMs - performance.now());
  await Promise.allSettled(servers.map((stop) => stop(graceMs)));
}

async function main(): Promise<void> {
  const flags = process.argv.slice(2);
  if (flags.includes('--help') || flags.includes('-h')) return void console.log(helpText());
  const opened = new Opened((name, error) =>
    console.error(`Stopping ${name} failed: ${messageOf(error)}`),
  );
  const servers: Starting['servers'] = [];
  const stopping = new AbortController();
  const stopped = Promise.withResolvers<void>();
  let withinMs = TERMINATED_MS_MAX;
  const stop = () => {
    stopping.abort();
    stopped.resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      // A second signal exits at once. Servers that we started end with this process anyway.
      if (stopping.signal.aborted) process.exit(130);
      if (signal !== 'SIGTERM') withinMs = INTERRUPTED_MS_MAX;
      console.log('\nStopping …');
      stop();
    });
  const endWith = (error: Error) => {
    if (stopping.signal.aborted) return;
    console.error(messageOf(error));
    process.exitCode = 1;
    stop();
  };
  // Keeps the process alive while it only waits for a signal.
  const alive = setInterval(() => {}, 60_000);
  try {
    const starting = { opened, servers, stopping: stopping.signal, endWith };
    await Promise.race([start(loadConfig(flags), starting), stopped.promise]);
    await stopped.promise;
  } catch (error) {
    if (!stopping.signal.aborted) {
      const isPlain = error instanceof BadSettings || error instanceof MissingTool;
      console.error(isPlain ? error.message : `The start failed. ${messageOf(error)}`);
      if (!isPlain && process.env['AIDEN_LOG_LEVEL'] === 'debug') console.error(error);
      process.exitCode = 1;
    }
  } finally {
    await closeAll({ opened, servers }, withinMs);
    clearInterval(alive);
  }
  // A library's open timer must not keep the process alive.
  process.exit();
}

await main();
