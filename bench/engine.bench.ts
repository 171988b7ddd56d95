import { tmpdir } from 'node:os';
import process from 'node:process';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { loadWorkflowBundle } from '../src/platform/temporal/workflow-bundle.ts';
import type { Process } from '../src/processes/process.ts';
import { processesQueue, type RunHead } from '../src/runs/run/run.ts';
import { startProcessRun } from '../src/runs/start/start.mutations.ts';
import { startRun } from '../src/runs/start/start-run.service.ts';
import type { Viewer } from '../src/users/user.ts';
import { type Engine, openEngine } from '../test/testkit/engine.ts';
import { echoWorld } from './echo.ts';
import { type Figure, holds, interleave, median, pairedRatio, printFigure } from './report.ts';

// A stored 20-step Process against the same 20 steps written by hand: same activities, same queues,
// same server.
const STEPS = 20;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);
const AT_ONCE = [1, 8, 20];
const MODES = ['sequential', 'parallel'] as const;
const ROOT = new URL('../', import.meta.url);

/** Where the milliseconds of the Tool itself go, to be taken off the step's. */
function timeDriver(engine: Engine): number[] {
  const spent: number[] = [];
  const driver = engine.activityDeps.drivers.rest_call;
  const invoke = driver.invoke.bind(driver);
  driver.invoke = async (call) => {
    const startedMs = performance.now();
    try {
      return await invoke(call);
    } finally {
      spent.push(performance.now() - startedMs);
    }
  };
  return spent;
}

/** A run's record, made beforehand, so that only the workflow is measured. */
async function record(engine: Engine, viewer: Viewer, definition: Process): Promise<RunHead> {
  const run = await startProcessRun(engine.deps, viewer, {
    processId: definition.id,
    context: { q: 'start' },
  });
  await engine.graph.write((tx) =>
    tx.run('// benchStart\n MATCH (r:ProcessRun {id: $id}) REMOVE r:PendingStart', { id: run.id }),
  );
  return {
    runId: run.id,
    rootRunId: run.id,
    runPath: [run.id],
    depth: 0,
    depthMax: 5,
    ownerId: run.ownerId,
    workspace: run.workspace,
    conversationId: null,
    processId: run.processId,
    snapshotHash: run.snapshotHash,
    queuePrefix: run.queuePrefix,
    timeoutSeconds: null,
    budgeted: false,
  };
}

type Side = 'stored' | 'by hand';

