import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'graphql';
import type { Clock } from '../../common/clock.ts';
import { BODY_BYTES_MAX, INTAKE_BODY_BYTES_MAX } from '../../common/limits.ts';
import { answerPreflight, HttpRefused, tooFast } from '../../platform/http/answer.ts';
import { type GraphqlParams, readParams } from '../../platform/http/body.ts';
import { isJson } from '../../platform/http/guards.ts';
import { rootFieldsOf } from '../../platform/http/operation-limits.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import { NotAuthenticated } from '../../users/authenticate.service.ts';
import type { openGraphql } from './graphql.ts';
import { endsIn, type Identify, type SignedIn } from './sign-in.ts';

const LARGE_BODIES_AT_ONCE_MAX = 4;
const INTAKES = ['recordSessionEvents', 'ingestEvents', 'importBundle', 'uploadFile'];

export interface GraphqlRouteParts {
  readonly graphql: ReturnType<typeof openGraphql>;
  readonly identify: Identify;
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
  readonly tokensMax: number;
}

/**
 * The checks before GraphQL for a request to /graphql: preflight, media type, identity, rate, size.
 */
export function openGraphqlRoute({
  graphql,
  identify,
  rateLimiter,
  clock,
  tokensMax,
}: GraphqlRouteParts) {
  const streams = new Set<ServerResponse>();
  let largeBodies = 0;

  async function signIn({ headers, socket }: IncomingMessage): Promise<SignedIn | null> {
    const address = socket.remoteAddress ?? 'unknown';
    try {
      const signedIn = await identify(headers.authorization ?? null);
      count(signedIn?.viewer.userId ?? address);
      return signedIn;
    } catch (error) {
      if (!(error instanceof NotAuthenticated)) throw error;
      count(address);
      throw new HttpRefused({
        status: 401,
        code: 'UNAUTHENTICATED',
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
    const maySendLarge = isLarge && signedIn !== null && largeBodies < LARGE_BODIES_AT_ONCE_MAX;
    if (isLarge) largeBodies += 1;
    try {
      return await readParams(request, {
        bytesMax: BODY_BYTES_MAX,
        intakeBytesMax: maySendLarge ? INTAKE_BODY_BYTES_MAX : BODY_BYTES_MAX,
        isIntake: (params) => isIntake(params, tokensMax),
      });
    } finally {
      if (isLarge) largeBodies -= 1;
    }
  }

  /** Registers a stream, to close it when the server stops or the token expires. */
  function follow(response: ServerResponse, signedIn: SignedIn | null): void {
    streams.add(response);
    const timer = endsIn(signedIn, clock.nowMs(), () => response.destroy());
    response.once('close', () => {
      clearTimeout(timer);
      streams.delete(response);
    });
  }

  return {
    /** @throws HttpRefused */
    async serve(
      request: IncomingMessage,
      response: ServerResponse,
      requestId: string,
    ): Promise<void> {
      if (request.method === 'OPTIONS') return answerPreflight(response);
      const isPost = request.method === 'POST';
      if (isPost && !isJson(request.headers['content-type'])) throw new HttpRefused(NOT_JSON);
      const signedIn = await signIn(request);
      if (request.headers.accept?.includes('text/event-stream')) follow(response, signedIn);
      const arrival = { viewer: signedIn?.viewer ?? null, requestId };
      const params = isPost ? { params: await readBody(request, signedIn) } : {};
      await graphql(request, response, { ...arrival, ...params });
    },
    /** Destroys the streams without `complete`, because that would mean that no events follow. */
    hangUp(): void {
      for (const response of streams) response.destroy();
    },
  };
}

const NOT_JSON = {
  status: 415,
  code: 'BAD_USER_INPUT',
  message: 'POST JSON: Content-Type has to be application/json.',
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
