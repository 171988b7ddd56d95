import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordable } from '../../src/call-graph/recordable.ts';
import { type Json, jsonBytes } from '../../src/common/json.ts';
import { beginning, PREVIEW_BYTES, truncate } from '../../src/common/truncate.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';

const THRESHOLD = 10_240;
const EARTHS = '🌍'.repeat(3_000);
const cut = (value: Json) =>
  truncate(value, THRESHOLD) as { _truncated: boolean; size: number; preview: string };

describe('a recorded payload', () => {
  it('of 10,240 bytes is kept whole, of 10,241 cut (S3-TRUNC-01)', () => {
    const whole = 'x'.repeat(THRESHOLD - 2);
    expect(truncate(whole, THRESHOLD)).toBe(whole);
    expect(cut(`${whole}x`)).toEqual({
      _truncated: true,
      size: THRESHOLD + 1,
      preview: `"${'x'.repeat(PREVIEW_BYTES - 1)}`,
    });
  });

  it('is cut where the setting says (S3-TRUNC-03)', () => {
    const rules = { ...SETTINGS_DEFAULT, payloadTruncationThreshold: 2_000 };
    expect(recordable('x'.repeat(1_998), rules)).toBe('x'.repeat(1_998));
    expect(recordable('x'.repeat(1_999), rules)).toMatchObject({ _truncated: true, size: 2_001 });
  });

  it('shows 1,024 bytes and never half a character (S3-TRUNC-02)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 50 }), { minLength: 1, maxLength: 4 }),
        (texts) => {
          const { size, preview } = cut([...texts, EARTHS]);
          const json = JSON.stringify([...texts, EARTHS]);
          expect(size).toBe(Buffer.byteLength(json));
          expect(json.startsWith(preview)).toBe(true);
          expect(preview.isWellFormed()).toBe(true);
          const bytes = Buffer.byteLength(preview);
          expect(bytes).toBeLessThanOrEqual(PREVIEW_BYTES);
          // One character more would not fit.
          expect(bytes).toBeGreaterThan(PREVIEW_BYTES - 4);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is redacted first, so that the preview shows no secret (S3-RED-04)', () => {
    const payload = { password: 'hunter2-hunter2', rest: 'y'.repeat(20_000) };
    expect(JSON.stringify(recordable(payload, SETTINGS_DEFAULT))).not.toContain('hunter2');
  });

  it('takes the beginning of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(40), (text, bytesMax) => {
        const start = beginning(text, bytesMax);
        expect(text.startsWith(start)).toBe(true);
        expect(beginning(text.toWellFormed(), bytesMax).isWellFormed()).toBe(true);
        expect(jsonBytes(start) - 2).toBeGreaterThanOrEqual(Buffer.byteLength(start));
        expect(Buffer.byteLength(start)).toBeLessThanOrEqual(bytesMax);
      }),
    );
  });
});
