import { type AuthSettings, openAuthenticate } from '../../users/authenticate.service.ts';
import type { Viewer } from '../../users/user.ts';
import type { UserDirectory } from '../../users/user-directory.service.ts';

export interface SignedIn {
  readonly viewer: Viewer;
  readonly expiresAtMs: number | null;
}

/**
 * Finds the Viewer of an Authorization header; null when the header is absent.
 * @throws NotAuthenticated
 */
export type Identify = (authorization: string | null) => Promise<SignedIn | null>;

export function openSignIn(settings: AuthSettings, users: UserDirectory): Identify {
  const authenticate = openAuthenticate(settings);
  return async (authorization) => {
    const identity = await authenticate(authorization);
    if (identity === null) return null;
    return { viewer: await users.viewerOf(identity), expiresAtMs: identity.expiresAtMs };
  };
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
