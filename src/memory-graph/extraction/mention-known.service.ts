import type { NewId } from '../../common/id.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { isNamedIn } from '../entities/name-match.ts';
import { listKnown, writeMentions } from './ingest.cypher.ts';

const KNOWN_MAX = 200;

/**
 * Writes mentions of a Summary or note (S4-EPI-04, S4-ENT-09): known entities of its owner whose
 * names are in the text, word for word. No model extracts facts from it: a fact of
 * a Summary would be visible on branches that do not contain its source.
 */
export async function mentionKnown(
  deps: { readonly newId: NewId },
  tx: WriteTx,
  episode: {
    readonly uuid: string;
    readonly content: string;
    readonly ownerId: string;
    /** null: it belongs to no conversation. */
    readonly conversationId: string | null;
    readonly now: string;
  },
): Promise<void> {
  const { uuid: episodeUuid, content, ownerId, conversationId, now } = episode;
  const entities = await listKnown(tx, { conversationId, ownerId, content, max: KNOWN_MAX });
  const mentions = entities
    .filter(({ name }) => isNamedIn(content, name))
    .map(({ uuid }) => ({ uuid: deps.newId(), entityUuid: uuid }));
  if (mentions.length > 0) await writeMentions(tx, { episodeUuid, mentions, now });
}
