import { FOLLOW_UP_MS } from '../../common/limits.ts';
import type { Projection } from '../../outbox/projector.service.ts';
import { introspectIfDue } from '../introspections/introspection.mutations.ts';
import { compressIfDue } from '../summaries/compression.mutations.ts';
import type { TaskDeps } from './task.mutations.ts';

/** What may make a path longer, or show that another one can be made shorter. */
const KINDS = ['episode.bound', 'alternative.activated', 'summary.added', 'summary.deleted'];

/**
 * Has a conversation compressed when its path has grown (S4-SUM-08), and reflected on when it was compressed often enough
 * (S4-INTR-07). It only asks whether something is due, so entries that come again change nothing; what is due and was missed
 * is found by the sweep.
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
