import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../../src/common/tool-fault.ts';
import { reserve, settle, type TreeBudget } from '../../src/runs/attempts/budget.ts';
import { decideClaim } from '../../src/runs/attempts/decide-claim.ts';
import type { StepRun, StepStatus } from '../../src/runs/steps/step-run.ts';

// docs/decisions/0114: the decisions between the reads and the writes of attempts.

const record = (status: StepStatus, attempt: number, more: Partial<StepRun> = {}): StepRun => ({
  ...{ runId: 'run', stepId: 'a', index: null, status, attempt, inputs: {}, inputsBlob: null },
  ...{ output: null, outputBlob: null, outputBytes: 0, outputTruncated: false, error: null },
  ...{ workerId: null, childRunId: null, usage: NO_USAGE, cached: false, note: null },
  ...{ startedAt: null, completedAt: null, ...more },
});
const error = { code: 'CANCELLED', message: 'Stopped.', stepId: 'a', details: null } as const;

describe('the claim of a step', () => {
  it.each([
    ['a step without a record', null, 'claim', 1],
    ['a step that waits for its first attempt', record('pending', 0), 'claim', 1],
    ['a step that waits for its next attempt', record('pending', 1), 'claim', 2],
    ['a step whose decision has come', record('waiting', 0), 'claim', 1],
    ['a step whose worker was lost', record('running', 1), 'claim', 2],
    ['a step whose worker was lost in its last attempt', record('running', 3), 'lost', 3],
  ] as const)('begins or ends an attempt of %s', (_, found, kind, attempt) => {
    const decision = decideClaim({ runStatus: 'running', record: found }, 3);
    expect(decision).toMatchObject({ kind, attempt });
  });

  it.each([
    ['completed', record('completed', 1)],
    ['failed', record('failed', 1, { error })],
    ['timed out', record('timed_out', 1, { error })],
    ['cancelled with its reason', record('cancelled', 1, { error })],
  ])('gives the end of a step that is %s, also after its run', (_, found) => {
    for (const runStatus of ['running', 'completed'] as const)
      expect(decideClaim({ runStatus, record: found }, 3)).toEqual({
        kind: 'ended',
        record: found,
      });
  });

  it('begins nothing in a run that is over', () => {
    for (const found of [null, record('pending', 1), record('running', 1), record('cancelled', 1)])
      expect(decideClaim({ runStatus: 'cancelled', record: found }, 3)).toEqual({ kind: 'over' });
  });
});

describe('the budget of a run tree', () => {
  const budget: TreeBudget = {
    ...{ budgetTokens: 100, budgetCostUsd: 1, budgetVersion: 0 },
    ...{ tokensUsed: 40, costUsed: 0.25, tokensReserved: 30, costReserved: 0.25 },
  };
  const none = { tokens: 0, cost: 0 };

  it('holds a call to its last token and cent, and not one more', () => {
    expect(reserve(budget, none, { tokens: 30, cost: 0.5 })).toMatchObject({
      ...{ tokensReserved: 60, costReserved: 0.75 },
    });
    expect(reserve(budget, none, { tokens: 31, cost: 0 })).toBeNull();
    expect(reserve(budget, none, { tokens: 0, cost: 0.51 })).toBeNull();
    const free = { ...budget, budgetTokens: null, budgetCostUsd: null };
    expect(reserve(free, none, { tokens: 1e9, cost: 1e9 })).not.toBeNull();
  });

  it('counts the reservation of a lost call as spent', () => {
    const lost = { tokens: 30, cost: 0.25 };
    expect(reserve(budget, lost, { tokens: 30, cost: 0.5 })).toMatchObject({
      ...{ tokensUsed: 70, tokensReserved: 30, costUsed: 0.5, costReserved: 0.5 },
    });
    expect(reserve(budget, lost, { tokens: 31, cost: 0 })).toBeNull();
  });

  it('replaces a reservation by the real cost', () => {
    expect(settle(budget, { tokens: 30, cost: 0.25 }, { tokens: 7, cost: 0.125 })).toEqual({
      ...budget,
      ...{ tokensUsed: 47, costUsed: 0.375, tokensReserved: 0, costReserved: 0 },
    });
  });
});
