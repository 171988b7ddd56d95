import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/**
 * A small REST service on loopback, for tests and for examples of failure:
 * `/echo` the request · `/status/503` that status (`?after=2` with Retry-After) · `/text` ·
 * `/key?is=` 401 without that Bearer token · `/empty` · `/slow?ms=` ·
 * `/drip` one byte per second · `/endless` · `/bomb` gzip of 64 MiB ·
 * `/huge-headers` · `/flaky?key=a&fails=2` 503 that often, then ok · `/once` an effect, once per
 * Idempotency-Key, with its count · `/redirect?to=&status=` · `/never` accepts and says nothing ·
 * `/cut` closes in the middle.
 */
export interface RestServer {
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** How often `/once` took effect for a key (0 or 1), and how often it was called. */
  effects(key: string): number;
  calls(key: string): number;
  /** Number of open sockets; a cancel has to bring it to 0. */
  openSockets(): number;
  close(): Promise<void>;
}

const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** A path below this one that no other test requests, nor another try of the same test. */
export function ownPath(path: string): string {
  return `${path}/${randomUUID()}`;
}

export async function openRestServer(host = '127.0.0.1'): Promise<RestServer> {
  const requests: ReceivedRequest[] = [];
  const effects = new Map<string, number>();
  const calls = new Map<string, number>();
  const failures = new Map<string, number>();
  let sockets = 0;

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://here');
    let body = '';
    for await (const chunk of request) body += chunk;
    const received = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    };
    requests.push(received);
    answer(received, response);
  });

  type Route = (request: ReceivedRequest, response: ServerResponse, rest: string) => void;
  const routes: Record<string, Route> = {
    status({ query }, response, status) {
      const after = query.get('after');
      const body = { error: query.get('say') ?? `status ${status}` };
      json(response, Number(status), body, after === null ? {} : { 'retry-after': after });
    },
    text: (_request, response) => text(response).end('plain words'),
    empty: (_request, response) => response.writeHead(204).end(),
    'not-json': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"cut": '),
    slow({ query }, response) {
      setTimeout(() => json(response, 200, { slept: true }), Number(query.get('ms') ?? 1_000));
    },
    never() {},
    drip({ query }, response) {
      text(response);
      const timer = setInterval(() => response.write('.'), Number(query.get('ms') ?? 1_000));
      response.on('close', () => clearInterval(timer));
    },
    endless: (_request, response) => pour(text(response)),
    bomb: (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
        .end(BOMB),
    'huge-headers': (_request, response) =>
      response.writeHead(200, { 'x-large': 'x'.repeat(100_000) }).end(),
    cut(_request, response) {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 20);
    },
    redirect({ query }, response) {
      const location = query.get('to') ?? '/echo';
      response.writeHead(Number(query.get('status') ?? 302), { location }).end();
    },
    key({ query, headers }, response) {
      const isRight = headers['authorization'] === `Bearer ${query.get('is')}`;
      json(response, isRight ? 200 : 401, { isRight });
    },
    flaky({ query }, response) {
      const key = query.get('key') ?? '';
      const failed = failures.get(key) ?? 0;
      if (failed < Number(query.get('fails') ?? 1)) {
        failures.set(key, failed + 1);
        json(response, 503, { error: 'try again' }, { 'retry-after': '0' });
      } else json(response, 200, { failed });
    },
    once({ headers }, response) {
      const key = String(headers['idempotency-key']);
      effects.set(key, 1);
      calls.set(key, (calls.get(key) ?? 0) + 1);
      json(response, 200, { key, effects: effects.get(key), calls: calls.get(key) });
    },
  };
  const echo: Route = ({ method, path, query, headers, body }, response) =>
    json(response, 200, {
      method,
      path,
      query: Object.fromEntries(query),
      headers,
      body: parsed(body),
    });

  function answer(request: ReceivedRequest, response: ServerResponse): void {
    const [, route = '', rest = ''] = request.path.split('/');
    (routes[route] ?? echo)(request, response, rest);
  }

  server.on('connection', (socket) => {
    sockets += 1;
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests,
    effects: (key) => effects.get(key) ?? 0,
    calls: (key) => calls.get(key) ?? 0,
    openSockets: () => sockets,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  extra: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...extra })
    .end(JSON.stringify(value));
}

function text(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/plain' });
}

function pour(response: ServerResponse): void {
  const chunk = 'x'.repeat(64 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
