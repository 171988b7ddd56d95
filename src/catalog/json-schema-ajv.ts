import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { canonicalJson, type Json, type JsonObject } from '../common/json.ts';
import { own } from './json-schema-walk.ts';
import { linearRegExp } from './linear-pattern.ts';

/** Native regular expressions check formats; up to this length each takes well under a millisecond. */
const FORMAT_CHARS_MAX = 4_096;
export const DRAFT_07 = /^http:\/\/json-schema\.org\/draft-07\/schema#?$/;
export const DRAFT_2020 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

export type Reporting = 'all' | 'first';

/** One instance per schema, so that no `$id` of one user ever meets another's. */
export function newAjv(schema: JsonObject, report: Reporting): Ajv {
  const draft = own(schema, '$schema');
  const Draft = typeof draft === 'string' && DRAFT_07.test(draft) ? Ajv : Ajv2020;
  const ajv = new Draft({
    strict: false,
    allErrors: report === 'all',
    coerceTypes: true,
    useDefaults: true,
    ownProperties: true,
    logger: false,
    addUsedSchema: false,
    code: { regExp: linearRegExp },
  }) as Ajv;
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  // ajv compares every pair of items, which a long list of objects turns into minutes.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: Json[]) =>
      !unique || new Set(items.map(canonicalJson)).size === items.length,
    error: { message: 'must not hold equal items' },
  });
  return ajv;
}

type Formats = Parameters<Ajv['addFormat']>[1];

const FORMATS: Record<string, Formats> = {
  ...Object.fromEntries(
    Object.entries(fullFormats).map(([name, format]) => [
      name,
      name === 'byte' ? format : bounded(format as Formats),
    ]),
  ),
  // The library's own takes cubic time: 55 ms for 4,000 characters of `http://a.::::…`.
  url: (text: string) =>
    text.length <= FORMAT_CHARS_MAX && /^(https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text),
};

function bounded(format: Formats): Formats {
  if (format instanceof RegExp)
    return (text: string) => text.length <= FORMAT_CHARS_MAX && format.test(text);
  if (typeof format === 'function')
    return (text: string) => text.length <= FORMAT_CHARS_MAX && format(text) === true;
  if (typeof format !== 'object' || !('validate' in format)) return format;
  const { validate } = format;
  if (typeof validate !== 'function' || format.type === 'number') return format;
  const check = validate as (text: string) => boolean;
  return (text: string) => text.length <= FORMAT_CHARS_MAX && check(text);
}

/** `$id` and `$schema` have done their work by now, and must not name anything inside ajv. */
export function withoutNames({ $id: _id, $schema: _schema, ...schema }: JsonObject): JsonObject {
  return schema;
}
