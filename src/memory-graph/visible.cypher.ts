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

/**
 * Whether an entity was read out of turns and no user made it, so that it is seen where a turn that
 * mentions it is seen. Entities of users and of other tools are seen on every branch.
 */
export function isOfTurns(entity: string): string {
  const has = (type: string) =>
    `EXISTS { (${entity})-[:HAS_PROFILE]->()-[:HAS_SOURCE]->(:EntitySource {type: '${type}'}) }`;
  return `(${has('graphiti')} AND NOT ${has('user')})`;
}

/**
 * Whether an Episode's turn is on screen with all that it answers, as far as it is settled: reads
 * of what an owner may see call `settleSwitches` before. Costs as much in a long conversation as in
 * a short one (docs/decisions/0134).
 */
export function isOnScreen(of: {
  readonly episode: string;
  readonly alternative: string;
  readonly turn: string;
}): string {
  const { episode, alternative, turn } = of;
  return /* cypher */ `(NOT EXISTS {
      (${episode})<-[:INGEST_OF]-(x:EpisodeIngest) WHERE x.withdrawnAt IS NOT NULL }
    AND (EXISTS { (${turn})<-[:ON_SCREEN]-() } OR NOT EXISTS { (${turn})-[:CHILD_OF]->() })
    AND NOT EXISTS {
      (${alternative})-[:RESPONDS_TO*0..1]->()<-[off:HAS_ALTERNATIVE]-() WHERE NOT off.isActive })`;
}

export function viewerParams(viewerId: string) {
  return { viewerId, userGroup: userGroupOf(viewerId) };
}
