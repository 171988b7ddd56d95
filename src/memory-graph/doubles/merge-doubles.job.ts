import { instant } from '../../common/clock.ts';
import type { JobRun } from '../../jobs/job-definition.service.ts';
import { LeftOut } from '../../jobs/left-out.service.ts';
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
  countNamelessMarks,
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
  type UnsettledStatement,
} from './doubles.cypher.ts';
import { planMerges } from './doubles.ts';

type MergeDeps = BaseDeps & WithdrawalDeps;

/** Names or entities read at once. */
const BATCH = 100;
/** Merges of one transaction; a name with more goes on in the next one. */
const MERGES_MAX = 20;
/** So many damaged things of a kind end the work at this kind. */
const DAMAGED_MAX = 1_000;

/**
 * Job that makes entities one that were read as one of each conversation (docs/decisions/0116): of
 * one owner, of one name, of kinds that fit. Then their facts are compared as if they had been read
 * in the order in which they were said. Each transaction takes the mark off what it has done, so a
 * stopped run goes on where it was. What is damaged keeps its mark and holds up nothing else.
 * @throws Error naming the first damaged things, when all others are done
 */
export async function mergeDoubles(
  deps: MergeDeps,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const { graph, clock } = deps;
  const left = new LeftOut();
  await inBatches<OwnName>({
    list: (except) => graph.read((tx) => listUnmerged(tx, except, BATCH)),
    keyOf: ({ owner, nameKey }) => [owner, nameKey],
    async work(name) {
      while (!(await graph.write((tx) => mergeName(deps, tx, name)))) signal.throwIfAborted();
    },
    leaveOut: ({ owner, nameKey }) => left.of(`Entities "${nameKey}" of ${owner}`),
    signal,
  });
  await inBatches<string>({
    list: (except) => graph.read((tx) => listUnsettledTurns(tx, except, BATCH)),
    keyOf: (id) => id,
    async work(id) {
      await settleTurns(deps, [id]);
      await graph.write((tx) => markSettledTurns(tx, [id]));
    },
    leaveOut: (id) => left.of(`Turn ${id}`),
    signal,
  });
  // The facts of statements that ended before facts did so with them (0128).
  await inBatches<UnsettledStatement>({
    list: (except) => graph.read((tx) => listUnsettledStatements(tx, except, BATCH)),
    keyOf: ({ uuid }) => uuid,
    work: ({ uuid, owner }) =>
      graph.write(async (tx) => {
        const ownerId = userOfGroup(owner);
        await lockResources(tx, [ownerId]);
        await endFactsOf(tx, ownerId, [uuid], instant(clock));
        await markSettledStatements(tx, [uuid]);
      }),
    leaveOut: ({ uuid }) => left.of(`Statement ${uuid}`),
    signal,
  });
  // Facts are compared once both of their ends are merged.
  await inBatches<Unsettled>({
    list: (except) => graph.read((tx) => listUnsettled(tx, except, BATCH)),
    keyOf: ({ entityUuid }) => entityUuid,
    work: (one) => graph.write((tx) => settle(deps, tx, one)),
    leaveOut: ({ entityUuid }) => left.of(`Entity ${entityUuid}`),
    signal,
  });
  const nameless = await graph.read(countNamelessMarks);
  if (nameless > 0) left.of('Without an owner, a name or an id')(new Error(`${nameless} of them`));
  left.throwIfAny('Not merged or settled');
}

interface Batches<Thing> {
  /** The next things that have a mark, other than those of these keys. */
  readonly list: (except: readonly unknown[]) => Promise<readonly Thing[]>;
  readonly keyOf: (thing: Thing) => unknown;
  /** Takes the mark off the thing. */
  readonly work: (thing: Thing) => Promise<void>;
  readonly leaveOut: (thing: Thing) => (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Works at all things that have a mark, at each once. */
async function inBatches<Thing>(batches: Batches<Thing>): Promise<void> {
  const { list, keyOf, work, leaveOut, signal } = batches;
  const damaged: unknown[] = [];
  while (damaged.length < DAMAGED_MAX) {
    const things = await list(damaged);
    if (things.length === 0) return;
    for (const thing of things) {
      signal.throwIfAborted();
      await work(thing).catch((error: unknown) => {
        signal.throwIfAborted();
        leaveOut(thing)(error);
        damaged.push(keyOf(thing));
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
