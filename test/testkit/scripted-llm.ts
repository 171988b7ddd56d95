import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from '../../src/common/json.ts';

/**
 * One answer of the scripted model. Without a script the model says `You said: <last user
 * message>`.
 */
export interface ScriptedReply {
  /** The text, whole or in the pieces it streams in. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  /** Calls of tools, after the text; a string is sent as it is, so that it may be no JSON. */
  readonly toolCalls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly arguments: JsonObject | string;
  }[];
  /** Milliseconds before the first piece and between pieces. */
  readonly delayMs?: number;
  /** Tokens that the provider reports; null = none reported. Default: characters / 4. */
  readonly usage?: { readonly input: number; readonly output: number } | null;
  readonly finish?: 'stop' | 'length';
  /** Instead of an answer: this status, with `errorMessage` and headers. */
  readonly status?: number;
  readonly errorMessage?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Drops the connection after that many pieces. */
  readonly cutAfter?: number;
  /** Ends the stream in good order after its pieces, but without the event that says so. */
  readonly endsEarly?: boolean;
}

export interface LlmRequest {
  readonly api: 'openai' | 'anthropic';
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  readonly model: string;
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** An OpenAI- and Anthropic-compatible server on loopback with scripted answers. */
export interface ScriptedLlm {
  readonly origin: string;
  /** For connectionParams.endpoint; with `api: 'openai'`, or none. */
  readonly openai: string;
  /** For connectionParams.endpoint, with `api: 'anthropic'`. */
  readonly anthropic: string;
  readonly requests: readonly LlmRequest[];
  /**
   * Queues answers; for one model only where `model` is named, so that tests may share the server.
   */
  script(replies: ScriptedReply | readonly ScriptedReply[], model?: string): void;
  /** The answer of a model whenever its queue is empty. */
  answers(model: string, reply: (request: LlmRequest) => ScriptedReply): void;
  requestsOf(model: string): readonly LlmRequest[];
  /** Status of GET /models: 200 unless told otherwise. */
  setModelsStatus(status: number): void;
  openSockets(): number;
  close(): Promise<void>;
}

type Piece = { readonly kind: 'text' | 'reasoning'; readonly text: string };

export async function openScriptedLlm(): Promise<ScriptedLlm> {
  const queues = new Map<string, ScriptedReply[]>();
  const answers = new Map<string, (request: LlmRequest) => ScriptedReply>();
  const requests: LlmRequest[] = [];
  let modelsStatus = 200;
  let sockets = 0;

  const server = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request) raw += chunk;
    const path = new URL(request.url ?? '/', 'http://here').pathname;
    if (path.endsWith('/models')) {
      const input = { object: 'list', data: [{ id: 'scripted', object: 'model' }] };
      return sendJson(response, modelsStatus, input);
    }
    // It answers by any name but these.
    const named = /\/models\/(.+)$/.exec(path)?.[1];
    if (named !== undefined)
      return sendJson(response, named.startsWith('unknown-') ? 404 : 200, { id: named });
    const api = path.endsWith('/messages') ? 'anthropic' : 'openai';
    const received = readRequest(
      api,
      path,
      request.headers,
      JSON.parse(raw === '' ? '{}' : raw) as JsonObject,
    );
    requests.push(received);
    const { model } = received;
    const queued = queues.get(model)?.shift() ?? queues.get('*')?.shift();
    const reply = queued ?? (answers.get(model) ?? echo)(received);
    await (api === 'openai' ? speakOpenai : speakAnthropic)(received, reply, response);
  });
  server.on('connection', (socket) => {
    sockets += 1;
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    openai: `${origin}/v1`,
    anthropic: `${origin}/anthropic/v1`,
    requests,
    script(replies, model = '*') {
      const queue = queues.get(model) ?? [];
      queue.push(...[replies].flat());
      queues.set(model, queue);
    },
    answers: (model, reply) => void answers.set(model, reply),
    requestsOf: (model) => requests.filter((request) => request.model === model),
    setModelsStatus(status) {
      modelsStatus = status;
    },
    openSockets: () => sockets,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readRequest(
  api: LlmRequest['api'],
  path: string,
  headers: IncomingHttpHeaders,
  body: JsonObject,
): LlmRequest {
  const said = ((body['messages'] ?? []) as JsonObject[]).map(({ role, content }) => ({
    role: String(role),
    content: contentText(content ?? null),
  }));
  const system = [
    contentText(body['system'] ?? null),
    ...said.filter(({ role }) => role === 'system').map(({ content }) => content),
  ];
  return {
    api,
    path,
    headers,
    body,
    model: String(body['model']),
    system: system.filter((text) => text !== '').join('\n'),
    messages: said.filter(({ role }) => role !== 'system'),
  };
}

function contentText(content: Json): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => String((part as JsonObject)['text'] ?? '')).join('');
}

function echo({ messages }: LlmRequest): ScriptedReply {
  const last = messages.findLast(({ role }) => role === 'user');
  return { text: `You said: ${last?.content ?? 'nothing'}` };
}

