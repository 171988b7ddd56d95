import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { runTool, type Say, withProgress } from './child.ts';
import { freePort } from './ports.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const ASK_MS = 4_000;
const GRACE_MS = 20_000;
/** Part of the grace that the client needs for itself. */
const CLIENT_MS = 1_500;

/**
 * Whether Docker with Compose is running; a client without an engine, or one that hangs, is not.
 */
export async function dockerAnswers(): Promise<boolean> {
  try {
    await runTool('docker', ['info', '--format', '{{.ServerVersion}}'], { timeoutMs: ASK_MS });
    await runTool('docker', ['compose', 'version'], { timeoutMs: ASK_MS });
    return true;
  } catch {
    return false;
  }
}

/** Docker runs, but not what it was told to start. The message is one sentence. */
export class DockerFailed extends Error {
  override readonly name = 'DockerFailed';
}

/** Project, password and ports of an instance's containers. */
const ComposeState = z.object({
  /** Absent in instances of before: their project is `aiden-<instance>`. */
  project: z.string().optional(),
  password: z.string(),
  neo4j: z.int(),
  temporal: z.int(),
  ui: z.int(),
});

const stateFileOf = (folder: string) => join(folder, 'compose.json');

/** Whether the data of this instance is in volumes of Docker. */
export function hasDockerData(folder: string): boolean {
  return existsSync(stateFileOf(folder));
}

export interface ComposedStack {
  readonly neo4jUri: string;
  readonly password: string;
  readonly temporalAddress: string;
  /** Undefined unless AIDEN_TEMPORAL_HEADLESS=false: it takes any Host. */
  readonly ui: string | undefined;
  /** @param graceMs time until Docker kills the servers; default 20 s */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Starts the services `neo4j` and `temporal` of docker-compose.yml under their own project.
 * @throws DockerFailed, for example where an image can not be pulled; then nothing new is left
 */
export async function composeUp(
  instance: string,
  folder: string,
  wished: { neo4j: number; temporal: number; ui: number },
  options: { temporary: boolean },
  say: Say,
): Promise<ComposedStack> {
  const stateFile = stateFileOf(folder);
  const kept = await readFile(stateFile, 'utf8').then(
    (text) => ComposeState.parse(JSON.parse(text)),
    () => null,
  );
  // Several test runs may be active, each with its own folder.
  const fresh = options.temporary ? basename(folder).toLowerCase() : newProject(instance);
  const project = kept === null ? fresh : (kept.project ?? `aiden-${instance}`);
  const compose = (args: readonly string[], env: Record<string, string> = {}, timeoutMs?: number) =>
    runTool('docker', ['compose', '-p', project, ...args], {
      cwd: CHECKOUT,
      env,
      ...(timeoutMs ? { timeoutMs } : {}),
    });

  const running = await compose(['ps', '--status', 'running', '--services'], {}, 20_000).catch(
    () => '',
  );
  const isUp = kept !== null && running.includes('neo4j') && running.includes('temporal');
  const taken = new Set<number>();
  const state: z.infer<typeof ComposeState> = isUp
    ? kept
    : {
        project,
        password: kept?.password ?? randomBytes(24).toString('base64url'),
        neo4j: await freePort(wished.neo4j, taken),
        temporal: await freePort(wished.temporal, taken),
        ui: await freePort(wished.ui, taken),
      };
  await writeFile(stateFile, JSON.stringify(state), { mode: 0o600 });
  const env = {
    NEO4J_PASSWORD: state.password,
    AIDEN_NEO4J_PORT: String(state.neo4j),
    AIDEN_TEMPORAL_PORT: String(state.temporal),
    AIDEN_TEMPORAL_UI_PORT: String(state.ui),
  };
  if (isUp) say('The Docker containers of this instance already run; using them.');
  else {
    const title = 'Starting Neo4j and Temporal with Docker Compose (5 minutes the first time)';
    await withProgress(say, title, () =>
      compose(['up', '-d', '--wait', 'neo4j', 'temporal'], env),
    ).catch(async (error: Error) => {
      if (kept === null) {
        await compose(['down', '-v'], env).catch(() => {});
        await rm(stateFile, { force: true });
      }
      throw new DockerFailed(`Docker could not start Neo4j and Temporal: ${causeOf(error)}`);
    });
  }
  return {
    neo4jUri: `bolt://127.0.0.1:${state.neo4j}`,
    password: state.password,
    temporalAddress: `127.0.0.1:${state.temporal}`,
    ui: hasUi() ? `http://127.0.0.1:${state.ui}` : undefined,
    async stop(graceMs = GRACE_MS) {
      if (isUp) return;
      const seconds = Math.max(1, Math.floor((graceMs - CLIENT_MS) / 1_000));
      const timeout = ['--timeout', String(seconds)];
      const { temporary } = options;
      await compose(
        temporary ? ['down', '-v', ...timeout] : ['stop', ...timeout, 'neo4j', 'temporal'],
        env,
      );
    },
  };
}

/** Whether docker-compose.yml starts Temporal's UI. */
const hasUi = (): boolean => process.env['AIDEN_TEMPORAL_HEADLESS'] === 'false';

/**
 * A project that no other user of the engine has: a failed first start removes its containers and
 * volumes, and the default instance has the same name for everyone.
 */
const newProject = (instance: string): string =>
  `aiden-${instance}-${randomBytes(4).toString('hex')}`;

/** The cause in one line; Docker ends its output with it. */
function causeOf({ message }: Error): string {
  const lines = message.split('\n').map((line) => line.trim());
  return (lines.findLast((line) => line !== '') ?? message).replace(/\.$/, '');
}
