import { describe, expect, it } from 'vitest';
import {
  backgroundOfRuns,
  backgroundState,
  backgroundWarnings,
  claimWork,
  recordFailureIn,
  recordRefusal,
  settleWork,
  startBackgroundRunIn,
} from '../../src/background/background.mutations.ts';
import { startDueWork, type WorkStarts } from '../../src/background/background-work.job.ts';
import { findWork, listDueWork, queueWork } from '../../src/background/work.cypher.ts';
import type { WorkItem } from '../../src/background/work.ts';
import { instant } from '../../src/common/clock.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { WORK_STARTS } from '../../src/main/work-starts.ts';
import { updateProcess } from '../../src/processes/process.mutations.ts';
import type { Process } from '../../src/processes/process.ts';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { getRun } from '../../src/runs/run/get-run.service.ts';
import { listRuns } from '../../src/runs/run/run.cypher.ts';
import type { ProcessRun } from '../../src/runs/run/run.ts';
import type { Viewer } from '../../src/users/user.ts';
import { startTaskIn } from '../../src/working-memory/tasks/task.mutations.ts';
import { compressIfDue } from '../../src/working-memory/upkeep/compression.mutations.ts';
import { sweepMemory } from '../../src/working-memory/upkeep/memory-sweep.job.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, runCypher, testGraph, writeCypher } from '../testkit/graph.ts';
import { ensureSystem, fixedSettings, talker } from '../testkit/memory.ts';
import { newId, quiet } from '../testkit/outbox.ts';
import { createsProcess, toolStep } from '../testkit/processes.ts';
import { newViewer, world } from '../testkit/world.ts';

// docs/decisions/0024 and 0105: background work has a budget per user and day, and never fails
// silently. Each piece of work that waits has one record.

const here = await world();
const deps = runDeps(here);
await ensureSystem(here.deps);
const process = await systemProcess();

/** A Process of the system that belongs to this test alone. */
async function systemProcess(): Promise<Process> {
  const { id } = await here.system.createsTool({ shared: true });
  const name = `work ${newId()}`;
  const steps = [toolStep('a', id)];
  return createsProcess(here, here.system, { name, shared: true, initialContext: ['text'], steps });
}

const workFor = { kind: 'entity', id: 'e', name: 'Ada' } as const;
const itemOf = (who: Viewer, kind = process.name): WorkItem => ({
  ownerId: who.userId,
  kind,
  itemId: newId(),
});
/** Starts a run, of a piece of work of its own by default; null where the work waits for tokens. */
async function tries(who: Viewer, tokensPerDay: number, more: object = {}, item = itemOf(who)) {
  const all = { ...deps, ...more };
  const input = { processId: process.id, context: { text: 'hello' } };
  const start = { runId: newId(), input, item, workFor, llmToolId: null, tokensPerDay };
  const hasStarted = await deps.graph.write((tx) => startBackgroundRunIn(all, tx, who, start));
  return hasStarted ? getRun(all, who, start.runId) : null;
}
async function starting(...args: Parameters<typeof tries>): Promise<ProcessRun> {
  const run = await tries(...args);
  if (run === null) throw new Error('The work waits.');
  return run;
}
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
const find = (item: WorkItem) => readWith(deps.graph, findWork, item);
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
    const [ada, bob] = [await newViewer(here.deps, 'ada'), await newViewer(here.deps, 'bob')];
    await ends(await starting(ada, 1_000), 1_000);
    expect(await tries(ada, 1_000)).toBeNull();
    await starting(bob, 1_000);
    await starting(ada, 0);
    const { waiting, resetsAt } = await stateOf(ada, 1_000);
    const counted = { reason: 'budget', count: 1, users: 1, since: expect.any(String) };
    expect(waiting).toEqual([{ processName: process.name, ...counted }]);
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
    const tried = await Promise.all([tries(ada, 1_000), tries(ada, 1_000)]);
    expect(tried.filter((run) => run !== null)).toHaveLength(1);
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
      await startDueWork(mine as never, WORK_STARTS, signal, ada.userId);
      expect((await stateOf(ada, 5)).waiting).toHaveLength(1);
      const settings = fixedSettings({ ...few, backgroundTokensPerDay: limit });
      const clock = { nowMs: () => Date.now() + ms };
      await startDueWork({ ...mine, settings, clock } as never, WORK_STARTS, signal, ada.userId);
      expect((await stateOf(ada, 5)).waiting).toEqual([]);
      const ofTalk = { includeSystem: true, conversationId };
      const runs = await readWith(deps.graph, listRuns, ada.userId, ofTalk, {});
      expect(runs.items.map(({ item }) => item.processName)).toEqual(['compress conversation']);
    },
  );
});

