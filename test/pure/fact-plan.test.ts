import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/memory-graph/entities/fact.ts';
import { settleFacts } from '../../src/memory-graph/entities/settle-facts.ts';
import type { ExtractedFact } from '../../src/memory-graph/extraction/extraction.ts';
import { planFacts } from '../../src/memory-graph/extraction/fact-plan.ts';

// Changes of known facts by the facts of an Episode (S4-ENT-09, issue 18).

const SAID_AT = '2025-03-10T09:00:00Z';
const NOW = '2025-03-11T00:00:00Z';
const day = (date: string) => `${date}T00:00:00Z`;

const extracted = (more: Partial<ExtractedFact>): ExtractedFact => ({
  source: 'ada',
  target: 'siemens',
  relation: 'WORKS_AT',
  fact: 'Ada works at Siemens.',
  validAt: null,
  invalidAt: null,
  ...more,
});
const known = (more: Partial<Fact> = {}): Fact => ({
  uuid: 'known',
  name: 'WORKS_AT',
  fact: 'Ada works at Siemens.',
  groupId: 'talk',
  sourceUuid: 'ada',
  targetUuid: 'siemens',
  episodes: ['before'],
  validAt: day('2024-01-01'),
  invalidAt: null,
  expiredAt: null,
  createdAt: day('2024-01-01'),
  saidAt: day('2024-01-01'),
  ...more,
});
function plan(
  fact: ExtractedFact,
  related: readonly Fact[],
  ended: ReadonlyMap<string, string[]> = new Map(),
) {
  const {
    created,
    repeated,
    ended: ends,
  } = planFacts([fact], related, {
    extraction: { repeated: new Map(), ended },
    saidAt: SAID_AT,
    now: NOW,
    groupId: 'talk',
    episodeUuid: 'episode',
    uuidOf: () => 'new',
  });
  return {
    created: created.map(({ uuid, validAt, invalidAt }) => [uuid, validAt, invalidAt]),
    repeated: [...repeated],
    ended: [...ends.values()].map(({ uuid, invalidAt }) => [uuid, invalidAt]),
  };
}

describe('the facts of an Episode beside known ones', () => {
  it('"moved last week" ends a home that was only known to be one when it was told', () => {
    const lives = known({ name: 'LIVES_IN', targetUuid: 'rostock', fact: 'Ada lives in Rostock.' });
    const today = { validAt: day('2025-03-09'), saidAt: day('2025-03-09') };
    const moved = extracted({
      relation: 'MOVED_TO',
      target: 'trier',
      fact: 'Ada moved to Trier.',
      validAt: day('2025-03-03'),
    });
    expect(plan(moved, [{ ...lives, ...today }])).toEqual({
      created: [['new', day('2025-03-03'), null]],
      repeated: [],
      ended: [['known', today.validAt]],
    });
    // A home with a beginning of its own is newer than the move.
    const since = { validAt: day('2025-03-08'), saidAt: day('2025-03-09') };
    expect(plan(moved, [{ ...lives, ...since }]).ended).toEqual([['new', since.validAt]]);
  });

  it('an end months ago ends a fact without a beginning that was told before', () => {
    const left = extracted({ fact: 'Ada left Siemens.', invalidAt: day('2024-06-01') });
    const today = { validAt: day('2025-03-09'), saidAt: day('2025-03-09') };
    expect(plan(left, [known(today)])).toEqual({
      created: [],
      repeated: ['known'],
      ended: [['known', today.validAt]],
    });
  });

  it('"left Siemens" ends the known fact, and is no second one', () => {
    const left = extracted({ fact: 'Ada left Siemens.', invalidAt: day('2025-02-28') });
    expect(plan(left, [known()])).toEqual({
      created: [],
      repeated: ['known'],
      ended: [['known', day('2025-02-28')]],
    });
    // Said by a model in another relation of the same meaning.
    const quit = { ...left, relation: 'WORKS_FOR' };
    expect(plan(quit, [known()]).ended).toEqual([['known', day('2025-02-28')]]);
  });

  it('an end of an unknown fact is a fact that has ended', () => {
    const left = extracted({ fact: 'Ada left Siemens.', invalidAt: day('2025-02-28') });
    expect(plan(left, []).created).toEqual([['new', null, day('2025-02-28')]]);
    const again = known({ validAt: day('2025-06-05') });
    expect(plan(left, [again]).ended.map(([uuid]) => uuid)).not.toContain('known');
    const within = known({ validAt: day('2025-03-05') });
    expect(plan(left, [within]).ended).toEqual([['known', day('2025-03-05')]]);
  });

  it('an undated fact that adds no word repeats the known one', () => {
    expect(plan(extracted({ relation: 'WORKS_FOR' }), [known()]).repeated).toEqual(['known']);
    const more = extracted({ fact: 'Ada works at Siemens as a designer.' });
    expect(plan(more, [known()]).created).toHaveLength(1);
  });

  it('another date corrects a fact that holds once, and only that', () => {
    const planned = { relation: 'PLANS_TO_MOVE_TO', name: 'PLANS_TO_MOVE_TO' };
    const moves = extracted({ ...planned, fact: 'Ada moves.', validAt: day('2025-03-29') });
    const before = known({ ...planned, fact: 'Ada moves.', validAt: day('2025-03-22') });
    expect(plan({ ...moves, fact: 'Ada moves on 29 March.' }, [before])).toMatchObject({
      created: [['new', day('2025-03-29'), null]],
      ended: [['known', day('2025-03-22')]],
    });
    const visits = { relation: 'VISITED', name: 'VISITED' };
    const again = extracted({
      ...visits,
      fact: 'Ada visited it in May.',
      validAt: day('2024-05-01'),
    });
    expect(plan(again, [known({ ...visits, fact: 'Ada visited it.' })]).ended).toEqual([]);
  });

  it('another value of a budget ends the former at once', () => {
    const budget = { relation: 'HAS_BUDGET', name: 'HAS_BUDGET' };
    const raised = extracted({ ...budget, fact: 'The budget is 900 euros.' });
    expect(plan(raised, [known({ ...budget, fact: 'The budget is 500 euros.' })])).toMatchObject({
      created: [['new', SAID_AT, null]],
      ended: [['known', SAID_AT]],
    });
  });

  it('a fact that ended can begin again', () => {
    const former = known({ invalidAt: day('2024-12-31') });
    expect(plan(extracted({}), [former])).toMatchObject({
      created: [['new', SAID_AT, null]],
      ended: [],
    });
  });

  it('a model may end any known fact, but none twice', () => {
    const likes = known({ name: 'LIKES', targetUuid: 'tea', fact: 'Ada likes tea.' });
    const ends = new Map([['ada works at siemens.', ['known']]]);
    expect(plan(extracted({}), [likes], ends).ended).toEqual([['known', SAID_AT]]);
    const over = { ...likes, invalidAt: day('2024-06-01') };
    expect(plan(extracted({}), [over], ends).ended).toEqual([]);
  });
});

