import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import type { NumberedEntry } from '../../src/outbox/entry.ts';
import type { Row } from '../../src/platform/neo4j/graph.ts';
import type { RunEntryPayloads } from '../../src/runs/events/run-entry.ts';
import { ownRunsProjection } from '../../src/session-graph/events/own-runs.projection.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import { listSessions } from '../../src/session-graph/events/session-lists.cypher.ts';
import { buildLayers } from '../../src/session-graph/layers/layer-builder.service.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import { endedRun, endedStep, startedRun, startedStep, storyteller } from '../testkit/calls.ts';
import { runDeps } from '../testkit/conversations.ts';
import { fixedSettings } from '../testkit/fixed.ts';
import { readWith, runCypher, writeCypher } from '../testkit/graph.ts';
import { event, rawGraph, streamDeps } from '../testkit/streams.ts';
import { newViewer, world } from '../testkit/world.ts';

const deps = streamDeps();
const projection = ownRunsProjection({ ...deps, settings: fixedSettings(SETTINGS_DEFAULT) });
const here = await world();

type StepType = RunEntryPayloads['step.started']['type'];

/** A root run with a tool step, an llm step and a sub-process, as the engine records it. */
async function aStory(viewer: Viewer, conversationId: string | null) {
  const teller = storyteller(viewer, 1_742_018_545_000, conversationId);
  const { entries } = teller;
  const root = teller.run();
  const child = teller.run(root);
  const inner = 'Look up / v2';
  await writeCypher(
    here.deps.graph,
    `CREATE (:ProcessRun:Resource {id: $root, processName: 'Answer'})
     CREATE (:ProcessRun:Resource {id: $child, processName: $inner})`,
    { root: root.runId, child: child.runId, inner },
  );
  const head = (processName: string) => ({ processId: 'p', processName, processVersion: 3 });
  const nameOf = (stepId: string) => (stepId === 'sub' ? inner : `The ${stepId}`);
  const starts = (of: typeof root, stepId: string, type: StepType, inputs: JsonObject) =>
    of.tell('step.started', startedStep(stepId, inputs, { type, name: nameOf(stepId) }));
  const ends = (of: typeof root, stepId: string, type: StepType, output: Json, more = {}) =>
    of.tell('step.ended', endedStep(stepId, output, { type, name: nameOf(stepId), ...more }));
  const does = (stepId: string, type: StepType, inputs: JsonObject, output: Json) => {
    starts(root, stepId, type, inputs);
    ends(root, stepId, type, output);
  };

  root.tell('run.requested', { ...head('Answer'), steps: 4, retryOfId: null });
  const messages = [
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: [{ type: 'text', text: 'What is it?' }] },
  ];
  root.tell('run.started', { ...startedRun({ messages }), ...head('Answer') });
  const secret = { url: 'x', apiKey: 'sk-very-secret' };
  does('fetch', 'rest_call', secret, { password: 'hunter2', fine: 1 });
  const model = { name: 'small-1', provider: 'openai' };
  const speaks = { type: 'llm_call', name: 'The speak', model } as const;
  root.tell('step.started', startedStep('speak', { q: 1 }, speaks));
  root.tell('step.ended', endedStep('speak', 'An answer.', speaks));
  for (const index of [1, 0]) {
    const item = { index, name: 'The each', parallelGroupId: `${root.runId}/each` };
    root.tell('step.started', startedStep('each', {}, item));
    root.tell('step.ended', endedStep('each', null, { index, name: 'The each' }));
  }
  const parallelGroupId = `${root.runId}/stage-3`;
  root.tell(
    'step.started',
    startedStep('sub', {}, { type: 'process', name: inner, parallelGroupId }),
  );
  const parent = { stepId: 'sub', index: null, attempt: 1, runId: root.runId, parallelGroupId };
  child.tell('run.started', { ...startedRun({}, parent), ...head(inner) });
  starts(child, 'find', 'graph_query', {});
  const error = { code: 'TOOL_FAILED', message: 'It broke.', stepId: 'find', details: null };
  ends(child, 'find', 'graph_query', null, { status: 'failed', error });
  child.tell('run.ended', endedRun('Done.'));
  ends(root, 'sub', 'process', 'found', { childRunId: child.runId });
  root.tell('run.ended', endedRun('Done.'));
  return { root, forked: `${child.runId}_Look-up-v2`, entries };
}

