import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { NO_USAGE } from '../../src/common/tool-fault.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import type { NumberedEntry } from '../../src/outbox/entry.ts';
import { type EntryRun, runEntry } from '../../src/runs/events/run-entry.ts';
import { ownRunsProjection } from '../../src/session-graph/events/own-runs.projection.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import { listSessions } from '../../src/session-graph/events/session-lists.cypher.ts';
import { buildLayers } from '../../src/session-graph/layers/layer-builder.service.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import { runDeps } from '../testkit/conversations.ts';
import { fixedSettings } from '../testkit/fixed.ts';
import { event, rawGraph, streamDeps } from '../testkit/streams.ts';
import { newViewer, type World, world } from '../testkit/world.ts';

const deps = streamDeps();
const projection = ownRunsProjection({ ...deps, settings: fixedSettings(SETTINGS_DEFAULT) });
let here: World;
beforeAll(async () => {
  here = await world();
});

/** A root run with one tool step, one llm step and a sub-process with a tool step, as the engine records it. */
async function aStory(viewer: Viewer, conversationId: string | null) {
  const { newId, graph } = here.deps;
  let nowMs = 1_742_018_545_000;
  const clock = { nowMs: () => nowMs };
  const run = (above: EntryRun | null): EntryRun => {
    const runId = newId();
    return {
      runId,
      rootRunId: above?.rootRunId ?? runId,
      runPath: [...(above?.runPath ?? []), runId],
      ownerId: viewer.userId,
      workspace: viewer.workspace,
      conversationId,
    };
  };
  const root = run(null);
  const child = run(root);
  await graph.write((tx) =>
    tx.run(
      "// testRuns\nCREATE (:ProcessRun:Resource {id: $root, processName: 'Answer'}), (:ProcessRun:Resource {id: $child, processName: 'Look up / v2'})",
      { root: root.runId, child: child.runId },
    ),
  );
  const entries: NumberedEntry[] = [];
  const say = (...[of, kind, payload]: [EntryRun, Parameters<typeof runEntry>[2], object]) => {
    nowMs += 10;
    entries.push({
      ...runEntry({ clock, newId }, of, kind, payload as never),
      seq: entries.length + 1,
    });
  };
  const head = (processName: string) => ({ processId: 'p', processName, processVersion: 3 });
  const place = (stepId: string) => ({ stepId, index: null, attempt: 1 });
  const starts = (of: EntryRun, stepId: string, type: string, inputs: JsonObject) =>
    say(of, 'step.started', {
      ...place(stepId),
      name: stepId === 'sub' ? 'Look up / v2' : `The ${stepId}`,
      type,
      targetId: 't',
      inputs: { value: inputs },
      speaks: false,
    });
  const ends = (of: EntryRun, stepId: string, type: string, output: unknown, more: object = {}) =>
    say(of, 'step.ended', {
      ...place(stepId),
      name: stepId === 'sub' ? 'Look up / v2' : `The ${stepId}`,
      type,
      status: 'completed',
      output: { value: output },
      outputTruncated: false,
      error: null,
      usage: NO_USAGE,
      cached: false,
      willRetry: false,
      speaks: false,
      childRunId: null,
      ...more,
    });
  const over = (of: EntryRun) =>
    say(of, 'run.ended', {
      processId: 'p',
      status: 'completed',
      output: { value: 'Done.' },
      outputTruncated: false,
      error: null,
      usage: NO_USAGE,
    });

  say(root, 'run.requested', { ...head('Answer'), retryOfId: null });
  say(root, 'run.started', {
    ...head('Answer'),
    depth: 0,
    context: { value: { message: 'What is it?' } },
    parent: null,
  });
  starts(root, 'fetch', 'rest_call', { url: 'x', apiKey: 'sk-very-secret' });
  ends(root, 'fetch', 'rest_call', { password: 'hunter2', fine: 1 });
  starts(root, 'speak', 'llm_call', { q: 1 });
  ends(root, 'speak', 'llm_call', 'An answer.');
  starts(root, 'sub', 'process', {});
  say(child, 'run.started', {
    ...head('Look up / v2'),
    depth: 1,
    context: { value: {} },
    parent: { ...place('sub'), runId: root.runId },
  });
  starts(child, 'find', 'graph_query', {});
  ends(child, 'find', 'graph_query', null, {
    status: 'failed',
    error: { code: 'TOOL_FAILED', message: 'It broke.', stepId: 'find', details: null },
  });
  over(child);
  ends(root, 'sub', 'process', 'found', { childRunId: child.runId });
  over(root);
  const forked = `${child.runId}_Look-up-v2`;
  return { root, child, forked, entries };
}

