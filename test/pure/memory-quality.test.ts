import { describe, expect, it } from 'vitest';
import {
  faultOf,
  grade,
  joinGrades,
  type Seen,
  type SeenFact,
  tokenRatioOf,
} from '../../bench/memory-quality/grade.ts';
import { reportOf } from '../../bench/memory-quality/report.ts';
import { Key, readTalk } from '../../bench/memory-quality/talk.ts';

// The grader of the outcome test: a good memory passes, and each kind of fault is found.

const KEY: Key = Key.parse({
  entities: [
    { name: 'Ada', kinds: ['Person'] },
    { name: 'C++', kinds: ['Concept'] },
    { name: 'Orbit Labs', aliases: ['Orbit'], kinds: ['Organization'] },
  ],
  acceptable: ['Linux'],
  facts: [
    { between: ['Ada', 'Orbit Labs'], says: ['work|left'], ended: '2025-02-28' },
    { between: ['Ada', ['C++', 'Linux']], says: ['learn'], began: '2025-05-15', days: 17 },
  ],
  acceptableFacts: [{ between: ['C++', 'Linux'], says: ['run'] }],
  settled: [{ between: ['Ada', 'Orbit Labs'], began: '2025-01-01', by: 'c2' }],
  never: ['Ada married'],
  questions: [{ ask: 'Where did Ada work?', evidence: ['c1'], answer: ['Orbit'] }],
});
const fact = (more: Partial<SeenFact>): SeenFact => ({
  source: 'Ada',
  target: 'Orbit Labs',
  relation: 'WORKS_AT',
  text: 'Ada worked at Orbit Labs.',
  validAt: null,
  invalidAt: '2025-02-28T00:00:00Z',
  expiredAt: null,
  ...more,
});
const GOOD: Seen = {
  speakers: ['Ada', 'Assistant'],
  events: [{ text: 'USER_MESSAGE I left Orbit Labs.', isTheirs: true }],
  entities: ['Ada', 'C++', 'the Orbit'].map((name) => ({ name, summary: '' })),
  facts: [
    fact({}),
    fact({
      target: 'C++',
      relation: 'LEARNS',
      text: 'Ada learns C++.',
      validAt: '2025-05-01T00:00:00Z',
      invalidAt: null,
    }),
  ],
  nodes: [
    { nodeId: 'toc:segment:1', segments: 1, bullets: ['Ada: "I left Orbit Labs."'] },
    {
      nodeId: 'toc:day:1',
      segments: 2,
      bullets: ['Ada left Orbit Labs.', 'Ada learns C++.', 'Assistant: "Begin with types."'],
    },
  ],
  summaries: ['Ada left Orbit Labs in February. She learns C++.'],
  introspections: ['Ada may look for new work soon.', 'Types come first for Ada.'],
  searches: [
    {
      ask: 'Where did Ada work?',
      hits: [
        { kind: 'EPISODE', text: 'I left Orbit Labs.', turnId: 'c1' },
        { kind: 'ENTITY', text: 'C++', turnId: null },
      ],
    },
  ],
  tokens: { background: { extract: 150, describe: 100 }, asked: 400, own: 100 },
};
const figuresOf = (more: Partial<Seen>) => grade({ ...GOOD, ...more }, KEY).figures;

