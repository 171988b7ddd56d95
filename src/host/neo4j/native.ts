import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import neo4j from 'neo4j-driver';
import { runTool, type Say, type Server, startServer, waitUntil } from '../child.ts';
import { cacheFolder, hasRoom } from '../folders.ts';
import { installOnce } from '../install.ts';
import { isAlive } from '../lock.ts';
import { answers, freePort, type PortClaims, saysPortTaken } from '../ports.ts';
import { type Supervised, supervise } from '../supervise.ts';
import { type Lack, versionOf } from '../tools.ts';

/** Equals the version in pom.xml; change both together. */
export const NEO4J_VERSION = '5.26.30';
export const NEO4J_USER = 'neo4j';
const READY_MS = 300_000;
const JAVA_MIN = 17;
const REFUSED_MS_MAX = 40_000;
const PORT_TRIES_MAX = 3;

/** Further lines of Neo4j's configuration, and further options of its Java. */
export interface Neo4jTuning {
  readonly settings?: readonly string[];
  readonly java?: readonly string[];
}

export interface RunningNeo4j {
  readonly uri: string;
  readonly password: string;
  /** Null when the server ran before; then it is not stopped here. */
  readonly server: Supervised | null;
}

const jarFolder = () => join(cacheFolder(), `neo4j-${NEO4J_VERSION}`, 'lib');
let version: Promise<string | null> | undefined;
/** Java's version, asked for once: a start needs it twice. */
const javaVersion = () => (version ??= versionOf('java', ['-version']));

/** The programs that Neo4j needs and this machine lacks: Java; Maven while there are no jars. */
export async function lacksForNeo4j(): Promise<Lack[]> {
  const lacks: Lack[] = [];
  const [, major = '0'] = /version "(\d+)/.exec((await javaVersion()) ?? '') ?? [];
  const found = major === '0' ? '' : ` (this one is ${major})`;
  if (Number(major) < JAVA_MIN)
    lacks.push({ program: `Java 17 or 21${found}`, debian: 'openjdk-17-jdk-headless' });
  if (!existsSync(jarFolder()) && (await versionOf('mvn', ['-version'])) === null)
    lacks.push({ program: 'Maven', debian: 'maven' });
  return lacks;
}

/** The folder of Neo4j's jars, downloaded from Maven Central once per machine (about 125 MB). */
export async function installNeo4j(say: Say): Promise<string> {
  return installOnce(
    jarFolder(),
    {
      say,
      work: 'fetching Neo4j',
      title: `Fetching Neo4j ${NEO4J_VERSION} with Maven (125 MB, once)`,
    },
    async (parts) => {
      const pom = fileURLToPath(new URL('pom.xml', import.meta.url));
      await runTool('mvn', [
        '-q',
        '-B',
        '-f',
        pom,
        'dependency:copy-dependencies',
        '-DincludeScope=runtime',
        `-DoutputDirectory=${join(parts, 'lib')}`,
      ]);
    },
  );
}

/** Loopback only, no HTTP, no file or network import from Cypher (docs/decisions/0018). */
const configOf = (port: number, more: readonly string[] = []): string =>
  [
    `server.bolt.listen_address=127.0.0.1:${port}`,
    `server.bolt.advertised_address=127.0.0.1:${port}`,
    'server.http.enabled=false',
    'server.https.enabled=false',
    'dbms.usage_report.enabled=false',
    'dbms.security.auth_enabled=true',
    'dbms.security.allow_csv_import_from_file_urls=false',
    // Forbids LOAD CSV all network access, to this machine too.
    'internal.dbms.cypher_ip_blocklist=0.0.0.0/0,::/0',
    'db.transaction.timeout=60s',
    // One statement that collects too much fails alone, and not with all the others.
    'db.memory.transaction.max=384m',
    'server.memory.heap.initial_size=512m',
    'server.memory.heap.max_size=1g',
    `server.memory.pagecache.size=${pageCacheMb()}m`,
    'db.logs.query.enabled=OFF',
    // A stop need not wait the default five seconds for connections.
    'internal.server.bolt.thread_pool_shutdown_wait_time=1s',
    'internal.server.bolt.connection_shutdown_wait_time=1s',
    ...more,
    '',
  ].join('\n');

