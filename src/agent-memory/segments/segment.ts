/** What ends a segment (S2-SEG-02, S2-SEG-03). */
export interface SegmentLimits {
  /** A silence of so long, or longer, ends it. */
  readonly gapMs: number;
  /** It never has more, unless a single event does. */
  readonly maxTokens: number;
}

/** What of an event decides where segments end. `key` orders the events of a session. */
export interface SegmentedEvent {
  readonly key: string;
  readonly ms: number;
  readonly tokens: number;
}

/** A run of neighbouring events of a session, from its first key to its last. */
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

/** The span with its next event, or null where that begins the next one. */
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

/** What new events make of a session's segments. */
export interface Recut {
  /** Segments as they are now that are new, or have other events than before. */
  readonly changed: readonly SegmentSpan[];
  /** First keys of segments that are no more. */
  readonly dissolved: readonly string[];
  /** Whether the cutting went on to the last event that was given; if there are more, it has to go on with them. */
  readonly isOpen: boolean;
}

/**
 * Cuts a session anew where new events fall, and no further than it must: from the segment the first of them falls into (or
 * may lengthen) until a cut falls where one was before and the segment there gains nothing.
 * @param known its segments so far, in order
 * @param events its events, in order, from the first of `known` on
 * @param added keys of those that are new
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

/** Whether new events fall between the beginning of a segment and that of the next. */
function gains(known: readonly SegmentSpan[], place: number, news: readonly string[]): boolean {
  const start = known[place]?.startKey ?? '';
  const next = known[place + 1]?.startKey;
  return news.some((key) => key > start && (next === undefined || key < next));
}

function isSame(span: SegmentSpan, before: SegmentSpan | undefined): boolean {
  return (
    before !== undefined &&
    before.endKey === span.endKey &&
    before.eventCount === span.eventCount &&
    before.tokenCount === span.tokenCount
  );
}
