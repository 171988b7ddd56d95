import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  found,
  type HashTrie,
  stored,
} from '../../packages/client/src/conversation-graph/hash-trie.ts';
import {
  type IdIndex,
  lookUp,
  withId,
} from '../../packages/client/src/conversation-graph/id-index.ts';
import {
  appended,
  emptyVector,
  replaced,
  slotAt,
  slotsOf,
} from '../../packages/client/src/conversation-graph/vector.ts';

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
  it('holds one value a hash, whatever bits hashes share, and every older version stays', () => {
    const hashes = fc.array(
      fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 32, 0x7fffffff, 0x40000000, -0x80000000, 5)),
    );
    fc.assert(
      fc.property(hashes, (chosen) => {
        let trie: HashTrie<{ hash: number; value: number }> = null;
        const versions = chosen.map((hash, value) => {
          trie = stored(trie, { hash, value });
          return trie;
        });
        versions.forEach((version, index) => {
          const map = new Map(chosen.slice(0, index + 1).map((hash, value) => [hash, value]));
          for (const hash of chosen) expect(found(version, hash)?.value).toBe(map.get(hash));
        });
      }),
    );
  });
});

describe('the index of ids', () => {
  it('is a Map whose every older version stays', () => {
    const ids = fc.uniqueArray(
      fc.string({ unit: fc.constantFrom('a', 'b', '/', ':', 'é'), maxLength: 5 }),
    );
    fc.assert(
      fc.property(ids, (chosen) => {
        let index: IdIndex = null;
        const versions = chosen.map((id, place) => {
          index = withId(index, id, place);
          return index;
        });
        versions.forEach((version, last) => {
          chosen.forEach((id, place) => {
            expect(lookUp(version, id)).toBe(place <= last ? place : -1);
          });
        });
      }),
    );
  });

  it('tells ids of one hash apart: of two hundred thousand, a few meet', () => {
    const ids = Array.from({ length: 200_000 }, (_, place) => `call-${place}`);
    const index = ids.reduce<IdIndex>(withId, null);
    expect(ids.every((id, place) => lookUp(index, id) === place)).toBe(true);
    expect(lookUp(index, 'call-200000')).toBe(-1);
  });
});