/**
 * An eighth of the memory, between 256 MB and 2 GB. With a smaller cache than graph, writes wait
 * for the disk.
 */
const pageCacheMb = (): number =>
  Math.min(2_048, Math.max(256, Math.floor(totalmem() / 8 / 1024 ** 2)));

// Options that neo4j-admin would pass. Without them Netty uses slower buffers and warns.
const JAVA_OPTIONS = [
  '-Xms512m',
  '-Xmx1g',
  '-XX:+ExitOnOutOfMemoryError',
  '-Dfile.encoding=UTF-8',
  '--add-opens=java.base/java.nio=ALL-UNNAMED',
  '--add-opens=java.base/java.io=ALL-UNNAMED',
  '--add-opens=java.base/sun.nio.ch=ALL-UNNAMED',
  '--add-opens=java.base/java.util.concurrent=ALL-UNNAMED',
  '-Dio.netty.tryReflectionSetAccessible=true',
];

const commandOf = (of: {
  readonly home: string;
  readonly lib: string;
  readonly options: readonly string[];
}): string[] => [
  ...JAVA_OPTIONS,
  ...of.options,
  '-cp',
  `${of.lib}/*`,
  'org.neo4j.server.CommunityEntryPoint',
  `--home-dir=${of.home}`,
  `--config-dir=${join(of.home, 'conf')}`,
];

/** Java warns about each class that it can't take from or put into an archive. */
const NO_CDS_LOG = ['-Xlog:cds=off', '-Xlog:cds+dynamic=off'];

// They load the classes that each start needs: schema, planner, runtime and full-text search.
const TRAINING = [
  'CREATE CONSTRAINT training_id IF NOT EXISTS FOR (n:Training) REQUIRE n.id IS UNIQUE',
  'CREATE INDEX training_at IF NOT EXISTS FOR (n:Training) ON (n.at)',
  'CREATE FULLTEXT INDEX training_text IF NOT EXISTS FOR (n:Training) ON EACH [n.text]',
  'UNWIND range(1, 3) AS id MERGE (n:Training {id: id}) ON CREATE SET n.at = datetime(), ' +
    "n.text = 'some text'",
  'MATCH (n:Training) WHERE n.id > $after WITH n ORDER BY n.id LIMIT 2 CALL (n) { OPTIONAL ' +
    'MATCH (n)-[:KNOWS]->(m) RETURN count(m) AS m } RETURN collect({id: n.id, m: m}) AS all',
];

/**
 * Neo4j's classes in the form in which Java loads them fastest, made once for each Java by a start
 * on an empty folder. With them a start takes two thirds of the processor time
 * (docs/decisions/0085). Null when this Java can't make them; Neo4j then starts without.
 */
async function classArchive(lib: string, java: string, say: Say): Promise<string | null> {
  const version = java.replace(/^Picked up .*$/m, '').trim();
  const digest = createHash('sha256').update(version).digest('hex').slice(0, 8);
  const file = join(cacheFolder(), `neo4j-${NEO4J_VERSION}`, `classes-${digest}.jsa`);
  const texts = {
    say,
    work: 'preparing Neo4j',
    title: 'Preparing Neo4j for fast starts (half a minute, once)',
  };
  return installOnce(file, texts, (parts) => dumpClasses(lib, join(parts, basename(file)))).catch(
    (error: Error) => {
      say(`Neo4j starts without prepared classes: ${error.message.split('\n')[0]}`);
      return null;
    },
  );
}

