import { entryOf } from '../common/entry-of.ts';
import type { JsonObject } from '../common/json.ts';
import { withoutForeignSyntax } from './foreign-syntax.ts';
import { DRAFT_07, DRAFT_2020, walkSchema } from './guards.ts';
import { withNumericLimits } from './numeric-limits.ts';

const DRAFT =
  /^https?:\/\/json-schema\.org\/(?:draft[-/]?(04|06|07|2019-09|2020-12)\/)?(?:hyper-)?schema#?$/;

/**
 * A schema that others wrote, as checkJsonSchema reads it. Without draft-07's own keywords every
 * draft means the same as 2020-12, so `$schema` is left out; with them drafts 04 and 06 are read as
 * draft-07. A draft that is not known stays, and is refused by its name.
 */
export function readableSchema(given: JsonObject): JsonObject {
  const schema = withOwnPatterns(withNumericLimits(given));
  const draft = entryOf(schema, '$schema');
  if (draft === undefined) return schema;
  if (typeof draft === 'string' && (DRAFT_07.test(draft) || DRAFT_2020.test(draft))) return schema;
  if (draft !== null && (typeof draft !== 'string' || !DRAFT.test(draft))) return schema;
  const [, version = '2020-12'] = DRAFT.exec(draft ?? '') ?? [];
  const { $schema: _draft, ...rest } = schema;
  const parts = [...walkSchema(rest).subschemas.values()].map((found) => found.schema);
  if (version === '2020-12' || !parts.some((part) => isOfOldDraft(part, version))) return rest;
  return version === '2019-09' ? schema : { $schema: DRAFT_07_NAME, ...rest };
}

/**
 * The patterns that were written for Python or PCRE in the form of ECMAScript, where they have one.
 */
function withOwnPatterns(schema: JsonObject): JsonObject {
  if (!JSON.stringify(schema).includes('"pattern":')) return schema;
  const copy = structuredClone(schema);
  for (const { schema: found } of walkSchema(copy).subschemas.values()) {
    const pattern = entryOf(found, 'pattern');
    if (typeof pattern === 'string') found['pattern'] = withoutForeignSyntax(pattern);
  }
  return copy;
}

const DRAFT_07_NAME = 'http://json-schema.org/draft-07/schema#';

/** Whether the draft reads a keyword of this schema in another way than 2020-12. */
function isOfOldDraft(schema: JsonObject, version: string): boolean {
  if (Array.isArray(entryOf(schema, 'items'))) return true;
  if (OLD.some((keyword) => entryOf(schema, keyword) !== undefined)) return true;
  // Up to draft-07 the keywords beside a $ref are ignored.
  return (
    version !== '2019-09' &&
    entryOf(schema, '$ref') !== undefined &&
    Object.keys(schema).some((keyword) => !BESIDE_A_REF.includes(keyword))
  );
}

const OLD = ['additionalItems', 'dependencies', '$recursiveRef', '$recursiveAnchor'];

/** Keywords that assert nothing. */
const BESIDE_A_REF = [
  '$ref',
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  '$defs',
  'definitions',
];