describe('the grader of memories', () => {
  it('finds nothing wrong in a good memory', () => {
    const graded = grade(GOOD, KEY);
    expect(graded.offending).toEqual([]);
    expect(tokenRatioOf(graded)).toBe(2.5);
    expect(graded.figures.factsFound).toEqual({ good: 2, of: 2 });
    expect(reportOf('chat', graded).join('\n')).not.toContain('MISS');
  });

  it('joins the grades of several talks', () => {
    const poor = grade(
      { ...GOOD, facts: [], tokens: { background: { extract: 50 }, asked: 0, own: 100 } },
      KEY,
    );
    const joined = joinGrades([grade(GOOD, KEY), poor]);
    expect(joined.figures.factsFound).toEqual({ good: 2, of: 4 });
    expect(tokenRatioOf(joined)).toBe(1.5);
    expect(joined.offending).toEqual(poor.offending);
  });

  it('counts names that the key does not list, and entities of the key that are missing', () => {
    const entities = ['Ada', 'Great', 'C', 'Linux'].map((name) => ({ name, summary: '' }));
    const graded = grade({ ...GOOD, entities }, KEY);
    expect(graded.figures.entitiesSensible).toEqual({ good: 2, of: 4 });
    expect(graded.figures.entitiesFound).toEqual({ good: 1, of: 3 });
    const lines = graded.offending.map(({ figure, line }) => `${figure}: ${line}`);
    expect(lines).toEqual([
      'entitiesSensible: Great',
      'entitiesSensible: C',
      'entitiesFound: C++',
      'entitiesFound: Orbit Labs',
    ]);
    expect(reportOf('chat', graded).join('\n')).toContain('MISS entitiesSensible');
  });

  it('counts events that come from neither the talk nor its Tools', () => {
    const events = [...GOOD.events, { text: 'TOOL_RESULT extract entities: …', isTheirs: false }];
    expect(figuresOf({ events }).eventsTheirs).toEqual({ good: 1, of: 2 });
  });

  it('takes a fact as right between the right two, with right words, either way', () => {
    const facts = [
      fact({ source: 'Orbit', target: 'ada', relation: 'EMPLOYED', text: 'Ada left Orbit.' }),
      fact({ relation: 'LIKES', text: 'Ada likes Orbit Labs.' }),
      fact({ source: 'C++', text: 'C++ worked at Orbit Labs.' }),
      fact({ source: 'Linux', target: 'C++', relation: 'RUNS', text: 'Linux runs C++.' }),
      fact({ text: 'Ada married, left Orbit Labs.' }),
    ];
    const { factsRight, factsFound } = figuresOf({ facts });
    expect(factsRight).toEqual({ good: 2, of: 5 });
    expect(factsFound).toEqual({ good: 1, of: 2 });
  });

  it('compares dates with those of the key, and an ending with the date it began', () => {
    const dates = (more: Partial<SeenFact>) => figuresOf({ facts: [fact(more)] }).datesRight;
    expect(dates({ invalidAt: '2025-03-01T09:00:00Z' })).toEqual({ good: 1, of: 1 });
    expect(dates({ invalidAt: '2025-03-03T09:00:00Z' })).toEqual({ good: 0, of: 1 });
    expect(dates({ invalidAt: null })).toEqual({ good: 0, of: 1 });
    const validAt = '2025-02-28T00:00:00Z';
    expect(dates({ invalidAt: null, validAt })).toEqual({ good: 0, of: 1 });
    expect(dates({ invalidAt: null, validAt, text: 'Ada left Orbit Labs.' })).toEqual({
      good: 1,
      of: 1,
    });
  });

  it('finds corrected facts that still hold', () => {
    const former = fact({ validAt: '2025-01-01T00:00:00Z', invalidAt: null });
    expect(figuresOf({ facts: [former] }).settled).toEqual({ good: 0, of: 1 });
    const expiredAt = '2025-01-02T00:00:00Z';
    expect(figuresOf({ facts: [{ ...former, expiredAt }] }).settled).toEqual({ good: 1, of: 1 });
  });

  it('wants 3 to 7 bullets for several segments, each with its speaker', () => {
    const node = (segments: number, bullets: string[]) =>
      figuresOf({ nodes: [{ nodeId: 'n', segments, bullets }] });
    expect(node(2, ['Ada left.', 'Ada learns.']).nodesFull).toEqual({ good: 0, of: 1 });
    expect(node(2, Array(8).fill('Ada left.')).nodesFull).toEqual({ good: 0, of: 1 });
    expect(node(1, ['Somebody left.']).nodesFull).toEqual({ good: 0, of: 0 });
    expect(node(2, ['Ada left.', 'Adam left.', 'I left.']).bulletsNamed).toEqual({
      good: 1,
      of: 3,
    });
  });

  it.each([
    ['extract entities: {"entities":[{"name":"Ada"}]}', 'JSON'],
    ['","source":"said by Ada","saidAt":1},{"text":"I left', 'JSON'],
    ['<content>Ada left.</content>', 'markup'],
    ['**Ada** left.', 'markup'],
    ['{{this.content}}', 'markup'],
    ['Noted: Ada left.', 'meta'],
    ['Assistant: "Noted: Ada left."', 'meta'],
    ['I am local-extractive-1 and only quote.', 'meta'],
    ['Here is a summary of the talk.', 'meta'],
    ['Nothing in what I was given answers that.', 'meta'],
    ['Ada: "hey, good morning :)"', 'greeting'],
    ['Ada: "I left Orbit Labs. Thanks!"', 'greeting'],
    ['Haha true.', 'greeting'],
    ['Perfect.', 'greeting'],
  ])('finds the fault of the line %j: %s', (line, fault) => {
    expect(faultOf(line)).toBe(fault);
  });

  it('finds a greeting behind the name of a speaker', () => {
    expect(faultOf('Ada: hello there', ['Ada'])).toBe('greeting');
    expect(faultOf('Ada: I left. Bob: lol yes', ['Ada', 'Bob'])).toBe('greeting');
    expect(faultOf('Ada: I left. Bob: When?', ['Ada', 'Bob'])).toBeNull();
  });

  it.each([
    'Ada: "I left Orbit Labs on Friday."',
    'run_tests: "1 failed, 16 passed in 48.21s"',
    'Thanks to Ada the tests pass.',
    'Ada noted: the lock is {too} short.',
    'Great Bake Off is what Joris watches.',
    'Morning-shift work suits Ada.',
  ])('finds no fault in the line %j', (line) => {
    expect(faultOf(line)).toBeNull();
  });

  it('finds forbidden words', () => {
    expect(figuresOf({ summaries: ['Ada married Orbit.'] }).linesClean.good).toBe(
      figuresOf({ summaries: ['Ada left.'] }).linesClean.good - 1,
    );
  });

  it('finds introspections that repeat one another or a summary', () => {
    const twins = ['Ada may look for new work soon.', 'Ada: "may look for new work soon."'];
    expect(figuresOf({ introspections: twins }).introspectionsDistinct.good).toBe(0);
    const copied = ['She learns C++.', 'Ada wants to change her life.'];
    expect(figuresOf({ introspections: copied }).introspectionsDistinct).toEqual({
      good: 1,
      of: 2,
    });
  });

  it('counts a hit by its turn, or by its words where it is no turn', () => {
    const found = (...hits: Seen['searches'][number]['hits']) => {
      const { hit1, hit10 } = figuresOf({ searches: [{ ask: 'Where did Ada work?', hits }] });
      return [hit1.good, hit10.good];
    };
    expect(found({ kind: 'EPISODE', text: 'Orbit Labs is large.', turnId: 'c2' })).toEqual([0, 0]);
    expect(found({ kind: 'FACT', text: 'Ada left Orbit Labs.', turnId: null })).toEqual([1, 1]);
    expect(
      found(
        { kind: 'FACT', text: 'Ada learns.', turnId: null },
        { kind: 'EVENT', text: 'left', turnId: 'c1' },
      ),
    ).toEqual([0, 1]);
    expect(found()).toEqual([0, 0]);
  });
});

