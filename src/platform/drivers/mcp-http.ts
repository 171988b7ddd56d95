import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { withEllipsis } from '../../common/ellipsis.ts';
import { parseJson } from '../../common/exact-json.ts';
import { isJsonObject } from '../../common/json.ts';
import { NO_USAGE, ToolFault } from '../../common/tool-fault.ts';
import { httpFailure, retryAfterOf } from './http-failure.ts';
import {
  answers,
  BROKEN_ANSWER,
  isBrokenAnswer,
  messageOf,
  type RequestId,
  readMessage,
  rewrittenEvents,
} from './mcp-messages.ts';
import { pageWords } from './page-words.ts';

// Answers of MCP servers over HTTP. The SDK waits for ever on some of them, and repeats whole pages
// of others in its messages.

/** The server does not know the session, so it has not handled the request. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost';
  readonly fault: ToolFault;
  constructor(fault: ToolFault) {
    super(fault.message);
    this.fault = fault;
  }
}

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

const USAGE = { ...NO_USAGE, toolCalls: 1 };
/** A server that accepts a request without an answer may still send it over its own stream. */
const ACCEPTED_MS = 1_000;

/**
 * Checks the answers that `send` gets. An answer that the SDK would wait on calls `fail`; one that
 * it would not understand becomes a ToolFault with words.
 * @param redact removes Secrets from a body before it is cut
 */
export function checkedFetch(
  send: Fetch,
  protocol: 'streamable' | 'sse',
  { fail, redact }: { readonly fail: (fault: unknown) => void; redact(text: string): string },
): Fetch {
  let listening: 'unknown' | 'open' | 'closed' = 'unknown';
  let isAccepted = false;
  let resumeFaults = 0;
  /** A stream ended before its result, so the call ends with the rest of that stream. */
  let isWaiting = false;
  let lastFault: unknown = null;
  /** Times that a stream was asked for, and that it broke, by the event that it follows. */
  const opened = new Map<string, number>();
  const broken = new Map<string, number>();
  /** Streams that go on with a former one and are open. */
  let goingOn = 0;
  const unanswered = () => fail(noResult('accepted the request and sent no result'));

  /** The SDK asks twice for the rest of a stream, and then waits without a word. */
  function retriesResume(): boolean {
    resumeFaults += 1;
    return resumeFaults < RESUMES_MAX;
  }

  /**
   * Whether the client opens a stream at the same event for ever; that ends a call that waits for
   * it. A server that works for long may end its stream each time the client has looked.
   */
  function opensForEver(event: string): boolean {
    const times = countUp(opened, event);
    if (times <= OPENED_MAX && (broken.get(event) ?? 0) < BROKEN_MAX) return false;
    listening = 'closed';
    if (isWaiting && (event !== '' || goingOn === 0))
      fail(lastFault ?? noResult('ended its stream again and again without a result'));
    return true;
  }

  /** A stream that the client opened by GET. */
  function listened(response: Response, event: string): Response {
    const isResumed = event !== '';
    if (!response.ok || !isEvents(response)) {
      listening = 'closed';
      // The SDK takes 405 as "no stream", and would read any other page as one.
      if (isResumed && !(response.status >= 500 && retriesResume()))
        fail(noResult('ended its stream and does not continue it'));
      if (response.ok) void response.body?.cancel();
      return response.ok ? new Response(null, { status: 405 }) : response;
    }
    listening = 'open';
    if (isResumed) goingOn++;
    const onEnd = () => {
      if (isResumed) goingOn--;
      listening = 'closed';
      if (isAccepted) unanswered();
    };
    return withEvents(response, null, onEnd, (fault, mayEnd) => {
      if (isResumed && !mayEnd) goingOn--;
      lastFault = fault;
      countUp(broken, event);
      if (isWaiting && isFinal(fault)) fail(fault);
    });
  }

  async function answered(response: Response, id: RequestId): Promise<Response> {
    isWaiting = false;
    if (response.status === 202 || response.status === 204) {
      isAccepted = true;
      if (listening === 'closed') unanswered();
      else setTimeout(() => listening === 'open' || unanswered(), ACCEPTED_MS).unref();
      await response.body?.cancel();
      return new Response(null, { status: 202, headers: response.headers });
    }
    if (isEvents(response)) {
      const onEnd = ({ hasAnswered, isResumable, said }: StreamEnd) => {
        const words = said === '' ? '' : `. It said: ${shownText(redact(said))}`;
        isWaiting ||= !hasAnswered && isResumable;
        if (!hasAnswered && !isResumable)
          fail(noResult(`ended its answer without a result${words}`));
      };
      const onBroken = (fault: unknown, mayEnd: boolean) => {
        lastFault = fault;
        if (!mayEnd) fail(fault);
      };
      // The server may leave the stream open behind it.
      return withEvents(response, id, onEnd, onBroken, () => fail(brokenAnswer()));
    }
    const text = await response.text();
    const messages = messagesOf(text, id);
    if (messages.some((message) => answers(message, id)))
      return rebuilt(response, JSON.stringify(messages), 'application/json');
    const events = new Response(text).body?.pipeThrough(
      rewrittenEvents(
        (data) => readQuietly(data, id),
        () => {},
      ),
    );
    const rewritten = /^(event|data|id|:)/m.test(text) ? await new Response(events).text() : '';
    if (rewritten.includes('data: {')) return rebuilt(response, rewritten, 'text/event-stream');
    throw notAnAnswer(response, redact(text));
  }

  async function refused(response: Response, hasSession: boolean): Promise<never> {
    const body = redact(await response.text());
    const failure = httpFailure(
      {
        status: response.status,
        body: [shownText(body), redact(permissionWords(response))].filter(Boolean).join(' '),
        retryAfter: retryAfterOf((name) => response.headers.get(name)),
      },
      'The MCP server',
      (text) => text,
      USAGE,
    );
    const fault = withCode(failure, messagesOf(body, 0));
    const isLost = response.status === 404 || LOST_SESSION.test(body);
    throw hasSession && isLost ? new SessionLost(fault) : fault;
  }

  return async (input, init = {}) => {
    const request = init.method === 'POST' ? requestOf(init.body) : null;
    const headers = new Headers(init.headers);
    const event = headers.get('last-event-id') ?? '';
    // The SDK opens no stream again after this status.
    if (init.method === 'GET' && protocol === 'streamable' && opensForEver(event))
      return new Response(null, { status: 405 });
    let response: Response;
    try {
      response = await send(input, init);
    } catch (error) {
      const isResumed = init.method === 'GET' && headers.has('last-event-id');
      if (request !== null || (isResumed && !retriesResume())) fail(error);
      throw error;
    }
    if (init.method === 'GET' && protocol === 'sse') {
      if (!response.ok) await refused(response, false).catch(fail);
      const ended = () => fail(noResult('ended its stream'));
      return isEvents(response) ? withEvents(response, null, ended) : response;
    }
    if (init.method === 'GET') return listened(response, event);
    const isRedirect = response.status >= 300 && response.status < 400;
    if (request === null || isRedirect) return response;
    try {
      if (!response.ok) return await refused(response, headers.has('mcp-session-id'));
      return protocol === 'sse' || request.id === null
        ? response
        : await answered(response, request.id);
    } catch (error) {
      fail(error);
      throw error;
    }
  };
}

