import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/common/json.ts';
import { checkJsonSchema, validateJson } from '../../src/json-schema/json-schema.ts';

/**
 * The public JSON Schema Test Suite (json-schema-org/JSON-Schema-Test-Suite, MIT): the required
 * tests of two drafts, and those of large numbers. Its package in the registry needs git.
 */
interface Group {
  readonly description: string;
  readonly schema: Json;
  readonly tests: readonly { description: string; data: Json; valid: boolean }[];
}

const REFUSED: Readonly<Record<string, string>> = {
  'A $ref has to point into this schema, as in "#/$defs/name".':
    'an author sees a $ref by its place only; names ($anchor, $id) and other documents are ' +
    'not followed (S4-SVC-06)',
  '$dynamicRef is not supported.': 'its target depends on the caller',
  '$dynamicAnchor is not supported.': 'as $dynamicRef',
  '$id and $schema belong to the top of a schema.': 'a name inside of a schema could hide another',
  'Only JSON Schema draft 2020-12 and draft-07 are supported.': 'a metaschema of its own',
  'A schema that refers to itself may only use': 'its work would double at each level of a value',
  "This JSON Schema can't be used: enum must have non-empty array":
    'a choice without a member is a mistake of its author',
  'The pattern is no regular expression of the linear-time syntax':
    'a pattern of one user runs on texts of others',
};

const FORMAT = 'format is checked, not only noted (S4-SVC-06)';
const TEXTS = 'a text is read where only a number or a boolean fits';
const CONTAINS = 'ajv counts all items as evaluated by a contains in another schema of the value';

/** A test's place in the suite, up to here, and the reason why the outcome differs. */
const DIFFERENT: readonly (readonly [place: string, reason: string])[] = [
  ['draft2020-12 format', FORMAT],
  ['draft2020-12 items | nested items | nested array with invalid type', TEXTS],
  ['draft7 items | nested items | nested array with invalid type', TEXTS],
  ['draft7 additionalItems | when items is schema', TEXTS],
  ['draft2020-12 properties | properties with escaped characters', TEXTS],
  ['draft7 properties | properties with escaped characters', TEXTS],
  ['draft2020-12 ref | refs with quote', TEXTS],
  ['draft7 ref | refs with quote', TEXTS],
  ['draft2020-12 type | integer type matches integers | a string is still not', TEXTS],
  ['draft2020-12 type | number type matches numbers | a string is still not', TEXTS],
  ['draft7 type | integer type matches integers | a string is still not', TEXTS],
  ['draft7 type | number type matches numbers | a string is still not', TEXTS],
  [
    'draft2020-12 properties | properties whose names are Javascript object property names | ' +
      '__proto__',
    'ajv does not look at a property __proto__',
  ],
  [
    'draft7 properties | properties whose names are Javascript object property names | __proto__',
    'ajv does not look at a property __proto__',
  ],
  [
    'draft7 ref | ref overrides any sibling keywords | ref valid, maxItems ignored',
    'keywords beside a $ref hold in draft-07 too, as in 2020-12',
  ],
  [
    'draft2020-12 unevaluatedItems | unevaluatedItems depends on multiple nested contains',
    CONTAINS,
  ],
  ['draft2020-12 unevaluatedItems | unevaluatedItems and contains interact', CONTAINS],
];

const groupsOf = (draft: string) =>
  Object.entries(
    JSON.parse(
      readFileSync(new URL(`./json-schema-suite/${draft}.json`, import.meta.url), 'utf8'),
    ) as Record<string, Group[]>,
  );

/** The suite's booleans, which are schemas too, as objects. */
function schemaOf(schema: Json, draft: string): JsonObject {
  const given = isJsonObject(schema) ? schema : schema === true ? {} : { not: {} };
  return draft === 'draft7'
    ? { $schema: 'http://json-schema.org/draft-07/schema#', ...given }
    : given;
}

describe('The JSON Schema Test Suite', () => {
  const reasons = new Set<string>();
  const refusals = new Set<string>();

  it.each(['draft2020-12', 'draft7'])('agrees in %s, but for the listed reasons', (draft) => {
    const unlisted: string[] = [];
    let agreed = 0;
    for (const [file, groups] of groupsOf(draft)) {
      for (const { description, schema: given, tests } of groups) {
        const schema = schemaOf(given, draft);
        const [refused] = checkJsonSchema(schema, []);
        if (refused !== undefined) {
          const reason = Object.keys(REFUSED).find((words) => refused.message.startsWith(words));
          if (reason === undefined)
            unlisted.push(`${draft} ${file} | ${description}: ${refused.message}`);
          else refusals.add(reason);
          continue;
        }
        for (const { description: test, data, valid } of tests) {
          const isValid = validateJson(schema, data, []).problems.length === 0;
          if (isValid === valid) {
            agreed++;
            continue;
          }
          const place = `${draft} ${file} | ${description} | ${test}`;
          const listed = DIFFERENT.find(([known]) => place.startsWith(known));
          if (listed === undefined) unlisted.push(`${place}: ${isValid ? 'fits' : 'refused'}`);
          else reasons.add(listed[0]);
        }
      }
    }
    expect(unlisted).toEqual([]);
    expect(agreed).toBeGreaterThan(850);
  });

  it('differs for no reason that is gone', () => {
    expect([...refusals].sort()).toEqual(Object.keys(REFUSED).sort());
    expect([...reasons].sort()).toEqual(DIFFERENT.map(([place]) => place).sort());
  });
});
