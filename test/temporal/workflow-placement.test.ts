import { describe, expect, it } from 'vitest';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { startRun } from '../../src/runs/start/start-run.service.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { openGate } from '../testkit/gate.ts';
import { writeCypher } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { echoTool, runsOf, speakerTool, step } from '../testkit/run-steps.ts';

// docs/decisions/0008: the task queue of a run's workflow, and the one way in which a run becomes
// running.

const { engine, rest, llm, ada, own } = await engineWorld();

const tools = async () => ({
  speaker: await speakerTool(ada, llm.openai, 'home'),
  echo: await echoTool(ada, rest.origin),
});

const queueIn = async ({ temporal, queuePrefix }: Engine, runId: string) => {
  const { taskQueue } = await temporal.client.workflow.getHandle(runId).describe();
  return taskQueue.slice(queuePrefix.length);
};

/** The same object, but for some of its members. */
const behind = <T extends object>(whole: T, instead: Partial<T>): T =>
  Object.assign(Object.create(whole), instead);

type Start = Engine['temporal']['client']['workflow']['start'];
type Handle = Awaited<ReturnType<Start>>;

/** The client of `engine`, with `around` in place of the call that starts a workflow. */
function starting({ temporal }: Engine, around: (start: () => Promise<Handle>) => Promise<Handle>) {
  const { workflow } = temporal.client;
  const start = ((...args: Parameters<Start>) => around(() => workflow.start(...args))) as Start;
  return behind(temporal.client, { workflow: behind(workflow, { start }) });
}

