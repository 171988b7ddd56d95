import { INTROSPECTION_GROUP, userGroupOf } from './group.ts';

/**
 * Whether a node of Graphiti's is the viewer's: by the Conversation or the User that its group names, introspections by
 * their owner (docs/decisions/0021). Every other group is invisible. Takes the parameters of `viewerParams`.
 */
export function isOwn(node: string): string {
  return /* cypher */ `(${node}.group_id = $userGroup
    OR EXISTS { (:Conversation {id: ${node}.group_id, ownerId: $viewerId}) }
    OR (${node}.group_id = '${INTROSPECTION_GROUP}' AND EXISTS { (${node})-[:OWNED_BY]->(:User {id: $viewerId}) }))`;
}

export function viewerParams(viewerId: string) {
  return { viewerId, userGroup: userGroupOf(viewerId) };
}
