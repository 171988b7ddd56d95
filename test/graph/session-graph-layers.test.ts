import { describe, expect, it } from 'vitest';
import type { Instant } from '../../src/common/clock.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import {
  buildLayers,
  buildStaleLayers,
} from '../../src/session-graph/layers/layer-builder.service.ts';
import {
  listRunsOfSessions,
  listStaleSessions,
} from '../../src/session-graph/layers/layers.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import { readWith, runCypher, writeCypher } from '../testkit/graph.ts';
import { event, rawGraph, streamDeps } from '../testkit/streams.ts';
import { newViewer, worldDeps } from '../testkit/world.ts';

const deps = streamDeps();
const [ada, bob] = await Promise.all([
  newViewer(worldDeps(), 'ada'),
  newViewer(worldDeps(), 'bob'),
]);

const ask = (cypher: string, params: Record<string, unknown>) =>
  runCypher(deps.graph, `${cypher}`, params);
const layersOf = ({ workspace }: Viewer) =>
  ask(
    `MATCH (n:LayerNode {layer_workspace: $workspace})
    RETURN n.node_id AS id, [label IN labels(n) WHERE label <> 'LayerNode'][0] AS label,
      COUNT { (n)--() } AS edges ORDER BY id`,
    { workspace },
  );
const build = (viewer: Viewer, id: string) =>
  buildLayers(deps, { id, workspace: viewer.workspace, ownerId: viewer.userId });
const staleOf = ({ workspace }: Viewer) =>
  ask(
    `MATCH (s:Session {workspace: $workspace}) WHERE s.layers_stale_since IS NOT NULL RETURN
      s.node_id AS id`,
    { workspace },
  );

const turn = (session: string) => [
  event(session, 'prompt:submit', { prompt: 'Look.' }),
  event(session, 'execution:start', {}, 1),
  event(session, 'llm:request', { model: 'm' }, 2),
  event(session, 'tool:pre', { tool_call_id: 'c', tool_name: 'bash' }, 3),
  event(session, 'llm:response', { text: 'Done.' }, 4),
  event(session, 'delegate:start', { tool_call_id: 'c', agent: 'explorer' }, 5),
  event(session, 'execution:end', { status: 'completed' }, 9),
];

