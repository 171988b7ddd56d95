import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addFacets,
  addSummary,
  addTyping,
  chooseMaterial,
  readDescription,
} from '../../src/memory-graph/entities/enrichment.ts';
import { unkeptSummary } from '../../src/memory-graph/entities/entity-summary.ts';
import { endContradicted, isRival } from '../../src/memory-graph/entities/fact.ts';
import {
  fuzzyName,
  isDistinctive,
  isNamedIn,
  isNearName,
  jaccard,
  mayBeOneName,
  nameEntropy,
  nameKey,
  sentenceKey,
  shinglesOf,
} from '../../src/memory-graph/entities/name-match.ts';
import { briefOf } from '../../src/memory-graph/episodes/episode-name.ts';
import { readExtraction, relationName } from '../../src/memory-graph/extraction/extraction.ts';
import { resolveEntity } from '../../src/memory-graph/resolution/resolution.ts';

// Outputs of Graphiti's own functions (graphiti-core 0.31.2).
const GOLDEN = new URL('../fixtures/graphiti-golden.json', import.meta.url);
const golden = JSON.parse(readFileSync(GOLDEN, 'utf8'));

describe("names, by Graphiti's rules", () => {
  it('are equal to the results of its own functions', () => {
    for (const { name, exact, fuzzy, entropy, high_entropy, shingles } of golden.normalize) {
      expect(nameKey(name)).toBe(exact);
      expect(fuzzyName(name)).toBe(fuzzy);
      expect(nameEntropy(fuzzyName(name))).toBeCloseTo(entropy, 9);
      expect([name, isDistinctive(fuzzyName(name))]).toEqual([name, high_entropy]);
      expect([...shinglesOf(fuzzyName(name))].sort()).toEqual(shingles);
    }
    for (const { a, b, j } of golden.jaccard)
      expect(jaccard(shinglesOf(fuzzyName(a)), shinglesOf(fuzzyName(b)))).toBeCloseTo(j, 9);
  });

  it('near names are one; names that only sound of the same things are not', () => {
    expect(isNearName('International Business Machines', 'International Business Machine')).toBe(
      true,
    );
    expect(isNearName('Acme Corporation', 'Acme Corporatoin')).toBe(false);
    expect(isNearName('NYC', 'nyc')).toBe(false);
    expect(mayBeOneName('Curie', 'Marie Curie')).toBe(true);
    expect(mayBeOneName('IBM', 'International Business Machines')).toBe(true);
    expect(mayBeOneName('Pierre Curie', 'Marie Curie')).toBe(false);
    expect(mayBeOneName('', 'Marie Curie')).toBe(false);
  });

  it('a known name is found in a text as words of its own, in any script', () => {
    expect(isNamedIn('Was ADA there?', 'Ada')).toBe(true);
    expect(isNamedIn('A great addition.', 'Great')).toBe(false);
    expect(isNamedIn('A great idea. Great to hear!', 'Great')).toBe(true);
    expect(isNamedIn('We bought a mac for Mac.', 'Mac')).toBe(true);
    expect(isNamedIn('İzmir and Ada', 'Ada')).toBe(true);
    expect(isNamedIn('The Adage says', 'Ada')).toBe(false);
    expect(isNamedIn('She likes C++, too', 'C++')).toBe(true);
    expect(isNamedIn('Grace\n Hopper wrote', 'grace hopper')).toBe(true);
    expect(isNamedIn('Пришла Анна.', 'анна')).toBe(true);
    expect(isNamedIn('a b', 'a')).toBe(false);
  });
});

