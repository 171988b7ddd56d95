import { describe, expect, it } from 'vitest';
import { DEFAULT_SCALE } from '../../src/memory-graph/embeddings/meaning-scale.ts';
import { isWithin, timesIn } from '../../src/memory-graph/search/query-times.ts';
import { rank } from '../../src/memory-graph/search/rank.ts';
import { searchQueryOf } from '../../src/memory-graph/search/search-query.ts';
import { turn } from '../testkit/recall-candidate.ts';

// Times that a query names (docs/decisions/0118).

describe('a time in a query', () => {
  it.each([
    ['What did we plant in May?', [{ month: 4, day: null, year: null, side: 'in' }]],
    ['Where was I on 3 June, 2023?', [{ month: 5, day: 3, year: 2023, side: 'in' }]],
    ['Where was I on June 3rd 2023?', [{ month: 5, day: 3, year: 2023, side: 'in' }]],
    ['What changed since Sept 2022?', [{ month: 8, day: null, year: 2022, side: 'since' }]],
    ['Whom did I meet before April 10?', [{ month: 3, day: 10, year: null, side: 'before' }]],
    ['What happened in 2021?', [{ month: null, day: null, year: 2021, side: 'in' }]],
    ['And on 2024-05-06?', [{ month: 4, day: 6, year: 2024, side: 'in' }]],
    ['May I march on? I have 2000 steps left, and room 2021 marches too.', []],
  ])('%s', (text, times) => {
    expect(timesIn(text)).toMatchObject(times);
    expect(timesIn(text)).toHaveLength(times.length);
  });

  it.each([
    ['in May 2023', '2023-05-20T10:00:00Z', true],
    // Told some days later.
    ['in May 2023', '2023-06-04T10:00:00Z', true],
    ['in May 2023', '2023-06-20T10:00:00Z', false],
    ['in December', '2024-01-03T10:00:00Z', true],
    ['on 3 June 2023', '2023-06-02T10:00:00Z', false],
    ['since May 2023', '2024-02-01T10:00:00Z', true],
    ['before May 2023', '2023-04-01T10:00:00Z', true],
    ['in 2023', '', false],
  ])('%s and %s', (text, said, expected) => {
    const [time] = timesIn(text);
    if (time === undefined) throw new Error('No time');
    expect(isWithin(time, said)).toBe(expected);
  });

  it('brings what was said then first, and counts as known', () => {
    const [spring, autumn] = ['We sowed beans and peas.', 'We sowed beans and kale.'];
    const candidates = [
      turn(spring, { saidAt: '2025-04-12T10:00:00Z' }),
      turn(autumn, { saidAt: '2025-09-02T10:00:00Z' }),
    ];
    for (const [month, expected] of [
      ['April', spring],
      ['September', autumn],
    ] as const) {
      const query = searchQueryOf(`Which beans did we sow in ${month}?`, 'Runa');
      const { answerable, ranked } = rank(
        query,
        { candidates, stretches: new Map() },
        DEFAULT_SCALE,
      );
      expect(answerable).toBe(true);
      expect(ranked[0]?.uuid).toBe(expected);
      expect(ranked[0]?.reasons.map(({ text }) => text)).toContain('is of a time in the query');
    }
  });
});