describe('the semantic layers in the graph', () => {
  // S0-LAYER-01, S0-WS-01
  it('are dropped and built anew as they were, and leave the raw graph alone', async () => {
    await recordSessionEvents(deps, ada, turn('s'));
    const raw = await rawGraph(ada.workspace);
    expect(await staleOf(ada)).toEqual([{ id: 's' }]);
    await build(ada, 's');
    expect(await staleOf(ada)).toEqual([]);
    const once = await layersOf(ada);
    const labels = 'Agent ContentBlock Delegation Iteration OrchestratorRun Prompt'.split(' ');
    expect(once.map(({ label }) => label).sort()).toEqual(labels);
    await build(ada, 's');
    expect(await layersOf(ada)).toEqual(once);
    // Within the workspace there are still the three node and edge types of Layer 1 and no others
    // (S0-NODE-01, S0-EDGE-01).
    expect(await rawGraph(ada.workspace)).toEqual(raw);
    const layers = 'MATCH (n:LayerNode {workspace: $workspace}) RETURN n';
    expect(await ask(layers, { workspace: ada.workspace })).toEqual([]);
  });

  it('S0-LAYER-01: follow events that come later, and late ones', async () => {
    const [first, ...rest] = turn('t');
    await recordSessionEvents(deps, bob, rest);
    await build(bob, 't');
    const labels = async () => (await layersOf(bob)).map(({ label }) => label);
    expect(await labels()).not.toContain('Prompt');
    await recordSessionEvents(deps, bob, first === undefined ? [] : [first]);
    expect(await staleOf(bob)).toEqual([{ id: 't' }]);
    await build(bob, 't');
    expect(await labels()).toContain('Prompt');
    const runs = await readWith(deps.graph, listRunsOfSessions, bob, { ids: ['t'], limit: 10 });
    expect(runs.get('t')).toMatchObject([
      {
        status: 'completed',
        prompt: 'Look.',
        iterations: [{ number: 1, model: 'm', toolCalls: ['t__tool_call__c'] }],
      },
    ]);
  });

  it('of a session that is stale since the future, by a wrong clock, are due', async () => {
    const me = await newViewer(worldDeps(), 'ida');
    await recordSessionEvents(deps, me, turn('f'));
    await writeCypher(
      deps.graph,
      `MATCH (s:Session {workspace: $workspace}) SET s.layers_stale_since = datetime() +
        duration('PT1H')`,
      { workspace: me.workspace },
    );
    const rest = { minMs: 3_600_000, factor: 9 };
    const find = { now: new Date().toISOString(), rest, limit: 10_000 };
    const due = await readWith(deps.graph, listStaleSessions, find);
    expect(due.map(({ id, workspace }) => [id, workspace])).toContainEqual(['f', me.workspace]);
    await build(me, 'f');
  });

  it('of a session that is written to while they are built stay marked', async () => {
    const { workspace, userId: ownerId } = ada;
    await recordSessionEvents(deps, ada, turn('u'));
    let isWritten = false;
    const graph = {
      ...deps.graph,
      write: async <T>(work: Parameters<typeof deps.graph.write<T>>[0]) => {
        if (!isWritten) {
          isWritten = true;
          await recordSessionEvents(deps, ada, [event('u', 'note', {}, 20)]);
        }
        return deps.graph.write(work);
      },
    };
    await buildLayers({ ...deps, graph }, { id: 'u', workspace, ownerId });
    expect(await staleOf(ada)).toEqual([{ id: 'u' }]);
    await build(ada, 'u');
    expect(await staleOf(ada)).toEqual([]);
  });

  it('of a thousand events and more are whole', async () => {
    const me = await newViewer(worldDeps(), 'cleo');
    for (let from = 0; from < 1_400; from += 700) {
      const batch = Array.from({ length: 700 }, (_, index) =>
        event('long', 'skill:load', { skill_name: `s${from + index}` }, from + index),
      );
      await recordSessionEvents(deps, me, batch);
    }
    await build(me, 'long');
    const layers = await layersOf(me);
    expect(layers).toHaveLength(1_400);
    // To its session and to its event.
    expect(new Set(layers.map(({ edges }) => edges))).toEqual(new Set([2]));
  });

  it('of several sessions are built together, also where one can not be built', async () => {
    // In a time of its own, so that no other sessions are due.
    const atMs = Date.parse('1990-01-01T00:00:00Z');
    const then = { ...deps, clock: { ...deps.clock, nowMs: () => atMs } };
    const rest = { minMs: 5_000, factor: 0 };
    const due = (laterMs: number) => new Date(atMs + laterMs).toISOString() as Instant;
    const [together, alone] = await Promise.all([
      newViewer(worldDeps(), 'dora'),
      newViewer(worldDeps(), 'dora'),
    ]);
    const ids = ['one', 'two', 'three', 'many'];
    const many = Array.from({ length: 250 }, (_, index) =>
      event('many', 'skill:load', { skill_name: `s${index}` }, index),
    );
    for (const viewer of [together, alone])
      await recordSessionEvents(viewer === together ? then : deps, viewer, [
        ...ids.slice(0, 3).flatMap(turn),
        ...many,
      ]);
    const isOwnOf = (viewer: Viewer, params: unknown) =>
      JSON.stringify(params ?? {}).includes(viewer.workspace);
    const statements: string[] = [];
    const graph: Graph = {
      ...deps.graph,
      write: (work) =>
        deps.graph.write((tx) =>
          work({
            ...tx,
            run(cypher, params) {
              if (isOwnOf(together, params)) statements.push(/\/\/ (\w+)/.exec(cypher)?.[1] ?? '');
              const { nodes = [] } = (params ?? {}) as { nodes?: { sessionId: string }[] };
              if (nodes.some(({ sessionId }) => sessionId === 'broken')) throw new Error('Broken.');
              return tx.run(cypher, params);
            },
          }),
        ),
    };
    expect(await buildStaleLayers({ ...then, graph }, rest, due(4_999))).toBe(0);
    expect(await buildStaleLayers({ ...then, graph }, rest, due(5_000))).toBe(4);
    for (const id of ids) await build(alone, id);
    const inserts = statements.filter((name) => name === 'insertLayerNodes');
    // Three small ones in one statement, the large one by itself.
    expect(inserts).toHaveLength(2);
    expect(await staleOf(together)).toEqual([]);
    const layers = async (viewer: Viewer) =>
      JSON.stringify(await layersOf(viewer)).replaceAll(viewer.userId, 'owner');
    expect(await layers(together)).toBe(await layers(alone));

    await recordSessionEvents(then, together, ['broken', 'four', 'five'].flatMap(turn));
    await expect(buildStaleLayers({ ...then, graph }, rest, due(5_000))).rejects.toThrow('Broken.');
    expect(await staleOf(together)).toEqual([{ id: 'broken' }]);
    expect(await buildStaleLayers(then, rest, due(5_000))).toBe(1);
    expect(await staleOf(together)).toEqual([]);
  });
});