describe('the workflow of a run', () => {
  it('uses the llm_call queue if its first step is an LLM call, else Processes', async () => {
    const { speaker, echo } = await tools();
    llm.script({ text: 'Yes.' }, 'home');
    llm.script({ text: 'Yes.' }, 'home');
    const asked = step('ask', speaker.id, { say: 'Is it?' });
    const looked = step('look', echo.id, { q: '1' });
    const runOf = async (...steps: object[]) => {
      const definition = { steps, outputTemplate: '{{ask}}' };
      return own.run(await own.createProcess(definition));
    };
    const [first, last] = await Promise.all([runOf(asked, looked), runOf(looked, asked)]);
    for (const run of [first, last])
      expect(run).toMatchObject({ status: 'completed', output: 'Yes.' });
    expect(await queueIn(engine, first.id)).toBe('llm_call');
    expect(await queueIn(engine, last.id)).toBe('processes');
    // Switched off: the same run on the queue of Processes.
    llm.script({ text: 'Yes.' }, 'home');
    const asking = await own.accept({ processId: first.processId, context: {} });
    await startRun(
      { ...engine.deps, temporal: engine.temporal.client, hostingTypes: [] },
      asking.id,
    );
    const off = await own.wait(asking.id);
    expect(off).toMatchObject({ status: 'completed', output: 'Yes.' });
    expect(await queueIn(engine, asking.id)).toBe('processes');
  });

  it('has its first task in the answer to its start, but for background work', async () => {
    const { echo } = await tools();
    const { id: processId } = await own.createProcess({
      steps: [step('look', echo.id, { q: '1' })],
    });
    const isEager = async (origin: 'user' | 'system') => {
      const run = await own.accept({ processId, context: {} });
      const set = 'MATCH (r:ProcessRun {id: $id}) SET r.origin = $origin RETURN r.id';
      await writeCypher(engine.graph, set, { id: run.id, origin });
      await engine.launch(run.id);
      expect((await own.wait(run.id)).status).toBe('completed');
      const handle = engine.temporal.client.workflow.getHandle(run.id);
      const [begin] = (await handle.fetchHistory()).events ?? [];
      return begin?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted ?? null;
    };
    expect(await isEager('user')).toBe(true);
    expect(await isEager('system')).toBe(false);
  });

  it('goes on where there is no Worker that could ask, so that it can be cancelled', async () => {
    const asks = llm.requestsOf('home').length;
    const alone = await openEngine({ poolSizes: { llm_call: 0 } });
    const own = runsOf(alone, ada);
    const { speaker } = await tools();
    const process = await own.createProcess({
      steps: [step('ask', speaker.id, { say: 'Is it?' })],
    });
    const run = await own.start(process);
    expect(await queueIn(alone, run.id)).toBe('llm_call');
    await own.wait(run.id, ['running']);
    await cancelProcessRun(alone.deps, ada.viewer, { id: run.id });
    expect((await own.wait(run.id)).status).toBe('cancelled');
    // Cancelled after startRun has read it: the record ends at once, and startRun cancels the
    // workflow it has started.
    const asked = { processId: process.id, context: {} };
    const other = await own.accept(asked);
    const temporal = starting(alone, async (start) => {
      const ended = await cancelProcessRun(alone.deps, ada.viewer, { id: other.id });
      expect(ended).toMatchObject({ status: 'cancelled', temporalRunId: null });
      return start();
    });
    await startRun({ ...alone.deps, temporal }, other.id);
    const workflow = alone.temporal.client.workflow.getHandle(other.id);
    await eventually('its workflow is over', async () => {
      return (await workflow.describe()).status.name !== 'RUNNING';
    });
    const expected = [{ kind: 'run.requested' }, { kind: 'run.ended' }];
    expect(await alone.entries(other.id)).toMatchObject(expected);
    expect(llm.requestsOf('home')).toHaveLength(asks);
    expect(alone.defects).toEqual([]);
    await alone.close();
  });

  it('is recorded as started once, before its first step, with its context', async () => {
    const { speaker } = await tools();
    const long = 'x'.repeat(40 * 1024);
    const says = async (say: string, more: object = {}) => {
      llm.script({ text: 'Yes.' }, 'home');
      const process = await own.createProcess({
        initialContext: ['say'],
        steps: [step('ask', speaker.id, { say: 'Is it?' })],
        outputTemplate: '{{ask}}',
      });
      const run = await own.run(process, { say }, more);
      expect(run).toMatchObject({ status: 'completed', temporalRunId: expect.any(String) });
      return engine.entries(run.id);
    };
    const short = await says('Is it?');
    expect(short.map(({ kind }) => kind)).toEqual(
      'run.requested run.started step.started step.text step.ended run.ended'.split(' '),
    );
    expect(short[1]?.payload).toMatchObject({ context: { value: { say: 'Is it?' } } });
    for (const entries of [
      await says(long),
      await says('Is it?', { budget: { tokens: 100_000 } }),
    ]) {
      const started = entries.filter(({ kind }) => kind === 'run.started');
      expect(started).toHaveLength(1);
    }
  });

  it('is recorded as started before its steps, also where a step was claimed first', async () => {
    const gate = await openGate();
    const open = gate.hold('/held');
    const echo = await echoTool(ada, gate.origin, '/held');
    const input = { initialContext: ['say'], steps: [step('look', echo.id, { q: '1' })] };
    const process = await own.createProcess(input);
    const kinds = async (runId: string) => (await engine.entries(runId)).map(({ kind }) => kind);
    const asked = { processId: process.id, context: { say: 'x'.repeat(40 * 1024) } };
    const run = await own.accept(asked);
    // Temporal's answer arrives after the workflow has claimed its step.
    const temporal = starting(engine, async (start) => {
      const handle = await start();
      await eventually('its step is claimed', async () =>
        (await kinds(run.id)).includes('step.started'),
      );
      return handle;
    });
    await startRun({ ...engine.deps, temporal }, run.id);
    const told = ['run.requested', 'run.started', 'step.started'];
    expect(await kinds(run.id)).toEqual(told);
    open();
    await own.wait(run.id);
    expect(await kinds(run.id)).toEqual([...told, 'step.ended', 'run.ended']);
    await gate.close();
  });
});
