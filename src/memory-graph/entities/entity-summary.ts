import { z } from 'zod';
import { textOrNull } from '../../common/stored.ts';
export const SUMMARY_AUTHORS = ['user', 'system'] as const;

/**
 * A summary that an entity had, or that an enrichment proposed. It never changes and is never
 * deleted (S4-ENT-08).
 */
export const EntitySummary = z.object({
  id: z.string(),
  text: z.string(),
  author: z.enum(SUMMARY_AUTHORS),
  createdAt: z.string(),
  /** The enrichment run that proposed it; null for texts of users and of extraction. */
  runId: textOrNull,
  /** Whether it is the entity's summary now. */
  isCurrent: z.boolean(),
  /** Whether it is the newest proposal and not the entity's summary. */
  isProposed: z.boolean(),
});
export type EntitySummary = z.infer<typeof EntitySummary>;

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
