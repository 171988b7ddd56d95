import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { legalName } from '../../src/processes/definition/agent-tool-name.ts';
import {
  checkDefinition,
  type KnownTargets,
  readDefinition,
} from '../../src/processes/definition/definition.ts';
import { planProcess } from '../../src/processes/definition/plan.ts';
import { lastByNumber, planCalls } from '../../src/runs/agent/agent-loop.ts';
import { callId, readPart, roundId } from '../../src/runs/agent/agent-step.ts';
import { parametersOf } from '../../src/runs/agent/offered-tool.ts';
import { type RequestedCall, recordCalls } from '../../src/runs/agent/round.ts';
import { buildTranscript } from '../../src/runs/agent/transcript.ts';

const tool = (id: string, more: object = {}) => ({
  id,
  ownerId: 'o',
  name: id,
  shared: true,
  mutating: false,
  inputSchema: { type: 'object', properties: {} } as JsonObject,
  outputSchema: {} as JsonObject,
  operationType: 'rest_call',
  ...more,
});
const targets: KnownTargets = {
  tools: new Map([
    ['ask', tool('ask', { operationType: 'llm_call' })],
    ['search', tool('search', { name: 'Search the web!' })],
    ['other', tool('other', { name: 'Search the web?' })],
    ['private', tool('private', { shared: false })],
  ]),
  processes: new Map([
    ['sub', { id: 'sub', ownerId: 'o', name: 'Sub', shared: true, initialContext: ['topic'] }],
  ]),
  sharing: 'private',
};

const problemsOf = (step: object, known: KnownTargets = targets) =>
  checkDefinition(
    readDefinition({
      name: 'Agent',
      initialContext: [],
      outputTemplate: '',
      steps: [
        { id: 'a', calls: { toolId: 'ask' }, inputs: {}, output: { variable: 'a' }, ...step },
      ],
    }),
    known,
  ).map(({ code, path }) => [code, path.join('.')]);

describe('a step that offers tools', () => {
  it('is valid with Tools and Processes of different names', () => {
    const tools = [{ toolId: 'search' }, { toolId: 'other', name: 'other' }, { processId: 'sub' }];
    expect(problemsOf({ tools, agent: { maxRounds: 3 } })).toEqual([]);
  });

  it('is refused with all its problems at once', () => {
    expect(
      problemsOf({
        tools: [
          { toolId: 'search' },
          { toolId: 'other' },
          { toolId: 'gone' },
          { processId: 'none' },
          { toolId: 'ask', name: 'not legal' },
        ],
        agent: { maxRounds: 0, maxToolCalls: 1.5, approvalTimeout: 0 },
        execution: { cacheSeconds: 5 },
      }),
    ).toEqual([
      ['INVALID', 'steps.0.execution.cacheSeconds'],
      ['INVALID', 'steps.0.agent.maxRounds'],
      ['INVALID', 'steps.0.agent.maxToolCalls'],
      ['INVALID', 'steps.0.agent.approvalTimeout'],
      ['TAKEN', 'steps.0.tools.1.name'],
      ['NOT_FOUND', 'steps.0.tools.2.toolId'],
      ['NOT_FOUND', 'steps.0.tools.3.processId'],
      ['INVALID', 'steps.0.tools.4.name'],
    ]);
  });

  it('calls an LLM Tool, and names one target per tool', () => {
    const tools = [{ toolId: 'search' }];
    expect(problemsOf({ calls: { toolId: 'search' }, tools })).toEqual([
      ['INVALID', 'steps.0.tools'],
    ]);
    expect(problemsOf({ agent: {} })).toEqual([['INVALID', 'steps.0.agent']]);
    for (const wrong of [{}, { toolId: 'search', processId: 'sub' }])
      expect(() => problemsOf({ tools: [wrong] })).toThrow('toolId or a processId');
  });

  it('offers shared targets only where its Process is shared', () => {
    const tools = [{ toolId: 'private' }];
    expect(problemsOf({ tools })).toEqual([]);
    expect(problemsOf({ tools }, { ...targets, sharing: 'shared' })).toEqual([
      ['NOT_SHARED', 'steps.0.tools.0.toolId'],
    ]);
  });

  it('adds its tools to the plan: Tools to the list, Processes to the depth', () => {
    const { steps, maxRecursionDepth } = readDefinition({
      name: 'Agent',
      initialContext: [],
      outputTemplate: '',
      steps: [
        {
          id: 'a',
          calls: { toolId: 'ask' },
          inputs: {},
          output: { variable: 'a' },
          tools: [{ toolId: 'search' }, { processId: 'sub' }],
        },
      ],
    });
    const sub = { steps: [], maxRecursionDepth: 5 };
    const plan = planProcess({ steps, maxRecursionDepth }, new Map([['sub', sub]]));
    expect(plan).toMatchObject({ toolIds: ['ask', 'search'], maxDepth: 1, estimatedSteps: 1 });
  });
});