describe("Aiden's own conversations in the raw graph", () => {
  it('S0-NODE-05: an archived one ends, one that is taken up again is resumed, and a new title is neither', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { id } = await createConversation(runDeps(here), me, { title: 'Trip' });
    const changes = [
      { title: 'Rome' },
      { status: 'archived' },
      { title: 'Oslo' },
      { status: 'active' },
    ];
    for (const change of changes)
      await updateConversation(runDeps(here), me, { id, ...change } as never);
    const entries = await here.deps.graph.read((tx) =>
      tx.run(
        `// testEntries
        MATCH (o:OutboxEntry {conversationId: $id}) RETURN o {.*} AS entry ORDER BY o.id`,
        { id },
      ),
    );
    await projection.handle(
      entries.map(({ entry }, index) => {
        const { payload, ...rest } = entry as NumberedEntry & { payload: unknown };
        return { ...rest, payload: JSON.parse(String(payload)), seq: index + 1, runPath: [] };
      }),
    );
    const { nodes } = await rawGraph(me.workspace);
    const told = nodes
      .map(({ props }) => (props as JsonObject)['event_name'])
      .filter((name) => typeof name === 'string');
    expect(told.toSorted()).toEqual([
      'conversation:updated',
      'conversation:updated',
      'session:end',
      'session:resume',
      'session:start',
    ]);
    const page = await here.deps.graph.read((tx) =>
      listSessions(tx, { userId: me.userId, workspace: me.workspace }, { first: 1 }),
    );
    expect(page.items[0]?.item).toMatchObject({ status: 'active' });
  });
});

