import { expect, it } from 'vitest';
import { listMemoryEvents } from '../../src/agent-memory/events/event-list.service.ts';
import { memoryEventProjection } from '../../src/agent-memory/events/memory-event.projection.ts';
import { projectCallGraph } from '../../src/call-graph/call-graph.projection.ts';
import { listCalls } from '../../src/call-graph/call-read.cypher.ts';
import { operationStats } from '../../src/call-graph/operation-stats.service.ts';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { builtInId } from '../../src/metrics/built-in.ts';
import { findMetricDefinitions } from '../../src/metrics/metric.cypher.ts';
import { metricsProjection } from '../../src/metrics/metrics.projection.ts';
import { seriesOf } from '../../src/metrics/series.ts';
import { summariseSeries } from '../../src/metrics/value.cypher.ts';
import type { NumberedEntry } from '../../src/outbox/entry.ts';
import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import { listRuns } from '../../src/runs/run/run.cypher.ts';
import type { ProcessRun } from '../../src/runs/run/run.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import { ownRunsProjection } from '../../src/session-graph/events/own-runs.projection.ts';
import { findSessionTitles } from '../../src/session-graph/events/session.cypher.ts';
import { listSessions } from '../../src/session-graph/events/session-lists.cypher.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { fixedSettings } from '../testkit/fixed.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import { echoTool, step, subStep } from '../testkit/run-steps.ts';
import { tempBlobs } from '../testkit/temp-folder.ts';

// docs/decisions/0024: a background run of the product carries its origin and the thing it works
// for.

const { engine, rest, ada, own } = await engineWorld();

/** A Process that calls a Process that calls a Process that calls a Tool. */
async function threeDeep() {
  const tool = await echoTool(ada, rest.origin);
  const process = (name: string, first: object) =>
    own.createProcess({
      name,
      initialContext: ['w'],
      steps: [first as never],
      outputTemplate: 'done',
    });
  const inputs = { w: '{context.w}' };
  const inner = await process('Inner', step('a', tool.id, { q: '{context.w}' }));
  const middle = await process('Middle', subStep('b', inner.id, inputs));
  return process('Outer', subStep('c', middle.id, inputs));
}

const workFor = { kind: 'entity', id: 'e-1', name: 'Ada' } as const;
const runs = async (includeSystem: boolean) => {
  const page = await readWith(engine.graph, listRuns, ada.viewer.userId, { includeSystem }, {});
  return page.items.map(({ item }) => item);
};
const ofTree = (all: readonly ProcessRun[], rootRunId: string) =>
  all
    .filter((run) => run.rootRunId === rootRunId)
    .map(({ depth, origin, workFor: work }) => ({ depth, origin, work }))
    .toSorted((a, b) => a.depth - b.depth);

// S4-EXEC-13
it('a run of the product and its sub-runs are listed only when asked for', async () => {
  const { id: processId } = await threeDeep();
  const input = { processId, context: { w: 'hi' } };
  const background = await startProcessRun(engine.deps, ada.viewer, input, { workFor });
  await engine.launch(background.id);
  expect(await own.wait(background.id)).toMatchObject({ status: 'completed' });
  const ownRun = await engine.start(ada.viewer, input);
  await own.wait(ownRun.id);

  const listed = await runs(false);
  expect(ofTree(listed, background.id)).toEqual([]);
  expect(ofTree(listed, ownRun.id)).toEqual(
    [0, 1, 2].map((depth) => ({ depth, origin: 'user', work: null })),
  );
  expect(ofTree(await runs(true), background.id)).toEqual(
    [0, 1, 2].map((depth) => ({ depth, origin: 'system', work: workFor })),
  );

  const again = await retryProcessRun(engine.deps, ada.viewer, { runId: background.id });
  expect(again).toMatchObject({ origin: 'system', workFor });
  expect((await runs(false)).map(({ id }) => id)).not.toContain(again.id);
});

