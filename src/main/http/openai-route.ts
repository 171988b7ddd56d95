import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiDeps } from '../../../schema/context.ts';
import { entryOf } from '../../common/entry-of.ts';
import { type FairPlaces, NoPlace } from '../../common/fair-places.ts';
import { BODY_BYTES_MAX } from '../../common/limits.ts';
import { type Problem, Refusal } from '../../common/refusal.ts';
import { wellFormedJsonText } from '../../common/well-formed.ts';
import { findEndOfTalk, keyAfter } from '../../conversations/same-request.cypher.ts';
import { addAlternative, sendMessage } from '../../conversations/turn.mutations.ts';
import { answerJson, answerPreflight, HttpRefused } from '../../platform/http/answer.ts';
import { readJson } from '../../platform/http/body.ts';
import { isJson } from '../../platform/http/guards.ts';
import { keepAlive } from '../../platform/http/keep-alive.ts';
import { type ChatProcess, listChatProcesses } from '../../processes/chat-process.cypher.ts';
import { cancelProcessRun } from '../../runs/control/run-control.mutations.ts';
import { watchRunEvents } from '../../runs/events/run-stream.service.ts';
import { getRun } from '../../runs/run/get-run.service.ts';
import type { ProcessRun } from '../../runs/run/run.ts';
import { startProcessRun } from '../../runs/start/start.mutations.ts';
import { findLlmToolId } from '../../settings/memory-settings.cypher.ts';
import type { Viewer } from '../../users/user.ts';
import { type AnswerPiece, AnswerStream } from './openai-answer.ts';
import { FollowedRuns, fingerprintOf, isRetry, servingOf } from './openai-repeats.ts';
import {
  type ChatCompletionRequest,
  contextOf,
  OpenaiError,
  readChatCompletion,
} from './openai-request.ts';
import { type CallerCount, countedCaller, endsIn, type SignedIn } from './sign-in.ts';
import type { Serve } from './watched.ts';

const MODELS_MAX = 500;

interface OpenaiParts extends CallerCount {
  readonly deps: ApiDeps;
  readonly openOperations: FairPlaces;
}

/**
 * Processes that answer messages as models of OpenAI's API (docs/decisions/0069): `GET /v1/models`
 * and `POST /v1/chat/completions`. The API key is the bearer token of the API.
 */
export function openaiRoute(parts: OpenaiParts): { readonly serve: Serve; close(): void } {
  const open = new Set<ServerResponse>();
  const followed = new FollowedRuns();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    // OpenAI's clients send headers of their own, which are not read.
    if (request.method === 'OPTIONS')
      return answerPreflight(response, {
        headers: request.headers['access-control-request-headers'],
      });
    const signedIn = await signIn(parts, request);
    // A client that left meanwhile closes no second time.
    if (response.closed) return;
    const { viewer } = signedIn;
    if (path === '/v1/models') {
      expectMethod(request, 'GET');
      const models = await listModels(parts.deps, viewer);
      return answerJson(response, 200, { object: 'list', data: models });
    }
    const model = /^\/v1\/models\/(.+)$/.exec(path)?.[1];
    if (model !== undefined) {
      expectMethod(request, 'GET');
      const process = await findModel(parts.deps, viewer, decoded(model));
      return answerJson(response, 200, toModel(process, process.name));
    }
    if (path !== '/v1/chat/completions')
      throw new OpenaiError(
        404,
        'Served are /v1/models and /v1/chat/completions. The base URL of a client ends in one /v1.',
      );
    expectMethod(request, 'POST');
    await complete(request, response, signedIn);
  }

  async function complete(
    request: IncomingMessage,
    response: ServerResponse,
    signedIn: SignedIn,
  ): Promise<void> {
    const { deps } = parts;
    const { viewer } = signedIn;
    const giveBack = takePlace(parts.openOperations, viewer.userId);
    const hangUp = new AbortController();
    const timer = endsIn(signedIn, deps.clock.nowMs(), () => response.destroy());
    open.add(response);
    response.once('close', () => {
      clearTimeout(timer);
      open.delete(response);
      giveBack();
      hangUp.abort();
    });
    const asked = readChatCompletion(await bodyOf(request));
    const process = await findModel(deps, viewer, asked.model);
    const { conversationId, messages } = asked;
    const { userId } = viewer;
    const fingerprint = fingerprintOf({ userId, processId: process.id, conversationId, messages });
    const run = await runOf(deps, viewer, {
      ...{ asked, process, fingerprint, key: keyOf(request) },
      leftRun: followed.leftRun(fingerprint),
      isRetry: isRetry(request.headers['x-stainless-retry-count']),
    });
    response.setHeader('x-aiden-run-id', run.id);
    const told = { deps, viewer, asked, run, signal: hangUp.signal, hasEnded: false };
    const leave = followed.follow({ runId: run.id, fingerprint }, () => {
      const reason = 'The client of /v1/chat/completions hung up.';
      // A run that has ended meanwhile refuses the cancel.
      cancelProcessRun(deps, viewer, { id: run.id, reason }).catch(() => {});
    });
    const left = () => leave({ isDelivered: told.hasEnded && response.writableFinished });
    if (response.closed) left();
    else response.once('close', left);
    await (asked.isStream ? answerStream(told, response) : answerWhole(told, response));
  }

  return {
    async serve(request, response, requestId) {
      try {
        await answer(request, response);
      } catch (error) {
        if (response.destroyed) return;
        const told = toOpenaiError(error);
        if (told === null) throw error;
        for (const [name, value] of Object.entries(told.headers)) response.setHeader(name, value);
        response.setHeader('x-request-id', requestId);
        answerJson(response, told.status, told.body);
      }
    },
    close() {
      // The server that stops is no wish of the clients: their runs go on.
      followed.close();
      for (const response of open) response.destroy();
    },
  };
}

