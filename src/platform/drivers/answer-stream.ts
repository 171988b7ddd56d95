import { parseJson } from '../../common/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';

/**
 * The answer of an OpenAI-compatible server as the SDK reads it: an event stream of chunks. Servers
 * differ from OpenAI's in ways that lose answers; this is the one place that evens them out.
 *
 * - One JSON value instead of a stream becomes a stream of one chunk.
 * - An error inside a 200 gets the status that it names, else 502, and keeps its words.
 * - `[DONE]` ends an answer whole where no chunk named a finish reason.
 * - Arguments of a tool that are an object become text.
 * - A page of HTML, or anything else that is no completion, is a failure that shows its beginning.
 */
export async function evenAnswer(response: Response): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  const reader = response.body.getReader();
  const first = await firstBytes(reader);
  const isStream =
    /event-stream/i.test(response.headers.get('content-type') ?? '') ||
    /^\s*(?:data|event|id|retry)?:/.test(first.text);
  if (isStream && !/^\s*[{[<]/.test(first.text))
    return eventStream(response, restOf(reader, first.bytes).pipeThrough(evenEvents()));
  const body = await textOf(restOf(reader, first.bytes));
  return wholeAnswer(response, body);
}

/** Enough bytes to tell a stream of events from a whole answer. */
async function firstBytes(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>) {
  const bytes: Uint8Array<ArrayBuffer>[] = [];
  let text = '';
  const decoder = new TextDecoder();
  while (text.trimStart().length < FIRST_CHARS) {
    const { value, done } = await reader.read();
    if (done) break;
    bytes.push(value);
    text += decoder.decode(value, { stream: true });
  }
  return { bytes, text };
}

const FIRST_CHARS = 6;

function restOf(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  first: readonly Uint8Array<ArrayBuffer>[],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const waiting = [...first];
  return new ReadableStream({
    async pull(controller) {
      const held = waiting.shift();
      if (held !== undefined) return controller.enqueue(held);
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function textOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return new Response(stream).text();
}

function eventStream(response: Response, body: ReadableStream<Uint8Array<ArrayBuffer>>): Response {
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/event-stream');
  headers.delete('content-length');
  return new Response(body, { status: response.status, headers });
}

function wholeAnswer(response: Response, body: string): Response {
  // A proxy may end one JSON value as it ends a stream.
  const value = parsed(body.replace(/\s*data:\s*\[DONE\]\s*$/, ''));
  if (value !== undefined) {
    const error = errorOf(value);
    if (error !== null) return failure(response, error);
    const chunk = isJsonObject(value) && isJsonList(value['choices']) ? evenChunk(value) : null;
    if (chunk !== null) {
      const lines = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
      const stream = new Response(lines).body?.pipeThrough(evenEvents());
      if (stream) return eventStream(response, stream);
    }
  }
  const type = response.headers.get('content-type') ?? 'no content type';
  const begin = body.replace(/\s+/g, ' ').trim();
  const message = begin === '' ? 'an empty answer' : `no completion (${type}): ${begin}`;
  return failure(response, { message, status: 502 });
}

interface ServerError {
  readonly message: string;
  /** 400 to 599. */
  readonly status: number;
}

function failure(response: Response, { message, status }: ServerError): Response {
  const headers = new Headers({ 'content-type': 'application/json' });
  const retryAfter = response.headers.get('retry-after');
  if (retryAfter !== null) headers.set('retry-after', retryAfter);
  return new Response(JSON.stringify({ error: { message } }), { status, headers });
}

/** Kinds of errors that the same request meets again. */
const FINAL =
  /invalid_request|bad_?request|context_length|authentication|invalid_api_key|permission|not_found|content_(policy|filter)|unsupported/i;
const TOO_MANY = /rate_?limit|too_many|quota/i;

/** The error that an answer or a chunk is; null where it is none. */
export function errorOf(value: Json): ServerError | null {
  if (!isJsonObject(value)) return null;
  const { error, choices } = value;
  if (error === undefined || error === null || error === false) {
    // Errors of vLLM, FastAPI and proxies without an `error`; a chunk always has choices.
    if (choices !== undefined || value['usage'] !== undefined) return null;
    const isError = value['object'] === 'error' || value['type'] === 'error';
    const words = value['message'] ?? value['detail'] ?? value['msg'];
    if (!isError && typeof words !== 'string') return null;
    return { message: wordsOf(words ?? value), status: statusOf(value) };
  }
  return { message: wordsOf(error), status: statusOf(isJsonObject(error) ? error : value) };
}

function wordsOf(error: Json): string {
  if (typeof error === 'string') return error;
  if (!isJsonObject(error)) return JSON.stringify(error);
  const words = error['message'] ?? error['detail'] ?? error['error'];
  return typeof words === 'string' && words !== '' ? words : JSON.stringify(error);
}

function statusOf(error: JsonObject): number {
  for (const name of ['status', 'code', 'status_code', 'http_code']) {
    const status = Number(error[name] ?? Number.NaN);
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  }
  const kind = `${error['type'] ?? ''} ${error['code'] ?? ''}`;
  if (TOO_MANY.test(kind)) return 429;
  return FINAL.test(kind) ? 400 : 502;
}

/** Evens out each `data:` line of a stream of events. */
function evenEvents(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = '';
  let isFinished = false;
  let hasSaid = false;
  let hasCalls = false;

  function evenLine(line: string): string {
    const [, data] = /^data:\s?(.*?)\r?$/s.exec(line) ?? [];
    if (data === undefined) return line;
    if (data.trim() === '[DONE]') {
      if (isFinished || !hasSaid) return line;
      isFinished = true;
      return `data: ${finishChunk(hasCalls)}\n\n${line}`;
    }
    const value = parsed(data);
    if (!isJsonObject(value)) return line;
    const error = errorOf(value);
    if (error !== null) {
      isFinished = true;
      const { message, status: code } = error;
      return `data: ${JSON.stringify({ error: { message, code } })}`;
    }
    const chunk = evenChunk(value);
    for (const choice of Array.isArray(chunk['choices']) ? chunk['choices'] : []) {
      if (!isJsonObject(choice)) continue;
      const delta = isJsonObject(choice['delta']) ? choice['delta'] : {};
      if (Array.isArray(delta['tool_calls']) && delta['tool_calls'].length > 0) hasCalls = true;
      hasSaid ||= Object.entries(delta).some(([name, one]) => name !== 'role' && one !== null);
      if (choice['finish_reason'] != null) isFinished = true;
      // Routers send this reason where the provider behind them failed, without words.
      if (choice['finish_reason'] === 'error') return `data: ${WORDLESS}`;
    }
    return chunk === value ? line : `data: ${JSON.stringify(chunk)}`;
  }

  return new TransformStream({
    transform(bytes, controller) {
      const lines = (held + decoder.decode(bytes, { stream: true })).split('\n');
      held = lines.pop() ?? '';
      if (lines.length > 0)
        controller.enqueue(encoder.encode(`${lines.map(evenLine).join('\n')}\n`));
    },
    flush(controller) {
      held += decoder.decode();
      // A stream may end without the empty line after its last event.
      if (held !== '') controller.enqueue(encoder.encode(`${evenLine(held)}\n\n`));
      else controller.enqueue(encoder.encode('\n'));
    },
  });
}

const WORDLESS = JSON.stringify({
  error: { message: 'the provider ended its answer with an error', code: 502 },
});

function isJsonList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}

function finishChunk(hasCalls: boolean): string {
  return JSON.stringify({
    choices: [{ index: 0, delta: {}, finish_reason: hasCalls ? 'tool_calls' : 'stop' }],
  });
}

/** The chunk with choices, `delta` for `message`, no empty finish reason, and arguments as text. */
function evenChunk(chunk: JsonObject): JsonObject {
  const { choices = null } = chunk;
  if (choices === null) return { ...chunk, choices: [] };
  if (!Array.isArray(choices)) return chunk;
  const even = choices.map((choice) => (isJsonObject(choice) ? evenChoice(choice) : choice));
  return even.every((choice, index) => choice === choices[index])
    ? chunk
    : { ...chunk, choices: even };
}

function evenChoice(choice: JsonObject): JsonObject {
  let even = choice;
  if (choice['finish_reason'] === '') even = { ...even, finish_reason: null };
  const { delta = null, message = null } = choice;
  const isWhole = !isJsonObject(delta) && isJsonObject(message);
  const said = isWhole ? message : delta;
  if (!isJsonObject(said)) return even;
  const { tool_calls: given } = said;
  // One call may come without its list, and none as an empty object.
  const calls = isJsonObject(given) ? [given].filter((call) => 'function' in call) : given;
  const evenCalls = Array.isArray(calls)
    ? calls.map((call, index) => (isJsonObject(call) ? evenCall(call, index, isWhole) : call))
    : null;
  const isEven = Array.isArray(given)
    ? evenCalls?.every((call, index) => call === given[index]) === true
    : evenCalls === null;
  if (isEven && !isWhole) return even;
  return { ...even, delta: { ...said, ...(evenCalls === null ? {} : { tool_calls: evenCalls }) } };
}

function evenCall(call: JsonObject, index: number, isWhole: boolean): JsonObject {
  const called = call['function'];
  if (!isJsonObject(called)) return call;
  const given = called['arguments'];
  const isText = given === undefined || given === null || typeof given === 'string';
  if (isText && !isWhole) return call;
  const text = isText ? (given ?? '') : JSON.stringify(given);
  return {
    ...call,
    ...(isWhole && call['index'] === undefined ? { index } : {}),
    function: { ...called, arguments: text },
  };
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
