import {
  settleEvents,
  type WithdrawnEventsDeps,
} from '../../agent-memory/mending/withdrawn-events.mutations.ts';
import { instant } from '../../common/clock.ts';
import type { Graph, WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { updateActiveEntities } from '../entities/active-entity.mutations.ts';
import { tellSummaries } from '../entities/told-summary.cypher.ts';
import { settleFactsOf } from '../resolution/settle-facts.mutations.ts';
import {
  type Branch,
  listBranches,
  listChanged,
  listMarkedOf,
  listStanding,
  markEpisodes,
  settleEntities,
  settleStatements,
  unmarkSingleTurns,
  unmarkTurns,
  writeSettled,
} from './withdrawal.cypher.ts';
import { settledFact } from './withdrawal.ts';

export interface WithdrawalDeps extends WithdrawnEventsDeps {
  readonly graph: Graph;
}

/** Episodes that are settled in one transaction. */
const EPISODES_MAX = 500;

/**
 * Withdraws the findings of the turns that are not on screen any more, and gives back those of
 * turns that are again (docs/decisions/0116).
 * @param turnIds turns that were added or changed
 */
export async function settleTurns(deps: WithdrawalDeps, turnIds: readonly string[]): Promise<void> {
  const branches = await deps.graph.read((tx) => listBranches(tx, turnIds));
  for (const branch of branches)
    while (await deps.graph.write((tx) => settleBranch(deps, tx, branch, turnIds)));
}

/**
 * Settles the owner's latest switches of versions, so that a read that follows says nothing of a
 * version that was left (docs/decisions/0128). One statement where there are none.
 */
export async function settleSwitches(deps: WithdrawalDeps, ownerId: string): Promise<void> {
  const turnIds = await deps.graph.read((tx) => listMarkedOf(tx, ownerId));
  if (turnIds.length === 0) return;
  await settleTurns(deps, turnIds);
  await deps.graph.write((tx) => unmarkSingleTurns(tx, turnIds));
}

/**
 * As `settleSwitches`, within a transaction that may have switched itself: of each place at most
 * 500 Episodes, the projection settles the others.
 */
export async function settleSwitchesIn(
  deps: WithdrawnEventsDeps,
  tx: WriteTx,
  ownerId: string,
): Promise<void> {
  const turnIds = await listMarkedOf(tx, ownerId);
  if (turnIds.length === 0) return;
  for (const branch of await listBranches(tx, turnIds))
    await settleBranch(deps, tx, branch, turnIds);
  await unmarkSingleTurns(tx, turnIds);
}

/**
 * @param turnIds the turns being settled; those below the branch lose their mark with its last
 *   Episodes
 * @returns whether more is left
 */
async function settleBranch(
  deps: WithdrawnEventsDeps,
  tx: WriteTx,
  branch: Branch,
  turnIds: readonly string[],
): Promise<boolean> {
  // The same order of locks as in `applyExtraction`, which prevents deadlocks.
  await lockResources(tx, [branch.ownerId, branch.conversationId]);
  const changed = await listChanged(tx, branch);
  const some = changed.slice(0, EPISODES_MAX);
  const now = instant(deps.clock);
  if (some.length === changed.length) await unmarkTurns(tx, turnIds, branch.turnId);
  if (some.length === 0) return false;
  await markEpisodes(
    tx,
    some.map(({ uuid, isShown }) => ({ uuid, withdrawnAt: isShown ? null : now })),
  );
  const idsOf = (wanted: boolean) =>
    some.flatMap(({ alternativeId, isShown }) => (isShown === wanted ? [alternativeId] : []));
  await settleEvents(deps, tx, branch, { gone: idsOf(false), back: idsOf(true) });
  await settleEpisodes(
    tx,
    branch.ownerId,
    some.map(({ uuid }) => uuid),
    now,
  );
  const { activeEntitiesMax } = await deps.settings.current();
  await updateActiveEntities(deps, tx, branch, activeEntitiesMax);
  return changed.length > some.length;
}

/** Settles what an Episode tells that was read just now. Under the locks of `settleBranch`. */
export async function settleRead(
  tx: WriteTx,
  of: { readonly ownerId: string; readonly turnId: string; readonly episodeUuid: string },
  now: string,
): Promise<void> {
  const { ownerId, turnId, episodeUuid } = of;
  for (const branch of await listBranches(tx, [turnId])) {
    const changed = await listChanged(tx, branch);
    await markEpisodes(
      tx,
      changed
        .filter(({ uuid }) => uuid === episodeUuid)
        .map(({ uuid, isShown }) => ({ uuid, withdrawnAt: isShown ? null : now })),
    );
  }
  await settleEpisodes(tx, ownerId, [episodeUuid], now);
}

/** Settles what Episodes tell by whether they are on screen. Under the owner's lock. */
export async function settleEpisodes(
  tx: WriteTx,
  ownerId: string,
  episodes: readonly string[],
  now: string,
): Promise<void> {
  const found = await listStanding(tx, episodes);
  const changed = found.flatMap(({ standing, entityUuids }) => {
    const settled = settledFact(standing, now);
    return settled === null ? [] : [{ settled, entityUuids }];
  });
  await settleEntities(tx, episodes, now);
  await settleStatements(tx, episodes, now);
  if (changed.length === 0) return;
  await writeSettled(
    tx,
    changed.map(({ settled }) => settled),
    now,
  );
  // What comes back is compared with what was said meanwhile.
  const back = changed.filter(({ settled }) => settled.shown.invalidAt === null);
  for (const uuid of new Set(back.flatMap(({ entityUuids }) => entityUuids.slice(0, 1))))
    await settleFactsOf(tx, ownerId, uuid, now);
  await tellSummaries(
    tx,
    changed.flatMap(({ entityUuids }) => entityUuids),
    now,
  );
}
