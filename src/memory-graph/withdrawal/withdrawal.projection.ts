import { FOLLOW_UP_MS } from '../../common/limits.ts';
import type { Projection } from '../../outbox/projector.service.ts';
import { settleTurns, type WithdrawalDeps } from './withdrawal.mutations.ts';

const KINDS = ['turn.added', 'alternative.added', 'alternative.activated'];

/**
 * Withdraws what turns told that are not on screen any more, and gives it back with them. A
 * repeated entry changes nothing.
 */
export function withdrawal(deps: WithdrawalDeps): Projection {
  return {
    name: 'withdrawal',
    kinds: KINDS,
    startsAt: 'now',
    gatherMs: FOLLOW_UP_MS,
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
