import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBigWholeNumber, parseJson } from '../../src/common/exact-json.ts';

describe('Numbers of a JSON text', () => {
  it.each([
    ['7615917337495251231', '7615917337495251231'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551615', '18446744073709551615'],
    ['7615917337495251231.0', '7615917337495251231.0'],
    ['1e400', '1e400'],
    ['-1E+400', '-1E+400'],
    ['1e-400', '1e-400'],
  ])('%s would change, and arrives as the text of its digits', (numeral, text) => {
    expect(parseJson(numeral)).toBe(text);
    expect(parseJson(`{"id": [${numeral}]}`)).toEqual({ id: [text] });
  });

  it.each([
    ['0', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['1e308', 1e308],
    ['1e21', 1e21],
    ['100000000000000000000', 1e20],
    ['0.30000000000000004', 0.30000000000000004],
    ['19.990000000000000000', 19.99],
    ['0e500', 0],
    ['5e-324', 5e-324],
  ])('%s stays a number', (numeral, number) => {
    expect(parseJson(numeral)).toBe(number);
  });

  it('leaves digits in texts and names alone', () => {
    const text = String.raw`{"7615917337495251231":"a \\\" 7615917337495251231","b":"\\"}`;
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '{7615917337495251231: 1}',
    '[07615917337495251231]',
    '[7615917337495251231x]',
    '',
    '"7615917337495251231',
  ])('refuses %s, which is no JSON', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('reads every value that JSON.stringify writes as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      { seed: 96, numRuns: 300 },
    );
  });

  it('keeps every digit of every whole number, between any texts', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 80n), 2n ** 80n), fc.string(), (id, text) => {
        const read = parseJson(`[${JSON.stringify(text)},${id},${JSON.stringify(text)}]`) as [
          string,
          number | string,
          string,
        ];
        expect([read[0], read[2]]).toEqual([text, text]);
        const digits = typeof read[1] === 'string' ? read[1] : JSON.stringify(read[1]);
        expect(digits).toBe(String(id));
      }),
      { seed: 96, numRuns: 300 },
    );
  });

  it('takes linear time over long digits and escapes', () => {
    const begin = performance.now();
    parseJson(`1${'0'.repeat(4_000_000)}1`);
    parseJson(`["${String.raw`\"`.repeat(2_000_000)}",7615917337495251231]`);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});

describe('Texts of whole numbers beyond 2^53', () => {
  it.each([
    ['7615917337495251231', true],
    ['-9007199254740993', true],
    ['9007199254740991', false],
    ['12', false],
    ['07615917337495251231', false],
    ['7615917337495251231.5', false],
    [' 7615917337495251231', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isBigWholeNumber(text)).toBe(expected);
  });
});
