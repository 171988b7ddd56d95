import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'graphql';
import type { Clock } from '../../common/clock.ts';
import { parseJson } from '../../common/exact-json.ts';
import { FairPlaces, type GiveBack, NoPlace } from '../../common/fair-places.ts';
import { isJsonObject } from '../../common/json.ts';
import { BODY_BYTES_MAX, INTAKE_BODY_BYTES_MAX } from '../../common/limits.ts';
import { wellFormedJsonText } from '../../common/well-formed.ts';
import { acceptanceOf } from '../../platform/http/accepts.ts';
import { answerPreflight, HttpRefused, NOT_JSON, tooFast } from '../../platform/http/answer.ts';
import { type GraphqlParams, readParams } from '../../platform/http/body.ts';
import { withoutEmpty } from '../../platform/http/graphql-params.ts';
import { isJson } from '../../platform/http/guards.ts';
import { asksMultipart } from '../../platform/http/multipart-subscription.ts';
import { rootFieldsOf } from '../../platform/http/operation-limits.ts';
import type { Documents } from '../../platform/http/persisted-queries.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import { NotAuthenticated } from '../../users/authenticate.service.ts';
import { AccountLeaving } from '../../users/user-directory.service.ts';
import { ANSWER_TYPES, type openGraphql } from './graphql.ts';
import { credentialsOf, endsIn, type Identify, type SignedIn } from './sign-in.ts';

/** Each holds up to 64 MiB of memory while it arrives. */
const LARGE_BODIES = { places: 6, placesPerOwner: 2, waiting: 200, waitingPerOwner: 20 };
const INTAKES = [
  'recordSessionEvents',
  'ingestEvents',
  'importBundle',
  'importOpenApiTools',
  'uploadFile',
];

export interface GraphqlRouteParts {
  readonly graphql: ReturnType<typeof openGraphql>;
  readonly documents: Documents;
  readonly identify: Identify;
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
  readonly tokensMax: number;
  /** Operations that stay open, over SSE and WebSocket. */
  readonly openOperations: FairPlaces;
  /** Default 10 s. */
  readonly pauseMsMax?: number;
}

/**
 * The checks before GraphQL for a request to /graphql: preflight, media type, identity, rate, size.
 */
