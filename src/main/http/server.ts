import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiDeps } from '../../../schema/context.ts';
import { buildSchema } from '../../../schema/index.ts';
import { FairPlaces, type PlaceLimits } from '../../common/fair-places.ts';
import { allowOrigin, NOT_SERVED, refuse } from '../../platform/http/answer.ts';
import { guardAddresses } from '../../platform/http/guards.ts';
import { OPERATION_LIMITS, type OperationLimits } from '../../platform/http/operation-limits.ts';
import { openPersistedQueries } from '../../platform/http/persisted-queries.ts';
import { openRateLimiter, type RateLimit } from '../../platform/http/rate-limit.ts';
import { plainTarget } from '../../platform/http/request-target.ts';
import { closeStalled } from '../../platform/http/stalled.ts';
import {
  openTrustedDocuments,
  type TrustedDocument,
} from '../../platform/http/trusted-documents.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import type { PayloadCrypt } from '../../platform/temporal/payload-codec.ts';
import type { AuthSettings } from '../../users/authenticate.service.ts';
import type { UserDirectory } from '../../users/user-directory.service.ts';
import { isLoopback } from '../config/config.ts';
import { VERSION } from '../runtime.ts';
import { CODEC_PATH, codecRoutes } from './codec-route.ts';
import { CONSOLE_PATH, openConsole, type SignIn } from './console-route.ts';
import { openGraphql } from './graphql.ts';
import { openGraphqlRoute } from './graphql-route.ts';
import { MCP_PATH, type McpSessionLimits, mcpRoute } from './mcp-route.ts';
import { openaiRoute } from './openai-route.ts';
import { authorizationServer, resourceMetadataRoutes } from './resource-metadata.ts';
import { openSignIn } from './sign-in.ts';
import {
  answerGuarded,
  byPath,
  listen,
  type MetricsAccess,
  type Serve,
  watchedRoutes,
} from './watched.ts';
import { attachWebSockets } from './websocket.ts';

export interface ServerSettings {
  readonly host: string;
  /** 0 = any free port; `RunningServer.url` has the one assigned. */
  readonly port: number;
  /** `dev` adds GraphiQL and introspection, and accepts only loopback names as Host. */
  readonly mode: 'dev' | 'production';
  readonly auth: AuthSettings;
  /** Browser origins that may call the API. In dev the server's own origin may too. */
  readonly origins: readonly string[];
  /** Origin of Temporal's web UI, which may call the payload codec; absent: none may. */
  readonly temporalUi?: string;
  /** The only documents that callers may run; absent: they may run any. */
  readonly trustedDocuments?: readonly TrustedDocument[];
  /** Folder of the built console, served under `/console/`; absent: not served. */
  readonly consoleFolder?: string;
  /** OpenID provider that the console signs in with; absent: it asks for a token. */
  readonly signIn?: SignIn;
  /** Who may read /metrics; default open. */
  readonly metrics?: MetricsAccess;
  readonly rateLimit?: RateLimit;
  readonly limits?: OperationLimits;
  /**
   * Subscriptions, running operations and calls of MCP clients that are open, in all and per user.
   */
  readonly openOperations?: PlaceLimits;
  /** Queries and mutations that run and that wait, in all and per user. */
  readonly turns?: PlaceLimits;
  /** WebSockets, in all and per user. */
  readonly sockets?: PlaceLimits;
  readonly mcpSessions?: McpSessionLimits;
  /** Maximum time in ms for the headers of a request; default 20,000. */
  readonly headersMsMax?: number;
  /** Maximum pause in ms within a request's body; default 10,000. */
  readonly bodyPauseMsMax?: number;
  /**
   * Maximum time in ms in which a peer takes none of the bytes that wait for it; default 30,000,
   * and 10,000 for a WebSocket.
   */
  readonly stalledMsMax?: number;
}

export interface ServerParts {
  readonly deps: ApiDeps;
  readonly users: UserDirectory;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Of the payloads in Temporal; absent: not served. */
  readonly codec?: PayloadCrypt | undefined;
}

export interface RunningServer {
  readonly url: string;
  /**
   * Tells balancers and clients to go elsewhere: /ready answers 503, and each answer closes its
   * connection. Requests are served as before, also on new connections.
   */
  drain(): void;
  /**
   * Refuses new requests, lets current ones finish, and closes subscriptions (clients resume by
   * cursor).
   */
  stop(): Promise<void>;
}

// Above the use of a person with scripts; a loop without a pause exceeds it.
export const RATE_LIMIT: RateLimit = { perSecond: 500, burst: 5_000 };
// A person with many windows, or a server that follows runs for its users under one name.
export const OPEN_OPERATIONS: PlaceLimits = { places: 20_000, placesPerOwner: 1_000 };
export const SOCKETS: PlaceLimits = { places: 5_000, placesPerOwner: 200 };
const HEADERS_MS_MAX = 20_000;
/**
 * An idle connection stays longer here than in a balancer (nginx and AWS 60 s, proxies in Go 90 s),
 * or the balancer sends a request while the server closes, and the request fails.
 */
const IDLE_MS_MAX = 95_000;
const STALLED_MS_MAX = 30_000;
/** How often the server looks for connections that are over their time. */
const CHECK_MS = 5_000;
const DRAIN_MS_MAX = 10_000;
/** How often a stopping server closes connections whose last answer did not say that it would. */
const IDLE_LOOK_MS = 250;

/**
 * Serves the API until stopped.
 * @throws Error when dev tokens would be accepted beyond this machine
 */
