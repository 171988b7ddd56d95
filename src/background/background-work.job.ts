import { instantOf } from '../common/clock.ts';
import { entryOf } from '../common/entry-of.ts';
import type { JobDeps } from '../jobs/deps.ts';
import type { Job } from '../jobs/job-definition.service.ts';
import { listEnabledProcesses, listFaults } from './background.cypher.ts';
import { claimWork, recordFailureIn, settleWork } from './background.mutations.ts';
import { dayOf } from './background.ts';
import { listDueWork, listOwnersWithoutTokens, listWaiting, resumeWork } from './work.cypher.ts';
import type { Work } from './work.ts';

/**
 * How to start work again, by its kind. False: nothing is left to do. A start that is refused
 * records that itself.
 */
export type WorkStarts<Deps> = Readonly<
  Record<string, (deps: Deps, work: Work) => Promise<boolean>>
>;

const PER_USER_MAX = 20;
const PER_RUN_MAX = 500;
/** A started piece of work has this long to begin before it is started again. */
const BEGIN_WITHIN_MS = 5 * 60_000;

/**
 * Starts background work that waited for the next day's tokens, or whose last try failed
 * (docs/decisions/0105). Each user gets the same share of a job run. While a Process of the
 * product can't do its work, the job run ends with an error that says why.
 */
export function backgroundWork<Deps extends JobDeps>(starts: WorkStarts<Deps>): Job<Deps> {
  return {
    name: 'background-work',
    cron: '@hourly',
    describe: 'Starts background work that waited, and reports background work that fails.',
    isQuiet: true,
    // Waits end by time, and faults are reported as they come and go.
    watch: { everySeconds: 60, isDue: async () => true },
    backlog: async ({ graph }) =>
      (await graph.read((tx) => listWaiting(tx, null))).reduce((sum, { count }) => sum + count, 0),
    async run(deps, { signal }) {
      await startDueWork(deps, starts, signal);
      const faults = await deps.graph.read((tx) => listFaults(tx, null));
      if (faults.length > 0)
        throw new Error(
          faults
            .map(({ processName, message, since }) => `${processName}, since ${since}: ${message}`)
            .join('\n'),
        );
    },
  };
}

type Port = 'graph' | 'clock' | 'newId' | 'settings' | 'log';

/**
 * Starts work that is due, each piece once, whichever processes look for it at the same time. A
 * start that throws counts as a failure of its work, and holds up no other.
 * @param ownerId only the work of this user; null: of all users
 */
export async function startDueWork<Deps extends Pick<JobDeps, Port>>(
  deps: Deps,
  starts: WorkStarts<Deps>,
  signal: AbortSignal,
  ownerId: string | null = null,
): Promise<void> {
  const { graph, clock, log } = deps;
  await resumeWhereTokensAreLeft(deps, ownerId);
  const nowMs = clock.nowMs();
  const at = { now: instantOf(nowMs), runAt: instantOf(nowMs + BEGIN_WITHIN_MS) };
  const due = await graph.read(async (tx) => {
    const kinds = await listEnabledProcesses(tx, Object.keys(starts));
    return listDueWork(tx, { kinds, ownerId, nowMs, perUser: PER_USER_MAX, limit: PER_RUN_MAX });
  });
  for (const work of due) {
    if (signal.aborted) return;
    const claimed = await graph.write((tx) => claimWork(tx, work, at));
    const start = entryOf(starts, work.kind);
    if (claimed === null || start === undefined) continue;
    try {
      if (await start(deps, claimed)) continue;
    } catch (error) {
      log.error('Background work could not start', { operation: work.kind, error });
      const message = 'An internal fault ended its start. The log has the cause.';
      await graph.write((tx) => recordFailureIn(deps, tx, work, { code: 'INTERNAL', message }));
      continue;
    }
    await graph.write((tx) => settleWork(tx, { done: [claimed], later: [] }, at.now));
  }
}

/** Work that waits for tokens is due on the next day, or before it where the limit was raised. */
async function resumeWhereTokensAreLeft(
  { graph, clock, settings }: Pick<JobDeps, 'graph' | 'clock' | 'settings'>,
  ownerId: string | null,
): Promise<void> {
  const nowMs = clock.nowMs();
  const { backgroundTokensPerDay: limit } = await settings.current();
  const owners = await graph.read((tx) =>
    listOwnersWithoutTokens(tx, { ownerId, day: dayOf(nowMs) }),
  );
  const able = owners.filter(({ tokens }) => limit === 0 || tokens < limit);
  const ownerIds = able.map((one) => one.ownerId);
  if (ownerIds.length > 0) await graph.write((tx) => resumeWork(tx, ownerIds, instantOf(nowMs)));
}
