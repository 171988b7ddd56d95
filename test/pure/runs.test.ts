import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../src/common/backoff.ts';
import type { Json } from '../../src/common/json.ts';
import { countTokens, cutText, fitToBudget } from '../../src/common/token-budget.ts';
import { ProcessStep } from '../../src/processes/process.ts';
import { errorAtCaller } from '../../src/runs/end/run-error.ts';
import { projectRunEvents } from '../../src/runs/events/run-event.ts';
import { isOpen, RUN_STATUSES } from '../../src/runs/run/run.ts';
import {
  failurePolicy,
  isWorthRetrying,
  retryOf,
  type StepRecord,
  stepKey,
  variableOf,
} from '../../src/runs/steps/step-run.ts';
import { createValues } from '../../workflows/interpreter/values.ts';
import { createWindow } from '../../workflows/interpreter/window.ts';

const stepOf = (more: object = {}, execution: object = {}) =>
  ProcessStep.parse({
    id: 'a',
    calls: { toolId: 't' },
    inputs: {},
    output: { variable: 'v' },
    execution,
    ...more,
  });

describe('the states of a run', () => {
  it('are open until completed, failed, cancelled or timed_out', () => {
    expect(RUN_STATUSES.filter(isOpen)).toEqual(['pending', 'running', 'waiting', 'paused']);
  });
});

describe("the value of a step's variable", () => {
  const record = (
    status: StepRecord['status'],
    output: Json = null,
    index: number | null = null,
  ): StepRecord => ({ stepId: 'a', index, status, output });
  const variable = (step: ProcessStep, records: readonly StepRecord[]) =>
    variableOf(step, records, { rootRunId: 'root', runId: 'run' });

  it('is its output, null where it was skipped or failed, or its fallback', () => {
    expect(variable(stepOf(), [record('completed', 7)])).toBe(7);
    expect(variable(stepOf(), [record('skipped')])).toBeNull();
    expect(variable(stepOf({}, { onFailure: 'continue' }), [record('failed')])).toBeNull();
    expect(
      variable(stepOf({}, { onFailure: 'fallback', fallback: 'instead' }), [record('timed_out')]),
    ).toBe('instead');
  });

  it('is the list of its items in their order, whatever the order of the records', () => {
    const items = fc.array(fc.jsonValue(), { maxLength: 20 });
    fc.assert(
      fc.property(items, fc.infiniteStream(fc.nat()), (values, order) => {
        const json = JSON.parse(JSON.stringify(values)) as Json[];
        const records = json.map((value, index) => record('completed', value, index));
        const shuffled = records
          .map((one) => ({ one, at: order.next().value as number }))
          .sort((x, y) => x.at - y.at)
          .map(({ one }) => one);
        expect(variable(stepOf({}, { forEach: 'context.x' }), shuffled)).toEqual(json);
      }),
    );
  });
});

describe('retries', () => {
  it('are three for a read and one for a mutating call, unless the step has its own', () => {
    expect(retryOf(stepOf(), 'read-only').maximumAttempts).toBe(3);
    expect(retryOf(stepOf(), 'mutating').maximumAttempts).toBe(1);
    expect(retryOf(stepOf({}, { retry: { maximumAttempts: 5 } }), 'mutating').maximumAttempts).toBe(
      5,
    );
  });
  it('wait longer each time, up to their maximum', () => {
    const retry = retryOf(
      stepOf({}, { retry: { initialInterval: 1, backoffCoefficient: 3, maximumInterval: 5 } }),
      'read-only',
    );
    expect([1, 2, 3, 4].map((attempt) => backoffMs(retry.backoff, attempt))).toEqual([
      1_000, 3_000, 5_000, 5_000,
    ]);
  });
  it('are not worth it for a fault that another attempt can not mend', () => {
    const retry = retryOf(
      stepOf({}, { retry: { nonRetryableErrors: ['TOOL_FAILED'] } }),
      'read-only',
    );
    expect(
      (['STEP_TIMEOUT', 'TOOL_FAILED', 'RECURSION_LIMIT', 'REJECTED'] as const).map((code) =>
        isWorthRetrying(code, retry),
      ),
    ).toEqual([true, false, false, false]);
  });
  it('fail the run by default only where the output is required', () => {
    expect(failurePolicy(stepOf())).toBe('fail');
    expect(failurePolicy(stepOf({ output: { variable: 'v', required: false } }))).toBe('continue');
  });
});

