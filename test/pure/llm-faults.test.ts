import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolFault } from '../../src/common/tool-fault.ts';
import type { DriverCall } from '../../src/platform/drivers/driver.ts';
import { llmDriver } from '../../src/platform/drivers/llm-call.ts';
import { type Egress, openEgress } from '../../src/platform/egress/egress.ts';
import { openRenderer, type Renderer } from '../../src/platform/renderer/renderer.ts';
import { driverCall } from '../testkit/driver-calls.ts';
import {
  type AimockAnswer,
  FOREIGN_KEY,
  type ForeignLlm,
  openAimock,
} from '../testkit/foreign-llms.ts';

type LlmOperation = Extract<DriverCall['operation'], { type: 'llm_call' }>;

const LONG = { content: 'one two three four five six seven eight nine ten '.repeat(10) };
const error = (message: string, code: string, more: object) => ({
  error: { message, type: code, code },
  ...more,
});
const ANSWERS: readonly AimockAnswer[] = [
  {
    word: 'truncated',
    response: LONG,
    options: { chunkSize: 10, latency: 10, truncateAfterChunks: 15 },
  },
  {
    word: 'disconnected',
    response: LONG,
    options: { chunkSize: 5, latency: 40, disconnectAfterMs: 200 },
  },
  { word: 'malformed', response: LONG, options: { chaos: { malformedRate: 1 } } },
  { word: 'dropped', response: LONG, options: { chaos: { dropRate: 1 } } },
  { word: 'stalled', response: LONG, options: { chaos: { latencyMs: 30_000 } } },
  {
    word: 'busy',
    response: error('Rate limit reached', 'rate_limit_error', { status: 429, retryAfter: 7 }),
  },
  {
    word: 'overflow',
    response: error('maximum context length exceeded', 'context_length_exceeded', { status: 400 }),
  },
  {
    word: 'toolish',
    response: { toolCalls: [{ name: 'get_weather', arguments: '{"city":"Rome"}' }] },
  },
  { word: 'whole', response: LONG, options: { chunkSize: 10 } },
];

let egress: Egress;
let renderer: Renderer;
let server: ForeignLlm | null = null;
const INSTALL_MS_MAX = 400_000;
beforeAll(async () => {
  egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
  renderer = openRenderer();
  server = await openAimock(ANSWERS);
}, INSTALL_MS_MAX);
afterAll(() => Promise.all([egress.close(), renderer.close(), server?.close()]));

describe.each(['openai', 'anthropic'] as const)('llm_call with a failing server over %s', (api) => {
  async function ask(word: string, signal?: AbortSignal) {
    const spoken: string[] = [];
    const call = driverCall(
      { type: 'llm_call', promptTemplate: `Answer ${word} please` } as LlmOperation,
      {
        connectionParams: { endpoint: `${server?.url}`, model: 'gpt-4o-mini', api },
        secret: { value: FOREIGN_KEY, scope: null },
      },
      { onText: (delta) => spoken.push(delta), ...(signal === undefined ? {} : { signal }) },
    );
    const outcome = await llmDriver({ egress, renderer })
      .invoke(call)
      .then(
        (result) => ({ result, fault: null }),
        (fault: ToolFault) => ({ result: null, fault }),
      );
    return { ...outcome, spoken };
  }

  it('takes a whole answer, so that the other tests show the fault', async ({ skip }) => {
    if (server === null) skip('aimock can not be installed here; it needs npm’s registry');
    const { result } = await ask('whole');
    expect(result?.output).toBe(LONG.content);
    expect(result?.usage.outputTokens).toBeGreaterThan(0);
  });

  it.each(['truncated', 'disconnected', 'malformed', 'dropped'])(
    'a %s answer is a failure worth another attempt, never a shorter answer',
    async (word) => {
      if (server === null) return;
      const { fault, result } = await ask(word);
      expect(result).toBeNull();
      expect(fault).toMatchObject({ code: 'TOOL_FAILED', retryable: true });
    },
  );

  it('counts the tokens of an answer that broke off', async ({ skip }) => {
    if (server === null) skip('no server');
    const { fault, spoken } = await ask('truncated');
    expect(spoken.join('').length).toBeGreaterThan(0);
    expect(fault?.usage?.outputTokens).toBeGreaterThan(0);
    expect(fault?.usage?.llmCalls).toBe(1);
  });

  it('a stalled server ends with the signal', async ({ skip }) => {
    if (server === null) skip('no server');
    const { fault } = await ask('stalled', AbortSignal.timeout(500));
    expect(fault).toMatchObject({ code: 'CANCELLED' });
  });

  it('waits as long as Retry-After says', async ({ skip }) => {
    if (server === null) skip('no server');
    const { fault } = await ask('busy');
    expect(fault).toMatchObject({ retryable: true, retryAfterMs: 7_000, details: { status: 429 } });
  });

  it('a prompt that is too long is not sent again', async ({ skip }) => {
    if (server === null) skip('no server');
    const { fault } = await ask('overflow');
    expect(fault).toMatchObject({ code: 'TOOL_FAILED', retryable: false });
    expect(fault?.message).toContain('maximum context length');
  });

  it('a call of a tool that was not offered is no answer', async ({ skip }) => {
    if (server === null) skip('no server');
    const { fault, result } = await ask('toolish');
    expect(result).toBeNull();
    expect(fault).toMatchObject({ code: 'TOOL_FAILED' });
  });
});