export function openGraphqlRoute({
  graphql,
  documents,
  identify,
  rateLimiter,
  clock,
  tokensMax,
  openOperations,
  pauseMsMax,
}: GraphqlRouteParts) {
  const streams = new Set<ServerResponse>();
  const largeBodies = new FairPlaces(LARGE_BODIES);

  async function signIn(request: IncomingMessage): Promise<SignedIn | null> {
    const address = request.socket.remoteAddress ?? 'unknown';
    try {
      const signedIn = await identify(credentialsOf(request));
      count(signedIn?.viewer.userId ?? address);
      return signedIn;
    } catch (error) {
      if (!(error instanceof NotAuthenticated)) throw error;
      count(address);
      throw new HttpRefused({
        status: 401,
        code: error instanceof AccountLeaving ? 'ACCOUNT_DELETION' : 'UNAUTHENTICATED',
        message: error.message,
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
  }

  function count(caller: string): void {
    const waitSeconds = rateLimiter.waitSeconds(caller);
    if (waitSeconds > 0) throw new HttpRefused(tooFast(waitSeconds));
  }

  async function readBody(
    request: IncomingMessage,
    signedIn: SignedIn | null,
  ): Promise<GraphqlParams> {
    // A chunked body has no length and counts as small: large intakes send Content-Length.
    const isLarge = Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX;
    const maySendLarge = isLarge && signedIn !== null;
    const giveBack = maySendLarge
      ? await largeBodies.take(signedIn.viewer.userId).catch(toRefusal)
      : null;
    try {
      return await readParams(request, {
        bytesMax: BODY_BYTES_MAX,
        intakeBytesMax: maySendLarge ? INTAKE_BODY_BYTES_MAX : BODY_BYTES_MAX,
        ...(pauseMsMax === undefined ? {} : { pauseMsMax }),
        isIntake: (params) => isIntake(documents.resolve(withoutEmpty(params)), tokensMax),
      });
    } finally {
      giveBack?.();
    }
  }

  /** Registers a stream, to close it when the server stops or the token expires. */
  function follow(request: IncomingMessage, response: ServerResponse, signedIn: SignedIn | null) {
    const caller = signedIn?.viewer.userId ?? request.socket.remoteAddress ?? 'unknown';
    const giveBack = takeNow(openOperations, caller);
    streams.add(response);
    const timer = endsIn(signedIn, clock.nowMs(), () => response.destroy());
    response.once('close', () => {
      clearTimeout(timer);
      streams.delete(response);
      giveBack();
    });
  }

  return {
    /** @throws HttpRefused */
    async serve(
      request: IncomingMessage,
      response: ServerResponse,
      requestId: string,
    ): Promise<void> {
      if (request.method === 'OPTIONS')
        return answerPreflight(response, {
          headers: request.headers['access-control-request-headers'],
        });
      const isPost = request.method === 'POST';
      if (!isPost && request.method !== 'GET') throw new HttpRefused(WRONG_METHOD);
      if (isPost && !isJson(request.headers['content-type'])) throw new HttpRefused(NOT_JSON);
      const signedIn = await signIn(request);
      // A client that left meanwhile closes no second time.
      if (response.closed) return;
      const { accept } = request.headers;
      // A mutation whose answer nobody takes is not done.
      if (isPost && TYPES.every((type) => acceptanceOf(accept, type) === 'refused'))
        throw new HttpRefused({ status: 406, code: 'BAD_USER_INPUT', message: ANSWER_TYPES });
      if (accept?.includes('text/event-stream') || asksMultipart(accept))
        follow(request, response, signedIn);
      const arrival = { viewer: signedIn?.viewer ?? null, requestId };
      const given = isPost ? await readBody(request, signedIn) : paramsOf(request.url ?? '');
      const params = given === null ? {} : { params: documents.resolve(withoutEmpty(given)) };
      await graphql(request, response, { ...arrival, ...params });
    },
    /** Destroys the streams without `complete`, because that would mean that no events follow. */
    hangUp(): void {
      for (const response of streams) response.destroy();
    },
  };
}

/** The types of answers to a POST. */
const TYPES = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'multipart/mixed',
];

function takeNow(places: FairPlaces, caller: string): GiveBack {
  try {
    return places.takeNow(caller);
  } catch (error) {
    return toRefusal(error);
  }
}

function toRefusal(error: unknown): never {
  if (!(error instanceof NoPlace)) throw error;
  throw new HttpRefused({
    status: 429,
    code: 'RATE_LIMITED',
    message: error.message,
    // Unread bytes would be taken for the next request.
    headers: { 'retry-after': '5', connection: 'close' },
  });
}

/**
 * The parameters in the query string of a GET; null if it has none, as for a page.
 * @throws HttpRefused if one of them is no JSON object
 */
function paramsOf(url: string): GraphqlParams | null {
  const given = new URL(url, 'http://localhost').searchParams;
  const texts = ['query', 'operationName', 'documentId'].filter((name) => given.has(name));
  const objects = ['variables', 'extensions'].filter((name) => given.has(name));
  if (texts.length + objects.length === 0) return null;
  return Object.fromEntries([
    ...texts.map((name) => [name, given.get(name)]),
    ...objects.map((name) => [name, jsonObjectOf(given.get(name) || 'null', name)]),
  ]);
}

function jsonObjectOf(text: string, name: string): unknown {
  try {
    const value: unknown = parseJson(wellFormedJsonText(text));
    if (value === null || isJsonObject(value)) return value;
  } catch {
    // Refused below.
  }
  const message = `The query parameter ${name} is not a JSON object.`;
  throw new HttpRefused({ status: 400, code: 'BAD_USER_INPUT', message });
}

const WRONG_METHOD = {
  status: 405,
  code: 'BAD_USER_INPUT',
  message:
    'Send GET or POST. The single connection mode of graphql-sse is not served: leave ' +
    'singleConnection off, or use graphql-ws.',
  headers: { allow: 'GET, POST, OPTIONS' },
} as const;

/**
 * Whether the operation has one root field and that field takes large input. Such bodies may be
 * larger.
 */
function isIntake({ query, operationName }: GraphqlParams, tokensMax: number): boolean {
  if (typeof query !== 'string' || query.length > BODY_BYTES_MAX) return false;
  try {
    const document = parse(query, { maxTokens: tokensMax });
    const fields = rootFieldsOf(document, typeof operationName === 'string' ? operationName : null);
    return fields.length === 1 && fields.every((field) => INTAKES.includes(field));
  } catch {
    return false;
  }
}
