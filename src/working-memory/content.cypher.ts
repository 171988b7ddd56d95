import { textKey } from '../memory-graph/episodes/episode.cypher.ts';
import { chunksOf, windowsOf } from '../memory-graph/episodes/episode-text.ts';
import { userGroupOf } from '../memory-graph/group.ts';

// What Summaries and Introspections say is an Episode as well: never changed, bound by an edge, searched like any other.

/**
 * With `holder` bound and the parameters of `contentParams`: writes an Episode of this kind, binds the holder to it and has it
 * indexed. Leaves `holder` and `ep`.
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
  /** Of the Summary or Introspection. */
  readonly holderId: string;
  readonly source: 'summary' | 'introspection';
  readonly content: string;
  readonly groupId: string;
  readonly ownerId: string;
}

/** The map `content` that `createContent` reads. Graphiti knows no such sources, so its own says text (memory-graph.md). */
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
