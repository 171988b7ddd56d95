import { cutText } from '../../common/token-budget.ts';
import type { TurnType } from '../../conversations/turn.ts';

/** Graphiti's kinds of content. Its library fails to read an Episode of any other kind. */
export const GRAPHITI_SOURCES = ['message', 'json', 'text', 'fact_triple'] as const;
export type GraphitiSource = (typeof GRAPHITI_SOURCES)[number];
/** The API's kinds: Graphiti's, and ours, which marker labels store. */
export type EpisodeSource = GraphitiSource | 'summary' | 'introspection';

/** The content of an alternative (S4-EPI-01): Graphiti's Episodic. It never changes (S4-EPI-02). */
export interface Episode {
  readonly uuid: string;
  /** A very brief summary of the content, at most 80 characters. */
  readonly name: string;
  readonly content: string;
  /** The conversation's id (S4-EPI-03). */
  readonly groupId: string;
  readonly source: EpisodeSource;
  readonly sourceDescription: string | null;
  /** Uuids of the facts it states; written once, by extraction. */
  readonly entityEdges: readonly string[];
  readonly validAt: string;
  readonly createdAt: string;
  /** 0 = not a summary. */
  readonly compressionLevel: number;
}

/** A tool's result is cut to this length (S4-EPI-04); the alternative keeps all of it. */
export const TOOL_RESULT_TOKENS_MAX = 2_000;

/** The part of an alternative's content that its Episode stores. */
export function episodeContent(turnType: TurnType, content: string): string {
  return turnType === 'tool_result' ? cutText(content, TOOL_RESULT_TOKENS_MAX).text : content;
}

export function sourceOf(turnType: TurnType): GraphitiSource {
  return turnType === 'message' ? 'message' : 'text';
}

/** @param name of the speaker, as `nameOfSpeaker` gives it */
export function describeSource(turnType: TurnType, name: string): string {
  if (turnType === 'tool_result') return 'result of a tool';
  return turnType === 'summary' ? `summary by ${name}` : `said by ${name}`;
}

/** An alternative whose Episode was written, now or before. */
export interface BoundEpisode {
  readonly episodeUuid: string;
  readonly conversationId: string;
  /** Whether to extract from it: its alternative completed and is not empty. */
  readonly isTelling: boolean;
  /** The alternative that a fork copied it from; it has the same mentions. */
  readonly copiedFromId: string | null;
}
