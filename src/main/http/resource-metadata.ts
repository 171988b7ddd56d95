import type { IncomingMessage } from 'node:http';
import { answerJson, answerPreflight } from '../../platform/http/answer.ts';
import type { AuthSettings } from '../../users/authenticate.service.ts';
import type { Serve } from './watched.ts';

// OAuth 2.0 protected resource metadata (RFC 9728), by which MCP clients find the server that
// issues tokens. Served where tokens are verified by a JWKS.

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The issuer of tokens as an authorization server; null where clients can get no token there. */
export function authorizationServer(auth: AuthSettings): string | null {
  if (auth.mode !== 'jwt' || !('jwksUrl' in auth.key)) return null;
  return /^https?:\/\//.test(auth.issuer) ? auth.issuer : null;
}

/** Routes of the metadata of the resource at `path`; none without an authorization server. */
export function resourceMetadataRoutes(
  path: string,
  issuer: string | null,
): Readonly<Record<string, Serve>> {
  if (issuer === null) return {};
  const serve: Serve = async (request, response) => {
    // Clients in browsers send the version of the protocol.
    if (request.method === 'OPTIONS') {
      const headers = request.headers['access-control-request-headers'];
      return answerPreflight(response, { methods: 'GET, OPTIONS', headers });
    }
    // The address depends on the Host of the request.
    response.setHeader('cache-control', 'no-store');
    answerJson(response, 200, {
      resource: `${originOf(request)}${path}`,
      resource_name: 'Aiden',
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
    });
  };
  return { [WELL_KNOWN]: serve, [`${WELL_KNOWN}${path}`]: serve };
}

/**
 * The WWW-Authenticate header of a 401.
 * @param isWrong a token was sent, and it is not valid
 */
export function challengeOf(
  request: IncomingMessage,
  {
    path,
    issuer,
    isWrong,
  }: {
    readonly path: string;
    readonly issuer: string | null;
    readonly isWrong: boolean;
  },
): string {
  const params = [
    ...(isWrong ? ['error="invalid_token"'] : []),
    ...(issuer === null ? [] : [`resource_metadata="${originOf(request)}${WELL_KNOWN}${path}"`]),
  ];
  return ['Bearer', params.join(', ')].join(' ').trim();
}

/** The guard has checked that the Host is a name with a port. */
function originOf({ headers }: IncomingMessage): string {
  const isHttps = headers['x-forwarded-proto'] === 'https';
  return `${isHttps ? 'https' : 'http'}://${headers.host ?? 'localhost'}`;
}
