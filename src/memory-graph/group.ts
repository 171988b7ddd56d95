/** The group of all introspection notes; OWNED_BY names the owner of each. */
export const INTROSPECTION_GROUP = 'system_introspection';

/**
 * The group of what is known of a user's world: entities and facts of all conversations
 * (docs/decisions/0116). An Episode has its conversation as its group. Lucene reads the name as one
 * token, and Graphiti accepts it.
 */
export function userGroupOf(userId: string): string {
  return `user_${userId.replaceAll('-', '')}`;
}

/** The id of the user whose group it is. */
export function userOfGroup(group: string): string {
  const parts = /^user_(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(group);
  return parts === null ? '' : parts.slice(1).join('-');
}
