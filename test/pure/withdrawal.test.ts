import { describe, expect, it } from 'vitest';
import { factsText } from '../../src/memory-graph/entities/facts-text.ts';
import {
  type Ends,
  type Standing,
  settledFact,
} from '../../src/memory-graph/withdrawal/withdrawal.ts';

// Issue 42: what only turns tell that are not on screen is hidden, and comes back with them.

const day = (date: string) => `${date}T00:00:00.000Z`;
const [BEGAN, NOW] = [day('2024-05-01'), day('2026-11-01')];
const open: Ends = { invalidAt: null, expiredAt: null };
const ended: Ends = { invalidAt: day('2025-01-01'), expiredAt: day('2025-01-02') };
const fact = (more: Partial<Standing>): Standing => ({
  ...{ uuid: 'fact', isTold: true, isWithdrawn: false, beganAt: BEGAN, ends: open, revisions: [] },
  ...more,
});
const by = (isTold: boolean, more: object = {}) => ({
  before: open,
  after: ended,
  isTold,
  ...more,
});
const settle = (more: Partial<Standing>) => {
  const settled = settledFact(fact(more), NOW);
  return settled === null ? null : [settled.isWithdrawn, settled.held, settled.shown];
};

describe('a fact by the turns on screen', () => {
  it('that none tells ends where it began, and comes back as it was', () => {
    const gone = { invalidAt: BEGAN, expiredAt: NOW };
    expect(settle({ isTold: false, ends: ended })).toEqual([true, ended, gone]);
    expect(settle({ isTold: false, isWithdrawn: true, ends: ended })).toBeNull();
    expect(settle({ isWithdrawn: true, ends: ended })).toEqual([false, ended, ended]);
    expect(settle({})).toBeNull();
  });

  it('whose end no turn on screen caused holds again, until it is caused again', () => {
    expect(settle({ ends: ended, revisions: [by(false)] })).toEqual([false, open, open]);
    expect(settle({ ends: open, revisions: [by(true)] })).toEqual([false, ended, ended]);
    expect(settle({ ends: ended, revisions: [by(true)] })).toBeNull();
    // Revisions of older versions do not say what they wrote.
    expect(settle({ ends: ended, revisions: [by(true, { after: null })] })).toBeNull();
    expect(settle({ ends: ended, revisions: [by(false, { after: null })] })?.[1]).toEqual(open);
  });

  it('ends by the newest of its changes that stands', () => {
    const later = { invalidAt: day('2026-01-01'), expiredAt: day('2026-01-02') };
    const second = { before: ended, after: later, isTold: false };
    expect(settle({ ends: later, revisions: [by(true), second] })?.[1]).toEqual(ended);
    const both = [by(false), { ...second, isTold: true }];
    expect(settle({ ends: later, revisions: both })).toBeNull();
  });
});

it('a summary has what holds, with its dates, the newest first, within its bounds', () => {
  const facts = [
    { fact: 'Ida lives in Turku.', validAt: day('2024-05-01'), invalidAt: day('2025-01-01') },
    { fact: 'Ida works at Nokia.', validAt: day('2025-03-02'), invalidAt: null },
    { fact: 'Ida moved to Oulu on 1 June 2025.', validAt: day('2025-06-01'), invalidAt: null },
    { fact: 'Ida teaches.', validAt: day('2027-02-01'), invalidAt: day('2027-08-01') },
    { fact: 'Ida has a boat.', validAt: null, invalidAt: null },
  ];
  expect(factsText(facts, NOW, 1_000).split('\n')).toEqual([
    'Ida teaches (from 1 February 2027, until 1 August 2027).',
    'Ida has a boat.',
    'Ida moved to Oulu on 1 June 2025.',
    'Ida works at Nokia (since 2 March 2025).',
  ]);
  expect(factsText(facts, NOW, 80).length).toBeLessThanOrEqual(80);
  expect(factsText([], NOW, 80)).toBe('');
});