/** @throws OpenaiError 401 without sign-in; HttpRefused 429 above the rate */
async function signIn(parts: OpenaiParts, request: IncomingMessage): Promise<SignedIn> {
  const signedIn = await countedCaller(parts, request);
  if (signedIn !== null) return signedIn;
  throw new OpenaiError(401, 'The API key is the bearer token of the API, and this one is none.', {
    code: 'invalid_api_key',
    headers: { 'www-authenticate': 'Bearer' },
  });
}

function takePlace(places: FairPlaces, userId: string) {
  try {
    return places.takeNow(userId);
  } catch (error) {
    if (!(error instanceof NoPlace)) throw error;
    const headers = { 'retry-after': '5', connection: 'close' };
    throw new OpenaiError(429, error.message, { code: 'rate_limit_exceeded', headers });
  }
}

function expectMethod({ method }: IncomingMessage, wanted: 'GET' | 'POST'): void {
  // Node sends no body in answer to HEAD.
  if (method === wanted || (wanted === 'GET' && method === 'HEAD')) return;
  throw new OpenaiError(405, `Send ${wanted}.`, { headers: { allow: `${wanted}, OPTIONS` } });
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (!isJson(request.headers['content-type']))
    throw new OpenaiError(415, 'POST JSON: Content-Type has to be application/json.');
  return readJson(request, BODY_BYTES_MAX);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Each Process by its name; a further one of the same name by its id. */
async function listModels({ graph }: ApiDeps, viewer: Viewer) {
  const found = await graph.read((tx) =>
    listChatProcesses(tx, viewer, { reference: null, limit: MODELS_MAX }),
  );
  const names = new Set<string>();
  return found.map((process) => {
    const id = names.has(process.name) ? process.id : process.name;
    names.add(process.name);
    return toModel(process, id);
  });
}

function toModel({ description, createdAt, ownerName }: ChatProcess, id: string) {
  const created = Math.floor(Date.parse(createdAt) / 1_000);
  return { id, object: 'model', created, owned_by: ownerName, description };
}

async function findModel({ graph }: ApiDeps, viewer: Viewer, reference: string) {
  const [found] = await graph.read((tx) => listChatProcesses(tx, viewer, { reference, limit: 1 }));
  if (found !== undefined) return found;
  throw new OpenaiError(404, `There is no model "${reference}" that you may run.`, {
    param: 'model',
    code: 'model_not_found',
  });
}

function keyOf({ headers }: IncomingMessage): string | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : null;
}

