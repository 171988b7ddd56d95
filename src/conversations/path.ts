import { z } from 'zod';
/** An alternative that answers another one of its conversation. */
export const Reply = z.object({
  id: z.string(),
  /** The alternative that it answers. */
  answers: z.string(),
  createdAt: z.string(),
  isActive: z.boolean(),
  /** Whether it is active and its turn is the one shown below its parent. */
  isShown: z.boolean(),
});
export type Reply = z.infer<typeof Reply>;

/**
 * The alternatives that continue one: at each the reply that is shown, else one that is active,
 * else the newest (docs/decisions/0119).
 * @param replies all below it
 */
export function continuationOf(id: string, replies: readonly Reply[]): string[] {
  const repliesTo = Map.groupBy(replies, ({ answers }) => answers);
  const path: string[] = [];
  let next = bestOf(repliesTo.get(id));
  while (next !== undefined) {
    path.push(next.id);
    repliesTo.delete(next.answers);
    next = bestOf(repliesTo.get(next.id));
  }
  return path;
}

const bestOf = (replies: readonly Reply[] = []): Reply | undefined =>
  [...replies].sort(byPreference)[0];

const byPreference = (one: Reply, other: Reply): number =>
  Number(other.isShown) - Number(one.isShown) ||
  Number(other.isActive) - Number(one.isActive) ||
  other.createdAt.localeCompare(one.createdAt) ||
  other.id.localeCompare(one.id);
