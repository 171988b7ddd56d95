import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFECT_TRIES_MAX } from '../../activities/failure.ts';
import { workflowStateOf } from '../../src/platform/temporal/workflow-state.ts';
import { openEngine } from '../testkit/engine.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { echoTool, runsOf, step } from '../testkit/run-steps.ts';
import { world } from '../testkit/world.ts';

const [engine, rest] = await Promise.all([openEngine(), openRestServer()]);
const { ada } = await world();
const own = runsOf(engine, ada);
afterAll(async () => {
  await engine.close();
  await rest.close();
});

/** A Tool whose output is so large that it is stored as a blob. */
const bigTool = () =>
  ada.createsTool({
    name: 'Big',
    connectionParams: { endpoint: rest.origin },
    operation: { type: 'rest_call', method: 'POST', path: '/echo', body: { text: '{{text}}' } },
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    outputSchema: {},
  } as never);

/** A run that waits for a person before its end reads the output of its first step. */
async function waitingRun(end: { steps?: object[]; outputTemplate?: string }): Promise<string> {
  const [big, echo] = await Promise.all([bigTool(), echoTool(ada, rest.origin)]);
  const process = await own.createProcess({
    initialContext: ['text'],
    steps: [
      step('big', big.id, { text: '{context.text}' }),
      step('gate', echo.id, { q: '1' }, { interactionMode: 'manual' }),
      ...(end.steps ?? []).map((more) => ({ ...more, calls: { toolId: echo.id } })),
    ],
    outputTemplate: end.outputTemplate ?? 'never',
  });
  const context = { text: 'x'.repeat(300_000) };
  const { id } = await own.start(process, context);
  await own.wait(id, ['waiting']);
  return id;
}

describe('an activity that cannot succeed', () => {
  it('ends its run as INTERNAL after few tries: a step, a note and the end of a run', async () => {
    const reads = { q: '{step.big.body.text}' };
    const [inStep, inNote, inEnd] = await Promise.all([
      waitingRun({ steps: [step('next', '', reads)] }),
      waitingRun({ steps: [step('next', '', reads, { interactionMode: 'manual' })] }),
      waitingRun({ outputTemplate: '{{big.path}}' }),
    ]);
    // The blob store has lost its files: whatever reads them meets an error that stays.
    await rm(fileURLToPath(engine.blobs), { recursive: true });
    await Promise.all(
      [inStep, inNote, inEnd].map(async (runId) => {
        await own.decide(runId, 'gate', 'approve');
        await own.wait(runId);
      }),
    );
    const logged = (runId: string) => engine.defects.filter((line) => line.includes(runId));
    const cases = [
      { runId: inStep, stepId: 'next', activity: 'executeStep', tries: 1 },
      { runId: inNote, stepId: null, activity: 'recordSteps', tries: DEFECT_TRIES_MAX },
      { runId: inEnd, stepId: null, activity: 'finishRun', tries: DEFECT_TRIES_MAX },
    ];
    for (const { runId, stepId, activity, tries } of cases) {
      const run = await own.wait(runId);
      expect(run, activity).toMatchObject({ status: 'failed', error: { code: 'INTERNAL' } });
      expect(run.error?.message, activity).toContain('internal fault');
      expect([run.error?.stepId, activity]).toEqual([stepId, activity]);
      expect(logged(runId), activity).toHaveLength(tries);
      for (const line of logged(runId)) {
        expect(line).toContain(activity);
        expect(line).toContain('gone from the blob store');
      }
      // A workflow that is closed tries nothing further.
      await expect
        .poll(() => workflowStateOf(engine.temporal.client, runId), { message: activity })
        .toBe('failed');
    }
  });
});
