import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiDeps } from '../../../schema/context.ts';
import {
  answerJson,
  HttpRefused,
  NOT_SERVED,
  refuse,
  setSafeHeaders,
} from '../../platform/http/answer.ts';
import type { AddressGuard, HttpRefusal } from '../../platform/http/guards.ts';
import { logLevelOf, outageOf } from '../../platform/http/present-error.ts';
import { partsDown } from '../../platform/telemetry/health.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';

/**
 * Answers one request. A thrown HttpRefused is sent; other errors are logged and sent
 * as UNAVAILABLE where a service behind the API is away, else as INTERNAL.
 */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<void>;

/**
 * Monitoring routes of every process. /health reports each backing service. /ready answers 200
 * while Neo4j and Temporal answer and the process is not stopping, else 503 with the names of those
 * that are `down`. /metrics serves Prometheus, unless turned off.
 */
export function watchedRoutes(parts: {
  readonly deps: Pick<ApiDeps, 'health'>;
  readonly metrics: Metrics;
  readonly access: MetricsAccess;
  readonly isDraining: () => boolean;
}): Readonly<Record<string, Serve>> {
  const { deps, metrics, access, isDraining } = parts;
  return {
    '/health': async (_request, response) => answerJson(response, 200, await deps.health()),
    '/ready': async (_request, response) => {
      const down = partsDown(await deps.health());
      const isStopping = isDraining();
      const ready = !isStopping && down.length === 0;
      const reasons = { ...(down.length > 0 && { down }), ...(isStopping && { isStopping }) };
      answerJson(response, ready ? 200 : 503, { ready, ...reasons });
    },
    '/metrics': async (request, response) => {
      const refusal = refusalOf(access, request);
      if (refusal !== null) return refuse(response, refusal);
      response.setHeader('content-type', metrics.registry.contentType);
      response.end(await metrics.registry.metrics());
    },
  };
}

/** `closed`: not served. `token`: served to requests that carry it. */
export type MetricsAccess = 'open' | 'closed' | 'off' | { readonly token: string };

/**
 * The access by the settings `metrics` and `metricsToken`.
 * @param without the access where no token is set
 */
export function metricsAccess(
  config: { readonly metrics: boolean; readonly metricsToken?: string | undefined },
  without: 'open' | 'closed',
): MetricsAccess {
  if (!config.metrics) return 'off';
  return config.metricsToken === undefined ? without : { token: config.metricsToken };
}

function refusalOf(access: MetricsAccess, { headers }: IncomingMessage): HttpRefusal | null {
  if (access === 'open') return null;
  if (access === 'off') return NOT_SERVED;
  if (access === 'closed') return METRICS_CLOSED;
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return equalTexts(given, access.token) ? null : METRICS_TOKEN;
}

/** Takes the same time whatever the difference. */
function equalTexts(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

const METRICS_CLOSED: HttpRefusal = {
  ...NOT_SERVED,
  message: 'Metrics are served with AIDEN_METRICS_TOKEN, or on AIDEN_WORKER_PORT.',
};
const METRICS_TOKEN: HttpRefusal = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: 'Send the token of AIDEN_METRICS_TOKEN as Authorization: Bearer.',
  headers: { 'www-authenticate': 'Bearer' },
};

/** Selects the route by the request's path. Unknown paths get the refusal `otherwise`. */
export function byPath(
  routes: Readonly<Record<string, Serve>>,
  otherwise: Parameters<typeof refuse>[1],
): Serve {
  return async (request, response, requestId) => {
    const path = request.url?.split('?')[0] ?? '/';
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) return refuse(response, otherwise);
    await route(request, response, requestId);
  };
}

/** Checks a request with the guard and serves it. Errors become responses. */
export async function answerGuarded(
  parts: { readonly guard: AddressGuard; readonly log: Log; readonly newId: () => string },
  request: IncomingMessage,
  response: ServerResponse,
  serve: Serve,
): Promise<void> {
  const requestId = parts.newId();
  setSafeHeaders(response, requestId);
  try {
    const refusal = parts.guard.check(request);
    if (refusal !== null) return refuse(response, refusal);
    await serve(request, response, requestId);
  } catch (error) {
    if (error instanceof HttpRefused) return refuse(response, error.refusal);
    // The caller hung up while the body was on its way: nobody waits for an answer.
    if (request.destroyed && !request.complete) return;
    parts.log[logLevelOf(error)]('A request failed', { requestId, error });
    // The sign-in reads the user, so a request can fail by an outage before its GraphQL begins.
    const outage = outageOf(error);
    if (outage !== null)
      return refuse(response, { status: 503, code: 'UNAVAILABLE', message: outage });
    const message = `Something went wrong here. It is logged as ${requestId}.`;
    refuse(response, { status: 500, code: 'INTERNAL', message });
  }
}

/**
 * Connections that the kernel keeps until they are accepted, at most as many as its own limit. Node
 * accepts one per turn of its event loop, so the default of 511 is too few for a busy process. The
 * kernel drops further connections, and their clients wait for nothing.
 */
const BACKLOG = 4_096;

/**
 * Listens on `port` (0 = any free port) and returns the server's URL.
 * @throws Error when the port is taken
 */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: chosen } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`;
}
