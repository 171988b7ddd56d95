import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** When the steps of one run were asked for and answered, in ms of `performance.now()`. */
export interface Seen {
  readonly askedMs: number[];
  readonly answeredMs: number[];
}

/**
 * A REST server that answers each step at once, and notes when. A step's body names its run:
 * `{"name": "<key>"}`.
 */
export async function openStepsSeen(): Promise<{
  readonly origin: string;
  /** Gives the times of a run, and forgets them. */
  take(key: string): Seen;
  close(): void;
}> {
  const seen = new Map<string, Seen>();
  const server = createServer(async (request, response) => {
    const atMs = performance.now();
    // Aiden also looks whether the server is healthy.
    if (request.method !== 'POST') return void response.end('{}');
    let body = '';
    for await (const part of request) body += part;
    const { name } = JSON.parse(body) as { name: string };
    const run = seen.get(name) ?? { askedMs: [], answeredMs: [] };
    seen.set(name, run);
    run.askedMs.push(atMs);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"done"}');
    run.answeredMs.push(performance.now());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take(key) {
      const run = seen.get(key) ?? { askedMs: [], answeredMs: [] };
      seen.delete(key);
      return run;
    },
    close: () => void server.close(),
  };
}
