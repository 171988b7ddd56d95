import { textKey } from '../memory-graph/episodes/episode.cypher.ts';
import { chunksOf, windowsOf } from '../memory-graph/episodes/episode-text.ts';
import { userGroupOf } from '../memory-graph/group.ts';

// The text of a Summary or Introspection is an Episode: it never changes, an edge binds it, and
// search finds it like any other Episode.

/**
 * Needs `holder` and the `content` of contentParams. Writes an Episode of this kind with its texts
 * to be embedded, and binds the holder to it. Leaves `holder` and `ep`.
 */
export function createContent(marker: 'SummaryEpisode' | 'IntrospectionEpisode'): string {
  return /* cypher */ `
    CREATE (ep:Episodic:${marker})
    SET ep = content.episode, ep.valid_at = datetime($now), ep.created_at = datetime($now)
    CREATE (holder)-[:HAS_CONTENT {source: content.source, createdAt: datetime($now)}]->(ep)
    WITH holder, ep, content
    CALL (ep, content) {
      UNWIND content.texts AS text
      CREATE (t:EpisodeText:Unembedded)-[:TEXT_OF]->(ep)
      SET t = text
    }
  `;
}

export interface NewContent {
  readonly uuid: string;
  /** Id of the Summary or Introspection. */
  readonly holderId: string;
  readonly source: 'summary' | 'introspection';
  readonly content: string;
  readonly groupId: string;
  readonly ownerId: string;
}

/**
 * The parameter `content` of createContent. Graphiti does not have these sources, so the Episode's
 * `source` is `text`.
 */
export function contentParams({ uuid, holderId, source, content, groupId, ownerId }: NewContent) {
  const windows = windowsOf(content, { before: null, after: null });
  return {
    source,
    episode: {
      uuid,
      name: `${source === 'summary' ? 'Summary' : 'Introspection'}:${holderId}`,
      content,
      group_id: groupId,
      source: 'text',
      source_description: source,
      entity_edges: [],
    },
    texts: chunksOf(content).map((text, index) => ({
      key: textKey(uuid, index),
      episodeUuid: uuid,
      index,
      text,
      window: windows[index] ?? text,
      owner: userGroupOf(ownerId),
      group_id: groupId,
    })),
  };
}