describe('findings of a model (issue 6, bad input)', () => {
  const output = (entities: unknown, facts: unknown = null, resolution: unknown = null) =>
    JSON.stringify({ entities, facts, resolution });
  const named = (...names: string[]) => ({
    entities: names.map((name) => ({ name, category: 'Person', summary: '' })),
  });
  const fact = (more: object = {}) => ({
    source: 'Ada',
    target: 'Turin',
    relation_type: 'lives in',
    fact: 'Ada lives in Turin.',
    valid_at: null,
    invalid_at: null,
    ...more,
  });

  it('nonsense, half a JSON and nothing are a fault and nothing else', () => {
    for (const text of [null, '', 'I am a model', '{"entities": {"ent', '[]', '42', 'null']) {
      const { entities, facts, faults } = readExtraction(text);
      expect([entities, facts, faults.length > 0], `${text}`).toEqual([[], [], true]);
    }
  });

  it('a hundred entities called the same are one; pronouns and empty names are none', () => {
    const { entities, faults } = readExtraction(
      output({
        entities: [
          ...Array.from({ length: 100 }, (_, n) => ({
            name: n % 2 === 0 ? 'Ada' : ' ADA ',
            summary: 'x',
          })),
          { name: 'she' },
          { name: '  ' },
          { name: 'x'.repeat(300) },
          { name: 7 },
        ],
      }),
    );
    expect(entities).toEqual([{ name: 'Ada', category: null, summary: 'x' }]);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.length).toBeLessThanOrEqual(50);
  });

  it('a relation to itself, to no known entity, or without words is no fact', () => {
    const { facts, faults } = readExtraction(
      output(named('Ada', 'Turin'), {
        facts: [
          fact(),
          fact({ target: 'ada' }),
          fact({ target: 'Genoa' }),
          fact({ fact: ' ', relation_type: '' }),
          fact(),
        ],
      }),
    );
    expect(facts).toMatchObject([{ source: 'Ada', target: 'Turin', relation: 'LIVES_IN' }]);
    expect(faults).toHaveLength(3);
    expect(readExtraction(output(named('Ada')), ['Turin']).facts).toEqual([]);
    const known = readExtraction(output(named('Ada'), { facts: [fact()] }), ['Turin']);
    expect(known.facts).toHaveLength(1);
  });

  it('tells a fact without a sentence by its relation; a summary is that of the model', () => {
    const { entities, facts } = readExtraction(
      output(named('Ada', 'Turin', 'Grace', 'Oslo'), {
        facts: [
          { source: 'Ada', relation: 'lives in', target: 'Turin' },
          { source: 'Grace', relation: 'WORKS_WITH', target: 'Ada', fact: '' },
          fact({ source: 'Grace', relation_type: '', fact: '' }),
        ],
      }),
    );
    expect(facts).toMatchObject([
      { relation: 'LIVES_IN', fact: 'Ada lives in Turin.', validAt: null, invalidAt: null },
      { relation: 'WORKS_WITH', fact: 'Grace works with Ada.' },
    ]);
    expect(entities.map(({ summary }) => summary)).toEqual(['', '', '', '']);
    const told = { entities: [{ name: 'Ada', summary: 'A sailor.' }, { name: 'Turin' }] };
    expect(readExtraction(output(told, { facts: [fact()] })).entities[0]?.summary).toBe(
      'A sailor.',
    );
  });

  it('a resolution may write the relation of a fact as it was read', () => {
    const pair = { fact: 'Grace WORKS_WITH Ada.', uuid: 'u1' };
    const { repeated, ended } = readExtraction(
      output(named('Ada', 'Grace'), { facts: [] }, { same: [], repeated: [pair], ended: [pair] }),
    );
    expect(repeated.get(sentenceKey('Grace works with Ada.'))).toBe('u1');
    expect(ended.get(sentenceKey('Grace works with Ada.'))).toEqual(['u1']);
  });

  it('dates that do not exist are left out, and an end before the beginning', () => {
    const read = (valid_at: string, invalid_at: string | null = null) => {
      const { facts, faults } = readExtraction(
        output(named('Ada', 'Turin'), { facts: [fact({ valid_at, invalid_at })] }),
      );
      return [facts[0]?.validAt, facts[0]?.invalidAt, faults.length];
    };
    expect(read('2026-02-30')).toEqual([null, null, 1]);
    expect(read('2026-13-01T00:00:00Z')).toEqual([null, null, 1]);
    expect(read('soon')).toEqual([null, null, 1]);
    expect(read('2026-02-28')).toEqual(['2026-02-28T00:00:00.000Z', null, 0]);
    expect(read('2026-02-28T10:00:00+02:00')).toEqual(['2026-02-28T08:00:00.000Z', null, 0]);
    expect(read('2026-02-28', '2025-01-01')).toEqual(['2026-02-28T00:00:00.000Z', null, 1]);
  });

  it('any output at all is read without a throw, and gives only fitting findings', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { entities, facts } = readExtraction(output(value, value, value));
        const keys = entities.map(({ name }) => nameKey(name));
        expect(new Set(keys).size).toBe(keys.length);
        for (const one of facts) expect(one.source).not.toBe(one.target);
      }),
    );
    expect(relationName('works at!')).toBe('WORKS_AT');
    expect(relationName('—')).toBe('RELATES_TO');
  });
});

