import { z } from 'zod';
import type { Clock } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Somebody who has signed in at least once, or `system` (S4-OWN). Token subjects stay in the database. */
export const User = z.object({
  id: z.string(),
  name: z.string(),
  roles: z.array(z.enum(ROLES)),
  workspace: z.string(),
  createdAt: z.string(),
});
export type User = z.infer<typeof User>;

/** Who a token says somebody is, before we know them. */
export interface Identity {
  readonly issuer: string;
  readonly sub: string;
  readonly name: string | null;
  readonly roles: readonly (typeof ROLES)[number][];
  readonly workspace: string | null;
  /** When the token stops being good; what stays open (subscriptions) ends then. */
  readonly expiresAtMs: number | null;
}

/** Who asks: the signed-in user of one request. Every read and write takes it and is scoped by it. */
export interface Viewer {
  readonly userId: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Tenancy of the raw stream: the user's id unless the token names one. */
  readonly workspace: string;
}

export function isAdmin(viewer: Viewer): boolean {
  return viewer.roles.includes('admin');
}

/** The name of the user that owns what ships with the product; no token ever resolves to it. */
export const SYSTEM_USER_NAME = 'system';
/** Fixed, so that bundles and migrations of every installation agree on it. */
export const SYSTEM_USER_ID = '00000000-0000-7000-8000-000000000001';

/** What every pure-of-I/O mutation needs beside its domain's own ports. */
export interface BaseDeps {
  readonly clock: Clock;
  readonly newId: NewId;
}
