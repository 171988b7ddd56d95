import { type Backoff, backoffMs } from '../../common/backoff.ts';
import { instant } from '../../common/clock.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import type { Job, JobRun } from '../../jobs/job-definition.service.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { WorkWaits } from '../../runs/background/background.mutations.ts';
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
  postponeWork,
  readPeriodSources,
  readSegmentSources,
  saveVersions,
  type TocWork,
} from './rollup.cypher.ts';
import type { Summarise } from './summarise.service.ts';
import {
  linesOf,
  type ProvenLine,
  proveLines,
  quoteEvidence,
  sentencesOf,
} from './summary-lines.ts';
import { TOC_ROOT } from './toc.cypher.ts';
import {
  parentLevel,
  parentNodeId,
  periodOf,
  segmentTitle,
  type TocLevel,
  tocChanged,
} from './toc.ts';
import {
  type Anchor,
  BULLETS,
  type Draft,
  type DraftBody,
  draftPeriod,
  draftSegment,
  sha,
} from './toc-draft.service.ts';

const NODES_PER_STEP = 8;
/** Children of a node that are read for its summary, the last ones. */
const CHILDREN_READ_MAX = 300;
const ATTEMPTS_MAX = 3;
// A node is deferred at most ATTEMPTS_MAX - 1 times, so it never waits `maxMs`.
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
/** Name of the job of a level. With underscores it is the `source` of its grips (S2-GRIP-03). */
export function rollupJobName(level: TocLevel): string {
  return JOB_NAMES[level];
}

/** Ports of the jobs that write summaries. */
export interface SummaryJobDeps extends JobDeps {
  /** Sums up a text with the model of its owner. */
  readonly summarise: Summarise;
}

/**
 * The job of one level (S2-TOC-07). It sums up only nodes that have TocWork, and queues work for
 * the level above.
 */
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
        throw new Error(`${failed} summaries could not be made; they are retried later.`);
    },
  };
}

/** Sums up these nodes and saves their versions. @returns how many were deferred */
export async function rollUp(
  deps: Pick<SummaryJobDeps, 'graph' | 'clock' | 'newId' | 'wake' | 'settings' | 'summarise'>,
  level: TocLevel,
  work: readonly TocWork[],
  jobRun: Pick<JobRun, 'signal' | 'progressIn'>,
): Promise<number> {
  const { segmentOverlapEvents } = await deps.settings.current();
  const drafts = await deps.graph.read(async (tx) => {
    if (level === 'segment')
      return (await readSegmentSources(tx, work, segmentOverlapEvents)).map(draftSegment);
    const sources = await readPeriodSources(tx, work, CHILDREN_READ_MAX);
    return sources.map((source) => draftPeriod(level, source));
  });
  const outcomes = await Promise.all(
    drafts.map((draft) => complete(deps, level, draft, jobRun.signal).catch(waitsOrThrow)),
  );
  const waiting = drafts.flatMap((draft, index) => {
    const outcome = outcomes[index];
    return outcome instanceof WorkWaits ? [{ draft, notBefore: outcome.until }] : [];
  });
  const isLeft = (outcome: unknown) => outcome === 'deferred' || outcome instanceof WorkWaits;
  const versions = outcomes.filter(
    (outcome): outcome is NewVersion =>
      outcome !== null && outcome !== 'deferred' && !(outcome instanceof WorkWaits),
  );
  const done = drafts.filter((_draft, index) => !isLeft(outcomes[index]));
  const deferred = drafts.filter((_draft, index) => outcomes[index] === 'deferred');
  const above = parentLevel(level);
  const parents = above === null ? [] : parentsOf(versions, above);
  const nowMs = deps.clock.nowMs();
  await deps.graph.write(async (tx) => {
    await assertProven(tx, versions);
    await saveVersions(tx, {
      versions,
      done: done.map((draft) => draft.work),
      work: parents,
      now: instantOf(nowMs),
      nowMs,
    });
    if (deferred.length > 0)
      await deferWork(
        tx,
        deferred.map(({ work: { store, nodeId, attempts } }) => ({
          store,
          nodeId,
          notBefore: instantOf(nowMs + backoffMs(DEFER_BACKOFF, attempts + 1)),
        })),
      );
    if (waiting.length > 0)
      await postponeWork(
        tx,
        waiting.map(({ draft: { work: one }, notBefore }) => ({
          store: one.store,
          nodeId: one.nodeId,
          notBefore,
        })),
      );
    if (above !== null && parents.length > 0) await appendEntries(tx, [tocChanged(deps, above)]);
    await jobRun.progressIn(tx, {});
  });
  deps.wake();
  return deferred.length;
}

/** Passes on that the owner's tokens of the day are used up. */
function waitsOrThrow(error: unknown): WorkWaits {
  if (error instanceof WorkWaits) return error;
  throw error;
}

