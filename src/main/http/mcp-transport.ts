import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { wellFormedJsonText } from '../../common/well-formed.ts';
import { answerJson } from '../../platform/http/answer.ts';
import { keepAlive } from '../../platform/http/keep-alive.ts';
import type { ClientMessage } from './mcp-message.ts';

/** How a client takes its answer: as a stream of events, or as one JSON body. */
export type AnswerForm = 'events' | 'json';

/** A request that is being answered. */
interface Asked {
  /** The client's id. Several requests may have the same one. */
  readonly id: Json;
  readonly progressToken: Json;
  readonly response: ServerResponse;
  readonly form: AnswerForm;
}

/**
 * The messages of one session over streamable HTTP. The SDK's transport finds the stream of an
 * answer by the client's id, and mixes up requests of the same id: the first one hangs, and the
 * second gets its answer. Some clients give each request the id 1. Here each request gets an id of
 * its own. The SDK's also refuses a second stream, while it takes a dead first one for open.
 */
export class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly sessionId: string;
  /** By the id that our server knows. */
  readonly #asked = new Map<string, Asked>();
  /** Streams that the client listens on. The newest one gets the messages: others may be dead. */
  #listening: readonly ServerResponse[] = [];
  #isClosed = false;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  async start(): Promise<void> {}

  /** Takes a message, and answers the POST that it came with. */
  take(message: ClientMessage, response: ServerResponse, form: AnswerForm): void {
    if (message.id === null) {
      this.#notice(message);
      response.writeHead(202).end();
      return;
    }
    const id = randomUUID();
    const { progressToken } = message;
    this.#asked.set(id, { id: message.id, progressToken, response, form });
    if (form === 'events') openEvents(response);
    this.onmessage?.({ ...message.message, id } as JSONRPCMessage);
  }

  /** Opens the stream of messages that belong to no request. */
  listen(response: ServerResponse): void {
    this.#listening = [...this.#listening, response];
    openEvents(response);
    response.once('close', () => {
      this.#listening = this.#listening.filter((other) => other !== response);
    });
  }

  async send(message: JSONRPCMessage, { relatedRequestId }: TransportSendOptions = {}) {
    const isAnswer = !('method' in message);
    const id = isAnswer ? message.id : relatedRequestId;
    const newest = this.#listening.findLast(({ destroyed }) => !destroyed);
    if (id === undefined) return void writeEvent(newest, message);
    const asked = this.#asked.get(String(id));
    if (asked === undefined) throw new Error('Nobody waits for this message.');
    const { response, form } = asked;
    if (!isAnswer) {
      if (form === 'events') writeEvent(response, withToken(message, asked));
      return;
    }
    this.#asked.delete(String(id));
    if (response.destroyed) throw new Error('The client has gone.');
    const answer = { ...message, id: asked.id };
    if (form === 'json') return answerJson(response, 200, answer);
    writeEvent(response, answer);
    response.end();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const response of this.#listening) response.end();
    for (const id of [...this.#asked.keys()]) this.#endWithout(id, 'The session has ended.');
    this.onclose?.();
  }

  /** A message that gets no answer. A cancel names the client's id, and ends the wait for it. */
  #notice({ message, method }: ClientMessage): void {
    if (method !== 'notifications/cancelled') return void this.onmessage?.(message);
    const params = 'params' in message ? message.params : undefined;
    const { requestId = null, reason } = (params ?? {}) as JsonObject;
    const named = [...this.#asked].filter(([, { id }]) => sameId(id, requestId));
    const left = named.filter(([, { response }]) => response.destroyed);
    // Of several requests with this id, the one is meant whose client has gone; else another one
    // could be the one that goes on.
    const [only, ...others] = named.length > 1 ? left : named;
    if (only === undefined || others.length > 0) return;
    const [id] = only;
    const given = { requestId: id, ...(typeof reason === 'string' ? { reason } : {}) };
    this.onmessage?.({ jsonrpc: '2.0', method, params: given });
    this.#endWithout(id, 'The request was cancelled.');
  }

  #endWithout(id: string, message: string): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (asked === undefined || asked.response.destroyed) return;
    const error = { code: CANCELLED, message };
    if (asked.form === 'events') asked.response.end();
    else answerJson(asked.response, 200, { jsonrpc: '2.0', id: asked.id, error });
  }
}

/** A code of the range that JSON-RPC leaves to servers. */
const CANCELLED = -32_000;

const textOf = (value: unknown): string => wellFormedJsonText(JSON.stringify(value));

/** A number beyond 2^53 is a text in one of them. */
const sameId = (left: Json, right: Json): boolean => bare(left) === bare(right);

const bare = (id: Json): string => textOf(id).replace(/^"(.*)"$/s, '$1');

function openEvents(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  keepAlive(response, 'keep-alive');
}

function writeEvent(response: ServerResponse | undefined, message: object): void {
  if (response === undefined || response.destroyed || response.writableEnded) return;
  response.write(`event: message\ndata: ${textOf(message)}\n\n`);
}

/** Progress has the token as the client sent it. */
function withToken(message: JSONRPCMessage, { progressToken }: Asked): object {
  if (!('method' in message) || message.method !== 'notifications/progress') return message;
  const params = isJsonObject(message.params as Json) ? message.params : {};
  return { ...message, params: { ...params, progressToken } };
}
