import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { callGraphProjection } from '../../src/call-graph/call-graph.projection.ts';
import { metricsProjection } from '../../src/metrics/metrics.projection.ts';
import { appendEntries, listEntries, lookAtOutbox } from '../../src/outbox/entry.cypher.ts';
import type { NumberedEntry } from '../../src/outbox/entry.ts';
import { ownRunsProjection } from '../../src/session-graph/events/own-runs.projection.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import {
  endedRun,
  endedStep,
  PROCESS,
  picture,
  projectionDeps,
  startedRun,
  startedStep,
  storyteller,
} from '../testkit/calls.ts';
import { fixedSettings } from '../testkit/fixed.ts';
import { eventually } from '../testkit/outbox.ts';
import { rawGraph, streamDeps } from '../testkit/streams.ts';
import { world, worldGraph } from '../testkit/world.ts';

const KILLS = 20;
const ENTRIES = 5_000;
/** request, start, 12 steps that start and end, one that is lost and tried again, end. */
const STEPS = 12;
const ENTRIES_PER_RUN = 3 + 2 * STEPS + 3;
const RUNS = Math.ceil(ENTRIES / ENTRIES_PER_RUN);
const NAMES = ['call-graph', 'raw-stream', 'metrics'];

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * The entries of one run, in two halves, so that crashes fall into the middle of runs. No
 * other test counts entries of `type`.
 */
function entriesOfRun(viewer: Viewer, type: string) {
  const runState = storyteller(viewer, Date.now());
  const run = runState.run();
  const usage = { inputTokens: 7, outputTokens: 3, costUsd: 0.25, llmCalls: 0, toolCalls: 1 };
  const about = (more: object = {}) => ({
    ...{ type: type as 'rest_call', usage, ...more },
    call: {
      ...{ targetId: 'tool-crash', serviceId: 'service-crash', workerId: 'worker-crash' },
      ...{
        processId: PROCESS.processId,
        startedAt: new Date(runState.clock.nowMs()).toISOString(),
      },
    },
  });
  run.tell('run.requested', { ...PROCESS, retryOfId: null, scopes: ['user'] });
  run.tell('run.started', startedRun({ question: 'why?' }));
  for (let step = 0; step < STEPS; step++) {
    const dependsOn = step === 0 ? [] : [`s${step - 1}`];
    run.tell('step.started', startedStep(`s${step}`, { step }, { dependsOn }));
    run.tell('step.ended', endedStep(`s${step}`, { step }, about()));
  }
  run.tell('step.started', startedStep('lost', {}));
  run.tell('step.started', startedStep('lost', {}, { attempt: 2 }));
  run.tell('step.ended', endedStep('lost', 1, about({ attempt: 2 })));
  run.tell('run.ended', endedRun('because', { usage }));
  return { runId: run.runId, entries: runState.entries.map(({ seq: _, ...entry }) => entry) };
}

/** Sums of this owner by the minute, and the installation's counters of this type of step. */
async function sums({ userId }: Viewer, type: string) {
  const rows = await worldGraph().read((tx) =>
    tx.run(
      `// testSums
      MATCH (v:MetricValue {ownerId: $userId})
      RETURN v.key AS key, v.count AS count, v.sum AS sum, v.min AS min, v.max AS max,
        v.last AS last ORDER BY key
      UNION ALL
      MATCH (t:MetricTotal) WHERE t.key CONTAINS $type
      RETURN t.key AS key, null AS count, t.value AS sum, null AS min, null AS max, null AS last
        ORDER BY key`,
      { userId, type },
    ),
  );
  // The last digit of a sum depends on the order of adding.
  return rows.map((row) => ({
    ...row,
    key: String(row['key']),
    sum: Math.round(Number(row['sum']) * 1e6) / 1e6,
  }));
}

/** Takes away all that the projections have made. */
async function forget({ userId, workspace }: Viewer, type: string): Promise<void> {
  for (const what of [
    '(n:CallGraphNode {ownerId: $userId})',
    '(n:Event {workspace: $workspace})',
    '(n:ToolCall {workspace: $workspace})',
    '(n:Session {workspace: $workspace})',
    '(n:MetricValue {ownerId: $userId})',
    '(n:MetricTotal) WHERE n.key CONTAINS $type',
  ])
    await worldGraph().write((tx) =>
      tx.run(`// test\n MATCH ${what} DETACH DELETE n`, { userId, workspace, type }),
    );
}

