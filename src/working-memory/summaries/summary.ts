import { z } from 'zod';
import { type Problem, problem } from '../../common/refusal.ts';
import { checkContent } from '../../conversations/turn.ts';

/** Replaces several Episodes in working memory (S4-SUM-01). Its own content is an Episode too. */
export const Summary = z.object({
  id: z.string(),
  conversationId: z.string(),
  /** Owner of the conversation. */
  ownerId: z.string(),
  /** One above the highest of its sources (S4-SUM-02): 1 for a summary of turns. */
  compressionLevel: z.int(),
  /** Tokens of its current content by cl100k_base. */
  tokenCount: z.int(),
  createdAt: z.string(),
  /** The Episode of its newest HAS_CONTENT edge. Earlier edges stay for audit (S4-SUM-06). */
  episodeUuid: z.string(),
  content: z.string(),
  coversUpToId: z.string(),
  createdByProcessId: z.string(),
});
export type Summary = z.infer<typeof Summary>;

/** A stored Summary of a conversation, as `applySummaries` needs it. */
export const SummaryRecord = z.object({
  id: z.string(),
  compressionLevel: z.int(),
  createdAt: z.string(),
  isDeleted: z.boolean(),
  /** Ids of Episodes, in order. */
  sources: z.array(z.string()),
  /** Ids of all Episodes it was bound to, the current one first. */
  episodes: z.array(z.string()),
  /** Text of the current Episode; empty if the Summary is deleted. */
  content: z.string(),
});
export type SummaryRecord = z.infer<typeof SummaryRecord>;

/** A Summary that applies to a path, with the Episodes of the turns it replaces, in path order. */
export interface AppliedSummary extends SummaryRecord {
  readonly turnEpisodes: readonly string[];
}

/**
 * The Episodes of the turns that each Summary replaces, by the id of the Summary. Sources that are
 * Summaries are resolved to their own sources, recursively, also through deleted Summaries.
 */
export function turnEpisodesOf(
  summaries: readonly SummaryRecord[],
): ReadonlyMap<string, readonly string[]> {
  const byEpisode = new Map(
    summaries.flatMap((summary) => summary.episodes.map((uuid) => [uuid, summary] as const)),
  );
  const known = new Map<string, readonly string[]>();
  function turnsOf(summary: SummaryRecord): readonly string[] {
    const before = known.get(summary.id);
    if (before !== undefined) return before;
    // Ends the recursion if stored data has a circle.
    known.set(summary.id, []);
    const turns = summary.sources.flatMap((uuid) => {
      const source = byEpisode.get(uuid);
      return source === undefined ? [uuid] : turnsOf(source);
    });
    const each = [...new Set(turns)];
    known.set(summary.id, each);
    return each;
  }
  for (const summary of summaries) turnsOf(summary);
  return known;
}

/**
 * The Summaries that apply to a path, in its order (docs/decisions/0020). All turns of a Summary
 * have to be on the path. Of Summaries that share a turn, only the one with the most turns applies.
 * @param path ids of the Episodes of the path's turns, root first
 */
export function applySummaries(
  path: readonly string[],
  summaries: readonly SummaryRecord[],
): AppliedSummary[] {
  const place = new Map(path.map((uuid, index) => [uuid, index]));
  const placeOf = (uuid: string) => place.get(uuid) ?? -1;
  const turns = turnEpisodesOf(summaries);
  const fitting = summaries
    .filter(({ isDeleted }) => !isDeleted)
    .map((summary) => ({ ...summary, turnEpisodes: [...(turns.get(summary.id) ?? [])] }))
    .filter(
      ({ turnEpisodes }) =>
        turnEpisodes.length > 0 && turnEpisodes.every((uuid) => place.has(uuid)),
    )
    .sort(byTurnCount);
  const taken = new Set<string>();
  const applied: AppliedSummary[] = [];
  for (const summary of fitting) {
    if (summary.turnEpisodes.some((uuid) => taken.has(uuid))) continue;
    for (const uuid of summary.turnEpisodes) taken.add(uuid);
    summary.turnEpisodes.sort((one, other) => placeOf(one) - placeOf(other));
    applied.push(summary);
  }
  return applied.sort(
    (one, other) => placeOf(one.turnEpisodes[0] ?? '') - placeOf(other.turnEpisodes[0] ?? ''),
  );
}

