import { FOLLOW_UP_MS } from '../../common/limits.ts';
import type { Projection } from '../../outbox/projector.service.ts';
import { introspectIfDue } from '../introspections/introspection.mutations.ts';
import type { TaskDeps } from '../tasks/task.mutations.ts';
import { compressIfDue } from './compression.mutations.ts';

/** Entries after which a path may be too long, or after which more can be summed up. */
const KINDS = ['episode.bound', 'alternative.activated', 'summary.added', 'summary.deleted'];

/**
 * Starts a compression of a conversation when its path has grown (S4-SUM-08), and an introspection
 * after enough compressions (S4-INTR-07). It starts a task only if one is due, so repeated entries
 * change nothing. The memory sweep starts the tasks that this projection missed.
 */
export function memoryStarter(deps: TaskDeps): Projection {
  return {
    name: 'memory-starter',
    gatherMs: FOLLOW_UP_MS,
    kinds: KINDS,
    startsAt: 'now',
    async handle(entries) {
      const idsOf = (kinds: readonly string[]) =>
        new Set(
          entries.flatMap(({ kind, conversationId }) =>
            kinds.includes(kind) && conversationId !== null ? [conversationId] : [],
          ),
        );
      for (const id of idsOf(KINDS)) await compressIfDue(deps, id);
      for (const id of idsOf(['summary.added'])) await introspectIfDue(deps, id);
    },
  };
}
