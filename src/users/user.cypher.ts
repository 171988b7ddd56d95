import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { readAll } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { type Identity, User } from './user.ts';

const FIND_USERS = cypher`
  // findUsers
  MATCH (u:User) WHERE u.id IN $ids
  RETURN u {.id, .name, .roles, .workspace, .createdAt} AS user
`;

/** Users by id. Not scoped by a viewer: the name of a shared resource's owner is public. */
export function findUsers(tx: ReadTx, ids: readonly string[]): Promise<User[]> {
  return readAll(tx, FIND_USERS, { ids }, (row) => parseRow(User, row['user'], 'User'));
}

const FIND_USER_OF = cypher`
  // findUserOf
  MATCH (u:User {subject: $subject})
  WHERE u.name = coalesce($name, u.name) AND u.roles = $roles
    AND u.workspace = coalesce($workspace, u.workspace)
  RETURN u {.id, .name, .roles, .workspace, .createdAt, isLeaving: u:LeavingUser} AS user
`;

/** A User at a sign-in. */
const SignedInUser = User.extend({
  /** Whether the account is being deleted. */
  isLeaving: z.boolean(),
});
export type SignedInUser = z.infer<typeof SignedInUser>;

/** The User of an identity; null if there is none yet, or if a sign-in would change it. */
export async function findUserOf(
  tx: ReadTx,
  { issuer, sub, name, roles, workspace }: Omit<Identity, 'expiresAtMs'>,
): Promise<SignedInUser | null> {
  const subject = JSON.stringify([issuer, sub]);
  const [row] = await tx.run(FIND_USER_OF, { subject, name, roles: [...roles], workspace });
  return row === undefined ? null : parseRow(SignedInUser, row['user'], 'User');
}

// Each sign-in updates name, roles and workspace from the token. An absent claim keeps the stored
// value.
const MERGE_USER = cypher`
  // mergeUser
  MERGE (u:User {subject: $subject})
  ON CREATE SET u:Resource, u.id = $id, u.createdAt = datetime($now), u.name = $sub,
    u.workspace = $id
  SET u.name = coalesce($name, u.name), u.roles = $roles,
    u.workspace = coalesce($workspace, u.workspace)
  RETURN u {.id, .name, .roles, .workspace, .createdAt, isLeaving: u:LeavingUser} AS user
`;

/**
 * The User of this (issuer, sub), created on the first sign-in. `subject` is unique, so concurrent
 * first sign-ins end in one User.
 */
export async function mergeUser(
  tx: WriteTx,
  { identity, id, now }: { identity: Omit<Identity, 'expiresAtMs'>; id: string; now: Instant },
): Promise<SignedInUser> {
  const { issuer, sub, name, roles, workspace } = identity;
  const subject = JSON.stringify([issuer, sub]);
  const rows = await tx.run(MERGE_USER, {
    subject,
    id,
    now,
    sub,
    name,
    roles: [...roles],
    workspace,
  });
  return parseRow(SignedInUser, rows[0]?.['user'], 'User');
}
