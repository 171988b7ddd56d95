import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import type { LayerEvent } from '../../src/session-graph/layers/layer.ts';
import { deriveLayers, LAYER_EVENT_NAMES } from '../../src/session-graph/layers/layers.ts';

const event = (name: string, laterMs: number, data: JsonObject = {}): LayerEvent => ({
  nodeId: `s__${name.replace(':', '_')}__${laterMs}`,
  name,
  at: new Date(1_742_018_545_123 + laterMs).toISOString(),
  toolCall: name === 'tool:pre' ? `s__tool_call__${String(data['tool_call_id'])}` : null,
  data,
});
const derive = (...events: LayerEvent[]) => deriveLayers('s', 'ada', events);
/** `from TYPE to` without the sources, which every node has. */
const edgesOf = ({ edges }: ReturnType<typeof derive>) =>
  edges
    .filter(({ type }) => type !== 'SOURCED_FROM')
    .map(({ from, type, to }) => `${from.id} ${type} ${to.id}`);
const RUN = 's__orchestrator_run__1742018545133';

describe('the kernel layer', () => {
  const turn = [
    event('prompt:submit', 0, { prompt: 'Look.' }),
    event('execution:start', 10),
    event('provider:request', 20, { provider: 'p' }),
    event('llm:request', 21, { model: 'm' }),
    event('llm:response', 30, {
      content: [
        { type: 'thinking', text: 'Hm.' },
        { type: 'tool_use', name: 'bash' },
      ],
    }),
    event('tool:pre', 40, { tool_call_id: 'c1' }),
    event('provider:request', 50),
    event('llm:response', 60, { text: 'Done.' }),
    event('execution:end', 70, { status: 'ok' }),
    event('orchestrator:complete', 71, { status: 'completed' }),
  ];

  it('S0-LAYER-01: makes of a turn a prompt, a run, iterations, blocks and tool calls', () => {
    const layers = derive(...turn);
    expect(edgesOf(layers)).toEqual([
      `s HAS_EXECUTION ${RUN}`,
      `s__prompt__1742018545123 TRIGGERED ${RUN}`,
      `${RUN} HAS_PART ${RUN}__iteration__1`,
      `${RUN}__iteration__1 HAS_PART ${RUN}__iteration__1__block__1`,
      `${RUN}__iteration__1 HAS_PART ${RUN}__iteration__1__block__2`,
      `${RUN}__iteration__1 HAS_TOOL_CALL s__tool_call__c1`,
      `${RUN} HAS_PART ${RUN}__iteration__2`,
      `${RUN}__iteration__2 HAS_PART ${RUN}__iteration__2__block__1`,
    ]);
    const props = Object.fromEntries(layers.nodes.map(({ id, props }) => [id, props]));
    expect(props[RUN]).toMatchObject({ status: 'completed', ended_at: turn.at(-1)?.at });
    expect(props[`${RUN}__iteration__1`]).toEqual({
      number: 1,
      model: 'm',
      provider: 'p',
      started_at: turn[2]?.at,
      ended_at: turn[4]?.at,
    });
    expect(props[`${RUN}__iteration__1__block__1`]).toEqual({
      number: 1,
      type: 'thinking',
      text: 'Hm.',
    });
    expect(props[`${RUN}__iteration__2__block__1`]).toEqual({
      number: 1,
      type: 'text',
      text: 'Done.',
    });
  });

  it('S0-LAYER-01: keeps runs apart that are at work at once and name themselves', () => {
    const layers = derive(
      event('execution:start', 0, { run_id: 'a' }),
      event('execution:start', 1, { run_id: 'b' }),
      event('prompt:submit', 2, { run_id: 'a', prompt: 'A' }),
      event('llm:request', 3, { run_id: 'b', tool_call_id: 'b1' }),
      event('llm:request', 4, { run_id: 'a', tool_call_id: 'a1' }),
      event('llm:response', 5, { run_id: 'b', tool_call_id: 'b1', result: 'B' }),
      event('execution:end', 6, { run_id: 'b', status: 'failed' }),
    );
    const [a, b] = [
      's__orchestrator_run__1742018545123__a',
      's__orchestrator_run__1742018545124__b',
    ];
    expect(edgesOf(layers)).toEqual([
      `s HAS_EXECUTION ${a}`,
      `s HAS_EXECUTION ${b}`,
      `s__prompt__1742018545125__a TRIGGERED ${a}`,
      `${b} HAS_PART ${b}__iteration__1`,
      `${a} HAS_PART ${a}__iteration__1`,
      `${b}__iteration__1 HAS_PART ${b}__iteration__1__block__1`,
    ]);
    expect(layers.nodes.find(({ id }) => id === b)?.props['status']).toBe('failed');
    expect(layers.nodes.find(({ id }) => id === a)?.props['status']).toBeUndefined();
  });
});

