import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/memory-graph/entities/fact.ts';
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
