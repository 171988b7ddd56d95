import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'graphql';
import type { ApiDeps } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { BODY_BYTES_MAX, INTAKE_BODY_BYTES_MAX } from '../common/limits.ts';
import { BodyRefused, type GraphqlParams, readParams } from '../platform/http/body.ts';
import { guardAddresses, type HttpRefusal, isJson } from '../platform/http/guards.ts';
import {
  OPERATION_LIMITS,
  type OperationLimits,
  rootFieldsOf,
} from '../platform/http/operation-limits.ts';
import { openRateLimiter, type RateLimit } from '../platform/http/rate-limit.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { type AuthSettings, NotAuthenticated } from '../users/authenticate.ts';
import type { UserDirectory } from '../users/directory.ts';
import { isLoopback } from './config.ts';
import { openGraphql } from './graphql.ts';
import { endsIn, openSignIn, type SignedIn } from './sign-in.ts';
import { attachWebSockets } from './websocket.ts';

export interface ServerSettings {
  readonly host: string;
  /** 0 lets the system choose; the answer has the one it chose. */
  readonly port: number;
  /** In dev: GraphiQL, introspection, and only loopback names as Host. */
  readonly mode: 'dev' | 'production';
  readonly auth: AuthSettings;
  /** Origins of browsers' pages that may call, besides (in dev) the server's own. */
  readonly origins: readonly string[];
  /** Whether /metrics answers; default yes. */
  readonly metrics?: boolean;
  readonly rateLimit?: RateLimit;
  readonly limits?: OperationLimits;
}

