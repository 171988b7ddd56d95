import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { ApiDeps } from '../../schema/context.ts';
import { createIdSource } from '../../src/common/id.ts';
import { type GrpcParts, startGrpc } from '../../src/main/grpc/grpc.ts';
import { openSignIn } from '../../src/main/http/sign-in.ts';
import { openRateLimiter } from '../../src/platform/http/rate-limit.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { openLog } from '../../src/platform/telemetry/log.ts';
import { openUserDirectory } from '../../src/users/user-directory.service.ts';
import { testGraph } from './graph.ts';

// biome-ignore lint/suspicious/noExplicitAny: clients of a loaded definition have no types
export type Loaded = any;

const PROTO = fileURLToPath(new URL('../../proto/memory.proto', import.meta.url));

export function metadataOf({ authorization }: { authorization: string }): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', authorization);
  return metadata;
}

/**
 * A client of the memory over gRPC, with the names of its definition and a connection of its own.
 * Default: the shared app, and proto/memory.proto.
 */
export function openMemoryRpc(address = process.env['AIDEN_TEST_GRPC'] ?? '', proto = PROTO) {
  const definition = loadSync(proto, { keepCase: true, longs: String, enums: String });
  const memory = new (loadPackageDefinition(definition) as Loaded).memory.MemoryService(
    address,
    credentials.createInsecure(),
    { 'grpc.use_local_subchannel_pool': 1 },
  );
  return {
    memory,
    call: (who: { authorization: string }, name: string, request: object): Promise<Loaded> =>
      new Promise((resolve, reject) => {
        memory[name](request, metadataOf(who), (error: Error | null, response: unknown) =>
          error === null ? resolve(response) : reject(error),
        );
      }),
    close: () => memory.close(),
  };
}

/**
 * A server of the memory over gRPC in this process, for tests of the server itself; it signs in as
 * told. `read` may stand before each read of a call.
 */
export async function startMemoryGrpc(
  auth: Parameters<typeof openSignIn>[0],
  parts: Partial<GrpcParts> = {},
  read: (graph: Graph) => Graph['read'] = (graph) => graph.read,
) {
  const clock = { nowMs: () => Date.now() };
  const graph = testGraph();
  const newId = createIdSource({ ...clock, random: () => Math.random() });
  const memoryMode = { mode: 'unified', agentId: null } as const;
  const own = { clock, newId, wake: () => {}, memoryMode, log: openLog('error') };
  const server = await startGrpc('127.0.0.1:0', {
    deps: { ...own, graph: { ...graph, read: read(graph) } } as unknown as ApiDeps,
    identify: openSignIn(auth, openUserDirectory({ ...own, graph })),
    rateLimiter: openRateLimiter({ perSecond: 10_000, burst: 10_000 }),
    ...parts,
  });
  return {
    address: server.address,
    async stop() {
      await server.stop();
      await graph.close();
    },
  };
}
