import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  recut,
  type SegmentedEvent,
  type SegmentSpan,
} from '../../src/agent-memory/segments/segment.ts';
import { spansOf } from '../testkit/spans.ts';

const MINUTE = 60_000;
const LIMITS = { gapMs: 30 * MINUTE, maxTokens: 4_000 };
const at = (minute: number, tokens = 1, tie = 0): SegmentedEvent => ({
  key: `evt:${String(minute * MINUTE).padStart(13, '0')}:${tie}`,
  ms: minute * MINUTE,
  tokens,
});
const counts = (spans: readonly SegmentSpan[]) => spans.map(({ eventCount }) => eventCount);

describe('a segment', () => {
  it('ends with a silence of 30 minutes (S2-SEG-02)', () => {
    expect(counts(spansOf([at(0), at(29)], LIMITS))).toEqual([2]);
    expect(counts(spansOf([at(0), at(30)], LIMITS))).toEqual([1, 1]);
    expect(counts(spansOf([at(0), at(31)], LIMITS))).toEqual([1, 1]);
    expect(counts(spansOf([at(0), at(29), at(58)], LIMITS))).toEqual([3]);
  });

  it('never has more than 4,000 tokens, unless one event has (S2-SEG-03)', () => {
    expect(counts(spansOf([at(0, 2_000), at(1, 2_000), at(2)], LIMITS))).toEqual([2, 1]);
    expect(counts(spansOf([at(0, 1), at(1, 9_000), at(2, 1)], LIMITS))).toEqual([1, 1, 1]);
  });
});

const arrivals = fc
  .uniqueArray(
    fc.record({
      minute: fc.integer({ min: 0, max: 400 }),
      tie: fc.integer({ min: 0, max: 2 }),
      tokens: fc.integer({ min: 1, max: 1_800 }),
    }),
    { selector: ({ minute, tie }) => `${minute}:${tie}`, maxLength: 60 },
  )
  .map((events) => events.map(({ minute, tie, tokens }) => at(minute, tokens, tie)));

/** As the segmenter does it: batch by batch, each added to the known segments. */
function arrive(batches: readonly (readonly SegmentedEvent[])[]) {
  let known: SegmentSpan[] = [];
  let events: SegmentedEvent[] = [];
  const steps: { changed: readonly SegmentSpan[]; dissolved: readonly string[] }[] = [];
  for (const batch of batches) {
    events = [...events, ...batch].sort((a, b) => (a.key < b.key ? -1 : 1));
    const step = recut(known, events, new Set(batch.map(({ key }) => key)), LIMITS);
    const replaced = new Set([...step.dissolved, ...step.changed.map(({ startKey }) => startKey)]);
    known = [...known.filter(({ startKey }) => !replaced.has(startKey)), ...step.changed].sort(
      (a, b) => (a.startKey < b.startKey ? -1 : 1),
    );
    steps.push(step);
  }
  return { known, events, steps };
}

describe('segmentation', () => {
  it('comes to the same segments in any order and batches of events (S2-SEG-02, S2-SEG-03)', () => {
    fc.assert(
      fc.property(arrivals, fc.array(fc.integer({ min: 1, max: 7 })), (events, sizes) => {
        const rest = [...events];
        const batches = [...sizes.map((size) => rest.splice(0, size)), rest];
        const { known, events: sorted } = arrive(batches);
        expect(known).toEqual(spansOf(sorted, LIMITS));
      }),
      { numRuns: 300 },
    );
  });

  it('reopens only the segments that a late event touches', () => {
    fc.assert(
      fc.property(arrivals, at400(), (events, late) => {
        if (events.some(({ key }) => key === late.key)) return;
        const before = arrive([events]).known;
        const { changed, dissolved } = arrive([events, [late]]).steps[1] ?? {
          changed: [],
          dissolved: [],
        };
        const after = spansOf(
          [...events, late].sort((a, b) => (a.key < b.key ? -1 : 1)),
          LIMITS,
        );
        const same = (span: SegmentSpan) =>
          before.some((old) => JSON.stringify(old) === JSON.stringify(span));
        expect(changed).toEqual(after.filter((span) => !same(span)));
        const starts = new Set(after.map(({ startKey }) => startKey));
        expect(dissolved).toEqual(
          before.filter(({ startKey }) => !starts.has(startKey)).map(({ startKey }) => startKey),
        );
      }),
      { numRuns: 300 },
    );
    const { steps } = arrive([[at(0), at(10), at(100), at(200)], [at(5)]]);
    expect(steps[1]?.changed.map(({ startKey }) => startKey)).toEqual([at(0).key]);
  });

  it('says whether it has to go on beyond its events', () => {
    const known = spansOf([at(0), at(100)], LIMITS);
    expect(recut(known, [at(0), at(5), at(100)], new Set([at(5).key]), LIMITS).isOpen).toBe(false);
    expect(recut(known, [at(0), at(5)], new Set([at(5).key]), LIMITS).isOpen).toBe(true);
  });
});

function at400() {
  return fc
    .record({
      minute: fc.integer({ min: 0, max: 400 }),
      tokens: fc.integer({ min: 1, max: 1_800 }),
    })
    .map(({ minute, tokens }) => at(minute, tokens, 3));
}
