import { describe, expect, it } from 'vitest';
import { aheadOf } from '../../src/common/clock.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { createProcess, updateProcess } from '../../src/processes/process.mutations.ts';
import type { Process } from '../../src/processes/process.ts';
import { listDueWaits } from '../../src/runs/background/background.cypher.ts';
import {
  backgroundOfRuns,
  backgroundState,
  backgroundWarnings,
  recordRefusal,
  startBackgroundRun,
  WorkWaits,
  waitAfterFailureIn,
} from '../../src/runs/background/background.mutations.ts';
import { dayOf } from '../../src/runs/background/background.ts';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { listRuns } from '../../src/runs/run/run.cypher.ts';
import type { ProcessRun } from '../../src/runs/run/run.ts';
import type { Viewer } from '../../src/users/user.ts';
import { startTaskIn } from '../../src/working-memory/tasks/task.mutations.ts';
import { startDueWork } from '../../src/working-memory/upkeep/background-work.job.ts';
import { compressIfDue } from '../../src/working-memory/upkeep/compression.mutations.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import { ensureSystem, fixedSettings, talker } from '../testkit/memory.ts';
import { newId } from '../testkit/outbox.ts';
import { step } from '../testkit/run-steps.ts';
import { newViewer, world } from '../testkit/world.ts';

// docs/decisions/0024: background work has a budget per user and day, and never fails silently.

const here = await world();
const deps = runDeps(here);
await ensureSystem(here.deps);
const process = await systemProcess();

/** A Process of the system that belongs to this test alone. */
async function systemProcess(): Promise<Process> {
  const tool = await here.system.createsTool({ shared: true });
  return createProcess(deps, here.system.viewer, {
    name: `work ${newId()}`,
    shared: true,
    initialContext: ['text'],
    steps: [step('a', tool.id, { id: '{context.text}' })],
    outputTemplate: '{{a}}',
  });
}

const workFor = { kind: 'entity', id: 'e', name: 'Ada' } as const;
const starting = (who: Viewer, tokensPerDay: number, more: object = {}) => {
  const { name: processName, id: processId } = process;
  const item = { ownerId: who.userId, processName, itemId: newId() };
  const input = { processId, context: { text: 'hello' } };
  const given = { input, item, workFor, llmToolId: null, tokensPerDay };
  return startBackgroundRun({ ...deps, ...more }, who, given);
};
/** The run ends after it used so many tokens, as its workflow would record it. */
const ends = (run: ProcessRun, tokens: number, status = 'completed', error: object | null = null) =>
  deps.graph.write(async (tx) => {
    await tx.run(
      `// endRunOfTest
      MATCH (run:ProcessRun {id: $id}) REMOVE run:PendingStart
      SET run.status = $status, run.inputTokens = $tokens, run.outputTokens = 0, run.error = $error,
        run.completedAt = datetime()`,
      { id: run.id, tokens, status, error: error === null ? null : JSON.stringify(error) },
    );
    await backgroundOfRuns(deps).ended?.(tx, {
      run: { ...run, runId: run.id },
      status: status as never,
      output: null,
      now: new Date().toISOString(),
      task: null,
      origin: run.origin,
    });
  });
const stateOf = (who: Viewer, limit: number, more: object = {}) =>
  backgroundState({ ...deps, ...more }, who, limit);
const tomorrow = { clock: { nowMs: () => Date.now() + 86_400_000 } };

