import { RE2JS } from 're2js';

/** Replaces every removed secret. */
export const REDACTED = '[REDACTED]';

/** S3-RED-01: fields whose values are never recorded or logged. Compare them by `normalName`. */
export const REDACTED_FIELDS_DEFAULT: readonly string[] = [
  'apiKey',
  'token',
  'password',
  'secret',
  'authorization',
  'key',
];

/** The number of a ticket, such as QUO-331, is the `key` of a tracker's record and no secret. */
const TICKET = /^[A-Z][A-Z\d]{1,9}-\d{1,7}$/;

/** Whether a field of this name may show its value: only `key`, and only a ticket's number. */
export function isTicket(name: string, value: unknown): boolean {
  return normalName(name) === 'key' && typeof value === 'string' && TICKET.test(value);
}

/**
 * A placeholder among patterns for base64: 40 characters or more with a digit, an upper and a lower
 * case letter. Ids, paths and slugs use the same alphabet, and a linear pattern cannot require one
 * of each.
 */
export const BASE64_PATTERN = ':base64:';

/**
 * S3-RED-02: patterns of secrets in any text, in RE2 syntax (linear time). The default of the
 * setting `redactedPatterns` and of the log. Add a new kind of secret here and an example to
 * test/pure/redaction.test.ts.
 */
export const SECRET_PATTERNS = {
  credentials: '(?i)\\b(?:bearer|basic)\\s+[a-z0-9._~+/:=-]{8,}',
  base64: BASE64_PATTERN,
  jsonWebToken: '\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*',
  vendorKey: '\\b(?:sk|pk|rk|xox[abprs]|gh[pousr]|glpat|AKIA)[-_A-Za-z0-9]{16,}',
  privateKey: '-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*-----)?',
  // user:password@ in addresses.
  addressPassword: '://[^\\s/@:]+:[^\\s/@]+@',
} as const satisfies Readonly<Record<string, string>>;

export const REDACTED_PATTERNS_DEFAULT: readonly string[] = Object.values(SECRET_PATTERNS);

/** `API-Key`, `api_key` and `apiKey` are one name. */
export function normalName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/**
 * Compiles a pattern into a function that replaces each match by `shown`. Compiling takes up to a
 * millisecond, so keep the function.
 * @param source a pattern in RE2 syntax that `patternFault` accepts, or BASE64_PATTERN
 */
export function secretReplacer(source: string, shown = REDACTED): (text: string) => string {
  const isBase64 = source === BASE64_PATTERN;
  const pattern = linear(isBase64 ? '[A-Za-z0-9+/_-]{40,}={0,2}' : source);
  const isSecret = isBase64 ? isMixed : () => true;
  return (text) =>
    replaceEach(text, pattern, (start, end) =>
      end > start && isSecret(text.slice(start, end)) ? { start, end, shown } : null,
    );
}

/**
 * Compiles a pattern into a function that redacts the value after each match.
 * @param endOf returns the index at which the value ends that begins at `at`
 */
export function valueReplacer(
  source: string,
  endOf: (text: string, at: number) => number,
): (text: string) => string {
  const pattern = linear(source);
  return (text) =>
    replaceEach(text, pattern, (_start, at) => {
      const end = endOf(text, at);
      return end > at ? { start: at, end, shown: REDACTED } : null;
    });
}

const linear = (source: string): RE2JS => RE2JS.compile(RE2JS.translateRegExp(source));

function replaceEach(
  text: string,
  pattern: RE2JS,
  cut: (start: number, end: number) => { start: number; end: number; shown: string } | null,
): string {
  // A test is several times cheaper than a search, and most texts hold no secret.
  if (!pattern.test(text)) return text;
  const matcher = pattern.matcher(text);
  let result = '';
  let from = 0;
  while (matcher.find()) {
    // A match inside the value that was just removed is skipped.
    if (matcher.end() < from) continue;
    const secret = cut(matcher.start(), matcher.end());
    if (secret === null) continue;
    result += text.slice(from, secret.start) + secret.shown;
    from = secret.end;
  }
  return result + text.slice(from);
}

const isMixed = (match: string): boolean =>
  /\d/.test(match) && /[A-Z]/.test(match) && /[a-z]/.test(match);

/** The number of characters from `at` to the first match of `stop`, or to the end of the text. */
export function lengthUntil(text: string, at: number, stop: RegExp): number {
  const length = text.slice(at).search(stop);
  return length < 0 ? text.length - at : length;
}
