import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../cli/lines.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import {
  firstChars,
  lastChars,
  oneLineJson,
  wellFormedJson,
  wellFormedJsonText,
  wholeCharacters,
} from '../../src/common/well-formed.ts';
import type { DriverCall, ToolDriver } from '../../src/platform/drivers/driver.ts';
import { wellFormedDriver } from '../../src/platform/drivers/well-formed-driver.ts';

const HALF = '\ud83d';
const OTHER = '\ude00';
const unit = fc.constantFrom(HALF, OTHER, 'a', '\\', '"', '\0', '\u2028', '😀', 'u', 'd83d', '\n');
const text = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(null, 0, -1e-7, 1e308, true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(text, fc.constant('__proto__'), fc.constant('')), tie('value'), {
      maxKeys: 3,
    }),
  ),
})).value;
const SEED = { seed: 20_261_127, numRuns: 300 };

describe('texts that are well formed', () => {
  it('JSON text without halves is the JSON of the well formed value', () => {
    fc.assert(
      fc.property(json, (value) => {
        const written = wellFormedJsonText(JSON.stringify(value));
        expect(written.isWellFormed()).toBe(true);
        // Two keys may become one; the last one counts in both.
        expect(JSON.stringify(JSON.parse(written))).toBe(
          JSON.stringify(JSON.parse(JSON.stringify(wellFormedJson(value)))),
        );
      }),
      SEED,
    );
  });

  it('a value without halves is the same object', () => {
    const value = { a: ['😀', { b: 1 }], ['__proto__']: null };
    expect(wellFormedJson(value)).toBe(value);
    expect(wellFormedJson({ [HALF]: [HALF, 1] })).toEqual({ '\ufffd': ['\ufffd', 1] });
  });

  it.each([
    ['\\ud83d\\ude00', '\\ud83d\\ude00'],
    ['\\\\ud83d', '\\\\ud83d'],
    ['\\\\\\ud83d', '\\\\\\ufffd'],
    ['\\uD83Dx', '\\ufffdx'],
    ['\\ude00\\ud83d', '\\ufffd\\ufffd'],
    ['\\u0041', '\\u0041'],
  ])('the escapes %s become %s', (given, right) => {
    expect(wellFormedJsonText(`"${given}"`)).toBe(`"${right}"`);
  });

  it('a stream passes on the same text in whole characters', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(4), { maxLength: 20 }), (whole, sizes) => {
        const passed: string[] = [];
        const stream = wholeCharacters((chunk) => passed.push(chunk));
        let at = 0;
        for (const size of sizes) {
          stream.push(whole.slice(at, at + size));
          at += size;
        }
        stream.push(whole.slice(at));
        stream.flush();
        expect(passed.every((chunk) => chunk.isWellFormed() && chunk !== '')).toBe(true);
        expect(passed.join('')).toBe(whole.toWellFormed());
      }),
      SEED,
    );
  });

  it('a cut leaves no new half', () => {
    fc.assert(
      fc.property(text, fc.nat(20), (given, max) => {
        const whole = given.toWellFormed();
        for (const cut of [firstChars(whole, max), lastChars(whole, max)]) {
          expect(cut.isWellFormed()).toBe(true);
          expect(cut.length).toBeGreaterThanOrEqual(Math.min(whole.length, max) - 1);
          expect(cut.length).toBeLessThanOrEqual(max);
        }
      }),
      SEED,
    );
  });

  it.each(['\n', '\r\n'])('lines end at %j alone', async (end) => {
    const lines = [JSON.stringify({ said: 'a\u2028b\u2029c 😀' }), '', 'last'];
    const bytes = Buffer.from(lines.join(end));
    const chunks = [...bytes].map((byte) => Buffer.from([byte]));
    const read: string[] = [];
    for await (const line of linesOf(Readable.from(chunks))) read.push(line);
    expect(read).toEqual(lines);
    const [line = ''] = lines;
    expect(oneLineJson(line)).not.toMatch(/[\u2028\u2029]/);
    expect(JSON.parse(oneLineJson(line))).toEqual(JSON.parse(line));
  });

  it('a fault quotes no half', () => {
    const fault = new ToolFault('TOOL_FAILED', `cut ${HALF}`, { details: { [HALF]: HALF } });
    expect(fault.message).toBe('cut \ufffd');
    expect(fault.details).toEqual({ '\ufffd': '\ufffd' });
  });
});

describe('a driver', () => {
  it('gets and gives texts that are well formed, and streams whole characters', async () => {
    let got: DriverCall | null = null;
    const inner: ToolDriver<'llm_call'> = {
      type: 'llm_call',
      async invoke(call) {
        got = call as DriverCall;
        for (const delta of ['a', HALF, OTHER, `b${HALF}`]) call.onText?.(delta);
        call.onReset?.();
        for (const delta of [HALF, OTHER, HALF]) call.onText?.(delta);
        call.onProgress?.({ said: HALF });
        return {
          output: { [HALF]: `x${HALF}` },
          usage: { inputTokens: 0, outputTokens: 0, costUsd: null, llmCalls: 1, toolCalls: 0 },
          toolCalls: [{ id: HALF, name: HALF, arguments: { q: HALF }, raw: null }],
        };
      },
      probe: async () => ({ status: 'healthy', errorMessage: null }),
      async close() {},
    };
    const told: unknown[] = [];
    const { output, toolCalls } = await wellFormedDriver(inner).invoke({
      operation: { type: 'llm_call', promptTemplate: `{{x}} ${HALF}` },
      inputs: { x: HALF },
      onText: (delta: string) => told.push(delta),
      onReset: () => told.push('reset'),
      onProgress: (content: unknown) => told.push(content),
    } as never);
    expect(got).toMatchObject({
      inputs: { x: '\ufffd' },
      operation: { promptTemplate: '{{x}} \ufffd' },
    });
    expect(told).toEqual(['a', '😀', 'b', 'reset', '😀', { said: '\ufffd' }, '\ufffd']);
    expect(output).toEqual({ '\ufffd': 'x\ufffd' });
    expect(toolCalls).toEqual([
      { id: '\ufffd', name: '\ufffd', arguments: { q: '\ufffd' }, raw: null },
    ]);
  });
});
