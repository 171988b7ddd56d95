import { createHash } from 'node:crypto';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import type { StoredEvent } from '../events/event.cypher.ts';
import { documentName, needsText } from '../events/event.ts';
import { instantOf } from '../events/ulid.ts';
import { findGrips, type StoredGrip } from '../grips/grip.cypher.ts';
import { findSegmentsOfNodes, type StoredSegment } from '../segments/segment.cypher.ts';
import { realmOfStore } from '../store.ts';
import {
  findTocSums,
  type ReadChildren,
  readChildren,
  readSegments,
  type TocWork,
} from './rollup.cypher.ts';
import { cut, type Evidence, keywordsOf, sentencesOf } from './summary-lines.ts';
import { periodOf, segmentTitle, type TocLevel } from './toc.ts';

const CHILDREN_READ_MAX = 300;
/** Lines of a summary, by level. */
export const BULLETS: Readonly<Record<TocLevel, number>> = {
  segment: 3,
  day: 5,
  week: 5,
  month: 6,
  year: 7,
};
const KEYWORDS_MAX = 8;
const TEXT_CHARS_MAX = 24_000;
const EVENT_CHARS_MAX = 4_000;

/** A node to be written: what is known without asking anybody. */
export interface Draft {
  readonly work: TocWork;
  /** Null: it has become empty, or never was. */
  readonly body: DraftBody | null;
  readonly before: { readonly madeOf: string; readonly isEmpty: boolean } | null;
}
/** What it would say; its lines are still to be found. */
export interface DraftBody {
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
export interface Anchor {
  readonly excerpt: string | null;
  readonly sessionId: string;
  readonly eventIdStart: string;
  readonly eventIdEnd: string;
  readonly startKey: string;
  readonly endKey: string;
  readonly timestampMs: number;
}

const keyOf = ({ store, nodeId }: { store: string; nodeId: string }) => `${store} ${nodeId}`;
/** A digest of texts and of how they are divided. */
export const sha = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

async function sumsOf(tx: ReadTx, work: readonly TocWork[]) {
  return new Map((await findTocSums(tx, work)).map((sum) => [keyOf(sum), sum]));
}

/** Segments as they would be written, from their events. */
export async function draftSegments(
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

/** Days, weeks, months and years as they would be written, from what is below them. */
export async function draftPeriods(
  tx: ReadTx,
  level: Exclude<TocLevel, 'segment'>,
  work: readonly TocWork[],
): Promise<Draft[]> {
  const sums = await sumsOf(tx, work);
  const read = await readChildren(tx, work, CHILDREN_READ_MAX);
  const grips = new Map<string, StoredGrip>();
  const byRealm = Map.groupBy(
    read.flatMap(({ children }) => children),
    ({ store }) => realmOfStore(store),
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
  const realm = realmOfStore(work.store);
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