interface Asking {
  readonly asked: ChatCompletionRequest;
  readonly process: ChatProcess;
  readonly fingerprint: string;
  /** The idempotency key of the caller. */
  readonly key: string | null;
  /** A run of an equal request whose client left before the end of the answer. */
  readonly leftRun: string | null;
  /** Whether the client says that it sent this request before. */
  readonly isRetry: boolean;
}

/** The run that answers: a new one, or the one of an equal request before (docs/decisions/0091). */
async function runOf(deps: ApiDeps, viewer: Viewer, asking: Asking): Promise<ProcessRun> {
  const { asked, process, key, leftRun } = asking;
  const { conversationId } = asked;
  if (conversationId !== null)
    return getRun(deps, viewer, await runInConversation(deps, viewer, conversationId, asking));
  if (key === null && leftRun !== null) return getRun(deps, viewer, leftRun);
  const llmToolId = await deps.graph.read((tx) => findLlmToolId(tx, viewer.userId));
  const context = contextOf(process, asked);
  const input = { processId: process.id, context, idempotencyKey: key };
  return startProcessRun(deps, viewer, input, { llmToolId });
}

/** The id of the run that answers the last message in the conversation. */
async function runInConversation(
  deps: ApiDeps,
  viewer: Viewer,
  conversationId: string,
  { asked, process, fingerprint, key, leftRun, isRetry }: Asking,
): Promise<string> {
  const processId = process.id;
  const content = asked.messages.at(-1)?.content ?? '';
  const message = { conversationId, content, processId };
  if (key !== null)
    return (await sendMessage(deps, viewer, { ...message, idempotencyKey: key })).run;
  const where = { conversationId, fingerprint };
  const { alternativeId, earlier } = await deps.graph.read((tx) =>
    findEndOfTalk(tx, viewer.userId, where),
  );
  // Of two equal requests at once both find the same place, so the key makes them one.
  const idempotencyKey = keyAfter(fingerprint, alternativeId);
  if (earlier !== null) {
    const isRepeated = isRetry || leftRun === earlier.runId;
    const serving = servingOf(earlier, { isRepeated });
    if (serving === 'join') return earlier.runId;
    if (serving === 'again') {
      const { turnId } = earlier;
      const { runId } = await addAlternative(deps, viewer, { turnId, processId, idempotencyKey });
      if (runId !== null) return runId;
    }
  }
  return (await sendMessage(deps, viewer, { ...message, idempotencyKey })).run;
}

interface Told {
  readonly deps: ApiDeps;
  readonly viewer: Viewer;
  readonly asked: ChatCompletionRequest;
  readonly run: ProcessRun;
  /** Aborted when the client hangs up. */
  readonly signal: AbortSignal;
  /** Whether the run has ended, so that what is sent now is its last word. */
  hasEnded: boolean;
}

async function* piecesOf(
  { deps, run, signal }: Told,
  stream: AnswerStream,
): AsyncGenerator<AnswerPiece> {
  const watch = { run, after: null, scope: 'with sub-runs' } as const;
  for await (const event of watchRunEvents(deps, watch, signal)) yield* stream.pieces(event);
}

/** The run at its end. @throws OpenaiError where it has no answer */
async function endOf(told: Told) {
  const { deps, viewer, run } = told;
  const ended = await getRun(deps, viewer, run.id);
  if (ended.status !== 'completed') {
    told.hasEnded = true;
    throw failureOf(ended);
  }
  const { outputBlob, output } = ended;
  const text = outputBlob === null ? output : await deps.payloads.loadBlob(outputBlob);
  told.hasEnded = true;
  return {
    text: typeof text === 'string' ? text : '',
    usage: usageOf(ended),
    finish: ended.outputTruncated ? ('length' as const) : ('stop' as const),
  };
}

/** A run that has ended is final: clients that retry each 5xx would only repeat it. */
function failureOf({ status, error }: ProcessRun): OpenaiError {
  const code = error?.code ?? status;
  return new OpenaiError(
    code === 'INPUT_INVALID' ? 400 : 422,
    error?.message ?? `The run ended as ${status}.`,
    {
      code,
      type: code === 'INPUT_INVALID' ? 'invalid_request_error' : 'server_error',
      headers: { 'x-should-retry': 'false' },
    },
  );
}