describe('when facts hold (memory-graph 1.7)', () => {
  const NOW = '2026-06-01T00:00:00.000Z';
  const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T00:00:00.000Z`;
  const known = (uuid: string, validAt: string | null, invalidAt: string | null = null) => ({
    uuid,
    validAt,
    invalidAt,
    expiredAt: null,
    saidAt: null,
  });

  it('a newer fact ends the older where it begins; late news comes in as ended', () => {
    expect(endContradicted(known('new', day(9)), [known('old', day(3))], NOW)).toEqual([
      { uuid: 'old', invalidAt: day(9), expiredAt: NOW },
    ]);
    expect(endContradicted(known('late', day(2)), [known('old', day(3))], NOW)).toEqual([
      { uuid: 'late', invalidAt: day(3), expiredAt: NOW },
    ]);
  });

  it('a fact without a date, or one that ended before, is left alone', () => {
    expect(endContradicted(known('new', day(9)), [known('old', null)], NOW)).toEqual([]);
    expect(endContradicted(known('new', day(9)), [known('old', day(1), day(4))], NOW)).toEqual([]);
    expect(endContradicted(known('new', null), [known('old', day(3))], NOW)).toEqual([]);
  });

  it('of a relation that has one value at a time, the newer rivals the older', () => {
    const lives = { name: 'LIVES_IN', sourceUuid: 'ada', targetUuid: 'rome' };
    expect(isRival({ ...lives, name: 'MOVED_TO', targetUuid: 'turin' }, lives)).toBe(true);
    expect(isRival({ ...lives, sourceUuid: 'bob', targetUuid: 'turin' }, lives)).toBe(false);
    expect(isRival({ ...lives, name: 'LIKES', targetUuid: 'x' }, { ...lives, name: 'LIKES' })).toBe(
      false,
    );
    expect(isRival(lives, lives)).toBe(false);
  });

  it('never ends anything before it began, and never the same thing twice', () => {
    const moment = fc.option(fc.integer({ min: 1, max: 28 }).map(day), { nil: null });
    const one = (uuid: string) =>
      fc.record({
        uuid: fc.constant(uuid),
        validAt: moment,
        invalidAt: fc.constant(null),
        expiredAt: fc.constant(null),
        saidAt: moment,
      });
    fc.assert(
      fc.property(one('new'), one('a'), one('b'), (fact, a, b) => {
        const all = new Map([fact, a, b].map((each) => [each.uuid, each]));
        const changes = endContradicted(fact, [a, b], NOW);
        expect(new Set(changes.map(({ uuid }) => uuid)).size).toBe(changes.length);
        for (const { uuid, invalidAt } of changes)
          expect((all.get(uuid)?.validAt ?? '') <= (invalidAt ?? '')).toBe(true);
      }),
    );
  });
});

describe('which entity it is (S4-ENT-07)', () => {
  const candidate = (uuid: string, name: string, more: object = {}) => ({
    uuid,
    name,
    category: null,
    summary: '',
    similarity: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
    isUsers: false,
    ...more,
  });
  const ada = { name: 'Ada Lovelace', category: 'Person' as const, summary: '' };
  const rule = { threshold: 0.85, sameUuid: null };

  it('the same name first, own before others; then near, then alike, then by a model', () => {
    const pick = (candidates: ReturnType<typeof candidate>[], sameUuid: string | null = null) =>
      resolveEntity(ada, candidates, { ...rule, sameUuid })?.uuid ?? null;
    expect(
      pick([candidate('a', 'ada  lovelace'), candidate('u', 'Ada Lovelace', { isUsers: true })]),
    ).toBe('u');
    expect(pick([candidate('near', 'Ada Lovelacee')])).toBe('near');
    expect(pick([candidate('alike', 'Lovelace', { similarity: 0.9 })])).toBe('alike');
    expect(pick([candidate('far', 'Lovelace', { similarity: 0.84 })])).toBeNull();
    expect(
      pick([candidate('place', 'Lovelace', { similarity: 0.99, category: 'Place' })]),
    ).toBeNull();
    expect(pick([candidate('other', 'Charles Babbage', { similarity: 0.99 })])).toBeNull();
    expect(pick([candidate('said', 'The Countess')], 'said')).toBe('said');
    expect(pick([candidate('known', 'The Countess')], 'stranger')).toBeNull();
  });
});

describe("an Episode's name (S4-EPI-01)", () => {
  it.each([
    ['Hi! How are you? I adopted a dog called Daisy.', 'I adopted a dog called Daisy.'],
    ['Ada was born in London.', 'Ada was born in London.'],
    [
      '## Plan\n- **Ship** the [release notes](https://x.example/y) today',
      'Ship the release notes today',
    ],
    [
      '```ts\nconst answer = computeAnswer(question);\n```',
      'const answer = computeAnswer(question);',
    ],
    ['Ok. Bye.', 'Bye.'],
    ['昨日新しい仕事を始めました。とても楽しいです。', '昨日新しい仕事を始めました。'],
    ['  \n ', 'No text'],
    ['?!', 'No text'],
  ])('%j is called %j', (content, name) => {
    expect(briefOf(content)).toBe(name);
  });

  it('has at most 80 characters, cuts after a word and no character in two', () => {
    const name = briefOf(`We ${'talked about the harbour and '.repeat(20)}.`);
    expect(name).toMatch(/^We talked .*\w…$/);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (content) => {
        const brief = briefOf(content);
        expect(brief.length).toBeGreaterThan(0);
        expect(brief.length).toBeLessThanOrEqual(80);
        expect(brief.isWellFormed() || !content.isWellFormed()).toBe(true);
      }),
    );
  });

  it('takes no long time for a long text', () => {
    for (const unit of ['[', '`', '- ', 'a.', '[a](', '**'])
      expect(briefOf(unit.repeat(100_000)).length).toBeLessThanOrEqual(80);
  });
});

