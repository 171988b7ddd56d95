import type { AuthSettings } from '../users/authenticate.ts';
import type { Config } from './config.ts';
import type { Runtime } from './runtime.ts';
import { type RunningServer, type ServerSettings, startServer } from './server.ts';

/** The API of a process, over what it holds open. */
export function startApi(runtime: Runtime): Promise<RunningServer> {
  return startServer(serverSettings(runtime.config), runtime);
}

export function serverSettings(config: Config): ServerSettings {
  return {
    host: config.host,
    port: config.port,
    mode: config.auth === 'dev' ? 'dev' : 'production',
    auth: authSettings(config),
    origins: config.corsOrigins,
    metrics: config.metrics,
  };
}

// readConfig has seen to it that with jwt there are one key, an issuer and an audience.
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
