import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planProcess, planStages } from '../../src/processes/definition/plan.ts';

const modes = fc.array(fc.constantFrom('parallel' as const, 'sequential' as const), {
  maxLength: 60,
});
const stepsOf = (list: readonly ('parallel' | 'sequential')[]) =>
  list.map((mode, index) => ({ id: `s${index}`, execution: { mode } }));

describe('planning stages (S4-EXEC-06)', () => {
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

describe('planning a whole tree', () => {
  const calling = (maxRecursionDepth: number, ...targets: string[]) => ({
    maxRecursionDepth,
    steps: targets.map((target, index) => ({
      id: `s${index}`,
      execution: { mode: 'sequential' },
      calls: target.startsWith('tool') ? { toolId: target } : { processId: target },
    })),
  });
  type Planned = Parameters<typeof planProcess>[0];
  const plan = (root: unknown, called: Record<string, unknown>) =>
    planProcess(root as Planned, new Map(Object.entries(called)) as Map<string, Planned>);

  it('counts the steps of called Processes, and how deep they nest', () => {
    const called = {
      left: calling(5, 'tool1', 'leaf'),
      right: calling(5, 'leaf'),
      leaf: calling(5, 'tool2', 'tool3'),
    };
    expect(plan(calling(5, 'tool0', 'left', 'right'), called)).toEqual({
      stages: [['s0'], ['s1'], ['s2']],
      maxDepth: 2,
      estimatedSteps: 3 + 2 + 2 + 1 + 2,
      toolIds: ['tool0', 'tool1', 'tool2', 'tool3'],
    });
  });

  it('ends where the smallest maxRecursionDepth on the way does', () => {
    expect(plan(calling(0, 'leaf', 'tool0'), { leaf: calling(5, 'tool1') })).toMatchObject({
      maxDepth: 0,
      estimatedSteps: 2,
      toolIds: ['tool0'],
    });
    const self = calling(50, 'self', 'tool0');
    expect(plan(self, { self: calling(3, 'self', 'tool0') })).toMatchObject({
      maxDepth: 3,
      estimatedSteps: 8,
    });
  });

  it('takes no time for a Process that calls itself twice, fifty deep', () => {
    const twice = calling(50, 'self', 'self');
    expect(plan(twice, { self: twice })).toMatchObject({ maxDepth: 50, estimatedSteps: 10_000 });
  });
});
