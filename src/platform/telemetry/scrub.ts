/** What stands where something secret stood. */
export const REDACTED = '[REDACTED]';

/** S3-RED-01: names of fields whose values are never shown; compared without case, `_` and `-`. */
export const REDACTED_FIELDS_DEFAULT = [
  'apiKey',
  'token',
  'password',
  'secret',
  'authorization',
  'key',
] as const;

// What the platform itself never shows beside them. `value` is the input of createSecret and updateSecret.
const REDACTED_FIELDS_OWN = [
  'value',
  'accessToken',
  'refreshToken',
  'clientSecret',
  'privateKey',
  'secretKey',
  'secretKeys',
  'credentials',
  'cookie',
  'setCookie',
  'xApiKey',
  'proxyAuthorization',
  'passphrase',
  'pwd',
  'jwt',
  'bearer',
];

/** S3-RED-02: what secrets look like inside any text. */
export const REDACTED_PATTERNS_DEFAULT: readonly RegExp[] = [
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/:=-]{8,}/gi,
  // JSON Web Tokens.
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  // Keys of well-known vendors.
  /\b(?:sk|pk|rk|xox[abprs]|gh[pousr]|glpat|AKIA)[-_A-Za-z0-9]{16,}/g,
  // user:password@ in addresses, and the values of telling query parameters.
  /(?<=:\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
  /(?<=[?&](?:api_?key|token|access_token|password|secret|key|sig|signature)=)[^&\s"']+/gi,
  // name=value and name: value in plain text.
  /(?<=\b(?:api[_-]?key|token|password|passwd|secret)\s*[=:]\s*)[^\s"',;&]{3,}/gi,
  // The same inside JSON that travels as text.
  /(?<="(?:api_?key|token|password|secret|authorization|value)"\s*:\s*")(?:[^"\\]|\\.)*/gi,
  // Base64 of 40 characters or more; ids and plain words are shorter or have no digits.
  /(?<![A-Za-z0-9+/=_-])(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[A-Z])(?=[A-Za-z0-9+/_-]*[a-z])[A-Za-z0-9+/_-]{40,}={0,2}/g,
];

export interface ScrubOptions {
  readonly fields?: readonly string[];
  readonly patterns?: readonly RegExp[];
  /** Exact values in use right now, such as a Secret just decrypted; from 8 characters. */
  readonly values?: readonly string[];
}

const DEPTH_MAX = 12;

/**
 * A copy of any value with everything secret replaced: by field name at every depth, by pattern and by exact value in every
 * text. Errors become {name, message, stack}. Never throws; what is nested too deep is cut, not shown.
 */
export function scrub(value: unknown, options: ScrubOptions = {}): unknown {
  const names = new Set(
    [...(options.fields ?? REDACTED_FIELDS_DEFAULT), ...REDACTED_FIELDS_OWN].map(normal),
  );
  const patterns = options.patterns ?? REDACTED_PATTERNS_DEFAULT;
  const values = (options.values ?? []).filter((text) => text.length >= 8);
  const onPath = new Set<object>();

  const text = (raw: string): string => {
    const known = values.reduce((left, secret) => left.replaceAll(secret, REDACTED), raw);
    return patterns.reduce((left, pattern) => left.replace(pattern, REDACTED), known);
  };

  function walk(inner: unknown, depth: number): unknown {
    if (typeof inner === 'string') return text(inner);
    if (typeof inner === 'bigint') return String(inner);
    if (typeof inner === 'function' || typeof inner === 'symbol') return undefined;
    if (typeof inner !== 'object' || inner === null) return inner;
    if (depth > DEPTH_MAX || onPath.has(inner)) return '[CUT]';
    onPath.add(inner);
    try {
      if (Array.isArray(inner)) return inner.map((item) => walk(item, depth + 1));
      if (inner instanceof Date) return inner.toISOString();
      const entries: [string, unknown][] = Object.entries(inner);
      if (inner instanceof Error) {
        entries.push(['name', inner.name], ['message', inner.message], ['stack', inner.stack]);
        if (inner.cause !== undefined) entries.push(['cause', inner.cause]);
      }
      return Object.fromEntries(
        entries.map(([name, field]) => [
          name,
          names.has(normal(name)) ? REDACTED : walk(field, depth + 1),
        ]),
      );
    } finally {
      onPath.delete(inner);
    }
  }
  return walk(value, 0);
}

function normal(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}