export async function startServer(
  settings: ServerSettings,
  parts: ServerParts,
): Promise<RunningServer> {
  const { mode } = settings;
  const host = settings.host.replace(/^\[|\]$/g, '');
  if (settings.auth.mode === 'dev' && !isLoopback(host))
    throw new Error(
      'Dev tokens are not verified, so AIDEN_AUTH=dev listens on loopback only, not on ' +
        `${host}. Set AIDEN_AUTH=jwt.`,
    );
  const { deps, users, log, metrics } = parts;
  const limits = settings.limits ?? OPERATION_LIMITS;
  const graphql = openGraphql({
    schema: buildSchema(),
    ...{ deps, mode, limits, log, metrics, turns: settings.turns },
  });
  const identify = openSignIn(settings.auth, users);
  const rateLimiter = openRateLimiter(settings.rateLimit ?? RATE_LIMIT);
  const stopMeasuring = deps.graph.onStatement(({ name, ms }) =>
    metrics.statementEnded({ name, seconds: ms / 1000 }),
  );
  const documents =
    settings.trustedDocuments === undefined
      ? openPersistedQueries()
      : openTrustedDocuments(settings.trustedDocuments, limits);
  const openOperations = new FairPlaces(settings.openOperations ?? OPEN_OPERATIONS);
  const route = openGraphqlRoute({
    graphql,
    documents,
    identify,
    rateLimiter,
    clock: deps.clock,
    tokensMax: limits.tokensMax,
    openOperations,
    ...(settings.bodyPauseMsMax === undefined ? {} : { pauseMsMax: settings.bodyPauseMsMax }),
  });
  let draining = false;
  const answering = new Set<ServerResponse>();
  const sayClose = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close');
  };
  const drain = () => {
    draining = true;
    answering.forEach(sayClose);
  };

  const server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
    void handle(request, response);
  });
  server.requestTimeout = 120_000;
  // A connection that says nothing takes a file descriptor.
  server.headersTimeout = settings.headersMsMax ?? HEADERS_MS_MAX;
  server.keepAliveTimeout = IDLE_MS_MAX;
  const stalled = closeStalled(server, settings.stalledMsMax ?? STALLED_MS_MAX);
  const port = () => (server.address() as AddressInfo | null)?.port ?? settings.port;
  const guard = guardAddresses({ mode, host, origins: settings.origins, port });
  const uiOrigins = settings.temporalUi === undefined ? [] : [settings.temporalUi];
  const codecGuard = guardAddresses({ mode, host, origins: uiOrigins, port });

  const issuer = authorizationServer(settings.auth);
  const mcp = mcpRoute({
    ...{ deps, version: VERSION, identify, rateLimiter, issuer, openOperations },
    ...(settings.mcpSessions === undefined ? {} : { limits: settings.mcpSessions }),
  });
  const openai = openaiRoute({ deps, identify, rateLimiter, openOperations });
  const { consoleFolder } = settings;
  const console = consoleFolder === undefined ? null : openConsole(consoleFolder, settings.signIn);
  const routes: Readonly<Record<string, Serve>> = {
    '/graphql': route.serve,
    [MCP_PATH]: mcp.serve,
    ...resourceMetadataRoutes(MCP_PATH, issuer),
    ...watchedRoutes({
      deps,
      metrics,
      access: settings.metrics ?? 'open',
      isDraining: () => draining,
    }),
    ...(parts.codec === undefined
      ? {}
      : codecRoutes({ codec: parts.codec, identify, rateLimiter, log })),
    '/': async (_request, response) => {
      const isBuilt = console?.isBuilt() === true;
      if (!isBuilt && mode !== 'dev') return refuse(response, NOT_SERVED);
      response.writeHead(302, { location: isBuilt ? CONSOLE_PATH : '/graphql' }).end();
    },
    ...(console === null
      ? {}
      : {
          [CONSOLE_PATH.slice(0, -1)]: async (_request, response) =>
            void response.writeHead(302, { location: CONSOLE_PATH }).end(),
        }),
  };

  const serveByPath = byPath(routes, NOT_SERVED);
  const serve: Serve = (request, response, requestId) => {
    allowOrigin(request, response);
    const { url = '/' } = request;
    const isConsole = console !== null && url.startsWith(CONSOLE_PATH);
    if (isConsole) return console.serve(request, response, requestId);
    if (/^\/v1(?=[/?]|$)/.test(url)) return openai.serve(request, response, requestId);
    return serveByPath(request, response, requestId);
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (draining) sayClose(response);
    answering.add(response);
    response.once('close', () => answering.delete(response));
    response.once('finish', () => {
      if (response.statusCode >= 400) metrics.httpRefused(response.statusCode);
    });
    // The guards and the routes read the same path.
    request.url = plainTarget(request.url ?? '/', (path) => path.startsWith(CONSOLE_PATH));
    const isCodec = request.url.startsWith(`${CODEC_PATH}/`);
    const guards = { guard: isCodec ? codecGuard : guard, log, newId: deps.newId };
    await answerGuarded(guards, request, response, serve);
  }

  const closeSockets = attachWebSockets({
    server,
    graphql,
    documents,
    guard,
    identify,
    rateLimiter,
    newId: deps.newId,
    clock: deps.clock,
    log,
    openOperations,
    stalled,
    stalledMsMax: settings.stalledMsMax,
    sockets: new FairPlaces(settings.sockets ?? SOCKETS),
  });
  const url = await listen(server, host, settings.port);
  log.info('The API is up', { address: url });

  return {
    url,
    drain,
    async stop() {
      drain();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await closeSockets();
      route.hangUp();
      openai.close();
      await mcp.close();
      const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
      await closed;
      clearTimeout(deadline);
      clearInterval(idle);
      stopMeasuring();
    },
  };
}
