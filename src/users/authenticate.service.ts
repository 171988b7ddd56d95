import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { KeysAway } from '../common/keys-away.ts';
import { firstChars } from '../common/well-formed.ts';
import type { Identity } from './user.ts';
import { type Role, SYSTEM_USER_NAME } from './user.ts';

/**
 * How callers authenticate. `dev` accepts any name, so use it only on a server that listens on
 * loopback.
 */
export type AuthSettings =
  | { readonly mode: 'dev' }
  | {
      readonly mode: 'jwt';
      /** Exactly one of an HS256 secret (32 bytes or more) and the URL of a JWKS. */
      readonly key: { readonly secret: string } | { readonly jwksUrl: string };
      readonly issuer: string;
      readonly audience: string;
    };

/**
 * The token is malformed, expired, of another issuer, or names no user. The message may go
 * to the caller; it never contains the token.
 */
export class NotAuthenticated extends Error {
  override readonly name = 'NotAuthenticated';
}

/** The part of a request that says who sent it. */
export interface Credentials {
  /** The Authorization header; null if there is none. */
  readonly authorization: string | null;
  /** Whether a page of this server sent the request. Default false. Only dev reads it. */
  readonly isOwnPage?: boolean;
}

/**
 * Reads the credentials of a request.
 * @returns the identity in the token. Without a token: null, or in dev the user `dev`, as an admin
 * only on the product's own page
 * @throws NotAuthenticated; KeysAway where no token can be checked
 */
export type Authenticate = (credentials: Credentials) => Promise<Identity | null>;

export function openAuthenticate(settings: AuthSettings): Authenticate {
  return settings.mode === 'dev'
    ? async (credentials) => devIdentity(credentials)
    : jwtAuthenticate(settings);
}

/** The token of a header. The name of a scheme has no case; some clients write `bearer`. */
const tokenIn = (authorization: string): string =>
  /^bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? '';

const DEV_TOKEN = /^dev:([A-Za-z0-9._@-]{1,100})(:admin)?$/;

// A program that sends no token may have forgotten it, so it gets no admin. On the product's own
// page no token can be given before the first click, and no other page can send its requests.
function devIdentity({ authorization, isOwnPage = false }: Credentials): Identity {
  const without = isOwnPage ? 'Bearer dev:dev:admin' : 'Bearer dev:dev';
  const [, name, admin] = DEV_TOKEN.exec(tokenIn(authorization ?? without)) ?? [];
  if (name === undefined)
    throw new NotAuthenticated(
      'In dev the header is "Authorization: Bearer dev:<name>" or "Bearer dev:<name>:admin".',
    );
  if (name.toLowerCase() === SYSTEM_USER_NAME)
    throw new NotAuthenticated('No caller can sign in as system.');
  const roles: Role[] = admin === undefined ? ['user'] : ['user', 'admin'];
  return { issuer: 'dev', sub: name, name, roles, workspace: null, expiresAtMs: null };
}

function jwtAuthenticate({
  key,
  issuer,
  audience,
}: Extract<AuthSettings, { mode: 'jwt' }>): Authenticate {
  // The key type decides the algorithms, never the token: an RSA key must not verify as an HMAC
  // secret.
  const [getKey, algorithms]: [JWTVerifyGetKey, string[]] =
    'secret' in key
      ? [async () => new TextEncoder().encode(key.secret), ['HS256']]
      : [keysOf(key.jwksUrl), ['RS256', 'PS256', 'ES256', 'EdDSA']];
  const options = {
    issuer,
    audience,
    algorithms,
    requiredClaims: ['sub', 'exp'],
    clockTolerance: CLOCK_TOLERANCE_S,
  };

  return async ({ authorization }) => {
    if (authorization === null) return null;
    const token = tokenIn(authorization);
    if (!/^[\w.-]+$/.test(token))
      throw new NotAuthenticated('The header is "Authorization: Bearer <token>".');
    const claims = await verifyToken(token, getKey, options);
    return identityOf(issuer, claims);
  };
}

/** A token is wrong only where the keys are known: clients sign people out. */
function keysOf(jwksUrl: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl));
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (OF_TOKEN.some((Kind) => error instanceof Kind)) throw error;
      throw new KeysAway('The keys of AIDEN_JWKS_URL can not be read.', { cause: error });
    }
  };
}

const OF_TOKEN = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];

async function verifyToken(
  token: string,
  getKey: JWTVerifyGetKey,
  options: object,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, getKey, options)).payload;
  } catch (error) {
    if (error instanceof KeysAway) throw error;
    const expired = error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
    throw new NotAuthenticated(expired ? 'The token has expired.' : 'The token is not valid here.');
  }
}

/** A token is good for so many seconds beyond its end: clocks differ. */
const CLOCK_TOLERANCE_S = 5;

// The workspace is part of paths and of every tenancy check, so it must be a plain name.
const WORKSPACE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

function identityOf(issuer: string, claims: JWTPayload): Identity {
  const { sub, exp } = claims;
  const [name, roles, workspace] = [claims['name'], claims['roles'], claims['workspace']];
  if (typeof sub !== 'string' || sub === '' || sub.length > 255)
    throw new NotAuthenticated('The token names no user: sub is missing or too long.');
  if (workspace !== undefined && !(typeof workspace === 'string' && WORKSPACE.test(workspace)))
    throw new NotAuthenticated('The token names a workspace that is no plain name.');
  return {
    issuer,
    sub,
    name: typeof name === 'string' && name !== '' ? firstChars(name, 200) : null,
    roles: Array.isArray(roles) && roles.includes('admin') ? ['user', 'admin'] : ['user'],
    workspace: workspace ?? null,
    expiresAtMs: exp === undefined ? null : (exp + CLOCK_TOLERANCE_S) * 1000,
  };
}
