import { instant } from '../../common/clock.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import type { JobRun } from '../../jobs/job-definition.service.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { userOfGroup } from '../group.ts';
import { listPassedEnds, tellSummaries } from './told-summary.cypher.ts';

/** Entities read at once. */
const BATCH = 200;
/** Runs overlap by this, for facts that were written while the run before read. */
const OVERLAP_MS = 600_000;

/**
 * Job that makes the summaries anew whose facts have ended by time alone ("until March"). Reads of
 * facts and statements compare with the clock themselves; a summary is stored text.
 */
export async function tellPassedEnds(
  deps: Pick<JobDeps, 'graph' | 'clock'>,
  { checkpoint, signal, progress }: JobRun,
): Promise<void> {
  const now = instant(deps.clock);
  const since = new Date(Date.parse(checkpoint ?? '1970-01-01T00:10:00Z') - OVERLAP_MS);
  const between = { since: since.toISOString(), now };
  for (let after = ''; ; ) {
    const found = await deps.graph.read((tx) =>
      listPassedEnds(tx, { ...between, after, max: BATCH }),
    );
    for (const [owner, all] of Map.groupBy(found, (one) => one.groupId)) {
      signal.throwIfAborted();
      await deps.graph.write(async (tx) => {
        await lockResources(tx, [userOfGroup(owner)]);
        await tellSummaries(
          tx,
          all.map(({ uuid }) => uuid),
          now,
        );
      });
    }
    const last = found.at(-1);
    if (last === undefined || found.length < BATCH) break;
    after = last.uuid;
  }
  await progress({ checkpoint: now, backlog: 0 });
}
