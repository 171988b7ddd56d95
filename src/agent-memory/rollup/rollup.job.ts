import { settleWork, WorkWaits } from '../../background/background.mutations.ts';
import { countWork } from '../../background/work.cypher.ts';
import { afterFailure, WORK_KINDS, type WorkState } from '../../background/work.ts';
import { instantOf } from '../../common/clock.ts';
import { countTokens } from '../../common/token-budget.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import type { Job, JobRun } from '../../jobs/job-definition.service.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import type { Settings } from '../../settings/settings.ts';
import { findUsers } from '../../users/user.cypher.ts';
import type { StoredEvent } from '../events/event.cypher.ts';
import { readGripEvents } from '../grips/grip.cypher.ts';
import { GRIP_EVENTS_MAX, gripId, holdsExcerpt } from '../grips/grip.ts';
import { checkLine } from '../grips/line-check.ts';
import { holds } from '../grips/line-proof.ts';
import { ownerOfStore, realmOfStore } from '../store.ts';
import { queueNodes, TOC_ROOT } from '../toc/toc.cypher.ts';
import {
  parentLevel,
  parentNodeId,
  periodOf,
  segmentTitle,
  type TocLevel,
  type TocState,
  tocChanged,
} from '../toc/toc.ts';
import { SUMMARISE_PROCESS, type TocWork, tocKind } from '../toc/toc-work.ts';
import { NO_COUNTS } from './keywords.ts';
import {
  composedLines,
  type DraftBody,
  type DraftLine,
  LINES_MAX,
  provenLines,
} from './line-draft.ts';
import {
  countWords,
  listTocWork,
  type NewGrip,
  type NewVersion,
  readPeriodSources,
  readSegmentSources,
  saveVersions,
} from './rollup.cypher.ts';
import type { Summarise } from './summarise.service.ts';
import { linesOf } from './summary-lines.ts';
import { type Draft, draftPeriod, draftSegment, sha } from './toc-draft.service.ts';

const NODES_PER_STEP = 8;
/** Nodes of one list. Each list reads all work that is due, so it is used for some steps. */
const NODES_PER_LIST = 12 * NODES_PER_STEP;
/** Children of a node that are read for its summary, the last ones. */
const CHILDREN_READ_MAX = 300;
/** Shortest time between two versions of a node whose parts still change. */
const COMPOSE_EVERY_MS = 60_000;

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
 * The job of one level (S2-TOC-07). It takes only nodes that have work on record, and queues work
 * for the level above. A model sums up a node once, when it is over; asked for, it sums up all at
 * once (docs/decisions/0027).
 */
export function rollupJob(level: TocLevel): Job<SummaryJobDeps> {
  return {
    name: rollupJobName(level),
    cron: '@hourly',
    describe: DESCRIBE[level],
    isQuiet: true,
    watch: { everySeconds: 60, isDue: async (deps) => (await countDue(deps, level)) > 0 },
    backlog: (deps) => countDue(deps, level),
    async run(deps, jobRun) {
      let failed = 0;
      while (!jobRun.signal.aborted) {
        const due = { nowMs: deps.clock.nowMs(), isAsked: jobRun.isAsked, limit: NODES_PER_LIST };
        const work = await deps.graph.read((tx) => listTocWork(tx, level, due));
        if (work.length === 0) break;
        while (work.length > 0 && !jobRun.signal.aborted)
          failed += await rollUp(deps, level, work.splice(0, NODES_PER_STEP), jobRun);
      }
      if (failed > 0)
        throw new Error(`${failed} summaries could not be made; they are retried later.`);
    },
  };
}

const countDue = ({ graph, clock }: JobDeps, level: TocLevel) =>
  graph.read((tx) => countWork(tx, [tocKind(level)], clock.nowMs()));

/** Sums up these nodes and saves their versions. @returns how many failed */
export async function rollUp(
  deps: Pick<SummaryJobDeps, 'graph' | 'clock' | 'newId' | 'wake' | 'settings' | 'summarise'>,
  level: TocLevel,
  work: readonly TocWork[],
  jobRun: Pick<JobRun, 'signal' | 'progressIn' | 'isAsked'>,
): Promise<number> {
  const settings = await deps.settings.current();
  const { lineSupportThreshold: threshold, summaryTokensMin: tokensMin } = settings;
  const drafts = await readDrafts(deps, level, work, settings);
  const outcomes = await Promise.all(
    drafts.map((draft) => complete(deps, level, draft, { ...jobRun, threshold, tokensMin })),
  );
  const found = outcomes.flatMap(({ version }) => version ?? []);
  const done = work.filter((_one, index) => outcomes[index]?.later === undefined);
  const later = work.flatMap((one, index) => {
    const state = outcomes[index]?.later;
    return state === undefined ? [] : [{ ...one, ...state }];
  });
  const above = parentLevel(level);
  const parents = above === null ? [] : parentsOf(found, above);
  const savedMs = deps.clock.nowMs();
  const now = instantOf(savedMs);
  await writeAndWake(deps, async (tx) => {
    await saveVersions(tx, await proven(tx, found, threshold), savedMs);
    await settleWork(tx, { done, later }, now);
    await queueNodes(tx, parents, now);
    if (above !== null && parents.length > 0) await appendEntries(tx, [tocChanged(deps, above)]);
    await jobRun.progressIn(tx, {});
  });
  return later.filter(({ reason }) => reason === 'fault').length;
}

