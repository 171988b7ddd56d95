import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, errorBody } from '../../local-llm/src/api-error.ts';
import { fail, readJson, sendJson } from '../../local-llm/src/json-http.ts';
import type { ChatEnd, ChatModel, EmbeddingModel } from './model.ts';
import { Queue } from './queue.ts';
import { type ChatRequest, readChatRequest, readEmbeddingRequest } from './requests.ts';

export interface GgufServerSettings {
  readonly chat: ChatModel | null;
  readonly embeddings: EmbeddingModel | null;
  /** Default 127.0.0.1. The server has no authentication, so other hosts should not reach it. */
  readonly host?: string | undefined;
  /** Default 0, any free port. */
  readonly port?: number | undefined;
  /** Name of the installation, returned by `GET /health`. */
  readonly name?: string | undefined;
  /** Maximum waiting requests per model; default 32. Further ones get 429 with Retry-After. */
  readonly queueLimit?: number | undefined;
}

export interface GgufServer {
  /** `http://127.0.0.1:port`; the OpenAI-compatible API is under `/v1`. */
  readonly url: string;
  close(): Promise<void>;
}

const QUEUE_LIMIT = 32;

/** Serves loaded models over OpenAI's API; answers when it listens. */
export async function startGgufServer(settings: GgufServerSettings): Promise<GgufServer> {
  const { chat, embeddings, host = '127.0.0.1', port = 0, name = null } = settings;
  const limit = settings.queueLimit ?? QUEUE_LIMIT;
  const queues = { chat: new Queue(limit), embeddings: new Queue(limit) };
  const models = [chat, embeddings].flatMap((model) => (model === null ? [] : [model.name]));

  const routes: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void> | void>
  > = {
    'GET /health': (_request, response) =>
      sendJson(response, 200, {
        status: 'ok',
        name,
        model: chat?.name ?? null,
        contextTokens: chat?.contextTokens ?? null,
        embeddings: embeddings?.name ?? null,
        queues: { chat: queues.chat.state, embeddings: queues.embeddings.state },
      }),
    'GET /v1/models': (_request, response) =>
      sendJson(response, 200, {
        object: 'list',
        data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'local' })),
      }),
    'POST /v1/chat/completions': async (request, response) => {
      if (chat === null) throw noModel('chat', '--model');
      const given = readChatRequest(await readJson(request), chat.name);
      const signal = leaving(response);
      await queues.chat.run(signal, () => answer(chat, given, response, signal));
    },
    'POST /v1/embeddings': async (request, response) => {
      if (embeddings === null) throw noModel('embedding', '--embeddings');
      const given = readEmbeddingRequest(await readJson(request), embeddings.name);
      const signal = leaving(response);
      const body = await queues.embeddings.run(signal, () => embedAll(embeddings, given, signal));
      sendJson(response, 200, body);
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A browser page of another site could otherwise use a loopback server that asks for no key.
    if (request.headers.origin !== undefined)
      throw new ApiError(403, 'forbidden', 'Requests of web pages are not answered.');
    const path = (request.url ?? '/').split('?')[0]?.replace(/(?<=.)\/$/, '') ?? '/';
    const key = `${request.method} ${path}`;
    const route = Object.hasOwn(routes, key) ? routes[key] : undefined;
    if (route !== undefined) return route(request, response);
    const isKnown = Object.keys(routes).some((known) => known.endsWith(` ${path}`));
    throw isKnown
      ? new ApiError(405, 'method_not_allowed', `${request.method} is not answered here.`)
      : new ApiError(404, 'not_found', `There is nothing at ${path.slice(0, 100).toWellFormed()}.`);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.destroyed) fail(response, error);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function noModel(kind: string, flag: string): ApiError {
  return new ApiError(404, 'model_not_found', `This server has no ${kind} model (${flag}).`);
}

/** Aborted when the caller leaves before its answer ended, so that the queue goes on. */
function leaving(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort(new Error('The caller left.'));
  });
  return left.signal;
}

async function answer(
  model: ChatModel,
  request: ChatRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const head = {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(Date.now() / 1_000),
    model: model.name,
  };
  if (request.stream) return streamAnswer(model, request, response, signal, head);
  let text = '';
  let reasoning = '';
  const end = await model.chat({
    ...request,
    signal,
    onText: (delta) => {
      text += delta;
    },
    onReasoning: (delta) => {
      reasoning += delta;
    },
  });
  const message = {
    role: 'assistant',
    content: text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
  };
  sendJson(response, 200, {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: end.finishReason }],
    usage: usageOf(end),
  });
}

/**
 * Server-sent events. A failure after the first one is an event with `error`, as OpenAI sends it.
 */
async function streamAnswer(
  model: ChatModel,
  request: ChatRequest,
  response: ServerResponse,
  signal: AbortSignal,
  head: object,
): Promise<void> {
  const send = (event: object): void => {
    if (!response.headersSent)
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  const chunk = (choices: object[], usage: object | null) =>
    send({
      ...head,
      object: 'chat.completion.chunk',
      choices,
      ...(request.includeUsage ? { usage } : {}),
    });
  const delta = (content: object, finishReason: string | null) =>
    chunk([{ index: 0, delta: content, logprobs: null, finish_reason: finishReason }], null);
  try {
    const end = await model.chat({
      ...request,
      signal,
      onText: (text) => delta({ content: text }, null),
      onReasoning: (text) => delta({ reasoning_content: text }, null),
    });
    delta({}, end.finishReason);
    if (request.includeUsage) chunk([], usageOf(end));
    response.end('data: [DONE]\n\n');
  } catch (error) {
    if (!response.headersSent || response.destroyed) throw error;
    const known =
      error instanceof ApiError
        ? error
        : new ApiError(500, 'internal_error', 'The model failed in the middle of its answer.');
    send(errorBody(known));
    response.end();
  }
}

function usageOf({ promptTokens, completionTokens }: ChatEnd): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

async function embedAll(
  model: EmbeddingModel,
  { texts, isBase64 }: { readonly texts: readonly string[]; readonly isBase64: boolean },
  signal: AbortSignal,
): Promise<object> {
  let tokens = 0;
  const data: object[] = [];
  for (const [index, text] of texts.entries()) {
    signal.throwIfAborted();
    const embedded = await model.embed(text);
    tokens += embedded.tokens;
    const embedding = isBase64 ? inBase64(embedded.vector) : embedded.vector;
    data.push({ object: 'embedding', index, embedding });
  }
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return { object: 'list', data, model: model.name, usage };
}

function inBase64(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}
