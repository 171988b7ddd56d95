export const SUMMARY_AUTHORS = ['user', 'system'] as const;
export type SummaryAuthor = (typeof SUMMARY_AUTHORS)[number];

/**
 * A summary that an entity had, or that an enrichment proposed. It never changes and is never
 * deleted (S4-ENT-08).
 */
export interface EntitySummary {
  readonly id: string;
  readonly text: string;
  readonly author: SummaryAuthor;
  readonly createdAt: string;
  /** The enrichment run that proposed it; null for texts of users and of extraction. */
  readonly runId: string | null;
  /** Whether it is the entity's summary now. */
  readonly isCurrent: boolean;
  /** Whether it is the newest proposal and not the entity's summary. */
  readonly isProposed: boolean;
}

/** An entity's summary with the versions that are stored beside it. */
export interface SummaryState {
  readonly summary: string;
  readonly versions: readonly Pick<EntitySummary, 'text' | 'author'>[];
  /** Whether a user created the entity. */
  readonly isUsers: boolean;
}

/**
 * The current summary as a version, before another text replaces it; null where it is stored. Text
 * that extraction has extended counts as the system's; the user's own part has its own version.
 */
export function unkeptSummary(state: SummaryState): Pick<EntitySummary, 'text' | 'author'> | null {
  const { summary, versions, isUsers } = state;
  if (summary === '' || versions.some(({ text }) => text === summary)) return null;
  return { text: summary, author: isUsers && versions.length === 0 ? 'user' : 'system' };
}
