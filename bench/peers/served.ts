import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

/** Where the bench's REST server answers each step at once. */
const WORK_URL = `${process.env['REST_ORIGIN']}/work`;
export const STEPS = ['a', 'b', 'c'] as const;

/**
 * One step of run `key`: a POST as Aiden's Tool sends it. @throws Error unless answered with 200
 */
export async function callRest(key: string): Promise<string> {
  const response = await fetch(WORK_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: key }),
  });
  if (!response.ok) throw new Error(`The REST server answered ${response.status}.`);
  const { text } = (await response.json()) as { text: string };
  return text;
}

/**
 * Serves `POST /<key>`: runs the three steps of `key` and answers when they have ended. Prints
 * `ready <port>` for the bench.
 */
export async function serve(run: (key: string) => Promise<unknown>): Promise<void> {
  const server = createServer((request, response) => {
    run((request.url ?? '/').slice(1)).then(
      () => response.end('{}'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  console.log(`ready ${(server.address() as AddressInfo).port}`);
}