it('a divorce ends a marriage, by whichever word it was told, from either side', () => {
  const bond = { sourceUuid: 'ada', targetUuid: 'ben', fact: "Ben is Ada's husband." };
  const over = extracted({
    ...{ source: 'ben', target: 'ada', relation: 'MARRIED_TO' },
    ...{ fact: 'Ben is no longer with Ada.', invalidAt: day('2025-02-01') },
  });
  const found = plan(over, [known({ ...bond, name: 'HAS_HUSBAND' })]);
  expect(found).toEqual({
    created: [],
    repeated: ['known'],
    ended: [['known', day('2025-02-01')]],
  });
});

describe('an old text that is read late (issue 42)', () => {
  const later = { saidAt: day('2026-01-01') };

  it('ends nothing that was said to hold after it', () => {
    const moved = extracted({ relation: 'WORKS_AT', target: 'bosch', fact: 'Ada works at Bosch.' });
    const found = plan(moved, [known({ ...later, validAt: day('2026-01-01') })]);
    expect(found).toEqual({
      created: [['new', SAID_AT, null]],
      repeated: [],
      ended: [['new', day('2026-01-01')]],
    });
  });

  it('had ended where the older was said again after it', () => {
    const moved = extracted({ relation: 'WORKS_AT', target: 'bosch', fact: 'Ada works at Bosch.' });
    expect(plan(moved, [known(later)]).ended).toEqual([['new', day('2026-01-01')]]);
  });

  it('with an end is a fact of its own, and corrects no later value', () => {
    const left = extracted({ invalidAt: day('2025-03-01') });
    expect(plan(left, [known({ ...later, validAt: day('2025-03-20') })])).toEqual({
      created: [['new', null, day('2025-03-01')]],
      repeated: [],
      ended: [['new', day('2025-03-01')]],
    });
    const budget = { relation: 'HAS_BUDGET', target: 'money', fact: "Ada's budget is 5." };
    const other = { name: 'HAS_BUDGET', targetUuid: 'money', fact: "Ada's budget is 7." };
    expect(plan(extracted(budget), [known({ ...other, ...later })]).ended).toEqual([
      ['new', day('2026-01-01')],
    ]);
  });
});

describe('facts of entities that turn out to be one', () => {
  const at = (uuid: string, date: string, more: Partial<Fact> = {}) =>
    known({ uuid, saidAt: day(date), validAt: day(date), episodes: [uuid], ...more });
  const lives = (place: string) => ({
    name: 'LIVES_IN',
    targetUuid: place,
    fact: `Ada lives in ${place}.`,
  });

  it('end each other by when they were said, in any order', () => {
    const facts = [
      at('third', '2026-01-01', lives('Pisa')),
      at('first', '2024-01-01', lives('Pisa')),
      at('second', '2025-01-01', lives('Lucca')),
    ];
    const { equal, ended } = settleFacts(facts, NOW);
    expect(equal).toEqual([]);
    expect(ended.map(({ uuid, invalidAt, episodeUuid }) => [uuid, invalidAt, episodeUuid])).toEqual(
      [
        ['first', day('2025-01-01'), 'second'],
        ['second', day('2026-01-01'), 'third'],
      ],
    );
  });

  it('are one where they say the same, and an end that was said counts', () => {
    const facts = [
      at('first', '2024-01-01'),
      at('again', '2024-06-01'),
      at('left', '2025-01-01', { validAt: null, invalidAt: day('2024-12-01') }),
    ];
    const { equal, ended } = settleFacts(facts, NOW);
    expect(equal).toEqual([{ keptUuid: 'first', lostUuid: 'again' }]);
    expect(ended.map(({ uuid, invalidAt }) => [uuid, invalidAt])).toEqual([
      ['first', day('2024-12-01')],
    ]);
  });
});
