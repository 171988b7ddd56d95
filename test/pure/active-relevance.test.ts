import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ActiveState,
  planActive,
  relevanceOf,
} from '../../src/memory-graph/entities/active-relevance.ts';

// S4-CONV-08, S4-WM-07: which entities are active follows from the latest mentions.

const uuid = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const states = fc.uniqueArray(
  fc.record({
    entityUuid: uuid,
    relevance: fc.double({ min: 0, max: 1, noNaN: true }),
    pinned: fc.boolean(),
  }),
  { selector: ({ entityUuid }) => entityUuid },
);
const inputs = fc.record({
  active: states,
  mentions: fc.array(fc.record({ entityUuid: uuid, age: fc.nat(19) }), { maxLength: 30 }),
  dismissed: fc.uniqueArray(uuid, { maxLength: 3 }),
  max: fc.nat(6),
});
function after(input: typeof inputs extends fc.Arbitrary<infer T> ? T : never): ActiveState[] {
  const { activate, refresh, deactivate } = planActive(input);
  const fresh = new Map(refresh.map((one) => [one.entityUuid, one.relevance]));
  return [
    ...input.active
      .filter(({ entityUuid }) => !deactivate.includes(entityUuid))
      .map((one) => ({ ...one, relevance: fresh.get(one.entityUuid) ?? one.relevance })),
    ...activate.map((one) => ({ ...one, pinned: false })),
  ];
}

describe('active entities', () => {
  it('are within the limit, beside those that a user pinned, which stay as they were', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const now = after(input);
        const pinned = input.active.filter((one) => one.pinned);
        expect(now.filter((one) => one.pinned)).toEqual(pinned);
        const free = now.filter((one) => !one.pinned);
        expect(free.length).toBeLessThanOrEqual(Math.max(0, input.max - pinned.length));
        expect(new Set(now.map(({ entityUuid }) => entityUuid)).size).toBe(now.length);
        for (const { entityUuid } of free) {
          expect(input.dismissed).not.toContain(entityUuid);
          expect(input.mentions.map((one) => one.entityUuid)).toContain(entityUuid);
        }
        // A second look at the same talk changes nothing.
        expect(planActive({ ...input, active: now })).toEqual({
          activate: [],
          refresh: [],
          deactivate: [],
        });
      }),
    );
  });

  it('gain relevance with each mention and lose it with each turn without one', () => {
    expect(relevanceOf([0])).toBe(0.5);
    expect(relevanceOf([0, 1])).toBeGreaterThan(relevanceOf([0]));
    expect(relevanceOf([5])).toBeLessThan(relevanceOf([4]));
    expect(relevanceOf(Array.from({ length: 20 }, (_, age) => age))).toBeLessThanOrEqual(1);
  });

  it('of which the least relevant gives way to one that is mentioned now', () => {
    const mentions = [
      { entityUuid: 'new', age: 0 },
      { entityUuid: 'often', age: 1 },
      { entityUuid: 'often', age: 2 },
      { entityUuid: 'once', age: 9 },
    ];
    const active = ['often', 'once'].map((entityUuid) => ({
      entityUuid,
      relevance: 0.3,
      pinned: false,
    }));
    const changes = planActive({ active, mentions, dismissed: [], max: 2 });
    expect(changes.activate).toEqual([{ entityUuid: 'new', relevance: 0.5 }]);
    expect(changes.deactivate).toEqual(['once']);
    expect(changes.refresh.map(({ entityUuid }) => entityUuid)).toEqual(['often']);
  });
});
