import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFECT_TRIES_MAX } from '../../activities/failure.ts';
import { workflowStateOf } from '../../src/platform/temporal/workflow-state.ts';
import { resolveStep } from '../../src/runs/control/run-control.mutations.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { echoTool, step } from '../testkit/run-steps.ts';
import { type Person, world } from '../testkit/world.ts';

let engine: Engine;
let rest: RestServer;
let ada: Person;
beforeAll(async () => {
  [engine, rest] = await Promise.all([openEngine(), openRestServer()]);
  ({ ada } = await world());
});
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
  const process = await engine.createProcess(ada.viewer, {
    initialContext: ['text'],
    steps: [
      step('big', big.id, { text: '{context.text}' }),
      step('gate', echo.id, { q: '1' }, { interactionMode: 'manual' }),
      ...(end.steps ?? []).map((more) => ({ ...more, calls: { toolId: echo.id } })),
    ],
    outputTemplate: end.outputTemplate ?? 'never',
  });
  const context = { text: 'x'.repeat(300_000) };
  const { id } = await engine.start(ada.viewer, { processId: process.id, context });
  await engine.wait(ada.viewer, id, ['waiting']);
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
        await resolveStep(engine.deps, ada.viewer, { runId, stepId: 'gate', decision: 'approve' });
        await engine.wait(ada.viewer, runId);
      }),
    );
    const logged = (runId: string) => engine.defects.filter((line) => line.includes(runId));
    const cases = [
      { runId: inStep, stepId: 'next', activity: 'executeStep', tries: 1 },
      { runId: inNote, stepId: null, activity: 'recordSteps', tries: DEFECT_TRIES_MAX },
      { runId: inEnd, stepId: null, activity: 'finishRun', tries: DEFECT_TRIES_MAX },
    ];
    for (const { runId, stepId, activity, tries } of cases) {
      const run = await engine.wait(ada.viewer, runId);
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
