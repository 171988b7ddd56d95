import { notFound, Refusal } from '../../common/refusal.ts';
import type { ConversationDeps } from '../../conversations/conversation.mutations.ts';
import type { Viewer } from '../../users/user.ts';
import { findEntities } from './entity.cypher.ts';
import type { Entity } from './entity.ts';

/**
 * The viewer's entity by its uuid, or by the uuid of one merged into it.
 * @throws Refusal NOT_FOUND
 */
export async function getEntity(
  deps: Pick<ConversationDeps, 'graph'>,
  viewer: Viewer,
  uuid: string,
  path: readonly string[] = ['uuid'],
): Promise<Entity> {
  const found = await deps.graph.read((tx) => findEntities(tx, viewer.userId, [uuid]));
  const entity = found.get(uuid);
  if (entity === undefined) throw new Refusal([notFound('entity', path)]);
  return entity;
}
