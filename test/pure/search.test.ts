import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Candidate, fuse, mmr, rank, rerank } from '../../src/knowledge/search.ts';

const GOLDEN = fileURLToPath(new URL('../../../shared/spec/graphiti-golden.json', import.meta.url));
const hasGolden = existsSync(GOLDEN);
const golden = hasGolden ? JSON.parse(readFileSync(GOLDEN, 'utf8')) : { rrf: [], mmr: [] };

it.skipIf(!hasGolden)("fuses and reranks as Graphiti's own functions do (needs ../shared)", () => {
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
