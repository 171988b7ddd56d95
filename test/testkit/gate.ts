import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './outbox.ts';

/** A server whose answers a test holds back, or replaces by a status. Answers are `{"ok":true}`. */
export async function openGate() {
  const held = new Map<string, Promise<void>>();
  const statuses = new Map<string, number[]>();
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    asked.push(path);
    await held.get(path);
    const status = statuses.get(path)?.shift() ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const asks = (path: string) => asked.filter((one) => one === path).length;
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asks,
    reached: (path: string, times = 1) =>
      eventually(`${path} is requested ${times} times`, () => asks(path) >= times),
    /** Answers of this path wait until the returned function is called. */
    hold(path: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(path, promise);
      return () => {
        held.delete(path);
        resolve();
      };
    },
    fail: (path: string, ...codes: number[]) => statuses.set(path, codes),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
