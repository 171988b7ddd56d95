import { createHash } from 'node:crypto';
import { instant } from '../common/clock.ts';
import type { Job, JobTurn } from '../jobs/definition.ts';
import type { JobDeps } from '../jobs/deps.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import type { StoredEvent } from './event.cypher.ts';
import { documentName, needsText } from './event.ts';
import { findGrips, readGripTexts, type StoredGrip } from './grip.cypher.ts';
import { GRIP_EVENTS_MAX, gripId, holdsExcerpt } from './grip.ts';
import {
  countTocWork,
  deferWork,
  findTocSums,
  listTocWork,
  type NewGrip,
  type NewVersion,
  type ReadChildren,
  readChildren,
  readSegments,
  saveVersions,
  type TocWork,
} from './rollup.cypher.ts';
import { findSegmentsOfNodes, type StoredSegment } from './segment.cypher.ts';
import { ownerOfStore } from './store.ts';
import { cut, type Evidence, keywordsOf, linesOf, prove, quotes, sentencesOf } from './summary.ts';
import { TOC_ROOT } from './toc.cypher.ts';
import { parentLevel, parentNodeId, periodOf, segmentTitle, type TocLevel } from './toc.ts';
import { tocChanged } from './toc-entry.ts';
import { instantOf } from './ulid.ts';

const NODES_PER_STEP = 8;
const CHILDREN_READ_MAX = 300;
const BULLETS: Readonly<Record<TocLevel, number>> = {
  segment: 3,
  day: 5,
  week: 5,
  month: 6,
  year: 7,
};
const KEYWORDS_MAX = 8;
const TEXT_CHARS_MAX = 24_000;
const EVENT_CHARS_MAX = 4_000;
const ATTEMPTS_MAX = 3;
const DEFER_MS = 15_000;

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

/** The job of one level: it takes what changed there and nothing else, and leaves the level above its work (S2-TOC-07). */
export function rollupJob(level: TocLevel): Job {
  return {
    name: rollupJobName(level),
    cron: '@every 1m',
    describe: DESCRIBE[level],
    isQuiet: true,
    backlog: ({ graph }) => graph.read((tx) => countTocWork(tx, level)),
    async run(deps, turn) {
      let failed = 0;
      while (!turn.signal.aborted) {
        const now = instant(deps.clock);
        const work = await deps.graph.read((tx) => listTocWork(tx, level, now, NODES_PER_STEP));
        if (work.length === 0) break;
        failed += await rollUp(deps, level, work, turn);
      }
      if (failed > 0)
        throw new Error(`${failed} summaries could not be had and are tried again in a while.`);
    },
  };
}

/** Sums up these nodes anew and keeps the outcome; how many have to be tried again. */
export async function rollUp(
  deps: Pick<JobDeps, 'graph' | 'clock' | 'newId' | 'wake' | 'settings' | 'summarise'>,
  level: TocLevel,
  work: readonly TocWork[],
  turn: Pick<JobTurn, 'signal' | 'progressIn'>,
): Promise<number> {
  const { segmentOverlapEvents } = await deps.settings.current();
  const drafts = await deps.graph.read((tx) =>
    level === 'segment'
      ? draftSegments(tx, work, segmentOverlapEvents)
      : draftPeriods(tx, level, work),
  );
  const written = await Promise.all(drafts.map((draft) => write(deps, level, draft, turn.signal)));
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
          notBefore: instantOf(nowMs + DEFER_MS * 2 ** attempts),
        })),
      );
    if (above !== null && parents.size > 0) await appendEntries(tx, [tocChanged(deps, above)]);
    await turn.progressIn(tx, {});
  });
  deps.wake();
  return later.length;
}

/** A node to be written: what is known without asking anybody. */
interface Draft {
  readonly work: TocWork;
  /** Null: it has become empty, or never was. */
  readonly body: DraftBody | null;
  readonly before: { readonly madeOf: string; readonly isEmpty: boolean } | null;
}
interface DraftBody {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly place: string;
  readonly childNodeIds: readonly string[];
  readonly madeOf: string;
  readonly text: string;
  readonly before: string;
  readonly keywords: readonly string[];
  /** What lines may rest on, and the grips each piece of it gives. */
  readonly evidence: readonly Evidence<readonly Anchor[]>[];
  /** Few enough to be told as they are, so that nobody is asked. */
  readonly asTheyAre: boolean;
}
/** What a grip is made of. */
interface Anchor {
  readonly excerpt: string | null;
  readonly sessionId: string;
  readonly eventIdStart: string;
  readonly eventIdEnd: string;
  readonly startKey: string;
  readonly endKey: string;
  readonly timestampMs: number;
}

const keyOf = ({ store, nodeId }: { store: string; nodeId: string }) => `${store} ${nodeId}`;
const sha = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

async function sumsOf(tx: ReadTx, work: readonly TocWork[]) {
  return new Map((await findTocSums(tx, work)).map((sum) => [keyOf(sum), sum]));
}

async function draftSegments(
  tx: ReadTx,
  work: readonly TocWork[],
  overlap: number,
): Promise<Draft[]> {
  const sums = await sumsOf(tx, work);
  const found = await findSegmentsOfNodes(tx, work);
  const read = await readSegments(tx, found, overlap);
  const bodies = new Map(
    found.map((segment, index) => [
      keyOf(segment),
      bodyOfSegment(segment, read[index]?.events ?? [], read[index]?.overlap ?? []),
    ]),
  );
  return work.map((one) => ({
    work: one,
    body: bodies.get(keyOf(one)) ?? null,
    before: sums.get(keyOf(one)) ?? null,
  }));
}