const usageOf = ({ usage: { inputTokens, outputTokens } }: ProcessRun) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

async function answerWhole(told: Told, response: ServerResponse): Promise<void> {
  const { run, asked, signal } = told;
  let reasoning = '';
  for await (const { kind, text } of piecesOf(told, new AnswerStream(run.id, asked)))
    if (kind === 'reasoning') reasoning += text;
  if (signal.aborted) return;
  const { text, usage, finish } = await endOf(told);
  answerJson(response, 200, {
    ...headOf(run, asked),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          refusal: null,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
        },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage,
  });
}

async function answerStream(told: Told, response: ServerResponse): Promise<void> {
  const { run, asked, deps, signal } = told;
  const head = { ...headOf(run, asked), object: 'chat.completion.chunk' };
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  /** Waits for a client that reads slowly. */
  const send = async (data: object): Promise<void> => {
    if (response.write(`data: ${wellFormedJsonText(JSON.stringify(data))}\n\n`)) return;
    // Rejects when the client hangs up.
    await once(response, 'drain', { signal }).catch(() => {});
  };
  const choose = (delta: object, finish: 'stop' | 'length' | null = null) =>
    send({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  const tell = ({ kind, text }: AnswerPiece) =>
    choose(kind === 'content' ? { content: text } : { reasoning_content: text });
  keepAlive(response, 'the run goes on');
  try {
    await choose({ role: 'assistant', content: '' });
    const stream = new AnswerStream(run.id, asked);
    for await (const piece of piecesOf(told, stream)) await tell(piece);
    if (signal.aborted) return;
    const { text, usage, finish } = await endOf(told);
    for (const piece of stream.rest(text)) await tell(piece);
    await choose({}, finish);
    if (asked.includeUsage) await send({ ...head, choices: [], usage });
    response.end('data: [DONE]\n\n');
  } catch (error) {
    if (response.destroyed) return;
    const failed = toOpenaiError(error) ?? new OpenaiError(500, 'Something went wrong here.');
    if (!(error instanceof OpenaiError)) deps.log.error('A streamed answer failed', { error });
    await send(failed.body);
    response.end();
  }
}

const headOf = ({ id, createdAt }: ProcessRun, { model }: ChatCompletionRequest) => ({
  id: `chatcmpl-${id}`,
  created: Math.floor(Date.parse(createdAt) / 1_000),
  model,
  system_fingerprint: null,
});

/** The parameter of the caller that a field of our own input was read from. */
const PARAMS: Readonly<Record<string, string>> = {
  conversationId: 'metadata.conversation',
  processId: 'model',
  content: 'messages',
};

const paramOf = ([field = '', ...inner]: Problem['path']): string =>
  [entryOf(PARAMS, field) ?? field, ...inner].join('.');

const BUSY =
  'Another message of this conversation is being answered. Send this one again after the answer.';

/** Null for a defect. */
function toOpenaiError(error: unknown): OpenaiError | null {
  if (error instanceof OpenaiError) return error;
  if (error instanceof HttpRefused) {
    const { status, code, message, headers = {} } = error.refusal;
    const told = status === 429 ? 'rate_limit_exceeded' : code.toLowerCase();
    return new OpenaiError(status, message, { code: told, headers });
  }
  if (!(error instanceof Refusal)) return null;
  const [first] = error.problems;
  // Of two messages at once the later one finds that the talk has gone on. Clients send a 409
  // again.
  if (first?.code === 'STATE' && first.path[0] === 'parentAlternativeId')
    return new OpenaiError(409, BUSY, {
      code: 'conversation_busy',
      param: PARAMS['conversationId'],
    });
  const isMissing = error.problems.some(({ code }) => code === 'NOT_FOUND');
  return new OpenaiError(isMissing ? 404 : 400, error.message, {
    code: first?.code.toLowerCase() ?? null,
    param: first === undefined ? null : paramOf(first.path),
  });
}