const byTurnCount = (one: AppliedSummary, other: AppliedSummary): number =>
  other.turnEpisodes.length - one.turnEpisodes.length ||
  other.compressionLevel - one.compressionLevel ||
  (one.id < other.id ? 1 : -1);

/** Maximum number of sources of one Summary. */
export const SOURCES_MAX = 500;

/** Problems of the content and the source ids of a Summary by hand. */
export function checkSummaryInput(input: {
  readonly sourceEpisodeIds: readonly string[];
  readonly content: string;
}): Problem[] {
  const { sourceEpisodeIds: ids, content } = input;
  const path = ['sourceEpisodeIds'];
  const problems: Problem[] = [];
  if (ids.length === 0)
    problems.push(problem('REQUIRED', path, 'A Summary needs at least one source Episode.'));
  if (ids.length > SOURCES_MAX)
    problems.push(problem('TOO_LARGE', path, `A Summary sums up ${SOURCES_MAX} Episodes at most.`));
  for (const [index, id] of ids.entries())
    if (ids.indexOf(id) !== index)
      problems.push(problem('INVALID', [...path, index], 'This Episode is named twice.'));
  return [...problems, ...checkContent(content)];
}

/** A turn at or above the last turn of a Summary, with the Episodes of its alternatives. */
export interface PlaceTurn {
  readonly turnId: string;
  readonly episodes: readonly { readonly uuid: string; readonly isActive: boolean }[];
}
/** The sources of a new Summary, and the turns from the root to the last turn it covers. */
export interface SummaryPlace {
  readonly sources: readonly string[];
  readonly coversUpToId: string;
  readonly path: readonly PlaceTurn[];
}

/**
 * Problems of the sources of a new Summary. They have to be on one path, in its order. None may
 * have a Summary there already. `coversUpToId` has to be the turn of the last source.
 */
export function checkPlace(place: SummaryPlace, summaries: readonly SummaryRecord[]): Problem[] {
  const { sources, coversUpToId, path } = place;
  const turnOf = new Map(
    path.flatMap(({ episodes }, index) => episodes.map(({ uuid }) => [uuid, index] as const)),
  );
  const turns = turnEpisodesOf(summaries);
  const byEpisode = new Map(summaries.flatMap((one) => one.episodes.map((uuid) => [uuid, one])));
  const problems: Problem[] = [];
  /** The Episodes that the new Summary replaces, by index of their turn on the path. */
  const covered = new Map<number, string>();
  let last = -1;
  for (const [index, uuid] of sources.entries()) {
    const at = ['sourceEpisodeIds', index];
    const summary = byEpisode.get(uuid);
    const leaves = summary === undefined ? [uuid] : (turns.get(summary.id) ?? []);
    const places = leaves.map((leaf) => turnOf.get(leaf) ?? -1);
    if (places.some((one) => one < 0 || covered.has(one))) {
      const message = 'It does not lie on one path with the others, up to coversUpToTurnId.';
      problems.push(problem('INVALID', at, message));
      continue;
    }
    if (places.some((one) => one < last))
      problems.push(problem('INVALID', at, 'Sources are named in the order they were said in.'));
    for (const [nth, one] of places.entries()) covered.set(one, leaves[nth] ?? '');
    last = Math.max(last, ...places);
  }
  if (problems.length > 0) return problems;
  if (path[last]?.turnId !== coversUpToId)
    return [problem('INVALID', ['coversUpToTurnId'], 'It is the turn of the last source.')];
  const shown = path.map(
    ({ episodes }, index) => covered.get(index) ?? episodes.find(({ isActive }) => isActive)?.uuid,
  );
  const summedUp = new Set(covered.values());
  const rival = applySummaries(
    shown.filter((uuid) => uuid !== undefined),
    summaries,
  ).find(
    ({ episodes, turnEpisodes }) =>
      !episodes.some((uuid) => sources.includes(uuid)) &&
      turnEpisodes.some((uuid) => summedUp.has(uuid)),
  );
  if (rival === undefined) return [];
  const index = sources.findIndex((uuid) => rival.turnEpisodes.includes(uuid));
  const message = `The Summary ${rival.id} sums this up already; name its Episode instead.`;
  return [problem('CONFLICT', ['sourceEpisodeIds', Math.max(index, 0)], message)];
}
