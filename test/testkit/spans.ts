import {
  beginSpan,
  extendSpan,
  type SegmentedEvent,
  type SegmentLimits,
  type SegmentSpan,
} from '../../src/agent-memory/segments/segment.ts';

/**
 * All of a session at once, in the order of its keys: the result that the steps below need, in
 * whatever order events arrive.
 */
export function spansOf(
  events: readonly SegmentedEvent[],
  limits: SegmentLimits,
  from: SegmentSpan | null = null,
): SegmentSpan[] {
  const spans: SegmentSpan[] = [];
  let current = from;
  for (const event of events) {
    const longer = current === null ? null : extendSpan(current, event, limits);
    if (current !== null && longer === null) spans.push(current);
    current = longer ?? beginSpan(event);
  }
  if (current !== null) spans.push(current);
  return spans;
}