describe("Aiden's own runs in the raw graph", () => {
  it('S0-NODE-01, S0-EDGE-01, S0-LIFT-04, S0-TC-01: a root run is a root session, its sub-process a forked one, its steps tool calls', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { root, forked, entries } = await aStory(me, null);
    await projection.handle(entries);
    const { nodes, edges } = await rawGraph(me.workspace);
    const sessions = nodes.filter(({ labels }) => (labels as string[]).includes('Session'));
    expect(sessions.map(({ id, labels }) => [id, labels])).toEqual(
      [
        [root.runId, ['RootSession', 'Session']],
        [forked, ['ForkedSession', 'Session']],
      ].sort(),
    );
    expect(edges).toContain(`${root.runId} HAS_FORK ${forked}`);
    const calls = nodes.filter(({ labels }) => (labels as string[]).includes('ToolCall'));
    expect(calls.map(({ id, props }) => [id, (props as JsonObject)['tool_name']]).sort()).toEqual(
      [
        [`${root.runId}__tool_call__${root.runId}/fetch/1`, 'The fetch'],
        [`${root.runId}__tool_call__${root.runId}/sub/1`, 'Look up / v2'],
        [`${forked}__tool_call__${forked.slice(0, 36)}/find/1`, 'The find'],
      ].sort(),
    );
    for (const { props } of calls) {
      expect((props as JsonObject)['ended_at']).toBeTypeOf('string');
      expect(props).not.toHaveProperty('parallel_group_id');
    }
    // The log of a run names the Tool, not the model that its connection names.
    const eventOf = (event_name: string) =>
      nodes.find(({ props }) => (props as JsonObject)['event_name'] === event_name)?.props;
    expect(eventOf('llm:request')).toMatchObject({ provider: expect.stringMatching(/^The /) });
    expect(eventOf('llm:request')).not.toHaveProperty('model');
    const names = nodes.flatMap(({ props }) => {
      const name = (props as JsonObject)['event_name'];
      return typeof name === 'string' ? [name] : [];
    });
    expect(new Set(names)).toEqual(
      new Set([
        'session:start',
        'session:fork',
        'session:end',
        'execution:start',
        'execution:end',
        'orchestrator:complete',
        'prompt:submit',
        'prompt:complete',
        'llm:request',
        'llm:response',
        'tool:pre',
        'tool:post',
        'tool:error',
        'delegate:start',
        'delegate:agent_spawned',
        'delegate:complete',
        'recipe:start',
        'recipe:step',
        'recipe:complete',
      ]),
    );
  });

  it('is the same when its entries come again, in other batches', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { entries } = await aStory(me, null);
    await projection.handle(entries);
    const once = await rawGraph(me.workspace);
    await projection.handle(entries.slice(3, 9));
    for (const entry of entries) await projection.handle([entry]);
    expect(await rawGraph(me.workspace)).toEqual(once);
  });

  it('goes through the redactor: no secret by name stands in it, and no id is taken for one', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { entries } = await aStory(me, null);
    await projection.handle(entries);
    const all = JSON.stringify(await rawGraph(me.workspace));
    expect(all).not.toContain('sk-very-secret');
    expect(all).not.toContain('hunter2');
    expect(all).toContain('[REDACTED]');
  });

  it('of a conversation are its root session, which nobody else may write to', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { id } = await createConversation(runDeps(here), me, { title: 'Talk' });
    const before = await recordSessionEvents(deps, me, [event(id, 'note')]);
    const { root, forked, entries } = await aStory(me, id);
    await projection.handle(entries);
    const { nodes } = await rawGraph(me.workspace);
    const sessions = nodes.filter(({ labels }) => (labels as string[]).includes('Session'));
    expect(sessions.map((node) => node['id']).sort()).toEqual([id, forked].sort());
    const answers = [
      before,
      await recordSessionEvents(deps, me, [event(id, 'note')]),
      await recordSessionEvents(deps, me, [event(forked, 'note')]),
      await recordSessionEvents(deps, me, [event(root.runId, 'note')]),
      await recordSessionEvents(deps, me, [event('aa-bb_x', 'session:fork', { parent: id })]),
    ];
    expect(answers.map(({ recorded, problems }) => [recorded, problems[0]?.code])).toEqual(
      answers.map(() => [0, 'NOT_FOUND']),
    );
  });

  it('S0-LAYER-01: is told by the semantic layers: runs, iterations, delegations, recipes', async () => {
    const me = await newViewer(here.deps, 'ada');
    const { root, forked, entries } = await aStory(me, null);
    await projection.handle(entries);
    const session = { id: root.runId, workspace: me.workspace, ownerId: me.userId };
    await buildLayers(deps, session);
    const rows = await deps.graph.read((tx) =>
      tx.run(
        `// testLayers
        MATCH (s:Session {node_id: $id, workspace: $workspace})-[:HAS_EXECUTION]->(run:OrchestratorRun)
        MATCH (prompt:Prompt)-[:TRIGGERED]->(run)
        MATCH (run)-[:HAS_PART]->(i:Iteration)-[:HAS_PART]->(block:ContentBlock)
        MATCH (s)-[:HAS_TOOL_CALL]->(tc:ToolCall)-[:TRIGGERED]->(d:Delegation)-[:HAS_AGENT]->(agent:Agent)
        MATCH (d)-[:ENCOMPASSES]->(child:Session)
        MATCH (s)-[:HAS_RECIPE_RUN]->(r:RecipeRun)-[:HAS_RECIPE]->(recipe:Recipe)
        RETURN run.status AS status, prompt.text AS prompt, block.text AS said, agent.name AS agent, child.node_id AS child,
          recipe.name AS recipe, COUNT { (r)-[:HAS_STEP]->(:RecipeStep) } AS steps,
          COUNT { (run)-[:SOURCED_FROM]->(:Event) } AS sources`,
        { id: root.runId, workspace: me.workspace },
      ),
    );
    expect(rows).toEqual([
      {
        status: 'completed',
        prompt: 'What is it?',
        said: 'An answer.',
        agent: 'Look-up-v2',
        child: forked,
        recipe: 'Answer',
        steps: 3,
        sources: 3,
      },
    ]);
  });
});