async function dumpClasses(lib: string, file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'aiden-classes-'));
  const home = join(folder, 'neo4j');
  const port = await freePort(0, new Set());
  const uri = uriOf(port);
  const password = randomBytes(24).toString('base64url');
  await mkdir(join(home, 'conf'), { recursive: true, mode: 0o700 });
  await writeFile(join(home, 'conf', 'neo4j.conf'), configOf(port));
  const options = [`-XX:ArchiveClassesAtExit=${file}`, ...NO_CDS_LOG];
  const server = await startServer('java', commandOf({ home, lib, options }), {
    log: join(folder, 'neo4j.log'),
    pid: join(home, 'server.pid'),
    cwd: home,
  });
  try {
    const isOpen = opener(uri, password, home);
    await waitUntil('Neo4j', isOpen, server, READY_MS);
    const driver = neo4j.driver(uri, neo4j.auth.basic(NEO4J_USER, password));
    for (const statement of TRAINING) await driver.executeQuery(statement, { after: 0 });
    await driver.close();
    await server.stop(READY_MS);
    if (!existsSync(file)) throw new Error('Java has written no archive of classes.');
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Finds this instance's running Neo4j, or starts it: on the port of the last start, else on the
 * wished one, else on the next free one (0 = any). It is started again when it ends by itself.
 */
export async function startNeo4j(
  folder: string,
  wishedPort: number,
  claims: PortClaims,
  say: Say,
  tuning: Neo4jTuning = {},
): Promise<RunningNeo4j> {
  const home = join(folder, 'neo4j');
  await mkdir(join(home, 'conf'), { recursive: true, mode: 0o700 });
  const password = await keptPassword(join(folder, 'neo4j-password'));
  const kept = await keptNeo4jPort(folder);
  const pid = Number(await readFile(join(home, 'server.pid'), 'utf8').catch(() => '0'));
  if (pid > 0 && isAlive(pid) && kept > 0 && (await answers(kept))) {
    if ((await tryLogin(uriOf(kept), password)) === 'ok') {
      say(`Neo4j of this instance already runs at ${uriOf(kept)}; using it.`);
      return { uri: uriOf(kept), password, server: null };
    }
  }

  const java = (await javaVersion()) ?? '';
  const lib = await installNeo4j(say);
  const classes = await classArchive(lib, java, say);
  for (let attempt = 1; ; attempt++) {
    const port = await claims.take(wishedPort, attempt === 1 ? kept : 0);
    const expected = kept > 0 ? kept : wishedPort;
    if (expected !== 0 && port !== expected)
      say(`Port ${expected} is taken; Neo4j goes to ${port}.`);
    const launch = launchOf({ folder, home, lib, classes, password, tuning }, port);
    const server = await launch.spawn();
    try {
      await launch.untilReady(server);
      return { uri: uriOf(port), password, server: supervise(server, { ...launch, say }) };
    } catch (error) {
      await server.stop();
      // Another process took the port between the check and Neo4j's bind.
      const wasTaken = saysPortTaken(error) || (await answers(port));
      if (!wasTaken || attempt === PORT_TRIES_MAX) throw error;
    }
  }
}

/** The port of this instance's last start; 0 = none. */
export async function keptNeo4jPort(folder: string): Promise<number> {
  return Number(await readFile(portFileOf(folder), 'utf8').catch(() => '0')) || 0;
}

const portFileOf = (folder: string) => join(folder, 'neo4j', 'server.port');

/** How Neo4j is started on a port, the first time and again. */
function launchOf(
  paths: {
    readonly folder: string;
    readonly home: string;
    readonly lib: string;
    readonly classes: string | null;
    readonly password: string;
    readonly tuning: Neo4jTuning;
  },
  port: number,
) {
  const { folder, home, lib, classes, password, tuning } = paths;
  const log = join(folder, 'neo4j.log');
  const pidFile = join(home, 'server.pid');
  const ownLog = join(home, 'logs', 'neo4j.log');
  let ownLogBytes = 0;
  return {
    name: 'Neo4j',
    log,
    hasRoom: () => hasRoom(folder),
    isBroken: async () => (await tryLogin(uriOf(port), password)) === 'broken',
    async spawn(): Promise<Server> {
      await writeFile(join(home, 'conf', 'neo4j.conf'), configOf(port, tuning.settings));
      await writeFile(portFileOf(folder), String(port));
      await rm(pidFile, { force: true });
      ownLogBytes = (await stat(ownLog).catch(() => ({ size: 0 }))).size;
      const archive = classes === null ? [] : [`-XX:SharedArchiveFile=${classes}`, ...NO_CDS_LOG];
      const options = [...archive, ...(tuning.java ?? [])];
      return startServer('java', commandOf({ home, lib, options }), {
        log,
        pid: pidFile,
        cwd: home,
      });
    },
    untilReady(server: Server): Promise<void> {
      const isOpen = opener(uriOf(port), password, home);
      const isReady = async () => (await listens(ownLog, ownLogBytes, port)) && isOpen();
      return waitUntil('Neo4j', isReady, server, READY_MS);
    },
  };
}

/**
 * Whether this Neo4j itself has said that it listens. Another instance's Neo4j may have the port:
 * logging in there would lock it by wrong passwords.
 */
async function listens(ownLog: string, fromByte: number, port: number): Promise<boolean> {
  const file = await open(ownLog).catch(() => null);
  if (file === null) return false;
  try {
    const { size } = await file.stat();
    // Neo4j has moved the old text to another file.
    const start = size < fromByte ? 0 : fromByte;
    const { buffer } = await file.read({ buffer: Buffer.alloc(size - start), position: start });
    return new RegExp(`Bolt enabled on \\S+:${port}\\.`).test(buffer.toString('utf8'));
  } finally {
    await file.close();
  }
}

const uriOf = (port: number): string => `bolt://127.0.0.1:${port}`;

/**
 * The password, generated once per instance and stored with its data, readable by this user only.
 */
async function keptPassword(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null && kept.trim() !== '') return kept.trim();
  const fresh = randomBytes(24).toString('base64url');
  await writeFile(file, `${fresh}\n`, { mode: 0o600 });
  return fresh;
}

