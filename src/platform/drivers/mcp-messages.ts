import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { parseJson } from '../../common/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { wellFormedJson } from '../../common/well-formed.ts';

// The SDK drops a message that differs from its schemas by one field, and then waits for ever. The
// messages of a server pass through here first.

export type RequestId = string | number;

/**
 * A parsed message as the SDK reads it; null for a value that is no message. Texts are well formed.
 * Servers of others send `error: null` beside a result, `id: null` beside an error, and results
 * that are no objects. Others put a word into the id of an error. `_meta` is left out, because
 * Aiden does not use it.
 * @param requestId the request that an answer without a valid id belongs to; null: none
 */
export function messageOf(value: unknown, requestId: RequestId | null): JSONRPCMessage | null {
  if (!isJsonObject(value)) return null;
  const { jsonrpc, id, method, params, result, error } = wellFormedJson(value) as JsonObject;
  // A server that logs to its output may log objects with a method or an error.
  const isMarked = jsonrpc === '2.0';
  if (typeof method === 'string') {
    if (!isMarked) return null;
    const given = isJsonObject(params) ? { params: withoutMeta(params) } : {};
    return isId(id)
      ? { jsonrpc: '2.0', id, method, ...given }
      : { jsonrpc: '2.0', method, ...given };
  }
  const isOwn = isId(id) && (requestId === null || !Number.isNaN(Number(id)));
  const answered = isOwn ? id : isMarked ? requestId : null;
  if (answered === null) return null;
  if (error !== undefined && error !== null)
    return { jsonrpc: '2.0', id: answered, error: errorOf(error) };
  if (result === undefined) return null;
  if (Number(answered) === INITIALIZE_ID) return opening(result, answered);
  const shown = isJsonObject(result) ? withoutMeta(result) : { toolResult: result };
  return { jsonrpc: '2.0', id: answered, result: shown };
}

/**
 * The message in a text; of a batch, its answer.
 * @throws SyntaxError when the text is no JSON
 */
export function readMessage(text: string, requestId: RequestId | null): JSONRPCMessage | null {
  const value = parseJson(text);
  const values = Array.isArray(value) ? value : [value];
  const messages = values.flatMap((one) => messageOf(one, requestId) ?? []);
  return messages.find((message) => !('method' in message)) ?? messages[0] ?? null;
}

/** Whether a text that is no JSON was meant as an answer, such as one with NaN. */
export const isBrokenAnswer = (text: string): boolean =>
  /\{\s*"(?:jsonrpc|id|result|error)"\s*:/.test(text) &&
  /"jsonrpc"/.test(text) &&
  /"(?:result|error)"/.test(text) &&
  !/"method"/.test(text);

export const BROKEN_ANSWER =
  'The MCP server sent an answer that is no JSON. Its author has to mend it: NaN, Infinity and ' +
  'bare line breaks are no JSON.';

/** Whether the message ends the wait for the request. The SDK reads ids as numbers. */
export function answers(message: JSONRPCMessage | null, requestId: RequestId): boolean {
  if (message === null || 'method' in message) return false;
  return Number(message.id) === Number(requestId);
}

/** The first request of the SDK's client is `initialize`. */
const INITIALIZE_ID = 0;

/** The first answer. The capabilities and the name of a server decide about no call. */
function opening(result: Json, id: RequestId): JSONRPCMessage {
  const { protocolVersion = null } = isJsonObject(result) ? result : {};
  if (typeof protocolVersion !== 'string')
    return { jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message: NO_VERSION } };
  const rest = { capabilities: {}, serverInfo: { name: 'server', version: '0' } };
  return { jsonrpc: '2.0', id, result: { protocolVersion, ...rest } };
}

const INVALID_REQUEST = -32_600;
const NO_VERSION =
  'The answer of the MCP server to initialize has no protocolVersion, such as "2025-06-18". Its ' +
  'author has to add one.';

function errorOf(error: Json): { code: number; message: string; data?: Json } {
  if (!isJsonObject(error)) return { code: UNKNOWN_ERROR, message: asText(error) };
  const { code, message, data } = error;
  return {
    code: Number.isSafeInteger(code) ? Number(code) : UNKNOWN_ERROR,
    message: typeof message === 'string' ? message : asText(message ?? error),
    ...(data === undefined ? {} : { data }),
  };
}

const UNKNOWN_ERROR = -32_000;

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

const withoutMeta = ({ _meta: _left, ...rest }: JsonObject): JsonObject => rest;

const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

/**
 * Reads an event stream and writes the same events with the messages as the SDK reads them. An
 * event that is no message keeps its id, so that the stream can be resumed after it.
 * @param read gives the message of an event's data; null: the data is emptied
 * @param onEnd called when the stream has ended; `isResumable`: one of its events had an id
 * @param onId called for each id of an event
 */
export function rewrittenEvents(
  read: (data: string) => JSONRPCMessage | null,
  onEnd: (isResumable: boolean) => void,
  onId: () => void = () => {},
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let pieces: string[] = [];
  let lines: string[] = [];
  let isResumable = false;
  type Controller = TransformStreamDefaultController<Uint8Array>;

  const finish = (controller: Controller) => {
    if (lines.length > 0) controller.enqueue(encoder.encode(`${rewritten(lines, read)}\n\n`));
    lines = [];
  };
  const take = (line: string, controller: Controller) => {
    if (line === '') finish(controller);
    else if (!line.startsWith(':')) lines.push(line);
    if (!line.startsWith('id:')) return;
    isResumable = true;
    onId();
  };
  return new TransformStream({
    transform(chunk, controller) {
      const text = decoder.decode(chunk, { stream: true });
      pieces.push(text);
      if (!/[\r\n]/.test(text)) return;
      const all = pieces.join('');
      // A line break at the end may be the first half of \r\n.
      const open = all.endsWith('\r') ? all.length - 1 : all.length;
      const parts = all.slice(0, open).split(/\r\n|\r|\n/);
      pieces = [`${parts.pop() ?? ''}${all.slice(open)}`];
      for (const line of parts) take(line, controller);
    },
    flush(controller) {
      // Some servers end their stream without the empty line that ends an event.
      for (const line of `${pieces.join('')}${decoder.decode()}`.split(/\r\n|\r|\n/))
        take(line, controller);
      finish(controller);
      onEnd(isResumable);
    },
  });
}

function rewritten(
  lines: readonly string[],
  read: (data: string) => JSONRPCMessage | null,
): string {
  const field = (line: string) => (line.includes(':') ? line.slice(0, line.indexOf(':')) : line);
  const value = (line: string) => line.slice(field(line).length + 1).replace(/^ /, '');
  const kind = lines.findLast((line) => field(line) === 'event');
  const isMessage = kind === undefined || ['', 'message'].includes(value(kind));
  const data = lines.filter((line) => field(line) === 'data');
  if (!isMessage || data.length === 0) return lines.join('\n');
  const message = read(data.map(value).join('\n'));
  const rest = lines.filter((line) => field(line) !== 'data');
  // The SDK takes the id of an event with an empty data field, and of none without the field.
  return [...rest, `data: ${message === null ? '' : JSON.stringify(message)}`].join('\n');
}
