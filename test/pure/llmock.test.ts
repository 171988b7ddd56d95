import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AgentCall } from '../../src/common/agent-call.ts';
import type { ToolFault } from '../../src/common/tool-fault.ts';
import type { DriverCall } from '../../src/platform/drivers/driver.ts';
import { llmDriver } from '../../src/platform/drivers/llm-call.ts';
import { type Egress, openEgress } from '../../src/platform/egress/egress.ts';
import { openRenderer, type Renderer } from '../../src/platform/renderer/renderer.ts';
import { driverCall } from '../testkit/driver-calls.ts';
import { type Llmock, llmockMissing, openLlmock } from '../testkit/foreign-llms.ts';

// A server from PyPI whose events and errors follow each provider's own; a fault that it writes
// otherwise than the scripted model of test/graph shows here.

type LlmOperation = Extract<DriverCall['operation'], { type: 'llm_call' }>;

const missing = llmockMissing();
const REPLY = 'one two three four five six seven eight nine ten';

describe.skipIf(missing !== null)(`llmock${missing === null ? '' : `: ${missing}`}`, () => {
  let egress: Egress;
  let renderer: Renderer;
  let llmock: Llmock;
  beforeAll(async () => {
    egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
    renderer = openRenderer();
    llmock = await openLlmock();
  });
  afterAll(() => Promise.all([egress.close(), renderer.close(), llmock.close()]));
  afterEach(() => llmock.reset());

  describe.each(['openai', 'anthropic'] as const)('llm_call over %s', (api) => {
    async function ask(operation: Partial<LlmOperation> = {}, given: Partial<DriverCall> = {}) {
      const spoken: string[] = [];
      const call = driverCall(
        { type: 'llm_call', promptTemplate: 'Count to ten.', ...operation } as LlmOperation,
        {
          connectionParams: { endpoint: llmock[api], model: 'a-model', api },
          secret: { value: 'sk-not-read-0123456789', scope: null },
        },
        { onText: (delta) => spoken.push(delta), ...(given as object) },
      );
      const outcome = await llmDriver({ egress, renderer })
        .invoke(call)
        .then(
          (result) => ({ result, fault: null }),
          (fault: ToolFault) => ({ result: null, fault }),
        );
      return { ...outcome, spoken };
    }

    it('streams a whole answer and counts its tokens', async () => {
      await llmock.plays({ type: 'reply', text: REPLY });
      const { result, spoken } = await ask();
      expect(result?.output).toBe(REPLY);
      expect(spoken.length).toBeGreaterThan(1);
      expect(spoken.join('')).toBe(REPLY);
      expect(result?.usage.inputTokens).toBeGreaterThan(0);
      expect(result?.usage.outputTokens).toBeGreaterThan(0);
    });

    it('gets an object that fits the schema', async () => {
      const responseSchema = {
        type: 'object',
        required: ['city', 'visits'],
        properties: { city: { type: 'string' }, visits: { type: 'integer' } },
        additionalProperties: false,
      };
      const { result } = await ask({ responseSchema });
      expect(result?.output).toEqual({ city: expect.any(String), visits: expect.any(Number) });
    });

    it.each(['disconnect', 'truncate', 'malformed'])(
      'fails where the stream has the fault %s, and says that another attempt may help',
      async (kind) => {
        await llmock.plays(
          { type: 'reply', text: REPLY },
          { type: 'stream_fault', kind, after_chunks: 4 },
        );
        const { result, fault, spoken } = await ask();
        expect(result).toBeNull();
        expect(fault).toMatchObject({ code: 'TOOL_FAILED', retryable: true });
        expect(REPLY.startsWith(spoken.join(''))).toBe(true);
        expect(fault?.usage?.llmCalls).toBe(1);
      },
    );

    it('stops reading at the first chunk that is broken', async () => {
      await llmock.plays(
        { type: 'reply', text: `${REPLY} `.repeat(200) },
        { type: 'stream_fault', kind: 'malformed', after_chunks: 2 },
      );
      expect((await ask()).fault).toMatchObject({ code: 'TOOL_FAILED' });
      const codes = async () => (await llmock.verdict()).findings.map(({ code }) => code);
      // The server takes a request for another try once it has seen that the first one ended. A
      // request that was read to its end counts as one that was taken, whatever follows it.
      await expect.poll(codes).toContain('malformed_chunk_ignored');
      expect((await ask()).fault).toBeNull();
      expect(await codes()).not.toContain('malformed_chunk_ignored');
    });

    it('leaves a stalled stream with the signal', async () => {
      await llmock.plays({
        type: 'stream_fault',
        kind: 'stall',
        after_chunks: 3,
        stall_seconds: 3,
      });
      const { fault } = await ask({}, { signal: AbortSignal.timeout(400) });
      expect(fault).toMatchObject({ code: 'CANCELLED' });
    });

    it.each([
      [429, { retryable: true, retryAfterMs: 3_000 }],
      [503, { retryable: true }],
      [529, { retryable: true }],
      [400, { retryable: false }],
      [401, { retryable: false }],
    ])('reads the status %i in the words of this provider', async (status, expected) => {
      const wait = status === 429 ? { retry_after: 3 } : {};
      await llmock.plays({ type: 'fail', status, ...wait });
      const { result, fault } = await ask();
      expect(result).toBeNull();
      expect(fault).toMatchObject({ code: 'TOOL_FAILED', details: { status }, ...expected });
    });

    describe('with tools', () => {
      const agent: AgentCall = {
        tools: [
          {
            name: 'get_weather',
            description: 'The weather of a city.',
            parameters: {
              type: 'object',
              required: ['city'],
              properties: { city: { type: 'string' } },
            },
          },
        ],
        choice: 'auto',
        transcript: [],
        last: null,
      };

      it('reads the call, and the answer to its result', async () => {
        await llmock.plays({
          type: 'reply',
          tool_calls: [{ name: 'get_weather', arguments: { city: 'Rome' } }],
        });
        const { result } = await ask({}, { agent });
        const asked = { name: 'get_weather', arguments: { city: 'Rome' }, raw: null };
        expect(result?.toolCalls).toEqual([{ id: expect.any(String), ...asked }]);
        const [call] = result?.toolCalls ?? [];
        const { id = '', name = '' } = call ?? {};
        const calls = [{ id, name, arguments: { city: 'Rome' } }];
        const results = [{ id, name, text: '21 degrees', isError: false }];
        const transcript: AgentCall['transcript'] = [
          { role: 'assistant', content: '', calls },
          { role: 'tool', results },
        ];
        const answered = await ask({}, { agent: { ...agent, transcript } });
        expect(answered.result?.toolCalls ?? []).toEqual([]);
        expect(String(answered.result?.output).length).toBeGreaterThan(0);
      });

      it('hands on arguments that are no JSON, and a tool that was not offered', async () => {
        await llmock.plays({ type: 'tool_fault', kind: 'malformed_arguments' });
        const broken = await ask({}, { agent });
        expect(broken.result?.toolCalls).toMatchObject([{ name: 'get_weather', arguments: null }]);
        expect(broken.result?.toolCalls?.[0]?.raw).toEqual(expect.any(String));
        await llmock.reset();
        await llmock.plays({ type: 'tool_fault', kind: 'unknown_tool' });
        const unknown = await ask({}, { agent });
        expect(unknown.result?.toolCalls).toHaveLength(1);
        expect(unknown.result?.toolCalls?.[0]?.name).not.toBe('get_weather');
      });

      it('takes no call of a stream that breaks off', async () => {
        await llmock.plays(
          { type: 'reply', tool_calls: [{ name: 'get_weather', arguments: { city: 'Rome' } }] },
          { type: 'stream_fault', kind: 'truncate', after_chunks: 2 },
        );
        const { result, fault } = await ask({}, { agent });
        expect(result).toBeNull();
        expect(fault).toMatchObject({ code: 'TOOL_FAILED', retryable: true });
      });
    });
  });
});
