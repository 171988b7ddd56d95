import { entryOf } from '../../common/entry-of.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX } from '../../common/limits.ts';
import { formOf, isJsonType, readMediaType } from '../../common/media-type.ts';
import { firstChars } from '../../common/well-formed.ts';
import { variableNameFault } from '../../expressions/names.ts';
import { namesType } from '../../json-schema/schema-fit.ts';
import type { OperationOf } from '../../operations/operation.ts';
import { checkOperation } from '../../operations/operation.ts';
import {
  type BodyKind,
  PARAMETER_STYLES,
  type ParameterStyle,
} from '../../operations/rest-call.ts';
import {
  type ListedOperation,
  METHODS,
  OperationFault,
  objectOf,
  resolve,
  textOf,
  valueAtRef,
} from './openapi-document.ts';
import { plainName, type QueryPair, readPathKey } from './openapi-path.ts';
import { fitSchema, type SchemaConverter, SENT_FILE } from './openapi-schema.ts';
import type { OpenApiOperation } from './openapi-tools.ts';

type RestCall = OperationOf<'rest_call'>;

/** An input of the Tool, with its schema as the document has it. */
interface Input {
  readonly variable: string;
  readonly schemaOf: (convert: SchemaConverter) => JsonObject;
  readonly required: boolean;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * One operation as a rest_call.
 * @throws OperationFault with the reason why a rest_call can't do it
 */
export function readOperation(document: JsonObject, listed: ListedOperation): OpenApiOperation {
  const { node, operationId } = listed;
  const method = METHODS.find((one) => one === listed.method);
  if (method === undefined)
    throw new OperationFault(`the method ${listed.method.toUpperCase()} can not be called.`);
  const notes: string[] = [];
  const names = variableNames();
  const request = readParameters(document, listed, names);
  const body = readBody(document, node, method, names);
  const inputs = [...request.inputs, ...(body.input === null ? [] : [body.input])];
  const noteOf = (field: string) => (text: string) => notes.push(`${field}: ${text}`);
  const inputSchema = fitSchema(
    document,
    { direction: 'request', files: body.kind === 'multipart' || body.kind === 'binary' },
    (convert) => ({
      type: 'object',
      properties: Object.fromEntries(
        inputs.map(({ variable, schemaOf }) => [variable, schemaOf(convert)]),
      ),
      required: inputs.filter(({ required }) => required).map(({ variable }) => variable),
      additionalProperties: false,
    }),
    noteOf('inputSchema'),
  );
  const outputSchema = fitSchema(
    document,
    { direction: 'response', files: false },
    (convert) => (method === 'head' ? {} : answerSchema(document, node, convert)),
    noteOf('outputSchema'),
  );
  notes.push(...request.notes, ...body.notes, ...serverNotes(document, listed));
  const headers = { ...request.headers, ...body.headers };
  const styles = [...request.styles, ...body.styles];
  const operation: Mutable<RestCall> = {
    type: 'rest_call',
    method: method.toUpperCase() as RestCall['method'],
    path: request.path,
    query: orNull(request.query),
    headers: orNull(headers),
    body: body.input === null ? null : `{{${body.input.variable}}}`,
  };
  // Absent where they say nothing, as in operations of earlier imports.
  if (Object.keys(request.cookies).length > 0) operation.cookies = request.cookies;
  if (body.kind !== null) operation.bodyKind = body.kind;
  if (styles.length > 0) operation.styles = styles;
  const [problem] = checkOperation(operation, inputSchema);
  if (problem !== undefined) throw new OperationFault(problem.message);
  const title = (textOf(node['summary']) ?? operationId).replace(/\s+/g, ' ').trim();
  const description = textOf(node['description']);
  return {
    operationId,
    name: firstChars(title.toWellFormed(), NAME_CHARS_MAX) || operationId,
    description:
      description === null ? null : firstChars(description.toWellFormed(), DESCRIPTION_CHARS_MAX),
    operation,
    inputSchema,
    outputSchema,
    notes,
  };
}

const orNull = (value: JsonObject): JsonObject | null =>
  Object.keys(value).length === 0 ? null : value;

interface Parameters {
  readonly inputs: Input[];
  readonly path: string;
  readonly query: JsonObject;
  readonly headers: JsonObject;
  readonly cookies: JsonObject;
  readonly styles: ParameterStyle[];
  /** For a person. */
  readonly notes: readonly string[];
}

/** Headers that the driver or the Secret sets. */
const OWN_HEADERS = ['accept', 'content-type', 'authorization'];

function readParameters(
  document: JsonObject,
  { path, node, shared }: ListedOperation,
  names: (name: string) => string,
): Parameters {
  const inputs: Input[] = [];
  const query: JsonObject = {};
  const headers: JsonObject = {};
  const cookies: JsonObject = {};
  const styles: ParameterStyle[] = [];
  const { way, pairs, queryNames, fragment } = readPathKey(path);
  const texts = pairs.filter(({ variable }) => variable === null).map(({ text }) => text);
  const target = `${way}${texts.length === 0 ? '' : `?${texts.join('&')}`}`;
  const wanted = new Set([
    ...[...target.matchAll(VARIABLE)].map(([, name]) => plainName(name)),
    ...pairs.map(({ variable }) => variable),
  ]);
  const inPath = new Map<string, string>();
  for (const parameter of parametersOf(document, shared, node)) {
    const place = parameter['in'];
    const given = textOf(parameter['name']);
    if (given === null || !isPlace(place))
      throw new OperationFault('it has a parameter without a name or a known place.');
    if (place === 'header' && OWN_HEADERS.includes(given.toLowerCase())) continue;
    if (place === 'path' && !wanted.has(given)) continue;
    const pair = place === 'query' ? pairFor(given, pairs) : undefined;
    // The path says its value.
    if (pair?.variable === null) continue;
    const name = pair?.key ?? given;
    const variable = names(name);
    const content = Object.entries(objectOf(parameter['content']))[0];
    const schema = content === undefined ? parameter['schema'] : objectOf(content[1])['schema'];
    inputs.push({
      variable,
      schemaOf: (convert) => convert(schema ?? {}),
      required: place === 'path' || parameter['required'] === true,
    });
    const style = styleOf(document, { ...parameter, name }, place, variable);
    if (style !== null) styles.push(style);
    if (place === 'path') inPath.set(name, variable);
    else ({ query, header: headers, cookie: cookies })[place][name] = `{{${variable}}}`;
  }
  // Documents forget to declare them, and a path has no other kind of value.
  const undeclared = (name: string, required: boolean) => {
    if (name === '') throw new OperationFault('its path has a variable without a name.');
    const variable = names(name);
    inputs.push({ variable, schemaOf: () => ({ type: 'string' }), required });
    return variable;
  };
  const shownAs = (name: string) => {
    const variable = inPath.get(name) ?? undeclared(name, true);
    inPath.set(name, variable);
    return `{{${variable}}}`;
  };
  for (const { key, variable } of pairs)
    if (variable !== null && !Object.hasOwn(query, key)) query[key] = shownAs(variable);
  for (const name of queryNames)
    if (!Object.hasOwn(query, name)) query[name] = `{{${undeclared(name, false)}}}`;
  const rendered = target.replace(VARIABLE, (_all, raw: string) => shownAs(plainName(raw)));
  const notes =
    fragment === null
      ? []
      : ['What follows # in its path is no part of the address, and is not sent.'];
  return { inputs, path: rendered, query, headers, cookies, styles, notes };
}

const VARIABLE = /\{([^{}]*)\}/g;

/**
 * The pair of the path's own query that a query parameter belongs to: `x` in `?x={x}` and `?q={x}`.
 */
const pairFor = (name: string, pairs: readonly QueryPair[]): QueryPair | undefined =>
  pairs.find(({ key }) => key === name) ?? pairs.find(({ variable }) => variable === name);

type Place = Exclude<ParameterStyle['in'], 'form'>;

const isPlace = (value: Json | undefined): value is Place =>
  value === 'path' || value === 'query' || value === 'header' || value === 'cookie';

/** The operation's own parameters replace those of its path. */
function parametersOf(document: JsonObject, shared: JsonObject, node: JsonObject): JsonObject[] {
  const byPlace = new Map<string, JsonObject>();
  for (const listed of [shared['parameters'], node['parameters']]) {
    if (!Array.isArray(listed)) continue;
    for (const item of listed) {
      const parameter = resolve(document, item);
      byPlace.set(`${String(parameter['in'])} ${String(parameter['name'])}`, parameter);
    }
  }
  return [...byPlace.values()];
}

/** How the driver has to write a parameter; null where its usual way is right. */
function styleOf(
  document: JsonObject,
  parameter: JsonObject,
  place: Place,
  variable: string,
): ParameterStyle | null {
  const name = String(parameter['name']);
  const key = place === 'path' ? variable : name;
  if (Object.keys(objectOf(parameter['content'])).some(isJsonMedia))
    return { in: place, name: key, style: 'json' };
  const usual = place === 'path' || place === 'header' ? 'simple' : 'form';
  const style = PARAMETER_STYLES.find((one) => one === (parameter['style'] ?? usual));
  if (style === undefined) throw new OperationFault(`its parameter ${name} has an unknown style.`);
  const explode = parameter['explode'] ?? style === 'form';
  const kinds = kindsOf(document, parameter['schema'] ?? {});
  const isPlain = !kinds.has('array') && !kinds.has('object');
  const allowReserved = place === 'query' && parameter['allowReserved'] === true;
  const marks = style === 'label' || style === 'matrix';
  // The variable is what the driver writes.
  if (style === 'matrix' && variable !== name)
    throw new OperationFault(
      `its path parameter ${name} has a name that the style matrix can not have.`,
    );
  const isUsual =
    isPlain || (place === 'query' && style === 'form' && explode === true && !kinds.has('object'));
  if (isUsual && !marks && !allowReserved) return null;
  return {
    in: place,
    name: key,
    ...(style === usual ? {} : { style }),
    ...(explode === (style === 'form') ? {} : { explode: explode === true }),
    ...(allowReserved ? { allowReserved } : {}),
  };
}

type Kind = 'plain' | 'array' | 'object';
const ALL_KINDS: readonly Kind[] = ['plain', 'array', 'object'];

/** The kinds of value that a schema may take. */
function kindsOf(document: JsonObject, value: Json | undefined, depth = 0): ReadonlySet<Kind> {
  if (!isJsonObject(value) || depth > 8) return new Set(ALL_KINDS);
  if (typeof value['$ref'] === 'string')
    return kindsOf(document, valueAtRef(document, value['$ref']), depth + 1);
  const types = [value['type']].flat().filter((type) => typeof type === 'string');
  if (types.length > 0) return new Set(types.map(kindOfType));
  const values = Array.isArray(value['enum']) ? value['enum'] : [];
  if (values.length > 0) return new Set(values.map(kindOfValue));
  if (value['properties'] !== undefined) return new Set<Kind>(['object']);
  if (value['items'] !== undefined) return new Set<Kind>(['array']);
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    const members = value[keyword];
    if (!Array.isArray(members) || members.length === 0) continue;
    const kinds = members.map((one) => kindsOf(document, one, depth + 1));
    const isIn = (kind: Kind) =>
      keyword === 'allOf'
        ? kinds.every((one) => one.has(kind))
        : kinds.some((one) => one.has(kind));
    return new Set(ALL_KINDS.filter(isIn));
  }
  return new Set(ALL_KINDS);
}

