import {
  lengthUntil,
  normalName,
  REDACTED,
  REDACTED_FIELDS_DEFAULT,
  SECRET_PATTERNS,
  secretReplacer,
  valueReplacer,
} from '../../common/redaction.ts';

// Fields never logged, besides the default ones. `value` is the input of createSecret and
// updateSecret.
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

const FIELDS: ReadonlySet<string> = new Set(
  [...REDACTED_FIELDS_DEFAULT, ...REDACTED_FIELDS_OWN].map(normalName),
);

const VALUE_CHARS_MIN = 3;
const { addressPassword, base64, ...others } = SECRET_PATTERNS;
/** Redacts every text: known kinds of secrets, and values after a secret's name. */
const REPLACERS: readonly ((text: string) => string)[] = [
  ...Object.values(others).map((source) => secretReplacer(source)),
  secretReplacer(addressPassword, `://${REDACTED}@`),
  // Values of query parameters.
  valueReplacer(
    '(?i)[?&](?:api_?key|token|access_token|password|secret|key|sig|signature)=',
    (text, at) => at + lengthUntil(text, at, /[&\s"']/),
  ),
  // name=value and name: value in plain text.
  valueReplacer('(?i)\\b(?:api[_-]?key|token|password|passwd|secret)\\s*[=:]\\s*', (text, at) => {
    const length = lengthUntil(text, at, /[\s"',;&]/);
    return length < VALUE_CHARS_MIN ? at : at + length;
  }),
  // The same inside JSON that travels as text.
  valueReplacer(
    '(?i)"(?:api_?key|token|password|secret|authorization|value)"\\s*:\\s*"',
    (text, at) => {
      let end = at;
      while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      return Math.min(end, text.length);
    },
  ),
  // Last, because it would split a JSON Web Token.
  secretReplacer(base64),
];

export interface ScrubOptions {
  /** Exact values to redact, such as a decrypted Secret; only those of 8 characters or more. */
  readonly values?: readonly string[];
}

const DEPTH_MAX = 12;

/**
 * Copies a value and redacts it: by field name at every depth, by pattern and by exact value in
 * every text. Errors become {name, message, stack}. Never throws. Values nested too deep are cut.
 */
export function scrub(value: unknown, options: ScrubOptions = {}): unknown {
  const values = (options.values ?? []).filter((text) => text.length >= 8);
  const onPath = new Set<object>();

  const text = (raw: string): string => {
    const known = values.reduce((left, secret) => left.replaceAll(secret, REDACTED), raw);
    return REPLACERS.reduce((left, replace) => replace(left), known).toWellFormed();
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
          FIELDS.has(normalName(name)) ? REDACTED : walk(field, depth + 1),
        ]),
      );
    } finally {
      onPath.delete(inner);
    }
  }
  return walk(value, 0);
}
