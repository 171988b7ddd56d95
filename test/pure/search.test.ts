import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_SCALE,
  type MeaningScale,
  PROBE_TEXTS,
  scaleOf,
} from '../../src/memory-graph/embeddings/meaning-scale.ts';
import type { Candidate } from '../../src/memory-graph/search/candidate.ts';
import { fuse, rank } from '../../src/memory-graph/search/rank.ts';
import { sentenceOf } from '../../src/memory-graph/search/relevance.ts';
import { mmr, rerank } from '../../src/memory-graph/search/rerank.ts';
import { searchQueryOf } from '../../src/memory-graph/search/search-query.ts';

const GOLDEN = new URL('../fixtures/graphiti-golden.json', import.meta.url);
const golden = JSON.parse(readFileSync(GOLDEN, 'utf8'));

interface About {
  readonly userName?: string;
  readonly scale?: MeaningScale;
  readonly isFused?: boolean;
  readonly stretches?: readonly (readonly [string, number])[];
}
const answer = (candidates: readonly Candidate[], query: string, about: About = {}) => {
  const { userName = 'ada', scale = DEFAULT_SCALE, stretches = [] } = about;
  const all = { candidates, stretches: new Map(stretches) };
  return rank(searchQueryOf(query, userName), all, scale, about.isFused);
};
const search = (...of: Parameters<typeof answer>) => answer(...of).ranked;
const found = (
  kind: Candidate['kind'],
  uuid: string,
  text: string,
  more: Partial<Candidate> = {},
): Candidate => ({
  kind,
  uuid,
  text,
  method: 'words',
  score: 1,
  ...(kind === 'episode' && { window: text }),
  ...more,
});

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

