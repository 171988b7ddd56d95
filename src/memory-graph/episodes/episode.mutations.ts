import { instant } from '../../common/clock.ts';
import type { ConversationDeps } from '../../conversations/conversation.mutations.ts';
import { nameOfSpeaker } from '../../conversations/turn.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { derivedId } from '../derived-id.service.ts';
import { memoryGraphEntry } from '../memory-graph-entry.ts';
import { findSpoken, insertEpisode, type Spoken, textKey } from './episode.cypher.ts';
import { type BoundEpisode, describeSource, episodeContent, sourceOf } from './episode.ts';
import { briefOf } from './episode-name.ts';
import { chunksOf, windowsOf } from './episode-text.ts';

/**
 * Writes the Episode of an alternative, once (S4-ALT-08, S4-ALT-09, S4-EPI-02). Its uuid is derived
 * from the alternative, and a lock serializes concurrent calls. Null where the alternative does not
 * exist or is not completed, and for an answer that ended without a word.
 */
export async function bindEpisode(
  deps: ConversationDeps,
  alternativeId: string,
): Promise<BoundEpisode | null> {
  const bound = await deps.graph.write(async (tx) => {
    const before = await findSpoken(tx, alternativeId);
    if (before === null || !hasEnded(before)) return null;
    if (before.episodeUuid !== null) return { spoken: before, episodeUuid: before.episodeUuid };
    // The window of the turn before includes this turn, so both are written under one lock. Read
    // again.
    await lockResources(tx, [before.conversationId]);
    const spoken = await findSpoken(tx, alternativeId);
    if (spoken === null || !hasEnded(spoken)) return null;
    if (spoken.episodeUuid !== null) return { spoken, episodeUuid: spoken.episodeUuid };
    const episodeUuid = derivedId('episode', alternativeId);
    const { ownerId, workspace, conversationId, turnId } = spoken;
    await insertEpisode(tx, {
      ...written(spoken, episodeUuid),
      now: instant(deps.clock),
      entry: memoryGraphEntry(deps, { ownerId, workspace, conversationId }, 'episode.bound', {
        episodeUuid,
        alternativeId,
        turnId,
      }),
    });
    return { spoken, episodeUuid };
  });
  if (bound === null) return null;
  deps.wake();
  const { spoken, episodeUuid } = bound;
  return {
    episodeUuid,
    conversationId: spoken.conversationId,
    isTelling: spoken.outcome === 'completed' && spoken.content.trim() !== '',
    copiedFromId: spoken.copiedFromId,
  };
}

const hasEnded = ({ outcome, content }: Spoken): boolean =>
  outcome === 'completed' || (outcome !== null && content.trim() !== '');

function written(spoken: Spoken, uuid: string) {
  const { alternativeId, ownerId, ownerName, agentName, turnType, speaker } = spoken;
  const { conversationId, saidAt, before } = spoken;
  const content = episodeContent(turnType, spoken.content);
  const beforeContent = before === null ? null : episodeContent(before.turnType, before.content);
  const windows = windowsOf(content, { before: beforeContent, after: spoken.after });
  const pieces = chunksOf(content);
  return {
    alternativeId,
    ownerId,
    episode: {
      uuid,
      name: briefOf(content),
      content,
      groupId: conversationId,
      source: sourceOf(turnType),
      sourceDescription: describeSource(
        turnType,
        nameOfSpeaker(speaker, { user: ownerName, agent: agentName }),
      ),
      entityEdges: [],
      validAt: saidAt,
    },
    texts: pieces.map((text, index) => ({ index, text, window: windows[index] ?? text })),
    chunks:
      pieces.length === 1
        ? []
        : pieces.map((text, index) => ({ uuid: derivedId('chunk', uuid, String(index)), text })),
    windows: windowsBefore(before, content),
    beforeUuid: before?.episodeUuid ?? null,
  };
}

/** The last window of the turn before, which now has a turn after it. */
function windowsBefore(before: Spoken['before'], content: string) {
  if (before?.episodeUuid == null) return [];
  const text = episodeContent(before.turnType, before.content);
  const windows = windowsOf(text, { before: before.before, after: content });
  const last = windows.length - 1;
  return [{ key: textKey(before.episodeUuid, last), window: windows[last] ?? '' }];
}
