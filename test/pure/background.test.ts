import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, estimatedTokens, nextDay, warningsOf } from '../../src/background/background.ts';
import { afterFailure } from '../../src/background/work.ts';
import { originParams, workOf } from '../../src/runs/run/run-origin.ts';

describe('the day of a budget', () => {
  it('is a day in UTC, and the next one begins at midnight after it', () => {
    const late = Date.parse('2026-03-31T23:59:59.999Z');
    expect(dayOf(late)).toBe('2026-03-31');
    expect(nextDay(late)).toBe('2026-04-01T00:00:00.000Z');
    expect(nextDay(Date.parse('2026-04-01T00:00:00Z'))).toBe('2026-04-02T00:00:00.000Z');
  });

  it('always ends after the moment, within a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (ms) => {
        const restMs = Date.parse(nextDay(ms)) - ms;
        expect(restMs).toBeGreaterThan(0);
        expect(restMs).toBeLessThanOrEqual(86_400_000);
        expect(dayOf(ms) < dayOf(Date.parse(nextDay(ms)))).toBe(true);
      }),
    );
  });
});

it('a longer context reserves more tokens', () => {
  expect(estimatedTokens({ text: 'a'.repeat(4_000) })).toBeGreaterThan(
    estimatedTokens({ text: 'a' }) + 900,
  );
});

describe('work that failed', () => {
  const pausesOf = (kind: string, attempts: number) => {
    const state = afterFailure({ kind, attempts }, 0);
    return state === null ? null : Date.parse(state.runAt ?? '') / 60_000;
  };

  it('pauses twice as long each time, a day at most', () => {
    const pauses = [0, 1, 2, 30].map((attempts) => pausesOf('introspect', attempts));
    expect(pauses).toEqual([1, 2, 4, 24 * 60]);
  });

  it('is given up after the attempts of its kind', () => {
    expect([8, 9].map((attempts) => pausesOf('enrich entity', attempts))).toEqual([256, null]);
    expect([1, 2].map((attempts) => pausesOf('summarise memory/day', attempts))).toEqual([2, null]);
  });
});

describe('a warning', () => {
  const since = '2026-01-01T00:00:00Z';
  const fault = {
    processName: 'introspect',
    code: 'DISABLED',
    message: 'Disabled.',
    since,
    users: 2,
  };
  const waits = (processName: string, reason: 'budget' | 'fault', count: number) => ({
    processName,
    reason,
    count,
    users: 1,
    since: '2026-01-02T00:00:00Z',
  });

  it('counts the work that waits for its Process, and says how to mend it', () => {
    const waiting = [waits('introspect', 'fault', 3), waits('enrich entity', 'fault', 5)];
    expect(warningsOf([fault], waiting, '')).toEqual([
      {
        subject: 'introspect',
        message: 'introspect: Disabled. (2 users)',
        since,
        waiting: 3,
        advice: expect.stringContaining('Enable'),
      },
    ]);
  });

  it('names its Process once', () => {
    const messages = ['There is no Process named "introspect".', 'introspect answered late.'];
    const found = messages.map((message) => warningsOf([{ ...fault, message, users: 1 }], [], ''));
    expect(found.map(([warning]) => warning?.message)).toEqual(messages);
  });

  it('of the budget sums up all work that waits for tokens; the oldest comes first', () => {
    const waiting = [waits('introspect', 'budget', 1), waits('enrich entity', 'budget', 2)];
    const found = warningsOf([fault], waiting, '2026-01-03T00:00:00Z');
    expect(found.map(({ subject, waiting: count }) => [subject, count])).toEqual([
      ['introspect', 0],
      ['budget', 3],
    ]);
    expect(found[1]?.message).toContain('enrich entity, introspect wait until 2026-01-03');
  });

  it('is not given where nothing fails or waits for tokens', () => {
    expect(warningsOf([], [waits('introspect', 'fault', 1)], '')).toEqual([]);
  });
});

describe('the origin of a run', () => {
  it('is the product where the run works for something, and a user else', () => {
    expect(originParams(null)).toMatchObject({ origin: 'user', workKind: null, workId: null });
    const work = { kind: 'entity', id: 'e', name: 'Ada'.repeat(100) } as const;
    const params = originParams(work);
    expect(params.origin).toBe('system');
    expect(workOf(params)).toEqual({ ...work, name: work.name.slice(0, 200) });
    // A retry of an old background run, whose work is not known.
    expect(originParams(null, 'system').origin).toBe('system');
  });
});
