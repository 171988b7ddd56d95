import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { parsed } from './answer-error.ts';

/** Events of an answer over Anthropic's API. The SDK fails the answer at any other. */
const EVENTS: ReadonlySet<Json | undefined> = new Set([
  ...['message_start', 'message_delta', 'message_stop', 'error', 'ping'],
  ...['content_block_start', 'content_block_delta', 'content_block_stop'],
]);

/** Evens out the events of servers with Anthropic's API, however they are cut into pieces. */
export class AnthropicEvents {
  #held = '';
  /** A message_delta named why the answer ends. */
  isFinished = false;
  /** The server said `message_stop`. */
  isDone = false;

  push(text: string): string {
    const lines = (this.#held + text).split('\n');
    this.#held = lines.pop() ?? '';
    return lines.map((line) => this.#line(line)).join('');
  }

  end(text: string): string {
    const last = this.push(`${text}\n`);
    const isCut = this.isFinished && !this.isDone;
    return isCut ? `${last}data: {"type":"message_stop"}\n\n` : last;
  }

  #line(line: string): string {
    const [, data] = /^data:\s?(.*?)\r?$/s.exec(line) ?? [];
    if (data === undefined) return '';
    const value = parsed(data);
    // Broken JSON is a failure of the answer; any other text is a sign of life.
    if (!isJsonObject(value)) return /^\s*\{/.test(data) ? `data: ${data}\n\n` : '';
    if (!EVENTS.has(value['type'])) return '';
    const { delta } = value;
    if (isJsonObject(delta) && typeof delta['stop_reason'] === 'string') this.isFinished = true;
    if (value['type'] === 'message_stop') this.isDone = true;
    return `data: ${JSON.stringify(withUsage(value))}\n\n`;
  }
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
