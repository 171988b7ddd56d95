import { type Backoff, backoffMs } from '../../common/backoff.ts';
import { instant } from '../../common/clock.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import type { Job, JobRun } from '../../jobs/job-definition.service.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { instantOf } from '../events/ulid.ts';
import { readGripTexts } from '../grips/grip.cypher.ts';
import { GRIP_EVENTS_MAX, gripId, holdsExcerpt } from '../grips/grip.ts';
import { ownerOfStore, realmOfStore } from '../store.ts';
import {
  countTocWork,
  deferWork,
  listTocWork,
  type NewGrip,
  type NewVersion,
  saveVersions,
  type TocWork,
} from './rollup.cypher.ts';
import type { Summarise } from './summarise.service.ts';
import { linesOf, proveLines, quoteEvidence, sentencesOf } from './summary-lines.ts';
import { TOC_ROOT } from './toc.cypher.ts';
import {
  parentLevel,
  parentNodeId,
  periodOf,
  segmentTitle,
  type TocLevel,
  tocChanged,
} from './toc.ts';
import { BULLETS, type Draft, draftPeriods, draftSegments, sha } from './toc-draft.service.ts';

const NODES_PER_STEP = 8;
const ATTEMPTS_MAX = 3;
// A node is deferred at most ATTEMPTS_MAX - 1 times, so the longest wait is not reached.
const DEFER_BACKOFF: Backoff = { firstMs: 15_000, maxMs: 60_000 };

const DESCRIBE: Readonly<Record<TocLevel, string>> = {
  segment: 'Sums up segments whose events changed; each line with the words that prove it.',
  day: 'Sums up days whose segments changed.',
  week: 'Sums up weeks whose days changed.',
  month: 'Sums up months whose weeks changed.',
  year: 'Sums up years whose months changed.',
};
const JOB_NAMES: Readonly<Record<TocLevel, string>> = {
  segment: 'segment-summarizer',
  day: 'day-rollup',
  week: 'week-rollup',
  month: 'month-rollup',
  year: 'year-rollup',
};
/** The job that sums up a level; also, with underscores, the `source` of its grips (S2-GRIP-03). */
export function rollupJobName(level: TocLevel): string {
  return JOB_NAMES[level];
}

/** Ports of the jobs that sum up. */
export interface SummaryJobDeps extends JobDeps {
  /** Sums up what was said, for its owner. */
  readonly summarise: Summarise;
}

/** The job of one level: it takes what changed there and nothing else, and leaves the level above its work (S2-TOC-07). */
export function rollupJob(level: TocLevel): Job<SummaryJobDeps> {
  return {
    name: rollupJobName(level),
    cron: '@every 1m',
    describe: DESCRIBE[level],
    isQuiet: true,
    backlog: ({ graph }) => graph.read((tx) => countTocWork(tx, level)),
    async run(deps, jobRun) {
      let failed = 0;
      while (!jobRun.signal.aborted) {
        const now = instant(deps.clock);
        const work = await deps.graph.read((tx) => listTocWork(tx, level, now, NODES_PER_STEP));
        if (work.length === 0) break;
        failed += await rollUp(deps, level, work, jobRun);
      }
      if (failed > 0)
        throw new Error(`${failed} summaries could not be had and are tried again in a while.`);
    },
  };
}

/** Sums up these nodes anew and keeps the outcome; how many have to be tried again. */
export async function rollUp(
  deps: Pick<SummaryJobDeps, 'graph' | 'clock' | 'newId' | 'wake' | 'settings' | 'summarise'>,
  level: TocLevel,
  work: readonly TocWork[],
  jobRun: Pick<JobRun, 'signal' | 'progressIn'>,
): Promise<number> {
  const { segmentOverlapEvents } = await deps.settings.current();
  const drafts = await deps.graph.read((tx) =>
    level === 'segment'
      ? draftSegments(tx, work, segmentOverlapEvents)
      : draftPeriods(tx, level, work),
  );
  const written = await Promise.all(
    drafts.map((draft) => write(deps, level, draft, jobRun.signal)),
  );
  const versions = written.flatMap((one) => (one === null || one === 'later' ? [] : [one]));
  const later = drafts.filter((_draft, index) => written[index] === 'later');
  const above = parentLevel(level);
  const parents = new Map(
    versions
      .filter(() => above !== null)
      .map(({ store, parentId, startMs }) => [
        `${store} ${parentId}`,
        { store, parentId, startMs },
      ]),
  );
  const nowMs = deps.clock.nowMs();
  await deps.graph.write(async (tx) => {
    await assertProven(tx, versions);
    await saveVersions(tx, {
      versions,
      done: drafts.filter((_draft, index) => written[index] !== 'later').map((one) => one.work),
      work: [...parents.values()].map(({ store, parentId, startMs }) => ({
        store,
        nodeId: parentId,
        level: above ?? 'year',
        startMs,
      })),
      now: instantOf(nowMs),
      nowMs,
    });
    if (later.length > 0)
      await deferWork(
        tx,
        later.map(({ work: { store, nodeId, attempts } }) => ({
          store,
          nodeId,
          notBefore: instantOf(nowMs + backoffMs(DEFER_BACKOFF, attempts + 1)),
        })),
      );
    if (above !== null && parents.size > 0) await appendEntries(tx, [tocChanged(deps, above)]);
    await jobRun.progressIn(tx, {});
  });
  deps.wake();
  return later.length;
}