it('a conversation that cannot be read holds up no other in the sweep', async () => {
  const ada = await newViewer(here.deps, 'ada');
  // No other test's conversation changes in that year.
  const since = '2999-01-01T00:00:00.000Z';
  const clock = { nowMs: () => Date.parse(since) + 60_000 };
  const settings = fixedSettings({ compressionTokenThreshold: 200 });
  const talk = talker(deps, ada);
  const [damaged, long] = [await talk.starts(), await talk.starts()];
  for (const id of [damaged, long])
    await talk.talksFor(id, 12, (n) => `${'Said at some length. '.repeat(10)}${n}`);
  await writeCypher(
    deps.graph,
    `MATCH (c:Conversation) WHERE c.id IN $ids SET c.updatedAt = datetime($since)
     WITH c WHERE c.id = $ids[0] CREATE (c)-[:HAS_SUMMARY]->(:Summary {id: c.id})`,
    { ids: [damaged, long], since },
  );
  const soon = testGraph({ appliedWithinMs: 10 });
  const places: unknown[] = [];
  try {
    const sweep = sweepMemory(
      { ...deps, settings, clock, graph: soon },
      {
        checkpoint: since,
        signal: new AbortController().signal,
        progress: async ({ checkpoint }) => void places.push(checkpoint),
      },
    );
    await expect(sweep).rejects.toThrow(
      `could not start, 1 in all: Conversation ${damaged}: Summaries`,
    );
  } finally {
    await writeCypher(deps.graph, 'MATCH (s:Summary {id: $id}) DETACH DELETE s', { id: damaged });
    await soon.close();
  }
  const runs = await readWith(deps.graph, listRuns, ada.userId, { includeSystem: true }, {});
  expect(runs.items.map(({ item }) => item.conversationId)).toEqual([long]);
  expect(places).toHaveLength(1);
});