const eventNames = (nodes: readonly Row[]) =>
  nodes.flatMap(({ props }) => {
    const name = (props as JsonObject)['event_name'];
    return typeof name === 'string' ? [name] : [];
  });
const withLabel = (nodes: readonly Row[], label: string) =>
  nodes.filter(({ labels }) => (labels as string[]).includes(label));

describe("Aiden's own conversations in the raw graph", () => {
  it('S0-NODE-05: an archived one ends, and is resumed; a new title is neither', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { id } = await createConversation(runDeps(here), me, { title: 'Trip' });
    const active = { status: 'active' } as const;
    const archived = { status: 'archived' } as const;
    for (const change of [{ title: 'Rome' }, archived, { title: 'Oslo' }, active])
      await updateConversation(runDeps(here), me, { id, ...change });
    const entries = await runCypher(
      here.deps.graph,
      `MATCH (o:OutboxEntry {conversationId: $id}) RETURN o {.*} AS entry ORDER BY o.id`,
      { id },
    );
    await projection.handle(
      entries.map(({ entry }, index) => {
        const { payload, ...rest } = entry as NumberedEntry & { payload: unknown };
        return { ...rest, payload: JSON.parse(String(payload)), seq: index + 1, runPath: [] };
      }),
    );
    const { nodes } = await rawGraph(me.workspace);
    const told = eventNames(nodes);
    const twice = 'conversation:updated';
    const names = [twice, twice, 'session:end', 'session:resume', 'session:start'];
    expect(told.toSorted()).toEqual(names);
    const page = await readWith(here.deps.graph, listSessions, me, { first: 1 });
    expect(page.items[0]?.item).toMatchObject({ status: 'active' });
  });
});

