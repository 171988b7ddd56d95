import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { METHODS, resolved } from './openapi-document.ts';

/**
 * Gives each operation its own `body` and `formData` parameters. The converter makes a body only of
 * those that stand in the operation itself: it loses those behind a `$ref`, and those of a path
 * that are listed after its operations or beside an operation's own.
 */
export function withPlainBodies(document: JsonObject): JsonObject {
  const { paths } = document;
  if (!isJsonObject(paths)) return document;
  const items = Object.entries(paths).flatMap(([path, item]): [string, Json][] => {
    const shared = resolved(document, item);
    if (shared === null) return [];
    const common = withoutRefs(document, shared['parameters']);
    const operations = [...METHODS, 'options', 'trace'].flatMap((method): [string, Json][] => {
      const node = entryOf(shared, method);
      if (!isJsonObject(node)) return [];
      const own = withoutRefs(document, node['parameters']);
      const parameters = [...own, ...inherited(common, own)];
      const consumes = formTypes(node['consumes'] ?? document['consumes'], parameters);
      const whole = { ...node, ...consumes, responses: responsesOf(node), parameters };
      return [[method, whole]];
    });
    const rest = Object.entries(shared).filter(([key]) => key.startsWith('x-'));
    const parameters = common.filter((one) => bodyPlace(one) === null);
    return [[path, Object.fromEntries([['parameters', parameters], ...operations, ...rest])]];
  });
  return { ...document, paths: Object.fromEntries(items) };
}

/** The shared body parameters that an operation does not replace by its own. */
function inherited(common: readonly JsonObject[], own: readonly JsonObject[]): JsonObject[] {
  const hasBody = own.some((one) => bodyPlace(one) === 'body');
  return common.filter((one) => {
    const place = bodyPlace(one);
    if (place === 'body') return !hasBody && !own.some((other) => bodyPlace(other) === 'formData');
    return (
      place === 'formData' &&
      !hasBody &&
      !own.some((other) => bodyPlace(other) === place && other['name'] === one['name'])
    );
  });
}

/** A form's media type where the document names none: the plain one, unless it has a file. */
function formTypes(declared: Json | undefined, parameters: readonly JsonObject[]): JsonObject {
  const fields = parameters.filter((one) => bodyPlace(one) === 'formData');
  const types = Array.isArray(declared) ? declared : [];
  if (fields.length === 0 || types.some((type) => FORM_TYPES.includes(String(type)))) return {};
  const hasFile = fields.some(({ type }) => type === 'file');
  return { consumes: [hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'] };
}

const FORM_TYPES = ['multipart/form-data', 'application/x-www-form-urlencoded'];

/** Parameters of a body without their `$ref`; others keep it. */
function withoutRefs(document: JsonObject, listed: Json | undefined): JsonObject[] {
  if (!Array.isArray(listed)) return [];
  return listed.filter(isJsonObject).map((item) => {
    const found = resolved(document, item);
    return found !== null && bodyPlace(found) !== null ? structuredClone(found) : item;
  });
}

function bodyPlace(parameter: JsonObject): 'body' | 'formData' | null {
  const place = parameter['in'];
  return place === 'body' || place === 'formData' ? place : null;
}

/** The converter fails on an answer that is no object. */
function responsesOf(node: JsonObject): JsonObject {
  const { responses } = node;
  const all = isJsonObject(responses) ? Object.entries(responses) : [];
  return Object.fromEntries(all.filter(([, response]) => isJsonObject(response)));
}