const RESUMES_MAX = 2;
const OPENED_MAX = 1_000;
const BROKEN_MAX = 10;

function countUp(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

/** Whether the same request meets this fault again, such as an answer that is too large. */
const isFinal = (fault: unknown): boolean => fault instanceof ToolFault && !fault.retryable;

/** What a server asks for that refuses the Secret, or wants one; empty for other answers. */
function permissionWords({ status, headers }: Response): string {
  if (status !== 401 && status !== 403) return '';
  const wanted = headers.get('www-authenticate') ?? '';
  const read = (name: string) => new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(wanted)?.[1];
  const scope = read('scope');
  return [
    read('error_description') ?? read('error'),
    scope === undefined ? undefined : `It wants the scope ${scope}.`,
    'Check the Secret of its Service.',
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}

/** Words of servers that answer another status than 404 where they do not know the session. */
const LOST_SESSION =
  /\bsession\b.{0,40}(?:not found|unknown|expired|invalid)|(?:unknown|expired|invalid|no valid)\b.{0,20}\bsession/i;

interface StreamEnd {
  readonly hasAnswered: boolean;
  /** An event had an id, so the client asks for the rest of the stream. */
  readonly isResumable: boolean;
  /** The latest event that was no message. */
  readonly said: string;
}

/** The fault of an HTTP error, with the code of the JSON-RPC error that its body is. */
function withCode(fault: ToolFault, messages: readonly JSONRPCMessage[]): ToolFault {
  const refusal = messages.find((message) => 'error' in message);
  if (refusal === undefined || !isJsonObject(fault.details)) return fault;
  const { message, retryable, retryAfterMs, usage } = fault;
  const details = { ...fault.details, code: refusal.error.code };
  return new ToolFault(fault.code, message, { retryable, retryAfterMs, details, usage });
}

function withEvents(
  response: Response,
  id: RequestId | null,
  onEnd: (end: StreamEnd) => void,
  onBroken: (fault: unknown, mayEnd: boolean) => void = () => {},
  onBrokenAnswer: () => void = () => {},
): Response {
  let hasAnswered = false;
  let hasId = false;
  let said = '';
  const read = (data: string) => {
    const message = readQuietly(data, id);
    if (message === null) said = data;
    if (message === null && !hasAnswered && isBrokenAnswer(data)) onBrokenAnswer();
    hasAnswered ||= id !== null && answers(message, id);
    return message;
  };
  const onId = () => {
    hasId = true;
  };
  // A stream that breaks behind an id ends here, so that the SDK asks for its rest: a second call
  // would do the work twice.
  const mayEnd = (fault: unknown) => hasAnswered || (hasId && !isFinal(fault));
  const whole = response.body && endingAtBreak(response.body, mayEnd, onBroken);
  const body = whole?.pipeThrough(
    rewrittenEvents(read, (isResumable) => onEnd({ hasAnswered, isResumable, said }), onId),
  );
  return rebuilt(response, body ?? null, 'text/event-stream');
}

function endingAtBreak(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  mayEnd: (fault: unknown) => boolean,
  onBroken: (fault: unknown, mayEnd: boolean) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        const isEnd = mayEnd(error);
        onBroken(error, isEnd);
        if (isEnd) controller.close();
        else controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function rebuilt(response: Response, body: BodyInit | null, type: string): Response {
  const headers = new Headers(response.headers);
  headers.set('content-type', type);
  headers.delete('content-length');
  headers.delete('content-encoding');
  return new Response(body, { status: response.status, headers });
}

/** A notification, or a request with its id; null for an answer to a request of the server. */
function requestOf(body: unknown): { readonly id: RequestId | null } | null {
  if (typeof body !== 'string') return null;
  const message: unknown = JSON.parse(body);
  if (!isJsonObject(message) || typeof message['method'] !== 'string') return null;
  const id = message['id'];
  return { id: typeof id === 'string' || typeof id === 'number' ? id : null };
}

function readQuietly(data: string, id: RequestId | null): JSONRPCMessage | null {
  try {
    return readMessage(data, id);
  } catch {
    return null;
  }
}

function messagesOf(text: string, id: RequestId): JSONRPCMessage[] {
  try {
    const value = parseJson(text);
    return (Array.isArray(value) ? value : [value]).flatMap((one) => messageOf(one, id) ?? []);
  } catch {
    return [];
  }
}

const isEvents = (response: Response): boolean =>
  /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');

const noResult = (did: string): ToolFault =>
  new ToolFault('TOOL_FAILED', `The MCP server ${did}.`, { retryable: true, usage: USAGE });

const brokenAnswer = (): ToolFault => new ToolFault('TOOL_FAILED', BROKEN_ANSWER, { usage: USAGE });

function notAnAnswer(response: Response, body: string): ToolFault {
  const type = response.headers.get('content-type') ?? 'no content type';
  const shown = shownText(body);
  const words = shown === '' ? 'It was empty.' : `It begins: ${shown}`;
  return new ToolFault(
    'TOOL_FAILED',
    `The answer of the MCP server (${type}) is no MCP message. Check the endpoint. ${words}`,
    { details: { contentType: type }, usage: USAGE },
  );
}

const SHOWN_CHARS_MAX = 300;

/** The message of an error body: that of a JSON error, the title of a page, or its text. */
function shownText(body: string): string {
  const words = errorIn(body)?.replace(/\s+/g, ' ').trim() ?? pageWords(body);
  return withEllipsis(words.toWellFormed(), SHOWN_CHARS_MAX);
}

function errorIn(body: string): string | null {
  try {
    const value: unknown = JSON.parse(body);
    if (!isJsonObject(value)) return null;
    const { error, message, detail } = value;
    const inner = isJsonObject(error) ? error['message'] : error;
    const found = [inner, message, detail].find((one) => typeof one === 'string');
    return typeof found === 'string' ? found : null;
  } catch {
    return null;
  }
}
