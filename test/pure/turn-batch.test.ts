import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOTHING_EXTRACTED } from '../../src/memory-graph/extraction/extraction.ts';
import {
  batchOf,
  findingsByTurn,
  type WaitingTurn,
  waitMs,
  withWholeTexts,
} from '../../src/memory-graph/extraction/turn-batch.ts';

// S4-EPI-04: one run reads the turns of a conversation that wait (docs/decisions/0032).

const DAY = Date.parse('2026-05-12T08:00:00Z');
const at = (minute: number) => new Date(DAY + minute * 60_000).toISOString();
const turn = (n: number, more: Partial<WaitingTurn> = {}): WaitingTurn => ({
  alternativeId: `a${n}`,
  parentId: n === 0 ? null : `a${n - 1}`,
  content: `Turn ${n}.`,
  saidAt: at(n),
  startedAt: at(n),
  ...more,
});
const idsOf = (turns: readonly WaitingTurn[]) => turns.map(({ alternativeId }) => alternativeId);

describe('turns that are read together', () => {
  it('are all that wait on one branch, oldest first', () => {
    const waiting = [turn(2), turn(0), turn(1)];
    const batch = batchOf(waiting, 'a0');
    expect(idsOf(batch.turns)).toEqual(['a0', 'a1', 'a2']);
    expect(batch.isClosed).toBe(false);
  });

  it('are of several days on which little was said', () => {
    const next = turn(2, { saidAt: '2026-05-13T00:00:01Z' });
    expect(idsOf(batchOf([turn(0), turn(1), next], 'a2').turns)).toEqual(['a0', 'a1', 'a2']);
  });

  it('are else of one day', () => {
    const next = turn(2, { saidAt: '2026-05-13T00:00:01Z' });
    const waiting = [turn(0), turn(1, { content: 'x'.repeat(1_999) }), next];
    expect(batchOf(waiting, 'a1')).toMatchObject({ isClosed: true });
    expect(idsOf(batchOf(waiting, 'a1').turns)).toEqual(['a0', 'a1']);
    expect(idsOf(batchOf(waiting, 'a2').turns)).toEqual(['a2']);
  });

  it('wait for a turn beside them whose Episode comes late, as in an import', () => {
    const [first, last] = [turn(1, { lateBefore: true }), turn(2, { lateAfter: true })];
    const next = turn(3, { saidAt: '2026-05-13T09:00:00Z', content: 'x'.repeat(2_000) });
    const [before, after] = [batchOf([first, turn(2), next], 'a1'), batchOf([turn(1), last], 'a1')];
    expect([before, after].map(({ isClosed }) => isClosed)).toEqual([false, false]);
    expect(waitMs(after, DAY + 10 * 60_000, 60_000)).toBe(15_000);
    expect(waitMs(after, DAY + 20 * 60_000, 60_000)).toBe(0);
    expect(batchOf([turn(0), turn(1), turn(2), next], 'a1')).toMatchObject({ isClosed: true });
  });

  it('are the whole branch, in whatever order their Episodes were written', () => {
    const waiting = [turn(0), turn(1, { startedAt: at(9) }), turn(2)];
    for (const asked of ['a0', 'a1', 'a2'])
      expect(idsOf(batchOf(waiting, asked).turns)).toEqual(['a0', 'a1', 'a2']);
  });

  it('never mix an edited turn with its earlier version', () => {
    const edited = turn(3, { alternativeId: 'b1', parentId: 'a0' });
    const waiting = [turn(0), turn(1), turn(2), edited];
    expect(idsOf(batchOf(waiting, 'b1').turns)).toEqual(['a0', 'b1']);
    expect(idsOf(batchOf(waiting, 'a2').turns)).toEqual(['a0', 'a1', 'a2']);
  });

  it('hold the asked turn once, in batches of at most 40 turns and 8,000 characters', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(lengths, fc.nat(), (chars, pick) => {
        const waiting = chars.map((count, n) => turn(n, { content: 'x'.repeat(count) }));
        const asked = `a${pick % waiting.length}`;
        const { turns } = batchOf(waiting, asked);
        expect(idsOf(turns).filter((id) => id === asked)).toEqual([asked]);
        expect(turns.length).toBeLessThanOrEqual(40);
        const total = turns.reduce((sum, { content }) => sum + content.length, 0);
        expect(turns.length === 1 || total <= 8_000).toBe(true);
      }),
    );
  });

  it('wait until nothing was said for a while, unless no more can be added', () => {
    const open = batchOf([turn(0), turn(1)], 'a0');
    expect(waitMs(open, DAY + 60_000, 30_000)).toBe(30_000);
    expect(waitMs(open, DAY + 95_000, 30_000)).toBe(0);
    expect(waitMs({ ...open, isClosed: true }, DAY, 30_000)).toBe(0);
    expect(waitMs(open, DAY, 0)).toBe(0);
  });

  it('do not wait for the time of a clock that was an hour ahead', () => {
    const [first, second] = [turn(0), turn(1)];
    const lateMs = Date.parse(second.startedAt) - 3_600_000;
    const ahead = batchOf([first, second], 'a0');
    expect(waitMs(ahead, lateMs + 3_600_000 - 30_000, 30_000)).toBe(60_000);
    expect(waitMs(batchOf([second], 'a1'), lateMs, 30_000)).toBe(0);
  });
});

