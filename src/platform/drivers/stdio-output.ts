import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { parseJson } from '../../common/exact-json.ts';
import { isJsonObject, type Json } from '../../common/json.ts';
import { RESPONSE_BYTES_MAX } from '../../common/limits.ts';
import { BROKEN_ANSWER, isBrokenAnswer, messageOf, type RequestId } from './mcp-messages.ts';

// The output of a stdio server: one message per line, among what servers print by mistake.

/** Why the output cannot be read on. */
export interface OutputFault {
  readonly code: 'PAYLOAD_TOO_LARGE' | 'TOOL_FAILED';
  readonly message: string;
}

export interface Received {
  readonly messages: readonly JSONRPCMessage[];
  readonly fault: OutputFault | null;
  /** It has an answer that is no JSON, such as one with NaN. */
  readonly isUnreadable: boolean;
}

export const UNREADABLE: OutputFault = { code: 'TOOL_FAILED', message: BROKEN_ANSWER };

const TOO_LARGE = `above ${RESPONSE_BYTES_MAX / 1024 / 1024} MiB`;
/** Output since the last message that is none. A server in a loop would take the processor. */
const NOISE_BYTES_MAX = RESPONSE_BYTES_MAX;
const NOTHING: Received = { messages: [], fault: null, isUnreadable: false };

/** Finds the messages in the bytes that a server writes. */
export class ServerOutput {
  /** The beginning of a line that has not ended. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  /** Lines since a lone `{`, as of JSON with indents. */
  #indented: string[] = [];
  #noiseBytes = 0;
  #lines = 0;
  #said = '';
  readonly #redact: (text: string) => string;

  /** @param redact takes the Secret out of a line that may be shown */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /**
   * The latest line that is no message, without the Secret and control characters. Of a flood of
   * lines only this one is looked through.
   */
  get said(): string {
    return plainWords(this.#redact(this.#said));
  }

  /**
   * @param requestId the request that an answer without a valid id belongs to
   * @returns what each line has, in their order
   */
  push(chunk: Buffer, requestId: RequestId | null): readonly Received[] {
    const found: Received[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...this.#pieces, chunk.subarray(from, end)]);
      [this.#pieces, this.#piecesBytes, from] = [[], 0, end + 1];
      found.push(this.#line(line, requestId));
    }
    const rest = chunk.subarray(from);
    this.#pieces.push(rest);
    this.#piecesBytes += rest.length;
    if (this.#piecesBytes > RESPONSE_BYTES_MAX) {
      [this.#pieces, this.#piecesBytes] = [[], 0];
      found.push(tooLarge(`sent a message ${TOO_LARGE}`));
    }
    return found;
  }

  /** The output has ended, maybe without the line break of its last message. */
  end(requestId: RequestId | null): readonly Received[] {
    const line = Buffer.concat(this.#pieces);
    [this.#pieces, this.#piecesBytes] = [[], 0];
    return line.length === 0 ? [] : [this.#line(line, requestId)];
  }

  #line(bytes: Buffer, requestId: RequestId | null): Received {
    const line = bytes.toString('utf8');
    this.#lines += 1;
    if (this.#lines === 1 && /^content-length:\s*\d+\s*$/i.test(line))
      return { ...NOTHING, fault: HEADERS };
    const values = line.includes('{') ? valuesIn(line) : [];
    const messages = [...values, ...this.#fromIndented(line)].flatMap(
      (value) => messageOf(value, requestId) ?? [],
    );
    if (messages.length > 0) {
      [this.#indented, this.#noiseBytes] = [[], 0];
      return { ...NOTHING, messages };
    }
    this.#noiseBytes += bytes.length + 1;
    if (this.#noiseBytes > NOISE_BYTES_MAX)
      return tooLarge(`printed ${TOO_LARGE} that are no messages`);
    if (plainWords(line) !== '') this.#said = line;
    return { ...NOTHING, isUnreadable: values.length === 0 && isBrokenAnswer(line) };
  }

  #fromIndented(line: string): Json[] {
    const bare = line.trimEnd();
    if (bare === '{') this.#indented = [bare];
    else if (this.#indented.length > 0) this.#indented.push(line);
    if (bare !== '}') return [];
    const text = this.#indented.join('\n');
    this.#indented = [];
    return parsed(text) ?? [];
  }
}

const LINE_FEED = 0x0a;

const HEADERS: OutputFault = {
  code: 'TOOL_FAILED',
  message:
    'The MCP server writes Content-Length headers, as language servers do. MCP wants each ' +
    'message as one line of JSON; the author of the server has to change that.',
};

const tooLarge = (did: string): Received => ({
  ...NOTHING,
  fault: { code: 'PAYLOAD_TOO_LARGE', message: `The MCP server ${did}.` },
});

/** The values in one text of JSON: those of a batch, or the one; null where it is no JSON. */
function parsed(text: string): Json[] | null {
  try {
    const value = parseJson(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return null;
  }
}

/**
 * The JSON in a line. Where other text stands around it, such as a byte order mark, a prompt or a
 * second message, only objects of JSON-RPC count. A quote within a JSON text is escaped, so the
 * beginning of a message is none of its texts. Behind words, as in a log of what the server got,
 * no object is a request.
 */
function valuesIn(line: string): Json[] {
  return (
    parsed(line) ??
    line
      .split(/(?=\{\s*"jsonrpc"\s*:)/)
      .flatMap((part) => valueIn(part) ?? [])
      .filter((value) => isJsonObject(value) && value['jsonrpc'] === '2.0')
      .filter((value) => !isRequest(value) || !hasWords(line.slice(0, line.indexOf('{'))))
  );
}

const isRequest = (value: Json): boolean =>
  isJsonObject(value) && value['method'] !== undefined && value['id'] !== undefined;

/** A prompt or a colour is no word. */
const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(plainWords(text));

const STARTS_MAX = 5;

function valueIn(part: string): Json[] | null {
  const end = part.lastIndexOf('}') + 1;
  let start = part.indexOf('{"');
  for (let tries = 0; start >= 0 && tries < STARTS_MAX; tries++) {
    const found = parsed(part.slice(start, end));
    if (found !== null) return found;
    start = part.indexOf('{"', start + 1);
  }
  return null;
}

/** Colours of a terminal begin with a control character, which goes with the others. */
const plainWords = (line: string): string =>
  line
    .replace(/\p{Cc}\[[0-9;?]*[ -/]*[@-~]/gu, '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
