/** An active entity of a conversation, as far as changes by themselves need it. */
export interface ActiveState {
  readonly entityUuid: string;
  /** 0 to 1. */
  readonly relevance: number;
  /** Whether a user made it active; such an entity changes by hand only. */
  readonly pinned: boolean;
}

/** A mention of an entity in a turn of the valid path. */
export interface RecentMention {
  readonly entityUuid: string;
  /** Number of turns after the one that mentions it; 0 for the last turn. */
  readonly age: number;
}

/** Mentions in this many last turns of the path make entities relevant. */
export const RECENT_TURNS = 20;
const MENTION_WEIGHT = 0.5;
const DECAY_PER_TURN = 0.85;
/** One mention has decayed below this after 14 turns. */
const RELEVANCE_MIN = 0.05;

/**
 * Relevance of an entity by its recent mentions: 0.5 for one in the last turn, less for each turn
 * since, more for each further mention; below 1.
 */
export function relevanceOf(ages: readonly number[]): number {
  const missing = ages.reduce(
    (rest, age) => rest * (1 - MENTION_WEIGHT * DECAY_PER_TURN ** age),
    1,
  );
  return Math.round((1 - missing) * 1_000) / 1_000;
}

export interface ActiveChanges {
  readonly activate: readonly Pick<ActiveState, 'entityUuid' | 'relevance'>[];
  /** Active entities whose relevance is another now. */
  readonly refresh: readonly Pick<ActiveState, 'entityUuid' | 'relevance'>[];
  readonly deactivate: readonly string[];
}

/**
 * The changes by which the most relevant entities are active (specification 004: updated as
 * entities gain and lose relevance). Pinned entities stay as they are and count towards `max`.
 * @param dismissed entities that a user made inactive; they stay inactive
 */
export function planActive({
  active,
  mentions,
  dismissed,
  max,
}: {
  readonly active: readonly ActiveState[];
  readonly mentions: readonly RecentMention[];
  readonly dismissed: readonly string[];
  readonly max: number;
}): ActiveChanges {
  const pinned = new Set(active.flatMap((one) => (one.pinned ? [one.entityUuid] : [])));
  const before = new Map(active.map((one) => [one.entityUuid, one.relevance]));
  const refused = new Set(dismissed);
  const agesOf = Map.groupBy(mentions, ({ entityUuid }) => entityUuid);
  const relevant = [...agesOf]
    .filter(([entityUuid]) => !pinned.has(entityUuid) && !refused.has(entityUuid))
    .map(([entityUuid, all]) => ({ entityUuid, relevance: relevanceOf(all.map(({ age }) => age)) }))
    .filter(({ relevance }) => relevance >= RELEVANCE_MIN)
    .sort(
      (a, b) =>
        b.relevance - a.relevance ||
        // Of equals, one that is active stays.
        Number(before.has(b.entityUuid)) - Number(before.has(a.entityUuid)) ||
        (a.entityUuid < b.entityUuid ? -1 : 1),
    )
    .slice(0, Math.max(0, max - pinned.size));
  const kept = new Set(relevant.map(({ entityUuid }) => entityUuid));
  return {
    activate: relevant.filter(({ entityUuid }) => !before.has(entityUuid)),
    refresh: relevant.filter(({ entityUuid, relevance }) => {
      const was = before.get(entityUuid);
      return was !== undefined && was !== relevance;
    }),
    deactivate: active.flatMap(({ entityUuid, pinned: isPinned }) =>
      isPinned || kept.has(entityUuid) ? [] : [entityUuid],
    ),
  };
}