/** Neo4j's code for a database that stopped, as after a write that found no room. */
const STOPPED = 'Neo.DatabaseError.Transaction.TransactionStartFailed';

async function tryLogin(
  uri: string,
  password: string,
): Promise<'ok' | 'refused' | 'broken' | 'not yet'> {
  const driver = neo4j.driver(uri, neo4j.auth.basic(NEO4J_USER, password), {
    connectionTimeout: 10_000,
  });
  const session = driver.session({ database: 'neo4j' });
  try {
    await session.run('RETURN 1');
    return 'ok';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === STOPPED) return 'broken';
    return code.startsWith('Neo.ClientError.Security') ? 'refused' : 'not yet';
  } finally {
    await session.close().catch(() => {});
    await driver.close();
  }
}

/**
 * Checks whether our password is accepted. A new database has Neo4j's initial password, which is
 * replaced. Neo4j refuses logins while it starts, and for some seconds after several failures, so
 * only lasting refusals count.
 */
function opener(uri: string, password: string, home: string): () => Promise<boolean> {
  const mark = join(home, 'password-is-set');
  let refusedSinceMs: number | null = null;
  return async () => {
    if (!existsSync(mark) && (await setPassword(uri, password))) await writeFile(mark, '');
    const answer = await tryLogin(uri, password);
    if (answer !== 'refused') {
      refusedSinceMs = null;
      return answer === 'ok';
    }
    refusedSinceMs ??= performance.now();
    if (performance.now() - refusedSinceMs > REFUSED_MS_MAX)
      throw new Error(
        `Neo4j refuses the password kept beside its data. If the data may go, remove ${home} ` +
          'and start again.',
      );
    await sleep(1_000);
    return false;
  };
}

async function setPassword(uri: string, password: string): Promise<boolean> {
  const driver = neo4j.driver(uri, neo4j.auth.basic(NEO4J_USER, 'neo4j'), {
    connectionTimeout: 10_000,
  });
  const session = driver.session({ database: 'system' });
  try {
    await session.run("ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $password", { password });
    return true;
  } catch {
    return false;
  } finally {
    await session.close().catch(() => {});
    await driver.close();
  }
}
