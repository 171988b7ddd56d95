import neo4j from 'neo4j-driver';
import { describe, expect, it } from 'vitest';
import { sentNumber } from '../../src/common/exact-json.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { withSentNumbers } from '../../src/json-schema/sent-numbers.ts';
import { toBolt } from '../../src/platform/drivers/bolt-value.ts';

const BIG = '9007199254740993';
const INTEGER = { type: 'integer' };

describe('A number beyond 2^53 that is sent', () => {
  it.each<[string, JsonObject, Json, string | null]>([
    ['by $ref', { $ref: '#/$defs/n', $defs: { n: INTEGER } }, BIG, BIG],
    ['in a branch', { if: INTEGER, then: { type: 'number' } }, BIG, BIG],
    ['of two types', { type: ['integer', 'string'] }, BIG, `"${BIG}"`],
    ['or null', { type: ['integer', 'null'] }, BIG, BIG],
    ['without a type', {}, BIG, `"${BIG}"`],
    ['as a name', { additionalProperties: INTEGER }, { [BIG]: 1 }, null],
    ['twice', { items: INTEGER }, [BIG, BIG, 'a'], `[${BIG},${BIG},"a"]`],
    ['of a smaller text', INTEGER, '12', null],
  ])('%s', (_name, schema, value, written) => {
    const sent = withSentNumbers(schema, value);
    expect(sent === null ? null : JSON.stringify(sent)).toBe(written);
  });

  it.each<[string, unknown]>([
    [BIG, neo4j.int(BigInt(BIG))],
    ['-9223372036854775808', neo4j.int(-(2n ** 63n))],
    ['9007199254740993.0', neo4j.int(BigInt(BIG))],
    // Beyond 64 bits Neo4j has no number with all digits.
    ['9223372036854775808', '9223372036854775808'],
    ['9007199254740993.5', '9007199254740993.5'],
  ])('%s to Neo4j', (numeral, bolt) => {
    expect(toBolt({ a: [sentNumber(numeral)] })).toEqual({ a: [bolt] });
    expect(toBolt(numeral)).toBe(numeral);
  });
});
