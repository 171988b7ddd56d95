import { withEllipsis } from '../common/ellipsis.ts';
import type { Json, JsonObject } from '../common/json.ts';
import type { Fact } from '../memory-graph/entities/fact.ts';
import { findEpisodes } from '../memory-graph/episodes/episode.cypher.ts';
import type { Episode } from '../memory-graph/episodes/episode.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';

/** Maximum characters of one text in the answer of a memory Tool. */
export const SHOWN_CHARS_MAX = 1_000;
/** Messages that are shown as the evidence of one fact, the newest ones. */
const EVIDENCE_MAX = 2;

export function shown(text: string): string {
  return withEllipsis(text, SHOWN_CHARS_MAX);
}

/** The text of an Episode with its speaker, time and conversation. */
export function saidIn(episode: Episode): JsonObject {
  const { content, sourceDescription, validAt, groupId, source } = episode;
  return {
    text: shown(content),
    ...(sourceDescription === null ? {} : { source: sourceDescription }),
    saidAt: validAt,
    ...(source === 'introspection' ? {} : { conversationId: groupId }),
  };
}

/** Facts for a model, each with the messages that state it. */
export async function provenFacts(
  tx: ReadTx,
  viewerId: string,
  facts: readonly Fact[],
): Promise<JsonObject[]> {
  const newest = (fact: Fact) => fact.episodes.slice(-EVIDENCE_MAX);
  const uuids = [...new Set(facts.flatMap(newest))];
  const episodes = uuids.length === 0 ? [] : await findEpisodes(tx, viewerId, uuids);
  const byUuid = new Map(episodes.map((episode) => [episode.uuid, episode]));
  return facts.map((fact): JsonObject => {
    const evidence: Json[] = newest(fact).flatMap((uuid) => {
      const episode = byUuid.get(uuid);
      return episode === undefined ? [] : [saidIn(episode)];
    });
    return {
      fact: shown(fact.fact),
      since: fact.validAt,
      until: fact.invalidAt,
      evidence,
    };
  });
}
