import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Alternative,
  cacheStatusOf,
  type SpokenEntry,
  spokenText,
} from '../../src/conversations/alternative.ts';
import { copiedAlternatives } from '../../src/conversations/fork.ts';
import { continuationOf, type Reply } from '../../src/conversations/path.ts';
import { checkContent } from '../../src/conversations/turn.ts';
import type { PathRow } from '../../src/working-memory/context.ts';
import { workingMemoryOf } from '../../src/working-memory/working-memory.ts';

const replies = (...told: readonly (readonly [id: string, answers: string, how?: string])[]) =>
  told.map(
    ([id, answers, how = ''], index): Reply => ({
      id,
      answers,
      createdAt: `2026-01-01T00:00:${String(index).padStart(2, '0')}Z`,
      isActive: how !== '',
      isShown: how === 'shown',
    }),
  );

describe('a version that comes back (S4-ALT-04)', () => {
  it('brings the talk that followed it, by the newest reply at each place', () => {
    const all = replies(['b1', 'a'], ['b2', 'a'], ['c1', 'b1'], ['c2', 'b2'], ['d', 'c2']);
    expect(continuationOf('a', all)).toEqual(['b2', 'c2', 'd']);
    expect(continuationOf('d', all)).toEqual([]);
  });

  it('keeps the reply that is chosen, and the one on screen before that', () => {
    const chosen = replies(['b1', 'a', 'active'], ['b2', 'a'], ['c', 'b1']);
    expect(continuationOf('a', chosen)).toEqual(['b1', 'c']);
    const shown = replies(['b1', 'a', 'shown'], ['b2', 'a', 'active']);
    expect(continuationOf('a', shown)).toEqual(['b1']);
  });

  it('ends where stored data has a circle', () => {
    expect(continuationOf('a', replies(['b', 'a'], ['a', 'b']))).toEqual(['b', 'a']);
  });
});

it('S4-ALT-07: a version is generating until its run ends, and then stale or valid', () => {
  for (const isStale of [true, false]) {
    expect(cacheStatusOf({ outcome: null, isStale })).toBe('generating');
    expect(cacheStatusOf({ outcome: 'failed', isStale })).toBe(isStale ? 'stale' : 'valid');
  }
});

describe('the text of a run', () => {
  const text = (said: string, attempt = 1, channel = 'text'): SpokenEntry => ({
    kind: 'step.text',
    payload: { stepId: 'a', index: null, attempt, text: said, channel },
  });
  const ended = (status: string, more: object = {}): SpokenEntry => ({
    kind: 'step.ended',
    payload: { stepId: 'a', index: null, attempt: 1, status, speaks: true, ...more },
  });

  it('is its pieces in order, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (pieces) => {
        expect(spokenText(pieces.map((piece) => text(piece)))).toBe(pieces.join(''));
      }),
    );
  });

  it('leaves out failed attempts, text that a repair took back, and reasoning', () => {
    expect(spokenText([text('wrong'), ended('failed'), text('right', 2)])).toBe('right');
    expect(spokenText([text('wrong'), text('right', 2)])).toBe('right');
    expect(spokenText([text('wrong'), ended('failed')])).toBe('');
    expect(spokenText([text('half'), ended('cancelled')])).toBe('half');
    const reset = { kind: 'step.progress', payload: { stepId: 'a', index: null, attempt: 1 } };
    expect(spokenText([text('{bad'), reset, text('{}')])).toBe('{}');
    expect(spokenText([text('hm', 1, 'reasoning'), text('yes')])).toBe('yes');
    const cached = { cached: true, output: { value: 'known' } };
    expect(spokenText([ended('completed', cached)])).toBe('known');
  });
});

