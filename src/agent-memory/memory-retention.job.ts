import { instant, instantOf } from '../common/clock.ts';
import type { JobDeps } from '../jobs/deps.ts';
import type { Job, JobRun } from '../jobs/job-definition.service.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import { eventKey } from './events/key.ts';
import {
  findNextOldStore,
  forgetSegments,
  forgetTocNodes,
  queueKnownNodes,
  redactUnproven,
} from './memory-retention.cypher.ts';
import { realmOfStore } from './store.ts';
import { periodOf, tocChanged } from './toc/toc.ts';

const DAY_MS = 86_400_000;
const SEGMENTS_PER_STEP = 20;
const NODES_PER_STEP = 100;

/**
 * Deletes days that began more than `memoryRetentionDays` ago: their segments, events, grips, and
 * all versions of their nodes. By default (0) it deletes nothing (S2-EVT-06). Weeks, months and
 * years that reach into the kept time lose the lines about deleted days and get a new summary.
 */
export const agentMemoryRetention: Job = {
  name: 'memory-retention',
  cron: '30 3 * * *',
  describe: 'Forgets days of agent memory beyond memoryRetentionDays; by default none.',
  timeLimitSeconds: 30 * 60,
  async run(deps, jobRun) {
    const { memoryRetentionDays: days } = await deps.settings.current();
    const nowMs = deps.clock.nowMs();
    const firstKeptMs = nowMs - (nowMs % DAY_MS) - days * DAY_MS;
    if (days === 0 || firstKeptMs <= 0) return;
    const beforeKey = eventKey.prefixStart(firstKeptMs);
    const beforeDay = periodOf('day', firstKeptMs).nodeId;
    for (let after = ''; !jobRun.signal.aborted; ) {
      const from = { after, beforeKey, beforeDay };
      const store = await deps.graph.read((tx) => findNextOldStore(tx, from));
      if (store === null) return;
      await forgetIn(deps, jobRun, { store, firstKeptMs, beforeKey });
      after = store;
    }
  },
};

async function forgetIn(
  deps: JobDeps,
  jobRun: JobRun,
  { store, firstKeptMs, beforeKey }: { store: string; firstKeptMs: number; beforeKey: string },
): Promise<void> {
  const realm = realmOfStore(store);
  /** Repeats a step, one transaction each, until it changes less than `limit`. */
  const repeat = async (limit: number, step: (tx: WriteTx) => Promise<number>) => {
    for (let done = limit; done === limit && !jobRun.signal.aborted; )
      done = await deps.graph.write(async (tx) => {
        await jobRun.progressIn(tx, {});
        return step(tx);
      });
  };
  // Ids of a level sort by time: all ids before that of the first kept day are of earlier periods.
  const nodes = (tx: WriteTx, from: string, before: string) =>
    forgetTocNodes(tx, { store, from, before, limit: NODES_PER_STEP });
  const kept = (['year', 'month', 'week'] as const).map((level) => periodOf(level, firstKeptMs));
  const limit = SEGMENTS_PER_STEP;
  await repeat(limit, (tx) =>
    forgetSegments(tx, { store, realm, beforeKey, limit, now: instant(deps.clock) }),
  );
  const firstDay = instantOf(firstKeptMs).slice(0, 10);
  await repeat(NODES_PER_STEP, (tx) => nodes(tx, 'toc:segment:', `toc:segment:${firstDay}`));
  for (const { level, nodeId } of kept)
    await repeat(NODES_PER_STEP, (tx) => nodes(tx, `toc:${level}:`, nodeId));
  const nodeIds = kept.map(({ nodeId }) => nodeId);
  await repeat(NODES_PER_STEP, (tx) =>
    redactUnproven(tx, { store, realm, nodeIds, limit: NODES_PER_STEP }),
  );
  // Delete days last: while a day is left, the next run finds the store and completes a failed run.
  await repeat(NODES_PER_STEP, async (tx) => {
    const gone = await nodes(tx, 'toc:day:', `toc:day:${firstDay}`);
    if (gone === NODES_PER_STEP) return gone;
    const levels = await queueKnownNodes(tx, store, kept, instant(deps.clock));
    const entries = levels.map((level) => tocChanged(deps, level));
    await appendEntries(tx, entries);
    return gone;
  });
  deps.wake();
}
