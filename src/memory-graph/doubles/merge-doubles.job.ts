import { instant } from '../../common/clock.ts';
import type { JobRun } from '../../jobs/job-definition.service.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { findUsers } from '../../users/user.cypher.ts';
import type { BaseDeps } from '../../users/user.ts';
import { findEntities } from '../entities/entity.cypher.ts';
import { tellSummaries } from '../entities/told-summary.cypher.ts';
import { userOfGroup } from '../group.ts';
import { makeOne } from '../resolution/merge.mutations.ts';
import { settleFactsOf } from '../resolution/settle-facts.mutations.ts';
import { endFactsOf } from '../statements/statement.mutations.ts';
import { settleTurns, type WithdrawalDeps } from '../withdrawal/withdrawal.mutations.ts';
import {
  listNamesakes,
  listUnmerged,
  listUnsettled,
  listUnsettledStatements,
  listUnsettledTurns,
  markMerged,
  markSettled,
  markSettledStatements,
  markSettledTurns,
  markUnsettled,
  type OwnName,
  type Unsettled,
} from './doubles.cypher.ts';
import { planMerges } from './doubles.ts';

type MergeDeps = BaseDeps & WithdrawalDeps;

/** Names or entities read at once. */
const BATCH = 100;
/** Merges of one transaction; a name with more goes on in the next one. */
const MERGES_MAX = 20;

/**
 * Job that makes entities one that were read as one of each conversation (docs/decisions/0116): of
 * one owner, of one name, of kinds that fit. Then their facts are compared as if they had been read
 * in the order in which they were said. Each transaction takes the mark off what it has done, so a
 * stopped run goes on where it was.
 */
export async function mergeDoubles(deps: MergeDeps, { signal }: JobRun): Promise<void> {
  for (;;) {
    const names = await deps.graph.read((tx) => listUnmerged(tx, BATCH));
    if (names.length === 0) break;
    for (const name of names) {
      signal.throwIfAborted();
      while (!(await deps.graph.write((tx) => mergeName(deps, tx, name)))) signal.throwIfAborted();
    }
  }
  for (;;) {
    const ids = await deps.graph.read((tx) => listUnsettledTurns(tx, BATCH));
    if (ids.length === 0) break;
    signal.throwIfAborted();
    await settleTurns(deps, ids);
    await deps.graph.write((tx) => markSettledTurns(tx, ids));
  }
  await endFactsOfStatements(deps, signal);
  // Facts are compared once both of their ends are merged.
  for (;;) {
    const unsettled = await deps.graph.read((tx) => listUnsettled(tx, BATCH));
    if (unsettled.length === 0) return;
    for (const one of unsettled) {
      signal.throwIfAborted();
      await deps.graph.write((tx) => settle(deps, tx, one));
    }
  }
}

/** Ends the facts of statements that ended before facts did so with them (0128). */
async function endFactsOfStatements(deps: MergeDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const found = await deps.graph.read((tx) => listUnsettledStatements(tx, BATCH));
    if (found.length === 0) return;
    for (const [owner, all] of Map.groupBy(found, (one) => one.owner)) {
      signal.throwIfAborted();
      const ownerId = userOfGroup(owner);
      const uuids = all.map(({ uuid }) => uuid);
      await deps.graph.write(async (tx) => {
        await lockResources(tx, [ownerId]);
        await endFactsOf(tx, ownerId, uuids, instant(deps.clock));
        await markSettledStatements(tx, uuids);
      });
    }
  }
}

/** @returns whether all of the name are merged */
async function mergeName(deps: MergeDeps, tx: WriteTx, name: OwnName): Promise<boolean> {
  const [owner] = await findUsers(tx, [userOfGroup(name.owner)]);
  if (owner !== undefined) {
    const viewer = { userId: owner.id, workspace: owner.workspace };
    await lockResources(tx, [owner.id]);
    const merges = planMerges(await listNamesakes(tx, name));
    for (const { keptUuid, lostUuid } of merges.slice(0, MERGES_MAX)) {
      const found = await findEntities(tx, owner.id, [keptUuid, lostUuid]);
      const [kept, lost] = [found.get(keptUuid), found.get(lostUuid)];
      if (kept === undefined || lost === undefined) continue;
      await makeOne(deps, tx, viewer, kept, lost);
      await markUnsettled(tx, keptUuid);
    }
    if (merges.length > MERGES_MAX) return false;
  }
  await markMerged(tx, name);
  return true;
}

async function settle(
  deps: MergeDeps,
  tx: WriteTx,
  { entityUuid, owner }: Unsettled,
): Promise<void> {
  const ownerId = userOfGroup(owner);
  await lockResources(tx, [ownerId]);
  const now = instant(deps.clock);
  await settleFactsOf(tx, ownerId, entityUuid, now);
  await tellSummaries(tx, [entityUuid], now);
  await markSettled(tx, entityUuid);
}
