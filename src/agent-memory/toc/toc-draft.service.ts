import { createHash } from 'node:crypto';
import type { StoredEvent } from '../events/event.cypher.ts';
import { documentName, needsText } from '../events/event.ts';
import { instantOf } from '../events/ulid.ts';
import type {
  LatestVersion,
  PeriodSource,
  ReadSegment,
  SegmentSource,
  TocWork,
} from './rollup.cypher.ts';
import { cut, type Evidence, keywordsOf, sentencesOf } from './summary-lines.ts';
import { periodOf, segmentTitle, type TocLevel } from './toc.ts';

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

/** The next version of a node, before its lines are known. */
export interface Draft {
  readonly work: TocWork;
  /** Null: the node is empty now. */
  readonly body: DraftBody | null;
  readonly latest: LatestVersion | null;
}
export interface DraftBody {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly place: string;
  readonly childNodeIds: readonly string[];
  readonly madeOf: string;
  /** Text to sum up. */
  readonly text: string;
  /** Text before it, for context only. */
  readonly textBefore: string;
  readonly keywords: readonly string[];
  /** Source texts that can prove a line, with the anchors of the grips they give. */
  readonly evidence: readonly Evidence<readonly Anchor[]>[];
  /** The evidence has few enough sentences to take them as lines, without a model. */
  readonly isShort: boolean;
}
/** The events of a grip, and its excerpt if another grip gave it. */
export interface Anchor {
  readonly excerpt: string | null;
  readonly sessionId: string;
  readonly eventIdStart: string;
  readonly eventIdEnd: string;
  readonly startKey: string;
  readonly endKey: string;
  readonly timestampMs: number;
}

/** SHA-256 of a list of texts, in hex. */
export const sha = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Drafts the version of a segment's node from the events of the segment. */
export function draftSegment({ work, latest, read }: SegmentSource): Draft {
  return { work, latest, body: read === null ? null : bodyOfSegment(read) };
}

function bodyOfSegment({ segment, events, overlap }: ReadSegment): DraftBody {
  const withText = events.filter(({ text }) => text.trim() !== '');
  const messages = withText.filter(({ eventType }) => needsText(eventType));
  const sources = messages.length > 0 ? messages : withText;
  const evidence = sources.map((event) => ({ text: event.text, place: [anchorOf(event)] }));
  const sentences = evidence.reduce((sum, { text }) => sum + sentencesOf(text).length, 0);
  return {
    title: segmentTitle(segment.startMs, segment.endMs),
    startMs: segment.startMs,
    endMs: segment.endMs,
    place: segment.startKey,
    childNodeIds: [],
    madeOf: sha(segment.startKey, segment.endKey, String(segment.eventCount)),
    text: transcript(sources),
    textBefore: transcript(overlap),
    keywords: keywordsOf(
      withText.map(({ text }) => cut(text, EVENT_CHARS_MAX)),
      KEYWORDS_MAX,
    ),
    evidence,
    isShort: sentences <= BULLETS.segment,
  };
}

function anchorOf(event: StoredEvent): Anchor {
  const { eventId, key, sessionId, timestamp } = event;
  const timestampMs = Date.parse(timestamp);
  const range = { eventIdStart: eventId, eventIdEnd: eventId, startKey: key, endKey: key };
  return { excerpt: null, sessionId, timestampMs, ...range };
}

/** Text of events for a model, one line per event with its role, at most 24,000 characters. */
function transcript(events: readonly StoredEvent[]): string {
  const share = Math.max(200, Math.floor(TEXT_CHARS_MAX / Math.max(1, events.length)));
  const lines = events
    .filter(({ text }) => text.trim() !== '')
    .map(
      ({ role, text }) => `${documentName(role)}: ${cut(text, Math.min(EVENT_CHARS_MAX, share))}`,
    );
  return cut(lines.join('\n'), TEXT_CHARS_MAX);
}

/** Drafts the version of a day, week, month or year from the lines of its children. */
export function draftPeriod(level: Exclude<TocLevel, 'segment'>, source: PeriodSource): Draft {
  const { work, latest } = source;
  return { work, latest, body: bodyOfPeriod(level, source) };
}

function bodyOfPeriod(
  level: Exclude<TocLevel, 'segment'>,
  { work, childNodeIds, versions, children, grips }: PeriodSource,
): DraftBody | null {
  if (childNodeIds.length === 0) return null;
  const { title, startMs, endMs } = periodOf(level, work.startMs);
  const evidence = children.flatMap(({ bullets }) =>
    bullets.map(({ text, gripIds }) => ({
      text,
      place: gripIds.flatMap((id) => {
        const grip = grips.get(id);
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
    childNodeIds,
    madeOf: sha(...childNodeIds.map((id, at) => `${id} ${versions[at]}`)),
    text: cut(proven.map(({ text }) => text).join('\n'), TEXT_CHARS_MAX),
    textBefore: '',
    keywords: keywordsOf(
      children.flatMap(({ keywords }) => keywords),
      KEYWORDS_MAX,
    ),
    evidence: proven,
    isShort: proven.length <= BULLETS[level],
  };
}
