import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextItems, type PathRow, sumTokens } from '../../src/working-memory/context.ts';
import {
  nextPosition,
  readNotes,
  replacementWarning,
} from '../../src/working-memory/introspections/introspection.ts';
import {
  applySummaries,
  checkPlace,
  type SummaryRecord,
  turnEpisodesOf,
} from '../../src/working-memory/summaries/summary.ts';
import {
  type CompressionPlan,
  compressionContext,
  planCompression,
  planOnDemand,
  summaryFault,
} from '../../src/working-memory/upkeep/compression.ts';
import { workingMemoryOf } from '../../src/working-memory/working-memory.ts';

const turnsOf = (count: number, content = (n: number) => `said as ${n}`): PathRow[] =>
  Array.from({ length: count }, (_, n) => ({
    turnId: `t${n}`,
    alternativeId: `a-${content(n)}`,
    episodeId: `e${n}`,
    speaker: n % 2 === 0 ? 'user' : 'agent',
    content: content(n),
    outcome: 'completed',
    isStale: false,
  }));
const summaryOf = (id: string, sources: readonly string[], level = 1): SummaryRecord => ({
  id,
  compressionLevel: level,
  createdAt: '2026-01-01T00:00:00.000Z',
  isDeleted: false,
  sources: [...sources],
  episodes: [`of-${id}`],
  content: `summary ${id}`,
});

/**
 * Summaries of random turns and of one another, in the order they were made; each of turns that
 * were said.
 */