async function speakOpenai(
  { body, model }: LlmRequest,
  reply: ScriptedReply,
  response: ServerResponse,
): Promise<void> {
  const message = reply.errorMessage ?? `scripted ${reply.status}`;
  if (reply.status !== undefined) {
    const error = { message, type: 'scripted', param: null, code: null };
    return sendJson(response, reply.status, { error }, reply.headers);
  }
  const used = usageOf(reply, body);
  const usage = used && {
    prompt_tokens: used.input,
    completion_tokens: used.output,
    total_tokens: used.input + used.output,
  };
  const base = { id: 'chatcmpl-1', created: 1, model };
  const finish = reply.finish ?? 'stop';
  if (body['stream'] !== true) {
    await pause(reply.delayMs);
    const said = { role: 'assistant', content: textOf(reply) };
    const choices = [{ index: 0, message: said, finish_reason: finish }];
    const whole = { ...base, object: 'chat.completion', choices, ...(usage && { usage }) };
    return sendJson(response, 200, whole);
  }
  const send = openEvents(response);
  const event = { ...base, object: 'chat.completion.chunk' };
  const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
    send(null, { ...event, choices: [{ index: 0, delta, finish_reason }] });
  const cut = await pieces(reply, response, ({ kind, text }) =>
    chunk({ role: 'assistant', [kind === 'text' ? 'content' : 'reasoning_content']: text }),
  );
  if (cut) return;
  const calls = calledBy(reply);
  for (const [index, call] of calls.entries()) {
    const { id, name, text } = call;
    const begun = { index, id, type: 'function', function: { name, arguments: '' } };
    chunk({ tool_calls: [begun] });
    chunk({ tool_calls: [{ index, function: { arguments: text } }] });
  }
  chunk({}, calls.length > 0 ? 'tool_calls' : finish);
  const wantsUsage = (body['stream_options'] as JsonObject | undefined)?.['include_usage'] === true;
  if (usage !== null && wantsUsage) send(null, { ...event, choices: [], usage });
  response.end('data: [DONE]\n\n');
}

async function speakAnthropic(
  { body, model }: LlmRequest,
  reply: ScriptedReply,
  response: ServerResponse,
): Promise<void> {
  const message = reply.errorMessage ?? `scripted ${reply.status}`;
  if (reply.status !== undefined) {
    const error = { type: 'scripted_error', message };
    return sendJson(response, reply.status, { type: 'error', error }, reply.headers);
  }
  const used = usageOf(reply, body) ?? { input: 0, output: 0 };
  // Structured output is asked for as a forced tool named json; then the text is that tool's input.
  const tool = (body['tools'] as JsonObject[] | undefined)?.find(({ name }) => name === 'json');
  const send = openEvents(response);
  const start = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [] };
  const counted = { input_tokens: used.input, output_tokens: 1 };
  send('message_start', {
    type: 'message_start',
    message: { ...start, stop_reason: null, stop_sequence: null, usage: counted },
  });
  let index = -1;
  let open: Piece['kind'] | null = null;
  const stop = () =>
    open !== null && send('content_block_stop', { type: 'content_block_stop', index });
  const cut = await pieces(reply, response, ({ kind, text }) => {
    if (kind !== open) {
      stop();
      index += 1;
      open = kind;
      const block =
        kind === 'reasoning'
          ? { type: 'thinking', thinking: '' }
          : tool
            ? { type: 'tool_use', id: 'toolu_1', name: 'json', input: {} }
            : { type: 'text', text: '' };
      send('content_block_start', { type: 'content_block_start', index, content_block: block });
    }
    const delta =
      kind === 'reasoning'
        ? { type: 'thinking_delta', thinking: text }
        : tool
          ? { type: 'input_json_delta', partial_json: text }
          : { type: 'text_delta', text };
    send('content_block_delta', { type: 'content_block_delta', index, delta });
  });
  if (cut) return;
  stop();
  const calls = calledBy(reply);
  for (const { id, name, text } of calls) {
    index += 1;
    const content_block = { type: 'tool_use', id, name, input: {} };
    send('content_block_start', { type: 'content_block_start', index, content_block });
    const delta = { type: 'input_json_delta', partial_json: text };
    send('content_block_delta', { type: 'content_block_delta', index, delta });
    send('content_block_stop', { type: 'content_block_stop', index });
  }
  const usesTools = tool !== undefined || calls.length > 0;
  const stop_reason =
    reply.finish === 'length' ? 'max_tokens' : usesTools ? 'tool_use' : 'end_turn';
  send('message_delta', {
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: used.output },
  });
  send('message_stop', { type: 'message_stop' });
  response.end();
}

let callCount = 0;
function calledBy({ toolCalls = [] }: ScriptedReply) {
  return toolCalls.map(({ id, name, arguments: given }) => ({
    id: id ?? `call${++callCount}`,
    name,
    text: typeof given === 'string' ? given : JSON.stringify(given),
  }));
}

/** Sends reasoning and text piece by piece; true when the script cut the connection. */
async function pieces(
  reply: ScriptedReply,
  response: ServerResponse,
  send: (piece: Piece) => void,
): Promise<boolean> {
  const all: Piece[] =
    reply.reasoning === undefined ? [] : [{ kind: 'reasoning', text: reply.reasoning }];
  all.push(...[reply.text ?? ''].flat().map((text) => ({ kind: 'text' as const, text })));
  for (const [index, piece] of all.entries()) {
    if (index === reply.cutAfter) {
      await pause(20); // the pieces before have to arrive
      response.destroy();
      return true;
    }
    await pause(reply.delayMs);
    if (response.destroyed) return true;
    if (piece.text !== '') send(piece);
  }
  if (reply.cutAfter === all.length) {
    await pause(20);
    response.destroy();
    return true;
  }
  if (reply.endsEarly === true) {
    response.end();
    return true;
  }
  return false;
}

function openEvents(response: ServerResponse): (event: string | null, data: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  return (event, data) => {
    response.write(`${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
  };
}

function usageOf(reply: ScriptedReply, body: JsonObject): { input: number; output: number } | null {
  if (reply.usage !== undefined) return reply.usage;
  const asked = JSON.stringify(body['messages'] ?? '').length;
  return { input: Math.ceil(asked / 4), output: Math.ceil(textOf(reply).length / 4) };
}

function textOf({ text = '' }: ScriptedReply): string {
  return [text].flat().join('');
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: Json,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(value));
}

function pause(ms = 0): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