describe('work on record', () => {
  const later = (minutes: number) => ({ clock: { nowMs: () => Date.now() + minutes * 60_000 } });
  const fails = (item: WorkItem, more: object = {}, message = 'No model answers.') =>
    deps.graph.write((tx) =>
      recordFailureIn({ ...deps, ...more }, tx, item, { code: 'TOOL_FAILED', message }),
    );
  const due = (who: Viewer | null, more: object = {}) =>
    readWith(deps.graph, listDueWork, {
      ...{ kinds: [process.name], ownerId: who?.userId ?? null, nowMs: Date.now(), limit: 10 },
      ...more,
    });
  const queues = (items: readonly WorkItem[]) =>
    deps.graph.write((tx) => queueWork(tx, items, instant(deps.clock)));
  /** Looks for work of a user, and counts how often it starts. */
  async function sweeps(who: Viewer, more: object, start: WorkStarts<typeof deps>[string]) {
    let count = 0;
    const starts: WorkStarts<typeof deps> = {
      [process.name]: async (at, work) => {
        count++;
        return start(at, work);
      },
    };
    const { signal } = new AbortController();
    await startDueWork({ ...deps, log: quiet, ...more }, starts, signal, who.userId);
    return count;
  }

  it('waits no longer where its wait was begun by a clock that was an hour ahead', async () => {
    const ada = await newViewer(here.deps, 'ada');
    const [ahead, other] = [itemOf(ada), itemOf(ada)];
    await fails(ahead, later(60));
    await fails(other);
    expect(await due(ada)).toMatchObject([ahead]);
  });

  it('is taken once by two processes that look for it at the same time', async () => {
    const ada = await newViewer(here.deps, 'ada');
    await queues([itemOf(ada)]);
    const [work] = await due(ada);
    if (work === undefined) throw new Error('Nothing is due.');
    const at = { now: instant(deps.clock), runAt: instant(later(5).clock) };
    const claim = () => deps.graph.write((tx) => claimWork(tx, work, at));
    const claims = await Promise.all([claim(), claim(), claim()]);
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
    expect(await due(ada)).toEqual([]);
    // The process that took it ended before it began.
    expect(await sweeps(ada, later(6), async () => false)).toBe(1);
    expect(await find(work)).toBeNull();
  });

  it('is listed in turn between users, so that much work of one holds up no other', async () => {
    const [ada, bob] = [await newViewer(here.deps, 'ada'), await newViewer(here.deps, 'bob')];
    const kind = `fair ${newId()}`;
    await queues(Array.from({ length: 10 }, () => itemOf(ada, kind)));
    await queues([itemOf(bob, kind), itemOf(bob, kind)]);
    const owners = (await due(null, { kinds: [kind], limit: 5 })).map(({ ownerId }) => ownerId);
    const [a, b] = [ada.userId, bob.userId];
    expect(owners.slice(0, 4).toSorted()).toEqual([a, a, b, b].toSorted());
    expect(owners[4]).toBe(a);
    expect(await due(null, { kinds: [kind], perUser: 3 })).toHaveLength(5);
  });

  it('that fails is told of once, rests ever longer, and ends after ten failures', async () => {
    const ada = await newViewer(here.deps, 'ada');
    const item = itemOf(ada);
    await fails(item);
    const [told] = await backgroundWarnings(deps, ada.userId);
    const again = async (minutes: number) =>
      sweeps(ada, later(minutes), async (at, work) => {
        await fails(work, at);
        return true;
      });
    const pauses: number[] = [];
    for (let at = 0; pauses.length < 9; ) {
      const [pause] = [2 ** pauses.length];
      expect(await again(at + pause - 0.5)).toBe(0);
      at += pause + 0.1;
      expect(await again(at)).toBe(1);
      pauses.push(pause);
    }
    expect(await find(item)).toBeNull();
    expect(await backgroundWarnings(deps, ada.userId)).toEqual([{ ...told, waiting: 0 }]);
  });

  it('whose start throws counts as failed, and holds up no other', async () => {
    const ada = await newViewer(here.deps, 'ada');
    const items = [itemOf(ada), itemOf(ada)];
    await queues(items);
    const defect = async () => {
      throw new Error('A row is damaged.');
    };
    expect(await sweeps(ada, {}, defect)).toBe(2);
    for (const item of items)
      expect(await find(item)).toMatchObject({ reason: 'fault', attempts: 1 });
    expect(await backgroundWarnings(deps, ada.userId)).toMatchObject([
      { message: expect.stringContaining('internal fault') },
    ]);
  });

  it('counts answers that can not be used as failures, though their runs end well', async () => {
    const ada = await newViewer(here.deps, 'ada');
    const item = itemOf(ada, 'extract memories');
    for (const attempts of [1, 2, 3]) {
      await ends(await starting(ada, 0, {}, item), 10);
      await fails(item, {}, 'The answer is prose.');
      expect(await find(item)).toMatchObject({ attempts });
    }
  });

  it('that changed while it was done is done again, and does not rest', async () => {
    const ada = await newViewer(here.deps, 'ada');
    const four = [itemOf(ada), itemOf(ada), itemOf(ada), itemOf(ada)] as const;
    const [done, rests, changed, quiet] = four;
    const items: readonly WorkItem[] = four;
    await queues(items);
    const works = await due(ada);
    const workOf = (...of: readonly WorkItem[]) =>
      works.filter(({ itemId }) => of.some((item) => item.itemId === itemId));
    await queues([changed, quiet]);
    const state = { reason: 'quiet', runAt: instant(later(60).clock) } as const;
    const ended = {
      done: workOf(done, changed),
      later: workOf(rests, quiet).map((work) => ({ ...work, ...state })),
    };
    await deps.graph.write((tx) => settleWork(tx, ended, instant(deps.clock)));
    const ids = (found: readonly WorkItem[]) => found.map(({ itemId }) => itemId).toSorted();
    expect(ids(await due(ada))).toEqual(ids(items.slice(2)));
    expect(ids(await due(ada, { isAsked: true }))).toEqual(ids(items.slice(1)));
    // A change ends the rest.
    await queues(items.slice(1, 2));
    expect(ids(await due(ada))).toEqual(ids(items.slice(1)));
  });
});

describe('a fault of background work', () => {
  const failed = { code: 'TOOL_FAILED', message: 'No model answers.', stepId: 'a', details: null };

  it('of a failed run is a warning with the work that waits, until a run succeeds', async () => {
    const ada = await newViewer(here.deps, 'ada');
    await ends(await starting(ada, 0), 10, 'failed', failed);
    const message = `${process.name}: No model answers.`;
    expect(await backgroundWarnings(deps, ada.userId)).toMatchObject([
      { subject: process.name, message, waiting: 1, advice: expect.stringContaining('model') },
    ]);
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
    const item = itemOf(ada, off.name);
    const input = { processId: off.id, context: { text: 'hello' } };
    const start = { runId: newId(), input, item, workFor, llmToolId: null, tokensPerDay: 10_000 };
    const started = deps.graph.write((tx) => startBackgroundRunIn(deps, tx, ada, start));
    const refusal = await started.catch((error: unknown) => error);
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
  const counts = `MATCH (c:Conversation {id: $conversationId})
    RETURN c.compressionsSinceIntrospection AS counted`;
  expect(await runCypher(deps.graph, counts, { conversationId })).toEqual([{ counted: 3 }]);
  const item = { ownerId: ada.userId, kind: 'introspect', itemId: conversationId };
  expect(await find(item)).toMatchObject({ reason: 'fault', attempts: 1 });
});
