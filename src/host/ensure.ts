import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Say } from './child.ts';
import { composeUp, DockerFailed, dockerAnswers, hasDockerData } from './docker.ts';
import { dataFolder, isTemporary, openInstanceFolder } from './folders.ts';
import { withLock } from './lock.ts';
import {
  keptNeo4jPort,
  lacksForNeo4j,
  NEO4J_USER,
  type Neo4jTuning,
  startNeo4j,
} from './neo4j/native.ts';
import { PortClaims } from './ports.ts';
import { keptTemporalPorts, lacksForTemporal, startTemporal } from './temporal/native.ts';
import { needTools } from './tools.ts';

/** Addresses and credentials of the servers. The names are those of the settings. */
export type StackEnv = {
  readonly NEO4J_URI: string;
  readonly NEO4J_USER: string;
  readonly NEO4J_PASSWORD: string;
  readonly TEMPORAL_ADDRESS: string;
  /** URL of Temporal's web UI, if known. */
  readonly TEMPORAL_UI?: string;
  /** `host:port` of all ports of a Temporal started natively, separated by commas. */
  readonly AIDEN_PLATFORM_PORTS?: string;
};

/** `given`: both addresses were set. With one set, it states how the other server was found. */
export type StackWay = 'given' | 'docker' | 'native';

