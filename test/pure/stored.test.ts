import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  DamagedRow,
  JsonMap,
  JsonValue,
  jsonText,
  orNull,
  parseStored,
} from '../../src/common/stored.ts';
import { RUN_ERROR_CODES } from '../../src/common/tool-fault.ts';
import { RunPayloads, runPayload } from '../../src/runs/events/run-payloads.ts';
import { STEP_STATUSES } from '../../src/runs/steps/step-run.ts';

const entry = (payload: object) => ({ id: 'e1', payload: { ...payload } });

describe('stored JSON', () => {
  it('is read as it was written', () => {
    const Text = jsonText(JsonValue);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseStored(Text, text, () => 'it'))).toBe(text);
      }),
    );
  });

  it('is refused where it is no text, no JSON, or no object, and never shows a value', () => {
    const Text = jsonText(JsonMap);
    for (const wrong of [7, '{secret', '["secret"]', '"secret"'])
      expect(() => parseStored(Text, wrong, () => 'Node 1')).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('secret') }),
      );
    expect(() => parseStored(Text, null, () => 'Node 1')).toThrow('Node 1: The row is missing.');
  });

  it('absent and null are one where the schema says so', () => {
    const Row = z.object({ texts: orNull(z.array(z.string())) });
    expect(parseStored(Row, {}, () => 'it')).toEqual({ texts: null });
    expect(parseStored(Row, { texts: null }, () => 'it')).toEqual({ texts: null });
  });

  it('names the path of the first fault', () => {
    const Row = z.object({ a: z.object({ b: z.array(z.number()) }) });
    try {
      parseStored(Row, { a: { b: [1, 'x'] } }, () => 'Node 1');
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(DamagedRow);
      expect(error).toMatchObject({ path: ['a', 'b', '1'] });
    }
  });
});

describe('payloads of runs', () => {
  const place = fc.record({
    stepId: fc.string(),
    index: fc.option(fc.nat()),
    attempt: fc.nat(),
  });
  const usage = fc.record({
    inputTokens: fc.nat(),
    outputTokens: fc.nat(),
    costUsd: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 })),
    llmCalls: fc.nat(),
    toolCalls: fc.nat(),
  });
  const value = fc.oneof(fc.record({ value: fc.jsonValue() }), fc.record({ bytes: fc.nat() }));
  const ended = fc
    .tuple(
      place,
      fc.record({
        name: fc.string(),
        type: fc.constantFrom('llm_call', 'rest_call', 'process'),
        targetId: fc.uuid(),
        status: fc.constantFrom(...STEP_STATUSES),
        output: value,
        outputTruncated: fc.boolean(),
        error: fc.option(
          fc.record({
            code: fc.constantFrom(...RUN_ERROR_CODES),
            message: fc.string(),
            stepId: fc.option(fc.string()),
            details: fc.jsonValue(),
          }),
        ),
        usage,
        cached: fc.boolean(),
        willRetry: fc.boolean(),
        speaks: fc.boolean(),
        childRunId: fc.option(fc.uuid()),
        call: fc.option(
          fc.record({
            targetId: fc.uuid(),
            serviceId: fc.uuid(),
            processId: fc.uuid(),
            workerId: fc.option(fc.uuid()),
            startedAt: fc.constant('2026-01-01T00:00:00.000Z'),
          }),
        ),
      }),
    )
    .map(([at, rest]) => ({ ...at, ...rest }));

  it('come out of the log as they went in', () => {
    fc.assert(
      fc.property(ended, (payload) => {
        const stored = JSON.parse(JSON.stringify(payload));
        expect(runPayload('step.ended', entry(stored))).toEqual(stored);
      }),
    );
  });

  it('of the first version have no target and no call, and make no call graph', () => {
    fc.assert(
      fc.property(ended, ({ targetId: _t, call: _c, ...old }) => {
        const read = runPayload('step.ended', entry(JSON.parse(JSON.stringify(old))));
        expect(read.call).toBeNull();
        expect(read.targetId).toBeUndefined();
      }),
    );
  });

  it('name the entry, its kind and the path of the fault', () => {
    for (const kind of Object.keys(RunPayloads) as (keyof typeof RunPayloads)[])
      expect(() => runPayload(kind, entry({}))).toThrow(`OutboxEntry e1 (${kind}): "`);
  });
});
