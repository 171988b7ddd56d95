import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Identity } from './user.ts';
import { type Role, SYSTEM_USER_NAME } from './user.ts';

/** How callers prove who they are. `dev` believes them, and so is only for a server that listens on loopback. */
export type AuthSettings =
  | { readonly mode: 'dev' }
  | {
      readonly mode: 'jwt';
      /** HS256 secret (32 bytes or more), or the address of a JWKS; exactly one of them. */
      readonly key: { readonly secret: string } | { readonly jwksUrl: string };
      readonly issuer: string;
      readonly audience: string;
    };

/** The token is garbled, expired, not ours or nobody's. The message may go to the caller; it never repeats the token. */
export class NotAuthenticated extends Error {
  override readonly name = 'NotAuthenticated';
}

/** @returns who the header speaks for, null where it says nothing. @throws NotAuthenticated */
export type Authenticate = (authorization: string | null) => Promise<Identity | null>;

export function openAuthenticate(settings: AuthSettings): Authenticate {
  return settings.mode === 'dev'
    ? async (header) => devIdentity(header)
    : jwtAuthenticate(settings);
}

const DEV_TOKEN = /^Bearer dev:([A-Za-z0-9._@-]{1,100})(:admin)?$/;

function devIdentity(authorization: string | null): Identity {
  const [, name, admin] = DEV_TOKEN.exec(authorization ?? 'Bearer dev:dev:admin') ?? [];
  if (name === undefined) {
    throw new NotAuthenticated(
      'In dev the header is "Authorization: Bearer dev:<name>" or "Bearer dev:<name>:admin".',
    );
  }
  if (name.toLowerCase() === SYSTEM_USER_NAME) {
    throw new NotAuthenticated('Nobody signs in as system.');
  }
  const roles: Role[] = admin === undefined ? ['user'] : ['user', 'admin'];
  return { issuer: 'dev', sub: name, name, roles, workspace: null, expiresAtMs: null };
}

function jwtAuthenticate({
  key,
  issuer,
  audience,
}: Extract<AuthSettings, { mode: 'jwt' }>): Authenticate {
  // The algorithms follow from the kind of key, never from the token: an RSA key must not verify as an HMAC secret.
  const [getKey, algorithms]: [JWTVerifyGetKey, string[]] =
    'secret' in key
      ? [async () => new TextEncoder().encode(key.secret), ['HS256']]
      : [createRemoteJWKSet(new URL(key.jwksUrl)), ['RS256', 'PS256', 'ES256', 'EdDSA']];
  const options = {
    issuer,
    audience,
    algorithms,
    requiredClaims: ['sub', 'exp'],
    clockTolerance: 5,
  };

  return async (authorization) => {
    if (authorization === null) return null;
    const [, token] = /^Bearer ([\w.-]+)$/.exec(authorization) ?? [];
    if (token === undefined)
      throw new NotAuthenticated('The header is "Authorization: Bearer <token>".');
    const claims = await verified(token, getKey, options);
    return identityOf(issuer, claims);
  };
}

async function verified(
  token: string,
  getKey: JWTVerifyGetKey,
  options: object,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, getKey, options)).payload;
  } catch (error) {
    const expired = error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
    throw new NotAuthenticated(expired ? 'The token has expired.' : 'The token is not valid here.');
  }
}

// The workspace becomes part of paths and of every tenancy check, so it is a plain name or nothing.
const WORKSPACE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

function identityOf(issuer: string, claims: JWTPayload): Identity {
  const { sub, exp } = claims;
  const [name, roles, workspace] = [claims['name'], claims['roles'], claims['workspace']];
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) {
    throw new NotAuthenticated('The token names nobody: sub is missing or too long.');
  }
  if (workspace !== undefined && !(typeof workspace === 'string' && WORKSPACE.test(workspace))) {
    throw new NotAuthenticated('The token names a workspace that is no plain name.');
  }
  return {
    issuer,
    sub,
    name: typeof name === 'string' && name !== '' ? name.slice(0, 200) : null,
    roles: Array.isArray(roles) && roles.includes('admin') ? ['user', 'admin'] : ['user'],
    workspace: workspace ?? null,
    expiresAtMs: exp === undefined ? null : exp * 1000,
  };
}