/** Drafts the next versions of nodes, in the order of `work`. */
const readDrafts = (
  { graph, clock }: Pick<SummaryJobDeps, 'graph' | 'clock'>,
  level: TocLevel,
  work: readonly TocWork[],
  { segmentOverlapEvents, segmentGapMinutes }: Settings,
): Promise<Draft[]> =>
  graph.read(async (tx) => {
    const stores = [...new Set(work.map(({ store }) => store))];
    const found = await countWords(tx, stores);
    const countsOf = ({ store }: TocWork) => found.get(store) ?? NO_COUNTS;
    if (level !== 'segment') {
      const nowMs = clock.nowMs();
      const sources = await readPeriodSources(tx, level, work, CHILDREN_READ_MAX);
      return sources.map((source) =>
        draftPeriod(level, source, { nowMs, counts: countsOf(source.work) }),
      );
    }
    const names = await ownerNames(tx, work);
    const sources = await readSegmentSources(tx, work, segmentOverlapEvents);
    return sources.map((source) => {
      const ownerName = names.get(ownerOfStore(source.work.store)) ?? null;
      const gapMs = segmentGapMinutes * 60_000;
      return draftSegment(source, { ownerName, gapMs, counts: countsOf(source.work) });
    });
  });

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

/** The outcome of one draft. With nothing set, nothing changed. */
interface Outcome {
  readonly version?: NewVersion;
  /** The work stays, in this state. */
  readonly later?: WorkState;
}

const quietAt = (ms: number): WorkState => ({ reason: 'quiet', runAt: instantOf(ms) });

/**
 * Completes a draft. A node whose parts are not quiet yet gets lines of its parts, and its work
 * rests; a model sums it up once, afterwards.
 */
async function complete(
  deps: Pick<SummaryJobDeps, 'summarise' | 'clock'>,
  level: TocLevel,
  draft: Draft,
  {
    isAsked,
    signal,
    threshold,
    tokensMin,
  }: Pick<JobRun, 'isAsked' | 'signal'> & {
    readonly threshold: number;
    readonly tokensMin: number;
  },
): Promise<Outcome> {
  const { work, body, latest } = draft;
  const nowMs = deps.clock.nowMs();
  const isThere = latest !== null && !latest.isEmpty;
  const after = latest?.version ?? 0;
  if (body === null) return isThere ? { version: emptyVersion(level, work, after) } : {};
  const isMade = isThere && latest.madeOf === body.madeOf;
  if (isMade && latest.state !== 'provisional') return {};
  const versionOf = (lines: readonly DraftLine[], state: TocState, reason: string | null = null) =>
    versionWithLines(level, { work, body, after }, lines, { state, reason });
  if (body.isShort) return { version: versionOf(composedLines(body, LINES_MAX), 'summarised') };
  if (!isAsked && body.quietMs > nowMs) {
    const composeMs = isThere ? latest.createdMs + COMPOSE_EVERY_MS : nowMs;
    if (isMade) return { later: quietAt(body.quietMs) };
    if (composeMs > nowMs) return { later: quietAt(Math.min(body.quietMs, composeMs)) };
    const version = versionOf(composedLines(body), 'provisional');
    return { version, later: quietAt(body.quietMs) };
  }
  // The fixed words of a prompt would cost more than so short a text is worth.
  if (countTokens(body.text, tokensMin) < tokensMin)
    return { version: versionOf(composedLines(body), 'summarised') };
  const answer = await answerFor(deps, work, body, signal).catch(waitsOrThrow);
  if (answer instanceof WorkWaits) {
    const waits = { later: answer.state };
    return isMade ? waits : { ...waits, version: versionOf(composedLines(body), 'provisional') };
  }
  const lines = provenLines(linesOf(answer ?? ''), body, threshold);
  if (lines.length > 0) return { version: versionOf(lines, 'summarised') };
  const later = afterFailure(work, deps.clock.nowMs());
  if (later !== null) return { later };
  const why = answer === null ? NO_ANSWER : NOTHING_PROVEN;
  return { version: versionOf(composedLines(body), 'unsummarised', `${why} ${ATTEMPTS}.`) };
}

