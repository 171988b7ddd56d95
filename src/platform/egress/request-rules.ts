import { isUtf8 } from 'node:buffer';
import { Headers, type Response } from 'undici';
import { denied } from './resolver.ts';

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array | null;
}

// Headers that define the target and the end of a message; setting them would allow request
// smuggling.
const FORBIDDEN_HEADERS = new Set([
  'host',
  'transfer-encoding',
  'content-length',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
  'proxy-connection',
]);
// Headers kept on a redirect to another origin: any other may carry a credential.
const HARMLESS_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
  'idempotency-key',
];
const BODY_HEADERS = ['content-type', 'content-language', 'content-location'];

/** @throws ToolFault EGRESS_DENIED for an invalid URL */
export function checkUrl(input: string | URL): URL {
  const url = typeof input === 'string' ? URL.parse(input) : input;
  if (url === null) throw denied('The address is not a valid URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw denied(`Only http and https can be called, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw denied(
      'A URL with user and password in it is not called; bind a Secret with the scope basic ' +
        'instead.',
    );
  if (url.hostname === '' || url.port === '0') throw denied('The address has no host or port.');
  return url;
}

/** @throws ToolFault EGRESS_DENIED for line breaks and for headers that a caller may not set */
export function checkHeaders(
  given: Readonly<Record<string, string>> | Iterable<readonly [string, string]> | undefined,
): Headers {
  const headers = new Headers({ 'user-agent': 'aiden' });
  const entries =
    given === undefined ? [] : Symbol.iterator in given ? given : Object.entries(given);
  for (const [name, value] of entries as Iterable<readonly [string, string]>) {
    if (FORBIDDEN_HEADERS.has(name.toLowerCase()))
      throw denied(`The header ${name} can not be set.`);
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
      throw denied('A header has a name that is not allowed.');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
    if (/[\r\n\u0000]|[^\u0000-\u00ff]/.test(value))
      throw denied(`The header ${name} holds a line break or a character that can not be sent.`);
    headers.set(name, value);
  }
  return headers;
}

/** The target of a redirect; null when the response is no redirect. */
export function redirectTarget(response: Response, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(response.status)) return null;
  const location = response.headers.get('location');
  if (location === null) return null;
  // Headers are read as Latin-1; servers that do not encode a location write UTF-8.
  const bytes = Buffer.from(location, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : location;
  const target = checkUrl(URL.parse(text, from.href) ?? '');
  if (from.protocol === 'https:' && target.protocol === 'http:')
    throw denied(`${from.host} redirects from https to http.`);
  return target;
}

/**
 * The request after a redirect: GET where HTTP demands it, without credentials to another origin.
 */
export function redirected(request: OutgoingRequest, status: number, target: URL): OutgoingRequest {
  const toGet =
    status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST';
  const sameOrigin = target.origin === request.url.origin;
  const kept = [...request.headers].filter(
    ([name]) =>
      (sameOrigin || HARMLESS_HEADERS.includes(name)) && !(toGet && BODY_HEADERS.includes(name)),
  );
  return {
    url: target,
    method: toGet ? 'GET' : request.method,
    headers: new Headers(kept as [string, string][]),
    body: toGet ? null : request.body,
  };
}
