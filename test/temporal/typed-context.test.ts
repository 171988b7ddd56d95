import { describe, expect, it } from 'vitest';
import { createProcessSchedule } from '../../src/schedules/schedule.mutations.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { echoTool, step, subStep } from '../testkit/run-steps.ts';
import { refusals } from '../testkit/world.ts';

// docs/decisions/0057: the initial context is checked by its schema, with types and defaults.

const { engine, rest, ada, own } = await engineWorld();

async function typedProcess() {
  const tool = await echoTool(ada, rest.origin);
  return own.createProcess({
    name: 'Typed',
    initialContext: ['count', 'style', 'any'],
    contextSchema: {
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1 },
        style: { enum: ['long', 'short'], default: 'short' },
      },
    },
    steps: [step('a', tool.id, { q: '{context.style}' })],
    outputTemplate: '{{json count}} {{style}} {{a.query.q}}',
  });
}

describe('a typed initial context', () => {
  it('is coerced and completed at the start, and refused with all of its faults', async () => {
    const { id: processId } = await typedProcess();
    const run = await engine.start(ada.viewer, { processId, context: { count: '3', any: null } });
    const expected = { status: 'completed', output: '3 short short' };
    expect(await own.wait(run.id)).toMatchObject(expected);
    const starts = (context: object) =>
      refusals(own.accept({ processId, context: context as never }));
    expect((await starts({ count: 0, style: 'wide', more: 1 })).sort()).toEqual([
      'REQUIRED context.any',
      'SCHEMA_VIOLATION context.count',
      'SCHEMA_VIOLATION context.style',
      'UNKNOWN_VARIABLE context.more',
    ]);
    expect(await starts({ any: 1 })).toEqual(['REQUIRED context.count']);
  });

  it('is checked when a schedule is made', async () => {
    const { id: processId } = await typedProcess();
    const schedules = (context: object) =>
      refusals(
        createProcessSchedule(engine.deps, ada.viewer, {
          processId,
          cron: '0 0 1 1 *',
          context: context as never,
        }),
      );
    expect(await schedules({ count: 'many', any: 1 })).toEqual(['SCHEMA_VIOLATION context.count']);
  });

  it('is checked when a step calls the Process: the step fails with INPUT_INVALID', async () => {
    const { id } = await typedProcess();
    const call = (count: string) => subStep('sub', id, { count, any: 1 });
    const good = await own.runSteps([call('{context.n}')], '{{sub}}', { n: 2 });
    expect(good.run).toMatchObject({ status: 'completed', output: '2 short short' });
    const bad = await own.runSteps([call('{context.n}')], '{{sub}}', { n: 'none' });
    expect(bad.run).toMatchObject({
      status: 'failed',
      error: {
        code: 'INPUT_INVALID',
        stepId: 'sub',
        message: expect.stringContaining('do not fit Typed: count: This must be integer'),
      },
    });
  });
});