/** The parents of versions, each once, as work of the level above. */
function parentsOf(versions: readonly NewVersion[], level: TocLevel) {
  const parents = versions.map(({ store, parentId, startMs }) => ({
    store,
    nodeId: parentId,
    level,
    startMs,
  }));
  return [
    ...new Map(parents.map((parent) => [`${parent.store} ${parent.nodeId}`, parent])).values(),
  ];
}

/** Completes a draft. Null if nothing changed; 'deferred' if no summary could be made now. */
async function complete(
  { summarise }: Pick<SummaryJobDeps, 'summarise'>,
  level: TocLevel,
  { work, body, latest }: Draft,
  signal: AbortSignal,
): Promise<NewVersion | 'deferred' | null> {
  if (body === null) return latest === null || latest.isEmpty ? null : emptyVersion(level, work);
  if (latest?.madeOf === body.madeOf && !latest.isEmpty) return null;
  const count = BULLETS[level];
  const proven = body.isShort
    ? body.evidence.flatMap(({ text, place }) =>
        sentencesOf(text).map((line) => ({ text: line, excerpt: line, place })),
      )
    : proveLines(linesOf(await answerOf(body)), body.evidence).slice(0, count * 2);
  if (proven.length === 0 && body.evidence.length > 0 && work.attempts < ATTEMPTS_MAX - 1)
    return 'deferred';
  const lines = proven.length > 0 ? proven : quoteEvidence(body.evidence, count);
  const source = rollupJobName(level).replaceAll('-', '_');
  return versionWithLines(level, work, body, lines, source);

  async function answerOf({ text, textBefore: before, title }: DraftBody): Promise<string> {
    const { store, nodeId, attempts } = work;
    const call = { ownerId: ownerOfStore(store), text, before, sentences: count };
    const workFor = { kind: 'toc_node', id: nodeId, name: title } as const;
    const key = `toc ${sha(store, nodeId, JSON.stringify(call), String(attempts))}`;
    return (await summarise({ ...call, key, workFor }, signal)) ?? '';
  }
}

/** Completes a draft with its lines. Each line gets a grip for each anchor of its evidence. */
function versionWithLines(
  level: TocLevel,
  { store, nodeId, startMs: workStartMs }: TocWork,
  body: DraftBody,
  lines: readonly ProvenLine<readonly Anchor[]>[],
  source: string,
): NewVersion {
  const grips: NewGrip[] = [];
  const bullets = lines.map(({ text, excerpt, place: anchors }, at) => ({
    text,
    gripIds: anchors.map((anchor, which) => {
      const { eventIdStart, eventIdEnd, startKey, endKey, sessionId, timestampMs } = anchor;
      const suffix = sha(store, nodeId, body.madeOf, `${at}/${which}`).slice(0, 12);
      const id = gripId(timestampMs, suffix);
      const range = { eventIdStart, eventIdEnd, startKey, endKey, sessionId, timestampMs };
      grips.push({ gripId: id, excerpt: anchor.excerpt ?? excerpt, source, ...range });
      return id;
    }),
  }));
  const { title, startMs, endMs, place, childNodeIds, keywords, madeOf } = body;
  return {
    store,
    nodeId,
    parentId: parentNodeId(level, workStartMs) ?? TOC_ROOT,
    level,
    title,
    startMs,
    endMs,
    place,
    childNodeIds,
    keywords,
    madeOf,
    bullets,
    grips,
    isEmpty: false,
  };
}

/** The version of a node that became empty. */
function emptyVersion(level: TocLevel, { store, nodeId, startMs: ms }: TocWork): NewVersion {
  const { startMs, endMs, title } =
    level === 'segment'
      ? { startMs: ms, endMs: ms, title: segmentTitle(ms, ms) }
      : periodOf(level, ms);
  return {
    store,
    nodeId,
    parentId: parentNodeId(level, ms) ?? TOC_ROOT,
    level,
    title,
    startMs,
    endMs,
    place: instantOf(startMs),
    childNodeIds: [],
    keywords: [],
    madeOf: '',
    bullets: [],
    grips: [],
    isEmpty: true,
  };
}

/**
 * Rolls the transaction back unless every line is proven (S2-GRIP-04).
 * @throws Error if a line has no grip, or the events of a grip do not contain its excerpt
 */
async function assertProven(tx: WriteTx, versions: readonly NewVersion[]): Promise<void> {
  const grips = versions.flatMap(({ store, grips: made }) =>
    made.map((grip) => ({ ...grip, realm: realmOfStore(store) })),
  );
  const texts = await readGripTexts(tx, grips, GRIP_EVENTS_MAX);
  const wrong = grips.find(({ excerpt }, index) => !holdsExcerpt(excerpt, texts[index] ?? []));
  if (wrong !== undefined)
    throw new Error(`The grip ${wrong.gripId} has an excerpt that its events do not contain.`);
  const bare = versions.find(({ bullets }) => bullets.some(({ gripIds }) => gripIds.length === 0));
  if (bare !== undefined) throw new Error(`A line of ${bare.nodeId} has no grip.`);
}