async function main(): Promise<void> {
  const bundle = await loadWorkflowBundle({
    entry: new URL('bench/engine-workflows.ts', ROOT),
    preload: new URL('workflows/preload.ts', ROOT),
    madeOf: ['bench/engine-workflows.ts', 'workflows/', 'activities/', 'src/'].map(
      (path) => new URL(path, ROOT),
    ),
    cacheFolder: `${tmpdir()}/aiden-bench`,
  });
  const engine = await openEngine({ bundle, poolSize: 50 });
  await migrate(engine.graph);
  const spent = timeDriver(engine);
  const { viewer, stayHealthy, ...echo } = await echoWorld(engine);
  const processes = {
    sequential: await echo.createProcess('sequential', STEPS),
    parallel: await echo.createProcess('parallel', STEPS),
  };
  const { client } = engine.temporal;
  const last: Record<string, string> = {};

  const run = async (side: Side, mode: keyof typeof processes): Promise<number> => {
    const definition = processes[mode];
    const head = await record(engine, viewer, definition);
    last[`${side} ${mode}`] = head.runId;
    const startedMs = performance.now();
    const handle =
      side === 'stored'
        ? await client.workflow.start('executeProcess', {
            workflowId: head.runId,
            taskQueue: processesQueue(head.queuePrefix),
            args: [
              {
                run: head,
                parent: null,
                carried: null,
                continueAfterEvents: null,
                finishesLocally: true,
                begun: {
                  definition,
                  toolTypes: Object.fromEntries(
                    definition.steps.flatMap(({ calls }) =>
                      'toolId' in calls ? [[calls.toolId, 'rest_call']] : [],
                    ),
                  ),
                  context: { inline: { q: 'start' } },
                },
              },
            ],
          })
        : await client.workflow.start(mode === 'sequential' ? 'byHandInSequence' : 'byHandAtOnce', {
            workflowId: head.runId,
            taskQueue: processesQueue(head.queuePrefix),
            args: [head, STEPS],
          });
    await handle.result();
    return performance.now() - startedMs;
  };

  const figures: Figure[] = [];
  const cpu: Record<string, number[]> = {};
  const measured = (side: Side, mode: keyof typeof processes, times: number) => async () => {
    await stayHealthy();
    const before = process.cpuUsage();
    const walls = await Promise.all(Array.from({ length: times }, () => run(side, mode)));
    const { user, system } = process.cpuUsage(before);
    const key = `${side} ${mode} ${times}`;
    cpu[key] = [...(cpu[key] ?? []), (user + system) / 1_000 / (STEPS * times)];
    return median(walls);
  };
  for (const mode of MODES) {
    for (const times of AT_ONCE) {
      const own: Record<Side, number[]> = { stored: [], 'by hand': [] };
      const subject = (side: Side) => async () =>
        void own[side].push(await measured(side, mode, times)());
      await interleave(
        { stored: subject('stored'), 'by hand': subject('by hand') },
        // One run at a time is short and shows every hiccup of the machine, so it is asked more
        // often.
        { rounds: times === 1 ? ROUNDS * 2 : ROUNDS },
      );
      const [storedMs, byHandMs] = [own.stored.slice(2), own['by hand'].slice(2)];
      const [stored, byHand] = [median(storedMs), median(byHandMs)];
      const cpuOf = (side: Side) =>
        median((cpu[`${side} ${mode} ${times}`] ?? []).slice(2)).toFixed(1);
      const perSecond = (ms: number) => ((STEPS * times * 1_000) / ms).toFixed(0);
      figures.push({
        name: `${STEPS} ${mode} steps, ${times} at once, stored against by hand`,
        value: pairedRatio(storedMs, byHandMs),
        unit: 'x',
        bound: times === 1 ? 1.15 : 1.2,
        keep: 'at most',
        detail:
          `${stored.toFixed(0)} / ${byHand.toFixed(0)} ms; ${perSecond(stored)} / ` +
          `${perSecond(byHand)} steps a second; CPU ${cpuOf('stored')} / ${cpuOf('by hand')} ms ` +
          'a step',
      });
    }
    const count = async (side: Side) =>
      (await engine.historyEvents(last[`${side} ${mode}`] ?? '')).length;
    const [stored, byHand] = [await count('stored'), await count('by hand')];
    figures.push({
      name: `history events of ${STEPS} ${mode} steps, stored against by hand`,
      value: stored / byHand,
      unit: 'x',
      bound: mode === 'sequential' ? 1 : 1.1,
      keep: 'at most',
      detail: `${stored} / ${byHand} events`,
    });
  }
  figures.push(await stepOverTool(run, stayHealthy, spent));
  figures.push(await firstDispatch(engine, viewer, processes.sequential, stayHealthy));
  for (const figure of figures) printFigure(figure);
  await engine.close();
  echo.close();
  process.exit(figures.every(holds) ? 0 : 1);
}

/**
 * The cost of a step beside its Tool, on servers that have been at it for a while: a JVM that just
 * started knows none of its ways.
 */
async function stepOverTool(
  run: (side: Side, mode: 'sequential') => Promise<number>,
  stayHealthy: () => Promise<unknown>,
  spent: number[],
): Promise<Figure> {
  spent.length = 0;
  const walls: number[] = [];
  for (let round = 0; round < ROUNDS * 2; round++) {
    await stayHealthy();
    walls.push(await run('stored', 'sequential'));
  }
  const [step, tool] = [median(walls) / STEPS, median(spent)];
  return {
    name: "a sequential step over its Tool's own time",
    value: step - tool,
    unit: 'ms',
    bound: 25,
    keep: 'at most',
    detail:
      `p50 of ${ROUNDS * 2} runs: ${step.toFixed(1)} ms a step, ${tool.toFixed(1)} ms of it the ` +
      'Tool',
  };
}

/** From the mutation's call to the first step's claim, through record, starter and Temporal. */
async function firstDispatch(
  engine: Engine,
  viewer: Viewer,
  definition: Process,
  stayHealthy: () => Promise<unknown>,
): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 2; round++) {
    await stayHealthy();
    const startedMs = Date.now();
    const run = await startProcessRun(engine.deps, viewer, {
      processId: definition.id,
      context: { q: 'start' },
    });
    await startRun({ ...engine.deps, temporal: engine.temporal.client }, run.id);
    await engine.wait(viewer, run.id);
    const steps = await engine.steps(viewer, run.id);
    times.push(Math.min(...steps.map(({ startedAt }) => Date.parse(startedAt ?? ''))) - startedMs);
  }
  const value = median(times.slice(2));
  return {
    name: 'from startProcessRun to the first step',
    value,
    unit: 'ms',
    bound: 100,
    keep: 'at most',
    detail: `median of ${ROUNDS}, the starter called directly`,
  };
}

await main();