describe('relevance on one scale for all kinds (S4-EPI-05, docs/decisions/0029)', () => {
  it('loses and doubles no result, whichever methods found it', () => {
    const candidate = fc.record({
      kind: fc.constantFrom('entity' as const, 'fact' as const, 'episode' as const),
      uuid: fc.constantFrom('a', 'b', 'c', 'd'),
      method: fc.constantFrom('words' as const, 'meaning' as const, 'graph' as const),
      score: fc.double({ min: 0.1, max: 5, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(candidate), fc.string(), (all, query) => {
        const unique = new Map(all.map((one) => [`${one.kind}/${one.uuid}/${one.method}`, one]));
        const given = [...unique.values()].map((one) => ({ ...one, text: `Text of ${one.uuid}.` }));
        const wanted = new Set(given.map(({ kind, uuid }) => `${kind}/${uuid}`));
        for (const ranked of [search(given, query), search(given, query, { isFused: true })]) {
          const keys = ranked.map(({ kind, uuid }) => `${kind}/${uuid}`);
          expect(keys).toHaveLength(wanted.size);
          expect(new Set(keys)).toEqual(wanted);
          for (const one of ranked) {
            const ways = given.filter(({ kind, uuid }) => kind === one.kind && uuid === one.uuid);
            expect(one.matched).toHaveLength(ways.length);
            expect(one.score).not.toBeNaN();
          }
          const again = rerank(ranked, new Map(keys.slice(0, 2).map((key, at) => [key, at])));
          expect(again.map(({ kind, uuid }) => `${kind}/${uuid}`).toSorted()).toEqual(
            keys.toSorted(),
          );
          const scores = again.map(({ score }) => score);
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        }
      }),
    );
  });

  it('puts no hit of a kind first only because it is the best of its kind', () => {
    const ranked = search(
      [
        found('fact', 'breed', 'Daisy is a Labrador.', { score: 9 }),
        found('entity', 'daisy', 'Daisy: A dog.', { score: 9 }),
        found('episode', 'lake', 'I took Daisy to the lake, she swam for the first time.'),
        found('episode', 'vet', 'The vet gave her the last vaccination on Tuesday.'),
      ],
      'When did Daisy swim in the lake?',
    );
    expect(ranked[0]?.uuid).toBe('lake');
  });

  it('keeps an entity whose summary repeats the talk behind the turn that answers', () => {
    const said = [
      'We have a problem with the nightly import.',
      'It was reported by Priya, 1,200 invoices are missing each morning.',
      'Please run the tests of the import.',
      'The import worker runs on plum-3.',
    ];
    const summary = `ruben: ${said.join(' / ')}`;
    const candidates = [
      found('entity', 'ruben', summary, { score: 9 }),
      ...said.map((text, at) => found('episode', `t${at}`, text)),
    ];
    for (const [query, answer] of [
      ['Who reported the missing invoices?', 't1'],
      ['On which machine does the import worker run?', 't3'],
    ] as const)
      expect(search(candidates, query, { userName: 'ruben' })[0]?.uuid).toBe(answer);
  });

  it('explains a result to a person', () => {
    const [first] = search(
      [
        found('episode', 'lake', 'James: Daisy swam in the lake.', { near: 0.9 }),
        found('episode', 'other', 'John: It is late.', { near: 0.2 }),
      ],
      'Where did James let Daisy swim?',
    );
    expect(sentenceOf(first?.reasons ?? [])).toBe(
      'It has the words james, daisy, swim, is similar in meaning (0.90), is near text that ' +
        'has words of the query, and was said by the speaker in the query.',
    );
    expect(first?.reasons.every(({ points }) => points > 0)).toBe(true);
    expect(sentenceOf([])).toBe('');
  });

  it('shows equal texts once, with all ids: event and Episode, fork and origin', () => {
    const text = 'Daisy swam in the lake.';
    const ranked = search(
      [
        found('event', 'E1', text),
        found('episode', 'copy', text, { createdAt: '2026-02-01T00:00:00Z', score: 3 }),
        found('episode', 'original', `${text}\n`, { createdAt: '2026-01-01T00:00:00Z' }),
        found('entity', 'one', text),
        found('entity', 'two', text),
      ],
      'lake',
    );
    const said = ranked.find(({ kind }) => kind === 'episode');
    expect(said).toMatchObject({
      uuid: 'original',
      same: [
        { kind: 'episode', uuid: 'copy' },
        { kind: 'event', uuid: 'E1' },
      ],
    });
    expect(ranked.filter(({ kind }) => kind === 'entity')).toHaveLength(2);
    expect(ranked).toHaveLength(3);
  });

  it("keeps an agent's answer of which only the name or the number is its own", () => {
    const of = (uuid: string, text: string, speaker: string) =>
      found('episode', uuid, text, { speaker });
    const told = [
      of('kettle', 'The copper kettle of engine 12 stands in Ghent.', 'user'),
      of('order', 'Order A-7 was shipped to the shop on pallet 3.', 'user'),
    ];
    const own = of('own', 'The copper kettle of engine 34 stands in Bruges.', 'agent');
    const first = (query: string, agent: Candidate) => search([...told, agent], query)[0];
    expect(first('Where does the kettle of engine 34 stand?', own)).toMatchObject({
      ...{ uuid: 'own', fits: true },
    });
    const order = of('own', 'Order A-9 was shipped to the shop on pallet 5.', 'agent');
    expect(first('On which pallet is order A-9?', order)?.uuid).toBe('own');
    const echo = of('echo', 'The copper kettle of engine 12 stands in Ghent.', 'agent');
    expect(first('Where does the kettle of engine 12 stand?', echo)?.uuid).toBe('kettle');
  });

  it('puts a question that only repeats the query behind its answer, and behind all others', () => {
    const query = 'What are the names of my dogs?';
    const ranked = search(
      [
        found('episode', 'asked', query, { speaker: 'user' }),
        found('episode', 'before', 'Tell me the names of my dogs', { speaker: 'user' }),
        found('episode', 'answer', 'I have two dogs, Daisy and Max.', {
          speaker: 'user',
        }),
        found('episode', 'other', 'Dogs bark.', { speaker: 'agent' }),
      ],
      query,
    );
    expect(ranked.map(({ uuid }) => uuid).slice(0, 2)).toEqual(['answer', 'other']);
  });

  it('does not take an earlier question for an answer', () => {
    const query = 'What is my dog called?';
    const turns = [
      found('episode', 'asked', query, { speaker: 'user' }),
      found('episode', 'flat', 'I rent a flat in Leeds.', {
        ...{ speaker: 'user', window: `I rent a flat in Leeds.\n${query}` },
      }),
    ];
    expect(answer(turns, query)).toMatchObject({ answerable: false });
    const told = found('episode', 'told', 'My dog is called Rex.', { speaker: 'user' });
    expect(answer([...turns, told], query)).toMatchObject({ answerable: true });
  });

  it('prefers the speaker that the query names, by label, by user name or by person', () => {
    const [label, user, agent] = [
      found('episode', 'label', 'James: A trip to Rome is planned.'),
      found('episode', 'user', 'The trip to Rome is planned.', { speaker: 'user' }),
      found('episode', 'agent', 'Such a trip to Rome is planned.', {
        speaker: 'agent',
      }),
    ];
    const first = (query: string) => search([agent, user, label], query)[0]?.uuid;
    expect(first('Which trip does James plan?')).toBe('label');
    expect(first('Which trip does Ada plan?')).toBe('user');
    expect(first('Which trip did I plan?')).toBe('user');
    expect(first('Which trip did you plan?')).toBe('agent');
    const tests = [
      found('episode', 'no-label', 'One test of Rome fails: it waits.'),
      found('episode', 'other', 'The trip to Rome is planned.'),
    ];
    const [hit] = search(tests, 'Which test of Rome fails?').filter(
      ({ uuid }) => uuid === 'no-label',
    );
    expect(hit?.reasons.map(({ measure }) => measure)).not.toContain('speaker');
  });

  it('counts meaning as much as the model can tell texts apart', () => {
    const candidates = [
      found('episode', 'words', 'The cat sat.', { near: 0.1 }),
      found('episode', 'meaning', 'A kitten rests.', { near: 0.9, method: 'meaning', score: 0.9 }),
    ];
    const first = (power: number) =>
      search(candidates, 'cat', { scale: { usual: 0.1, spread: 0.1, power } })[0]?.uuid;
    expect(first(0)).toBe('words');
    expect(first(0.3)).toBe('words');
    const many = Array.from({ length: 30 }, (_, at) =>
      found('episode', `n${at}`, 'The cat sat there again.', { near: 0.1 }),
    );
    const best = (power: number) =>
      search([...candidates, ...many], 'cat', { scale: { usual: 0.1, spread: 0.1, power } })[0]
        ?.uuid;
    expect(best(3)).toBe('meaning');
    expect(best(0)).not.toBe('meaning');
  });

  it('does not let an average surrounding outvote words: a stretch decides between equals', () => {
    const candidates = [
      found('episode', 'apart', 'Radium glows.', { stretch: 's1' }),
      found('episode', 'amid', 'Radium glows here.', { stretch: 's2' }),
      found('episode', 'weak', 'Hello there.', { stretch: 's2' }),
    ];
    const order = (stretches: [string, number][]) =>
      search(candidates, 'radium', { stretches }).map(({ uuid }) => uuid);
    expect(order([['s2', 9]])).toEqual(['amid', 'apart', 'weak']);
    expect(order([['s1', 9]])[0]).toBe('apart');
    expect(search(candidates, 'radium', { stretches: [['s2', 9]] })[0]?.matched).toEqual(
      ['words #1', 'around #1'].map((one) => expect.stringMatching(one.replace('#1', '#\\d'))),
    );
  });
});

it('measures how well a model tells an answer from other sentences (docs/decisions/0029)', () => {
  const size = (PROBE_TEXTS.length - 8) / 2;
  // A blind model: vectors that have nothing to do with the texts.
  const blind = PROBE_TEXTS.map((_text, at) =>
    Array.from({ length: 60 }, (_, axis) => Math.sin((at + 1) * (axis + 1) ** 2 * 12.9898)),
  );
  // A seeing model: a question and its answer point the same way.
  const seeing = PROBE_TEXTS.map((_text, at) =>
    Array.from({ length: 60 }, (_, axis) =>
      axis === (at < 2 * size ? at % size : at - size) ? 1 : 0.1 * Math.sin(at + axis),
    ),
  );
  expect(scaleOf(blind).power).toBeLessThan(0.5);
  expect(scaleOf(seeing).power).toBeGreaterThan(3);
  const same = scaleOf(PROBE_TEXTS.map(() => [1, 0]));
  expect(same).toMatchObject({ power: 0 });
  expect(same.usual).toBeCloseTo(1);
});