function bodyOfSegment(
  segment: StoredSegment,
  events: readonly StoredEvent[],
  overlap: readonly StoredEvent[],
): DraftBody {
  const spoken = events.filter(({ text }) => text.trim() !== '');
  const said = spoken.filter(({ eventType }) => needsText(eventType));
  const evidence = (said.length > 0 ? said : spoken).map((event) => ({
    text: event.text,
    place: [anchorOf(event)],
  }));
  const sentences = evidence.reduce((sum, { text }) => sum + sentencesOf(text).length, 0);
  return {
    title: segmentTitle(segment.startMs, segment.endMs),
    startMs: segment.startMs,
    endMs: segment.endMs,
    place: segment.startKey,
    childNodeIds: [],
    madeOf: sha(segment.startKey, segment.endKey, String(segment.eventCount)),
    text: transcript(said.length > 0 ? said : spoken),
    before: transcript(overlap),
    keywords: keywordsOf(
      spoken.map(({ text }) => cut(text, EVENT_CHARS_MAX)),
      KEYWORDS_MAX,
    ),
    evidence,
    asTheyAre: sentences <= BULLETS.segment,
  };
}

function anchorOf(event: StoredEvent): Anchor {
  const { eventId, key, sessionId, timestamp } = event;
  const timestampMs = Date.parse(timestamp);
  const range = { eventIdStart: eventId, eventIdEnd: eventId, startKey: key, endKey: key };
  return { excerpt: null, sessionId, timestampMs, ...range };
}

/** What was said, line by line with who said it, within what a model can take. */
function transcript(events: readonly StoredEvent[]): string {
  const share = Math.max(200, Math.floor(TEXT_CHARS_MAX / Math.max(1, events.length)));
  const lines = events
    .filter(({ text }) => text.trim() !== '')
    .map(
      ({ role, text }) => `${documentName(role)}: ${cut(text, Math.min(EVENT_CHARS_MAX, share))}`,
    );
  return cut(lines.join('\n'), TEXT_CHARS_MAX);
}

async function draftPeriods(
  tx: ReadTx,
  level: Exclude<TocLevel, 'segment'>,
  work: readonly TocWork[],
): Promise<Draft[]> {
  const sums = await sumsOf(tx, work);
  const read = await readChildren(tx, work, CHILDREN_READ_MAX);
  const grips = new Map<string, StoredGrip>();
  const byRealm = Map.groupBy(
    read.flatMap(({ children }) => children),
    ({ store }) => store.split('#', 1)[0] ?? '',
  );
  for (const [realm, children] of byRealm) {
    const ids = children.flatMap(({ bullets }) => bullets.flatMap((bullet) => bullet.gripIds));
    for (const grip of await findGrips(tx, realm, ids)) grips.set(`${realm} ${grip.gripId}`, grip);
  }
  return work.map((one, index) => ({
    work: one,
    body: bodyOfPeriod(level, one, read[index], grips),
    before: sums.get(keyOf(one)) ?? null,
  }));
}

function bodyOfPeriod(
  level: Exclude<TocLevel, 'segment'>,
  work: TocWork,
  below: ReadChildren | undefined,
  grips: ReadonlyMap<string, StoredGrip>,
): DraftBody | null {
  if (below === undefined || below.childNodeIds.length === 0) return null;
  const { title, startMs, endMs } = periodOf(level, work.startMs);
  const realm = work.store.split('#', 1)[0] ?? '';
  const evidence = below.children.flatMap(({ bullets }) =>
    bullets.map(({ text, gripIds }) => ({
      text,
      place: gripIds.flatMap((id) => {
        const grip = grips.get(`${realm} ${id}`);
        return grip === undefined ? [] : [{ ...grip, timestampMs: Date.parse(grip.timestamp) }];
      }),
    })),
  );
  const proven = evidence.filter(({ place }) => place.length > 0);
  return {
    title,
    startMs,
    endMs,
    place: instantOf(startMs),
    childNodeIds: below.childNodeIds,
    madeOf: sha(...below.childNodeIds.map((id, at) => `${id} ${below.versions[at]}`)),
    text: cut(proven.map(({ text }) => text).join('\n'), TEXT_CHARS_MAX),
    before: '',
    keywords: keywordsOf(
      below.children.flatMap(({ keywords }) => keywords),
      KEYWORDS_MAX,
    ),
    evidence: proven,
    asTheyAre: proven.length <= BULLETS[level],
  };
}

/** The version a draft becomes; null where nothing changed, 'later' where no summary is to be had now. */
async function write(
  { summarise }: Pick<JobDeps, 'summarise'>,
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
    : prove(linesOf(answer ?? ''), body.evidence).slice(0, count * 2);
  if (lines.length === 0 && body.evidence.length > 0 && work.attempts < ATTEMPTS_MAX - 1)
    return 'later';
  const told = lines.length > 0 ? lines : quotes(body.evidence, count);
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
    made.map((grip) => ({ ...grip, realm: store.split('#', 1)[0] ?? '' })),
  );
  const texts = await readGripTexts(tx, grips, GRIP_EVENTS_MAX);
  const wrong = grips.find(({ excerpt }, index) => !holdsExcerpt(excerpt, texts[index] ?? []));
  if (wrong !== undefined) throw new Error(`The grip ${wrong.gripId} proves nothing.`);
  const bare = versions.find(({ bullets }) => bullets.some(({ gripIds }) => gripIds.length === 0));
  if (bare !== undefined) throw new Error(`A line of ${bare.nodeId} has no grip.`);
}
