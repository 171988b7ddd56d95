import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from './api-error.ts';
import { complete, completionBody, completionChunks } from './chat.ts';
import { readChatRequest } from './chat-request.ts';
import { EMBEDDING_MODEL, openEmbedder } from './embeddings.ts';
import { entryOf } from './entry-of.ts';
import { fail, readJson, sendJson } from './json-http.ts';
import { openLanguage } from './language.ts';
import { REQUEST_MS_MAX } from './limits.ts';
import { CHAT_MODEL } from './respond.ts';

export interface LocalLlmSettings {
  /** Default 127.0.0.1. The server has no authentication, so other hosts should not reach it. */
  readonly host?: string | undefined;
  /** Default 0, any free port. */
  readonly port?: number | undefined;
  /** A pause before each streamed word, for demonstrations; default 0. */
  readonly wordDelayMs?: number | undefined;
  /** Name of the installation, returned by `GET /health`, to distinguish servers on one machine. */
  readonly name?: string | undefined;
}

export interface LocalLlm {
  /** `http://127.0.0.1:port`; the OpenAI-compatible API is under `/v1`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the server in this process; answers when it listens. */
export async function startLocalLlm(settings: LocalLlmSettings = {}): Promise<LocalLlm> {
  const { host = '127.0.0.1', port = 0, wordDelayMs = 0, name = null } = settings;
  const language = openLanguage();
  const embedder = openEmbedder();
  /** Answers being streamed now. */
  let streams = 0;
  const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

  const routes: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void> | void>
  > = {
    'GET /health': (_request, response) => sendJson(response, 200, { status: 'ok', name, streams }),
    'GET /v1/models': (_request, response) =>
      sendJson(response, 200, {
        object: 'list',
        data: [CHAT_MODEL, EMBEDDING_MODEL].map(modelBody),
      }),
    'POST /v1/embeddings': async (request, response) => {
      const asked = await readJson(request);
      sendJson(response, 200, await embedder.answer(asked, () => !response.destroyed));
    },
    'POST /v1/chat/completions': async (request, response) => {
      const chat = readChatRequest(await readJson(request));
      const completion = complete(language, chat);
      if (!chat.stream) return sendJson(response, 200, completionBody(completion, nowSeconds()));
      streams++;
      try {
        await sendStream(
          response,
          completionChunks(completion, nowSeconds(), chat.includeUsage),
          wordDelayMs,
        );
      } finally {
        streams--;
      }
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A browser page of another site could otherwise use a loopback server that asks for no key.
    if (request.headers.origin !== undefined)
      throw new ApiError(403, 'forbidden', 'Requests of web pages are not answered.');
    const path = (request.url ?? '/').split('?')[0]?.replace(/(?<=.)\/$/, '') ?? '/';
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = entryOf(routes, `${method} ${path}`);
    if (route !== undefined) return route(request, response);
    const model = /^\/v1\/models\/(.+)$/.exec(path)?.[1];
    if (
      model !== undefined &&
      request.method === 'GET' &&
      [CHAT_MODEL, EMBEDDING_MODEL].includes(model)
    ) {
      return sendJson(response, 200, modelBody(model));
    }
    const known = Object.keys(routes).some((name) => name.endsWith(` ${path}`));
    throw known
      ? new ApiError(405, 'method_not_allowed', `${request.method} is not answered here.`)
      : new ApiError(404, 'not_found', `There is nothing at ${path.slice(0, 100).toWellFormed()}.`);
  }

  const server = createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
    handle(request, response).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`,
    close: async () => {
      await new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      });
      await embedder.close();
    },
  };
}

function modelBody(id: string): object {
  return { id, object: 'model', created: 0, owned_by: 'local' };
}

/** Server-sent events, one a chunk; stops when the client leaves, waits when it reads slowly. */
async function sendStream(
  response: ServerResponse,
  chunks: Iterable<object>,
  wordDelayMs: number,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  for (const chunk of chunks) {
    if (response.destroyed) return;
    const flushed = response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    if (!flushed) await drained(response);
    // Each word leaves by itself, and other requests get their turn.
    else
      await new Promise((resolve) =>
        wordDelayMs > 0 ? setTimeout(resolve, wordDelayMs) : setImmediate(resolve),
      );
  }
  if (!response.destroyed) response.end('data: [DONE]\n\n');
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