describe('enrichment (S4-ENT-08)', () => {
  const said = (more: object = {}) => {
    const read = readDescription(JSON.stringify({ summary: 'A poet.', ...more }));
    if (read === null) throw new Error('nothing was read');
    return read;
  };

  it('adds facets and takes none away; the category a user gave stays', () => {
    expect(addFacets({ domain: ['art'] }, { domain: ['art', 'verse'], mood: ['calm'] })).toEqual({
      domain: ['art', 'verse'],
      mood: ['calm'],
    });
    expect(addFacets(null, {})).toBeNull();
    const users = {
      category: 'Person' as const,
      confidence: { category: 1, facets: {} },
      inferredBy: 'user' as const,
    };
    expect(addTyping(users, said({ category: 'Place' }))).toMatchObject({
      category: 'Person',
      inferredBy: 'user',
    });
    expect(addTyping(null, said({ category: 'Event', confidence: 0.7 }))).toMatchObject({
      category: 'Event',
      confidence: { category: 0.7 },
      inferredBy: 'enrichment_process',
    });
    expect(addTyping(null, said())).toBeNull();
  });

  it('fills an empty summary and replaces its own, and no other', () => {
    const known = (summary: string) => ({ summary, isChosen: false });
    expect(addSummary(known(''), null, 'New.')).toBe('New.');
    expect(addSummary(known(''), 'Earlier.', 'New.')).toBe('New.');
    expect(addSummary(known('Earlier.'), 'Earlier.', 'New.')).toBe('New.');
    expect(addSummary(known('A friend.'), null, 'New.')).toBeNull();
    expect(addSummary(known('A friend.'), 'Earlier.', 'New.')).toBeNull();
    expect(addSummary(known('Earlier.\nSaid since.'), 'Earlier.', 'New.')).toBeNull();
    expect(addSummary({ summary: 'Earlier.', isChosen: true }, 'Earlier.', 'New.')).toBeNull();
  });

  it('S4-ENT-10: chooses the texts that mean the entity and stand among its relations', () => {
    const newestFirst = Array.from({ length: 60 }, (_, n) => ({
      text: n % 3 === 0 ? 'Same.' : `Text ${n}.`,
      near: n === 58 ? 0.9 : n === 1 ? null : 0.1,
      central: n === 59 ? 7 : 0,
    }));
    const chosen = chooseMaterial(newestFirst, 20).map(({ text }) => text);
    expect(chosen).toHaveLength(20);
    expect(chosen).toContain('Text 58.');
    expect(chosen).toContain('Text 59.');
    expect(chosen.filter((text) => text === 'Same.')).toHaveLength(1);
    const plain = ['b', 'a', ' '].map((text) => ({ text, near: null, central: 0 }));
    expect(chooseMaterial(plain, 20).map(({ text }) => text)).toEqual(['b', 'a']);
    expect(chooseMaterial(plain, 1).map(({ text }) => text)).toEqual(['b']);
    expect(chooseMaterial([], 20)).toEqual([]);
  });

  it('a summary that has no version becomes one before it is replaced', () => {
    const unkept = (summary: string, texts: string[], isUsers: boolean) =>
      unkeptSummary({
        summary,
        isUsers,
        versions: texts.map((text) => ({ text, author: 'user' as const })),
      });
    expect(unkept('', [], true)).toBeNull();
    expect(unkept('Mine.', ['Mine.'], true)).toBeNull();
    expect(unkept('Mine.', [], true)).toEqual({ text: 'Mine.', author: 'user' });
    expect(unkept('Read.', [], false)).toEqual({ text: 'Read.', author: 'system' });
    expect(unkept('Mine.\nRead.', ['Mine.'], true)).toMatchObject({ author: 'system' });
  });

  it('leaves out unfit values and odd descriptions; confidence has a default (S4-ENT-04)', () => {
    expect(readDescription('nonsense')).toBeNull();
    expect(readDescription('{}')).toBeNull();
    expect(
      said({ category: 'Dragon', confidence: 7, facets: { a: 'x', b: ['y'], c: [] } }),
    ).toMatchObject({
      category: null,
      confidence: 0.5,
      facets: { b: ['y'] },
    });
  });
});
