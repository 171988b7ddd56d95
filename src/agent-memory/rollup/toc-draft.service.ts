import { createHash } from 'node:crypto';
import { instantOf } from '../../common/clock.ts';
import { firstChars } from '../../common/well-formed.ts';
import { sentencesOf } from '../../text/sentences.ts';
import type { StoredEvent } from '../events/event.cypher.ts';
import { needsText } from '../events/event.ts';
import { speakerOf, spokenPart } from '../events/speaker.ts';
import type { StoredGrip } from '../grips/grip.cypher.ts';
import { attributed, openEvidence, proveLine, splitLine } from '../grips/line-proof.ts';
import { periodOf, segmentTitle, type TocLevel } from '../toc/toc.ts';
import type { TocWork } from '../toc/toc-work.ts';
import { joinKeywords, keywordsOf, termsOf, type WordCounts } from './keywords.ts';
import type { Anchor, DraftBody, DraftLine, Source } from './line-draft.ts';
import type { LatestVersion, PeriodSource, ReadSegment, SegmentSource } from './rollup.cypher.ts';
import { isTelling } from './summary-lines.ts';

/** Lines of a summary, by level. */
export const BULLETS: Readonly<Record<TocLevel, number>> = {
  segment: 3,
  day: 5,
  week: 5,
  month: 6,
  year: 7,
};
/** Of so many lines the best are chosen without a model, which would leave out as many. */
const SHORT_PERIOD_MAX = 10;
/** Lines of a long segment. */
const SEGMENT_BULLETS_MAX = 5;
/** Pause after the last arrival, in which a further batch of an import may come. */
export const BATCH_PAUSE_MS = 10_000;
/** Pause before a period looks again whether its parts still change. A change ends it earlier. */
const PENDING_PAUSE_MS = 60_000;
const TEXT_CHARS_MAX = 24_000;
const EVENT_CHARS_MAX = 4_000;

/** The next version of a node, before its lines are known. */
export interface Draft {
  readonly work: TocWork;
  /** Null: the node is empty now. */
  readonly body: DraftBody | null;
  readonly latest: LatestVersion | null;
}
/** Inputs of a segment's draft besides its events. */
interface SegmentContext {
  /** Name of the user whose memory it is; null if there is no such user. */
  readonly ownerName: string | null;
  /** The silence that ends a segment, in milliseconds. */
  readonly gapMs: number;
  readonly counts: WordCounts;
}
interface PeriodContext {
  readonly nowMs: number;
  readonly counts: WordCounts;
}

/** SHA-256 of a list of texts, in hex. */
export const sha = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Drafts the version of a segment's node from the events of the segment. */
export function draftSegment({ work, latest, read }: SegmentSource, at: SegmentContext): Draft {
  return { work, latest, body: read === null ? null : bodyOfSegment(read, at) };
}

function bodyOfSegment(
  { segment, events, overlap, arrivedMs, isFollowed }: ReadSegment,
  { ownerName, gapMs, counts }: SegmentContext,
): DraftBody {
  const withText = events.filter(({ text }) => text.trim() !== '');
  const messages = withText.filter(({ eventType }) => needsText(eventType));
  // What a Tool returned is found by search. It tells nothing of the talk.
  const spoken = (messages.length > 0 ? messages : withText).filter(({ role }) => role !== 'tool');
  const told = spoken.length > 0 ? spoken : withText;
  const sources = told.map((event) => ({
    text: spokenPart(event),
    speakers: [speakerOf(event, ownerName)],
    line: null,
    anchors: [anchorOf(event)],
  }));
  const candidates = sources.map(quotationsOf);
  const terms = termsOf(told.map((event) => firstChars(spokenPart(event), EVENT_CHARS_MAX)));
  const sentences = candidates.flat().length;
  // After a silence a talk begins anew; the events before it would cost more than they explain.
  const lastMs = Date.parse(overlap.at(-1)?.timestamp ?? '');
  const continues = segment.startMs - lastMs < gapMs;
  const before = continues ? overlap.filter(({ eventType }) => needsText(eventType)) : [];
  return {
    title: segmentTitle(segment.startMs, segment.endMs),
    startMs: segment.startMs,
    endMs: segment.endMs,
    place: segment.startKey,
    childNodeIds: [],
    madeOf: sha(segment.startKey, segment.endKey, String(segment.eventCount)),
    text: transcript(told, ownerName),
    textBefore: transcript(before, ownerName),
    keywords: keywordsOf(terms, counts),
    terms: terms.map(({ word }) => word),
    sources,
    candidates,
    isShort: sentences <= BULLETS.segment,
    // A segment is over when its conversation went on elsewhere, or after a silence. Imports bring
    // old events one batch after another.
    quietMs: Math.max(isFollowed ? 0 : segment.endMs + gapMs, arrivedMs + BATCH_PAUSE_MS),
    count: Math.min(SEGMENT_BULLETS_MAX, Math.max(BULLETS.segment, Math.round(sentences / 20))),
  };
}