describe('names and schemas for a model', () => {
  it('makes a legal name of any text', () => {
    expect(legalName('Über die Straße!')).toBe('Uber_die_Stra_e');
    expect(legalName('x'.repeat(99))).toHaveLength(64);
    expect(legalName('日本')).toBe('tool');
  });

  it('states in words the combinators that no dialect accepts at the top', () => {
    const properties = { a: { type: 'string' } };
    const { parameters, dropped } = parametersOf({
      $schema: 'x',
      type: 'object',
      properties,
      anyOf: [{ required: ['a'] }],
    });
    expect(parameters).toEqual({ type: 'object', properties });
    expect(dropped).toContain('{"anyOf":[{"required":["a"]}]}');
    expect(parametersOf({})).toEqual({
      parameters: { type: 'object', properties: {} },
      dropped: null,
    });
  });

  it('reads the ids of rounds and calls, and no other ids', () => {
    expect(readPart(roundId('a.b', 12))).toEqual({ stepId: 'a.b', round: 12, call: null });
    expect(readPart(callId('a', 1, 3, 'x-y'))).toEqual({
      stepId: 'a',
      round: 1,
      call: { index: 3, name: 'x-y' },
    });
    for (const id of ['a', 'a~', 'a~x', 'a~1.2', 'a~1.2.', 'a~1.2.b c', '~1'])
      expect(readPart(id)).toBeNull();
  });
});

describe('the calls of a round', () => {
  const requested = (same: string, fault: string | null = null): RequestedCall => ({
    stepId: same,
    index: 0,
    name: 'x',
    target: { toolId: 'x' },
    permission: 'allow',
    fault,
    same,
    inputs: {},
  });

  it('are made up to the limit; those with a fault count for none', () => {
    const calls = [requested('a'), requested('b', 'broken'), requested('c'), requested('d')];
    const plan = planCalls({ made: 0, seen: {} }, calls, { maxToolCalls: 2 });
    expect(plan.calls.map(({ refusal }) => refusal)).toEqual([
      null,
      'broken',
      null,
      'The limit of 2 calls of tools is reached.',
    ]);
    expect(plan).toMatchObject({ made: 2, last: 'The limit of 2 calls of tools is reached.' });
  });

  it('are refused from the fourth equal one on, also a broken one', () => {
    let counts = { made: 0, seen: {} as Readonly<Record<string, number>> };
    const refusals = [1, 2, 3, 4].map(() => {
      const { calls, made, seen, last } = planCalls(counts, [requested('a')], { maxToolCalls: 9 });
      counts = { made, seen };
      return [calls[0]?.refusal === null, last === null];
    });
    expect(refusals).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [false, false],
    ]);
    expect(lastByNumber(8, { maxRounds: 8 })).not.toBeNull();
    expect(lastByNumber(7, { maxRounds: 8 })).toBeNull();
  });

  it('have ids of their own, whatever the model says', () => {
    const call = { name: 'x', arguments: {}, raw: null };
    const ids = recordCalls(
      [
        { ...call, id: 'a' },
        { ...call, id: 'a' },
        { ...call, id: 'not legal' },
        { ...call, id: 'old' },
      ],
      2,
      new Set(['old']),
    ).map(({ id }) => id);
    expect(ids).toEqual(['a', 'call_2_1', 'call_2_2', 'call_2_3']);
  });

  it('are cut further in older rounds where all together are too long', () => {
    const words = (n: number) => Array.from({ length: n }, (_, at) => `w${at}`).join(' ');
    const count = 40;
    const records = Array.from({ length: count }, (_, at) => at + 1).flatMap((round) => [
      {
        stepId: roundId('a', round),
        status: 'completed' as const,
        output: { text: '', toolCalls: [{ id: `c${round}`, name: 'x', arguments: {} }] },
        error: null,
      },
      {
        stepId: callId('a', round, 0, 'x'),
        status: 'completed' as const,
        output: words(3_000),
        error: null,
      },
    ]);
    const { messages } = buildTranscript('a', count + 1, records);
    const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
    expect(results).toHaveLength(count);
    expect(results[0]?.text.length).toBeLessThan(2_000);
    expect(results.at(-1)?.text.length).toBeGreaterThan(5_000);
    expect(results.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(48_000 * 4);
  });

  it('and their thoughts are cut in older rounds, not left out', () => {
    const count = 40;
    const records = Array.from({ length: count }, (_, at) => ({
      stepId: roundId('a', at + 1),
      status: 'completed' as const,
      output: { text: '', toolCalls: [], thought: 'hm '.repeat(6_000) },
      error: null,
    }));
    const thoughts = buildTranscript('a', count + 1, records).messages.flatMap((message) =>
      'thought' in message ? [message.thought ?? ''] : [],
    );
    expect(thoughts).toHaveLength(count);
    expect(thoughts[0]?.length).toBeLessThanOrEqual(200);
    expect(thoughts.at(-1)).toHaveLength(18_000);
    expect(thoughts.join('').length).toBeLessThanOrEqual(48_000 * 4);
  });
});
