import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../../src/host/ports.ts';
import { ensureBaseImages } from './base-images.ts';
import { CHECKOUT, type Engine, openEngine } from './engine.ts';
import { Installation, newSecrets } from './installation.ts';
import { checkManifests } from './manifests.ts';

// `npm run containers`: runs docker-compose.yml on a real engine. It is no part of `npm test`,
// since it needs Docker (docs/decisions/0059). Words select steps: `npm run containers -- images up
// crashes`.

const HEALTHY_MS = 600_000;
const RUN_MS = 300_000;
const PASSPHRASE = 'a passphrase of the container suite';
const CRASHES = ['worker-rest-call', 'redis', 'api', 'temporal', 'neo4j'] as const;
const RUNS_PER_CRASH = 4;

const startedMs = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - startedMs) / 1_000).toFixed(1).padStart(7)} s  ${line}`);

function check(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

/** Seconds that the work took, with one digit. */
async function secondsOf(work: () => Promise<unknown>): Promise<string> {
  const fromMs = performance.now();
  await work();
  return `${((performance.now() - fromMs) / 1_000).toFixed(1)} s`;
}

async function images({ docker }: Engine, first: Installation): Promise<void> {
  const built = await secondsOf(() => first.compose(['build']));
  for (const image of ['aiden:local', 'aiden-temporal:local']) {
    const size = Number(await docker(['image', 'inspect', '-f', '{{.Size}}', image]));
    say(`  the image ${image} has ${Math.round(size / 1e6)} MB`);
  }
  say(`  built in ${built}`);
  const inside = (command: string) =>
    docker(['run', '--rm', '--entrypoint', 'sh', 'aiden:local', '-c', command]);
  check((await inside('id -u')).trim() !== '0', 'The image runs as root.');
  const waste = await inside(
    'cd /app && ls -d test bench docs faults deploy stack/containers console/src ' +
      'node_modules/vite node_modules/vitest node_modules/react node_modules/typescript ' +
      'node_modules/@biomejs 2>/dev/null || true',
  );
  check(waste.trim() === '', `The image holds what it does not need: ${waste}`);
}

async function up(first: Installation): Promise<void> {
  const scales = ['worker-llm-call=2', 'worker-rest-call=2'].flatMap((one) => ['--scale', one]);
  const started = await secondsOf(async () => {
    await first.compose(['up', '-d', ...scales]);
    await first.healthy(HEALTHY_MS);
  });
  say(`  all containers were healthy after ${started}`);
  const containers = await first.containers();
  check(containers.length === 10, `${containers.length} containers run, not 10.`);
  for (const { name, isReadOnly } of containers)
    check(isReadOnly || name.includes('-neo4j-'), `${name} may write its files.`);
  for (const service of ['neo4j', 'temporal', 'redis', 'api', 'worker-llm-call']) {
    const uid = (await first.compose(['exec', '-T', service, 'cat', '/proc/1/status']))
      .match(/^Uid:\s+(\d+)/m)
      ?.at(1);
    check(uid !== undefined && uid !== '0', `${service} runs as root.`);
  }
  await servesConsole(first);
  const { health } = await first.query(Health, '{ health { status neo4j temporal eventBus } }');
  check(
    Object.values(health).every((part) => part === 'HEALTHY'),
    `The API reports ${JSON.stringify(health)}.`,
  );
}

/** The image holds the built console: a browser that opens the address gets its page and assets. */
async function servesConsole({ url }: Installation): Promise<void> {
  const page = await fetch(url);
  const html = await page.text();
  check(page.ok && html.startsWith('<!doctype html>'), `GET / answers ${page.status}: ${html}`);
  const assets = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(
    ([, path]) => path,
  );
  check(assets.length >= 2, `The page of the console names ${assets.length} assets.`);
  for (const path of assets) {
    const { status } = await fetch(`${url}${path}`);
    check(status === 200, `The asset ${path} answers ${status}.`);
  }
}

const Health = z.object({ health: z.record(z.string(), z.string()) });
const Started = z.object({
  startProcessRun: z.object({
    run: z.object({ id: z.string() }).nullable(),
    userErrors: z.array(z.object({ message: z.string() })),
  }),
});
const Ended = z.object({
  processRun: z.object({
    status: z.string(),
    output: z.string().nullable(),
    steps: z.array(z.object({ stepId: z.string(), status: z.string() })),
  }),
});
const Tours = z.object({
  processes: z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) }),
});

async function startTour(installation: Installation): Promise<string> {
  const context: unknown = JSON.parse(
    await readFile(join(CHECKOUT, 'examples/tour-context.json'), 'utf8'),
  );
  const { processes } = await installation.query(
    Tours,
    '{ processes(first: 100) { nodes { id name } } }',
  );
  const tour = processes.nodes.find(({ name }) => name === 'tour');
  if (tour === undefined) throw new Error('The tour is not there.');
  const { startProcessRun } = await installation.query(
    Started,
    'mutation ($input: StartProcessRunInput!) { startProcessRun(input: $input) { run { id } ' +
      'userErrors { message } } }',
    { input: { processId: tour.id, context } },
  );
  if (startProcessRun.run === null) throw new Error(JSON.stringify(startProcessRun.userErrors));
  return startProcessRun.run.id;
}

async function endOf(installation: Installation, id: string) {
  const deadline = performance.now() + RUN_MS;
  for (;;) {
    const { processRun } = await installation.query(
      Ended,
      'query ($id: ID!) { processRun(id: $id) { status output steps { stepId status } } }',
      { id },
    );
    if (!['PENDING', 'RUNNING', 'WAITING'].includes(processRun.status)) return processRun;
    if (performance.now() > deadline) throw new Error(`Run ${id} is still ${processRun.status}.`);
    await sleep(500);
  }
}

async function tour(installation: Installation): Promise<string> {
  const id = await startTour(installation);
  const { status, output } = await endOf(installation, id);
  check(status === 'COMPLETED', `The tour ended as ${status}.`);
  check((output ?? '').length > 0, 'The tour has no output.');
  return id;
}

/** Runs start while a container dies; each ends once, as without the crash. */
async function crashes(installation: Installation): Promise<void> {
  const usual = (await endOf(installation, await tour(installation))).steps.length;
  for (const service of CRASHES) {
    const ids: string[] = [];
    for (let count = 0; count < RUNS_PER_CRASH; count++) ids.push(await startTour(installation));
    await sleep(300);
    const back = await secondsOf(async () => {
      await installation.crash(service);
      await sleep(2_000);
      await installation.healthy(HEALTHY_MS);
    });
    for (const id of ids) {
      const { status, steps } = await endOf(installation, id);
      check(status === 'COMPLETED', `After the crash of ${service} a run ended as ${status}.`);
      check(
        steps.length === usual,
        `After the crash of ${service} a run has ${steps.length} steps.`,
      );
    }
    say(`  ${service} crashed and was healthy after ${back}; ${ids.length} runs ended right`);
  }
}

/** A backup while runs are at work, and a restore into a second installation. */
async function backupAndRestore(first: Installation, second: Installation): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'aiden-archive-'));
  // The container's user writes into it.
  await chmod(folder, 0o777);
  const aiden = (installation: Installation, args: readonly string[]) =>
    installation.compose([
      ...['run', '--rm', '--no-deps', '-T', '-v', `${folder}:/archive`],
      ...['-e', `AIDEN_BACKUP_PASSPHRASE=${PASSPHRASE}`, 'api', 'node', 'cli/aiden.js', ...args],
    ]);
  try {
    const endedRun = await tour(first);
    const open = await startTour(first);
    say(`  ${(await aiden(first, ['backup', '/archive/all.aiden'])).trim()}`);
    await endOf(first, open);
    await first.compose(['down']);
    await second.compose(['up', '-d', '--wait', 'neo4j', 'temporal', 'redis']);
    const restored = await aiden(second, ['restore', '/archive/all.aiden']);
    check(restored.includes('nothing differs'), restored);
    await second.compose(['up', '-d']);
    await second.healthy(HEALTHY_MS);
    const { status, output } = await endOf(second, endedRun);
    check(status === 'COMPLETED' && output !== null, 'A run of before the backup is not there.');
    check((await endOf(second, open)).status === 'COMPLETED', 'The open run did not go on.');
    await tour(second);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Start {
  readonly output: () => string;
  until(text: string): Promise<void>;
  stop(): Promise<number | null>;
}

async function npmStart(
  engine: Engine,
  data: string,
  more: Record<string, string>,
): Promise<Start> {
  const { NEO4J_URI: _uri, TEMPORAL_ADDRESS: _address, AIDEN_STACK: _stack, ...env } = process.env;
  const child = spawn('npm', ['start', '--silent'], {
    cwd: CHECKOUT,
    env: {
      ...env,
      ...engine.env,
      XDG_DATA_HOME: data,
      AIDEN_PORT: String(await freePort(0, new Set())),
      MEMORY_GRPC_PORT: '0',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own group, so that a signal reaches npm and the product as Ctrl-C would.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  let isOver = false;
  void exit.then(() => {
    isOver = true;
  });
  return {
    output: () => output,
    async until(text) {
      while (!output.includes(text)) {
        if (isOver) throw new Error(`npm start ended before it said "${text}":\n${output}`);
        await sleep(200);
      }
    },
    async stop() {
      if (!isOver && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      return exit;
    },
  };
}

/** The Compose project of an instance, as its file of state has it. */
async function projectIn(file: string): Promise<string> {
  const state: unknown = JSON.parse(await readFile(file, 'utf8'));
  return z.object({ project: z.string() }).parse(state).project;
}

/** `npm start` on a machine with Docker, and where Docker can not pull an image. */
async function npmStartChooses(engine: Engine): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'aiden-start-'));
  const starts = async (instance: string, says: string, more: Record<string, string> = {}) => {
    const started = await npmStart(engine, data, { AIDEN_INSTANCE: instance, ...more });
    try {
      await started.until(says);
      await started.until('Ctrl-C stops everything');
    } finally {
      await started.stop();
    }
    return started.output();
  };
  let project = '';
  try {
    const docker = 'Running Neo4j and Temporal with Docker Compose.';
    const output = await starts('newcomer', docker);
    project = await projectIn(join(data, 'aiden/newcomer/compose.json'));
    check(output.includes('Running the tour'), 'The tour was not run.');
    check(!/The tour (did not complete|could not be run)/.test(output), output);
    const still = await engine.docker(['ps', '-q', '--filter', `name=${project}`]);
    check(still.trim() === '', 'Containers run on after npm start has ended.');
    await starts('newcomer', docker);
    say('  npm start chose Docker, twice with the same data');

    // An image that no registry has.
    const away = join(data, 'away.yaml');
    const kept = await readFile(join(CHECKOUT, 'docker-compose.yml'), 'utf8');
    await writeFile(away, kept.replace('neo4j:5.26-community', 'neo4j:0.0-not-there'));
    const env = { COMPOSE_FILE: away, COMPOSE_PROJECT_DIRECTORY: CHECKOUT };
    const native = await starts('without-images', 'Starting them natively instead', env);
    const [sentence = ''] = /Docker could not start .+/.exec(native) ?? [];
    check(sentence !== '', native);
    say(`  ${sentence}`);
    check(!existsSync(join(data, 'aiden/without-images/compose.json')), 'A state file is left.');
    say('  npm start went native where an image can not be pulled');
  } finally {
    if (project !== '')
      await engine.docker(['compose', '-p', project, 'down', '-v']).catch(() => {});
    await rm(data, { recursive: true, force: true });
  }
}

/** @param words names of steps; none = all */
async function main(words: readonly string[]): Promise<number> {
  const engine = await openEngine(say);
  const secrets = newSecrets();
  const first = await Installation.plan(engine, 'aiden-suite', secrets);
  const second = await Installation.plan(engine, 'aiden-suite-restored', secrets);
  const all: readonly (readonly [string, string, () => Promise<void>])[] = [
    [
      'manifests',
      'the manifests of Kubernetes are valid',
      async () => say(`  ${await checkManifests()}`),
    ],
    ['images', 'images build, run as a plain user, and hold no tests', () => images(engine, first)],
    ['up', 'all services start healthy, with scaled Workers, read-only', () => up(first)],
    ['crashes', 'the tour runs with a token; crashed containers come back', () => crashes(first)],
    [
      'backup',
      'a backup restores into a second installation',
      () => backupAndRestore(first, second),
    ],
    ['start', 'npm start chooses Docker, or goes native', () => npmStartChooses(engine)],
  ];
  const steps = all.filter(([word]) => words.length === 0 || words.includes(word));
  let passed = 0;
  let name = 'base images are there';
  try {
    await ensureBaseImages(engine, say);
    for (const [, title, step] of steps) {
      name = title;
      say(`${title} …`);
      await step();
      passed++;
      say(`✔ ${title}`);
    }
  } catch (error) {
    say(`✘ ${name}: ${error instanceof Error ? error.message : error}`);
    for (const installation of [first, second])
      console.log(await installation.compose(['logs', '--tail', '15']).catch(() => ''));
  } finally {
    for (const installation of [first, second])
      await installation.compose(['down', '-v', '--remove-orphans']).catch(() => {});
    await engine.stop();
  }
  console.log(`${passed} passed, ${steps.length - passed} failed`);
  return passed === steps.length ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
