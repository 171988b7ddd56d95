import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool, type Say, withProgress } from './child.ts';
import { freePort } from './ports.ts';

const CHECKOUT = fileURLToPath(new URL('../', import.meta.url));
const ASK_MS = 4_000;

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

export interface ComposedStack {
  readonly neo4jUri: string;
  readonly password: string;
  readonly temporalAddress: string;
  readonly ui: string;
  stop(): Promise<void>;
}

/** Starts the services `neo4j` and `temporal` of docker-compose.yml under their own project. */
export async function composeUp(
  instance: string,
  folder: string,
  wished: { neo4j: number; temporal: number; ui: number },
  options: { temporary: boolean },
  say: Say,
): Promise<ComposedStack> {
  // Several test runs may be active, each with its own folder.
  const project = options.temporary ? basename(folder).toLowerCase() : `aiden-${instance}`;
  const stateFile = join(folder, 'compose.json');
  const compose = (args: readonly string[], env: Record<string, string> = {}, timeoutMs?: number) =>
    runTool('docker', ['compose', '-p', project, ...args], {
      cwd: CHECKOUT,
      env,
      ...(timeoutMs ? { timeoutMs } : {}),
    });

  const kept = await readFile(stateFile, 'utf8').then(JSON.parse, () => null);
  const running = await compose(['ps', '--status', 'running', '--services'], {}, 20_000).catch(
    () => '',
  );
  const isUp = kept !== null && running.includes('neo4j') && running.includes('temporal');
  const taken = new Set<number>();
  const state = isUp
    ? kept
    : {
        password: kept?.password ?? randomBytes(24).toString('base64url'),
        neo4j: await freePort(wished.neo4j, taken),
        temporal: await freePort(wished.temporal, taken),
        ui: await freePort(wished.ui, taken),
      };
  await writeFile(stateFile, JSON.stringify(state), { mode: 0o600 });
  const env = {
    NEO4J_PASSWORD: String(state.password),
    AIDEN_NEO4J_PORT: String(state.neo4j),
    AIDEN_TEMPORAL_PORT: String(state.temporal),
    AIDEN_TEMPORAL_UI_PORT: String(state.ui),
  };
  if (isUp) say('The Docker containers of this instance already run; using them.');
  else {
    await withProgress(say, 'Starting Neo4j and Temporal with Docker Compose', () =>
      compose(['up', '-d', '--wait', 'neo4j', 'temporal'], env),
    );
  }
  return {
    neo4jUri: `bolt://127.0.0.1:${state.neo4j}`,
    password: String(state.password),
    temporalAddress: `127.0.0.1:${state.temporal}`,
    ui: `http://127.0.0.1:${state.ui}`,
    async stop() {
      if (isUp) return;
      await compose(options.temporary ? ['down', '-v'] : ['stop', 'neo4j', 'temporal'], env);
    },
  };
}
