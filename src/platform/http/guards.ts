import type { IncomingMessage } from 'node:http';

/** What a request is refused with before GraphQL sees it. `code` is the same set as in GraphQL errors. */
export interface HttpRefusal {
  readonly status: number;
  readonly code:
    | 'FORBIDDEN'
    | 'BAD_USER_INPUT'
    | 'PAYLOAD_TOO_LARGE'
    | 'RATE_LIMITED'
    | 'UNAUTHENTICATED'
    | 'INTERNAL';
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

export interface AddressGuard {
  /** Null where the request may go on. For HTTP requests and for WebSocket upgrades alike. */
  check(request: IncomingMessage): HttpRefusal | null;
  allowsOrigin(origin: string): boolean;
}

/**
 * Refuses requests that a page elsewhere made a browser send: an Origin that is not listed, and in dev (where no token is
 * needed) a Host that is no loopback name of ours, which is what DNS rebinding looks like.
 * @param host the loopback address we listen on in dev, where it is another than the usual
 * @param origins origins besides our own loopback ones; `port` is asked late because the system may choose it
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
        return {
          status: 403,
          code: 'FORBIDDEN',
          message: 'In dev the server answers only to its loopback names.',
        };
      }
      if (headers.origin !== undefined && !allowsOrigin(headers.origin)) {
        return {
          status: 403,
          code: 'FORBIDDEN',
          message: 'This origin is not on the list (AIDEN_CORS_ORIGINS).',
        };
      }
      return null;
    },
  };
}

/** `application/json`, in UTF-8 if it says so; other types are what HTML forms can send without being asked. */
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
