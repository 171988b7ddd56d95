import { isJsonObject, type JsonObject } from '../../common/json.ts';
import { firstChars } from '../../common/well-formed.ts';
import { evenChunk } from './answer-chunk.ts';
import { errorOf, errorWords, parsed, type ServerError } from './answer-error.ts';
import { AnthropicEvents } from './anthropic-events.ts';
import { TextLines } from './text-lines.ts';

/**
 * The answer of an OpenAI-compatible server as the SDK reads it: an event stream of chunks. Servers
 * differ from OpenAI's in ways that lose answers; this is the one place that evens them out.
 *
 * - One JSON value instead of a stream becomes a stream of one chunk.
 * - An error inside a 200 gets the status that it names, else 502, and keeps its words.
 * - An error of any form keeps its words.
 * - `[DONE]` ends an answer whole where no chunk named a finish reason, also where the server keeps
 *   the connection open. An answer that has ended stays whole where its connection breaks.
 * - Chunks have only the fields that the SDK reads (answer-chunk.ts).
 * - Events that are no JSON object are left out.
 * - A page of HTML, or anything else that is no completion, is a failure that shows its beginning.
 *
 * @param onThought called with each piece of `reasoning_content`, which servers that use this field
 *   want back with the calls that follow
 */
export async function evenAnswer(
  response: Response,
  onThought: (piece: string) => void,
): Promise<Response> {
  return even(response, new EvenEvents(onThought));
}

/** As evenAnswer, for a server with Anthropic's API. */
export async function evenAnthropicAnswer(response: Response): Promise<Response> {
  return even(response, new AnthropicEvents());
}

async function even(response: Response, events: EvenEvents | AnthropicEvents): Promise<Response> {
  if (response.body === null) return response;
  if (!response.ok) return refused(response);
  const reader = response.body.getReader();
  const first = await firstBytes(reader);
  const isStream =
    /event-stream/i.test(response.headers.get('content-type') ?? '') ||
    /^(?:data|event|id|retry)?:/.test(first.text);
  if (isStream && !/^[{[<]/.test(first.text))
    return eventStream(response, evenStream(reader, first.bytes, events));
  return wholeAnswer(response, await textOf(reader, first.bytes), events);
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** The SDK keeps the words of errors in OpenAI's form only. */
async function refused(response: Response): Promise<Response> {
  const message = errorWords(await response.text());
  return message === ''
    ? new Response(null, response)
    : failure(response, { message, status: response.status });
}

/** Enough bytes to tell a stream of events from a whole answer. The text begins without blanks. */
async function firstBytes(reader: Reader) {
  const bytes: Uint8Array<ArrayBuffer>[] = [];
  let text = '';
  const decoder = new TextDecoder();
  while (text.length < FIRST_CHARS) {
    const { value, done } = await reader.read();
    if (done) break;
    bytes.push(value);
    text = (text + decoder.decode(value, { stream: true })).trimStart();
  }
  return { bytes, text };
}

const FIRST_CHARS = 6;

async function textOf(reader: Reader, first: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  const bytes = [...first];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Response(new Blob(bytes)).text();
    bytes.push(value);
  }
}

function eventStream(response: Response, body: BodyInit): Response {
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/event-stream');
  headers.delete('content-length');
  return new Response(body, { status: response.status, headers });
}

function wholeAnswer(
  response: Response,
  body: string,
  events: EvenEvents | AnthropicEvents,
): Response {
  // A proxy may end one JSON value as it ends a stream.
  const value = parsed(withoutEnd(withoutEnd(body, '[DONE]'), 'data:'));
  if (value !== undefined) {
    const error = errorOf(value);
    if (error !== null) return failure(response, error);
    const whole = isJsonObject(value) ? events.whole(value) : null;
    if (whole !== null) return eventStream(response, whole);
  }
  const type = response.headers.get('content-type') ?? 'no content type';
  const begin = firstChars(body.trimStart(), SHOWN_CHARS_MAX).replace(/\s+/g, ' ').trim();
  const message = begin === '' ? 'an empty answer' : `no completion (${type}): ${begin}`;
  return failure(response, { message, status: 502 });
}

const SHOWN_CHARS_MAX = 4_000;

// An expression for the blanks at the end takes quadratic time.
function withoutEnd(text: string, end: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(end) ? trimmed.slice(0, -end.length) : trimmed;
}

function failure(response: Response, { message, status }: ServerError): Response {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of ['retry-after', 'retry-after-ms']) {
    const given = response.headers.get(name);
    if (given !== null) headers.set(name, given);
  }
  // Both APIs read this form; Anthropic's asks for the types.
  const error = { type: 'api_error', message };
  return new Response(JSON.stringify({ type: 'error', error }), { status, headers });
}

function evenStream(
  reader: Reader,
  first: readonly Uint8Array<ArrayBuffer>[],
  events: EvenEvents | AnthropicEvents,
): ReadableStream {
  const waiting = [...first];
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();

  /** The next events; null at the end. */
  async function next(): Promise<string | null> {
    const held = waiting.shift();
    if (held !== undefined) return events.push(decoder.decode(held, { stream: true }));
    if (events.isDone) return null;
    try {
      const { value, done } = await reader.read();
      return done ? null : events.push(decoder.decode(value, { stream: true }));
    } catch (error) {
      if (events.isFinished) return null;
      throw error;
    }
  }

  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const lines = await next();
        if (lines === null) {
          controller.enqueue(encoder.encode(events.end(decoder.decode())));
          controller.close();
          if (events.isDone) void release(reader);
          return;
        }
        if (lines !== '') return controller.enqueue(encoder.encode(lines));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const RELEASE_MS = 1_000;

/** Reads to the end, so that the connection is used again; a server that stays open is left. */
async function release(reader: Reader): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), RELEASE_MS);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is whole: nobody needs to hear of it.
  } finally {
    clearTimeout(timer);
  }
}