describe('a token budget (S4-EXEC-10)', () => {
  it('never leaves more tokens than it has, cuts from the end only, and says so', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 1, max: 60 }),
        (text, budget) => {
          const cut = cutText(text, budget);
          expect(countTokens(cut.text)).toBeLessThanOrEqual(budget);
          expect(text.startsWith(cut.text)).toBe(true);
          expect(cut.truncated).toBe(cut.text !== text);
        },
      ),
    );
  });
  it('takes the tail of a list, and leaves an object whole', () => {
    const list = Array.from({ length: 50 }, (_, n) => `item ${n}`);
    const { output, truncated } = fitToBudget(list, 30);
    expect(truncated).toBe(true);
    expect(list.slice(0, (output as Json[]).length)).toEqual(output);
    expect(fitToBudget({ a: 'x'.repeat(500) }, 3)).toMatchObject({ truncated: false });
  });
  it('is kept in bounded time, also for one word of a million signs', () => {
    expect(cutText('x'.repeat(1_000_000), 500).text.length).toBeGreaterThan(500);
    expect(countTokens('=+'.repeat(50_000))).toBeGreaterThan(1_000);
  });
  it('counts as the encoder does on ordinary text', () => {
    const text = 'Hello, world.\n\nThe  quick brown fox; 12345 times!\n'.repeat(200);
    expect(countTokens(text)).toBe(encode(text).length);
  });
  it('reads special tokens in a text as text', () => {
    expect(cutText('<|endoftext|> and more words that follow here', 3).truncated).toBe(true);
  });
});

describe('the failure of a sub-run', () => {
  it('keeps code and message on its way up, and gathers the way down', () => {
    const origin = {
      code: 'TOOL_FAILED' as const,
      message: 'no',
      stepId: 'x',
      details: { status: 400 },
    };
    const top = errorAtCaller(errorAtCaller(origin, 'child', 'm'), 'middle', 't');
    expect(top).toEqual({
      code: 'TOOL_FAILED',
      message: 'no',
      stepId: 't',
      details: { status: 400, chain: ['middle', 'child'], origin: { runId: 'child', stepId: 'x' } },
    });
  });
});

describe('the window of calls', () => {
  it('never holds more calls or bytes than it may, and lets everybody in, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 40 }),
        async (sizes) => {
          const window = createWindow(4, 100);
          const inside = new Set<number>();
          const entered: number[] = [];
          await Promise.all(
            sizes.map(async (bytes, index) => {
              const leave = await window.enter(bytes);
              entered.push(index);
              inside.add(index);
              const total = [...inside].reduce((sum, one) => sum + (sizes[one] ?? 0), 0);
              expect(inside.size).toBeLessThanOrEqual(4);
              // One that is larger than the window goes alone.
              expect(inside.size === 1 || total <= 100).toBe(true);
              await Promise.resolve();
              inside.delete(index);
              leave();
              leave();
            }),
          );
          expect(entered).toEqual(sizes.map((_, index) => index));
        },
      ),
    );
  });
});

