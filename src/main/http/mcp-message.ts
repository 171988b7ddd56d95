import {
  ClientCapabilitiesSchema,
  ErrorCode,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { entryOf } from '../../common/entry-of.ts';
import { isBigWholeNumber, parseJson, sentNumber } from '../../common/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { wellFormedJsonText } from '../../common/well-formed.ts';

// Messages of MCP clients. The SDK refuses a message for one field of null, and says of most
// others only that they are no message.

/** Why a message cannot be read; `id` is the request's, null where it has none that is valid. */
export class McpRefused extends Error {
  override readonly name = 'McpRefused';
  readonly code: number;
  readonly id: Json;
  constructor(code: number, message: string, id: Json = null) {
    super(message);
    this.code = code;
    this.id = id;
  }
}

export interface ClientMessage {
  readonly message: JSONRPCMessage;
  /** The method of a request or a notification; null for an answer. */
  readonly method: string | null;
  /** The id of a request as the client reads it back, with all its digits; null: no request. */
  readonly id: Json;
  /** The token of its progress, likewise. */
  readonly progressToken: Json;
}

/**
 * Reads the body of a POST. Null in place of a field is taken as an absent field, because clients
 * in several languages write it so.
 * @throws McpRefused that names what is wrong
 */
export function readClientMessage(text: string): ClientMessage {
  const value = jsonOf(text);
  if (Array.isArray(value)) throw invalid(NO_BATCH);
  if (!isJsonObject(value)) throw invalid('The body has to be one JSON object.');
  const { jsonrpc, method = null } = value;
  if (jsonrpc !== '2.0') throw invalid('The field jsonrpc has to be "2.0".');
  if (method === null) return readAnswer(value);
  if (typeof method !== 'string') throw invalid('The field method has to be a text.');
  const id = readId(value);
  if (id === null && method === 'initialize')
    throw invalid('initialize is a request: give it an id.');
  const original: Json = id === null ? null : JSON.parse(text);
  const exactId = exactly(id, valueAt(original, 'id'));
  const params = readParams(method, value['params'] ?? null, exactId);
  const token = valueAt(value, 'params', '_meta', 'progressToken');
  const message = { jsonrpc: '2.0' as const, method, params };
  return {
    message: (id === null ? message : { ...message, id }) as JSONRPCMessage,
    method,
    id: exactId,
    progressToken: exactly(
      isId(token) ? token : null,
      valueAt(original, 'params', '_meta', 'progressToken'),
    ),
  };
}

function jsonOf(text: string): Json {
  try {
    return parseJson(wellFormedJsonText(text));
  } catch {
    throw new McpRefused(ErrorCode.ParseError, 'The body is not JSON in UTF-8.');
  }
}

const NO_BATCH =
  'Send each message in a request of its own: batches left MCP with its version 2025-06-18.';

const invalid = (message: string): McpRefused => new McpRefused(ErrorCode.InvalidRequest, message);

/** The answer to a request of ours. */
function readAnswer({ id = null, result = null, error = null }: JsonObject): ClientMessage {
  if (!isId(id) || (result === null && error === null))
    throw invalid('A message has a method, or the id and the result or error of a request.');
  const outcome = error === null ? { result } : { error };
  return {
    message: { jsonrpc: '2.0', id, ...outcome } as JSONRPCMessage,
    method: null,
    id: null,
    progressToken: null,
  };
}

/** The id of a request; null for a notification, which has none. */
function readId(value: JsonObject): string | number | null {
  if (value['id'] === undefined) return null;
  const id = value['id'];
  if (isId(id)) return id;
  throw invalid(
    'The id of a request has to be a text or a whole number. A notification has no field id.',
  );
}

const isId = (id: Json): id is string | number => typeof id === 'string' || Number.isInteger(id);

/** A whole number beyond 2^53, which `parseJson` keeps as text, as the number that it was. */
function exactly(value: Json, original: Json): Json {
  const isBig = typeof value === 'string' && isBigWholeNumber(value);
  return isBig && typeof original === 'number' ? sentNumber(value) : value;
}

function valueAt(value: Json, ...path: readonly string[]): Json {
  return path.reduce<Json>(
    (inner, key) => (isJsonObject(inner) ? (entryOf(inner, key) ?? null) : null),
    value,
  );
}

type Wanted = 'text' | 'text or nothing' | 'object or nothing';

/** The fields that each method of ours reads. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Wanted>>>> = {
  'tools/list': { cursor: 'text or nothing' },
  'tools/call': { name: 'text', arguments: 'object or nothing' },
  'resources/list': { cursor: 'text or nothing' },
  'resources/templates/list': { cursor: 'text or nothing' },
  'resources/read': { uri: 'text' },
  initialize: { protocolVersion: 'text' },
};

const SAID: Readonly<Record<Wanted, string>> = {
  text: 'has to be a text',
  'text or nothing': 'has to be a text, or absent',
  'object or nothing': 'has to be a JSON object, or absent',
};

function readParams(method: string, given: Json, id: Json): JsonObject {
  const refused = (message: string) => new McpRefused(ErrorCode.InvalidParams, message, id);
  if (given !== null && !isJsonObject(given))
    throw refused(`The params of ${method} have to be a JSON object.`);
  const fields = entryOf(FIELDS, method) ?? {};
  const params = withoutNull(given ?? {}, [...Object.keys(fields), '_meta', 'task']);
  for (const [name, wanted] of Object.entries(fields)) {
    const value = entryOf(params, name);
    const isFit =
      value === undefined
        ? wanted !== 'text'
        : wanted === 'object or nothing'
          ? isJsonObject(value)
          : typeof value === 'string';
    if (!isFit) throw refused(`params.${name} of ${method} ${SAID[wanted]}.`);
  }
  const { _meta = null, ...rest } = params;
  const read = method === 'initialize' ? withClient(rest) : rest;
  return isJsonObject(_meta) ? { ...read, _meta: readMeta(_meta) } : read;
}

const withoutNull = (given: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || !names.includes(name)),
  );

/** The SDK takes no number beyond 2^53; the transport gives the client its own token back. */
function readMeta({
  progressToken = null,
  [RELATED_TASK]: _none,
  ...rest
}: JsonObject): JsonObject {
  return isId(progressToken) ? { ...rest, progressToken: String(progressToken) } : rest;
}

/** We have no tasks, and the SDK reads no message that has one of null. */
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** No call depends on what a client says of itself, so it may say less than the protocol wants. */
function withClient({ capabilities, clientInfo, ...rest }: JsonObject): JsonObject {
  const { name, version } = isJsonObject(clientInfo ?? null) ? (clientInfo as JsonObject) : {};
  const given = isJsonObject(capabilities ?? null) ? (capabilities as JsonObject) : {};
  const known = Object.entries(given).filter(
    ([key, value]) => ClientCapabilitiesSchema.safeParse({ [key]: value }).success,
  );
  return {
    ...rest,
    capabilities: Object.fromEntries(known),
    clientInfo: {
      name: typeof name === 'string' ? name : 'unknown',
      version: typeof version === 'string' ? version : '0',
    },
  };
}
