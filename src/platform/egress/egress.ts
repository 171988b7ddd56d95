import { Agent, type BodyInit, Headers, Response, fetch as undiciFetch } from 'undici';
import { RESPONSE_BYTES_MAX } from '../../common/limits.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import { currentTraceparent, inChildSpan } from '../telemetry/tracing.ts';
import { endpointOf, parseEndpoint, parseRules, type RuleSettings } from './address.ts';
import { boundedBody } from './bounded-body.ts';
import { checkedConnector } from './connector.ts';
import {
  checkHeaders,
  checkUrl,
  type OutgoingRequest,
  redirected,
  redirectTarget,
} from './request-rules.ts';
import { type Caller, denied, type Lookup, openResolver, systemLookup } from './resolver.ts';

export interface EgressLimits {
  /**
   * Maximum decoded bytes of the response; default RESPONSE_BYTES_MAX. Above: PAYLOAD_TOO_LARGE.
   */
  readonly bytesMax?: number;
  /** Maximum ms until the headers; default 5 minutes, because completions take long. */
  readonly headersMs?: number;
  /** Maximum ms between two chunks of the body; default 60 s, null = no limit. */
  readonly idleMs?: number | null;
}

export interface EgressInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Iterable<readonly [string, string]>;
  readonly body?: string | Uint8Array | null;
  readonly signal?: AbortSignal | null;
  readonly limits?: EgressLimits;
  /** Whether `system` owns the Tool; then it may reach `systemOrigins` too. */
  readonly system?: boolean;
  /** `manual` returns a redirect as it is. Default: up to 3 are followed, each checked. */
  readonly redirect?: 'follow' | 'manual';
  /** Called on a failure inside the body. The reader gets the failure too. */
  readonly onBodyFault?: (fault: unknown) => void;
}

/** The part of fetch that SDKs use; given to them instead of the global fetch. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<globalThis.Response>;

/**
 * Sends all requests of Tools. Every connection is checked by address.ts when the socket opens, on
 * redirects too. Failures are ToolFaults: EGRESS_DENIED and PAYLOAD_TOO_LARGE (final), TOOL_FAILED
 * (retryable: network). An abort rejects with the signal's reason. Responses of any status are
 * returned, not thrown.
 */
export interface Egress {
  fetch(url: string | URL, init?: EgressInit): Promise<globalThis.Response>;
  /** A `fetch` for SDKs, with fixed limits. */
  fetchWith(bounds: Pick<EgressInit, 'system' | 'limits' | 'onBodyFault'>): FetchLike;
  /**
   * The address for a Bolt driver: `bolt://<checked ip>:port`. For `bolt+s` the name stays: the
   * certificate is checked against it, which also protects against a changed DNS answer.
   * @throws ToolFault EGRESS_DENIED, also for routing schemes (`neo4j://`), where the server names
   * further addresses
   */
  resolveBolt(endpoint: string, bounds?: { system?: boolean }): Promise<string>;
  /** Closes further ports of the platform, as host:port. */
  closePorts(ports: readonly string[]): void;
  close(): Promise<void>;
}

export interface EgressSettings extends RuleSettings {
  readonly lookup?: Lookup;
  readonly connectMs?: number;
  /** Maximum open connections per origin; further calls wait. */
  readonly connectionsPerOrigin?: number;
}

const CONNECT_MS = 10_000;
const HEADERS_MS = 300_000;
const IDLE_MS = 60_000;
const HEADER_BYTES_MAX = 64 * 1024;
const REDIRECTS_MAX = 3;
// Certificate faults that a retry can not fix: wrong name, unknown authority, expired.
const CERTIFICATE_FAULT = /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;
// One slow host must not take all sockets of a worker, nor be flooded by it.
const CONNECTIONS_PER_ORIGIN = 32;

