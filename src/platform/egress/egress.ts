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
  /** Decoded bytes of the answer; default RESPONSE_BYTES_MAX. Above: PAYLOAD_TOO_LARGE. */
  readonly bytesMax?: number;
  /** Until the answer's headers; default 5 minutes, because completions take long. The signal usually ends it first. */
  readonly headersMs?: number;
  /** Longest silence inside the answer; default 60 s, null for none. */
  readonly idleMs?: number | null;
}

export interface EgressInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Iterable<readonly [string, string]>;
  readonly body?: string | Uint8Array | null;
  readonly signal?: AbortSignal | null;
  readonly limits?: EgressLimits;
  /** A Tool owned by `system`: may reach `systemOrigins` too. */
  readonly system?: boolean;
  /** `manual` hands a redirect to the caller as it is; default: up to 3 are followed, each checked. */
  readonly redirect?: 'follow' | 'manual';
  /** Hears of a failure inside the body, which the reader gets as well. */
  readonly onBodyFault?: (fault: unknown) => void;
}

/** The part of the platform's fetch that SDKs use; what they get instead of the global one. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<globalThis.Response>;

/**
 * The only way out. Every connection passes the checks of address.ts at socket time, on every redirect.
 * Failures are ToolFaults: EGRESS_DENIED (final), PAYLOAD_TOO_LARGE (final), TOOL_FAILED (retryable: network).
 * An abort of the signal rejects with the signal's reason. Answers of any status are returned, not thrown.
 */
export interface Egress {
  fetch(url: string | URL, init?: EgressInit): Promise<globalThis.Response>;
  /** For SDKs that want a `fetch`; the bounds are fixed beforehand. */
  fetchWith(bounds: Pick<EgressInit, 'system' | 'limits' | 'onBodyFault'>): FetchLike;
  /**
   * Where a Bolt driver may connect: `bolt://<checked ip>:port`. For `bolt+s` the name stays, because the certificate
   * is checked against it, which also keeps a changed DNS answer from being talked to.
   * @throws ToolFault EGRESS_DENIED, for routing schemes (`neo4j://`) too: there the server names further addresses
   */
  resolveBolt(endpoint: string, bounds?: { system?: boolean }): Promise<string>;
  close(): Promise<void>;
}

export interface EgressSettings extends RuleSettings {
  readonly lookup?: Lookup;
  readonly connectMs?: number;
  /** Open connections per origin; more calls wait for one. */
  readonly connectionsPerOrigin?: number;
}

const CONNECT_MS = 10_000;
const HEADERS_MS = 300_000;
const IDLE_MS = 60_000;
const HEADER_BYTES_MAX = 64 * 1024;
const REDIRECTS_MAX = 3;
// What will be refused again: a wrong name, an unknown authority, an expired date.
const CERTIFICATE_FAULT = /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;
// One slow host may not take every socket of a worker, nor be flooded by it.
const CONNECTIONS_PER_ORIGIN = 32;

/** @throws Error when a setting can't be read */
export function openEgress(settings: EgressSettings): Egress {
  const rules = parseRules(settings);
  const connectMs = settings.connectMs ?? CONNECT_MS;
  const resolver = openResolver(rules, settings.lookup ?? systemLookup, connectMs);
  // Two pools: a socket opened for a system Tool must never serve a user's.
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
      if (late.signal.aborted) {
        throw new ToolFault(
          'TOOL_FAILED',
          `${request.url.host} did not answer within ${headersMs / 1000} s.`,
          { retryable: true },
        );
      }
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
    async close() {
      await Promise.all([agents.user.destroy(), agents.system.destroy()]);
    },
  };
}

/** A span without the path, query and headers, where Secrets stand; whoever is called is told the trace. */
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
  if (scheme === undefined) {
    throw denied(
      'A Bolt endpoint is bolt://host:port or bolt+s://host:port, without user, path or routing.',
    );
  }
  try {
    // Through URL, so that 0x7f.1 and its like are read as the addresses they are.
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
  // The body is decoded by now; these two would say otherwise.
  headers.delete('content-encoding');
  headers.delete('content-length');
  const empty =
    response.body === null || method === 'HEAD' || [204, 205, 304].includes(response.status);
  const body = empty
    ? null
    : boundedBody(response.body as ReadableStream<Uint8Array>, {
        bytesMax: limits.bytesMax ?? RESPONSE_BYTES_MAX,
        idleMs: limits.idleMs === undefined ? IDLE_MS : limits.idleMs,
        faultOf: (error) => (signal?.aborted ? signal.reason : networkFault(error, url)),
        onFault: onBodyFault,
      });
  const answer = new Response(body as BodyInit | null, {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
  Object.defineProperty(answer, 'url', { value: url.href });
  return answer as unknown as globalThis.Response;
}

function bodyOf(body: RequestInit['body'] | undefined): string | Uint8Array | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new TypeError('Only text and bytes can be sent.');
}

/** undici wraps what the connector threw; the words for a person are made here, without the request's own URL or headers. */
function networkFault(error: unknown, url: URL): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ToolFault) return cause;
    const code = 'code' in cause ? String(cause.code) : '';
    if (code === 'UND_ERR_HEADERS_OVERFLOW') {
      return new ToolFault(
        'PAYLOAD_TOO_LARGE',
        `The headers of ${url.host} are larger than ${HEADER_BYTES_MAX / 1024} KiB.`,
      );
    }
    if (CERTIFICATE_FAULT.test(code)) {
      return new ToolFault(
        'TOOL_FAILED',
        `The certificate of ${url.host} is not accepted: ${code}.`,
      );
    }
    if (code !== '')
      return new ToolFault('TOOL_FAILED', `Could not reach ${url.host}: ${code}.`, {
        retryable: true,
      });
  }
  return new ToolFault('TOOL_FAILED', `The connection to ${url.host} broke off.`, {
    retryable: true,
  });
}
