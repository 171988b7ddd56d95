import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { findSealedSecret } from '../../catalog/secrets/secret.cypher.ts';
import { findTools } from '../../catalog/tools/tool.cypher.ts';
import { runTool } from '../../host/child.ts';
import { dockerAnswers } from '../../host/docker.ts';
import { dataFolder } from '../../host/folders.ts';
import { answers } from '../../host/ports.ts';
import { findEmbeddingState } from '../../memory-graph/embeddings/embedding.cypher.ts';
import type { DriverTarget } from '../../platform/drivers/driver.ts';
import { openEgress } from '../../platform/egress/egress.ts';
import type { EmbedderSettings } from '../../platform/embeddings/embedder.ts';
import { type Graph, openGraph } from '../../platform/neo4j/graph.ts';
import { openVault, parseKeyRing } from '../../platform/vault/vault.ts';
import { findThingsByName } from '../../processes/bundle/bundle.cypher.ts';
import { LOCAL_MODEL } from '../../settings/local-model.ts';
import { SYSTEM_USER_ID } from '../../users/user.ts';
import { BadSettings, type Config, loadConfig } from '../config/config.ts';
import { embedderSettings } from '../config/configured.ts';
import { withLocalData } from '../config/local-data.ts';
import { SYSTEM } from '../examples.ts';
import { switchedModel } from '../language-model-switch.ts';
import { checkEmbeddings, checkModel, type Finding } from '../model-check.ts';

const WAIT_MS = 5_000;

/** `aiden doctor` without the API: checks this machine and the backing services. Starts nothing. */
async function examine(config: Config): Promise<Finding[]> {
  // At the same time, since each may take its whole time limit.
  const findings = await Promise.all([
    stack(config),
    neo4j(config),
    temporal(config),
    models(config),
  ]);
  return [node(), ...findings.flat()];
}

async function stack(config: Config): Promise<Finding> {
  const name = 'Stack';
  if (config.neo4jUri !== undefined && config.temporalAddress !== undefined)
    return { name, ok: true, text: 'the settings name Neo4j and Temporal' };
  const [docker, java, maven, go] = await Promise.all([
    dockerAnswers(),
    version('java', ['-version'], /version "([^"]+)"/),
    version('mvn', ['-v', '-q'], /(\d+\.\d+\.\d+)/),
    version('go', ['version'], /go(\d+\.\d+(?:\.\d+)?)/),
  ]);
  if (docker) return { name, ok: true, text: 'Docker is running' };
  if (java !== null && maven !== null && go !== null)
    return { name, ok: true, text: `native: Java ${java}, Maven ${maven}, Go ${go}` };
  return {
    name,
    ok: false,
    text:
      `neither Docker nor all of Java 17+ (${java ?? 'missing'}), Maven ` +
      `(${maven ?? 'missing'}), Go (${go ?? 'missing'}): run apt-get install ` +
      'openjdk-17-jdk-headless maven golang, or start Docker',
  };
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
      text:
        `no connection to ${uri}: ${firstLine(error)}. Start it with npm start, or check ` +
        'NEO4J_USER and NEO4J_PASSWORD.',
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
      text:
        `server ${serverVersion ?? 'of unknown version'} at ${address}, namespace ` +
        `${config.temporalNamespace}`,
    };
  } catch (error) {
    const port = Number(address.split(':').at(-1));
    const open = address.startsWith('127.') && (await answers(port));
    return {
      name: 'Temporal',
      ok: false,
      text:
        `no connection to ${address}: ${firstLine(error)}. ` +
        (open
          ? 'Another program uses this port: set TEMPORAL_ADDRESS.'
          : 'Start it with npm start, or set TEMPORAL_ADDRESS.'),
    };
  }
}

