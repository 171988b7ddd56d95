import fc from 'fast-check';

// Values that other systems stumbled over. Tests and `npm run faults -- --foreign` draw from the
// same ones.

const HALF = '\ud83d';

/** Nearly 1 MiB: a body with it is just below the limit of the API. */
export const LARGE_TEXT = 'x'.repeat(1_000_000);

export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\n\r',
  '\0',
  'nul\0inside',
  HALF,
  '\ude00',
  `cut emoji ${HALF}`,
  `${'long '.repeat(20)}${HALF}`,
  HALF.repeat(39),
  HALF.repeat(41),
  `\ude00${HALF}`,
  '👩‍👩‍👧‍👦🇮🇹',
  'line\u2028and paragraph\u2029',
  '\u202ereversed\u202c',
  '\u2066isolated\u2069',
  '\u200b',
  'zero\u200bwidth\u200d\u2060',
  '\ufeffmark first',
  '\ufffe\uffff',
  'e\u0301 and \u00e9',
  '\u0000\u0001\u001b[31mred',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '7615917337495251231',
  '{{x}}',
  '{{{x}}}',
  '{{#each x}}',
  '{context.x}',
  '{step.a}',
  '{',
  '`',
  '"',
  '\\',
  '\\ud83d',
  '%',
  '%00%ED%A0%80',
  "' OR 1=1 //",
  '*/ RETURN 1 //',
  '../../etc/passwd',
  'ci-blob://x/y',
  'http://127.0.0.1:1/\ud800',
  'javascript:alert(1)',
  '\r\nX-Injected: 1\r\n',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
];

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom(HALF, '\ude00', '😀', 'a', '\0', '\u2028', '{', '}'), {
        maxLength: 45,
      })
      .map((units) => units.join('')),
  },
);

export const oddNumber: fc.Arbitrary<number> = fc.constantFrom(
  0,
  -0,
  1,
  -1,
  0.1,
  1e-7,
  5e-324,
  1.7976931348623157e308,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  1e21,
);

const oddKey = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', '__proto__', 'constructor', 'length', 'a.b', '$ref'),
  },
  { weight: 2, arbitrary: oddText },
);

/** Objects in one another, as many as `depth`. */
export function nested(depth: number): unknown {
  let value: unknown = null;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Any JSON value, with odd keys and odd leaves. */
export const oddJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'odd' },
    { weight: 6, arbitrary: oddText },
    { weight: 4, arbitrary: oddNumber },
    { weight: 3, arbitrary: fc.constantFrom(null, true, false, [], {}) },
    { weight: 1, arbitrary: fc.constantFrom(30, 190, 2_000).map(nested) },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    // Entries, so that `__proto__` is a key of its own.
    {
      weight: 4,
      arbitrary: fc
        .array(fc.tuple(oddKey, tie('value')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries)),
    },
  ),
})).value;

/** So many values, the same ones for the same seed. */
export function sample<T>(arbitrary: fc.Arbitrary<T>, seed: number, count: number): T[] {
  return fc.sample(arbitrary, { seed, numRuns: count });
}
