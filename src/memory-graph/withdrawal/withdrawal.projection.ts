import type { Clock } from '../../common/clock.ts';
import type { Projection } from '../../outbox/projector.service.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { settleTurns } from './withdrawal.mutations.ts';

const KINDS = ['turn.added', 'alternative.added', 'alternative.activated'];

/**
 * Withdraws what turns told that are not on screen any more, and gives it back with them. A
 * repeated entry changes nothing.
 */
export function withdrawal(deps: { readonly graph: Graph; readonly clock: Clock }): Projection {
  return {
    name: 'withdrawal',
    kinds: KINDS,
    startsAt: 'now',
    handle: (entries) =>
      settleTurns(deps, [
        ...new Set(
          entries.flatMap(({ payload }) =>
            typeof payload['turnId'] === 'string' ? [payload['turnId']] : [],
          ),
        ),
      ]),
  };
}
