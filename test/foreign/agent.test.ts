import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Round, roundOutput } from '../../activities/run-step/round-job.ts';
import type { ModelToolCall } from '../../src/common/agent-call.ts';
import { planCalls } from '../../src/runs/agent/agent-loop.ts';
import { roundId } from '../../src/runs/agent/agent-step.ts';
import { findStep, toolSource } from '../../src/runs/agent/find-step.ts';
import { offeredTools } from '../../src/runs/agent/offered-tool.ts';
import { type RequestedCall, recordCalls, requestedCalls } from '../../src/runs/agent/round.ts';
import { buildTranscript } from '../../src/runs/agent/transcript.ts';
import type { RunSnapshot } from '../../src/runs/run/snapshot.ts';
import { AGENT_CALLS } from './agent.cases.ts';

const tool = (id: string, required: readonly string[]) => ({
  id,
  name: id,
  description: null,
  mutating: false,
  inputSchema: { type: 'object', required: [...required], properties: {} },
});
const step = {
  id: 'agent',
  calls: { toolId: 'ask' },
  tools: [{ toolId: 'search' }, { toolId: 'write_file' }],
  execution: {},
};
// A snapshot is parsed from JSON, so its objects are as any other.
const snapshot = JSON.parse(
  JSON.stringify({
    processes: { p: { id: 'p', name: 'p', steps: [step] } },
    tools: { search: tool('search', ['q']), write_file: tool('write_file', []) },
  }),
) as RunSnapshot;
const source = toolSource(snapshot);
const offered = offeredTools(snapshot.processes['p']?.steps[0] ?? { tools: [] }, source);

/** The calls of one round, on the way from the model to the workflow. */
function requested(calls: readonly Partial<ModelToolCall>[]): RequestedCall[] {
  const whole = calls.map((call) => ({ id: '', name: '', arguments: {}, raw: null, ...call }));
  const toolCalls = recordCalls(whole, 1, new Set());
  const at = { stepId: 'agent', round: 1 };
  return requestedCalls({ text: '', toolCalls }, at, offered, (text) => `${text.length}`);
}

/** The Tool that a record of the call names: it has none where the tool is unknown. */
function toolOf({ stepId }: RequestedCall) {
  const found = findStep(source, 'p', stepId);
  if (found === null || !('toolId' in found.calls)) throw new Error(`${stepId} is no step.`);
  return source.findTool(found.calls.toolId);
}

describe('a call that a model requests', () => {
  it.each(AGENT_CALLS)('$title ($source)', ({ input, right }) => {
    const [call] = requested([input]);
    if (call === undefined) throw new Error('No call is requested.');
    if ('calls' in right) {
      expect(call).toMatchObject({ fault: null, target: { toolId: right.calls } });
    } else {
      expect(call.fault).toContain(right.told);
      expect(planCalls({ made: 0, seen: {} }, [call], { maxToolCalls: 5 }).made).toBe(0);
    }
    expect([undefined, 'search', 'write_file']).toContain(toolOf(call)?.id);
  });

  it('comes back with its signature and its thought, as DeepSeek and Gemini want it', () => {
    const given = { id: 'c1', name: 'search', arguments: {}, raw: null };
    const calls: ModelToolCall[] = [
      { ...given, signature: 'SIG' },
      { ...given, id: 'c2' },
    ];
    const round = { stepId: 'a', round: 1, callIds: new Set<string>() } as unknown as Round;
    const output = roundOutput(round, '', calls, 'I search.');
    const record = { stepId: roundId('a', 1), status: 'completed', output, error: null } as const;
    const [said] = buildTranscript('a', 2, [record]).messages;
    expect(said).toEqual({
      role: 'assistant',
      content: '',
      thought: 'I search.',
      calls: [
        { id: 'c1', name: 'search', arguments: {}, signature: 'SIG' },
        { id: 'c2', name: 'search', arguments: {} },
      ],
    });
  });

  it('is told to the model or is made, whatever its name and arguments are', () => {
    const odd = fc.constantFrom(
      ...Object.getOwnPropertyNames(Object.prototype),
      ...['', ' ', '\0', 'search', 'search/1', 'a~1', 'agent~1.0.search', '\ud800', '../x'],
    );
    const call = fc.record({
      id: fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 70 })),
      name: fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 300 })),
      arguments: fc.oneof(fc.constant(null), fc.dictionary(fc.string(), fc.jsonValue())),
      raw: fc.oneof(fc.constant(null), fc.string()),
    });
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 8 }), (calls) => {
        const round = requested(calls as ModelToolCall[]);
        const planned = planCalls({ made: 0, seen: {} }, round, { maxToolCalls: 5 });
        for (const [at, one] of planned.calls.entries()) {
          const isOffered = ['search', 'write_file'].includes(calls[at]?.name.trim() ?? '');
          if (!isOffered) expect(one.refusal).toEqual(expect.any(String));
          toolOf(one);
        }
        expect(new Set(round.map(({ stepId }) => stepId)).size).toBe(round.length);
      }),
      { seed: 39, numRuns: 100 },
    );
  });
});
