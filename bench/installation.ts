import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '../src/host/ports.ts';
import { start } from '../test/testkit/started.ts';
import { pidOn } from './processes.ts';

/** The product as `npm start` runs it, on the servers of the bench and with a folder of its own. */
export interface Installation {
  readonly url: string;
  /** Ids of its processes and of the servers. */
  pids(): Promise<Record<'product' | 'local-llm' | 'Neo4j' | 'Temporal', number>>;
  close(): Promise<void>;
}

export async function openInstallation(): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aiden-bench-'));
  const taken = new Set<number>();
  const port = await freePort(0, taken);
  const product = start(['--no-tour'], {
    AIDEN_DATA_DIR: dataDir,
    AIDEN_PORT: String(port),
    AIDEN_LOCAL_LLM_PORT: String(await freePort(0, taken)),
    MEMORY_GRPC_PORT: '0',
  });
  async function close(): Promise<void> {
    product.child.kill('SIGINT');
    await product.exit;
    await rm(dataDir, { recursive: true, force: true });
  }
  try {
    await product.until('Ctrl-C stops everything');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    close,
    async pids() {
      return {
        product: product.child.pid ?? 0,
        'local-llm': Number(await readFile(join(dataDir, 'local-llm.pid'), 'utf8')),
        Neo4j: await pidOn(Number(process.env['NEO4J_URI']?.split(':').at(-1))),
        Temporal: await pidOn(Number(process.env['TEMPORAL_ADDRESS']?.split(':').at(-1))),
      };
    },
  };
}

/** A REST server that answers each call at once. */
export async function openInstantRest(): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"done"}'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}
