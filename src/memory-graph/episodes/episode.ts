import { cutText } from '../../common/token-budget.ts';
import type { Speaker, TurnType } from '../../conversations/turn.ts';

/** What Graphiti knows as kinds of content; anything else breaks every read of its library. */
export const GRAPHITI_SOURCES = ['message', 'json', 'text', 'fact_triple'] as const;
export type GraphitiSource = (typeof GRAPHITI_SOURCES)[number];
/** What the API answers: Graphiti's kinds, and ours where a marker label says so. */
export type EpisodeSource = GraphitiSource | 'summary' | 'introspection';

/** What was said, as the memory graph keeps it (S4-EPI-01): Graphiti's Episodic. It never changes (S4-EPI-02). */
export interface Episode {
  readonly uuid: string;
  /** `Turn:{alternative.id}` where it is a turn's. */
  readonly name: string;
  readonly content: string;
  /** The conversation's id (S4-EPI-03). */
  readonly groupId: string;
  readonly source: EpisodeSource;
  readonly sourceDescription: string | null;
  /** The facts it speaks of; written once, by extraction. */
  readonly entityEdges: readonly string[];
  readonly validAt: string;
  readonly createdAt: string;
  /** 0 for what was said itself. */
  readonly compressionLevel: number;
}

/** S4-ALT-09. */
export function episodeName(alternativeId: string): string {
  return `Turn:${alternativeId}`;
}

/** A tool's result is kept concise (S4-EPI-04); the alternative has all of it. */
export const TOOL_RESULT_TOKENS_MAX = 2_000;

/** What of an alternative its Episode keeps. */
export function episodeContent(turnType: TurnType, content: string): string {
  return turnType === 'tool_result' ? cutText(content, TOOL_RESULT_TOKENS_MAX).text : content;
}

export function sourceOf(turnType: TurnType): GraphitiSource {
  return turnType === 'message' ? 'message' : 'text';
}

export function describeSource(turnType: TurnType, speaker: Speaker): string {
  if (turnType === 'tool_result') return 'what a tool gave';
  return turnType === 'summary' ? `a summary by the ${speaker}` : `said by the ${speaker}`;
}

/** An alternative that is bound to its Episode, by now or before. */
export interface BoundEpisode {
  readonly episodeUuid: string;
  readonly conversationId: string;
  /** Whether there is anything to be read out of it: it was said to its end, and says something. */
  readonly isTelling: boolean;
  /** The alternative a fork copied it from: what that one mentions, it mentions. */
  readonly copiedFromId: string | null;
}
