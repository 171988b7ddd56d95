import { INTROSPECTION_GROUP, userGroupOf } from './group.ts';

/**
 * Whether the viewer owns a node of Graphiti's (docs/decisions/0021). Its group names a
 * Conversation or a User; an introspection has an OWNED_BY edge. Every other group is invisible.
 * Takes the parameters of `viewerParams`.
 */
export function isOwn(node: string): string {
  return /* cypher */ `(${node}.group_id = $userGroup
    OR EXISTS { (:Conversation {id: ${node}.group_id, ownerId: $viewerId}) }
    OR (${node}.group_id = '${INTROSPECTION_GROUP}'
      AND EXISTS { (${node})-[:OWNED_BY]->(:User {id: $viewerId}) }))`;
}

export function viewerParams(viewerId: string) {
  return { viewerId, userGroup: userGroupOf(viewerId) };
}