const kindOfType = (type: Json): Kind => (type === 'array' || type === 'object' ? type : 'plain');

function kindOfValue(value: Json): Kind {
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'plain';
}

interface Body {
  readonly input: Input | null;
  readonly kind: BodyKind | null;
  readonly headers: JsonObject;
  readonly styles: ParameterStyle[];
  /** For a person. */
  readonly notes: readonly string[];
}

const NO_BODY: Body = { input: null, kind: null, headers: {}, styles: [], notes: [] };

function readBody(
  document: JsonObject,
  node: JsonObject,
  method: (typeof METHODS)[number],
  names: (name: string) => string,
): Body {
  const requestBody = resolve(document, node['requestBody'] ?? {});
  const required = requestBody['required'] === true;
  const media = Object.entries(objectOf(requestBody['content']));
  const found = chosenMedia(media);
  if (found === null) {
    if (required) throw new OperationFault('its request body has no media type.');
    return NO_BODY;
  }
  if (method === 'get' || method === 'head') {
    const name = method.toUpperCase();
    if (required) throw new OperationFault(`its ${name} request has a body.`);
    return { ...NO_BODY, notes: [`A ${name} has no body, so its optional one is left out.`] };
  }
  const { kind, type, value } = found;
  const schema = value['schema'] ?? {};
  const variable = names('body');
  const input = {
    variable,
    required,
    schemaOf: (convert: SchemaConverter) => bodySchema(convert, kind, type, schema),
  };
  const declared = /[*]/.test(type) ? null : type;
  if (kind === 'json') {
    const isUsual = declared === null || isPlainJson(type);
    const isText = kindsOf(document, schema).has('plain');
    return {
      ...NO_BODY,
      input,
      kind: isText ? 'json' : null,
      headers: isUsual || declared === null ? {} : { 'Content-Type': declared },
    };
  }
  if (kind === 'form') {
    const styles = formStyles(document, objectOf(value['encoding']));
    return { ...NO_BODY, input, kind, styles };
  }
  if (kind === 'multipart')
    return { ...NO_BODY, input, kind, styles: jsonParts(document, objectOf(value['encoding'])) };
  return {
    ...NO_BODY,
    input,
    kind,
    headers: declared === null ? {} : { 'Content-Type': declared },
  };
}

