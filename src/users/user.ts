import { z } from 'zod';
import type { Clock } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * A person with at least one sign-in, or `system` (S4-OWN). Token subjects stay in the database.
 */
export const User = z.object({
  id: z.string(),
  name: z.string(),
  roles: z.array(z.enum(ROLES)),
  workspace: z.string(),
  createdAt: z.string(),
});
export type User = z.infer<typeof User>;

/** The identity in a token, before the User is found. */
export interface Identity {
  readonly issuer: string;
  readonly sub: string;
  readonly name: string | null;
  readonly roles: readonly (typeof ROLES)[number][];
  readonly workspace: string | null;
  /**
   * When the token expires, in milliseconds since 1970; null = never. Open subscriptions end then.
   */
  readonly expiresAtMs: number | null;
}

/** The authenticated caller of one request. Every read and write takes it and is scoped by it. */
export interface Viewer {
  readonly userId: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Tenant of the raw stream: the user's id unless the token names a workspace. */
  readonly workspace: string;
}

export function isAdmin(viewer: Viewer): boolean {
  return viewer.roles.includes('admin');
}

/** Name of the user that owns the resources shipped with the product. No token resolves to it. */
export const SYSTEM_USER_NAME = 'system';
/** Fixed, so that bundles and migrations of every installation use the same id. */
export const SYSTEM_USER_ID = '00000000-0000-7000-8000-000000000001';

/** Dependencies of every mutation: time and ids. */
export interface BaseDeps {
  readonly clock: Clock;
  readonly newId: NewId;
}