describe("Aiden's own runs in the raw graph", () => {
  // S0-NODE-01, S0-EDGE-01, S0-LIFT-04, S0-TC-01
  it('a root run is a root session, its sub-process a fork, its steps tool calls', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { root, forked, entries } = await aStory(me, null);
    await projection.handle(entries);
    const { nodes, edges } = await rawGraph(me.workspace);
    expect(withLabel(nodes, 'Session').map(({ id, labels }) => [id, labels])).toEqual(
      [
        [root.runId, ['RootSession', 'Session']],
        [forked, ['ForkedSession', 'Session']],
      ].sort(),
    );
    expect(edges).toContain(`${root.runId} HAS_FORK ${forked}`);
    const calls = withLabel(nodes, 'ToolCall');
    expect(calls.map(({ id, props }) => [id, (props as JsonObject)['tool_name']]).sort()).toEqual(
      [
        [`${root.runId}__tool_call__${root.runId}/each/0/1`, 'The each'],
        [`${root.runId}__tool_call__${root.runId}/each/1/1`, 'The each'],
        [`${root.runId}__tool_call__${root.runId}/fetch/1`, 'The fetch'],
        [`${root.runId}__tool_call__${root.runId}/sub/1`, 'Look up / v2'],
        [`${forked}__tool_call__${forked.slice(0, 36)}/find/1`, 'The find'],
      ].sort(),
    );
    for (const { props } of calls) expect((props as JsonObject)['ended_at']).toBeTypeOf('string');
    const groups = Object.fromEntries(
      calls.flatMap(({ props }) => {
        const { tool_name, parallel_group_id = null } = props as JsonObject;
        return [[tool_name, parallel_group_id]];
      }),
    );
    expect(groups).toEqual({
      'The each': `${root.runId}/each`,
      'The fetch': null,
      'The find': null,
      'Look up / v2': `${root.runId}/stage-3`,
    });
    const eventOf = (event_name: string) =>
      nodes.find(({ props }) => (props as JsonObject)['event_name'] === event_name)?.props;
    for (const name of ['llm:request', 'llm:response'])
      expect(eventOf(name)).toMatchObject({ provider: 'openai', model: 'small-1' });
    expect(eventOf('session:fork')).toMatchObject({ parallel_group_id: `${root.runId}/stage-3` });
    const names = eventNames(nodes);
    const families = {
      session: 'start fork end',
      execution: 'start end',
      orchestrator: 'complete',
      prompt: 'submit complete',
      llm: 'request response',
      tool: 'pre post error',
      delegate: 'start agent_spawned complete',
      recipe: 'start step loop_iteration complete',
    };
    const all = Object.entries(families).flatMap(([group, of]) =>
      of.split(' ').map((name) => `${group}:${name}`),
    );
    expect(new Set(names)).toEqual(new Set(all));
  });

  it('is the same when its entries come again, in other batches, without its secrets', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { entries } = await aStory(me, null);
    await projection.handle(entries);
    const once = await rawGraph(me.workspace);
    await projection.handle(entries.slice(3, 9));
    for (const entry of entries) await projection.handle([entry]);
    expect(await rawGraph(me.workspace)).toEqual(once);
    const all = JSON.stringify(once);
    for (const secret of ['sk-very-secret', 'hunter2']) expect(all).not.toContain(secret);
    expect(all).toContain('[REDACTED]');
  });

  it('of a conversation are its root session, which no client may write to', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { id } = await createConversation(runDeps(here), me, { title: 'Talk' });
    const before = await recordSessionEvents(deps, me, [event(id, 'note')]);
    const { root, forked, entries } = await aStory(me, id);
    await projection.handle(entries);
    const { nodes } = await rawGraph(me.workspace);
    expect(
      withLabel(nodes, 'Session')
        .map(({ id: of }) => of)
        .sort(),
    ).toEqual([id, forked].sort());
    const records = (...given: Parameters<typeof event>) =>
      recordSessionEvents(deps, me, [event(...given)]);
    const answers = [
      before,
      await records(id, 'note'),
      await records(forked, 'note'),
      await records(root.runId, 'note'),
      await records('aa-bb_x', 'session:fork', { parent: id }),
    ];
    expect(answers.map(({ recorded, problems }) => [recorded, problems[0]?.code])).toEqual(
      answers.map(() => [0, 'NOT_FOUND']),
    );
  });

  // S0-LAYER-01
  it('is told by the semantic layers: runs, iterations, delegations, recipes', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { root, forked, entries } = await aStory(me, null);
    await projection.handle(entries);
    const session = { id: root.runId, workspace: me.workspace, ownerId: me.userId };
    await buildLayers(deps, session);
    const rows = await runCypher(
      deps.graph,
      `MATCH (s:Session {node_id: $id, workspace: $workspace})
       MATCH (s)-[:HAS_EXECUTION]->(run:OrchestratorRun)
       MATCH (prompt:Prompt)-[:TRIGGERED]->(run)
       MATCH (run)-[:HAS_PART]->(i:Iteration)-[:HAS_PART]->(block:ContentBlock)
       MATCH (s)-[:HAS_TOOL_CALL]->(:ToolCall)-[:TRIGGERED]->(d:Delegation)-[:HAS_AGENT]->(a:Agent)
       MATCH (d)-[:ENCOMPASSES]->(child:Session)
       MATCH (s)-[:HAS_RECIPE_RUN]->(r:RecipeRun)-[:HAS_RECIPE]->(recipe:Recipe)
       MATCH (r)-[:HAS_STEP]->(looped:RecipeStep {step_id: 'each'})
       RETURN [run.status, prompt.text, i.model, i.provider, block.text, a.name, child.node_id,
           recipe.name] AS texts,
         COUNT { (r)-[:HAS_STEP]->(:RecipeStep) } AS steps, r.total_steps AS total,
         looped.iterations AS iterations,
         COUNT { (run)-[:SOURCED_FROM]->(:Event) } AS sources`,
      { id: root.runId, workspace: me.workspace },
    );
    const said = ['completed', 'What is it?', 'small-1', 'openai', 'An answer.'];
    const texts = [...said, 'Look-up-v2', forked, 'Answer'];
    expect(rows).toEqual([{ texts, steps: 4, total: 4, iterations: 2, sources: 3 }]);
  });
});
