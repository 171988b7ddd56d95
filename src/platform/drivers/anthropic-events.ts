import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { errorOf, parsed, type ServerError } from './answer-error.ts';
import { TextLines } from './text-lines.ts';

/** Events of an answer over Anthropic's API. The SDK fails the answer at any other. */
const EVENTS: ReadonlySet<Json | undefined> = new Set([
  ...['message_start', 'message_delta', 'message_stop', 'error', 'ping'],
  ...['content_block_start', 'content_block_delta', 'content_block_stop'],
]);

/** Evens out the events of servers with Anthropic's API, however they are cut into pieces. */
export class AnthropicEvents {
  readonly #lines = new TextLines();
  /** A message_delta named why the answer ends. */
  isFinished = false;
  /** The server said `message_stop`. */
  isDone = false;

  push(text: string): string {
    const lines = this.#lines.push(text);
    return lines.map((line) => this.#line(line)).join('');
  }

  /** The events of a whole message instead of a stream; null where it is no message. */
  whole(message: JsonObject): string | null {
    const { content, stop_reason: given, usage = null } = message;
    if (!Array.isArray(content)) return null;
    const stop_reason = typeof given === 'string' ? given : 'end_turn';
    const events: JsonObject[] = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      ...content.filter(isJsonObject).flatMap(blockEvents),
      { type: 'message_delta', delta: { stop_reason }, usage },
      { type: 'message_stop' },
    ];
    return this.push(events.map((event) => `data: ${JSON.stringify(event)}\n`).join(''));
  }

  end(text: string): string {
    const last = this.push(`${text}\n`);
    const isCut = this.isFinished && !this.isDone;
    return isCut ? `${last}data: {"type":"message_stop"}\n\n` : last;
  }

  #line(line: string): string {
    const [, data] = /^data:\s?(.*)$/s.exec(line) ?? [];
    if (data === undefined) return '';
    const value = parsed(data);
    const error = errorIn(value ?? null);
    if (error !== null) return this.#failed(error);
    // Broken JSON is a failure of the answer; any other text is a sign of life.
    if (!isJsonObject(value)) return /^\s*\{/.test(data) ? `data: ${data}\n\n` : '';
    if (!EVENTS.has(value['type'])) return '';
    const { delta } = value;
    if (isJsonObject(delta) && typeof delta['stop_reason'] === 'string') this.isFinished = true;
    if (value['type'] === 'message_stop') this.isDone = true;
    return `data: ${JSON.stringify(withUsage(value))}\n\n`;
  }

  #failed({ message, status }: ServerError): string {
    this.isFinished = true;
    const error = { type: 'api_error', message, code: status, statusCode: status };
    return `data: ${JSON.stringify({ type: 'error', error })}\n\n`;
  }
}

/** The error that an event is, in any form; events of the API other than `error` are none. */
function errorIn(value: Json): ServerError | null {
  if (!isJsonObject(value)) return errorOf(value);
  const { type, error, object } = value;
  const isError = type === undefined || type === 'error' || object === 'error' || Boolean(error);
  return isError ? errorOf(value) : null;
}

/** The events of one block of a whole message. */
function blockEvents(block: JsonObject, index: number): JsonObject[] {
  const { type, text, thinking, signature, input } = block;
  const start: JsonObject = { ...block };
  const deltas: JsonObject[] = [];
  if (type === 'text') {
    start['text'] = '';
    deltas.push({ type: 'text_delta', text: text ?? '' });
  } else if (type === 'thinking') {
    start['thinking'] = '';
    deltas.push({ type: 'thinking_delta', thinking: thinking ?? '' });
    if (typeof signature === 'string') deltas.push({ type: 'signature_delta', signature });
  } else if (type === 'tool_use') {
    start['input'] = {};
    deltas.push({ type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) });
  }
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** Some servers count no tokens. */
function withUsage(event: JsonObject): JsonObject {
  const { type, message } = event;
  if (type === 'message_start' && isJsonObject(message))
    return { ...event, message: { ...message, usage: counts(message['usage'], true) } };
  return type === 'message_delta' ? { ...event, usage: counts(event['usage'], false) } : event;
}

function counts(usage: Json | undefined, isStart: boolean): JsonObject {
  const given = isJsonObject(usage) ? usage : {};
  const output = { ...given, output_tokens: toCount(given['output_tokens']) };
  return isStart ? { ...output, input_tokens: toCount(given['input_tokens']) } : output;
}

const toCount = (given: Json | undefined): number => (typeof given === 'number' ? given : 0);