describe('the foundation layer', () => {
  it('S0-LAYER-01: makes of delegate:* one delegation with its agent and session', () => {
    const layers = derive(
      event('delegate:start', 0, { agent: 'explorer', tool_call_id: 'c' }),
      event('delegate:agent_spawned', 1, {
        agent: 'explorer',
        sub_session_id: 'aa-bb_explorer',
        tool_call_id: 'c',
      }),
      event('delegate:complete', 9, { sub_session_id: 'aa-bb_explorer' }),
    );
    expect(edgesOf(layers)).toEqual([
      's__delegation__c HAS_AGENT ada__agent__explorer',
      's__tool_call__c TRIGGERED s__delegation__c',
      's__delegation__c ENCOMPASSES aa-bb_explorer',
    ]);
    expect(layers.nodes[0]?.props).toMatchObject({ ended_at: expect.any(String) as string });
  });

  it('S0-LAYER-01: makes of recipe:* a run with its steps and loops, of skill:load a load', () => {
    const run = 's__recipe_run__1742018545123';
    const layers = derive(
      event('recipe:start', 0, { recipe_name: 'bake', total_steps: 2 }),
      event('recipe:step', 1, { recipe_name: 'bake', current_step: 'mix' }),
      event('recipe:loop_iteration', 2),
      event('recipe:loop_iteration', 3),
      event('recipe:step', 4, { step_id: 'heat' }),
      event('recipe:complete', 5, { status: 'completed' }),
      event('skill:load', 6, { skill_name: 'knife', skill_directory: '/k' }),
    );
    expect(edgesOf(layers)).toEqual([
      `s HAS_RECIPE_RUN ${run}`,
      `${run} HAS_RECIPE ada__recipe__bake`,
      `${run} HAS_STEP ${run}__step__1`,
      `${run} HAS_STEP ${run}__step__2`,
      's HAS_SKILL_LOAD s__skill_load__1742018545129__knife',
    ]);
    const props = Object.fromEntries(layers.nodes.map(({ id, props }) => [id, props]));
    expect(props[run]).toMatchObject({ status: 'completed', total_steps: 2 });
    expect(props[`${run}__step__1`]).toMatchObject({ step_id: 'mix', iterations: 2 });
  });
});

describe('layers of any events', () => {
  const anyEvent = fc
    .record({
      name: fc.constantFrom(...LAYER_EVENT_NAMES, 'note'),
      laterMs: fc.nat({ max: 60 }),
      run: fc.constantFrom('a', 'b', null),
      call: fc.constantFrom('c', 'd', null),
    })
    .map(({ name, laterMs, run, call }) =>
      event(name, laterMs, {
        run_id: run,
        tool_call_id: call,
        prompt: 'p',
        recipe_name: 'r',
        agent: 'x',
        content: ['t'],
      }),
    );

  it('S0-LAYER-01: are the same whatever order the events came in, and hang together', () => {
    const events = fc.uniqueArray(anyEvent, { selector: ({ nodeId }) => nodeId, maxLength: 40 });
    fc.assert(
      fc.property(
        events.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          const layers = derive(...all);
          expect(derive(...shuffled)).toEqual(layers);
          const ids = new Set(layers.nodes.map(({ id }) => id));
          expect(ids.size).toBe(layers.nodes.length);
          for (const { from, to } of layers.edges) {
            if (from.kind === 'layer') expect(ids).toContain(from.id);
            if (to.kind === 'layer') expect(ids).toContain(to.id);
          }
          const sourced = new Set(
            layers.edges.filter(({ type }) => type === 'SOURCED_FROM').map(({ from }) => from.id),
          );
          for (const { id, label } of layers.nodes)
            expect(sourced.has(id)).toBe(label !== 'Agent' && label !== 'Recipe');
        },
      ),
    );
  });
});
