import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/common/redact.ts';
import {
  REDACTED,
  REDACTED_FIELDS_DEFAULT,
  REDACTED_PATTERNS_DEFAULT,
  type SECRET_PATTERNS,
} from '../../src/common/redaction.ts';
import { redactSecret } from '../../src/platform/drivers/redact-secret.ts';
import { scrub } from '../../src/platform/telemetry/scrub.ts';

/** One secret of each kind. In parts, because scanners of repositories look for the same thing. */
const EXAMPLES: Readonly<Record<keyof typeof SECRET_PATTERNS, string>> = {
  credentials: ['bearer', 'abc.def-0123456789/+='].join(' '),
  base64: Buffer.from('a secret of thirty bytes or more 1').toString('base64'),
  jsonWebToken: ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3'].join('.'),
  vendorKey: ['sk', 'ant', 'Zq8'.repeat(8)].join('-'),
  privateKey: ['-----BEGIN', 'PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----'].join(
    ' ',
  ),
  addressPassword: ['://neo4j', 'correct-horse@'].join(':'),
};

const recorded = createRedactor({
  fields: REDACTED_FIELDS_DEFAULT,
  patterns: REDACTED_PATTERNS_DEFAULT,
});

describe.each(Object.entries(EXAMPLES))('a secret of the kind %s', (_kind, secret) => {
  const text = `It said ${secret} and went on.`;

  it('is in no record (S3-RED-02)', () => {
    expect(recorded.text(text)).toBe(`It said ${REDACTED} and went on.`);
  });

  it('is in no log line (S3-RED-02)', () => {
    expect(scrub(text)).not.toContain(secret);
    expect(scrub(text)).toContain(REDACTED);
  });

  it('is in no answer of a Tool that was called with it', () => {
    expect(redactSecret(secret).text(text)).toBe(`It said ${REDACTED} and went on.`);
  });
});

it.each(REDACTED_FIELDS_DEFAULT)(
  'a field %s is neither recorded nor logged (S3-RED-01)',
  (name) => {
    const value = { list: [{ [name]: 'plain words' }] };
    const expected = { list: [{ [name]: REDACTED }] };
    expect(recorded.json(value)).toEqual(expected);
    expect(scrub(value)).toEqual(expected);
  },
);

it('a log line takes time in proportion to its length', () => {
  // A backtracking engine takes quadratic time on these.
  const hostile = ['-eyJaaaaaaaa', '://a:', '-----BEGIN PRIVATE KEY', 'sk-', '"password":"\\'];
  for (const part of hostile)
    expect(String(scrub(`begin ${part.repeat(20_000)}`)).slice(0, 6)).toBe('begin ');
});
