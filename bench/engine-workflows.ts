import { proxyActivities } from '@temporalio/workflow';
import { isJsonObject } from '../src/common/json.ts';
import { processesQueue, type RunHead, type ValueOrRef } from '../src/runs/run/run.ts';
import type { RunActivities } from '../workflows/interpreter/contract.ts';

export * from '../workflows/index.ts';

// The baseline: workflows written by hand for these Processes, with the same activities.

const activitiesOf = ({ queuePrefix }: RunHead) => ({
  step: proxyActivities<RunActivities>({
    taskQueue: `${queuePrefix}rest_call`,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '15s',
  }).executeStep,
  finish: proxyActivities<RunActivities>({
    taskQueue: processesQueue(queuePrefix),
    startToCloseTimeout: '2m',
  }).finishRun,
});
const INLINE_BYTES_MAX = 256 * 1024;

/** Each step sends the answer of the one before it. */
export async function byHandInSequence(run: RunHead, steps: number): Promise<ValueOrRef | null> {
  const { step, finish } = activitiesOf(run);
  let q = 'start';
  for (let n = 0; n < steps; n++) {
    const inputs = { kind: 'bound' as const, inputs: { q } };
    const answer = await step({
      run,
      stepId: `s${n}`,
      index: null,
      inputs,
      inlineBytesMax: INLINE_BYTES_MAX,
    });
    q = answer.status === 'completed' ? textOf(answer.output) : '';
  }
  return (
    await finish({
      run,
      parent: null,
      outcome: { status: 'completed' },
      inlineBytesMax: INLINE_BYTES_MAX,
    })
  ).output;
}

export async function byHandAtOnce(run: RunHead, steps: number): Promise<ValueOrRef | null> {
  const { step, finish } = activitiesOf(run);
  const inputs = { kind: 'bound' as const, inputs: { q: 'start' } };
  await Promise.all(
    Array.from({ length: steps }, (_, n) =>
      step({ run, stepId: `s${n}`, index: null, inputs, inlineBytesMax: INLINE_BYTES_MAX }),
    ),
  );
  return (
    await finish({
      run,
      parent: null,
      outcome: { status: 'completed' },
      inlineBytesMax: INLINE_BYTES_MAX,
    })
  ).output;
}

function textOf(output: ValueOrRef): string {
  const value = 'inline' in output ? output.inline : null;
  return isJsonObject(value) && typeof value['q'] === 'string' ? value['q'] : '';
}