const stacks = fc
  .array(
    fc.record({
      sources: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 6 }),
      isDeleted: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((made) =>
    made.map(({ sources, isDeleted }, index): SummaryRecord => {
      // Above 20 it is a summary made before.
      const uuids = sources.map((n) => (n <= 20 || index === 0 ? `e${n}` : `of-s${n % index}`));
      return { ...summaryOf(`s${index}`, [...new Set(uuids)]), isDeleted };
    }),
  );

describe('which summaries apply (docs/decisions/0020)', () => {
  it('no turn is stood for twice; each summary lies on the path with its sources', () => {
    fc.assert(
      fc.property(
        stacks,
        fc.subarray(Array.from({ length: 31 }, (_, n) => `e${n}`)),
        (all, path) => {
          const applied = applySummaries(path, all);
          const turns = turnEpisodesOf(all);
          const covered = applied.flatMap(({ turnEpisodes }) => turnEpisodes);
          expect(new Set(covered).size).toBe(covered.length);
          expect(covered.every((uuid) => path.includes(uuid))).toBe(true);
          for (const { id, isDeleted, turnEpisodes } of applied) {
            expect(isDeleted).toBe(false);
            expect([...turnEpisodes].sort()).toEqual([...(turns.get(id) ?? [])].sort());
          }
          // The sources of an applied Summary are not listed themselves.
          const sources = new Set(applied.flatMap((one) => one.sources));
          expect(applied.some(({ episodes }) => episodes.some((uuid) => sources.has(uuid)))).toBe(
            false,
          );
          // One that fits and is left out shares a turn with one that is listed.
          for (const one of all) {
            const own = turns.get(one.id) ?? [];
            if (one.isDeleted || own.length === 0 || !own.every((uuid) => path.includes(uuid)))
              continue;
            expect(own.some((uuid) => covered.includes(uuid))).toBe(true);
          }
        },
      ),
    );
  });

  it('S4-WM-05: each turn of the path is in the context once, and its tokens counted', () => {
    fc.assert(
      fc.property(stacks, fc.integer({ min: 0, max: 31 }), (summaries, length) => {
        const path = turnsOf(length);
        const items = contextItems(path, summaries);
        const stoodFor = items.flatMap((item) =>
          item.kind === 'summary' ? item.summary.turnEpisodes : [item.episodeId ?? ''],
        );
        expect([...stoodFor].sort()).toEqual(path.map(({ episodeId }) => episodeId ?? '').sort());
        const conversation = { id: 'c', updatedAt: '2026-01-01T00:00:00.000Z' };
        const memory = workingMemoryOf({ conversation, path, summaries });
        expect(memory.totalTokens).toBe(sumTokens(memory.messages));
        expect(memory.tokenBreakdown.summaries + memory.tokenBreakdown.immediatePath).toBe(
          memory.totalTokens,
        );
        expect(memory.immediatePath.length + memory.summaries.length).toBe(items.length);
      }),
    );
  });

  it('S4-SUM-03: a Summary of turns without one is accepted, and a second one is not', () => {
    const path = turnsOf(6).map(({ turnId, episodeId }) => ({
      turnId,
      episodes: [{ uuid: episodeId ?? '', isActive: true }],
    }));
    const at = (sources: string[], coversUpToId: string) => ({ sources, coversUpToId, path });
    expect(checkPlace(at(['e0', 'e1'], 't1'), [])).toEqual([]);
    const one = summaryOf('s', ['e0', 'e1']);
    const codes = (sources: string[], coversUpToId: string) =>
      checkPlace(at(sources, coversUpToId), [one]).map(
        ({ code, path: where }) => `${code} ${where.join('.')}`,
      );
    expect(codes(['e0', 'e1'], 't1')).toEqual(['CONFLICT sourceEpisodeIds.0']);
    expect(codes(['e1', 'e2'], 't2')).toEqual(['CONFLICT sourceEpisodeIds.0']);
    expect(codes(['of-s', 'e2'], 't2')).toEqual([]);
    expect(codes(['of-s', 'e1'], 't1')).toEqual(['INVALID sourceEpisodeIds.1']);
    expect(codes(['e2', 'of-s'], 't2')).toEqual(['INVALID sourceEpisodeIds.1']);
  });
});

describe('the choice of turns to compress (S4-SUM-08)', () => {
  /** A conversation that goes on, with a model that uses all it may. */
  function goesOn(turns: number, threshold: number, words: (n: number) => number) {
    const summaries: SummaryRecord[] = [];
    const path: PathRow[] = [];
    const after: number[] = [];
    for (const row of turnsOf(turns, (n) => `${'word '.repeat(words(n))}${n}`)) {
      path.push(row);
      for (let rounds = 0; ; rounds++) {
        const items = contextItems(path, summaries);
        const plan = planCompression(items, { fixedTokens: 0, threshold });
        if (plan === null) break;
        if (rounds > 20) throw new Error('It goes on compressing.');
        summaries.push(made(plan, summaries.length));
      }
      after.push(sumTokens(contextItems(path, summaries)));
    }
    return { summaries, after };
  }
  function made({ sources, items, maxTokens }: CompressionPlan, nth: number): SummaryRecord {
    const level = Math.max(...items.map(({ level: one }) => one)) + 1;
    const content = 'said '.repeat(maxTokens - 1).trim();
    return { ...summaryOf(`s${nth}`, sources, level), content };
  }

  it('S4-SUM-02: a long talk stays under its threshold, and its summaries stack', () => {
    const { summaries, after } = goesOn(600, 1_000, (n) => 10 + (n % 40));
    expect(Math.max(...after)).toBeLessThanOrEqual(1_000);
    expect(Math.max(...summaries.map(({ compressionLevel }) => compressionLevel))).toBeGreaterThan(
      2,
    );
  });

  it('never goes on for ever, whatever the turns are like, and its plan is worth it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(200), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 100, max: 800 }),
        (words, threshold) => {
          const { summaries } = goesOn(words.length, threshold, (n) => words[n] ?? 0);
          expect(summaries.length).toBeLessThanOrEqual(words.length * 2);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('leaves alone paths under the threshold, open turns, and turns without an Episode', () => {
    const long = turnsOf(10, (n) => `${'word '.repeat(100)}${n}`);
    const plan = (path: readonly PathRow[], threshold: number, fixedTokens = 0) =>
      planCompression(contextItems(path, []), { fixedTokens, threshold });
    expect(plan(long, 10_000)).toBeNull();
    expect(plan(long, 10_000, 9_500)).not.toBeNull();
    expect(plan(long.slice(0, 2), 100)).toBeNull();
    const planned = plan(long, 500);
    expect(planned?.sources).toEqual(long.slice(0, -2).map(({ episodeId }) => episodeId));
    expect(planned?.coversUpToId).toBe('t7');
    const unbound = long.map((row, n) => (n === 3 ? { ...row, episodeId: null } : row));
    expect(plan(unbound, 500)?.sources).toEqual(['e0', 'e1', 'e2']);
  });

  it('on demand: turns first, then the summaries, then nothing', () => {
    const path = turnsOf(4);
    const items = (summaries: SummaryRecord[]) => contextItems(path, summaries);
    expect(planOnDemand(items([]))?.sources).toEqual(['e0', 'e1', 'e2', 'e3']);
    const [one, two] = [summaryOf('s1', ['e0', 'e1']), summaryOf('s2', ['e2', 'e3'])];
    expect(planOnDemand(items([one]))?.sources).toEqual(['e2', 'e3']);
    const both = planOnDemand(items([one, two]));
    expect(both?.sources).toEqual(['of-s1', 'of-s2']);
    expect(compressionContext(both as CompressionPlan)).toMatchObject({ level: 2 });
    expect(planOnDemand(items([summaryOf('s3', ['e0', 'e1', 'e2', 'e3'])]))).toBeNull();
    expect(planOnDemand([])).toBeNull();
  });

  it('takes no summary that says nothing, or no less than was said', () => {
    const task = { sources: [], coversUpToId: '', sourceTokens: 10, maxTokens: 5 };
    expect(summaryFault('In short.', task)).toBeNull();
    expect(summaryFault('  ', task)).toMatch(/says nothing/);
    expect(summaryFault(null, task)).toMatch(/says nothing/);
    expect(summaryFault('word '.repeat(20), task)).toMatch(/no shorter/);
  });
});

describe('the carousel (S4-INTR-02)', () => {
  const note = (position: number, nth: number) => ({
    id: `n${nth}`,
    position,
    createdAt: new Date(nth * 1_000).toISOString(),
    episodeUuid: `e${nth}`,
    content: `note ${nth}`,
  });

  it('a place that is free comes first, else the oldest goes, so that notes go round', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 40 }),
        (places, count) => {
          let notes: ReturnType<typeof note>[] = [];
          for (let nth = 0; nth < count; nth++) {
            const position = nextPosition(notes, places);
            expect(position).toBe(nth % places);
            notes = [...notes.filter((one) => one.position !== position), note(position, nth)];
          }
          expect(notes.length).toBe(Math.min(places, count));
        },
      ),
    );
  });

  it('S4-INTR-09: says which note would go, or that none would', () => {
    expect(replacementWarning([note(0, 1)], 2)).toMatch(/^Position 1 is free/);
    expect(replacementWarning([note(0, 2), note(1, 1)], 2)).toMatch(
      /^Position 1 will be replaced.*note 1$/,
    );
  });

  it('S4-INTR-01: reads notes that can be written, and no others', () => {
    const read = (value: unknown) => readNotes(JSON.stringify(value), 3);
    expect(read({ notes: [{ content: ' x ' }, { content: 'y', position: 2 }] })).toEqual({
      notes: [
        { content: 'x', position: null },
        { content: 'y', position: 2 },
      ],
    });
    const faulty: unknown[] = [
      null,
      [],
      { notes: 'x' },
      { notes: [] },
      { notes: [{ content: 1 }] },
      { notes: [{ content: '' }] },
      { notes: [{ content: 'x', position: 3 }] },
      { notes: [{ content: 'x', position: 0.5 }] },
      { notes: [{ content: 'x'.repeat(2_001) }] },
      { notes: Array.from({ length: 4 }, () => ({ content: 'x' })) },
      {
        notes: [
          { content: 'x', position: 1 },
          { content: 'y', position: 1 },
        ],
      },
    ];
    for (const value of faulty) expect(read(value)).toEqual({ fault: expect.stringMatching(/./) });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.constant(null)), (text) => {
        const notes = readNotes(text, 3);
        expect('fault' in notes || notes.notes.length > 0).toBe(true);
      }),
    );
  });
});