describe('findings of a batch', () => {
  const entity = (name: string, summary = '') => ({ name, category: null, summary });
  const fact = (source: string, target: string, text: string) => ({
    source,
    target,
    relation: 'X',
    fact: text,
    validAt: null,
    invalidAt: null,
  });
  const extraction = {
    ...NOTHING_EXTRACTED,
    entities: [entity('Grace', 'Works at Acme.'), entity('Acme'), entity('Turin')],
    facts: [
      fact('Grace', 'Acme', 'Grace works at Acme.'),
      fact('Grace', 'Turin', 'Grace moved to Turin.'),
    ],
    faults: ['One is no name.'],
  };
  const turns = [
    { speakerName: 'Ada', content: 'My sister Grace works at Acme.' },
    { speakerName: 'Assistant', content: 'Does Grace like it?' },
    { speakerName: 'Ada', content: 'Yes! And she moved to Turin in May.' },
  ];

  it('belong to the turn that has their words; a pronoun does not hide the turn', () => {
    const found = findingsByTurn(extraction, turns);
    expect(found.map(({ facts }) => facts.map(({ target }) => target))).toEqual([
      ['Acme'],
      [],
      ['Turin'],
    ]);
    expect(found.map(({ entities }) => entities.map(({ name }) => name))).toEqual([
      ['Grace', 'Acme'],
      ['Grace'],
      ['Grace', 'Turin'],
    ]);
  });

  it('give the summary and the faults once', () => {
    const found = findingsByTurn(extraction, turns);
    expect(found.map(({ entities }) => entities[0]?.summary)).toEqual(['Works at Acme.', '', '']);
    expect(found.map(({ faults }) => faults.length)).toEqual([1, 0, 0]);
  });

  it('lose nothing: each fact and entity has a turn', () => {
    const found = findingsByTurn(extraction, turns.slice(1));
    expect(found.flatMap(({ facts }) => facts)).toHaveLength(2);
    const names = new Set(found.flatMap(({ entities }) => entities.map(({ name }) => name)));
    expect([...names].sort()).toEqual(['Acme', 'Grace', 'Turin']);
  });
});

describe('a statement that a model gave by its first words', () => {
  it.each([
    ['We sold the old …', 'We sold the old van last week.'],
    ['now I bake …', 'now I bake bread with Tove on Sundays.'],
    ['I live in …', 'I live in Rome with my cat.'],
  ])('%j is %j', (text, whole) => {
    const contents = [
      'We sold the old van last week. It was rusty.',
      'I live in Rome with my cat. now I bake bread with Tove on Sundays.',
    ];
    const given = { text, about: [], attribute: null, validAt: null, invalidAt: null, ends: [] };
    const { statements } = withWholeTexts({ ...NOTHING_EXTRACTED, statements: [given] }, contents);
    expect(statements).toMatchObject([{ text: whole }]);
  });

  it('keeps what a comparison said of it', () => {
    const given = { about: [], attribute: null, validAt: null, invalidAt: null, ends: [] };
    const extraction = {
      ...NOTHING_EXTRACTED,
      statements: [{ ...given, text: 'We sold the …' }],
      ended: new Map([['we sold the …', ['known']]]),
    };
    const { ended } = withWholeTexts(extraction, ['We sold the old van last week.']);
    expect(ended.get('we sold the old van last week.')).toEqual(['known']);
  });
});