interface Media {
  readonly kind: BodyKind;
  readonly type: string;
  readonly value: JsonObject;
}

/** The media type that an input is easiest to give for. */
function chosenMedia(media: readonly (readonly [string, Json])[]): Media | null {
  const kinds: readonly (readonly [BodyKind, (type: string) => boolean])[] = [
    ['json', isPlainJson],
    ['json', isJsonMedia],
    ['form', (type) => /^application\/x-www-form-urlencoded\b/i.test(type)],
    ['multipart', (type) => /^multipart\/(form-data|\*)/i.test(type)],
    ['json', (type) => /^(\*\/\*|application\/\*)/.test(type)],
    ['text', (type) => /^text\/|[/+](xml|yaml|x-yaml|x-ndjson|graphql)\b/i.test(type)],
    ['binary', (type) => !/^multipart\//i.test(type)],
  ];
  for (const [kind, fits] of kinds) {
    const found = media.find(([type]) => fits(type));
    if (found !== undefined) return { kind, type: found[0], value: objectOf(found[1]) };
  }
  const [first] = media;
  if (first === undefined) return null;
  throw new OperationFault(
    `its request body is ${firstChars(first[0], 100)}, which can not be sent.`,
  );
}

/** With its parameters. `application/json-patch+json` is another type. */
const isPlainJson = (type: string): boolean => /^application\/json\s*(?:;|$)/i.test(type);

const isJsonMedia = (type: string): boolean =>
  /^(application|text)\/(.+\+)?json\s*(?:;|$)/i.test(type);

function bodySchema(
  convert: SchemaConverter,
  kind: BodyKind,
  type: string,
  schema: Json,
): JsonObject {
  if (kind === 'binary') return SENT_FILE;
  if (kind !== 'text') return convert(schema);
  const isText = isJsonObject(schema) && schema['type'] === 'string';
  return isText ? convert(schema) : { type: 'string', description: `The body as ${type}.` };
}

/** The fields of a form that the document encodes in a way of their own. */
const formStyles = (document: JsonObject, encoding: JsonObject): ParameterStyle[] =>
  Object.entries(encoding).flatMap(([name, item]): ParameterStyle[] => {
    const { style, explode, allowReserved, contentType } = resolve(document, item);
    const known = PARAMETER_STYLES.find((one) => one === style);
    if (style !== undefined && known === undefined)
      throw new OperationFault(`its form field ${name} has an unknown style.`);
    if (typeof contentType === 'string' && isJsonMedia(contentType) && style === undefined)
      return [{ in: 'form', name, style: 'json' }];
    if (style === undefined && explode === undefined && allowReserved !== true) return [];
    return [
      {
        in: 'form',
        name,
        ...(known === undefined ? {} : { style: known }),
        ...(typeof explode === 'boolean' ? { explode } : {}),
        ...(allowReserved === true ? { allowReserved } : {}),
      },
    ];
  });

/** The parts of multipart that are JSON, whatever their value is. */
const jsonParts = (document: JsonObject, encoding: JsonObject): ParameterStyle[] =>
  Object.entries(encoding).flatMap(([name, item]): ParameterStyle[] => {
    const { contentType } = resolve(document, item);
    const isJson =
      typeof contentType === 'string' && isJsonMedia(contentType) && !contentType.includes(',');
    return isJson ? [{ in: 'form', name, style: 'json' }] : [];
  });

/** A file that a rest_call got; `rest-answer.ts` makes it. */
const GOT_FILE: JsonObject = {
  type: 'object',
  required: ['type', 'uri', 'mediaType', 'size'],
  properties: {
    type: { enum: ['image', 'file'] },
    uri: { type: ['string', 'null'] },
    mediaType: { type: 'string' },
    size: { type: 'integer' },
    name: { type: 'string' },
  },
};

/** Any answer that the document lists as a success; `default` only where it lists none. */
function answerSchema(
  document: JsonObject,
  node: JsonObject,
  convert: SchemaConverter,
): JsonObject {
  const responses = objectOf(node['responses']);
  const successes = Object.keys(responses).filter((code) => /^2(\d\d|xx)$/i.test(code));
  const codes =
    successes.length > 0 ? successes : responses['default'] === undefined ? [] : ['default'];
  const schemas = new Map<string, JsonObject>();
  for (const code of codes) {
    const response = resolve(document, entryOf(responses, code));
    for (const schema of schemasOf(document, code, objectOf(response['content']), convert))
      schemas.set(canonicalJson(schema), schema);
  }
  const all = [...schemas.values()];
  const [first = {}] = all;
  if (all.length < 2) return first;
  // One that takes any value takes the others' values too. Null stays named, so that an answer
  // without a body is an output.
  if (all.some((schema) => Object.keys(schema).length === 0))
    return all.some((schema) => namesType(schema, 'null')) ? { anyOf: [{}, NOTHING] } : {};
  return { anyOf: all };
}

const NOTHING: JsonObject = { type: 'null' };
const GOT_TEXT: JsonObject = { type: ['string', 'null'] };

/** The value of each media type that the document lists, as the driver reads it. */
function schemasOf(
  document: JsonObject,
  code: string,
  content: JsonObject,
  convert: SchemaConverter,
): JsonObject[] {
  if (code === '204' || code === '205') return [NOTHING];
  const media = Object.entries(content).map(([name, value]) => {
    const type = readMediaType(name);
    const isJson = /^\*\/\*/.test(name) || (type !== null && isJsonType(type));
    return { type, isJson, schema: objectOf(value)['schema'] ?? {} };
  });
  // It says that there is no body. Some servers send one nevertheless.
  if (media.length === 0) return [{}, NOTHING];
  // The driver asks for JSON first.
  const json = media.filter(({ isJson }) => isJson);
  const others = media.filter(({ isJson }) => !isJson);
  return [...json, ...others].flatMap(({ type, isJson, schema }): JsonObject[] => {
    if (isJson) return [convert(schema)];
    const form = formOf(type);
    if (form === 'file') return [GOT_FILE];
    if (form === 'unknown') return json.length === 0 ? [{}] : [GOT_FILE, GOT_TEXT];
    // Servers of .NET list their JSON as text/plain too.
    const isText = type?.essence !== 'text/plain' || kindsOf(document, schema).has('plain');
    return [isText ? GOT_TEXT : convert(schema)];
  });
}

/** Servers of one operation are not called: the Tool's endpoint is. */
function serverNotes(document: JsonObject, { node, shared }: ListedOperation): string[] {
  const [own] = [node['servers'], shared['servers']].filter((servers) => Array.isArray(servers));
  const url = urlIn(own);
  if (url === null || url === urlIn(document['servers'])) return [];
  return [`The document names another server for it: ${firstChars(url, 200)}`];
}

const urlIn = (servers: Json | undefined): string | null =>
  Array.isArray(servers) ? textOf(objectOf(servers[0])['url']) : null;

/**
 * Returns a function that makes unique names for template variables: `X-Request-ID` becomes
 * X_Request_ID.
 */
function variableNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 80);
    const usable = variableNameFault(plain) === null ? plain : `p_${plain}`;
    let variable = usable;
    for (let count = 2; taken.has(variable); count++) variable = `${usable}_${count}`;
    taken.add(variable);
    return variable;
  };
}
