import { instant } from '../../common/clock.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import type { Job, JobRun } from '../../jobs/job-definition.service.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import { queueKnownNodes, redactUnproven } from '../memory-retention.cypher.ts';
import { findSegmentsOfNodes } from '../rollup/rollup.cypher.ts';
import { type SessionRef, type StoredSegment, saveSegments } from '../segments/segment.cypher.ts';
import { limitsOf, segmentIn } from '../segments/segmenter.job.ts';
import { realmOfStore } from '../store.ts';
import { periodOf, TOC_LEVELS, tocChanged } from '../toc/toc.ts';
import {
  countBackgroundEvents,
  deleteGripsOf,
  dissolveSegments,
  findNextBackgroundSession,
  findSegmentsAround,
  setAside,
} from './background-events.cypher.ts';

const EVENTS_PER_STEP = 200;
const VERSIONS_PER_STEP = 100;

/**
 * Mends memories of older versions, which took background runs of the product for a part of the
 * talk (docs/decisions/0024), and takes out versions of turns that have left the screen
 * (docs/decisions/0116). It sets these events aside, cuts the rest of their sessions anew,
 * removes the lines of the table of contents that rest on them from all versions, and queues the
 * nodes for a new summary. A session is mended in steps of 200 events, one transaction each.
 */
export const backgroundEvents: Job = {
  name: 'memory-mending',
  cron: '@hourly',
  describe:
    'Sets aside what older versions took from background runs into agent memory, and versions ' +
    'of turns that are not on screen.',
  timeLimitSeconds: 30 * 60,
  isQuiet: true,
  watch: {
    everySeconds: 10,
    isDue: async ({ graph }) => (await graph.read(countBackgroundEvents)) > 0,
  },
  backlog: ({ graph }) => graph.read(countBackgroundEvents),
  async run(deps, jobRun) {
    while (!jobRun.signal.aborted) {
      const session = await deps.graph.read(findNextBackgroundSession);
      if (session === null) return;
      await mendStep(deps, jobRun, session);
      deps.wake();
    }
  },
};

async function mendStep(deps: JobDeps, jobRun: JobRun, session: SessionRef): Promise<void> {
  const limits = limitsOf(await deps.settings.current());
  const { store, sessionId } = session;
  const realm = realmOfStore(store);
  await deps.graph.write(async (tx) => {
    await jobRun.progressIn(tx, {});
    const now = instant(deps.clock);
    const keys = await setAside(tx, { store, sessionId, limit: EVENTS_PER_STEP, now });
    const old = await findSegmentsAround(tx, session, keys);
    if (old.length === 0) return;
    const eventIds = await dissolveSegments(tx, old);
    await segmentIn(
      tx,
      eventIds.map((eventId) => ({ realm, eventId })),
      limits,
      now,
    );
    const kept = new Set((await findSegmentsOfNodes(tx, old)).map(({ nodeId }) => nodeId));
    const dissolved = old
      .filter(({ nodeId }) => !kept.has(nodeId))
      .map(({ startKey, nodeId, startMs: ms }) => ({ store, startKey, nodeId, ms }));
    await saveSegments(tx, { changed: [], dissolved, now });
    const fromMs = Math.min(...old.map(({ startMs }) => startMs));
    const toMs = Math.max(...old.map(({ endMs }) => endMs));
    await deleteGripsOf(tx, { ...session, realm, keys, fromMs, toMs });
    const periods = periodsOf(old);
    const nodeIds = [...old, ...periods].map(({ nodeId }) => nodeId);
    const limit = VERSIONS_PER_STEP;
    while ((await redactUnproven(tx, { store, realm, nodeIds, limit })) === limit);
    const levels = await queueKnownNodes(tx, store, periods, now);
    const changed = new Set(['segment' as const, ...levels]);
    await appendEntries(
      tx,
      [...changed].map((level) => tocChanged(deps, level)),
    );
  });
}

/** The days, weeks, months and years of segments, each once. */
function periodsOf(segments: readonly StoredSegment[]) {
  const periods = segments.flatMap(({ startMs }) =>
    TOC_LEVELS.flatMap((level) => (level === 'segment' ? [] : [periodOf(level, startMs)])),
  );
  return [...new Map(periods.map((period) => [period.nodeId, period])).values()];
}