/** The version a draft becomes; null where nothing changed, 'later' where no summary is to be had now. */
async function write(
  { summarise }: Pick<SummaryJobDeps, 'summarise'>,
  level: TocLevel,
  { work, body, before }: Draft,
  signal: AbortSignal,
): Promise<NewVersion | 'later' | null> {
  const { store, nodeId } = work;
  const parentId = parentNodeId(level, work.startMs) ?? TOC_ROOT;
  if (body === null) {
    if (before === null || before.isEmpty) return null;
    const [startMs, endMs, title] = emptyPeriod(level, work.startMs);
    const times = { startMs, endMs, title, place: instantOf(startMs), childNodeIds: [] };
    const nothing = { bullets: [], keywords: [], grips: [], isEmpty: true, madeOf: '' };
    return { store, nodeId, parentId, level, ...times, ...nothing };
  }
  if (before?.madeOf === body.madeOf && !before.isEmpty) return null;
  const count = BULLETS[level];
  const call = {
    ownerId: ownerOfStore(store),
    text: body.text,
    before: body.before,
    sentences: count,
  };
  const key = `toc ${sha(store, nodeId, JSON.stringify(call), String(work.attempts))}`;
  const answer = body.asTheyAre ? '' : await summarise({ ...call, key }, signal);
  const lines = body.asTheyAre
    ? body.evidence.flatMap(({ text, place }) =>
        sentencesOf(text).map((line) => ({ text: line, excerpt: line, place })),
      )
    : proveLines(linesOf(answer ?? ''), body.evidence).slice(0, count * 2);
  if (lines.length === 0 && body.evidence.length > 0 && work.attempts < ATTEMPTS_MAX - 1)
    return 'later';
  const told = lines.length > 0 ? lines : quoteEvidence(body.evidence, count);
  const source = rollupJobName(level).replaceAll('-', '_');
  const grips: NewGrip[] = [];
  const bullets = told.map(({ text, excerpt, place }, at) => ({
    text,
    gripIds: place.map(({ excerpt: own, sessionId, timestampMs, ...range }, which) => {
      const id = gripId(
        timestampMs,
        sha(store, nodeId, body.madeOf, `${at}/${which}`).slice(0, 12),
      );
      const { eventIdStart, eventIdEnd, startKey, endKey } = range;
      const where = { eventIdStart, eventIdEnd, startKey, endKey, sessionId, timestampMs };
      grips.push({ gripId: id, excerpt: own ?? excerpt, source, ...where });
      return id;
    }),
  }));
  const { title, startMs, endMs, place, childNodeIds, keywords, madeOf } = body;
  const times = { title, startMs, endMs, place, childNodeIds, keywords, madeOf };
  return { store, nodeId, parentId, level, ...times, bullets, grips, isEmpty: false };
}

function emptyPeriod(level: TocLevel, ms: number): [number, number, string] {
  if (level === 'segment') return [ms, ms, segmentTitle(ms, ms)];
  const { startMs, endMs, title } = periodOf(level, ms);
  return [startMs, endMs, title];
}

/** @throws where a bullet has no grip, or a grip's events do not say its excerpt: then nothing is written (S2-GRIP-04) */
async function assertProven(tx: WriteTx, versions: readonly NewVersion[]): Promise<void> {
  const grips = versions.flatMap(({ store, grips: made }) =>
    made.map((grip) => ({ ...grip, realm: realmOfStore(store) })),
  );
  const texts = await readGripTexts(tx, grips, GRIP_EVENTS_MAX);
  const wrong = grips.find(({ excerpt }, index) => !holdsExcerpt(excerpt, texts[index] ?? []));
  if (wrong !== undefined) throw new Error(`The grip ${wrong.gripId} proves nothing.`);
  const bare = versions.find(({ bullets }) => bullets.some(({ gripIds }) => gripIds.length === 0));
  if (bare !== undefined) throw new Error(`A line of ${bare.nodeId} has no grip.`);
}