export interface Stack {
  readonly env: StackEnv;
  readonly way: StackWay;
  /**
   * Folder of this instance's servers. stop() removes it for `test` and `bench`. With given servers
   * it need not exist.
   */
  readonly folder: string;
  /**
   * Resolves when a server that this call started ended too often, and is not started again. The
   * message names its log.
   */
  readonly failed: Promise<Error>;
  /** Calls `listener` each time a server that this call started ended by itself. */
  onEnded(listener: (server: 'neo4j' | 'temporal') => void): void;
  /** Calls `listener` with further ports, as `host:port`, that a restarted Temporal has. */
  onPlatformPorts(listener: (ports: readonly string[]) => void): void;
  /**
   * Stops the servers that this call started. Data stays, except for `test` and `bench`.
   * @param graceMs time before a server is killed; default 20 s
   */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Given addresses. Absent ones are read from the environment (NEO4J_URI, TEMPORAL_ADDRESS, ...).
 */
export interface GivenStack {
  readonly neo4jUri?: string | undefined;
  readonly neo4jUser?: string | undefined;
  readonly neo4jPassword?: string | undefined;
  readonly temporalAddress?: string | undefined;
}

interface StackPorts {
  readonly neo4j: number;
  readonly temporal: number;
  readonly ui: number;
  /** Temporal's HTTP API and metrics. With Docker they stay inside the container. */
  readonly temporalHttp: number;
  readonly temporalMetrics: number;
}

const PORTS: StackPorts = {
  neo4j: 7687,
  temporal: 7233,
  ui: 8233,
  temporalHttp: 7243,
  temporalMetrics: 7253,
};
const ANY_PORTS: StackPorts = {
  neo4j: 0,
  temporal: 0,
  ui: 0,
  temporalHttp: 0,
  temporalMetrics: 0,
};

/**
 * The graph of the tests grows within minutes, and its server lives for less than an hour: planning
 * each statement again, and Java's second compiler, take more time than they save
 * (docs/decisions/0086).
 */
const OF_TESTS: Neo4jTuning = {
  settings: ['dbms.cypher.min_replan_interval=1h'],
  // With 1 GB, every tenth second of Java's processor time goes to collecting garbage.
  java: ['-XX:TieredStopAtLevel=1', '-XX:ReservedCodeCacheSize=240m', '-Xmx2g'],
};

/**
 * Finds or starts Neo4j and Temporal: given addresses, else Docker if it runs (docker-compose.yml),
 * else native servers from the cache. An instance with data goes on in the way that it began, and
 * a new one is started natively where Docker can not start it. `AIDEN_STACK=docker|native` selects
 * one.
 * @throws MissingTool naming a missing package; Error with the end of the log when a server does
 * not start
 */
export async function ensureStack(options: {
  instance: string;
  onProgress?: Say;
  settings?: GivenStack;
}): Promise<Stack> {
  const say = options.onProgress ?? (() => {});
  const { env } = process;
  const given = {
    uri: options.settings?.neo4jUri ?? (env['NEO4J_URI'] || undefined),
    user: options.settings?.neo4jUser ?? (env['NEO4J_USER'] || undefined),
    password: options.settings?.neo4jPassword ?? (env['NEO4J_PASSWORD'] || undefined),
    temporal: options.settings?.temporalAddress ?? (env['TEMPORAL_ADDRESS'] || undefined),
  };
  const temporary = isTemporary(options.instance);
  const areGiven = given.uri !== undefined && given.temporal !== undefined;
  // With given servers nothing is kept here, and a container's file system may be read-only.
  const folder =
    areGiven && !temporary
      ? dataFolder(options.instance)
      : await openInstanceFolder(options.instance);
  const discard = async () => {
    if (temporary) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };

  if (given.uri !== undefined && given.temporal !== undefined) {
    say(`Using the given Neo4j ${given.uri} and Temporal ${given.temporal}.`);
    return {
      env: envOf({ ...given, uri: given.uri, temporal: given.temporal }),
      way: 'given',
      folder,
      failed: NEVER,
      onEnded: () => {},
      onPlatformPorts: () => {},
      stop: discard,
    };
  }

  const wished = temporary ? ANY_PORTS : PORTS;
  try {
    return await withLock(
      join(folder, 'start.lock'),
      (pid) => say(`Process ${pid} is starting this instance; waiting for it.`),
      async () => {
        const forced = env['AIDEN_STACK'];
        const { way, found } = await startEither(await chooseWay(forced, folder), {
          docker: () => composed(options.instance, folder, wished, temporary, say),
          native: () =>
            native(folder, wished, given, say, options.instance === 'test' ? OF_TESTS : undefined),
          mayChange: forced !== 'docker' && !hasDockerData(folder),
          say,
        });
        return {
          env: envOf({
            uri: given.uri ?? found.uri,
            user: given.uri === undefined ? undefined : given.user,
            password: given.uri === undefined ? found.password : given.password,
            temporal: given.temporal ?? found.temporal,
            ui: given.temporal === undefined ? found.ui : undefined,
            platformPorts: found.platformPorts,
          }),
          way,
          folder,
          failed: found.failed,
          onEnded: found.onEnded,
          onPlatformPorts: (listener) =>
            found.onPorts((ports) => listener(ports.map((port) => `127.0.0.1:${port}`))),
          async stop(graceMs) {
            await found.stop(graceMs);
            await discard();
          },
        };
      },
    );
  } catch (error) {
    await discard();
    throw error;
  }
}

function envOf(found: {
  uri: string;
  user?: string | undefined;
  password?: string | undefined;
  temporal: string;
  ui?: string | undefined;
  platformPorts?: readonly number[] | undefined;
}): StackEnv {
  const { platformPorts = [] } = found;
  return {
    NEO4J_URI: found.uri,
    NEO4J_USER: found.user ?? NEO4J_USER,
    NEO4J_PASSWORD: found.password ?? '',
    TEMPORAL_ADDRESS: found.temporal,
    ...(found.ui === undefined ? {} : { TEMPORAL_UI: found.ui }),
    ...(platformPorts.length > 0 && {
      AIDEN_PLATFORM_PORTS: platformPorts.map((port) => `127.0.0.1:${port}`).join(),
    }),
  };
}

const WAYS = {
  docker: 'Running Neo4j and Temporal with Docker Compose.',
  native: 'Running Neo4j and Temporal natively, without Docker.',
} as const;

type Way = keyof typeof WAYS;

async function chooseWay(forced: string | undefined, folder: string): Promise<Way> {
  if (forced === 'docker' || forced === 'native') return forced;
  // Docker that was installed or started later must not hide the instance's data.
  if (hasDockerData(folder)) return 'docker';
  if ((await keptNeo4jPort(folder)) > 0) return 'native';
  return (await dockerAnswers()) ? 'docker' : 'native';
}

/** Starts the servers in a way; natively where Docker fails and the instance has no data there. */
async function startEither(
  way: Way,
  ways: {
    readonly docker: () => Promise<Found>;
    readonly native: () => Promise<Found>;
    readonly mayChange: boolean;
    readonly say: Say;
  },
): Promise<{ way: Way; found: Found }> {
  ways.say(WAYS[way]);
  if (way === 'native') return { way, found: await ways.native() };
  try {
    return { way, found: await ways.docker() };
  } catch (error) {
    if (!(error instanceof DockerFailed)) throw error;
    if (!ways.mayChange)
      throw new Error(`${error.message}. AIDEN_STACK=native starts without Docker and its data.`);
    ways.say(`${error.message}. Starting them natively instead (as AIDEN_STACK=native does).`);
    return { way: 'native', found: await ways.native() };
  }
}

interface Found {
  readonly uri: string;
  readonly password: string;
  readonly temporal: string;
  readonly ui: string | undefined;
  readonly platformPorts: readonly number[];
  readonly failed: Promise<Error>;
  onEnded(listener: (server: 'neo4j' | 'temporal') => void): void;
  onPorts(listener: (ports: readonly number[]) => void): void;
  stop(graceMs?: number): Promise<void>;
}

const NEVER = new Promise<never>(() => {});

async function composed(
  instance: string,
  folder: string,
  wished: StackPorts,
  temporary: boolean,
  say: Say,
): Promise<Found> {
  const stack = await composeUp(instance, folder, wished, { temporary }, say);
  return {
    uri: stack.neo4jUri,
    password: stack.password,
    temporal: stack.temporalAddress,
    ui: stack.ui,
    platformPorts: [],
    failed: NEVER,
    onEnded: () => {},
    onPorts: () => {},
    stop: stack.stop,
  };
}

async function native(
  folder: string,
  wished: StackPorts,
  given: { uri?: string | undefined; temporal?: string | undefined },
  say: Say,
  tuning?: Neo4jTuning,
): Promise<Found> {
  const startedMs = performance.now();
  const lacks = await Promise.all([
    given.uri === undefined ? lacksForNeo4j() : [],
    given.temporal === undefined ? lacksForTemporal() : [],
  ]);
  needTools(lacks.flat());
  const isAnyPort = wished.neo4j === 0;
  const claims = new PortClaims(isAnyPort ? new Set() : await portsOfOthers(folder));
  // In parallel: on a new machine one downloads while the other builds.
  const [neo4j, temporal] = await Promise.allSettled([
    given.uri === undefined ? startNeo4j(folder, wished.neo4j, claims, say, tuning) : null,
    given.temporal === undefined
      ? startTemporal(
          folder,
          {
            port: wished.temporal,
            uiPort: wished.ui,
            httpPort: wished.temporalHttp,
            metricsPort: wished.temporalMetrics,
          },
          claims,
          say,
        )
      : null,
  ]);
  const stop = async (graceMs?: number) => {
    const servers = [neo4j, temporal].map((one) =>
      one.status === 'fulfilled' ? one.value?.server : null,
    );
    await Promise.all(servers.map((server) => server?.stop(graceMs)));
    await claims.release();
  };
  const failures = [neo4j, temporal].flatMap((one) =>
    one.status === 'rejected' ? [one.reason as Error] : [],
  );
  if (failures.length > 0) {
    await stop();
    throw new Error(failures.map((failure) => failure.message).join('\n'));
  }
  const running = {
    neo4j: neo4j.status === 'fulfilled' ? neo4j.value : null,
    temporal: temporal.status === 'fulfilled' ? temporal.value : null,
  };
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  say(
    `Ready in ${seconds} s:` +
      (running.neo4j ? ` Neo4j ${running.neo4j.uri}` : '') +
      (running.temporal
        ? ` Temporal ${running.temporal.address}, its UI ${running.temporal.ui}`
        : ''),
  );
  return {
    uri: running.neo4j?.uri ?? '',
    password: running.neo4j?.password ?? '',
    temporal: running.temporal?.address ?? '',
    ui: running.temporal?.ui,
    platformPorts: running.temporal?.ports ?? [],
    failed: Promise.race([
      running.neo4j?.server?.failed ?? NEVER,
      running.temporal?.server?.failed ?? NEVER,
    ]),
    onEnded(listener) {
      running.neo4j?.server?.onEnded(() => listener('neo4j'));
      running.temporal?.server?.onEnded(() => listener('temporal'));
    },
    onPorts: (listener) => running.temporal?.onPorts(listener),
    stop,
  };
}

/** Ports that the other instances of this user had at their last start, so that they keep them. */
async function portsOfOthers(folder: string): Promise<ReadonlySet<number>> {
  const all = dirname(folder);
  const others = (await readdir(all, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory() && join(all, entry.name) !== folder)
    .map(({ name }) => join(all, name));
  const ports = await Promise.all(
    others.flatMap((other) => [
      keptNeo4jPort(other).then((port) => [port]),
      keptTemporalPorts(other),
    ]),
  );
  return new Set(ports.flat());
}
