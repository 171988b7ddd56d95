import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The REST service that the Tools of the load call. It keeps the time of each call by its key. */
export interface Target {
  readonly origin: string;
  /** Times in ms since the epoch of all calls with an Idempotency-Key, by key. */
  readonly calls: ReadonlyMap<string, readonly number[]>;
  close(): Promise<void>;
}

/** @param answerMs gives the time that the next call takes */
export async function openTarget(answerMs: () => number): Promise<Target> {
  const calls = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const key = request.headers['idempotency-key'];
    if (typeof key === 'string') calls.set(key, [...(calls.get(key) ?? []), Date.now()]);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(Buffer.concat(chunks).toString('utf8') || '{}');
      }, answerMs());
    });
    request.on('error', () => {});
    response.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