/** The models of the shipped Tools and of the memory, as the installation has them now. */
async function models(config: Config): Promise<Finding[]> {
  const local = await localNeo4j(config);
  const uri = config.neo4jUri ?? local?.uri;
  const installed = uri === undefined ? null : await installedModels(config, uri, local?.password);
  if (installed === null)
    return [{ name: 'Model', ok: false, text: 'no shipped Tools yet: run npm start' }];
  const { chat: tool, embeddings } = installed;
  const egress = openEgress({
    mode: 'production',
    allow: [],
    platformPorts: [],
    systemOrigins: [String(tool.connectionParams['endpoint']), embeddings?.url ?? ''].flatMap(
      (url) => (URL.canParse(url) ? [new URL(url).origin] : []),
    ),
  });
  try {
    const findings = await checkModel(egress, tool);
    return [...findings, ...modelHint(config, tool), await checkEmbeddings(egress, embeddings)];
  } finally {
    await egress.close();
  }
}

/** How to get a better model, and whether a start is due for the settings to take effect. */
function modelHint(config: Config, { connectionParams }: DriverTarget): Finding[] {
  const { model, endpoint } = connectionParams;
  const wanted = switchedModel(config);
  const line = (text: string) => [{ name: '', ok: true, text }];
  if (wanted !== null && (wanted.model !== model || wanted.endpoint !== endpoint))
    return line(
      `the settings here name ${wanted.model} at ${wanted.endpoint}; the next npm start uses it`,
    );
  return model === LOCAL_MODEL
    ? line(
        'it only quotes; for a real model: npm start -- --llm-url URL --llm-model NAME ' +
          '(docs/models.md)',
      )
    : [];
}

interface InstalledModels {
  /** The shipped Tool `chat` as Workers call it. */
  readonly chat: DriverTarget;
  /** Null: no embedding model. */
  readonly embeddings: EmbedderSettings | null;
}

/** The models that this installation has; null where none is loaded or Neo4j is silent. */
async function installedModels(
  config: Config,
  uri: string,
  password: string | undefined,
): Promise<InstalledModels | null> {
  const graph = openGraph({
    uri,
    user: config.neo4jUser,
    password: config.neo4jPassword ?? password ?? '',
    database: config.neo4jDatabase,
  });
  try {
    const chat = await within(findChatTarget(graph, config));
    const state = await within(graph.read(findEmbeddingState));
    const space = state?.next ?? state?.current;
    const embeddings =
      space === undefined
        ? embedderSettings(config)
        : { url: space.url, model: space.model, apiKey: config.embeddingsApiKey };
    return chat === null ? null : { chat, embeddings };
  } catch {
    // The line of Neo4j has the cause.
    return null;
  } finally {
    await graph.close();
  }
}

async function findChatTarget(graph: Graph, config: Config): Promise<DriverTarget | null> {
  const { tool, sealed } = await graph.read(async (tx) => {
    const [found] = await findThingsByName(tx, SYSTEM, [{ kind: 'Tool', name: 'chat' }]);
    const [chat] = found === undefined ? [] : await findTools(tx, SYSTEM, [found.id]);
    const secretId = chat?.secretId ?? null;
    return {
      tool: chat ?? null,
      sealed: secretId === null ? null : await findSealedSecret(tx, secretId),
    };
  });
  if (tool === null) return null;
  const { connectionParams, secretId, secretScope: scope } = tool;
  const target = { serviceType: 'llm_provider', protocol: 'http', system: true } as const;
  if (sealed === null || secretId === null) return { ...target, connectionParams, secret: null };
  const { config: local } = await withLocalData(config);
  const vault = openVault(parseKeyRing(local.secretKeys.join(',')));
  const place = { secretId, ownerId: SYSTEM_USER_ID };
  const value = vault.decrypt({ encryptedValue: sealed.encryptedValue }, place);
  return { ...target, connectionParams, secret: { value, scope } };
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

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

try {
  const findings = await examine(loadConfig(process.argv.slice(2)));
  for (const { name, ok, text } of findings)
    console.log(`${name === '' ? ' ' : ok ? '✔' : '✘'} ${name.padEnd(10)} ${text}`);
  process.exitCode = findings.every(({ ok }) => ok) ? 0 : 1;
} catch (error) {
  if (!(error instanceof BadSettings)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