it('S4-WM-03, -05: the parts make up the total; a model gets valid, complete turns', () => {
  const row = fc.record({
    speaker: fc.constantFrom('user' as const, 'agent' as const, 'system' as const),
    content: fc.string(),
    outcome: fc.constantFrom('completed' as const, 'failed' as const, null),
    isStale: fc.boolean(),
  });
  let made = 0;
  const paths = fc.array(row).map((rows) =>
    rows.map(
      (one, index): PathRow => ({
        ...one,
        turnId: `t${index}`,
        alternativeId: `a${made++}`,
        episodeId: null,
      }),
    ),
  );
  const reference = fc.record({
    entityUuid: fc.uuid(),
    name: fc.string({ minLength: 1 }),
    category: fc.constantFrom('Person', null),
    relevanceScore: fc.double({ min: 0, max: 1, noNaN: true }),
    source: fc.constantFrom('user' as const, 'graphiti' as const),
    addedAt: fc.constant('2026-01-01T00:00:00.000Z'),
    includeSummary: fc.boolean(),
    includeFacets: fc.boolean(),
    pinned: fc.boolean(),
    includeRelationships: fc.boolean(),
    summary: fc.string(),
    facets: fc.constantFrom({ domain: ['one', 'two'] }, null),
    facts: fc.array(fc.string()),
    mentionedIn: fc.constant([]),
  });
  fc.assert(
    fc.property(paths, fc.array(reference), (path, active) => {
      const at = { id: 'c', updatedAt: '2026-01-01T00:00:00.000Z' };
      const memory = workingMemoryOf({ conversation: at, path, active });
      const sum = Object.values(memory.tokenBreakdown).reduce((a, b) => a + b);
      expect(memory.totalTokens).toBe(sum);
      expect(memory.messages.reduce((total, { tokens }) => total + tokens, 0)).toBe(sum);
      const taken = path.filter((one) => one.outcome === 'completed' && !one.isStale);
      expect(memory.immediatePath.map(({ turnId }) => turnId)).toEqual(
        taken.map((one) => one.turnId),
      );
      expect(memory.excludedStale).toHaveLength(path.filter(({ isStale }) => isStale).length);
    }),
  );
});

it('a fork copies the parent of each copy, so each answer in it has its question', () => {
  const shapes = fc.array(
    fc.record({
      versions: fc.integer({ min: 1, max: 4 }),
      active: fc.nat(),
      answers: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(shapes, fc.nat(), (shape, endPick) => {
      const path = shape.map((_, depth) => `t${depth}`);
      type Known = Pick<
        Alternative,
        'id' | 'turnId' | 'sequence' | 'isActive' | 'respondsToId' | 'outcome'
      >;
      const all: Known[] = shape.flatMap(({ versions, active, answers }, depth) =>
        Array.from({ length: versions }, (_, n) => ({
          id: `t${depth}-${n}`,
          turnId: `t${depth}`,
          sequence: n + 1,
          isActive: n === active % versions,
          outcome: 'completed' as const,
          respondsToId:
            depth === 0
              ? null
              : `t${depth - 1}-${(answers[n] ?? 0) % (shape[depth - 1]?.versions ?? 1)}`,
        })),
      );
      const ends = all.filter(({ turnId }) => turnId === path.at(-1));
      const endId = ends[endPick % ends.length]?.id ?? '';
      const copied = copiedAlternatives(path, all, endId) ?? [];
      const ids = new Set(copied.map(({ id }) => id));
      for (const { respondsToId } of copied)
        if (respondsToId !== null) expect(ids).toContain(respondsToId);
      for (const turnId of path)
        expect(copied.filter((one) => one.turnId === turnId && one.isShown)).toHaveLength(1);
      expect(copied.find(({ id }) => id === endId)?.isShown).toBe(true);
      const shown = copied.filter(({ isShown }) => isShown);
      for (const [index, one] of shown.entries())
        expect(one.respondsToId).toBe(shown[index - 1]?.id ?? null);
      if (path.length > 1) expect(copiedAlternatives(path, all, 't0-0')).toBeNull();
    }),
  );
});

it('content is bounded by its bytes', () => {
  expect(checkContent('x'.repeat(262_144))).toEqual([]);
  expect(checkContent('x'.repeat(262_145)).map(({ code }) => code)).toEqual(['INVALID']);
  expect(checkContent('😀'.repeat(65_537)).map(({ code }) => code)).toEqual(['INVALID']);
  expect(checkContent('\n ').map(({ code }) => code)).toEqual(['REQUIRED']);
});