export interface ServerParts {
  readonly deps: ApiDeps;
  readonly users: UserDirectory;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface RunningServer {
  readonly url: string;
  /** Takes no more requests, lets those at work finish, hangs up on subscriptions (they resume by cursor). */
  stop(): Promise<void>;
}

// Generous: a person with a console and some scripts never meets it, a loop without a pause does.
const RATE_LIMIT: RateLimit = { perSecond: 200, burst: 2_000 };
const DRAIN_MS_MAX = 10_000;
const LARGE_BODIES_AT_ONCE_MAX = 4;
const INTAKES = ['recordSessionEvents', 'ingestEvents', 'importBundle'];

/** Serves the API until stopped. @throws when dev tokens would be believed beyond this machine */
export async function startServer(
  settings: ServerSettings,
  parts: ServerParts,
): Promise<RunningServer> {
  const { host, mode } = settings;
  if (settings.auth.mode === 'dev' && !isLoopback(host)) {
    throw new Error(
      `Dev tokens are believed without proof, so AIDEN_AUTH=dev listens on loopback only, not on ${host}. Set AIDEN_AUTH=jwt.`,
    );
  }
  const { deps, users, log, metrics } = parts;
  const limits = settings.limits ?? OPERATION_LIMITS;
  const graphql = openGraphql({ schema: buildSchema(), deps, mode, limits, log, metrics });
  const identify = openSignIn(settings.auth, users);
  const rateLimiter = openRateLimiter(settings.rateLimit ?? RATE_LIMIT, deps.clock);
  const stopMeasuring = deps.graph.onStatement(({ name, ms }) =>
    metrics.statementEnded({ name, seconds: ms / 1000 }),
  );
  const streams = new Set<ServerResponse>();
  let draining = false;
  let largeBodies = 0;

  const server = createServer((request, response) => void handle(request, response));
  server.requestTimeout = 120_000;
  const port = () => (server.address() as AddressInfo | null)?.port ?? settings.port;
  const guard = guardAddresses({ mode, origins: settings.origins, port });

  const routes: Record<
    string,
    (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<void>
  > = {
    '/graphql': serveGraphql,
    '/ready': async (_request, response) => {
      const { status } = await deps.health();
      const ready = !draining && status !== 'down';
      answerJson(response, ready ? 200 : 503, { ready });
    },
    '/health': async (_request, response) => answerJson(response, 200, await deps.health()),
    '/metrics': async (_request, response) => {
      if (settings.metrics === false) return refuse(response, NOT_SERVED);
      response.setHeader('content-type', metrics.registry.contentType);
      response.end(await metrics.registry.metrics());
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = deps.newId();
    response.setHeader('x-request-id', requestId);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('x-frame-options', 'DENY');
    if (draining) response.setHeader('connection', 'close');
    try {
      const refusal = guard.check(request);
      if (refusal !== null) return refuse(response, refusal);
      allowOrigin(request, response);
      const path = request.url?.split('?')[0] ?? '/';
      const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
      if (route !== undefined) return await route(request, response, requestId);
      if (path === '/' && mode === 'dev')
        return void response.writeHead(302, { location: '/graphql' }).end();
      refuse(response, NOT_SERVED);
    } catch (error) {
      const known = refusalOf(error);
      if (known === null) log.error('A request failed', { requestId, error });
      refuse(
        response,
        known ?? {
          status: 500,
          code: 'INTERNAL',
          message: `Something went wrong here. It is logged as ${requestId}.`,
        },
      );
    }
  }

  async function serveGraphql(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<void> {
    if (request.method === 'OPTIONS') return void response.writeHead(204, PREFLIGHT).end();
    if (request.method === 'POST' && !isJson(request.headers['content-type'])) {
      return refuse(response, {
        status: 415,
        code: 'BAD_USER_INPUT',
        message: 'POST JSON: Content-Type has to be application/json.',
      });
    }
    const signedIn = await identify(request.headers.authorization ?? null);
    const viewer = signedIn?.viewer ?? null;
    const waitSeconds = rateLimiter.waitSeconds(
      viewer?.userId ?? request.socket.remoteAddress ?? 'unknown',
    );
    if (waitSeconds > 0) return refuse(response, tooFast(waitSeconds));

    if (request.headers.accept?.includes('text/event-stream')) follow(response, signedIn);
    const arrival = { viewer, requestId };
    if (request.method !== 'POST') return graphql(request, response, arrival);
    const params = await readBody(request, signedIn);
    await graphql(request, response, { ...arrival, params });
  }

  async function readBody(
    request: IncomingMessage,
    signedIn: SignedIn | null,
  ): Promise<GraphqlParams> {
    const large = Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX;
    const maySendLarge = signedIn !== null && largeBodies < LARGE_BODIES_AT_ONCE_MAX;
    if (large) largeBodies += 1;
    try {
      return await readParams(request, {
        bytesMax: BODY_BYTES_MAX,
        intakeBytesMax: INTAKE_BODY_BYTES_MAX,
        // Chunked bodies of unknown size are small ones: an intake says how large it is.
        maySendLarge: () => maySendLarge && large,
        isIntake: (params) => isIntake(params, limits.tokensMax),
      });
    } finally {
      if (large) largeBodies -= 1;
    }
  }

  /** Streams are known by name here, to be hung up on when the server stops or the token ends. */
  function follow(response: ServerResponse, signedIn: SignedIn | null): void {
    streams.add(response);
    const timer = endsIn(signedIn, deps.clock.nowMs(), () => response.destroy());
    response.once('close', () => {
      clearTimeout(timer);
      streams.delete(response);
    });
  }

  function allowOrigin({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
    response.setHeader('vary', 'Origin');
    if (origin === undefined) return;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'x-request-id, retry-after');
  }

  function refuse(response: ServerResponse, { status, code, message, headers }: HttpRefusal): void {
    metrics.httpRefused(status);
    if (response.headersSent) return void response.destroy();
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    answerJson(response, status, { errors: [{ message, extensions: { code } }] });
  }

  const closeSockets = attachWebSockets({
    server,
    graphql,
    guard,
    identify,
    rateLimiter,
    newId: deps.newId,
    clock: deps.clock,
    log,
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port()}`;
  log.info('The API is up', { address: url });

  return {
    url,
    async stop() {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await closeSockets();
      for (const response of streams) response.destroy();
      const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
      await closed;
      clearTimeout(deadline);
      stopMeasuring();
    },
  };
}

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'content-type, authorization, accept',
  'access-control-max-age': '600',
  'content-length': '0',
};

const NOT_SERVED: HttpRefusal = {
  status: 404,
  code: 'BAD_USER_INPUT',
  message: 'Nothing is served at this path; the API is at /graphql.',
};

function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(body));
}

function refusalOf(error: unknown): HttpRefusal | null {
  if (error instanceof BodyRefused) return error.refusal;
  if (!(error instanceof NotAuthenticated)) return null;
  return {
    status: 401,
    code: 'UNAUTHENTICATED',
    message: error.message,
    headers: { 'www-authenticate': 'Bearer' },
  };
}

function tooFast(waitSeconds: number): HttpRefusal {
  return {
    status: 429,
    code: 'RATE_LIMITED',
    message: `Too many requests; try again in ${waitSeconds} s.`,
    headers: { 'retry-after': String(waitSeconds) },
  };
}

/** The decided exception to the body limit: one root field, and it takes things in. */
function isIntake({ query, operationName }: GraphqlParams, tokensMax: number): boolean {
  if (typeof query !== 'string' || query.length > BODY_BYTES_MAX) return false;
  try {
    const document = parse(query, { maxTokens: tokensMax });
    const fields = rootFieldsOf(document, typeof operationName === 'string' ? operationName : null);
    return fields.length === 1 && fields.every((field) => INTAKES.includes(field));
  } catch {
    return false;
  }
}
