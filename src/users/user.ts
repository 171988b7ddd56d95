import { z } from 'zod';
import { ROLES } from './viewer.ts';

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