/** A sign that begins an item of a list in Markdown, or a heading. */
const LIST_MARK = /^(?:[-*+•]|#{1,6}|\d{1,3}[.)])\s+/;
/**
 * Markdown inside a sentence. A quotation is word for word, so the sentence can't be shown without
 * it.
 */
const EMPHASIS = /\*\*|__\S|`|^\s*\||\]\(/;

/** The sentences of an event as quotations, without greetings and markup. */
function quotationsOf({ text, speakers, anchors }: Source): DraftLine[] {
  const evidence = openEvidence([{ text, speakers }]);
  return sentencesOf(firstChars(text, EVENT_CHARS_MAX)).flatMap((whole) => {
    const sentence = whole.replace(LIST_MARK, '');
    const isPlain = isTelling(sentence) && !EMPHASIS.test(sentence);
    const proof = isPlain ? proveLine(sentence, evidence) : null;
    if (proof === null) return [];
    const places = anchors.map((anchor) => ({ ...anchor, excerpt: proof.excerpt }));
    const { support, quotation } = proof;
    return [{ text: attributed(proof), support, quotation, speakers, anchors: places }];
  });
}

function anchorOf(event: StoredEvent): Anchor {
  const { eventId, key, sessionId, timestamp } = event;
  const timestampMs = Date.parse(timestamp);
  const range = { eventIdStart: eventId, eventIdEnd: eventId, startKey: key, endKey: key };
  return { excerpt: '', sessionId, timestampMs, ...range };
}

/**
 * Text of events for a model, one line per event with its speaker, at most 24,000 characters.
 * Sentences that only greet, thank or agree are left out.
 */
function transcript(events: readonly StoredEvent[], ownerName: string | null): string {
  const share = Math.max(200, Math.floor(TEXT_CHARS_MAX / Math.max(1, events.length)));
  const lines = events.flatMap((event) => {
    const text = firstChars(spokenPart(event), Math.min(EVENT_CHARS_MAX, share));
    const telling = text
      .split('\n')
      .map((line) => sentencesOf(line).filter(isTelling).join(' '))
      .filter((line) => line !== '');
    return telling.length === 0 ? [] : [`${speakerOf(event, ownerName)}: ${telling.join('\n')}`];
  });
  return firstChars(lines.join('\n'), TEXT_CHARS_MAX);
}

/** Drafts the version of a day, week, month or year from the lines of its children. */
export function draftPeriod(
  level: Exclude<TocLevel, 'segment'>,
  source: PeriodSource,
  at: PeriodContext,
): Draft {
  const { work, latest } = source;
  return { work, latest, body: bodyOfPeriod(level, source, at) };
}

function bodyOfPeriod(
  level: Exclude<TocLevel, 'segment'>,
  { work, childNodeIds, digests, isPending, children, grips }: PeriodSource,
  { nowMs, counts }: PeriodContext,
): DraftBody | null {
  if (childNodeIds.length === 0) return null;
  const { title, startMs, endMs } = periodOf(level, work.startMs);
  const candidates = children.map(({ bullets }) =>
    bullets.flatMap(({ text, support, quotation, speakers, gripIds }) => {
      const anchors = gripIds.flatMap((id) => grips.get(id) ?? []).map(toAnchor);
      return anchors.length === 0 ? [] : [{ text, support, quotation, speakers, anchors }];
    }),
  );
  const lines = candidates.flat();
  return {
    title,
    startMs,
    endMs,
    place: instantOf(startMs),
    childNodeIds,
    madeOf: sha(...childNodeIds.map((id, at) => `${id} ${digests[at]}`)),
    text: firstChars(lines.map(({ text }) => text).join('\n'), TEXT_CHARS_MAX),
    textBefore: '',
    keywords: joinKeywords(
      children.map(({ keywords }) => keywords),
      counts,
    ),
    terms: [],
    sources: lines.map((line) => ({
      text: splitLine(line.text, line.speakers).text,
      speakers: line.speakers,
      line,
      anchors: line.anchors,
    })),
    candidates,
    isShort: lines.length <= SHORT_PERIOD_MAX,
    quietMs: Math.max(endMs + 1, isPending ? nowMs + PENDING_PAUSE_MS : 0),
    count: BULLETS[level],
  };
}

function toAnchor({ timestamp, ...grip }: StoredGrip): Anchor {
  const { excerpt, sessionId, eventIdStart, eventIdEnd, startKey, endKey } = grip;
  const timestampMs = Date.parse(timestamp);
  return { excerpt, sessionId, eventIdStart, eventIdEnd, startKey, endKey, timestampMs };
}
