import type { Json, JsonObject } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';

/** Headers that control the connection. An author could smuggle requests with them. */
const FORBIDDEN = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'keep-alive',
  'expect',
  'proxy-authorization',
  'proxy-connection',
  'http2-settings',
]);

export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name);
}

export function isForbiddenHeader(name: string): boolean {
  return FORBIDDEN.has(name.toLowerCase());
}

/** Whether a header value is safe to send: a line break would start another header. */
export function isHeaderValue(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break ends a header and starts the next one
  return !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value);
}

export function checkHeaders(headers: JsonObject, path: readonly string[]): Problem[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const fault = headerFault(name, value);
    return fault === null ? [] : [problem('INVALID', [...path, name], fault)];
  });
}

function headerFault(name: string, value: Json): string | null {
  if (!isHeaderName(name)) return 'This is no name of a header.';
  if (isForbiddenHeader(name))
    return `The header ${name} belongs to the connection and can't be set.`;
  if (value === null || typeof value === 'object') return 'The value of a header is text.';
  return isHeaderValue(String(value))
    ? null
    : 'The value of a header has no line breaks or control characters.';
}
