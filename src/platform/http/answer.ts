import type { IncomingMessage, ServerResponse } from 'node:http';
import { wellFormedJsonText } from '../../common/well-formed.ts';
import type { HttpRefusal } from './guards.ts';

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    .end(wellFormedJsonText(JSON.stringify(body)));
}

/** Sends a refusal in the shape of a GraphQL response, so that clients parse one error format. */
export function refuse(
  response: ServerResponse,
  { status, code, message, headers }: HttpRefusal,
): void {
  if (response.headersSent) return void response.destroy();
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  answerJson(response, status, { errors: [{ message, extensions: { code } }] });
}

/** Thrown by handlers; the server answers it with `refuse`. */
export class HttpRefused extends Error {
  override readonly name = 'HttpRefused';
  readonly refusal: HttpRefusal;
  constructor(refusal: HttpRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export const NOT_SERVED: HttpRefusal = {
  status: 404,
  code: 'BAD_USER_INPUT',
  message:
    'Nothing is served at this path. GraphQL is at /graphql, MCP at /mcp, and the models for ' +
    'clients of OpenAI below the base URL /v1.',
};

/** The body of a request has another type than JSON. */
export const NOT_JSON: HttpRefusal = {
  status: 415,
  code: 'BAD_USER_INPUT',
  message: 'POST JSON in UTF-8: Content-Type has to be application/json.',
};

export function tooFast(waitSeconds: number): HttpRefusal {
  return {
    status: 429,
    code: 'RATE_LIMITED',
    message: `Too many requests; try again in ${waitSeconds} s.`,
    headers: { 'retry-after': String(waitSeconds) },
  };
}

/** Headers of every response. */
export function setSafeHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('x-request-id', requestId);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('x-frame-options', 'DENY');
}

/** Sets CORS headers for an origin that the address guard accepted. */
export function allowOrigin(
  { headers: { origin } }: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('vary', 'Origin');
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED_HEADERS.join(', '));
}

/** Response headers that a page of another origin may read, on every route. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'x-aiden-run-id',
  'x-should-retry',
  'retry-after',
  'allow',
  'www-authenticate',
  'mcp-session-id',
  'mcp-protocol-version',
];

/** Request headers of the clients that we know, on every route. */
const ALLOWED_HEADERS = [
  'content-type',
  'authorization',
  'accept',
  'idempotency-key',
  'last-event-id',
  'traceparent',
  'tracestate',
  'baggage',
  'x-request-id',
  'x-requested-with',
  'apollo-require-preflight',
  'apollographql-client-name',
  'apollographql-client-version',
  'x-apollo-operation-id',
  'x-apollo-operation-name',
  'graphql-preflight',
  'graphql-require-preflight',
  'x-graphql-event-stream-token',
  'mcp-session-id',
  'mcp-protocol-version',
];
const ASKED_HEADERS_MAX = 100;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

/**
 * Answers a browser that asks what it may send. The address guard has accepted its origin, so
 * headers that we do not know are allowed too: clients add headers of their own, and none is read.
 * @param headers those that the browser asks for (Access-Control-Request-Headers)
 */
export function answerPreflight(
  response: ServerResponse,
  {
    methods = 'GET, POST, OPTIONS',
    headers = '',
  }: { readonly methods?: string; readonly headers?: string | undefined } = {},
): void {
  const asked = headers
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => HEADER_NAME.test(name));
  const allowed = new Set([...ALLOWED_HEADERS, ...asked.slice(0, ASKED_HEADERS_MAX)]);
  response
    .writeHead(204, {
      'access-control-allow-methods': methods,
      'access-control-allow-headers': [...allowed].join(', '),
      'access-control-max-age': '600',
      'content-length': '0',
    })
    .end();
}