/** Evens out the `data:` lines of a stream of events, however it is cut into pieces. */
class EvenEvents {
  readonly #lines = new TextLines();
  /** Lines of data that are no JSON value alone. */
  #data: string[] = [];
  readonly #calls = new Map<number, SeenCall>();
  readonly #onThought: (piece: string) => void;
  #hasSaid = false;
  #hasCalls = false;
  /** A chunk named why the answer ends, or that it failed. */
  isFinished = false;
  /** The server said `[DONE]`. */
  isDone = false;

  constructor(onThought: (piece: string) => void) {
    this.#onThought = onThought;
  }

  push(text: string): string {
    const lines = this.#lines.push(text);
    return lines.map((line) => this.#line(line)).join('');
  }

  /** The events of one JSON value instead of a stream; null where it is no completion. */
  whole(value: JsonObject): string | null {
    const { choices } = value;
    if (!Array.isArray(choices) || choices.length === 0) return null;
    return this.push(`data: ${JSON.stringify(value)}\ndata: [DONE]\n`);
  }

  /** A stream may end without the empty line after its last event. */
  end(text: string): string {
    return `${this.push(`${text}\n`)}${this.#line('')}\n`;
  }

  #line(line: string): string {
    if (line.trim() === '[DONE]') return this.#done();
    const [, data] = /^data:\s?(.*)$/s.exec(line) ?? [];
    if (data === undefined) return line === '' ? this.#event() : '';
    if (this.#data.length === 0) {
      // An event of one line ends here: some servers leave out the empty line behind it.
      if (data.trim() === '[DONE]') return this.#done();
      const value = parsed(data);
      if (isJsonObject(value)) return this.#chunk(value);
    }
    this.#data.push(data);
    return '';
  }

  #event(): string {
    const lines = this.#data;
    this.#data = [];
    const joined = lines.join('\n');
    const value = parsed(joined);
    if (isJsonObject(value)) return this.#chunk(value);
    if (value !== undefined) {
      const error = errorOf(value);
      return error === null ? '' : this.#failed(error);
    }
    if (lines.length > 1)
      return lines.map((line) => this.#line(`data: ${line}`) + this.#event()).join('');
    // Broken JSON is a failure of the answer; any other text is a sign of life.
    return /^\s*\{/.test(joined) ? `data: ${joined}\n\n` : '';
  }

  #done(): string {
    this.isDone = true;
    const reason = this.#hasCalls ? 'tool_calls' : 'stop';
    const end = { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
    const isWhole = this.isFinished || !this.#hasSaid;
    this.isFinished = true;
    return `${isWhole ? '' : `data: ${JSON.stringify(end)}\n\n`}data: [DONE]\n\n`;
  }

  #chunk(value: JsonObject): string {
    const error = errorOf(value);
    if (error !== null) return this.#failed(error);
    const chunk = evenChunk(value);
    for (const choice of chunk['choices'] as JsonObject[]) {
      const delta = choice['delta'] as JsonObject;
      const thought = delta['reasoning_content'];
      if (typeof thought === 'string') this.#onThought(thought);
      const given = (delta['tool_calls'] ?? []) as JsonObject[];
      const calls = given.filter((call) => !this.#repeats(call));
      if (calls.length > 0) delta['tool_calls'] = calls;
      else delete delta['tool_calls'];
      this.#hasCalls ||= calls.length > 0;
      this.#hasSaid ||= Object.keys(delta).length > 0;
      if (choice['finish_reason'] !== null) this.isFinished = true;
      // Routers send this reason where the provider behind them failed, without words.
      if (choice['finish_reason'] === 'error') return this.#failed(WORDLESS);
    }
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }

  #failed({ message, status: code }: ServerError): string {
    this.isFinished = true;
    return `data: ${JSON.stringify({ error: { message, code } })}\n\n`;
  }

  /**
   * Whether this is the whole call once more, as LiteLLM sends it behind its pieces. The SDK would
   * take it for a second call.
   */
  #repeats(call: JsonObject): boolean {
    const { index, id } = call;
    const { name, arguments: given } = call['function'] as JsonObject;
    if (typeof index !== 'number') return false;
    const text = typeof given === 'string' ? given : '';
    const seen = this.#calls.get(index);
    const isSame = seen !== undefined && (id === undefined || id === '' || id === seen.id);
    if (isSame && seen.id !== null && id === seen.id && name === seen.name && seen.pieces > 1) {
      // A longer text alone can be all pieces: a comparison for each piece takes quadratic time.
      const isLong = text.length >= seen.text.length;
      if (isLong && (text === seen.text || text === JSON.stringify(seen.text))) return true;
    }
    this.#calls.set(index, {
      id: isSame ? seen.id : typeof id === 'string' ? id : null,
      name: isSame ? seen.name : typeof name === 'string' ? name : null,
      text: isSame ? seen.text + text : text,
      pieces: (isSame ? seen.pieces : 0) + (text === '' ? 0 : 1),
    });
    return false;
  }
}

interface SeenCall {
  readonly id: string | null;
  readonly name: string | null;
  /** The arguments so far. */
  readonly text: string;
  /** Pieces of the arguments. */
  readonly pieces: number;
}

const WORDLESS: ServerError = {
  message: 'the provider ended its answer with an error',
  status: 502,
};
