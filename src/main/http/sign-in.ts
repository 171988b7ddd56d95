import type { IncomingMessage } from 'node:http';
import { HttpRefused, tooFast } from '../../platform/http/answer.ts';
import { isOwnPage } from '../../platform/http/guards.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import {
  type AuthSettings,
  type Credentials,
  NotAuthenticated,
  openAuthenticate,
} from '../../users/authenticate.service.ts';
import type { Viewer } from '../../users/user.ts';
import type { UserDirectory } from '../../users/user-directory.service.ts';

export interface SignedIn {
  readonly viewer: Viewer;
  readonly expiresAtMs: number | null;
}

/**
 * Finds the Viewer of a request; null when it carries no token and none is assumed.
 * @throws NotAuthenticated
 */
export type Identify = (credentials: Credentials) => Promise<SignedIn | null>;

/** The credentials of an HTTP request, or of a WebSocket's upgrade. */
export function credentialsOf({ headers }: Pick<IncomingMessage, 'headers'>): Credentials {
  return { authorization: headers.authorization ?? null, isOwnPage: isOwnPage(headers) };
}

export function openSignIn(settings: AuthSettings, users: UserDirectory): Identify {
  const authenticate = openAuthenticate(settings);
  return async (credentials) => {
    const identity = await authenticate(credentials);
    if (identity === null) return null;
    return { viewer: await users.viewerOf(identity), expiresAtMs: identity.expiresAtMs };
  };
}

/** Finds the caller of a request, and counts its requests. */
export interface CallerCount {
  readonly identify: Identify;
  readonly rateLimiter: RateLimiter;
}

/**
 * The caller of a request, counted in the rate of its user, or of its address without a sign-in.
 * @returns null where the request has no valid credentials
 * @throws HttpRefused 429 above the rate
 */
export async function countedCaller(
  { identify, rateLimiter }: CallerCount,
  request: IncomingMessage,
): Promise<SignedIn | null> {
  const signedIn = await identify(credentialsOf(request)).catch((error: unknown) => {
    if (!(error instanceof NotAuthenticated)) throw error;
    return null;
  });
  const caller = signedIn?.viewer.userId ?? request.socket.remoteAddress ?? 'unknown';
  const waitSeconds = rateLimiter.waitSeconds(caller);
  if (waitSeconds > 0) throw new HttpRefused(tooFast(waitSeconds));
  return signedIn;
}

const TIMER_MS_MAX = 2 ** 31 - 1;

/** Calls `end` when the token expires; for connections that may stay open longer. */
export function endsIn(
  signedIn: SignedIn | null,
  nowMs: number,
  end: () => void,
): NodeJS.Timeout | undefined {
  if (signedIn === null || signedIn.expiresAtMs === null) return undefined;
  return setTimeout(end, Math.min(Math.max(0, signedIn.expiresAtMs - nowMs), TIMER_MS_MAX)).unref();
}