/** @throws Error for an invalid setting */
export function openEgress(settings: EgressSettings): Egress {
  const rules = parseRules(settings);
  const connectMs = settings.connectMs ?? CONNECT_MS;
  const resolver = openResolver(rules, settings.lookup ?? systemLookup, connectMs);
  // Two pools, because a socket opened for a system Tool must never serve a user's Tool.
  const agents = { user: openAgent('user'), system: openAgent('system') };

  function openAgent(caller: Caller): Agent {
    return new Agent({
      connect: checkedConnector(resolver, caller, connectMs),
      connections: settings.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_MS,
      bodyTimeout: 0,
      keepAliveTimeout: 10_000,
    });
  }

  async function once(request: OutgoingRequest, init: EgressInit): Promise<Response> {
    const caller = init.system === true ? 'system' : 'user';
    const late = new AbortController();
    const headersMs = init.limits?.headersMs ?? HEADERS_MS;
    const timer = setTimeout(() => late.abort(), headersMs);
    try {
      return await traced(request, (headers) =>
        undiciFetch(request.url, {
          method: request.method,
          headers,
          body: request.body,
          redirect: 'manual',
          signal: init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal,
          dispatcher: agents[caller],
        }),
      );
    } catch (error) {
      init.signal?.throwIfAborted();
      if (late.signal.aborted)
        throw new ToolFault(
          'TOOL_FAILED',
          `${request.url.host} did not answer within ${headersMs / 1000} s.`,
          { retryable: true },
        );
      throw networkFault(error, request.url);
    } finally {
      clearTimeout(timer);
    }
  }

  async function fetchBounded(
    input: string | URL,
    init: EgressInit = {},
  ): Promise<globalThis.Response> {
    init.signal?.throwIfAborted();
    let request: OutgoingRequest = {
      url: checkUrl(input),
      method: (init.method ?? 'GET').toUpperCase(),
      headers: checkHeaders(init.headers),
      body: init.body ?? null,
    };
    for (let hops = 0; ; hops++) {
      const response = await once(request, init);
      const target = init.redirect === 'manual' ? null : redirectTarget(response, request.url);
      if (target === null) return bounded(response, request, init);
      await response.body?.cancel();
      if (hops === REDIRECTS_MAX)
        throw denied(`${request.url.host} redirects more than ${REDIRECTS_MAX} times.`);
      request = redirected(request, response.status, target);
    }
  }

  return {
    fetch: fetchBounded,
    fetchWith:
      (bounds) =>
      (url, init = {}) =>
        fetchBounded(url, {
          method: init.method ?? 'GET',
          headers: new Headers(init.headers as Record<string, string>),
          body: bodyOf(init.body),
          signal: init.signal ?? null,
          redirect: init.redirect === 'manual' ? 'manual' : 'follow',
          ...bounds,
        }),
    async resolveBolt(endpoint, { system = false } = {}) {
      const { scheme, host, port } = parseBolt(endpoint);
      const [address = ''] = await resolver.resolve({ host, port }, system ? 'system' : 'user');
      const shown = scheme === 'bolt' ? address : host;
      return `${scheme}://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
    },
    closePorts(ports) {
      rules.platform.push(...ports.map(parseEndpoint));
    },
    async close() {
      await Promise.all([agents.user.destroy(), agents.system.destroy()]);
    },
  };
}

/**
 * A span without path, query and headers, which may hold Secrets. The target gets the traceparent.
 */
function traced(
  { method, url, headers }: OutgoingRequest,
  call: (headers: Headers) => Promise<Response>,
): Promise<Response> {
  const attributes = {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  };
  return inChildSpan(`HTTP ${method}`, { kind: 'client', attributes }, async (span) => {
    if (span === null) return call(headers);
    const told = new Headers(headers);
    const traceparent = currentTraceparent();
    if (traceparent !== null && !told.has('traceparent')) told.set('traceparent', traceparent);
    const response = await call(told);
    span.setAttribute('http.response.status_code', response.status);
    return response;
  });
}

function parseBolt(endpoint: string): { scheme: 'bolt' | 'bolt+s'; host: string; port: number } {
  const [, scheme, rest = ''] = /^(bolt|bolt\+s):\/\/([^/?#@\s]+)\/?$/i.exec(endpoint) ?? [];
  if (scheme === undefined)
    throw denied(
      'A Bolt endpoint is bolt://host:port or bolt+s://host:port, without user, path or routing.',
    );
  try {
    // Parsed as a URL, so that forms like 0x7f.1 become plain addresses.
    const url = new URL(`http://${rest}`);
    const port = /:\d+$/.test(rest) ? Number(/:(\d+)$/.exec(rest)?.[1]) : 7687;
    return {
      scheme: scheme.toLowerCase() as 'bolt' | 'bolt+s',
      ...parseEndpoint(`${endpointOf(url).host}:${port}`),
    };
  } catch {
    throw denied('The Bolt endpoint has no valid host and port.');
  }
}

function bounded(
  response: Response,
  { url, method }: OutgoingRequest,
  { limits = {}, signal, onBodyFault }: EgressInit,
): globalThis.Response {
  const headers = new Headers(response.headers);
  // The body is already decoded, so these headers would be wrong.
  headers.delete('content-encoding');
  headers.delete('content-length');
  const empty =
    response.body === null || method === 'HEAD' || [204, 205, 304].includes(response.status);
  const body = empty
    ? null
    : boundedBody(response.body as ReadableStream<Uint8Array>, {
        bytesMax: limits.bytesMax ?? RESPONSE_BYTES_MAX,
        idleMs: limits.idleMs === undefined ? IDLE_MS : limits.idleMs,
        faultOf: (error) => (signal?.aborted ? signal.reason : bodyFault(error, url)),
        onFault: onBodyFault,
      });
  // A Response can't be made with a status such as 999, which servers send.
  const isUsual = response.status >= 200 && response.status <= 599;
  const answer = new Response(body as BodyInit | null, {
    status: isUsual ? response.status : 599,
    statusText: response.statusText,
    headers,
  });
  Object.defineProperty(answer, 'url', { value: url.href });
  if (!isUsual) Object.defineProperty(answer, 'status', { value: response.status });
  return answer as unknown as globalThis.Response;
}

function bodyOf(body: RequestInit['body'] | undefined): string | Uint8Array | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new TypeError('Only text and bytes can be sent.');
}

