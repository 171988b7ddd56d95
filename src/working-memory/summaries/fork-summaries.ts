import { z } from 'zod';
import { textOrNull } from '../../common/stored.ts';
import { type SummaryRecord, turnEpisodesOf } from './summary.ts';

/** An alternative of a fork, with the Episode of its original and its own. */
export const ForkedEpisode = z.object({
  /** The turn of the copy. */
  turnId: z.string(),
  /** Null if the original has no Episode. */
  from: textOrNull,
  /** Null until the copy is bound to its Episode. */
  to: textOrNull,
});
export type ForkedEpisode = z.infer<typeof ForkedEpisode>;

/** A Summary of the original conversation, as the fork stores it. */
export interface SummaryCopy {
  readonly fromId: string;
  /** The Episode with the text. */
  readonly fromEpisode: string;
  readonly content: string;
  readonly compressionLevel: number;
  /** Episodes of the fork's turns, in order. */
  readonly sources: readonly string[];
  /** The turn of the last source. */
  readonly coversUpToId: string;
}

/** Whether the fork has all Episodes that its Summaries may have as sources. */
export function areBound(episodes: readonly ForkedEpisode[]): boolean {
  return episodes.every(({ from, to }) => from === null || to !== null);
}

/**
 * The Summaries that a fork keeps: those whose turns were all copied. A copy of a Summary of
 * Summaries has turns as its sources, and the level of its original.
 */
export function copiesOf(
  summaries: readonly SummaryRecord[],
  episodes: readonly ForkedEpisode[],
): SummaryCopy[] {
  const copyOf = new Map(
    episodes.flatMap(({ turnId, from, to }) =>
      from === null || to === null ? [] : [[from, { turnId, uuid: to }] as const],
    ),
  );
  const turns = turnEpisodesOf(summaries);
  return summaries.flatMap(({ id, isDeleted, compressionLevel, content, episodes: bound }) => {
    const leaves = (turns.get(id) ?? []).map((uuid) => copyOf.get(uuid));
    const sources = leaves.filter((leaf) => leaf !== undefined);
    const last = sources.at(-1);
    const [fromEpisode] = bound;
    if (isDeleted || last === undefined || fromEpisode === undefined) return [];
    if (sources.length < leaves.length) return [];
    return {
      fromId: id,
      fromEpisode,
      content,
      compressionLevel,
      sources: sources.map(({ uuid }) => uuid),
      coversUpToId: last.turnId,
    };
  });
}
