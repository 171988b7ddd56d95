import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Candidate,
  fuse,
  mmr,
  orderEpisodes,
  rank,
  rerank,
} from '../../src/memory-graph/search/search.ts';

const GOLDEN = new URL('../fixtures/graphiti-golden.json', import.meta.url);
const golden = JSON.parse(readFileSync(GOLDEN, 'utf8'));

it("fuses and reranks as Graphiti's own functions do", () => {
  for (const { in: lists, out } of golden.rrf) {
    const fused = fuse(lists);
    expect(fused.map(([id]) => id)).toEqual(out[0]);
    fused.forEach(([, score], at) => {
      expect(score).toBeCloseTo(out[1][at], 9);
    });
  }
  for (const { query, cands, lambda, out } of golden.mmr) {
    const scored = mmr(query, new Map(Object.entries(cands)), lambda);
    expect(scored.map(([id]) => id)).toEqual(out[0]);
    scored.forEach(([, score], at) => {
      expect(score).toBeCloseTo(out[1][at], 6);
    });
  }
});

it('what more ways found, and further in front, stands further in front; nothing is lost or doubled', () => {
  const candidate = fc.record({
    kind: fc.constantFrom('entity' as const, 'fact' as const, 'episode' as const),
    uuid: fc.constantFrom('a', 'b', 'c', 'd'),
    method: fc.constantFrom('words' as const, 'meaning' as const, 'graph' as const),
    score: fc.double({ min: 0, max: 5, noNaN: true }),
  });
  const unique = (all: readonly Candidate[]) => [
    ...new Map(all.map((one) => [`${one.kind}/${one.uuid}/${one.method}`, one])).values(),
  ];
  fc.assert(
    fc.property(fc.array(candidate), (all) => {
      const given = unique(all);
      const ranked = rank(given);
      const keys = ranked.map(({ kind, uuid }) => `${kind}/${uuid}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect(new Set(keys)).toEqual(new Set(given.map(({ kind, uuid }) => `${kind}/${uuid}`)));
      for (const one of ranked) {
        const ways = given.filter(({ kind, uuid }) => kind === one.kind && uuid === one.uuid);
        expect(one.matched).toHaveLength(ways.length);
      }
      const measure = new Map(keys.slice(0, 2).map((key, at) => [key, at]));
      const again = rerank(ranked, measure);
      expect(again.map(({ kind, uuid }) => `${kind}/${uuid}`).toSorted()).toEqual(keys.toSorted());
      const scores = again.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    }),
  );
});

describe('the order of Episodes (docs/decisions/0004)', () => {
  const episode = (uuid: string, method: Candidate['method'], score: number, more: object = {}) =>
    ({ kind: 'episode', uuid, method, score, ...more }) as const;

  it('is by words first; what was said around it decides between equals', () => {
    const found = [
      episode('apart', 'words', 4, { stretch: 's1' }),
      episode('amid', 'words', 4, { stretch: 's2' }),
      episode('weak', 'words', 1, { stretch: 's2' }),
    ];
    expect(orderEpisodes(found, new Map([['s2', 9]]))).toEqual(['amid', 'apart', 'weak']);
    expect(orderEpisodes(found, new Map())).toEqual(['apart', 'amid', 'weak']);
  });

  it('does not let a weak method outvote a strong one', () => {
    const found = [
      episode('said', 'words', 10, { near: 0.5 }),
      episode('alike', 'meaning', 0.55),
      episode('said', 'meaning', 0.5),
    ];
    expect(orderEpisodes(found, new Map())).toEqual(['said', 'alike']);
    expect(rank(found).map(({ uuid }) => uuid)).toEqual(['said', 'alike']);
  });

  it('holds every Episode once, and does not mind the scale of a method', () => {
    const some = fc.uniqueArray(
      fc.record({
        kind: fc.constant('episode' as const),
        uuid: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        method: fc.constantFrom('words' as const, 'meaning' as const, 'graph' as const),
        score: fc.double({ min: 0.01, max: 100, noNaN: true }),
        stretch: fc.constantFrom('s1', 's2', null),
      }),
      { selector: ({ uuid, method }) => `${uuid}/${method}` },
    );
    const around = new Map([
      ['s1', 3.1],
      ['s2', 7.3],
    ]);
    fc.assert(
      fc.property(some, fc.constantFrom(2, 0.5, 1024), (found, factor) => {
        const order = orderEpisodes(found, around);
        expect(order.toSorted()).toEqual([...new Set(found.map(({ uuid }) => uuid))].toSorted());
        // Powers of two change no digit.
        const louder = found.map((one) =>
          one.method === 'words' ? { ...one, score: one.score * factor } : one,
        );
        expect(orderEpisodes(louder, around)).toEqual(order);
      }),
    );
  });
});