describe.each(['chat', 'session'] as const)('the %s of the outcome test', (name) => {
  it('has 60 to 100 turns in order, and a key that speaks of nothing else', async () => {
    const { turns, key } = await readTalk(name, 'nadia.1+');
    expect(turns.length).toBeGreaterThanOrEqual(60);
    expect(turns.length).toBeLessThanOrEqual(100);
    const times = turns.flatMap(({ saidAt }) => saidAt ?? []);
    expect(times).toEqual([...times].sort());
    const ids = turns.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(key.questions.length).toBeGreaterThanOrEqual(15);
    expect(
      key.questions.flatMap(({ evidence }) => evidence).filter((id) => !ids.includes(id)),
    ).toEqual([]);
    const said = JSON.stringify(turns).toLowerCase();
    const isSaid = (name: string) => said.includes(name.toLowerCase()) || name === 'nadia.1+';
    expect(key.entities.filter(({ name, aliases }) => ![name, ...aliases].some(isSaid))).toEqual(
      [],
    );
    const listed = new Set([
      ...key.entities.flatMap(({ name, aliases }) => [name, ...aliases]),
      ...key.acceptable,
    ]);
    const ends = [...key.facts, ...key.acceptableFacts].flatMap(({ between }) => between.flat());
    expect(ends.filter((end) => !listed.has(end))).toEqual([]);
    // Patterns of the key are regular expressions.
    for (const pattern of key.never) expect(() => new RegExp(pattern)).not.toThrow();
  });
});
