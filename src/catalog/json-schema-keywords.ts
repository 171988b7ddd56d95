import { isJsonObject } from '../common/json.ts';
import type { Problem } from '../common/refusal.ts';
import { DRAFT_07, DRAFT_2020 } from './json-schema-ajv.ts';
import { invalid } from './json-schema-faults.ts';
import { own, refPointer, type Subschema } from './json-schema-walk.ts';

const REFUSED_KEYWORDS = [
  '$async',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$data',
];

/** What a schema says that we do not do, or that points nowhere. */
export function checkKeywords(
  { schema, path }: Subschema,
  known: ReadonlyMap<string, Subschema>,
): Problem[] {
  const problems: Problem[] = [];
  for (const keyword of REFUSED_KEYWORDS) {
    if (own(schema, keyword) !== undefined)
      problems.push(invalid([...path, keyword], `${keyword} is not supported.`));
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (isJsonObject(value) && own(value, '$data') !== undefined && !SCHEMA_MAPS.has(keyword)) {
      problems.push(invalid([...path, keyword], '$data references are not supported.'));
    }
  }
  const ref = own(schema, '$ref');
  if (typeof ref === 'string') {
    if (!/^#(\/|$)/.test(ref)) {
      problems.push(
        invalid([...path, '$ref'], 'A $ref has to point into this schema, as in "#/$defs/name".'),
      );
    } else if (!known.has(refPointer(ref))) {
      problems.push(invalid([...path, '$ref'], `${ref} is no schema in this schema.`));
    }
  }
  if (
    path.length > 0 &&
    (own(schema, '$id') !== undefined || own(schema, '$schema') !== undefined)
  ) {
    problems.push(invalid(path, '$id and $schema belong to the top of a schema.'));
  }
  const draft = path.length === 0 ? own(schema, '$schema') : undefined;
  if (
    draft !== undefined &&
    (typeof draft !== 'string' || !(DRAFT_07.test(draft) || DRAFT_2020.test(draft)))
  ) {
    problems.push(
      invalid(['$schema'], 'Only JSON Schema draft 2020-12 and draft-07 are supported.'),
    );
  }
  return problems;
}

const SCHEMA_MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
  'default',
  'const',
  'example',
]);