describe('the values of a run', () => {
  const definition = {
    id: 'p',
    ownerId: 'o',
    version: 1,
    name: 'p',
    initialContext: ['c'],
    outputTemplate: '',
    maxRecursionDepth: 5,
    steps: ['a', 'b'].map((id) =>
      ProcessStep.parse({
        id,
        calls: { toolId: 't' },
        inputs: { x: '{step.va}', y: '{context.c}' },
        output: { variable: `v${id}` },
      }),
    ),
  };
  it('bind values at hand, and say where the record has to be asked', () => {
    const [, b] = definition.steps;
    const values = createValues(definition, { inline: { c: 1 } }, null);
    values.endStep('a', { status: 'completed', value: { inline: [1] }, error: null });
    expect(b && values.bind(b, null)).toEqual({ x: [1], y: 1 });
    values.endStep('a', { status: 'completed', value: { ref: true, bytes: 9 }, error: null });
    expect(b && values.bind(b, null)).toBeNull();
    expect(values.scopeOf('step.va == 1')).toBeNull();
  });
  it('are carried into the next generation, large ones by reference', () => {
    const values = createValues(definition, { inline: {} }, null);
    values.endStep('a', {
      status: 'completed',
      value: { inline: 'x'.repeat(2_000_000) },
      error: null,
    });
    values.endInstance('b', 3, { value: { inline: 'small' } });
    const next = createValues(
      definition,
      { inline: {} },
      JSON.parse(JSON.stringify(values.carry())),
    );
    expect(next.stepState('a')?.value).toEqual({ ref: true, bytes: 2_000_002 });
    expect(next.instanceState('b', 3)).toEqual({ value: { inline: 'small' } });
    next.endStep('b', { status: 'completed', value: { inline: null }, error: null });
    expect(next.carry().units).toEqual({});
  });
});

describe('the events of a run', () => {
  const entry = (kind: string, payload: object) => ({
    id: 'e1',
    kind,
    at: '2026-01-01T00:00:00.000Z',
    ownerId: 'o',
    workspace: 'w',
    rootRunId: 'r',
    runId: 'r',
    runPath: ['r'],
    conversationId: null,
    payload: payload as never,
  });
  const usage = { inputTokens: 3, outputTokens: 4, costUsd: null, llmCalls: 1, toolCalls: 0 };
  const ended = {
    stepId: 's',
    index: 2,
    attempt: 1,
    name: 'Tool',
    type: 'rest_call',
    status: 'completed',
    output: { value: { a: 1 } },
    outputTruncated: false,
    error: null,
    usage: { ...usage, llmCalls: 0 },
    cached: false,
    willRetry: false,
    speaks: false,
    childRunId: null,
  };

  it('pair a call with its result by run, step, index and attempt', () => {
    const place = { stepId: 's', index: 2, attempt: 1 };
    const [call] = projectRunEvents(
      entry('step.started', {
        ...place,
        name: 'Tool',
        type: 'rest_call',
        targetId: 't',
        inputs: { value: { q: 1 } },
        speaks: false,
      }),
    );
    const [result] = projectRunEvents(entry('step.ended', ended));
    expect(call).toMatchObject({
      kind: 'tool_call',
      id: `${stepKey('r', 's', 2)}/1`,
      input: { q: 1 },
      parentId: null,
    });
    expect(result).toMatchObject({ kind: 'tool_result', id: call?.id, output: { a: 1 } });
  });
  it('are text and usage, and no call, for a step that speaks', () => {
    const speaking = { ...ended, type: 'llm_call', speaks: true, usage };
    expect(projectRunEvents(entry('step.ended', speaking)).map(({ kind }) => kind)).toEqual([
      'usage',
    ]);
    const cached = {
      ...speaking,
      cached: true,
      output: { value: 'said before' },
      usage: { ...usage, llmCalls: 0 },
    };
    expect(projectRunEvents(entry('step.ended', cached))).toMatchObject([
      { kind: 'text', content: 'said before' },
    ]);
  });
  it('begin a sub-run under the call that started it', () => {
    const parent = { runId: 'p', stepId: 's', index: null, attempt: 2 };
    const process = { processId: 'x', processName: 'X', processVersion: 1 };
    const started = { ...process, depth: 1, context: { value: {} } };
    expect(projectRunEvents(entry('run.started', { ...started, parent }))).toMatchObject([
      { kind: 'harness_start', parentId: 'p/s/2', agentId: 'x' },
    ]);
    expect(projectRunEvents(entry('run.started', { ...started, parent: null }))).toEqual([]);
  });
  it('of other rooms are none', () => {
    expect(projectRunEvents(entry('tool.updated', {}))).toEqual([]);
    expect(projectRunEvents(entry('toString', {}))).toEqual([]);
  });
});
