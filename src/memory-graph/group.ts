/** Where notes of introspection lie, of all users; each is its owner's by OWNED_BY. */
export const INTROSPECTION_GROUP = 'system_introspection';

/** The group of what a user knows outside any conversation (docs/decisions/0021): one token to Lucene, legal for Graphiti. */
export function userGroupOf(userId: string): string {
  return `user_${userId.replaceAll('-', '')}`;
}
