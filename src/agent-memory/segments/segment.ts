/** Limits of a segment (S2-SEG-02, S2-SEG-03). */
export interface SegmentLimits {
  /** A gap of at least this many milliseconds between two events ends the segment. */
  readonly gapMs: number;
  /** Maximum number of tokens; only a single event may exceed it. */
  readonly maxTokens: number;
}

/** The fields of an event that segmentation needs. `key` orders the events of a session. */
export interface SegmentedEvent {
  readonly key: string;
  readonly ms: number;
  readonly tokens: number;
}

/** Consecutive events of a session, from the first key to the last. */
export interface SegmentSpan {
  readonly startKey: string;
  readonly endKey: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly tokenCount: number;
  readonly eventCount: number;
}

export function beginSpan({ key, ms, tokens }: SegmentedEvent): SegmentSpan {
  return {
    startKey: key,
    endKey: key,
    startMs: ms,
    endMs: ms,
    tokenCount: tokens,
    eventCount: 1,
  };
}

/** Returns the span with its next event; null if that event begins the next span. */
export function extendSpan(
  span: SegmentSpan,
  { key, ms, tokens }: SegmentedEvent,
  { gapMs, maxTokens }: SegmentLimits,
): SegmentSpan | null {
  if (ms - span.endMs >= gapMs || span.tokenCount + tokens > maxTokens) return null;
  return {
    ...span,
    endKey: key,
    endMs: ms,
    tokenCount: span.tokenCount + tokens,
    eventCount: span.eventCount + 1,
  };
}

/** Changes to the segments of a session that new events cause. */
export interface Recut {
  /** Segments that are new, or have other events than before. */
  readonly changed: readonly SegmentSpan[];
  /** First keys of segments that no longer exist. */
  readonly dissolved: readonly string[];
  /** Whether cutting reached the last given event. If the session has more, cut again with them. */
  readonly isOpen: boolean;
}

/**
 * Cuts the part of a session again that new events affect. It begins at the segment that the first
 * new event falls into or extends. It ends at the first cut that existed before, if the segment
 * there gets no new event.
 * @param known the segments so far, in order
 * @param events the events, in order, from the first of `known` on
 * @param added keys of the new events
 */
export function recut(
  known: readonly SegmentSpan[],
  events: readonly SegmentedEvent[],
  added: ReadonlySet<string>,
  limits: SegmentLimits,
): Recut {
  const news = events.filter(({ key }) => added.has(key)).map(({ key }) => key);
  const byStart = new Map(known.map((span, index) => [span.startKey, index]));
  const changed: SegmentSpan[] = [];
  const dissolved: string[] = [];
  let isOpen = false;
  for (let first = news[0]; first !== undefined; ) {
    const from = first;
    const fromKey = known.findLast(({ startKey }) => startKey <= from)?.startKey ?? from;
    const made: SegmentSpan[] = [];
    let current: SegmentSpan | null = null;
    let untilKey: string | null = null;
    for (const event of events) {
      if (event.key < fromKey) continue;
      const longer: SegmentSpan | null =
        current === null ? null : extendSpan(current, event, limits);
      if (longer === null && current !== null) {
        made.push(current);
        const place = byStart.get(event.key);
        if (place !== undefined && !gains(known, place, news)) {
          untilKey = event.key;
          current = null;
          break;
        }
      }
      current = longer ?? beginSpan(event);
    }
    if (current !== null) made.push(current);
    isOpen = untilKey === null;
    const starts = new Set(made.map(({ startKey }) => startKey));
    for (const { startKey } of known) {
      const isWithin = startKey >= fromKey && (untilKey === null || startKey < untilKey);
      if (isWithin && !starts.has(startKey)) dissolved.push(startKey);
    }
    changed.push(...made.filter((span) => !isSame(span, known[byStart.get(span.startKey) ?? -1])));
    const until = untilKey;
    first = until === null ? undefined : news.find((key) => key > until);
  }
  return { changed, dissolved, isOpen };
}

/** Whether a new event falls between the start of a segment and the start of the next. */
function gains(known: readonly SegmentSpan[], place: number, news: readonly string[]): boolean {
  const start = known[place]?.startKey ?? '';
  const next = known[place + 1]?.startKey;
  return news.some((key) => key > start && (next === undefined || key < next));
}

const isSame = (span: SegmentSpan, before: SegmentSpan | undefined): boolean =>
  before !== undefined &&
  before.endKey === span.endKey &&
  before.eventCount === span.eventCount &&
  before.tokenCount === span.tokenCount;
