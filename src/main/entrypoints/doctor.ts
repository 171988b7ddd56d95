import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { runTool } from '../../../stack/child.ts';
import { dockerAnswers } from '../../../stack/docker.ts';
import { dataFolder } from '../../../stack/folders.ts';
import { answers } from '../../../stack/ports.ts';
import { openGraph } from '../../platform/neo4j/graph.ts';
import { BadSettings, type Config, loadConfig } from '../config/config.ts';

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  /** The result of the check; on failure also the remedy. */
  readonly text: string;
}

const WAIT_MS = 5_000;

/** `aiden doctor` without the API: checks this machine and the backing services. Starts nothing. */
async function examine(config: Config): Promise<Finding[]> {
  const [docker, java, maven, go] = await Promise.all([
    dockerAnswers(),
    version('java', ['-version'], /version "([^"]+)"/),
    version('mvn', ['-v', '-q'], /(\d+\.\d+\.\d+)/),
    version('go', ['version'], /go(\d+\.\d+(?:\.\d+)?)/),
  ]);
  const native = java !== null && maven !== null && go !== null;
  const given = config.neo4jUri !== undefined && config.temporalAddress !== undefined;
  return [
    node(),
    {
      name: 'Stack',
      ok: docker || native || given,
      text: given
        ? 'the settings name Neo4j and Temporal'
        : docker
          ? 'Docker is running'
          : native
            ? `native: Java ${java}, Maven ${maven}, Go ${go}`
            : `neither Docker nor all of Java 17+ (${java ?? 'missing'}), Maven (${maven ?? 'missing'}), Go (${go ?? 'missing'}): run apt-get install openjdk-17-jdk-headless maven golang, or start Docker`,
    },
    await neo4j(config),
    await temporal(config),
  ];
}

function node(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  const text = `version ${process.versions.node}`;
  return {
    name: 'Node',
    ok: major >= 24,
    text: major >= 24 ? text : `${text}; version 24 or later is required: npm ci installs it`,
  };
}

async function neo4j(config: Config): Promise<Finding> {
  const local = await localNeo4j(config);
  const uri = config.neo4jUri ?? local?.uri;
  if (uri === undefined)
    return { name: 'Neo4j', ok: false, text: 'not started on this machine yet: run npm start' };
  const graph = openGraph({
    uri,
    user: config.neo4jUser,
    password: config.neo4jPassword ?? local?.password ?? '',
    database: config.neo4jDatabase,
  });
  try {
    const { version: found, edition } = await within(graph.verify());
    const migrations = await graph.read((tx) =>
      tx.run('// countMigrations\n MATCH (m:Migration) RETURN count(m) AS count'),
    );
    return {
      name: 'Neo4j',
      ok: true,
      text: `${found} ${edition} at ${uri}, ${String(migrations[0]?.['count'])} migrations applied`,
    };
  } catch (error) {
    return {
      name: 'Neo4j',
      ok: false,
      text: `no connection to ${uri}: ${firstLine(error)}. Start it with npm start, or check NEO4J_USER and NEO4J_PASSWORD.`,
    };
  } finally {
    await graph.close();
  }
}

/** Address and password of the Neo4j that `npm start` started on this machine, from its files. */
async function localNeo4j({
  instance,
}: Config): Promise<{ uri: string; password: string } | undefined> {
  const folder = dataFolder(instance);
  const port = await readFile(join(folder, 'neo4j', 'server.port'), 'utf8').catch(() => null);
  const password = await readFile(join(folder, 'neo4j-password'), 'utf8').catch(() => null);
  return port === null || password === null
    ? undefined
    : { uri: `bolt://127.0.0.1:${port.trim()}`, password: password.trim() };
}

async function temporal(config: Config): Promise<Finding> {
  const kept = await readFile(
    join(dataFolder(config.instance), 'temporal', 'server.port'),
    'utf8',
  ).catch(() => null);
  const address =
    config.temporalAddress ?? (kept === null ? undefined : `127.0.0.1:${kept.split(' ')[0]}`);
  if (address === undefined)
    return { name: 'Temporal', ok: false, text: 'not started on this machine yet: run npm start' };
  const { Connection } = await import('@temporalio/client');
  try {
    const connection = await within(
      Connection.connect({
        address,
        tls: config.temporalTls,
        connectTimeout: WAIT_MS,
        ...(config.temporalApiKey === undefined ? {} : { apiKey: config.temporalApiKey }),
      }),
    );
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    await connection.close();
    return {
      name: 'Temporal',
      ok: true,
      text: `server ${serverVersion ?? 'of unknown version'} at ${address}, namespace ${config.temporalNamespace}`,
    };
  } catch (error) {
    const port = Number(address.split(':').at(-1));
    const open = address.startsWith('127.') && (await answers(port));
    return {
      name: 'Temporal',
      ok: false,
      text: `no connection to ${address}: ${firstLine(error)}. ${open ? 'Another program uses this port: set TEMPORAL_ADDRESS.' : 'Start it with npm start, or set TEMPORAL_ADDRESS.'}`,
    };
  }
}

async function version(
  command: string,
  args: readonly string[],
  pattern: RegExp,
): Promise<string | null> {
  try {
    return (
      pattern.exec(await runTool(command, [...args], { timeoutMs: 20_000 }))?.[1] ??
      'of unknown version'
    );
  } catch {
    return null;
  }
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${WAIT_MS / 1000} s`)), WAIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

try {
  const findings = await examine(loadConfig(process.argv.slice(2)));
  for (const { name, ok, text } of findings)
    console.log(`${ok ? '✔' : '✘'} ${name.padEnd(10)} ${text}`);
  process.exitCode = findings.every(({ ok }) => ok) ? 0 : 1;
} catch (error) {
  if (!(error instanceof BadSettings)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
