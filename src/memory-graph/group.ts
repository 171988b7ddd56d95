/** The group of all introspection notes; OWNED_BY names the owner of each. */
export const INTROSPECTION_GROUP = 'system_introspection';

/**
 * The group of a user's memories outside conversations (docs/decisions/0021). Lucene reads the name
 * as one token, and Graphiti accepts it.
 */
export function userGroupOf(userId: string): string {
  return `user_${userId.replaceAll('-', '')}`;
}
