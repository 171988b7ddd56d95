import type { NewId } from '../../common/id.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { userGroupOf } from '../group.ts';
import { listKnown, writeMentions } from './ingest.cypher.ts';
import { isNamedIn } from './name-match.ts';

const KNOWN_MAX = 200;

/**
 * What Summaries and notes speak of (S4-EPI-04, S4-ENT-09): the known entities of their conversation and owner whose names stand in the
 * text, word for word. They tell again what was told, so no model reads them for more: a fact that only a Summary told would be seen on
 * branches where it was never said.
 */
export async function mentionKnown(
  deps: { readonly newId: NewId },
  tx: WriteTx,
  episode: {
    readonly uuid: string;
    readonly content: string;
    readonly ownerId: string;
    /** null: no conversation led to it. */
    readonly conversationId: string | null;
    readonly now: string;
  },
): Promise<void> {
  const { uuid: episodeUuid, content, ownerId, conversationId, now } = episode;
  const groups = [userGroupOf(ownerId), ...(conversationId === null ? [] : [conversationId])];
  const scope = { conversationId, groups, content, max: KNOWN_MAX };
  const { entities } = await listKnown(tx, scope);
  const mentions = entities
    .filter(({ name }) => isNamedIn(content, name))
    .map(({ uuid }) => ({ uuid: deps.newId(), entityUuid: uuid }));
  if (mentions.length > 0) await writeMentions(tx, { episodeUuid, mentions, now });
}
