import { setTimeout as sleep } from 'node:timers/promises';
import { CONSOLE_FOLDER } from '../host/console.ts';
import { openRateLimiter } from '../platform/http/rate-limit.ts';
import type { AuthSettings } from '../users/authenticate.service.ts';
import type { Config } from './config/config.ts';
import { readTrustedDocuments } from './config/trusted-documents.ts';
import { type RunningGrpc, startGrpc } from './grpc/grpc.ts';
import { RATE_LIMIT, type RunningServer, type ServerSettings, startServer } from './http/server.ts';
import { openSignIn } from './http/sign-in.ts';
import { metricsAccess } from './http/watched.ts';
import type { Runtime } from './runtime.ts';

export interface RunningApi extends Omit<RunningServer, 'stop'> {
  /** Address of the gRPC memory API; null when its default port was taken and no other was set. */
  readonly grpcAddress: string | null;
  /**
   * Drains for `drainSeconds`, then stops.
   * @param withinMs of which draining takes half at most; default: no limit
   */
  stop(withinMs?: number): Promise<void>;
}

/** Starts the API of a process: GraphQL, and the agent memory over gRPC. */
export async function startApi(runtime: Runtime): Promise<RunningApi> {
  const settings = serverSettings(runtime.config);
  const codec = runtime.temporal.codec;
  const server = await startServer(settings, { ...runtime, codec });
  try {
    const grpc = await startMemory(runtime, settings);
    return {
      ...server,
      grpcAddress: grpc?.address ?? null,
      async stop(withinMs = Number.POSITIVE_INFINITY) {
        server.drain();
        // Balancers see /ready, and clients come back on new connections, elsewhere.
        await sleep(Math.min(runtime.config.drainSeconds * 1_000, withinMs / 2));
        await Promise.all([grpc?.stop(), server.stop()]);
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startMemory(
  { grpc: { address, isAsked }, deps, users, log }: Runtime,
  settings: ServerSettings,
): Promise<RunningGrpc | null> {
  const identify = openSignIn(settings.auth, users);
  const rateLimiter = openRateLimiter(settings.rateLimit ?? RATE_LIMIT);
  try {
    return await startGrpc(address, { deps, identify, rateLimiter });
  } catch (error) {
    if (isAsked) throw error;
    // Two installations may share a machine unless an operator asked for this port.
    log.warn('The memory is not served over gRPC: its usual port is taken', { address, error });
    return null;
  }
}

export function serverSettings(config: Config): ServerSettings {
  return {
    host: config.host,
    port: config.port,
    mode: config.auth === 'dev' ? 'dev' : 'production',
    auth: authSettings(config),
    origins: config.corsOrigins,
    consoleFolder: CONSOLE_FOLDER,
    ...signInOf(config),
    metrics: metricsAccess(config, config.auth === 'dev' ? 'open' : 'closed'),
    ...(config.trustedDocuments.length === 0
      ? {}
      : { trustedDocuments: readTrustedDocuments(config.trustedDocuments) }),
    ...(config.temporalUi === undefined ? {} : { temporalUi: new URL(config.temporalUi).origin }),
  };
}

// readConfig has checked that the issuer is a URL where there is a client id.
function signInOf({ auth, jwtIssuer = '', oidcClientId, oidcScope }: Config) {
  if (auth !== 'jwt' || oidcClientId === undefined) return {};
  return { signIn: { authority: jwtIssuer, clientId: oidcClientId, scope: oidcScope } };
}

// readConfig has checked that jwt has one key, an issuer and an audience.
function authSettings({
  auth,
  jwtSecret,
  jwksUrl,
  jwtIssuer = '',
  jwtAudience = '',
}: Config): AuthSettings {
  if (auth === 'dev') return { mode: 'dev' };
  const key = jwtSecret !== undefined ? { secret: jwtSecret } : { jwksUrl: jwksUrl ?? '' };
  return { mode: 'jwt', key, issuer: jwtIssuer, audience: jwtAudience };
}
