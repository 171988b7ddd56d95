import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HashTrie, hashOf, lookUp, stored } from '../../src/conversation-graph/hash-trie.ts';
import {
  appended,
  emptyVector,
  replaced,
  slotAt,
  slotsOf,
} from '../../src/conversation-graph/vector.ts';

describe('the persistent vector', () => {
  it('is an array whose every older version stays, across all tree heights', () => {
    const edits = fc.array(
      fc.oneof(
        fc.integer({ min: 1, max: 1_500 }),
        fc.nat(5_000).map((at) => ({ at })),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(edits, (steps) => {
        let vector = emptyVector<number>();
        let list: number[] = [];
        const history: { vector: typeof vector; list: number[] }[] = [];
        for (const step of steps) {
          if (typeof step === 'number') {
            for (let count = 0; count < step; count++)
              vector = appended(vector, list.length + count);
            list = [...list, ...Array.from({ length: step }, (_, count) => list.length + count)];
          } else if (step.at < list.length) {
            vector = replaced(vector, step.at, -1);
            list = list.with(step.at, -1);
          }
          history.push({ vector, list });
        }
        for (const version of history) {
          expect([...slotsOf(version.vector)]).toEqual(version.list);
          expect(
            version.list.every((value, index) => slotAt(version.vector, index) === value),
          ).toBe(true);
          expect(slotAt(version.vector, version.list.length)).toBeUndefined();
          expect(slotAt(version.vector, -1)).toBeUndefined();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('holds more than three levels', () => {
    let vector = emptyVector<number>();
    for (let index = 0; index < 40_000; index++) vector = appended(vector, index);
    expect(slotAt(vector, 32_768)).toBe(32_768);
    expect([...slotsOf(vector)].every((value, index) => value === index)).toBe(true);
    expect(slotAt(replaced(vector, 7, -7), 7)).toBe(-7);
    expect(slotAt(vector, 7)).toBe(7);
  });
});

describe('the hash trie', () => {
  it('is a Map whose every older version stays', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.nat())), (entries) => {
        let trie: HashTrie = null;
        const versions = entries.map(([key, value]) => {
          trie = stored(trie, key, value);
          return trie;
        });
        versions.forEach((version, index) => {
          const map = new Map(entries.slice(0, index + 1));
          for (const [key] of entries) expect(lookUp(version, key)).toBe(map.get(key) ?? -1);
        });
      }),
    );
  });

  it('tells keys of one hash apart, and any hash that shares bits', () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    const hashes = fc.array(fc.constantFrom(0, 1, -1, 32, 0x7fffffff, 0x40000000, -0x80000000, 5), {
      minLength: 6,
      maxLength: 6,
    });
    fc.assert(
      fc.property(hashes, (chosen) => {
        const trie = keys.reduce<HashTrie>(
          (sum, key, index) => stored(sum, key, index, chosen[index] ?? 0),
          null,
        );
        keys.forEach((key, index) => {
          expect(lookUp(trie, key, chosen[index] ?? 0)).toBe(index);
        });
        expect(lookUp(trie, 'nobody', chosen[0] ?? 0)).toBe(-1);
      }),
    );
  });

  it('spreads ids that differ in one digit', () => {
    const buckets = new Set(
      Array.from({ length: 1_000 }, (_, index) => hashOf(`0199-run-${index}/s1/1`) & 1_023),
    );
    // A random function fills 1,024 buckets with 1,000 throws to about 637.
    expect(buckets.size).toBeGreaterThan(560);
  });
});