// Call graph, raw stream and metrics are the same as built from scratch (S3-FLOW-02, S3-FLOW-03).
it(`records ${ENTRIES} entries once while the relay is killed ${KILLS} times`, async () => {
  const { ada, deps } = await world();
  const { viewer } = ada;
  const graph = worldGraph();
  const { lastSeq: before } = await graph.read((tx) => lookAtOutbox(tx));
  const name = `record-${deps.newId()}`;
  const checkpoints = NAMES.map((projection) => `${name}-${projection}`);
  const type = `test_${deps.newId()}`;
  // Where the projections begin; what lies before belongs to other tests.
  await graph.write((tx) =>
    tx.run(
      '// test\n UNWIND $checkpoints AS name CREATE (:Checkpoint {name: name, seq: $before})',
      { checkpoints, before },
    ),
  );
  const runs = Array.from({ length: RUNS }, () => entriesOfRun(viewer, type));

  let kills = 0;
  const write = async () => {
    let written = 0;
    for (const { entries } of runs) {
      // The stream lasts as long as there is somebody left to kill.
      while (kills < Math.floor((written / ENTRIES) * KILLS) && kills < KILLS) await setTimeout(20);
      for (const half of [entries.slice(0, 14), entries.slice(14)])
        await graph.write((tx) => appendEntries(tx, half));
      written += entries.length;
    }
  };
  // The next one starts while this one lives, or most of the time would go by waiting for processes
  // to start.
  const prepare = async (): Promise<ChildProcess> => {
    const path = new URL('../testkit/record-relay-process.ts', import.meta.url);
    const child = fork(path, [name, viewer.userId], { execArgv: [] });
    children.add(child);
    await once(child, 'message');
    return child;
  };
  const begin = async (child: ChildProcess) => {
    child.send('begin');
    await once(child, 'message');
  };
  const kill = async (child: ChildProcess) => {
    child.kill('SIGKILL');
    await once(child, 'exit');
    children.delete(child);
  };
  const ready = [prepare(), prepare()];
  const next = async () => {
    ready.push(prepare());
    return (await ready.shift()) as ChildProcess;
  };
  const writing = write();
  for (; kills < KILLS; kills++) {
    const child = await next();
    await begin(child);
    await setTimeout(20 + Math.random() * 300);
    await kill(child);
  }
  const last = await next();
  await begin(last);
  await Promise.all([writing, ...ready.map(async (child) => kill(await child))]);

  const own: NumberedEntry[] = [];
  const reached = async () => {
    const rows = await graph.read((tx) =>
      tx.run('// test\n MATCH (c:Checkpoint) WHERE c.name IN $checkpoints RETURN c.seq AS seq', {
        checkpoints,
      }),
    );
    return Math.min(...rows.map(({ seq }) => Number(seq)));
  };
  const readOn = async () => {
    for (let afterSeq = own.at(-1)?.seq ?? before; ; ) {
      const page = await graph.read((tx) => listEntries(tx, {}, { afterSeq, limit: 1_000 }));
      own.push(...page.filter(({ ownerId }) => ownerId === viewer.userId));
      if (page.length < 1_000) return;
      afterSeq = page.at(-1)?.seq ?? afterSeq;
    }
  };
  await eventually(
    'every projection has passed the last entry',
    async () => {
      if (own.length < RUNS * ENTRIES_PER_RUN) await readOn();
      return own.length >= RUNS * ENTRIES_PER_RUN && (await reached()) >= (own.at(-1)?.seq ?? 0);
    },
    300_000,
  );
  await kill(last);
  expect(own).toHaveLength(RUNS * ENTRIES_PER_RUN);

  /** Without the expiry: a test of retention gives all calls of the database a new one. */
  const callsOf = async (runId: string) => {
    const calls = await picture(viewer, runId);
    if (calls === null) return null;
    return { ...calls, nodes: calls.nodes.map((node) => ({ ...node, retentionExpiresAt: null })) };
  };
  const records = async () => ({
    calls: await Promise.all(runs.map(({ runId }) => callsOf(runId))),
    raw: await rawGraph(viewer.workspace),
    sums: await sums(viewer, type),
  });
  const projected = await records();
  await forget(viewer, type);
  const settings = fixedSettings(SETTINGS_DEFAULT);
  for (const projection of [
    callGraphProjection(projectionDeps()),
    ownRunsProjection({ ...streamDeps(), settings }),
    metricsProjection({ graph }, `${name}-calm`),
  ]) {
    const wanted = own.filter(({ kind }) => projection.kinds?.includes(kind) ?? true);
    for (let from = 0; from < wanted.length; from += 500)
      await projection.handle(wanted.slice(from, from + 500));
  }
  const rebuilt = await records();
  expect(projected.calls).toEqual(rebuilt.calls);
  expect(projected.raw).toEqual(rebuilt.raw);
  expect(projected.sums).toEqual(rebuilt.sums);

  // And it is what was told: a node for the run, each step, and both attempts of the lost one.
  for (const one of rebuilt.calls) {
    expect(one?.nodes).toHaveLength(1 + STEPS + 2);
    expect(one?.edges).toHaveLength(STEPS + 2 + (STEPS - 1));
    expect(one?.nodes.filter(({ status }) => status === 'aborted')).toHaveLength(1);
  }
  const labelled = (label: string) =>
    rebuilt.raw.nodes.filter(({ labels }) => (labels as string[]).includes(label));
  expect(labelled('RootSession')).toHaveLength(RUNS);
  expect(labelled('ToolCall')).toHaveLength(RUNS * (STEPS + 2));
  const steps = rebuilt.sums.filter(({ key }) => key.includes('steps_total'));
  expect(steps.map(({ sum }) => sum)).toEqual([RUNS * (STEPS + 1)]);
  const letters = await graph.read((tx) =>
    tx.run('// test\n MATCH (d:DeadLetter) WHERE d.projection IN $checkpoints RETURN d.id AS id', {
      checkpoints,
    }),
  );
  expect(letters).toEqual([]);
  // The app of the api tests would take it all up again.
  await forget(viewer, type);
  await graph.write((tx) =>
    tx.run('// test\n MATCH (o:OutboxEntry {ownerId: $userId}) DETACH DELETE o', {
      userId: viewer.userId,
    }),
  );
}, 900_000);