const ENTRIES = /* cypher */ `
  // entriesOfTree
  MATCH (o:OutboxEntry) WHERE o.rootRunId = $id
  RETURN o {.id, .kind, .ownerId, .workspace, .rootRunId, .runId, .runPath, .conversationId,
    .payload,
    at: toString(o.at)} AS entry ORDER BY o.id
`;
/** The entries of a run and its sub-runs, numbered. */
async function entriesOf(rootRunId: string): Promise<NumberedEntry[]> {
  const rows = await runCypher(engine.graph, ENTRIES, { id: rootRunId });
  return rows.map(({ entry }, index) => {
    const { payload, ...rest } = entry as { payload: string };
    return { ...rest, seq: index + 1, payload: JSON.parse(payload) } as unknown as NumberedEntry;
  });
}

it('calls, sessions, metrics and agent memory leave out a run of the product', async () => {
  const process = await threeDeep();
  const { id: conversationId } = await createConversation(engine.deps, ada.viewer, {
    title: 'Trip',
  });
  const input = { processId: process.id, context: { w: 'hi' }, conversationId };
  const background = await startProcessRun(engine.deps, ada.viewer, input, { workFor });
  await engine.launch(background.id);
  await own.wait(background.id);
  const ownRun = await engine.start(ada.viewer, input);
  await own.wait(ownRun.id);

  const entries = [...(await entriesOf(background.id)), ...(await entriesOf(ownRun.id))];
  const { graph } = engine;
  const settings = fixedSettings(SETTINGS_DEFAULT);
  const blobs = tempBlobs();
  const mode = { mode: 'separate', agentId: null } as const;
  const numbered = entries.map((entry, index) => ({ ...entry, seq: index + 1 }));
  await projectCallGraph({ graph, settings, payloads: engine.deps.payloads }, numbered);
  const deps = { ...engine.deps, graph, settings, blobs, memoryMode: mode, random: Math.random };
  await ownRunsProjection(deps).handle(numbered);
  await metricsProjection({ graph }, `test ${process.id}`).handle(numbered);
  await memoryEventProjection(deps).handle(numbered);

  const calls = (includeSystem: boolean) =>
    readWith(
      graph,
      listCalls,
      ada.viewer,
      { operationId: process.id, includeSystem },
      { first: 50 },
    );
  expect((await calls(false)).items.map(({ item }) => item.requestId)).toEqual([ownRun.id]);
  expect((await calls(true)).totalCount).toBe(2);
  const stats = async (includeSystem: boolean) =>
    (await operationStats({ graph }, ada.viewer, { includeSystem })).find(
      ({ operationId }) => operationId === process.id,
    );
  expect(await stats(false)).toMatchObject({ calls: 1, name: 'Outer' });
  expect(await stats(true)).toMatchObject({ calls: 2, name: 'Outer' });

  const sessions = (includeSystem: boolean) =>
    readWith(graph, listSessions, ada.viewer, { first: 50, includeSystem });
  const ids = (await sessions(false)).items.map(({ item }) => item.nodeId);
  expect(ids).toContain(conversationId);
  expect(ids).not.toContain(background.id);
  const all = (await sessions(true)).items.map(({ item }) => item);
  expect(all.filter(({ origin }) => origin === 'system')).toHaveLength(3);
  const titles = await readWith(graph, findSessionTitles, ada.viewer, [
    conversationId,
    background.id,
  ]);
  expect([...titles.values()]).toEqual(['Trip', 'Outer']);

  const window = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const [runsEnded] = await readWith(graph, findMetricDefinitions, [
    builtInId('process', 'aiden_calls'),
  ]);
  if (runsEnded === undefined) throw new Error('The metric aiden_calls is missing.');
  const counted = await readWith(
    graph,
    summariseSeries,
    ada.viewer,
    [false, true].map((includeSystem) =>
      seriesOf(runsEnded, process.id, { includeSystem }, window),
    ),
  );
  expect(counted.map((summary) => summary?.sum)).toEqual([1, 2]);

  const given = { ...window, sessionId: conversationId };
  const { items } = await listMemoryEvents({ graph, memoryMode: mode }, ada.viewer, given);
  const runIds = new Set(items.map(({ item }) => item.metadata['runId']));
  expect(items.filter(({ item }) => item.eventType === 'tool_result')).toHaveLength(1);
  const tree = new Set(
    entries.filter((one) => one.rootRunId === ownRun.id).map(({ runId }) => runId),
  );
  expect([...runIds].filter((id) => !tree.has(String(id)))).toEqual([]);
});
