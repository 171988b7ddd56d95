import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planStages } from '../../src/processes/plan.ts';

const modes = fc.array(fc.constantFrom('parallel' as const, 'sequential' as const), {
  maxLength: 60,
});
const stepsOf = (list: readonly ('parallel' | 'sequential')[]) =>
  list.map((mode, index) => ({ id: `s${index}`, execution: { mode } }));

describe('planning stages (S4-EXEC-06)', () => {
  it('neighbouring parallel steps run at once, sequential ones alone', () => {
    const steps = stepsOf([
      'parallel',
      'parallel',
      'sequential',
      'parallel',
      'sequential',
      'sequential',
    ]);
    expect(planStages(steps)).toEqual([['s0', 's1'], ['s2'], ['s3'], ['s4'], ['s5']]);
    expect(planStages([])).toEqual([]);
  });

  it('every step runs once and in the order written', () => {
    fc.assert(
      fc.property(modes, (list) => {
        const steps = stepsOf(list);
        expect(planStages(steps).flat()).toEqual(steps.map(({ id }) => id));
      }),
    );
  });

  it('two neighbours share a stage exactly where both are parallel', () => {
    fc.assert(
      fc.property(modes, (list) => {
        const stageOf = new Map(
          planStages(stepsOf(list)).flatMap((stage, at) => stage.map((id) => [id, at] as const)),
        );
        for (let index = 1; index < list.length; index++) {
          const together = stageOf.get(`s${index}`) === stageOf.get(`s${index - 1}`);
          expect(together).toBe(list[index] === 'parallel' && list[index - 1] === 'parallel');
        }
      }),
    );
  });
});
