import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

// biome-ignore lint/suspicious/noExplicitAny: clients of a loaded definition have no types
export type Loaded = any;

/** A client of the memory of the shared app over gRPC, with the names of proto/memory.proto. */
export function openMemoryRpc() {
  const definition = loadSync(fileURLToPath(new URL('../../proto/memory.proto', import.meta.url)), {
    keepCase: true,
    longs: String,
    enums: String,
  });
  const memory = new (loadPackageDefinition(definition) as Loaded).memory.MemoryService(
    process.env['AIDEN_TEST_GRPC'] ?? '',
    credentials.createInsecure(),
  );
  return {
    memory,
    call: (who: { authorization: string }, name: string, request: object): Promise<Loaded> =>
      new Promise((resolve, reject) => {
        const metadata = new Metadata();
        metadata.set('authorization', who.authorization);
        memory[name](request, metadata, (error: Error | null, response: unknown) =>
          error === null ? resolve(response) : reject(error),
        );
      }),
    close: () => memory.close(),
  };
}