/** Passes on that the owner's tokens of the day are used up. */
function waitsOrThrow(error: unknown): WorkWaits {
  if (error instanceof WorkWaits) return error;
  throw error;
}

const ATTEMPTS = `in ${WORK_KINDS[SUMMARISE_PROCESS].attemptsMax} attempts`;
const NO_ANSWER = 'The model gave no answer';
const NOTHING_PROVEN = "The events support no line of the model's answers";

function answerFor(
  { summarise }: Pick<SummaryJobDeps, 'summarise'>,
  { store, nodeId, attempts }: TocWork,
  { text, textBefore: before, title, count: sentences }: DraftBody,
  signal: AbortSignal,
): Promise<string | null> {
  const call = { ownerId: ownerOfStore(store), text, before, sentences };
  const key = `toc ${sha(store, nodeId, JSON.stringify(call), String(attempts))}`;
  const workFor = { kind: 'toc_node', id: nodeId, name: title } as const;
  return summarise({ ...call, key, workFor }, signal);
}

/** Completes a draft with its lines. Each line gets a grip for each anchor of its evidence. */
function versionWithLines(
  level: TocLevel,
  {
    work,
    body,
    after,
  }: { readonly work: TocWork; readonly body: DraftBody; readonly after: number },
  lines: readonly DraftLine[],
  made: { readonly state: TocState; readonly reason: string | null },
): NewVersion {
  const { store, nodeId, startMs: workStartMs } = work;
  const source = rollupJobName(level).replaceAll('-', '_');
  const grips = new Map<string, NewGrip>();
  const bullets = lines.map(({ anchors, speakers, ...line }) => ({
    ...line,
    speakers: [...speakers],
    gripIds: anchors.map((anchor) => {
      // Equal evidence gives an equal id, so that a grip never changes.
      const suffix = sha(store, nodeId, JSON.stringify(anchor)).slice(0, 12);
      const id = gripId(anchor.timestampMs, suffix);
      grips.set(id, { ...anchor, gripId: id, source });
      return id;
    }),
  }));
  const { title, startMs, endMs, place, childNodeIds, keywords, terms, madeOf } = body;
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
    terms,
    madeOf,
    bullets,
    grips: [...grips.values()],
    after,
    ...made,
    isEmpty: false,
  };
}

/** The version of a node that became empty. */
function emptyVersion(
  level: TocLevel,
  { store, nodeId, startMs: ms }: TocWork,
  after: number,
): NewVersion {
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
    terms: [],
    madeOf: '',
    bullets: [],
    grips: [],
    state: 'summarised',
    reason: null,
    after,
    isEmpty: true,
  };
}

/**
 * Proves every line by the events of its grips, and leaves out the lines that do not hold. Lines of
 * a period are drawn from lines, so this check is their first by the events (S2-GRIP-04). A line
 * was drafted before: its events may have been set aside meanwhile.
 */
async function proven(
  tx: WriteTx,
  versions: readonly NewVersion[],
  threshold: number,
): Promise<NewVersion[]> {
  const grips = versions.flatMap(({ store, grips: made }) =>
    made.map((grip) => ({ ...grip, realm: realmOfStore(store) })),
  );
  const read = await readGripEvents(tx, grips, GRIP_EVENTS_MAX);
  const eventsOf = new Map<string, readonly StoredEvent[]>();
  for (const [index, { realm, gripId: id, excerpt }] of grips.entries()) {
    const events = read[index] ?? [];
    const texts = events.map(({ text }) => text);
    if (holdsExcerpt(excerpt, texts)) eventsOf.set(`${realm} ${id}`, events);
  }
  const names = await ownerNames(tx, versions);
  return versions.map((version) => {
    const { store } = version;
    const eventsBy = (id: string) => eventsOf.get(`${realmOfStore(store)} ${id}`);
    const bullets = version.bullets.flatMap((drafted) => {
      const gripIds = drafted.gripIds.filter((id) => eventsBy(id) !== undefined);
      if (gripIds.length === 0) return [];
      const bullet = { ...drafted, gripIds };
      const events = gripIds.flatMap((id) => eventsBy(id) ?? []);
      const proof = checkLine(bullet, events, names.get(ownerOfStore(store)) ?? null);
      return holds(proof, threshold) ? [{ ...bullet, support: proof.support }] : [];
    });
    const used = new Set(bullets.flatMap(({ gripIds }) => gripIds));
    return { ...version, bullets, grips: version.grips.filter((grip) => used.has(grip.gripId)) };
  });
}

/** Names of the users whose memory these are, by id. */
async function ownerNames(
  tx: ReadTx,
  refs: readonly { readonly store: string }[],
): Promise<ReadonlyMap<string, string>> {
  const owners = await findUsers(tx, [...new Set(refs.map(({ store }) => ownerOfStore(store)))]);
  return new Map(owners.map(({ id, name }) => [id, name]));
}
