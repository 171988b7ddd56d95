import { describe, expect, it } from 'vitest';
import { DEFAULT_SCALE } from '../../src/memory-graph/embeddings/meaning-scale.ts';
import {
  changesIn,
  happeningIn,
  isWithin,
  sequenceIn,
  spanOf,
  timesIn,
} from '../../src/memory-graph/search/query-times.ts';
import { rank } from '../../src/memory-graph/search/rank.ts';
import { searchQueryOf } from '../../src/memory-graph/search/search-query.ts';
import { turn } from '../testkit/recall-candidate.ts';

// Times that a query names (docs/decisions/0118, 0120).

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

describe('a place in time in a query', () => {
  it.each([
    ['When did I last see the dentist?', 'last'],
    ['What is the latest plan for the roof?', 'last'],
    ['Wann war ich zuletzt beim Zahnarzt?', 'last'],
    ['¿Cuándo fue la última vez que cenamos?', 'last'],
    ['Who was my first teacher?', 'first'],
    ['What did we do last year, and last Tuesday?', null],
    ['What is her first name?', null],
    ['Was it the first or the last stop?', null],
  ] as const)('%s', (text, sequence) => {
    expect(sequenceIn(text)).toBe(sequence);
  });

  it.each([
    ['Where did I live before I moved to Turin?', { side: 'before', text: 'I moved to Turin' }],
    ['What changed since Anna left?', { side: 'after', text: 'Anna left' }],
    ['What did we plant before April 10?', null],
    ['What has changed since May?', null],
    ['Call me before.', null],
  ] as const)('%s', (text, happening) => {
    expect(happeningIn(text)).toEqual(happening);
  });

  const first = (query: string, ...told: readonly (readonly [text: string, day: string])[]) => {
    const candidates = told.map(([text, day]) => turn(text, { saidAt: `${day}T10:00:00Z` }));
    const found = { candidates, stretches: new Map() };
    return rank(searchQueryOf(query, 'Runa'), found, DEFAULT_SCALE).ranked[0];
  };
  const DENTIST = [
    ['The dentist filled a tooth.', '2024-03-01'],
    ['The dentist cleaned my teeth.', '2024-09-01'],
    ['The dentist pulled a tooth.', '2025-02-01'],
  ] as const;

  it.each([
    ['When did I last see the dentist?', 2],
    ['When did I first see the dentist?', 0],
  ])('%s', (query, place) => {
    const hit = first(query, ...DENTIST);
    expect(hit?.uuid).toBe(DENTIST[place]?.[0]);
    const reasons = hit?.reasons.map(({ text }) => text);
    expect(reasons).toContain('is among the first or last that the query asks for');
  });

  it('is told by a happening that the memory dates', () => {
    const told = [
      ['My flat is by the harbour.', '2023-05-01'],
      ['I moved to Turin, at last!', '2024-01-10'],
      ['My flat is by the station.', '2024-06-01'],
    ] as const;
    for (const [side, text] of [
      ['before', told[0][0]],
      ['after', told[2][0]],
    ] as const) {
      const candidates = told.map(([said, day]) => turn(said, { saidAt: `${day}T10:00:00Z` }));
      const query = searchQueryOf(`Where was my flat ${side} I moved to Turin?`, 'Runa');
      const { ranked } = rank(query, { candidates, stretches: new Map() }, DEFAULT_SCALE);
      expect(ranked.find(({ uuid }) => uuid.startsWith('My flat'))?.uuid).toBe(text);
    }
  });
});

it.each([
  ['What changed since May?', '2026-05-01', null],
  ["What's new since October 2025?", '2025-10-01', null],
  ['What has changed at work in December?', '2025-12-01', '2026-01-01'],
  ['Was hat sich bei mir seit März geändert?', null, null],
  ['Who changed the tyres in May?', null, null],
  ['What did we plant in May?', null, null],
])('asks for the changes of a time: %s (on 20 June 2026)', (text, from, to) => {
  const time = changesIn(text);
  const span = time === null ? { from: null, to: null } : spanOf(time, Date.UTC(2026, 5, 20));
  expect([span.from?.slice(0, 10) ?? null, span.to?.slice(0, 10) ?? null]).toEqual([from, to]);
});
