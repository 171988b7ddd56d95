import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { createRedactor } from '../../src/common/redact.ts';
import {
  REDACTED,
  REDACTED_FIELDS_DEFAULT,
  REDACTED_PATTERNS_DEFAULT,
} from '../../src/common/redaction.ts';

const RULES = { fields: REDACTED_FIELDS_DEFAULT, patterns: REDACTED_PATTERNS_DEFAULT };
const redactor = createRedactor(RULES);
const shown = (value: Json) => JSON.stringify(redactor.json(value));

const CANARY = 'cAnary-7f3A9b21';

describe('the redactor', () => {
  it.each([...REDACTED_FIELDS_DEFAULT, 'API-Key', 'api_key', 'APIKEY', 'Pass Word'])(
    'takes the value of a field %s, whatever its spelling and type (S3-RED-01)',
    (name) => {
      for (const value of [CANARY, 7, true, [CANARY], { inner: { deep: CANARY } }] as Json[])
        expect(redactor.json({ list: [{ [name]: value, kept: 1 }] })).toEqual({
          list: [{ [name]: REDACTED, kept: 1 }],
        });
    },
  );

  it.each([
    '01890a5d-ac96-774b-bcce-b302099a8057/fetch/12/3',
    'the quick brown fox jumps over the lazy dog',
    '/usr/local/lib/node-modules/some-long-name/of-a-file.ts',
    'a very-long-slug-of-an-article-that-somebody-wrote-yesterday',
    '{"city": "Vienna",  "degrees": 21.50}',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'The key: ask twice.',
  ])('leaves other text alone: %s', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it.each([
    [`{"password":"${CANARY}","a":1}`],
    [`the answer was {"user":"x","pass_word": "${CANARY}", "n": 1} and so on`],
    [`{"user":"x","token":"${CANARY}`],
    [`cut: {"secret":{"inner":"${CANARY}"`],
    [`login?user=a&api_key=${CANARY}&b=2`],
    [`password=${CANARY}; other`],
    [`Authorization: Basic ${CANARY}`],
    [`{'api-key': '${CANARY}'}`],
    [JSON.stringify(JSON.stringify({ a: [{ key: CANARY }] }))],
    [`log: ${JSON.stringify(JSON.stringify({ a: [{ key: `x"${CANARY}` }] }))} end`],
  ])('finds fields by name inside a text, JSON or not: %s', (text) => {
    expect(redactor.text(text)).not.toContain(CANARY);
    expect(shown({ deep: [text] })).not.toContain(CANARY);
  });

  it.each([
    '{"key":"QUO-331"}',
    'Issue {"id": 7, "key": "OPS-12"} is open.',
    `log: ${JSON.stringify(JSON.stringify({ key: 'AB1-9' }))} end`,
  ])('shows the number of a ticket: %j', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it.each([
    ...'{"key":"quo-331"} {"key":"QUO-331-9f8e7d"} {"key":"QUO-33112345"}'.split(' '),
    ...'{"token":"QUO-331"} {"apiKey":"QUO-331"} {"key":331}'.split(' '),
  ])('hides what only resembles one: %j', (text) => {
    expect(redactor.text(text)).toContain(REDACTED);
  });

  it('takes secrets out of keys, and keeps both fields where two become alike', () => {
    const [first, second] = [1, 2].map((n) => Buffer.from(`secret number ${n} is long enough 0`));
    const value = { [`${first?.toString('base64')}`]: 1, [`${second?.toString('base64')}`]: 2 };
    expect(redactor.json(value)).toEqual({ [REDACTED]: 1, [`${REDACTED} 2`]: 2 });
  });

  it('applies the settings of run time, and no more (S3-RED-05)', () => {
    const own = createRedactor({ fields: ['iban'], patterns: ['\\bAT\\d{4}\\b'] });
    expect(own.json({ IBAN: 'x', password: CANARY, note: 'it is AT1234.' })).toEqual({
      IBAN: REDACTED,
      password: CANARY,
      note: `it is ${REDACTED}.`,
    });
  });

  it('does not touch the value it was given', () => {
    const value = { token: CANARY, list: [{ key: CANARY }] };
    const before = structuredClone(value);
    redactor.json(value);
    expect(value).toEqual(before);
  });

  it('takes no time that grows faster than the text', () => {
    // A backtracking engine never ends on these.
    const hostile = createRedactor({ fields: ['password'], patterns: ['(a+)+$', '(x|xx|xxx)+y'] });
    const text = `${'a'.repeat(40_000)}!${'x'.repeat(40_000)}${'"password'.repeat(2_000)}`;
    expect(hostile.text(text)).toContain('!');
  });
});

// One-way: whatever is around it, the secret is gone, and redacting again changes nothing.
describe('a secret never comes through (S3-RED-03)', () => {
  const secret = fc
    .string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'),
      minLength: 12,
      maxLength: 30,
    })
    .map((text) => `zQ${text}`);
  const plain = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
  const word = fc.string({ maxLength: 12 });
  const name = fc
    .tuple(
      fc.constantFrom(...REDACTED_FIELDS_DEFAULT),
      fc.array(fc.tuple(fc.boolean(), fc.constantFrom('', '', '_', '-')), {
        minLength: 20,
        maxLength: 20,
      }),
    )
    .map(([base, marks]) =>
      [...base]
        .map(
          (char, at) =>
            `${marks[at]?.[0] ? char.toUpperCase() : char.toLowerCase()}${marks[at]?.[1]}`,
        )
        .join(''),
    );
  type Wrap = (inner: Json) => Json;
  const wrap: fc.Arbitrary<Wrap> = fc.oneof(
    fc.tuple(word, plain).map(
      ([key, other]): Wrap =>
        (inner) => ({ other, [`k${key}`]: inner }),
    ),
    fc.tuple(plain, plain).map(
      ([before, after]): Wrap =>
        (inner) => [before, inner, after],
    ),
    fc.constant<Wrap>((inner) => JSON.stringify(inner)),
    fc.constant<Wrap>((inner) => JSON.stringify(inner, null, 2)),
  );
  const nested = (inner: Json, wraps: readonly Wrap[]) =>
    wraps.reduce((value, around) => around(value), inner);
  const around = fc.array(wrap, { maxLength: 5 });

  it('in a field by name, at any depth, in lists, inside JSON in texts', () => {
    fc.assert(
      fc.property(
        name,
        secret,
        around,
        fc.array(wrap, { maxLength: 3 }),
        (field, hidden, wraps, inside) => {
          const value = nested({ [field]: nested(hidden, inside) }, wraps);
          expect(shown(value)).not.toContain(hidden);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('in a sentence that quotes JSON, escaped as often as may be', () => {
    fc.assert(
      fc.property(
        name,
        secret,
        word,
        fc.nat(3),
        fc.boolean(),
        (field, hidden, noise, times, isCut) => {
          let text = JSON.stringify({ a: 1, [field]: hidden, z: 2 } satisfies JsonObject);
          for (let time = 0; time < times; time++) text = JSON.stringify(text).slice(1, -1);
          if (isCut) text = text.slice(0, -3);
          expect(redactor.text(`It said ${noise.replace(/["'\\]/g, '')} ${text}`)).not.toContain(
            hidden,
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('as a bearer token or in base64, as a value, as a key, inside a text', () => {
    const encoded = fc
      .uint8Array({ minLength: 32, maxLength: 60 })
      .map((bytes) => Buffer.from(bytes).toString('base64'))
      // A text without one of these kinds of characters looks like an id, not like base64.
      .filter((text) => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text));
    fc.assert(
      fc.property(
        fc.oneof(
          secret.map((text) => ({ hidden: text, text: `Bearer ${text}` })),
          encoded.map((text) => ({ hidden: text.replace(/=+$/, ''), text })),
        ),
        around,
        fc.boolean(),
        ({ hidden, text }, wraps, isKey) => {
          const value: Json = isKey ? { [text]: 1 } : `see ${text}, then`;
          expect(shown(nested(value, wraps))).not.toContain(hidden);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('and redacted text stays as it is', () => {
    fc.assert(
      fc.property(name, secret, around, (field, hidden, wraps) => {
        const once = redactor.json(nested({ [field]: hidden, text: `Bearer ${hidden}` }, wraps));
        expect(redactor.json(once)).toEqual(once);
      }),
    );
  });

  it('while a value without one comes through as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), (given) => {
        const value = JSON.parse(JSON.stringify(given)) as Json;
        expect(createRedactor({ fields: [], patterns: [] }).json(value)).toEqual(value);
      }),
    );
  });
});
