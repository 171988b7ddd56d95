import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/common/exact-json.ts';
import { checkJsonSchema, validateJson } from '../../src/json-schema/json-schema.ts';
import { SCHEMAS, VALUES } from './schema.cases.ts';

describe('A value from outside', () => {
  it.each(VALUES)('$title ($source)', ({ input, right }) => {
    expect(checkJsonSchema(input.schema, [])).toEqual([]);
    const { value, problems } = validateJson(input.schema, parseJson(input.json), []);
    expect(problems.length === 0 ? { value } : 'refused').toEqual(right);
  });
});

describe('A schema from outside', () => {
  it.each(SCHEMAS)('$title ($source)', ({ input, right }) => {
    const messages = checkJsonSchema(input, []).map(({ message }) => message);
    if (right === null) expect(messages).toEqual([]);
    else expect(messages).toEqual([expect.stringMatching(right)]);
  });
});
