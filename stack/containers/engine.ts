import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runTool, type Say, type Server, startServer, waitUntil } from '../../src/host/child.ts';
import { cacheFolder } from '../../src/host/folders.ts';
import { installOnce } from '../../src/host/install.ts';

export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = fileURLToPath(new URL('compose/', import.meta.url));
const READY_MS = 60_000;

/** Docker with Compose, for one run of the suite. */
export interface Engine {
  /** Variables that make `docker` use this engine; for processes that are started. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs `docker` and returns its output. @throws Error with the end of its output */
  docker(args: readonly string[], options?: DockerOptions): Promise<string>;
  /** Ends the engine if this suite started it. */
  stop(): Promise<void>;
}

export interface DockerOptions {
  readonly env?: Record<string, string>;
  readonly timeoutMs?: number;
}

/**
 * Finds a running engine, or starts `dockerd` with a socket and data of its own, which needs root.
 * Builds Compose with Go where the client has none.
 */
export async function openEngine(say: Say): Promise<Engine> {
  const found = await runTool('docker', ['info', '--format', '{{.ServerVersion}}'], {
    timeoutMs: 10_000,
  }).then(
    (version) => version.trim(),
    () => null,
  );
  const own = found === null ? await startEngine(say) : null;
  // Docker's older builder: it needs no plugin, and its cache is one for all steps of the suite.
  const builder = { DOCKER_BUILDKIT: '0' };
  const env = { ...own?.env, ...builder, ...(await composePlugin(own?.env ?? {}, say)) };
  if (found !== null) say(`Using the Docker engine ${found}.`);
  return {
    env,
    docker: (args, options = {}) =>
      runTool('docker', args, { ...options, cwd: CHECKOUT, env: { ...env, ...options.env } }),
    stop: async () => own?.server.stop(),
  };
}

async function startEngine(say: Say): Promise<{ env: Record<string, string>; server: Server }> {
  if (process.getuid?.() !== 0)
    throw new Error(
      'No Docker engine answers, and only root can start one: start Docker, or run this as root.',
    );
  await runTool('dockerd', ['--version'], { timeoutMs: 10_000 }).catch(() => {
    throw new Error('No Docker engine answers and dockerd is missing: apt-get install docker.io');
  });
  const folder = await mkdtemp(join(tmpdir(), 'aiden-docker-'));
  // Not the usual socket: `npm start` of other users of the machine would choose this engine.
  const socket = `unix://${join(folder, 'docker.sock')}`;
  const data = join(cacheFolder(), 'containers');
  await mkdir(data, { recursive: true });
  const server = await startServer(
    'dockerd',
    [
      ...['-H', socket, '--data-root', data, '--exec-root', join(folder, 'exec')],
      ...['--pidfile', join(folder, 'dockerd.pid')],
    ],
    { log: join(folder, 'dockerd.log'), pid: join(folder, 'pid'), cwd: folder },
  );
  const env = { DOCKER_HOST: socket };
  const answers = () =>
    runTool('docker', ['info'], { env, timeoutMs: 10_000 }).then(
      () => true,
      () => false,
    );
  await waitUntil('dockerd', answers, server, READY_MS).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  say(`Started dockerd; its log is ${join(folder, 'dockerd.log')}.`);
  return { env, server };
}

/** A configuration folder with Compose as a plugin; nothing where Docker has Compose. */
async function composePlugin(
  env: Record<string, string>,
  say: Say,
): Promise<Record<string, string>> {
  const hasCompose = await runTool('docker', ['compose', 'version'], { env }).then(
    () => true,
    () => false,
  );
  if (hasCompose) return {};
  const modules = await readFile(join(MODULES, 'go.mod'), 'utf8');
  const [, version = ''] = /docker\/compose\/v2 (v\S+)/.exec(modules) ?? [];
  const plugin = await installOnce(
    join(cacheFolder(), `compose-${version}`, 'cli-plugins'),
    {
      say,
      work: 'building Docker Compose',
      title: `Building Docker Compose ${version} with Go (2 to 5 minutes, once)`,
    },
    async (parts) => {
      for (const name of ['go.mod', 'go.sum'])
        await copyFile(join(MODULES, name), join(parts, name));
      const binary = join(parts, 'cli-plugins', 'docker-compose');
      await mkdir(join(parts, 'cli-plugins'));
      await runTool('go', ['build', '-o', binary, 'github.com/docker/compose/v2/cmd'], {
        cwd: parts,
        env: { CGO_ENABLED: '0' },
      });
      await chmod(binary, 0o755);
    },
  );
  if (!existsSync(plugin)) throw new Error('Docker Compose was not built.');
  return { DOCKER_CONFIG: join(plugin, '..') };
}