describe('the tokens of a day for background work', () => {
  it('are counted when a run has ended, and a run reserves some until then', async () => {
    const ada = await newViewer(here.deps, 'ada');
    const run = await starting(ada, 5_000);
    expect(run).toMatchObject({ origin: 'system', workFor });
    const during = await stateOf(ada, 5_000);
    expect(during).toMatchObject({ tokensPerDay: 5_000, tokensUsed: 0 });
    expect(during.tokensReserved).toBeGreaterThan(0);
    await ends(run, 1_234);
    expect(await stateOf(ada, 5_000)).toMatchObject({ tokensUsed: 1_234, tokensReserved: 0 });
    expect(await stateOf(ada, 5_000, tomorrow)).toMatchObject({ tokensUsed: 0 });
  });

  it('once used up, make work wait until the next day, of that user alone', async () => {
    const [ada, bob] = await Promise.all([
      newViewer(here.deps, 'ada'),
      newViewer(here.deps, 'bob'),
    ]);
    await ends(await starting(ada, 1_000), 1_000);
    await expect(starting(ada, 1_000)).rejects.toBeInstanceOf(WorkWaits);
    await starting(bob, 1_000);
    await starting(ada, 0);
    const { waiting, resetsAt } = await stateOf(ada, 1_000);
    expect(waiting).toEqual([
      {
        processName: process.name,
        reason: 'budget',
        count: 1,
        users: 1,
        since: expect.any(String),
      },
    ]);
    expect(Date.parse(resetsAt) % 86_400_000).toBe(0);
    expect(await backgroundWarnings(deps, ada.userId)).toEqual([
      expect.objectContaining({
        subject: 'budget',
        waiting: 1,
        message: expect.stringContaining(process.name),
        advice: expect.stringContaining('backgroundTokensPerDay'),
      }),
    ]);
    expect(await backgroundWarnings(deps, bob.userId)).toEqual([]);
    expect(await starting(ada, 1_000, tomorrow)).toMatchObject({ status: 'pending' });
  });

  it('let one of two runs start that come at the limit at the same time', async () => {
    const ada = await newViewer(here.deps, 'ada');
    await ends(await starting(ada, 1_000), 999);
    const tried = await Promise.allSettled([starting(ada, 1_000), starting(ada, 1_000)]);
    expect(tried.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const runs = await readWith(deps.graph, listRuns, ada.userId, { includeSystem: true }, {});
    expect(runs.totalCount).toBe(2);
  });

  it.for([
    ['on the next day', 5, 86_400_000],
    ['when the limit is raised', 1_000_000, 0],
  ] as const)(
    'used up, hold a compression up, which starts by itself %s',
    async ([, limit, ms]) => {
      const ada = await newViewer(here.deps, 'ada');
      await ends(await starting(ada, 0), 10);
      const few = { compressionTokenThreshold: 200, backgroundTokensPerDay: 5 };
      const mine = { ...deps, settings: fixedSettings(few) };
      const talk = talker(mine, ada);
      const conversationId = await talk.starts();
      await talk.talksFor(conversationId, 12, (n) => `${'Said at some length. '.repeat(10)}${n}`);
      expect(await compressIfDue(mine, conversationId)).toBeNull();
      expect((await stateOf(ada, 5)).waiting).toMatchObject([
        { processName: 'compress conversation', reason: 'budget', count: 1 },
      ]);
      const signal = new AbortController().signal;
      await startDueWork(mine as never, signal, ada.userId);
      expect((await stateOf(ada, 5)).waiting).toHaveLength(1);
      const settings = fixedSettings({ ...few, backgroundTokensPerDay: limit });
      const clock = { nowMs: () => Date.now() + ms };
      await startDueWork({ ...mine, settings, clock } as never, signal, ada.userId);
      expect((await stateOf(ada, 5)).waiting).toEqual([]);
      const runs = await readWith(
        deps.graph,
        listRuns,
        ada.userId,
        { includeSystem: true, conversationId },
        {},
      );
      expect(runs.items.map(({ item }) => item.processName)).toEqual(['compress conversation']);
    },
  );
});

describe('work that waits', () => {
  it('waits no longer where its wait was begun by a clock that was an hour ahead', async () => {
    const ada = await newViewer(here.deps, 'ada');
    const waitsFrom = async (offMs: number) => {
      const item = { ownerId: ada.userId, processName: process.name, itemId: newId() };
      const clock = { nowMs: () => Date.now() + offMs };
      await deps.graph.write((tx) => waitAfterFailureIn({ ...deps, clock }, tx, item));
      return item;
    };
    const [ahead] = [await waitsFrom(3_600_000), await waitsFrom(0)];
    const nowMs = Date.now();
    const due = await readWith(deps.graph, listDueWaits, {
      ownerId: ada.userId,
      processNames: [process.name],
      now: new Date(nowMs).toISOString(),
      ahead: aheadOf(nowMs),
      day: dayOf(nowMs),
      tokensPerDay: 0,
      perUser: 10,
      limit: 10,
    });
    expect(due).toEqual([ahead]);
  });
});

describe('a fault of background work', () => {
  const failed = { code: 'TOOL_FAILED', message: 'No model answers.', stepId: 'a', details: null };

  it('of a failed run is a warning with the work that waits, until a run succeeds', async () => {
    const ada = await newViewer(here.deps, 'ada');
    await ends(await starting(ada, 0), 10, 'failed', failed);
    const [warning] = await backgroundWarnings(deps, ada.userId);
    expect(warning).toMatchObject({
      subject: process.name,
      message: `${process.name}: No model answers.`,
      waiting: 1,
      advice: expect.stringContaining('model'),
    });
    const bob = await newViewer(here.deps, 'bob');
    expect(await backgroundWarnings(deps, bob.userId)).toEqual([]);
    await ends(await starting(ada, 0), 10);
    expect(await backgroundWarnings(deps, ada.userId)).toEqual([]);
  });

  it('of a disabled Process says so, and is over when the Process is enabled again', async () => {
    const ada = await newViewer(here.deps, 'ada');
    const off = await systemProcess();
    const setEnabled = (enabled: boolean) =>
      updateProcess(deps, here.system.viewer, { id: off.id, enabled });
    await setEnabled(false);
    const item = { ownerId: ada.userId, processName: off.name, itemId: 'e' };
    const start = () =>
      startBackgroundRun(deps, ada, {
        input: { processId: off.id, context: { text: 'hello' } },
        item,
        workFor,
        llmToolId: null,
        tokensPerDay: 10_000,
      });
    const refusal = await start().catch((error: unknown) => error);
    if (!(refusal instanceof Refusal)) throw new Error('The start was not refused.');
    await recordRefusal(deps, item, refusal);
    expect(await stateOf(ada, 0)).toMatchObject({ tokensReserved: 0 });
    expect(await backgroundWarnings(deps, ada.userId)).toMatchObject([
      {
        subject: off.name,
        message: expect.stringContaining('is disabled'),
        waiting: 1,
        advice: expect.stringContaining('Enable the Process'),
      },
    ]);
    await setEnabled(true);
    expect(await backgroundWarnings(deps, ada.userId)).toEqual([]);
  });
});

// S4-INTR-07
it('a MemoryTask whose pending run was cancelled is closed, and tried again', async () => {
  const ada = await newViewer(here.deps, 'ada');
  const conversationId = await talker(deps, ada).starts();
  const details = { kind: 'introspection', from: 1, to: 3, counted: 3 } as const;
  const context = { warning: '', notes: [], summaries: [], positions: 3, cause: '' };
  const runId = await deps.graph.write((tx) =>
    startTaskIn(deps, tx, ada, { conversationId, details, context, processId: null }),
  );
  await cancelProcessRun(deps, ada, { id: runId });
  const [row] = await runCypher(
    deps.graph,
    `MATCH (c:Conversation {id: $conversationId})<-[:TASK_OF]-(task:MemoryTask)
      RETURN c.compressionsSinceIntrospection AS counted, task:FailedTask AS failed`,
    { conversationId },
  );
  expect(row).toEqual({ counted: 3, failed: true });
});
