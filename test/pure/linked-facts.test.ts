import { expect, it } from 'vitest';
import { DEFAULT_SCALE } from '../../src/memory-graph/embeddings/meaning-scale.ts';
import type { Candidate } from '../../src/memory-graph/search/candidate.ts';
import { rank } from '../../src/memory-graph/search/rank.ts';
import { searchQueryOf } from '../../src/memory-graph/search/search-query.ts';

// A question that names a person by a relation walks the facts, two steps at most
// (docs/decisions/0118).

const fact = (source: string, rest: string, target: string): Candidate => ({
  ...{ kind: 'fact', method: 'words', score: 1, ends: [source, target] },
  ...{ uuid: `${source} ${rest} ${target}`, text: `${source} ${rest} ${target}.` },
});
const FACTS = [
  fact('Tove', 'trains', 'the rowing team'),
  fact('Signe', 'is the sister of', 'Tove'),
  fact('Signe', 'lives in', 'Tórshavn'),
  fact('Arne', 'lives in', 'Vaasa'),
  fact('Bodil', 'is the sister of', 'Arne'),
  fact('Kaja', 'lives in', 'Umeå'),
];
const ask = (query: string, facts: readonly Candidate[] = FACTS) =>
  rank(searchQueryOf(query, 'Runa'), { candidates: facts, stretches: new Map() }, DEFAULT_SCALE);

it('brings the fact that answers, before those of others', () => {
  const { answerable, ranked } = ask(
    'Where does the sister of the one who trains the rowing team live?',
  );
  expect(answerable).toBe(true);
  const placeOf = (uuid: string) => ranked.findIndex((one) => one.uuid === uuid);
  expect(placeOf('Signe lives in Tórshavn')).toBeLessThan(3);
  for (const other of ['Arne lives in Vaasa', 'Kaja lives in Umeå'])
    expect(placeOf(other)).toBeGreaterThan(2);
  const hit = ranked.find(({ uuid }) => uuid === 'Signe lives in Tórshavn');
  expect(hit?.fits).toBe(true);
  expect(hit?.reasons.map(({ text }) => text)).toContain(
    'is linked to facts with sister, trains, rowing, team',
  );
});

it('links nothing over a thing that all facts share', () => {
  const many = Array.from({ length: 20 }, (_, at) =>
    fact('Runa', `saw bird ${at} in`, `place ${at}`),
  );
  const { ranked } = ask('Where did the sister see a bird?', [
    ...many,
    fact('Runa', 'has the sister', 'Ylva'),
  ]);
  expect(ranked.flatMap(({ reasons }) => reasons.map(({ measure }) => measure))).not.toContain(
    'graph',
  );
});
