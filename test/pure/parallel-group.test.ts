import { expect, it } from 'vitest';
import { planStages } from '../../src/processes/definition/plan.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import { parallelGroupOf } from '../../src/runs/agent/parallel-group.ts';

const steps = [
  { id: 'a', execution: { mode: 'sequential' } },
  { id: 'b', execution: { mode: 'parallel' } },
  { id: 'c', execution: { mode: 'parallel' } },
  { id: 'd', execution: { mode: 'sequential' } },
  { id: 'e', execution: { mode: 'parallel' } },
] as ProcessStep[];

const groupOf = (stepId: string, index: number | null = null) =>
  parallelGroupOf(planStages(steps), 'r', { stepId, index });

// S0-TC-01
it('is the same for steps that run beside each other, and none for a step alone', () => {
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => groupOf(id))).toEqual([
    null,
    'r/stage-2',
    'r/stage-2',
    null,
    null,
  ]);
  expect([groupOf('d', 0), groupOf('d', 1)]).toEqual(['r/d', 'r/d']);
  // Rounds of an agent follow each other; the calls of one round run beside each other.
  expect([groupOf('d~1'), groupOf('d~1.0.find'), groupOf('d~1.1.look')]).toEqual([
    null,
    'r/d~1',
    'r/d~1',
  ]);
});