/** The fault of an answer that can't be read; null for another error. */
function garbledWords(name: string, code: string): string | null {
  if (name === 'HTTPParserError') return 'gave an answer that is no HTTP';
  return /^(Z_|ERR_BROTLI|ERR__ERROR_|ZSTD_)/.test(code)
    ? 'gave an answer whose compression is broken'
    : null;
}

/** Codes of a connection that ended after it was made. */
const ENDED = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ECONNRESET',
  'EPIPE',
]);

/** As networkFault, for an answer that has begun. */
function bodyFault(error: unknown, url: URL): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const isEnd = 'code' in cause && ENDED.has(String(cause.code));
    if (!isEnd || cause.name === 'HTTPParserError') continue;
    const message = `The answer of ${url.host} broke off before its end.`;
    return new ToolFault('TOOL_FAILED', message, { retryable: true });
  }
  return networkFault(error, url);
}

/** Translates undici's error into a ToolFault without the request's URL or headers. */
function networkFault(error: unknown, url: URL): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ToolFault) return cause;
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    const garbled = garbledWords(cause.name, code);
    if (garbled !== null)
      return new ToolFault('TOOL_FAILED', `${url.host} ${garbled}.`, { retryable: true });
    if (code === 'UND_ERR_HEADERS_OVERFLOW')
      return new ToolFault(
        'PAYLOAD_TOO_LARGE',
        `The headers of ${url.host} are larger than ${HEADER_BYTES_MAX / 1024} KiB.`,
      );
    if (CERTIFICATE_FAULT.test(code))
      return new ToolFault(
        'TOOL_FAILED',
        `The certificate of ${url.host} is not accepted: ${code}.`,
      );
    if (ENDED.has(code))
      return new ToolFault(
        'TOOL_FAILED',
        `${url.host} ended the connection before it answered: ${code}.`,
        { retryable: true },
      );
    if (code !== '')
      return new ToolFault('TOOL_FAILED', `Could not reach ${url.host}: ${code}.`, {
        retryable: true,
      });
  }
  return new ToolFault('TOOL_FAILED', `The connection to ${url.host} broke off.`, {
    retryable: true,
  });
}
