import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A refusal before GraphQL. `code` is one of the GraphQL error codes. */
export interface HttpRefusal {
  readonly status: number;
  readonly code:
    | 'FORBIDDEN'
    | 'BAD_USER_INPUT'
    | 'PAYLOAD_TOO_LARGE'
    | 'RATE_LIMITED'
    | 'UNAUTHENTICATED'
    | 'ACCOUNT_DELETION'
    | 'PERSISTED_QUERY_NOT_FOUND'
    | 'UNAVAILABLE'
    | 'INTERNAL';
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

export interface AddressGuard {
  /** Null when the request is allowed. For HTTP requests and WebSocket upgrades. */
  check(request: IncomingMessage): HttpRefusal | null;
  allowsOrigin(origin: string): boolean;
}

/**
 * Refuses requests that another page made a browser send: an Origin that is not listed and, in dev,
 * a Host that is not our loopback name (DNS rebinding). In dev a request needs no token.
 * @param host the loopback address that the server listens on in dev
 * @param origins allowed origins besides our own
 * @param port called per request, because the system may choose the port
 */
export function guardAddresses({
  mode,
  host: ownName,
  origins,
  port,
}: {
  mode: 'dev' | 'production';
  host: string;
  origins: readonly string[];
  port: () => number;
}): AddressGuard {
  const listed = new Set(origins.map((origin) => origin.toLowerCase()));
  const ownHost = (host: string) =>
    [...LOOPBACK_NAMES, ownName].some(
      (name) => host === `${name}:${port()}` || (port() === 80 && host === name),
    );

  const allowsOrigin = (origin: string) => {
    const lower = origin.toLowerCase();
    return (
      listed.has(lower) ||
      (mode === 'dev' && lower.startsWith('http://') && ownHost(lower.slice('http://'.length)))
    );
  };
  return {
    allowsOrigin,
    check({ headers }) {
      const host = headers.host?.toLowerCase() ?? '';
      if (!/^[\w.:[\]-]+$/.test(host))
        return { status: 400, code: 'BAD_USER_INPUT', message: 'The Host header is not valid.' };
      if (mode === 'dev' && !ownHost(host)) {
        const message =
          `In dev the server answers only to its loopback names, such as 127.0.0.1:${port()}, ` +
          `and not to the Host ${host}. A proxy has to send the Host of its target (Vite: ` +
          'changeOrigin: true).';
        return { status: 403, code: 'FORBIDDEN', message };
      }
      if (headers.origin !== undefined && !allowsOrigin(headers.origin)) {
        const message =
          'This origin is not on the list ' +
          `(AIDEN_CORS_ORIGINS).${remedyFor(mode, headers.origin)}`;
        return { status: 403, code: 'FORBIDDEN', message };
      }
      return null;
    },
  };
}

const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** In dev the setting that lets an app on this machine in. */
function remedyFor(mode: 'dev' | 'production', origin: string): string {
  if (mode !== 'dev' || !LOOPBACK_ORIGIN.test(origin)) return '';
  return (
    ` To let this app call the API, start it with AIDEN_CORS_ORIGINS=${origin}; several origins ` +
    'are separated by commas.'
  );
}

/**
 * Whether the type is `application/json`, in UTF-8 if a charset is given. HTML forms can't send it
 * without a CORS preflight.
 */
export function isJson(contentType: string | undefined): boolean {
  const [type = '', ...params] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = params.find((param) => param.startsWith('charset='));
  return (
    type === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset))
  );
}

/**
 * Whether a page of this server sent the request, by the headers that browsers set and pages can't.
 * A browser that sends no Sec-Fetch-Site is judged by its Origin.
 */
export function isOwnPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && host !== undefined && sameHost(origin, host);
}

const sameHost = (origin: string, host: string): boolean =>
  origin.toLowerCase().replace(/^https?:\/\//, '') === host.toLowerCase();
