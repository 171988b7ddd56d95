import { z } from 'zod';
/** The Workers of one build on one queue that are alive. */
export const BuildOnQueue = z.object({
  /** Null: Workers without a named build. */
  build: z.string().nullable(),
  taskQueue: z.string(),
  /** When the oldest of them was registered, in milliseconds since 1970. */
  sinceMs: z.number(),
});
export type BuildOnQueue = z.infer<typeof BuildOnQueue>;

/** The builds that can do all work. */
export interface ServingBuilds {
  /** New runs are for this one. */
  readonly current: string | null;
  /** The runs of every other build go on with the current one. */
  readonly whole: readonly (string | null)[];
}

/**
 * Which build takes the new runs: of those with Workers on every queue that any build serves, the
 * one that came last. A restart of single Workers does not make a build younger, since others of it
 * live; one that had gone and comes back counts as new.
 * @returns null where no build serves all queues: then all stays as it is
 */
export function servingBuilds(alive: readonly BuildOnQueue[]): ServingBuilds | null {
  const queues = new Set(alive.map(({ taskQueue }) => taskQueue));
  const whole = [...Map.groupBy(alive, ({ build }) => build)]
    .filter(([, own]) => new Set(own.map(({ taskQueue }) => taskQueue)).size === queues.size)
    .map(([build, own]) => ({ build, sinceMs: Math.min(...own.map(({ sinceMs }) => sinceMs)) }))
    .sort((left, right) => right.sinceMs - left.sinceMs);
  const [latest] = whole;
  if (latest === undefined) return null;
  return { current: latest.build, whole: whole.map(({ build }) => build) };
}
