import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/common/json.ts';
import { redactSecret } from '../../src/platform/drivers/redact-secret.ts';

const secrets = fc.string({ minLength: 8, maxLength: 40 });
const FORMS: ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => encodeURIComponent(secret),
  (secret) => JSON.stringify(secret).slice(1, -1),
];

describe('redaction of exact Secrets', () => {
  it('no form of a Secret survives anywhere in a JSON value', () => {
    fc.assert(
      fc.property(
        secrets.filter(wellFormed),
        fc.constantFrom(...FORMS),
        fc.json(),
        fc.string(),
        (secret, form, around, before) => {
          const shown = `${before}${form(secret)}!`;
          const value: Json = {
            [shown]: [shown, { deep: shown }],
            other: JSON.parse(around) as Json,
          };
          const redacted = redactSecret(secret).json(value);
          expect(JSON.stringify(redacted)).not.toContain(JSON.stringify(form(secret)).slice(1, -1));
        },
      ),
    );
  });

  it('leaves values without the Secret as they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(redactSecret('CANARY-0123456789').json(value as Json)).toEqual(value);
      }),
    );
  });

  it('streams give the same text as the whole, whatever the pieces, and never a secret', () => {
    const secret = 'sk-abcabcabd-key';
    const pieces = fc.array(
      fc.oneof(
        fc.string({ maxLength: 4 }),
        fc.constantFrom(secret, 'sk-', 'sk-abc', 'abcabd', '-key', secret.slice(5)),
      ),
    );
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 7 }), (parts, size) => {
        const whole = parts.join('');
        let streamed = '';
        const stream = redactSecret(secret).stream((text) => {
          streamed += text;
        });
        for (let at = 0; at < whole.length; at += size) stream.push(whole.slice(at, at + size));
        stream.flush();
        expect(streamed).not.toContain(secret);
        expect(streamed).toBe(redactSecret(secret).text(whole));
      }),
    );
  });

  it('keeps nothing back that can not be a Secret', () => {
    const given: string[] = [];
    const stream = redactSecret('sk-0123456789').stream((text) => given.push(text));
    stream.push('Hello ');
    stream.push('tasks');
    stream.push('!');
    expect(given).toEqual(['Hello ', 'task', 's!']);
  });

  it('leaves short values alone, they turn up by chance', () => {
    expect(redactSecret('the', null, undefined, '').text('the weather')).toBe('the weather');
  });
});

function wellFormed(text: string): boolean {
  return text.isWellFormed() && text.trim() !== '';
}
