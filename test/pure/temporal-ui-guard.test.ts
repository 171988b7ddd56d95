import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openUiGuard, type UiGuard } from '../../src/host/temporal/ui-guard.ts';

const asked: string[] = [];
const ui = createServer((request_, response) => {
  asked.push(`${request_.method} ${request_.url}`);
  if (request_.method === 'POST') request_.pipe(response);
  else response.writeHead(200, { 'x-from': 'ui' }).end(`page of ${request_.headers.host}`);
});
let guard: UiGuard;
let port = 0;

const listen = (server: typeof ui) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

beforeAll(async () => {
  const free = createServer();
  port = await listen(free);
  await new Promise((resolve) => free.close(resolve));
  guard = await openUiGuard(port, { host: '127.0.0.1', port: await listen(ui) });
});
afterAll(async () => {
  await guard.stop();
  ui.closeAllConnections();
  await new Promise((resolve) => ui.close(resolve));
});

function send(
  method: string,
  headers: Record<string, string>,
  body = '',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path: '/api/v1/x?y=1', headers },
      (got) => {
        let text = '';
        got.on('data', (piece: Buffer) => {
          text += piece.toString();
        });
        got.on('end', () => resolve({ status: got.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe("the guard of Temporal's UI", () => {
  it('hands on the requests of its own pages', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const host = `${name}:${port}`;
      expect(await send('GET', { host })).toEqual({ status: 200, text: `page of ${host}` });
      const origin = `http://${host}`;
      expect(await send('POST', { host, origin }, 'text')).toEqual({ status: 200, text: 'text' });
    }
    expect(asked).toContain('GET /api/v1/x?y=1');
  });

  it.each([
    ['another host (DNS rebinding)', 'GET', { host: 'evil.example:8233' }],
    ['another host on the same port', 'POST', { host: 'evil.example' }],
    ['no port', 'GET', { host: 'localhost' }],
    ['another page', 'POST', { origin: 'http://evil.example' }],
    ['another page that reads', 'GET', { origin: 'http://evil.example' }],
    ['a page without an origin', 'POST', { origin: 'null' }],
    ['another port of this machine', 'POST', { origin: 'http://127.0.0.1:1' }],
    ['another site, as a browser says', 'POST', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_what, method, headers) => {
    const before = asked.length;
    const answer = await send(method, { host: `127.0.0.1:${port}`, ...headers });
    expect(answer.status).toBe(403);
    expect(answer.text).toMatch(/^Temporal's UI /);
    expect(asked).toHaveLength(before);
  });

  it('says so where the UI does not answer', async () => {
    const free = createServer();
    const other = await listen(free);
    await new Promise((resolve) => free.close(resolve));
    const second = await openUiGuard(other, { host: '127.0.0.1', port: 1 });
    const answer = await fetch(`http://127.0.0.1:${other}/`);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('does not answer');
    await second.stop();
  });
});
